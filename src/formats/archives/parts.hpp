// parts.hpp: what the files of this folder provide to format.cpp, to each other and to the tests.
#pragma once
#include "archives/narc.hpp"
#include "archives/nds_rom.hpp"
#include "formats/archives/disc_image.hpp"
#include "formats/archives/lz_file.hpp"
#include "formats/format.hpp"

namespace dio::archives {

// checks.cpp
std::span<const Rule> rules();
void check(const Document<Narc>&, Findings&);
void check(const Document<NdsRom>&, Findings&);
void check(const Document<LzFile>&, Findings&);
// checks_disc.cpp
void check(const Document<DiscImage>&, Findings&);

// info.cpp
Value info(const Narc&);
Value info(const NdsRom&);
Value info(const LzFile&);
Value info(const Document<DiscImage>&);

// members.cpp, members_disc.cpp
extern const ArchiveOps k_narc_ops, k_nds_ops, k_lz_ops, k_disc_ops;

// samples.cpp
Narc shelf();        // three files without names
Narc named_shelf();  // files in folders
NdsRom cartridge();
std::vector<Sample> narc_samples();
std::vector<Sample> nds_samples();
std::vector<Sample> lz_samples();
// samples_disc.cpp
Bytes disc(SectorForm);  // three folders, seven files
std::vector<Sample> disc_samples();

/// A document made from nothing, as a file.
template <class T>
Bytes bytes_of(T file) {
  Document<T> d;
  d.edit() = std::move(file);
  auto bytes = save(d);
  return bytes ? std::move(*bytes) : Bytes();
}

}  // namespace dio::archives
