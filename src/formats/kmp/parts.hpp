// parts.hpp: what the files of this folder provide to format.cpp, to each other and to the tests.
#pragma once
#include "formats/format.hpp"
#include "formats/kmp/layout.hpp"
#include "layout/compiled.hpp"

namespace dio::kmp {

// checks.cpp
std::span<const Rule> rules();
void check(const Kmp&, Findings&);

// info.cpp
Value info(const Kmp&);

// scene.cpp
Result<scene::Scene> to_scene(const Kmp&);

// samples.cpp
std::vector<Sample> samples();
Kmp race();  // a course without findings
Kmp arena();
Kmp older(u32 version);      // the race as an older file has it; 0: no version
Bytes bytes_of(const Kmp&);  // placed

}  // namespace dio::kmp

// The walks over Kmp are compiled once: in document.cpp (Reader, Writer, Placer) and values.cpp (Trace, Patch).
DIORAMA_WALKS(extern, kmp::Kmp)
