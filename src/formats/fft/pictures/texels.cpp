#include "formats/fft/pictures/texels.hpp"

#include <algorithm>

namespace dio::fft {

std::vector<scene::Rgba> rgba_of(const Palette& palette) {
  std::vector<scene::Rgba> out;
  for (const Color& c : palette) out.push_back(rgba_of(c));
  return out;
}

std::vector<scene::Rgba> make_gray_palette() {
  std::vector<scene::Rgba> out;
  for (size_t i = 0; i < k_palette_colors; ++i) out.push_back({u8(17 * i), u8(17 * i), u8(17 * i), 255});
  return out;
}

scene::Image build_pages_image(std::span<const TexturePage* const> pages, std::vector<scene::Rgba> palette) {
  scene::Image out;
  out.width = k_page_texels, out.height = u32(pages.size()) * k_page_texels;
  out.depth = 4;
  out.palette = std::move(palette);
  out.pixels.resize(size_t(out.width) * out.height);
  u8* to = out.pixels.data();
  for (const TexturePage* page : pages) {
    if (page)
      for (size_t i = 0; i < std::min<size_t>(page->texels.size(), k_page_size); ++i)
        to[2 * i] = page->texels[i] & 15, to[2 * i + 1] = page->texels[i] >> 4;
    to += 2 * k_page_size;
  }
  return out;
}

}  // namespace dio::fft
