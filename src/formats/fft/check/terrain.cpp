// terrain.cpp: the fields of the terrain.
#include "formats/fft/check/checks.hpp"
#include "formats/fft/scene/slopes.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_terrain_rules[] = {
    {"fft.terrain-size", error, "each level of the terrain has 1 to 256 tiles",
     "On a terrain without tiles, characters have nothing to stand on. If a level has more than 256 tiles, the end of "
     "the lower level overlaps the start of the upper level, as in the game's MAP125 (17 x 16 tiles).",
     "Change the size of the terrain with {edit FILE resize-terrain}.",
     "src/formats/fft/README.md#mesh-files; measured on the game's 1,575 files", Severities{warning}},
    {"fft.terrain-surface", warning, "the surface of a tile is 0x00 to 0x2E or 0x3F",
     "The game looks up surfaces in a table that has entries only for 0x00 to 0x2E and 0x3F.",
     "Choose another surface for the tile with {edit FILE set-tiles surface=NAME}.",
     "a decompilation of the game; the map editor GaneshaDx"},
    {"fft.terrain-slope", error, "the slope of a tile is one of the game's 13 slopes",
     "For each side of a tile, two bits of the slope value give the number of raised corners. The game reads these "
     "bits when a character crosses the side. In an invalid slope value, the bits of adjacent sides contradict each "
     "other.",
     "Choose one of the game's slopes for the tile with {edit FILE set-tiles slope=NAME}.",
     "diorama's own rule; a decompilation of the game", Severities{hint}},
    {"fft.terrain-slope-height", warning, "a sloped tile has a slope height, and a flat tile has none",
     "If a sloped tile has no slope height, or a flat tile has one, editors and the game disagree about the height of "
     "the tile.",
     "Set the slope height of the tile with {edit FILE set-tiles slope-height=N}. For a flat tile, use 0.", "libfft"},
    {"fft.terrain-marks", warning,
     "in the tiles of a file, bits 5 to 7 of byte 5 are 0, because the running game sets these bits",
     "If bits 5 to 7 of byte 5 are set in the file, the tile is highlighted from the start, as if a character could "
     "move to it.",
     "Set the `marks` field of the tile to 0.", "a decompilation of the game"},
};

constexpr u8 k_most_flat_height = 1;  // slope height of flat ground, as in the game

void check_terrain(MeshCheck& c) {
  if (!c.mesh.terrain) return;
  const Terrain& t = *c.mesh.terrain;
  const size_t tiles = size_t(t.size_x) * t.size_z;
  if (tiles == 0)
    c.report("fft.terrain-size", t.size_x ? "terrain.size_z" : "terrain.size_x",
             {.message = text("the terrain has ", t.size_x, " x ", t.size_z, " tiles; it must have at least 1 x 1")});
  else if (tiles > Terrain::k_tiles)
    c.report(warning, "fft.terrain-size", "terrain.size_x",
             {.message = text("the terrain has ", t.size_x, " x ", t.size_z, " = ", tiles,
                              " tiles; a level has room for 256")});
  // The tiles of both levels; if level 0 exceeds its room, the levels share some.
  constexpr size_t k_all = Terrain::k_levels * Terrain::k_tiles;
  Tally surface, slope, unused_slope, flat, steep, marks;
  const auto check_tile = [&](size_t at) {
    const size_t level = at / Terrain::k_tiles, i = at % Terrain::k_tiles;
    const TerrainTile& tile = t.levels[level][i];
    const auto path = [&](std::string_view field) { return text("terrain.levels[", level, "][", i, "].", field); };
    if (k_surfaces.of(tile.surface).empty())
      surface.add(
          [&] { return path("surface"); },
          [&] { return text("surface is ", format_hex(tile.surface, 2), "; it must be 0x00 to 0x2E, or 0x3F"); });
    if (tile.marks)
      marks.add([&] { return path("marks"); }, [&] { return text("marks is ", tile.marks, "; it must be 0"); });
    if (!raised_corners(tile.slope)) {
      (tile.absent ? unused_slope : slope)
          .add([&] { return path("slope"); },
               [&] {
                 return text("slope ", format_hex(tile.slope, 2), " is not one of the game's 13 slopes",
                             tile.absent ? "; the tile is absent, so no character can stand there" : "");
               });
      return;
    }
    if (tile.absent) return;
    const auto height = [&] { return path("slope_height"); };
    if (tile.slope && !tile.slope_height)
      flat.add(height,
               [&] { return text("slope_height is 0; a slope (", k_slopes.of(tile.slope), ") needs at least 1"); });
    if (!tile.slope && tile.slope_height > k_most_flat_height)
      steep.add(height,
                [&] { return text("slope_height is ", tile.slope_height, "; on flat ground it must be 0 or 1"); });
  };
  const size_t end_0 = std::min(tiles, k_all), end_1 = std::min(Terrain::k_tiles + tiles, k_all);
  for (size_t at = 0; at < end_0; ++at) check_tile(at);
  for (size_t at = std::max(Terrain::k_tiles, end_0); at < end_1; ++at) check_tile(at);
  surface.report(warning, c, "fft.terrain-surface");
  slope.report(error, c, "fft.terrain-slope",
               "use flat (0x00), or an incline, convex or concave slope, such as incline N (0x85)");
  unused_slope.report(hint, c, "fft.terrain-slope");
  flat.report(warning, c, "fft.terrain-slope-height");
  steep.report(warning, c, "fft.terrain-slope-height");
  marks.report(warning, c, "fft.terrain-marks");
}

}  // namespace

constinit const Topic k_terrain_checks{k_terrain_rules, check_terrain};

}  // namespace dio::fft
