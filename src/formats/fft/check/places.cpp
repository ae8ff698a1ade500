// places.cpp: polygons and the terrain: whether they are where units walk.
#include "formats/fft/check/checks.hpp"
#include "formats/fft/scene/slopes.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_place_rules[] = {
    {"fft.vertex-range", warning, "polygons of the primary mesh lie at most 10 tiles outside the terrain",
     "The camera of a battle does not get there. Usually a number has lost its sign or has a digit too many.",
     "Correct the coordinates of the vertex, unless it is scenery on purpose.", "specification 5, vertex-range: own"},
    {"fft.tile-binding", warning, "a polygon is bound to a tile of the terrain, or to none (x 255, z 127)",
     "The game highlights a polygon together with its tile; it never highlights this one. Eight arrangements of the "
     "game have "
     "such polygons.",
     "Bind the polygon to a tile of the terrain, or to none, with `dio edit FILE set-polygons tile=X,Z` or tile=none.",
     "specification 5, tile-binding: 1,575 real files"},
    {"fft.terrain-fit", hint, "the floor of a tile is as high as its terrain, 12 units a step",
     "Units float above the floor or sink into it. Uneven ground may be intended.",
     "Change the height of the tile with `dio edit FILE set-tiles`, or move the vertices of its floor.",
     "specification 5, terrain-fit: 1,575 real files"},
    {"fft.terrain-hole", warning,
     "a tile of the upper level that units can enter has polygons, and an absent tile has none",
     "Units stand in the air; polygons of an absent tile are never highlighted.",
     "Draw a floor for the tile, or make the tile absent; bind polygons of absent tiles to none.",
     "specification 5, terrain-hole: own"},
};

constexpr i32 k_margin = 10 * k_tile_units;

bool is_far_outside_terrain(i32 at, u8 tiles) { return at < -k_margin || at > k_tile_units * tiles + k_margin; }

/// Whether a polygon is a floor of the tile at (x, z): it faces up and does not reach beyond the tile.
template <size_t N>
bool is_floor_of_tile(const std::array<Position, N>& p, u32 x, u32 z) {
  if (unnormalized_face_normal(p)[1] >= 0) return false;
  return std::ranges::all_of(p, [&](const Position& v) {
    const i32 dx = v.x - k_tile_units * i32(x), dz = v.z - k_tile_units * i32(z);
    return dx >= 0 && dx <= k_tile_units && dz >= 0 && dz <= k_tile_units;
  });
}
/// How far, in units, a vertex of a floor is below the corner of its tile, or of the surface of its liquid if that is
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
                                  ", which does not exist; the terrain has ", terrain.size_x, " x ", terrain.size_z,
                                  tiles ? " tiles" : " tiles, so it has none");
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
  if (!meshes.empty() && tiles <= Terrain::k_tiles)  // else the levels share tiles
    for (size_t i = 0; i < tiles; ++i)
      if (const TerrainTile& t = terrain.levels[1][i]; !t.absent && !t.untargetable && !bound[Terrain::k_tiles + i])
        hole.add([&] { return text("terrain.levels[1][", i, "]"); },
                 [&] {
                   return text("tile ", i % terrain.size_x, ", ", i / terrain.size_x,
                               " of the upper level can be entered but has no polygons");
                 });
  outside.report(warning, r, "fft.vertex-range");
  unbound.report(warning, r, "fft.tile-binding",
                 tiles ? "bind the polygon to a tile of the terrain, or to none: 255, 127"
                       : "give the terrain tiles with `dio edit FILE resize-terrain`, or bind the polygon to none: "
                         "255, 127");
  drift.report(hint, r, "fft.terrain-fit");
  absent.report(warning, r, "fft.terrain-hole", "bind the polygon to another tile, or to none: 255, 127");
  hole.report(warning, r, "fft.terrain-hole", "bind polygons to the tile, or make it absent");
}

constinit const Topic k_place_checks{k_place_rules, check_file_placement};

}  // namespace dio::fft
