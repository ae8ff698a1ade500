#include "formats/fft/make/terrain_builder.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "formats/fft/make/hidden_faces.hpp"
#include "formats/fft/scene/slopes.hpp"
#include "scene/height_index.hpp"

namespace dio::fft {

namespace {

/// A face as the index of heights needs it.
struct GroundTriangle {
  std::array<Point, 3> corners;
  Point normal;
  u32 kind;
};
using Ground = scene::HeightIndex<GroundTriangle>;

std::vector<GroundTriangle> collect_ground(const SceneFaces& s, auto&& counts) {
  std::vector<GroundTriangle> out;
  for (const Face& f : s.faces) {
    const Point normal = face_normal(f.corners);
    if (!counts(s.kinds[f.kind], normal[1])) continue;
    for (size_t i = 1; i + 1 < f.corners.size(); ++i)
      out.push_back({{f.corners[0].position, f.corners[i].position, f.corners[i + 1].position}, normal, f.kind});
  }
  return out;
}

bool is_floor(const FaceKind& kind, f64 up) { return kind.is_floor && up >= k_floor_slope; }

/// The slope of the game that is nearest to the heights of four corners, in the order of k_corners.
struct FittedTile {
  i32 height = 0, slope_height = 0;
  u8 slope = 0;
  f64 error = 0;  // units: the largest distance of a corner
};
FittedTile fit_slope(const std::array<f64, 4>& corners) {
  constexpr i32 k_most_slope = 31, k_most_height = 255;
  FittedTile best;
  f64 least = HUGE_VAL;
  for (u8 raised = 0; raised < k_all_corners; ++raised) {
    const u8 slope = slope_of_corners(raised);
    if (raised_corners(slope) != raised) continue;
    f64 low = 0, high = 0;
    int lows = 0, highs = 0;
    for (size_t i = 0; i < 4; ++i)
      if (raised & k_corners[i])
        high += corners[i], ++highs;
      else
        low += corners[i], ++lows;
    const i32 height = i32(std::clamp(std::round(low / lows / k_step_units), 0.0, f64(k_most_height)));
    const i32 rise =
        highs ? i32(std::clamp(std::round(high / highs / k_step_units) - height, 0.0, f64(k_most_slope))) : 0;
    if (highs && rise == 0) continue;
    f64 squares = 0, farthest = 0;
    for (size_t i = 0; i < 4; ++i) {
      const f64 away = corners[i] - k_step_units * (height + (raised & k_corners[i] ? rise : 0));
      squares += away * away;
      farthest = std::max(farthest, std::fabs(away));
    }
    if (squares < least - 1e-6) least = squares, best = {height, rise, slope, farthest};
  }
  return best;
}

class TerrainBuilder {
 public:
  TerrainBuilder(const SceneFaces& s, u32 size_x, u32 size_z)
      : s_(s),
        cells_{0, -f64(k_tile_units) * size_z, k_tile_units, size_x, size_z},
        floors_(collect_ground(s, is_floor)),
        undersides_(collect_ground(s, [](const FaceKind& k, f64 up) { return k.is_drawn && up <= -k_floor_slope; })),
        beds_(collect_ground(s,
                             [](const FaceKind& k, f64 up) {
                               return (k.is_floor || k.is_drawn) && up >= k_floor_slope &&
                                      !(k.surface && is_liquid(*k.surface));
                             })),
        over_(floors_, cells_),
        under_(undersides_, cells_),
        bed_(beds_, cells_),
        solid_(s.faces, s.kinds) {
    out_.terrain.size_x = u8(size_x), out_.terrain.size_z = u8(size_z);
    out_.has_floors = !floors_.empty();
  }

  BuiltTerrain build() {
    for (u32 z = 0; z < out_.terrain.size_z; ++z)
      for (u32 x = 0; x < out_.terrain.size_x; ++x) build_tile(x, z);
    return std::move(out_);
  }

 private:
  std::vector<scene::HeightHit> open_floors_at(f64 x, f64 z) const {
    const auto all = over_.find_heights_at(x, z);
    std::vector<scene::HeightHit> out;
    if (s_.has_own_terrain) {
      for (const auto& hit : all)
        if (out.empty() || hit.height - out.back().height > k_same) out.push_back(hit);
      return out;
    }
    const scene::Headroom room{.least = k_headroom_steps * k_step_units - 0.5, .same = k_same};
    // A flat face without an underside, such as the plane of a bridge, covers a floor only inside a closed object. A
    // ramp without sides covers what is below it.
    const auto is_enclosed = [&](const scene::HeightHit& hit) {
      const auto next = std::ranges::find_if(all, [&](const auto& o) { return o.height > hit.height + k_same; });
      constexpr f64 k_flat_deck = 0.98;
      if (next != all.end() && floors_[next->triangle].normal[1] < k_flat_deck) return true;
      return solid_.encloses({x, hit.height + k_step_units / 2.0, z}, false);
    };
    for (const size_t i : scene::find_open_floors(all, under_.find_heights_at(x, z), room, is_enclosed))
      if (out.empty() || all[i].height - out.back().height > k_same) out.push_back(all[i]);
    return out;
  }

