// color.hpp: colours of the DS as a picture has them. Sources and the question of rounding: ../README.md.
#pragma once
#include "console/rgb555.hpp"
#include "scene/image.hpp"

namespace dio::ds {

/// Five bits of colour or alpha as the screen shows them: the hardware makes six of them, 2x + 1 but for 0 (GBATEK, "DS
/// 3D Polygon Attributes" and "Textures"), and the highest bits fill the lowest of eight.
constexpr u8 to_8_bits(u32 five) {
  const u32 six = five ? 2 * five + 1 : 0;
  return u8(six << 2 | six >> 4);
}
/// The five bits that are shown so. Also right for what other programs make of five bits.
constexpr u8 to_5_bits(u8 shown) { return console::highest_five(shown); }

/// The values of a channel on the screen.
inline constexpr std::array<u8, 32> k_levels = console::levels_of(to_8_bits);

constexpr console::Channels rgb_of(u16 word) {
  const auto [red, green, blue] = console::channels_of(word);
  return {k_levels[red], k_levels[green], k_levels[blue]};
}
constexpr scene::Rgba rgba_of(u16 word, u8 alpha) {
  const auto [red, green, blue] = rgb_of(word);
  return {red, green, blue, alpha};
}
/// The colour that is shown so; alpha is not looked at.
constexpr u16 word_of(const auto& shown) {
  return console::word_of({to_5_bits(shown[0]), to_5_bits(shown[1]), to_5_bits(shown[2])});
}

}  // namespace dio::ds
