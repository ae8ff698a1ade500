// color.hpp: converts PlayStation colours from and to 8 bits. Sources and rounding: ../README.md.
#pragma once
#include <algorithm>

#include "console/psx/gpu.hpp"
#include "console/rgb555.hpp"
#include "scene/image.hpp"

namespace dio::psx {

/// A texel whose colour is the word 0 is not drawn; opaque black has bit 15, which otherwise makes a texel
/// semi-transparent.
inline constexpr u16 k_clear = 0, k_opaque_black = 0x8000, k_semi_transparent = 0x8000;
/// Pixels with less alpha become transparent.
inline constexpr u8 k_least_alpha = 128;

/// Expands five bits to eight: 31 is 255.
constexpr u8 to_8_bits(u32 five) { return u8(five << 3 | five >> 2); }
/// The five bits of a displayed value. Also correct for the eight bits that other programs expand five to.
constexpr u8 to_5_bits(u8 shown) { return console::highest_five(shown); }
/// The nearest five bits for a value that was never five bits.
constexpr u8 nearest_5_bits(u8 shown) { return u8((shown * 31 + 127) / 255); }

/// The values of a channel on the screen.
inline constexpr std::array<u8, 32> k_levels = console::make_level_table(to_8_bits);

constexpr console::Channels rgb555_to_rgb(u16 word) {
  const auto [red, green, blue] = console::channels_of(word);
  return {k_levels[red], k_levels[green], k_levels[blue]};
}
/// Semi-transparency is not included.
constexpr scene::Rgba rgb555_to_rgba(u16 word) {
  if (word == k_clear) return {0, 0, 0, 0};
  const auto [red, green, blue] = rgb555_to_rgb(word);
  return {red, green, blue, 255};
}
/// The colour word of a pixel; black is the transparent word. Alpha is ignored.
constexpr u16 word_of(const auto& shown) {
  return console::word_of({to_5_bits(shown[0]), to_5_bits(shown[1]), to_5_bits(shown[2])});
}

constexpr bool is_drawn(const scene::Rgba& c) { return c[3] >= k_least_alpha; }
/// Whether two colours of pictures are equal on the console.
constexpr bool same(const scene::Rgba& a, const scene::Rgba& b) {
  return is_drawn(a) && is_drawn(b) ? word_of(a) == word_of(b) : is_drawn(a) == is_drawn(b);
}

/// A channel of a texel (0 to `most`) multiplied by a vertex colour, rounded down.
constexpr u32 lit_texel(u32 texel, u32 color, u32 most = 255) { return std::min(most, texel * color / k_neutral); }
/// Same, for a picture that was already brightened by `headroom`, so that no vertex colour needs to brighten it.
constexpr f64 shown_texel(u32 texel, f64 light, u32 headroom) {
  return lit_texel(texel, headroom) * std::min<f64>(light, headroom) / headroom;
}

}  // namespace dio::psx
