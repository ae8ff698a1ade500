// palette_indices.hpp: an edited picture of texels back as indices into the palette it went out with.
#pragma once
#include "scene/image.hpp"
#include "scene/quantize.hpp"

namespace dio::psx {

class PaletteIndices {
 public:
  /// Both are looked at as long as this is used. A picture without texels of a palette may have no colours.
  PaletteIndices(const scene::Image& picture, const std::vector<scene::Rgba>& palette);
  /// Of a pixel whose texel was `was`. What no colour shows becomes the nearest one, which `unlike` counts.
  u8 of(u32 x, u32 y, u8 was);
  u64 unlike = 0;

 private:
  const scene::Image& picture_;
  const std::vector<scene::Rgba>& palette_;
  bool keeps_indices_;
  std::vector<u8> drawn_;
  scene::NearestColor nearest_{{}};  // of those that are drawn
};

}  // namespace dio::psx
