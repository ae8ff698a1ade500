// texels_encode.hpp: converts pictures to the colours of the console: 15 bits per texel, or a palette.
#pragma once
#include <vector>

#include "scene/image.hpp"

namespace dio::psx {

constexpr u32 most_colors(u8 depth) { return depth == 16 ? 1u << 16 : 1u << depth; }

/// Texels as colour words: 5 bits each of red, green and blue from the low end, and the semi-transparency bit, which
/// only opaque black has; 0 is transparent.
struct Texels {
  u32 width = 0, height = 0;
  u8 depth = 0;              // 4, 8 or 16
  std::vector<u16> colors;   // of each texel, rows from the top
  std::vector<u16> palette;  // the colours in use, ascending; empty at 16 bits
  auto operator<=>(const Texels&) const = default;
};

/// Texels from known words: one for each texel, with at most as many different words as the depth allows.
Texels make_texels(u32 width, u32 height, u8 depth, std::vector<u16> words);
/// Losses of the conversion.
struct Losses {
  u32 scaled_from_width = 0, scaled_from_height = 0;  // 0: not scaled
  size_t colors = 0;   // number of 15-bit colours, if too many for the depth; 0: all were kept
  size_t partial = 0;  // pixels that are neither transparent nor opaque
};

struct EncodedPicture {
  Texels texels;
  Losses losses;
};

/// `depth` 0: the smallest depth that keeps all colours, otherwise `most_depth`. The picture must be valid and not
/// empty.
EncodedPicture encode_texels(const scene::Image&, u8 depth, u8 most_depth, bool dither);

}  // namespace dio::psx
