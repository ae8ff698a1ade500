// unpacked.hpp: shared by all kinds of packed data.
#pragma once
#include "core/bytes.hpp"

namespace dio {

/// The largest decompressed size: more than the memory of any of these consoles.
inline constexpr u64 k_most_unpacked = u64(64) << 20;

struct Unpacked {
  Bytes bytes;
  u64 packed_size = 0;  // how many compressed bytes were read; the rest is padding or other data
};

/// An earlier place with the same bytes.
struct Match {
  u32 length = 0, distance = 0;
};

}  // namespace dio