  void build_tile(u32 x, u32 z) {
    const f64 middle_x = k_tile_units * (x + 0.5), middle_z = -k_tile_units * (z + 0.5);
    auto hits = open_floors_at(middle_x, middle_z);
    // A bed of a liquid that has an explicit surface above it is not a floor of its own.
    std::vector<scene::HeightHit> floors;
    for (size_t i = 0; i < hits.size(); ++i) {
      const bool is_bed = i + 1 < hits.size() && is_liquid_hit(hits[i + 1]) && !is_liquid_hit(hits[i]) &&
                          !has_underside_between(middle_x, middle_z, hits[i].height, hits[i + 1].height);
      if (!is_bed) floors.push_back(hits[i]);
    }
    for (u32 level = 0; level < Terrain::k_levels; ++level) {
      TerrainTile& tile = *Terrain::tile(out_.terrain, level, x, z);
      tile = {};
      if (level < floors.size())
        fill_tile(tile, floors[level], x, z, level);
      else
        tile.absent = true;
    }
    if (floors.size() > Terrain::k_levels && !out_.hidden_levels++) out_.first_hidden = tile_text(x, z);
  }

  static std::string tile_text(u32 x, u32 z) { return std::to_string(x) + "," + std::to_string(z); }
  const FaceKind& kind_of(const scene::HeightHit& hit) const { return s_.kinds[floors_[hit.triangle].kind]; }
  bool is_liquid_hit(const scene::HeightHit& hit) const {
    const auto& surface = kind_of(hit).surface;
    return surface && is_liquid(*surface);
  }

  /// The heights at the corners of a tile of the face at its middle and its neighbours.
  std::array<f64, 4> corner_heights(u32 x, u32 z, f64 middle, const GroundTriangle& at_middle,
                                    const std::vector<GroundTriangle>& triangles, const Ground& index,
                                    bool only_open) const {
    std::array<f64, 4> out{};
    for (size_t i = 0; i < 4; ++i) {
      const bool east = k_corners[i] & (k_southeast | k_northeast), north = k_corners[i] & (k_northwest | k_northeast);
      const f64 corner_x = k_tile_units * (x + east), corner_z = -k_tile_units * f64(z + north);
      const f64 near_x = corner_x + (east ? -k_inset : k_inset), near_z = corner_z + (north ? k_inset : -k_inset);
      const f64 expected = scene::plane_height_at(at_middle, corner_x, corner_z);
      auto hits = index.find_heights_at(near_x, near_z);
      // The floor of the tile goes on below a thin wall on its edge; otherwise, floors that units can stand on count.
      const bool goes_on = std::ranges::any_of(hits, [&](const scene::HeightHit& hit) {
        return std::fabs(scene::plane_height_at(triangles[hit.triangle], corner_x, corner_z) - expected) < 1;
      });
      if (only_open && !goes_on) hits = open_floors_at(near_x, near_z);
      std::optional<f64> best;
      for (const auto& hit : hits) {
        const f64 height = scene::plane_height_at(triangles[hit.triangle], corner_x, corner_z);
        if (std::fabs(hit.height - middle) > k_reach) continue;
        if (!best || std::fabs(height - expected) < std::fabs(*best - expected)) best = height;
      }
      out[i] = best.value_or(std::clamp(expected, middle - k_reach, middle + k_reach));
    }
    return out;
  }

  void fill_tile(TerrainTile& tile, const scene::HeightHit& hit, u32 x, u32 z, u32 level) {
    const FaceKind& kind = kind_of(hit);
    tile.surface = kind.surface.value_or(0);
    FittedTile fitted;
    if (is_liquid_hit(hit)) {
      fitted = fit_bed(hit, x, z, tile);
    } else {
      fitted = fit_slope(corner_heights(x, z, hit.height, floors_[hit.triangle], floors_, over_, true));
      if (kind.depth) tile.depth = *kind.depth;
    }
    tile.height = u8(fitted.height), tile.slope = fitted.slope, tile.slope_height = u8(fitted.slope_height);
    if (kind.is_walkable == false) tile.untargetable = true;
    if (level) tile.thickness = find_thickness(hit, x, z);
    out_.farthest = std::max(out_.farthest, fitted.error);
    if (fitted.error > k_step_units && !out_.coarse++) out_.first_coarse = tile_text(x, z);
  }

