// quantize.hpp: few colours in the place of many.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "layout/bytes.hpp"

namespace dio::scene {

using Rgb = std::array<u8, 3>;  // display colours (sRGB)

struct WeightedColor {
  Rgb color;
  u32 weight;  // how many pixels show it; 0 counts for nothing
};

/// Brightness, blueness and redness of a colour, 16 times those of BT.601: whole numbers, so that every compiler
/// agrees.
using Look = std::array<i32, 3>;
constexpr Look look_of(const Rgb& c) {
  const i32 red = c[0], green = c[1], blue = c[2];
  return {5 * red + 9 * green + 2 * blue, -3 * red - 5 * green + 8 * blue, 8 * red - 7 * green - blue};
}

/// How different two colours look: the square of a distance in which brightness counts most. 0 for the same; black and
/// white are 4080 * 4080 apart.
constexpr u32 difference(const Look& a, const Look& b) {
  u32 sum = 0;
  for (size_t i = 0; i < 3; ++i) sum += u32((a[i] - b[i]) * (a[i] - b[i]));
  return sum;
}

/// The entry of the palette that looks most like the colour; the first of equals. The palette has at least one.
size_t nearest_color(std::span<const Rgb> palette, const Rgb& color);

struct QuantizeOptions {
  u32 most_colors = 256;            // at least 1
  std::span<const u8> levels = {};  // the values a channel can have, rising; all 256 if there are none
};

/// A palette, from dark to bright, without duplicates, for a picture that has these colours (each of them once): no
/// more than `most_colors`, fewer if fewer do as well. The same with every compiler. If the colours are so few that
/// each can have an entry, each does, with the levels nearest to it.
std::vector<Rgb> quantize(std::span<const WeightedColor> colors, const QuantizeOptions& options);

}  // namespace dio::scene
