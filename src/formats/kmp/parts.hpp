// parts.hpp: what the files of this folder provide to format.cpp, to each other and to the tests.
#pragma once
#include "formats/contract/any_document.hpp"
#include "formats/kmp/layout.hpp"
#include "layout/document.hpp"

namespace dio::scene {
struct Plan;
}

namespace dio::kmp {

// checks.cpp
std::span<const Rule> rules();
/// `ends_in_zeros`: whether nothing else stands behind the last section.
void check(const Kmp&, Findings&, bool ends_in_zeros = false);

// info.cpp
Value info(const Kmp&);

// scene.cpp
Result<scene::Scene> to_scene(const Kmp&);

// plan/plan.cpp
scene::Plan to_plan(const Kmp&);

}  // namespace dio::kmp

// The walks over Kmp are compiled once: walks*.cpp for bytes, values*.cpp for the rest.
DIORAMA_WALKS(extern, kmp::Kmp)
