// places.cpp: polygons and the terrain: whether they are where one walks.
#include "formats/fft/check/checks.hpp"
#include "formats/fft/scene/slopes.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_place_rules[] = {
    {"fft.vertex-range", warning, "polygons of the primary mesh lie at most 10 tiles beside the terrain",
     "The camera of a battle does not get there. Mostly a number has lost its sign or has a digit too many.",
     "specification 5, vertex-range: own"},
    {"fft.tile-binding", warning, "a polygon belongs to a tile of the terrain, or to none: x 255, z 127",
     "It is coloured with its tile; this one never is. Eight arrangements of the game have such polygons.",
     "specification 5, tile-binding: 1,575 real files"},
    {"fft.terrain-fit", hint, "the floor of a tile lies where one walks: 12 units a step",
     "Units stand above the ground or in it. Where ground was meant to be uneven, it is meant.",
     "specification 5, terrain-fit: 1,575 real files"},
    {"fft.terrain-hole", warning,
     "a tile that can be entered on the upper level has polygons, and one that is absent none",
     "Units stand in the air; polygons of a tile that is not there are never coloured.",
     "specification 5, terrain-hole: own"},
};

constexpr i32 k_margin = 10 * k_tile_units;

bool is_outside(i32 at, u8 tiles) { return at < -k_margin || at > k_tile_units * tiles + k_margin; }

/// Whether a polygon is a floor of the tile at (x, z): seen from above, and not beside it.
template <size_t N>
bool is_floor(const std::array<Position, N>& p, u32 x, u32 z) {
  if (face_of(p)[1] >= 0) return false;
  return std::ranges::all_of(p, [&](const Position& v) {
    const i32 dx = v.x - k_tile_units * i32(x), dz = v.z - k_tile_units * i32(z);
    return dx >= 0 && dx <= k_tile_units && dz >= 0 && dz <= k_tile_units;
  });
}
/// How far the corner of a floor is from that of its tile; of a liquid its surface counts as well. 0 where it is none
/// of the tile's corners.
i32 drift_of(const Position& v, const TerrainTile& t, u32 x, u32 z) {
  for (const auto& at : corner_positions(t, x, z))
    if (at[0] == v.x && at[2] == v.z) {
      const i32 to_ground = v.y - at[1], to_surface = to_ground + k_step_units * t.depth;
      return std::abs(to_surface) < std::abs(to_ground) ? to_surface : to_ground;
    }
  return 0;
}

void check_file(MeshCheck& c) {
  if (c.mesh.terrain) check_places(c, meshes_of(c.mesh), *c.mesh.terrain);
}

}  // namespace

void check_places(Reporter& r, std::span<const NamedMesh> meshes, const Terrain& terrain) {
  Tally outside, unbound, drift, absent, hole;
  std::array<bool, Terrain::k_levels * Terrain::k_tiles> bound{};
  const auto check_vertices = [&](const auto& p, auto path) {
    for (size_t i = 0; i < p.positions.size(); ++i) {
      const Position& v = p.positions[i];
      if (is_outside(v.x, terrain.size_x) || is_outside(v.z, terrain.size_z)) {
        outside.add([&] { return path(".positions[", i, "]"); }, [&] { return text(v.x, ", ", v.y, ", ", v.z); });
        break;
      }
    }
  };
  for (const NamedMesh& m : meshes) {
    each_textured(m, [&](const auto& p, auto path) {
      if (m.is_primary) check_vertices(p, path);
      if (p.tile.is_none()) return;
      const u32 x = p.tile.x, z = p.tile.z;
      const TerrainTile* tile = Terrain::tile(terrain, p.tile.level, x, z);
      if (!tile) {
        unbound.add([&] { return path(".tile"); }, [&] { return text("tile ", x, ", ", z); });
        return;
      }
      bound[p.tile.level * Terrain::k_tiles + z * terrain.size_x + x] = true;
      if (tile->absent)
        absent.add([&] { return path(".tile"); },
                   [&] { return text("a polygon of tile ", x, ", ", z, ", which is absent"); });
      else if (m.is_primary && is_floor(p.positions, x, z))
        for (const Position& v : p.positions)
          if (const i32 off = drift_of(v, *tile, x, z)) {
            drift.add([&] { return path(".positions"); },
                      [&] {
                        return text("a corner ", std::abs(off), " units ", off < 0 ? "above" : "below", " tile ", x,
                                    ", ", z);
                      });
            break;
          }
    });
    if (m.is_primary) each_untextured(m, check_vertices);
  }
  const size_t tiles = size_t(terrain.size_x) * terrain.size_z;
  if (!meshes.empty() && tiles <= Terrain::k_tiles)  // else the levels share tiles
    for (size_t i = 0; i < tiles; ++i)
      if (const TerrainTile& t = terrain.levels[1][i]; !t.absent && !t.untargetable && !bound[Terrain::k_tiles + i])
        hole.add([&] { return text("terrain.levels[1][", i, "]"); },
                 [&] { return text("tile ", i % terrain.size_x, ", ", i / terrain.size_x, " without polygons"); });
  outside.report(warning, r, "fft.vertex-range", {.expected = "at most 10 tiles beside the terrain"});
  unbound.report(warning, r, "fft.tile-binding",
                 {.expected = text("a tile of the ", terrain.size_x, " x ", terrain.size_z, ", or none: 255, 127")});
  drift.report(hint, r, "fft.terrain-fit", {.expected = "the height that the terrain says"});
  absent.report(warning, r, "fft.terrain-hole", {.expected = "a tile that is there, or none: 255, 127"});
  hole.report(warning, r, "fft.terrain-hole", {.expected = "polygons of the tile, or the tile absent"});
}

constinit const Topic k_place_checks{k_place_rules, check_file};

}  // namespace dio::fft