  /// Whether something between two heights is seen from below: an aqueduct, not a pond.
  bool has_underside_between(f64 x, f64 z, f64 low, f64 high) const {
    return std::ranges::any_of(under_.find_heights_at(x, z), [&](const scene::HeightHit& under) {
      return under.height > low + 1 && under.height < high + 1;
    });
  }

  /// The ground under a liquid, and its depth: at most 7 steps, so that a deeper ground is raised and counts as coarse.
  FittedTile fit_bed(const scene::HeightHit& hit, u32 x, u32 z, TerrainTile& tile) const {
    const f64 middle_x = k_tile_units * (x + 0.5), middle_z = -k_tile_units * (z + 0.5);
    const i32 surface = i32(std::round(hit.height / k_step_units));
    const FaceKind& kind = kind_of(hit);
    std::optional<scene::HeightHit> bed;
    for (const auto& below : bed_.find_heights_at(middle_x, middle_z))
      if (below.height < hit.height - 1 && !has_underside_between(middle_x, middle_z, below.height, hit.height))
        bed = below;
    const bool is_deep = bed && hit.height - bed->height > k_most_depth * k_step_units + 0.5;
    if (!bed || is_deep) {
      const i32 wanted = is_deep ? k_most_depth : i32(kind.depth.value_or(1));
      const i32 depth = std::clamp<i32>(wanted, 0, std::min(k_most_depth, std::max(surface, 0)));
      tile.depth = u8(depth);
      FittedTile flat{std::clamp(surface - depth, 0, 255), 0, 0, 0};
      flat.error = is_deep ? k_step_units * flat.height - bed->height
                           : std::fabs(hit.height - k_step_units * (flat.height + depth));
      return flat;
    }
    FittedTile out = fit_slope(corner_heights(x, z, bed->height, beds_[bed->triangle], beds_, bed_, false));
    tile.depth = u8(std::clamp(surface - out.height, 0, k_most_depth));
    return out;
  }

  u8 find_thickness(const scene::HeightHit& hit, u32 x, u32 z) const {
    f64 below = -HUGE_VAL;
    for (const auto& ceiling : under_.find_heights_at(k_tile_units * (x + 0.5), -k_tile_units * (z + 0.5)))
      if (ceiling.height < hit.height + 1) below = std::max(below, ceiling.height);
    return std::isfinite(below) ? u8(std::clamp(std::round((hit.height - below) / k_step_units), 0.0, 31.0)) : u8(0);
  }

