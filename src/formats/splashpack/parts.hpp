// parts.hpp: what the files of this folder provide to format.cpp, to each other and to the tests.
#pragma once
#include "formats/format.hpp"
#include "formats/splashpack/pack.hpp"
#include "layout/compiled.hpp"

namespace dio::splashpack {

// sniff.cpp
Sniff sniff_pack(ByteView, std::string_view name);

// checks.cpp
std::span<const Rule> rules();
void check(const Pack&, std::span<const Companion>, Findings&);

// info.cpp
Value info(const Pack&);

// samples.cpp
std::vector<Sample> pack_samples();

}  // namespace dio::splashpack

// The walks over the documents are compiled once: walks.cpp (Reader, Writer, Placer), values.cpp (Trace, Patch).
DIORAMA_WALKS(extern, splashpack::Pack)
