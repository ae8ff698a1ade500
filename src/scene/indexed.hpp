// indexed.hpp: pictures of any colours as pictures with one palette, for files and terminals that know no others.
#pragma once
#include <span>

#include "scene/image.hpp"

namespace dio::scene {

struct IndexOptions {
  u32 most_colors = 256;  // 2 to 256, with the transparent one
  bool dither = true;  // only where there are more colours: an ordered pattern, which stands still in moving pictures
  bool has_clear = false;  // the palette has a transparent colour even if no picture needs it
};

/// The pictures with the same palette, chosen for all of them (scene/quantize.hpp). Pixels are opaque or, with an alpha
/// below 128, transparent; if there are such, palette[0] is transparent black. If the colours are few enough they stay
/// as they are. At least one picture. The same with every compiler.
std::vector<Image> convert_to_indexed(std::span<const Image>, const IndexOptions&);

}  // namespace dio::scene
