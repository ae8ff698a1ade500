// checks.hpp: checks of a course against its collision file.
#pragma once
#include "formats/contract/findings.hpp"
#include "formats/kcl/layout.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

std::span<const Rule> ground_rules();
void check_ground(const Kmp&, const kcl::Kcl&, Findings&);

}  // namespace dio::kmp
