// slopes.hpp: the height of a tile. Source: README.md, "Terrain".
#pragma once
#include <array>
#include <bit>
#include <optional>

#include "formats/fft/layout/mesh.hpp"

namespace dio::fft {

/// Corners of a tile as bits, in list order: counterclockwise as seen from above.
enum TileCorner : u8 { k_southwest = 1, k_southeast = 2, k_northeast = 4, k_northwest = 8 };
inline constexpr std::array<TileCorner, 4> k_corners = {k_southwest, k_southeast, k_northeast, k_northwest};
inline constexpr u8 k_all_corners = 15;

/// Two bits for each side, from the highest: north, south, west, east: the number of its high corners.
constexpr u8 slope_of_corners(u8 raised) {
  const auto on = [&](u8 corners) { return unsigned(std::popcount(u8(raised & corners))); };
  return u8(on(k_northwest | k_northeast) << 6 | on(k_southwest | k_southeast) << 4 |
            on(k_northwest | k_southwest) << 2 | on(k_northeast | k_southeast));
}
/// The high corners of a slope byte. Nothing if its sides contradict each other or the game has no such slope: two
/// opposite corners high (both pairs give the same byte), or all four.
constexpr std::optional<u8> raised_corners(u8 slope) {
  for (u8 raised = 0; raised < k_all_corners; ++raised) {
    const bool opposite = raised == (k_southwest | k_northeast) || raised == (k_southeast | k_northwest);
    if (!opposite && slope_of_corners(raised) == slope) return raised;
  }
  return {};
}
static_assert(raised_corners(0x85) == (k_northwest | k_northeast) && !raised_corners(0x55) && !raised_corners(0xAA));

/// The height of the ground at the corners, in steps, in the order of `k_corners`. Flat if the slope is not valid.
constexpr std::array<i32, 4> corner_steps(const TerrainTile& t) {
  const u8 raised = raised_corners(t.slope).value_or(0);
  std::array<i32, 4> out{};
  for (size_t i = 0; i < 4; ++i) out[i] = t.height + (raised & k_corners[i] ? t.slope_height : 0);
  return out;
}
/// The corners of the tile at (x, z), in the order of `k_corners`, as positions of a mesh file (Y down). `above`: steps
/// to add, such as the depth of a liquid.
constexpr std::array<std::array<i32, 3>, 4> corner_positions(const TerrainTile& t, u32 x, u32 z, i32 above = 0) {
  const auto steps = corner_steps(t);
  std::array<std::array<i32, 3>, 4> out{};
  for (size_t i = 0; i < 4; ++i) {
    const bool east = k_corners[i] & (k_southeast | k_northeast), north = k_corners[i] & (k_northwest | k_northeast);
    out[i] = {k_tile_units * i32(x + east), -k_step_units * (steps[i] + above), k_tile_units * i32(z + north)};
  }
  return out;
}
/// The height displayed in the game, in half steps: of the middle of the surface that units stand on, including liquid.
constexpr i32 displayed_half_steps(const TerrainTile& t) { return 2 * t.height + 2 * t.depth + t.slope_height; }

}  // namespace dio::fft
