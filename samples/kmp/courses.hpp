// courses.hpp: courses made from nothing.
#pragma once
#include "formats/kmp/parts.hpp"
#include "samples/samples.hpp"

namespace dio::kmp {

Kmp race();  // a course without findings
Kmp arena();
Kmp older(u32 version);  // the race as an older file has it; 0: no version

}  // namespace dio::kmp
