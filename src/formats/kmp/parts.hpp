// parts.hpp: what the files of this folder provide to format.cpp, to each other and to the tests.
#pragma once
#include "formats/contract/edits.hpp"
#include "formats/kmp/layout.hpp"
#include "layout/document.hpp"

namespace dio::scene {
struct Plan;
}

namespace dio {
struct NodeMove;
}

namespace dio::kmp {

// format.cpp
std::span<const Rule> rules();

// check/checks.cpp
std::span<const Rule> check_rules();
/// `ends_in_zeros`: whether nothing else stands behind the last section.
void check(const Kmp&, Findings&, bool ends_in_zeros = false);

// info.cpp
Value info(const Kmp&);

// scene.cpp
Result<scene::Scene> to_scene(const Kmp&);

// scene/place.cpp
std::span<const std::string_view> placed_kinds();
Result<std::vector<Argument>> place(const Kmp&, const NodeMove&);

// edit/course.cpp
std::span<const Edit> course_edits();

// race/questions.cpp
std::span<const Question> questions();

// plan/plan.cpp
scene::Plan to_plan(const Kmp&);

}  // namespace dio::kmp

// The walks over Kmp are compiled once: walks*.cpp for bytes, values*.cpp for the rest.
DIORAMA_WALKS(extern, kmp::Kmp)
