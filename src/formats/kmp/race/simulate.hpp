// simulate.hpp: what only a race shows: ways around a course that count no lap, and jumps that count one.
#pragma once
#include "formats/contract/findings.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

std::span<const Rule> race_rules();
/// Drives every way around the course, falls off it everywhere, and jumps from everywhere to where a kart may land.
void simulate(const Kmp&, Findings&);

}  // namespace dio::kmp