  static constexpr f64 k_same = 2, k_inset = 1, k_reach = 4 * k_step_units;
  static constexpr i32 k_most_depth = 7;
  const SceneFaces& s_;
  scene::GroundCells cells_;
  std::vector<GroundTriangle> floors_, undersides_, beds_;
  Ground over_, under_, bed_;
  SolidObjects solid_;
  BuiltTerrain out_;
};

}  // namespace

TileBounds find_floor_bounds(const SceneFaces& s) {
  f64 west = HUGE_VAL, east = -HUGE_VAL, south = HUGE_VAL, north = -HUGE_VAL;
  const auto extend = [&](auto&& counts) {
    for (const Face& f : s.faces) {
      if (!counts(f)) continue;
      for (const FaceVertex& c : f.corners) {
        west = std::min(west, c.position[0]), east = std::max(east, c.position[0]);
        south = std::min(south, -c.position[2]), north = std::max(north, -c.position[2]);
      }
    }
  };
  extend([&](const Face& f) {
    return is_floor(s.kinds[f.kind], face_normal(f.corners)[1]) && s.kinds[f.kind].is_walkable != false;
  });
  const bool has_floors = west <= east;
  // A map without floors has a terrain of absent tiles, below its polygons as far as there is room.
  if (!has_floors) extend([&](const Face& f) { return s.kinds[f.kind].is_drawn; });
  if (west > east) return {};
  // Less than a quarter of a tile beyond a grid line is a rim, not a tile.
  constexpr f64 k_rim = 0.25;
  const auto first = [](f64 low) { return i64(std::floor(std::clamp(low / k_tile_units + k_rim, -1e9, 1e9))); };
  const auto last = [](f64 high) { return i64(std::ceil(std::clamp(high / k_tile_units - k_rim, -1e9, 1e9))); };
  const i64 x = first(west), z = first(south);
  constexpr i64 k_room = 16;
  const i64 most = has_floors ? i64(1) << 40 : k_room;
  return {x, z, std::clamp<i64>(last(east) - x, 1, most), std::clamp<i64>(last(north) - z, 1, most)};
}

void move_to_origin(SceneFaces& s, const TileBounds& bounds) {
  f64 lowest = 0, west = 0, south = 0;
  for (const Face& f : s.faces) {
    const bool is_ground = is_floor(s.kinds[f.kind], face_normal(f.corners)[1]);
    for (const FaceVertex& c : f.corners) {
      if (is_ground) lowest = std::min(lowest, c.position[1]);
      west = std::min(west, c.position[0] + k_tile_units / 4.0),
      south = std::min(south, -c.position[2] + k_tile_units / 4.0);
    }
  }
  const bool moves = bounds.west < 0 || bounds.south < 0 || west < 0 || south < 0;
  const Point by{moves ? -f64(k_tile_units) * f64(bounds.west) : 0,
                 lowest < -1 ? k_step_units * std::ceil(-lowest / k_step_units) : 0,
                 moves ? f64(k_tile_units) * f64(bounds.south) : 0};
  for (Face& f : s.faces)
    for (FaceVertex& c : f.corners)
      for (size_t k = 0; k < 3; ++k) c.position[k] += by[k];
}

BuiltTerrain build_terrain(const SceneFaces& s, u32 size_x, u32 size_z) {
  return TerrainBuilder(s, size_x, size_z).build();
}

namespace {

constexpr TileBinding k_unbound{TileBinding::k_no_z, 0, TileBinding::k_no_x};

/// A tile, and how far the middle of a polygon is from its ground or from the liquid on it.
struct NearTile {
  TileBinding tile = k_unbound;
  f64 away = HUGE_VAL;
};
/// The height of the ground at a place within a tile, in steps.
f64 ground_steps(const std::array<i32, 4>& corners, f64 east, f64 north) {
  return (corners[0] * (1 - east) + corners[1] * east) * (1 - north) +
         (corners[3] * (1 - east) + corners[2] * east) * north;
}
NearTile find_near_tile(const Terrain& t, const std::vector<FaceVertex>& corners) {
  NearTile out;
  if (face_normal(corners)[1] < k_floor_slope) return out;
  Point middle{};
  for (const FaceVertex& c : corners)
    for (size_t k = 0; k < 3; ++k) middle[k] += c.position[k] / f64(corners.size());
  const f64 x = std::floor(middle[0] / k_tile_units), z = std::floor(-middle[2] / k_tile_units);
  if (x < 0 || z < 0 || x >= t.size_x || z >= t.size_z) return out;
  for (u32 level = 0; level < Terrain::k_levels; ++level) {
    const TerrainTile* tile = Terrain::tile(t, level, u32(x), u32(z));
    if (!tile || tile->absent) continue;
    const auto steps = corner_steps(*tile);
    const auto [low, high] = std::ranges::minmax(steps);
    const f64 ground = ground_steps(steps, middle[0] / k_tile_units - x, -middle[2] / k_tile_units - z);
    for (const i32 above : {0, i32(tile->depth)}) {
      if (middle[1] < k_step_units * (low + above - 1.0) || middle[1] > k_step_units * (high + above + 1.0)) continue;
      const f64 away = std::fabs(middle[1] - k_step_units * (ground + above));
      if (away < out.away) out = {{u8(z), u8(level), u8(x)}, away};
    }
  }
  return out;
}

}  // namespace

TileBinding find_tile_of(const Terrain& t, const std::vector<FaceVertex>& corners) {
  return find_near_tile(t, corners).tile;
}

std::vector<TileBinding> bind_to_tiles(const Terrain& t, const std::vector<Face>& faces) {
  std::vector<NearTile> near;
  std::map<std::array<u8, 3>, f64> least;
  const auto key = [](const TileBinding& b) { return std::array{b.z, b.level, b.x}; };
  for (const Face& f : faces) {
    const NearTile& n = near.emplace_back(find_near_tile(t, f.corners));
    const auto [known, is_new] = least.try_emplace(key(n.tile), n.away);
    if (!is_new) known->second = std::min(known->second, n.away);
  }
  constexpr f64 k_same_ground = k_step_units / 3.0;
  std::vector<TileBinding> out;
  for (const NearTile& n : near)
    out.push_back(n.tile.is_none() || n.away > least.at(key(n.tile)) + k_same_ground ? k_unbound : n.tile);
  return out;
}

}  // namespace dio::fft
