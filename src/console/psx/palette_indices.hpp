// palette_indices.hpp: converts an edited picture to indices of its original palette.
#pragma once
#include "scene/image.hpp"
#include "scene/quantize.hpp"

namespace dio::psx {

class PaletteIndices {
 public:
  /// Both must outlive this object. The palette may be empty if the picture has no texels that use it.
  PaletteIndices(const scene::Image& picture, const std::vector<scene::Rgba>& palette);
  /// The index for a pixel whose texel was `was`. A colour missing from the palette becomes the nearest one, counted in
  /// `unlike`.
  u8 of(u32 x, u32 y, u8 was);
  u64 unlike = 0;

 private:
  const scene::Image& picture_;
  const std::vector<scene::Rgba>& palette_;
  bool keeps_indices_;
  std::vector<u8> drawn_;
  scene::NearestColor nearest_{{}};  // among the colours that are drawn
};

}  // namespace dio::psx
