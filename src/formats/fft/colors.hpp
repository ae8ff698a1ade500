// colors.hpp: the five bits of the console's colours as the eight of a picture.
#pragma once
#include "formats/fft/mesh.hpp"
#include "scene/image.hpp"

namespace dio::fft {

/// Of one channel: 0..31 to 0..255, the high bits once more in the low ones.
constexpr u8 to_8_bits(u32 five) { return u8(five << 3 | five >> 2); }
/// The five bits that are shown so. Also right for what other programs make of five bits: 8x or 255x/31.
constexpr u8 to_5_bits(u8 shown) { return shown >> 3; }

/// Clear where nothing is drawn; else opaque, half transparent or not.
constexpr scene::Rgba shown(const Color& c) {
  return {to_8_bits(c.red), to_8_bits(c.green), to_8_bits(c.blue), u8(c.is_clear() ? 0 : 255)};
}
/// The color of a pixel; STP is kept.
constexpr Color stored(const scene::Rgba& c, u8 stp) {
  return {stp, to_5_bits(c[2]), to_5_bits(c[1]), to_5_bits(c[0])};
}

}  // namespace dio::fft
