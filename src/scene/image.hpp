// image.hpp: a picture as games keep it: indices into a palette, or colours.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "core/bytes.hpp"

namespace dio::scene {

using Rgba = std::array<u8, 4>;  // display colours (sRGB), alpha 255 is opaque

/// Rows from the top, pixels from the left, none but those. With a palette: one byte a pixel, an index into it.
/// Without: four bytes a pixel, red, green, blue, alpha.
struct Image {
  std::string name;
  u32 width = 0, height = 0;
  u8 depth = 8;               // bits of an index where the game stores it: 1, 2, 4 or 8; 8 where there is no palette
  std::vector<Rgba> palette;  // at most 2^depth colours
  std::vector<u8> pixels;
  bool operator==(const Image&) const = default;
};

/// The colour of a pixel.
Rgba color_of(const Image&, u32 x, u32 y);
/// As an image without palette.
Image to_rgba(const Image&);
/// Whether there is a pixel whose alpha is neither 0 nor 255, and one whose alpha is 0.
struct Transparency {
  bool any_partial = false, any_clear = false;
};
Transparency transparency_of(const Image&);

}  // namespace dio::scene
