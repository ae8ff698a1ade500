// archives.hpp: small archives and discs made from nothing.
#pragma once
#include "containers/parts.hpp"
#include "samples/samples.hpp"

namespace dio::containers {

// archives.cpp
Narc shelf();        // three files without names
Narc named_shelf();  // files in folders
NdsRom cartridge();
std::vector<Sample> narc_samples();
std::vector<Sample> nds_samples();
std::vector<Sample> lz_samples();
U8Archive folders();  // five files in folders
std::vector<Sample> u8_samples();
std::vector<Sample> yaz0_samples();
// discs.cpp
Bytes disc(SectorForm);  // three folders, seven files
std::vector<Sample> disc_samples();

}  // namespace dio::containers
