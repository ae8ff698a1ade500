// texels_encode.hpp: pictures as the console can show them: 15 bits a texel, and few colours where a palette is used.
#pragma once
#include <vector>

#include "scene/image.hpp"

namespace dio::psx {

constexpr u32 most_colors(u8 depth) { return depth == 16 ? 1u << 16 : 1u << depth; }

/// Texels by their colours: 5 bits red, green, blue from the low end, and semi-transparency, which opaque black alone
/// has; 0 is clear.
struct Texels {
  u32 width = 0, height = 0;
  u8 depth = 0;              // 4, 8 or 16
  std::vector<u16> colors;   // of each texel, rows from the top
  std::vector<u16> palette;  // those that occur, rising; nothing at 16 bits
  auto operator<=>(const Texels&) const = default;
};

/// Texels whose words are known. `words` are as many as they have, with no more different ones than the depth allows.
Texels texels_of_words(u32 width, u32 height, u8 depth, std::vector<u16> words);
/// What the picture had that the texels have not.
struct Losses {
  u32 scaled_from_width = 0, scaled_from_height = 0;  // 0: it is as large as it was
  size_t colors = 0;                                  // of 15 bits, too many for the depth; 0: it kept them
  size_t partial = 0;                                 // pixels that are neither clear nor opaque
};

struct Shown {
  Texels texels;
  Losses losses;
};

/// `depth` 0: the least that keeps all colours, else `most_depth`. The picture has pixels, all of them.
Shown texels_of(const scene::Image&, u8 depth, u8 most_depth, bool dither);

}  // namespace dio::psx
