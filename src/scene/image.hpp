// image.hpp: a picture as stored in games: indices into a palette, or colours.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "core/bytes.hpp"

namespace dio::scene {

using Rgba = std::array<u8, 4>;  // display colours (sRGB), alpha 255 is opaque

/// Rows from the top, pixels from the left, without padding. With a palette, one byte for each pixel: an index into it.
/// Without one, four bytes: red, green, blue, alpha.
struct Image {
  std::string name;
  u32 width = 0, height = 0;
  u8 depth = 8;               // bits per index as stored in the game: 1, 2, 4 or 8; 8 without a palette
  std::vector<Rgba> palette;  // at most 2^depth colours
  std::vector<u8> pixels;
  bool operator==(const Image&) const = default;
};

/// The colour of a pixel.
Rgba color_of(const Image&, u32 x, u32 y);
/// The image converted to colours, without a palette.
Image to_rgba(const Image&);
/// Whether any pixel has an alpha other than 0 and 255, and whether any has alpha 0.
struct Transparency {
  bool any_partial = false, any_clear = false;
};
Transparency detect_transparency(const Image&);

}  // namespace dio::scene
