#include "console/psx/palette_indices.hpp"

#include <algorithm>

#include "console/psx/color.hpp"

namespace dio::psx {

PaletteIndices::PaletteIndices(const scene::Image& picture, const std::vector<scene::Rgba>& palette)
    : picture_(picture), palette_(palette) {
  // A picture with the original palette keeps the index of each texel, even among equal colours.
  keeps_indices_ = !picture.palette.empty() && picture.palette.size() <= palette.size() &&
                   std::equal(picture.palette.begin(), picture.palette.end(), palette.begin());
  std::vector<scene::Rgb> drawn;
  for (size_t i = 0; i < palette.size(); ++i)
    if (is_drawn(palette[i])) {
      drawn_.push_back(u8(i));
      drawn.push_back({palette[i][0], palette[i][1], palette[i][2]});
    }
  nearest_ = scene::NearestColor(drawn);
}

u8 PaletteIndices::of(u32 x, u32 y, u8 was) {
  if (keeps_indices_) return picture_.pixels[size_t(y) * picture_.width + x];
  const scene::Rgba c = scene::color_of(picture_, x, y);
  if (same(c, palette_[was])) return was;
  for (size_t i = 0; i < palette_.size(); ++i)
    if (same(c, palette_[i])) return u8(i);
  ++unlike;
  return drawn_.empty() ? was : drawn_[nearest_.of({c[0], c[1], c[2]})];
}

}  // namespace dio::psx
