// places.cpp: the positions of polygons relative to the terrain.
#include "formats/fft/check/checks.hpp"
#include "formats/fft/scene/slopes.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_place_rules[] = {
    {"fft.vertex-range", warning, "polygons of the primary mesh are at most 10 tiles outside the terrain",
     "The battle camera never shows an area more than 10 tiles outside the terrain. If a vertex is farther away, one "
     "of its coordinates has usually lost its sign or has an extra digit.",
     "Correct the coordinates of the vertex, unless the polygon is distant scenery.", "diorama's own rule"},
    {"fft.tile-binding", warning, "a polygon is bound to a tile of the terrain, or to no tile (x = 255, z = 127)",
     "The game highlights a polygon together with its tile, so a polygon bound to a missing tile is never highlighted. "
     "Eight map arrangements in the game have polygons that are bound to a missing tile.",
     "Bind the polygon to a tile with {edit FILE set-polygons tile=X,Z}, or to no tile with tile=none.",
     "measured on the game's 1,575 files"},
    {"fft.terrain-fit", hint,
     "the floor polygons of a tile match the height of the tile, where a height step is 12 units",
     "If the heights of a tile and its floor polygons differ, characters float above the floor or sink into the floor. "
     "The difference may be intended on uneven ground.",
     "Change the height of the tile with {edit FILE set-tiles}, or move the vertices of its floor polygons.",
     "measured on the game's 1,575 files"},
    {"fft.terrain-hole", warning,
     "an upper-level tile that characters can enter has polygons, and an absent tile has none",
     "On an upper-level tile without polygons, characters stand in the air. The game never highlights polygons of "
     "absent tiles.",
     "Add floor polygons for an upper-level tile without polygons, or make the tile absent. Unbind polygons from "
     "absent tiles with {edit FILE "
     "set-polygons tile=none}.",
     "diorama's own rule"},
};

constexpr i32 k_margin = 10 * k_tile_units;

bool is_far_outside_terrain(i32 at, u8 tiles) { return at < -k_margin || at > k_tile_units * tiles + k_margin; }

/// Whether a polygon is a floor of the tile at (x, z): it faces up and does not extend beyond the tile.
template <size_t N>
bool is_floor_of_tile(const std::array<Position, N>& p, u32 x, u32 z) {
  if (unnormalized_face_normal(p)[1] >= 0) return false;
  return std::ranges::all_of(p, [&](const Position& v) {
    const i32 dx = v.x - k_tile_units * i32(x), dz = v.z - k_tile_units * i32(z);
    return dx >= 0 && dx <= k_tile_units && dz >= 0 && dz <= k_tile_units;
  });
}
/// How far, in units, a floor vertex is below the corner of its tile, or below the surface of its liquid if that is
/// nearer; negative: above. 0 if it is not at a corner of the tile.
i32 floor_height_error(const Position& v, const TerrainTile& t, u32 x, u32 z) {
  for (const auto& at : corner_positions(t, x, z))
    if (at[0] == v.x && at[2] == v.z) {
      const i32 to_ground = v.y - at[1], to_surface = to_ground + k_step_units * t.depth;
      return std::abs(to_surface) < std::abs(to_ground) ? to_surface : to_ground;
    }
  return 0;
}

void check_file_placement(MeshCheck& c) {
  if (c.mesh.terrain) check_polygon_placement(c, list_present_meshes(c.mesh), *c.mesh.terrain);
}

}  // namespace

void check_polygon_placement(Reporter& r, std::span<const NamedMesh> meshes, const Terrain& terrain) {
  Tally outside, unbound, drift, absent, hole;
  const size_t tiles = size_t(terrain.size_x) * terrain.size_z;
  std::array<bool, Terrain::k_levels * Terrain::k_tiles> bound{};
  const auto check_vertices = [&](const auto& p, auto path) {
    for (size_t i = 0; i < p.positions.size(); ++i) {
      const Position& v = p.positions[i];
      if (is_far_outside_terrain(v.x, terrain.size_x) || is_far_outside_terrain(v.z, terrain.size_z)) {
        outside.add(
            [&] { return path(".positions[", i, "]"); },
            [&] { return text("vertex ", v.x, ", ", v.y, ", ", v.z, " is more than 10 tiles outside the terrain"); });
        break;
      }
    }
  };
  for (const NamedMesh& m : meshes) {
    for_each_textured_polygon(m, [&](const auto& p, auto path) {
      if (m.is_primary) check_vertices(p, path);
      if (p.tile.is_none()) return;
      const u32 x = p.tile.x, z = p.tile.z;
      const TerrainTile* tile = Terrain::tile(terrain, p.tile.level, x, z);
      if (!tile) {
        unbound.add([&] { return path(".tile"); },
                    [&] {
                      return text("the polygon is bound to tile ", x, ", ", z,
                                  ", which does not exist; the terrain has ", tiles ? "" : "no tiles: its size is ",
                                  terrain.size_x, " x ", terrain.size_z, tiles ? " tiles" : "");
                    });
        return;
      }
      bound[p.tile.level * Terrain::k_tiles + z * terrain.size_x + x] = true;
      if (tile->absent)
        absent.add([&] { return path(".tile"); },
                   [&] { return text("the polygon is bound to tile ", x, ", ", z, ", which is absent"); });
      else if (m.is_primary && is_floor_of_tile(p.positions, x, z))
        for (const Position& v : p.positions)
          if (const i32 off = floor_height_error(v, *tile, x, z)) {
            drift.add([&] { return path(".positions"); },
                      [&] {
                        return text("a vertex is ", format_count(u64(std::abs(off)), "unit"),
                                    off < 0 ? " above" : " below", " the ground of tile ", x, ", ", z);
                      });
            break;
          }
    });
    if (m.is_primary) for_each_untextured_polygon(m, check_vertices);
  }
  if (!meshes.empty() && tiles <= Terrain::k_tiles)  // otherwise the levels share tiles
    for (size_t i = 0; i < tiles; ++i)
      if (const TerrainTile& t = terrain.levels[1][i]; !t.absent && !t.untargetable && !bound[Terrain::k_tiles + i])
        hole.add([&] { return text("terrain.levels[1][", i, "]"); },
                 [&] {
                   return text("tile ", i % terrain.size_x, ", ", i / terrain.size_x,
                               " of the upper level can be entered but has no polygons");
                 });
  outside.report(warning, r, "fft.vertex-range");
  unbound.report(
      warning, r, "fft.tile-binding",
      tiles ? "bind the polygon to a tile of the terrain, or to no tile (255, 127)"
            : "add tiles to the terrain with {edit FILE resize-terrain}, or bind the polygon to no tile (255, 127)");
  drift.report(hint, r, "fft.terrain-fit");
  absent.report(warning, r, "fft.terrain-hole", "bind the polygon to another tile, or to no tile (255, 127)");
  hole.report(warning, r, "fft.terrain-hole", "bind polygons to the tile, or make the tile absent");
}

constinit const Topic k_place_checks{k_place_rules, check_file_placement};

}  // namespace dio::fft
