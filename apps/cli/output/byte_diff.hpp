// byte_diff.hpp: where two files differ, byte for byte, for people.
#pragma once
#include <string>
#include <vector>

#include "bridge/report/byte_diff.hpp"

namespace dio::cli {

/// A line a run: `0x0040  00000001 -> 00000002  KTPT.entries[0].player`
std::string byte_diff_text(const std::vector<report::ByteRun>&);

}  // namespace dio::cli
