// texels.hpp: texels and palettes as a picture shows them.
#pragma once
#include <span>

#include "formats/fft/layout/mesh.hpp"
#include "scene/image.hpp"

namespace dio::fft {

inline constexpr size_t k_palette_colors = std::tuple_size_v<Palette>;

/// 5 bits as 8: 31 is 255.
constexpr u8 eight_bits(u8 five) { return u8(five << 3 | five >> 2); }
/// Nothing is drawn where the word is 0. That a texel can be half transparent (`stp`) is not in it.
constexpr scene::Rgba rgba_of(const Color& c) {
  if (c.is_clear()) return {0, 0, 0, 0};
  return {eight_bits(c.red), eight_bits(c.green), eight_bits(c.blue), 255};
}
/// The five bits that are shown so. Also right for what other programs make of five bits: 8x or 255x/31.
constexpr u8 five_bits(u8 shown) { return shown >> 3; }
/// The inverse, of a pixel that is not clear.
constexpr Color color_of(const scene::Rgba& c, u8 stp) {
  return {stp, five_bits(c[2]), five_bits(c[1]), five_bits(c[0])};
}
std::vector<scene::Rgba> rgba_of(const Palette&);
/// From black to white, for texels whose palette is not known: index 0 is black and drawn.
std::vector<scene::Rgba> gray_ramp();

/// Pages below each other, each 256 x 256, with 4 bits a texel; where one is null its texels are 0.
scene::Image picture_of(std::span<const TexturePage* const> pages, std::vector<scene::Rgba> palette);

}  // namespace dio::fft
