// parts.hpp: the functions that the files in this folder provide to format.cpp, each other and the tests.
#pragma once
#include "containers/disc/disc_image.hpp"
#include "containers/nitro_fs/narc.hpp"
#include "containers/nitro_fs/nds_rom.hpp"
#include "containers/packed/lz_file.hpp"
#include "containers/packed/yaz0.hpp"
#include "containers/u8/u8_archive.hpp"
#include "formats/contract/any_document.hpp"

namespace dio::containers {

// checks.cpp
std::span<const Rule> rules();
void check(const Document<Narc>&, Findings&);
void check(const Document<NdsRom>&, Findings&);
void check(const Document<U8Archive>&, Findings&);
void check(const Document<LzFile>&, Findings&);
void check(const Document<Yaz0File>&, Findings&);
// disc/checks.cpp. `image`: the file the disc was read from; null: saves the disc to get it.
void check(const Document<DiscImage>&, const ByteSource* image, Findings&);

// info.cpp
Value info(const Narc&);
Value info(const NdsRom&);
Value info(const U8Archive&);
Value info(const LzFile&);
Value info(const Yaz0File&);
Value info(const Document<DiscImage>&, const ByteSource* image);

// sniff.cpp
Sniff sniff_narc(ByteView, std::string_view name);
Sniff sniff_lz(ByteView, std::string_view name);
Sniff sniff_u8(ByteView, std::string_view name);
Sniff sniff_yaz0(ByteView, std::string_view name);
Sniff sniff_nds(ByteView, std::string_view name);
Sniff sniff_nds(const ByteSource&, std::string_view name);
Sniff sniff_disc(ByteView, std::string_view name);
Sniff sniff_disc(const ByteSource&, std::string_view name);

// members.cpp, disc/members.cpp
extern const ArchiveOps k_narc_ops, k_nds_ops, k_u8_ops, k_lz_ops, k_yaz0_ops, k_disc_ops;

}  // namespace dio::containers
