// terrain.cpp: the fields of the terrain.
#include "formats/fft/check/checks.hpp"
#include "formats/fft/scene/slopes.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_terrain_rules[] = {
    {"fft.terrain-size", error, "the terrain has tiles, at most 256 on a level",
     "With 0 there is nothing to stand on. In one of more the end of the lower level is the start of the upper one: "
     "MAP125 of the game, 17 x 16, is so.",
     "specification 5, terrain-size: source document, 1,575 real files", Severities{warning}},
    {"fft.terrain-surface", warning, "surfaces are 0x00 to 0x2E or 0x3F",
     "The game has no entry for others in its table of what units do on them.",
     "specification 5, terrain-surface: decompilation, GaneshaDx"},
    {"fft.terrain-slope", error, "the slope of a tile is one of the 13",
     "Two bits say of each side how many of its corners are high. When units walk over a side the game reads them, and "
     "these contradict each other.",
     "specification 5, terrain-slope: own, decompilation", Severities{hint}},
    {"fft.terrain-slope-height", warning, "a slope has a height, and flat ground none",
     "Editors and the game then disagree about how high the tile is.", "specification 5, terrain-slope-height: libfft"},
    {"fft.terrain-marks", warning, "the marks of the running game (bits 5 to 7 of byte 5) are 0",
     "The tile is lit from the start, as if a unit could move to it.", "specification 5, terrain-marks: decompilation"},
};

constexpr u8 k_most_flat_height = 1;  // of slopes in flat ground, as in the game

void check_terrain(MeshCheck& c) {
  if (!c.mesh.terrain) return;
  const Terrain& t = *c.mesh.terrain;
  const size_t tiles = size_t(t.size_x) * t.size_z;
  if (tiles == 0)
    c.report("fft.terrain-size", t.size_x ? "terrain.size_z" : "terrain.size_x",
             {.expected = "at least 1 x 1", .found = text(t.size_x, " x ", t.size_z, " tiles")});
  else if (tiles > Terrain::k_tiles)
    c.report(warning, "fft.terrain-size", "terrain.size_x",
             {.expected = "at most 256", .found = text(t.size_x, " x ", t.size_z, ", ", tiles, " tiles")});
  // The tiles of both levels; where level 0 is larger than there is room, the two share some.
  constexpr size_t k_all = Terrain::k_levels * Terrain::k_tiles;
  Tally surface, slope, unused_slope, flat, steep, marks;
  const auto check_tile = [&](size_t at) {
    const size_t level = at / Terrain::k_tiles, i = at % Terrain::k_tiles;
    const TerrainTile& tile = t.levels[level][i];
    const auto path = [&](std::string_view field) { return text("terrain.levels[", level, "][", i, "].", field); };
    if (k_surfaces.of(tile.surface).empty())
      surface.add([&] { return path("surface"); }, [&] { return hex_number(tile.surface, 2); });
    if (tile.marks) marks.add([&] { return path("marks"); }, [&] { return text(tile.marks); });
    if (!raised_corners(tile.slope)) {
      (tile.absent ? unused_slope : slope)
          .add([&] { return path("slope"); }, [&] { return hex_number(tile.slope, 2); });
      return;
    }
    if (tile.absent) return;
    const auto height = [&] { return path("slope_height"); };
    if (tile.slope && !tile.slope_height)
      flat.add(height, [&] { return text(k_slopes.of(tile.slope), " without a height"); });
    if (!tile.slope && tile.slope_height > k_most_flat_height)
      steep.add(height, [&] { return text("flat ground with a slope of ", tile.slope_height, " steps"); });
  };
  const size_t end_0 = std::min(tiles, k_all), end_1 = std::min(Terrain::k_tiles + tiles, k_all);
  for (size_t at = 0; at < end_0; ++at) check_tile(at);
  for (size_t at = std::max(Terrain::k_tiles, end_0); at < end_1; ++at) check_tile(at);
  surface.report(warning, c, "fft.terrain-surface", {.expected = "0x00 to 0x2E, or 0x3F"});
  slope.report(error, c, "fft.terrain-slope", {.expected = "a slope of the game, such as 0x85 (incline N)"});
  unused_slope.report(hint, c, "fft.terrain-slope", {.expected = "a slope of the game, though nobody can stand there"});
  flat.report(warning, c, "fft.terrain-slope-height", {.expected = "at least 1 step"});
  steep.report(warning, c, "fft.terrain-slope-height", {.expected = "0 or 1"});
  marks.report(warning, c, "fft.terrain-marks", {.expected = "0"});
}

}  // namespace

constinit const Topic k_terrain_checks{k_terrain_rules, check_terrain};

}  // namespace dio::fft
