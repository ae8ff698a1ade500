// rgb555.hpp: 15-bit colours as stored by the DS and the PlayStation: five bits each of red, green and blue, red
// lowest. The meaning of bit 15 and the display of five bits depend on the console: ds/color.hpp, psx/color.hpp,
// README.md.
#pragma once
#include <array>

#include "core/bytes.hpp"

namespace dio::console {

/// Red, green, blue.
using Channels = std::array<u8, 3>;

/// Each of 0 to 31.
constexpr Channels channels_of(u16 word) { return {u8(word & 31), u8(word >> 5 & 31), u8(word >> 10 & 31)}; }
/// The inverse; bit 15 is 0.
constexpr u16 rgb(u32 red, u32 green, u32 blue) { return u16(red | green << 5 | blue << 10); }
constexpr u16 word_of(const Channels& five) { return rgb(five[0], five[1], five[2]); }

/// The five bits of an eight-bit value, whichever program expanded it: 8x, 33x/4, 255x/31 and the consoles' own rules
/// all keep the five bits in the highest bits.
constexpr u8 highest_five(u8 shown) { return u8(shown >> 3); }

/// The eight-bit value that a console shows for each of the 32 values, by its rule `shown`.
constexpr std::array<u8, 32> make_level_table(u8 (*shown)(u32)) {
  std::array<u8, 32> levels{};
  for (u32 five = 0; five < 32; ++five) levels[five] = shown(five);
  return levels;
}

}  // namespace dio::console
