// courses.hpp: courses made from nothing.
#pragma once
#include "formats/kcl/parts.hpp"
#include "formats/kmp/parts.hpp"
#include "samples/samples.hpp"

namespace dio::kmp {

Kmp race();  // a course without findings
/// What the race lies on: a road between walls and off-road, the trigger of its cannon, what takes karts away below,
/// and, outside of all sectors, a field to which a gap in the wall leads.
std::vector<kcl::FlaggedTriangle> ground_of_race();
Kmp arena();
Kmp older(u32 version);  // the race as an older file has it; 0: no version

}  // namespace dio::kmp
