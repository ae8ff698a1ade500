// indexed.hpp: converts pictures to a common palette, for files and terminals that need one.
#pragma once
#include <span>

#include "scene/image.hpp"

namespace dio::scene {

struct IndexOptions {
  u32 most_colors = 256;   // 2 to 256, including the transparent colour
  bool dither = true;      // only if there are more colours: an ordered pattern, which does not flicker in animations
  bool has_clear = false;  // the palette has a transparent colour even if no picture needs it
};

/// Converts the pictures to one palette chosen for all of them (scene/quantize.hpp). Pixels are opaque or, with an
/// alpha below 128, transparent; if there are transparent pixels, palette[0] is transparent black. If the colours are
/// few enough, they stay unchanged. Needs at least one picture. The result is the same with every compiler.
std::vector<Image> convert_to_indexed(std::span<const Image>, const IndexOptions&);

}  // namespace dio::scene
