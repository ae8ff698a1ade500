// palette_sharing.hpp: one palette for several textures.
#pragma once
#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace dio::splashpack {

struct SharedPalettes {
  std::vector<std::vector<u16>> palettes;  // colours, rising
  std::vector<size_t> palette_of;          // for each set of colours, the palette that has them all
};

/// Palettes of `most` colours at most in which each set (rising, no larger than that) has all its colours: fewer than
/// there are sets, where sets have colours in common or room for others. The palettes are the same in whatever order
/// the sets come.
SharedPalettes share_palettes(std::span<const std::vector<u16>> sets, size_t most);

}  // namespace dio::splashpack
