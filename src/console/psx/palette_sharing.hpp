// palette_sharing.hpp: shares palettes between textures.
#pragma once
#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace dio::psx {

struct SharedPalettes {
  std::vector<std::vector<u16>> palettes;  // colours, rising
  std::vector<size_t> palette_of;          // for each set of colours, the palette that contains it
};

/// Palettes of at most `most` colours in which each set (in rising order, at most that large) has all its colours:
/// fewer palettes than sets, if sets share colours or have room for others. The result does not depend on the order of
/// the sets.
SharedPalettes share_palettes(std::span<const std::vector<u16>> sets, size_t most);

}  // namespace dio::psx
