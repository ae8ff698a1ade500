#include "scene/image.hpp"

#include <algorithm>
#include <cstring>

namespace dio::scene {

Rgba color_of(const Image& image, u32 x, u32 y) {
  const size_t i = size_t(y) * image.width + x;
  if (!image.palette.empty()) return image.palette[image.pixels[i]];
  return {image.pixels[4 * i], image.pixels[4 * i + 1], image.pixels[4 * i + 2], image.pixels[4 * i + 3]};
}

Image to_rgba(const Image& image) {
  if (image.palette.empty()) return image;
  Image out{image.name, image.width, image.height, 8, {}, {}};
  out.pixels.resize(image.pixels.size() * sizeof(Rgba));
  u8* to = out.pixels.data();
  for (const u8 i : image.pixels) {
    std::memcpy(to, image.palette[i].data(), sizeof(Rgba));
    to += sizeof(Rgba);
  }
  return out;
}

Transparency detect_transparency(const Image& image) {
  Transparency found;
  const auto add_alpha = [&](u8 alpha) {
    found.any_clear |= alpha == 0;
    found.any_partial |= alpha != 0 && alpha != 255;
  };
  if (image.palette.empty()) {
    for (size_t i = 3; i < image.pixels.size(); i += 4) add_alpha(image.pixels[i]);
    return found;
  }
  if (std::ranges::all_of(image.palette, [](const Rgba& c) { return c[3] == 255; })) return found;
  std::array<bool, 256> used{};
  for (const u8 i : image.pixels) used[i] = true;
  for (size_t i = 0; i < image.palette.size(); ++i)
    if (used[i]) add_alpha(image.palette[i][3]);
  return found;
}

}  // namespace dio::scene
