// texels.hpp: converts texels and palettes to and from pictures.
#pragma once
#include <span>

#include "console/psx/color.hpp"
#include "formats/fft/layout/mesh.hpp"
#include "scene/image.hpp"

namespace dio::fft {

inline constexpr size_t k_palette_colors = std::tuple_size_v<Palette>;

/// The word 0 is transparent. The half-transparency bit (`stp`) is lost.
constexpr scene::Rgba rgba_of(const Color& c) {
  if (c.is_clear()) return {0, 0, 0, 0};
  return {psx::to_8_bits(c.red), psx::to_8_bits(c.green), psx::to_8_bits(c.blue), 255};
}
/// The inverse, for a pixel that is not transparent.
constexpr Color color_of(const scene::Rgba& c, u8 stp) {
  return {stp, psx::to_5_bits(c[2]), psx::to_5_bits(c[1]), psx::to_5_bits(c[0])};
}
std::vector<scene::Rgba> rgba_of(const Palette&);
/// From black to white, for texels with an unknown palette: index 0 is black and opaque.
std::vector<scene::Rgba> make_gray_palette();

/// Pages stacked from the top, each 256 x 256, with 4 bits per texel; the texels of a null page are 0.
scene::Image build_pages_image(std::span<const TexturePage* const> pages, std::vector<scene::Rgba> palette);

}  // namespace dio::fft
