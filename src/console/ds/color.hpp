// color.hpp: converts DS colours from and to 8 bits. Sources and rounding: ../README.md.
#pragma once
#include "console/rgb555.hpp"
#include "scene/image.hpp"

namespace dio::ds {

/// Expands five bits of colour or alpha as on the screen: the hardware makes six bits, 2x + 1 except for 0 (GBATEK, "DS
/// 3D Polygon Attributes" and "Textures"), and the highest bits fill the lowest of eight.
constexpr u8 to_8_bits(u32 five) {
  const u32 six = five ? 2 * five + 1 : 0;
  return u8(six << 2 | six >> 4);
}
/// The five bits of a displayed value. Also correct for the eight bits that other programs expand five to.
constexpr u8 to_5_bits(u8 shown) { return console::highest_five(shown); }

/// The values of a channel on the screen.
inline constexpr std::array<u8, 32> k_levels = console::make_level_table(to_8_bits);

constexpr console::Channels rgb555_to_rgb(u16 word) {
  const auto [red, green, blue] = console::channels_of(word);
  return {k_levels[red], k_levels[green], k_levels[blue]};
}
constexpr scene::Rgba rgb555_to_rgba(u16 word, u8 alpha) {
  const auto [red, green, blue] = rgb555_to_rgb(word);
  return {red, green, blue, alpha};
}
/// The colour word of a pixel; alpha is ignored.
constexpr u16 word_of(const auto& shown) {
  return console::word_of({to_5_bits(shown[0]), to_5_bits(shown[1]), to_5_bits(shown[2])});
}

}  // namespace dio::ds
