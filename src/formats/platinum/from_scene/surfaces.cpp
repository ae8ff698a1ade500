#include "formats/platinum/from_scene/surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "scene/extras.hpp"
#include "scene/node_name_suffixes.hpp"
#include "scene/transforms.hpp"
#include "scene/triangle_indices.hpp"

namespace dio::platinum {

using scene::Index;
using scene::k_none;

namespace {

constexpr f64 k_floor = 0.5;  // the y of the normal of the steepest floor
constexpr f64 k_wall_from = 6, k_wall_to = 30,
              k_wall_inset = 3;  // units: the part of a wall that blocks a person in a tile

/// The behaviour that a material is named after, whatever its case: Tall Grass.001.
std::optional<u8> parse_behavior_in_name(std::string_view name) {
  std::string plain = lower_case(name.substr(0, name.rfind('.')));
  for (char& c : plain)
    if (c == '_' || c == '-') c = ' ';
  return find_behavior_by_name(plain);
}

void read_surface_extras(const Value& extras, SurfaceKind& kind, bool& has_ground) {
  if (!kind.behavior) {
    if (const auto number = scene::read_number_extra(extras, "behavior"); number && *number >= 0 && *number <= 255)
      kind.behavior = u8(*number);
    else if (const auto name = scene::read_text_extra(extras, "behavior"))
      kind.behavior = find_behavior_by_name(lower_case(*name));
  }
  if (!kind.collision) kind.collision = scene::read_flag_extra(extras, "collision");
  if (const auto ground = scene::read_flag_extra(extras, "ground"); ground && !has_ground)
    kind.is_ground = *ground, has_ground = true;
}

SurfaceKind find_surface_kind(const scene::Scene& s, Index node, Index material) {
  SurfaceKind kind;
  bool has_ground = false;
  if (material != k_none) {
    read_surface_extras(s.materials[material].extras, kind, has_ground);
    if (!kind.behavior) kind.behavior = parse_behavior_in_name(s.materials[material].name);
  }
  for (Index i = node; i != k_none; i = s.nodes[i].parent) read_surface_extras(s.nodes[i].extras, kind, has_ground);
  return kind;
}

}  // namespace

SurfaceKind find_node_surface_kind(const scene::Scene& s, Index node) { return find_surface_kind(s, node, k_none); }

namespace {

bool is_navmesh_node(const scene::Scene& s, const scene::Node& n) {
  return scene::node_mark_kind(s, n) == "navmesh" || scene::read_text_extra(n.extras, "kind") == "platinum.heights";
}

}  // namespace

Surfaces collect_surfaces(const scene::Scene& s, f64 units, const std::vector<bool>& left_out) {
  Surfaces out;
  out.has_own_floor =
      std::ranges::any_of(s.nodes, [&](const scene::Node& n) { return n.mesh != k_none && is_navmesh_node(s, n); });
  const auto places = scene::world_transforms(s);
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const scene::Node& n = s.nodes[i];
    if (n.mesh == k_none) continue;
    const bool is_floor = is_navmesh_node(s, n), is_collider = scene::node_mark_kind(s, n) == "collider";
    if (left_out[i] && !is_floor && !is_collider) continue;
    const bool mirrored = scene::determinant(places[i].linear) < 0;
    const size_t first_wall = out.walls.size();
    const f64 lift =
        is_floor ? scene::read_number_extra(n.extras, "lift").value_or(0) : 0;  // offset of overlays in worlds
    for (const scene::Primitive& p : s.meshes[n.mesh].primitives) {
      const SurfaceKind kind = find_surface_kind(s, i, p.material);
      auto known = std::ranges::find(out.kinds, kind);
      if (known == out.kinds.end()) known = out.kinds.insert(out.kinds.end(), kind);
      const u32 number = u32(known - out.kinds.begin());
      const std::vector<Index> corners = scene::triangle_indices(p);
      for (size_t c = 0; c + 2 < corners.size(); c += 3) {
        SurfaceTriangle t{.corners = {}, .normal = {}, .kind = number};
        for (size_t k = 0; k < 3; ++k) {
          const scene::Vec3& at = p.positions[corners[c + (mirrored ? (3 - k) % 3 : k)]];
          t.corners[k] = places[i] * Point{at[0], at[1], at[2]};
          for (f64& x : t.corners[k]) x *= units;
          t.corners[k][1] -= lift;
        }
        const auto edge = [&](size_t k) {
          return Point{t.corners[k][0] - t.corners[0][0], t.corners[k][1] - t.corners[0][1],
                       t.corners[k][2] - t.corners[0][2]};
        };
        const Point across = scene::cross(edge(1), edge(2));
        if (!(scene::length(across) > 1e-6)) continue;
        t.normal = scene::unit(across);
        const bool is_flat = t.normal[1] >= k_floor;
        if (t.normal[1] <= -k_floor) out.ceilings.push_back(t);
        if (is_flat && (kind.behavior || kind.collision)) out.painted.push_back(t);
        if (is_floor || (!out.has_own_floor && is_flat && kind.is_ground && !is_collider)) {
          if (is_flat) out.floors.push_back(t);
        } else if (is_collider || (std::fabs(t.normal[1]) < k_floor && kind.collision != false)) {
          out.walls.push_back(t);
        }
      }
    }
    if (!is_collider) continue;
    f64 lowest = 1e30;
    for (size_t w = first_wall; w < out.walls.size(); ++w)
      for (const Point& p : out.walls[w].corners) lowest = std::min(lowest, p[1]);
    for (size_t w = first_wall; w < out.walls.size(); ++w) out.walls[w].base = lowest;
  }
  return out;
}

// ---- heights ----

namespace {

using scene::covers_point;
using scene::plane_height_at;

}  // namespace

std::vector<size_t> find_open_floors(std::span<const FloorIndex::Hit> over, std::span<const FloorIndex::Hit> ceilings) {
  return scene::find_open_floors(over, ceilings, {.least = k_blocking_step / 4096.0});
}

namespace {

/// Floors, and the data that decides which of them are open.
struct Floors {
  std::span<const SurfaceTriangle> floors;
  FloorIndex index, ceilings;
  bool all_open;                        // floors are explicit
  std::span<const TileRow> tiles = {};  // tiles of one map, if known
  Floors(std::span<const SurfaceTriangle> f, std::span<const SurfaceTriangle> c, bool all, const TileArea& area)
      : floors(f), index(f, area), ceilings(c, area), all_open(all) {}
  std::vector<FloorIndex::Hit> find_open_floors_at(f64 x, f64 z) const {
    const auto all = index.find_heights_at(x, z);
    std::vector<FloorIndex::Hit> out;
    for (const size_t i : select_open_floors(all, x, z)) out.push_back(all[i]);
    return out;
  }
  /// The open floors over a point.
  std::vector<size_t> select_open_floors(std::span<const FloorIndex::Hit> all, f64 x, f64 z) const {
    if (!all_open && !all.empty() && is_blocked_at(x, z)) return {0};
    if (!all_open) return find_open_floors(all, ceilings.find_heights_at(x, z));
    std::vector<size_t> out(all.size());
    for (size_t i = 0; i < out.size(); ++i) out[i] = i;
    return out;
  }
  bool is_blocked_at(f64 x, f64 z) const {
    const TileArea one;
    const i64 column = one.column(x), row = one.row(z);
    return row >= 0 && column >= 0 && row < std::ssize(tiles) && column < i64(k_tiles) &&
           is_blocked(tiles[size_t(row)][size_t(column)]);
  }
  bool is_open_floor_at(f64 x, f64 z, f64 height) const {
    const auto open = find_open_floors_at(x, z);
    return std::ranges::any_of(open, [&](const FloorIndex::Hit& h) { return std::fabs(h.height - height) < 0.25; });
  }
  /// The open floor over a point that is nearest to a height.
  std::optional<f64> nearest_open_floor(f64 x, f64 z, f64 to) const {
    std::optional<f64> best;
    for (const auto& hit : find_open_floors_at(x, z))
      if (!best || std::fabs(hit.height - to) < std::fabs(*best - to)) best = hit.height;
    return best;
  }
};

struct Plane {
  Point normal;
  f64 distance;
  std::vector<u32> triangles;
  bool is_coplanar(const SurfaceTriangle& t) const {
    if (scene::dot(normal, t.normal) < 0.9999) return false;
    return std::ranges::all_of(t.corners,
                               [&](const Point& p) { return std::fabs(scene::dot(normal, p) - distance) < 0.1; });
  }
};

/// Merges grid lines closer than a sixteenth of a unit.
std::vector<f64> merge_grid_lines(std::vector<f64> all) {
  sort_stably(all);
  std::vector<f64> out;
  for (const f64 x : all)
    if (x >= -k_half_map && x <= k_half_map && (out.empty() || x - out.back() > 1.0 / 16)) out.push_back(x);
  return out;
}

}  // namespace

std::vector<Rectangle> cover_with_rectangles(std::vector<bool>& set, size_t width, size_t height) {
  std::vector<Rectangle> out;
  for (size_t z = 0; z < height; ++z)
    for (size_t x = 0; x < width; ++x) {
      if (!set[z * width + x]) continue;
      size_t east = x;
      while (east < width && set[z * width + east]) ++east;
      size_t south = z;
      const auto row_is_set = [&](size_t row) {
        for (size_t k = x; k < east; ++k)
          if (!set[row * width + k]) return false;
        return true;
      };
      while (south < height && row_is_set(south)) ++south;
      for (size_t row = z; row < south; ++row)
        for (size_t k = x; k < east; ++k) set[row * width + k] = false;
      out.push_back({x, east, z, south});
    }
  return out;
}

namespace {

std::optional<PlateShape> make_plate_over(f64 west, f64 east, f64 north, f64 south,
                                          const std::function<f64(f64, f64)>& height) {
  const auto x0 = to_fx32(west), x1 = to_fx32(east), z0 = to_fx32(north), z1 = to_fx32(south);
  if (!x0 || !x1 || !z0 || !z1) return {};
  return make_plate_through({*x0, *z0}, {*x1, *z1}, height(west, north), height(east, north), height(west, south));
}

bool is_slanted(const Point& a, const Point& b) { return std::fabs(a[0] - b[0]) > 0.1 && std::fabs(a[2] - b[2]) > 0.1; }
/// Adds lines at half tiles between two coordinates.
void add_half_tile_lines(f64 low, f64 high, std::vector<f64>& to) {
  constexpr f64 k_half = k_tile_units / 2.0;
  for (f64 at = std::max(std::ceil(low / k_half) * k_half, -f64(k_half_map)); at < std::min<f64>(high, k_half_map);
       at += k_half)
    to.push_back(at);
}

/// For each plane, the indices of floors above it that hide it.
std::vector<std::vector<u32>> find_hiding_floors(const std::vector<Plane>& planes, const Floors& ground) {
  std::vector<std::vector<u32>> out(planes.size());
  if (ground.all_open) return out;
  std::vector<u32> plane_of(ground.floors.size());
  for (u32 p = 0; p < planes.size(); ++p)
    for (const u32 i : planes[p].triangles) plane_of[i] = p;
  for (u32 i = 0; i < ground.floors.size(); ++i) {
    const auto& corners = ground.floors[i].corners;
    const auto middle = [&](size_t axis) { return (corners[0][axis] + corners[1][axis] + corners[2][axis]) / 3; };
    std::vector<std::array<f64, 2>> samples{{middle(0), middle(2)}};
    for (const Point& p : corners)
      samples.push_back({middle(0) + 0.95 * (p[0] - middle(0)), middle(2) + 0.95 * (p[2] - middle(2))});
    for (const auto& [x, z] : samples) {
      const auto all = ground.index.find_heights_at(x, z);
      if (all.size() < 2) continue;
      const auto open = ground.select_open_floors(all, x, z);
      const f64 height = plane_height_at(ground.floors[i], x, z);
      for (size_t h = 0; h < all.size(); ++h)
        if (all[h].height < height - 1 && std::ranges::find(open, h) == open.end()) {
          auto& list = out[plane_of[all[h].triangle]];
          if (list.empty() || list.back() != i) list.push_back(i);
        }
    }
  }
  return out;
}
/// Adds the outlines of the hidden parts of a plane.
void add_hiding_lines(std::span<const u32> hiders, const Floors& ground, std::vector<f64>& xs, std::vector<f64>& zs) {
  for (const u32 i : hiders)
    for (size_t k = 0; k < 3; ++k) {
      const Point &a = ground.floors[i].corners[k], &b = ground.floors[i].corners[(k + 1) % 3];
      xs.push_back(a[0]), zs.push_back(a[2]);
      if (!is_slanted(a, b)) continue;
      const auto is_inner = std::ranges::any_of(hiders, [&](u32 other) {
        const SurfaceTriangle& o = ground.floors[other];
        for (size_t m = 0; m < 3; ++m)
          if (o.corners[m] == b && o.corners[(m + 1) % 3] == a) return true;
        return false;
      });
      if (is_inner) continue;
      add_half_tile_lines(std::min(a[0], b[0]), std::max(a[0], b[0]), xs);
      add_half_tile_lines(std::min(a[2], b[2]), std::max(a[2], b[2]), zs);
    }
}

void add_plates_of_plane(const Plane& plane, const Floors& ground, std::span<const u32> hiders,
                         std::vector<PlateShape>& out) {
  const auto& floors = ground.floors;
  std::vector<f64> xs, zs;
  bool is_square = true;
  for (const u32 i : plane.triangles)
    for (size_t k = 0; k < 3; ++k) {
      const Point &a = floors[i].corners[k], &b = floors[i].corners[(k + 1) % 3];
      xs.push_back(a[0]), zs.push_back(a[2]);
      // Edges inside the plane may be slanted and do not matter, but detecting them is not worth it.
      const auto is_shared = [&] {
        for (const u32 j : plane.triangles)
          for (size_t m = 0; m < 3; ++m)
            if (j != i && floors[j].corners[m] == b && floors[j].corners[(m + 1) % 3] == a) return true;
        return false;
      };
      if (is_square && is_slanted(a, b) && !is_shared()) is_square = false;
    }
  add_hiding_lines(hiders, ground, xs, zs);
  if (!is_square) {
    const auto [west, east] = std::ranges::minmax(xs);
    const auto [north, south] = std::ranges::minmax(zs);
    add_half_tile_lines(west, east, xs);
    add_half_tile_lines(north, south, zs);
    xs.insert(xs.end(), {-f64(k_half_map), f64(k_half_map)});
    zs.insert(zs.end(), {-f64(k_half_map), f64(k_half_map)});
  } else {
    for (std::vector<f64>* all : {&xs, &zs})  // plates end at the edge of the map
      for (f64& x : *all) x = std::clamp(x, -f64(k_half_map), f64(k_half_map));
  }
  xs = merge_grid_lines(std::move(xs)), zs = merge_grid_lines(std::move(zs));
  if (xs.size() < 2 || zs.size() < 2) return;
  const size_t width = xs.size() - 1, height = zs.size() - 1;
  std::vector<bool> set(width * height);
  for (const u32 i : plane.triangles) {
    const auto [west, east] = scene::triangle_extent(floors[i], 0);
    const auto [north, south] = scene::triangle_extent(floors[i], 2);
    for (size_t z = 0; z < height; ++z) {
      const f64 middle_z = (zs[z] + zs[z + 1]) / 2;
      if (middle_z < north || middle_z > south) continue;
      for (size_t x = 0; x < width; ++x)
        if (const f64 middle = (xs[x] + xs[x + 1]) / 2;
            middle >= west && middle <= east && !set[z * width + x] && covers_point(floors[i], middle, middle_z))
          set[z * width + x] =
              hiders.empty() || ground.is_open_floor_at(middle, middle_z, plane_height_at(floors[i], middle, middle_z));
    }
  }
  const SurfaceTriangle& first = floors[plane.triangles[0]];
  for (const Rectangle& r : cover_with_rectangles(set, width, height))
    if (const auto plate = make_plate_over(xs[r.west], xs[r.east], zs[r.north], zs[r.south],
                                           [&](f64 x, f64 z) { return plane_height_at(first, x, z); }))
      out.push_back(*plate);
}

/// One plate per tile with a floor, through the lowest floor at its middle.
std::vector<PlateShape> build_tile_plates(const Floors& ground) {
  std::vector<PlateShape> out;
  for (u32 row = 0; row < k_tiles; ++row)
    for (u32 column = 0; column < k_tiles; ++column) {
      const f64 west = f64(column) * k_tile_units - k_half_map, north = f64(row) * k_tile_units - k_half_map;
      const f64 half = k_tile_units / 2.0, x = west + half, z = north + half;
      const auto middle = ground.find_open_floors_at(x, z);
      if (middle.empty()) continue;
      const f64 level = middle.front().height;
      const auto near = [&](f64 at_x, f64 at_z) {
        return ground.nearest_open_floor(at_x, at_z, level).value_or(level);
      };
      const f64 slope_x = (near(x + half * 0.9, z) - near(x - half * 0.9, z)) / (2 * half * 0.9);
      const f64 slope_z = (near(x, z + half * 0.9) - near(x, z - half * 0.9)) / (2 * half * 0.9);
      const auto plate =
          make_plate_over(west, west + k_tile_units, north, north + k_tile_units,
                          [&](f64 at_x, f64 at_z) { return level + slope_x * (at_x - x) + slope_z * (at_z - z); });
      if (plate) out.push_back(*plate);
    }
  return out;
}

}  // namespace

std::vector<PlateShape> build_plates(std::span<const SurfaceTriangle> floors, std::span<const SurfaceTriangle> ceilings,
                                     bool all_open, std::span<const TileRow> tiles, size_t most) {
  Floors ground(floors, ceilings, all_open, {});
  ground.tiles = tiles;
  std::vector<Plane> planes;
  for (u32 i = 0; i < floors.size(); ++i) {
    const auto known = std::ranges::find_if(planes, [&](const Plane& p) { return p.is_coplanar(floors[i]); });
    if (known != planes.end()) {
      known->triangles.push_back(i);
      continue;
    }
    if (planes.size() >= most) return build_tile_plates(ground);
    planes.push_back({floors[i].normal, scene::dot(floors[i].normal, floors[i].corners[0]), {i}});
  }
  const auto hiders = find_hiding_floors(planes, ground);
  std::vector<PlateShape> out;
  for (size_t p = 0; p < planes.size(); ++p) {
    add_plates_of_plane(planes[p], ground, hiders[p], out);
    if (out.size() > most) return build_tile_plates(ground);
  }
  return out;
}

// ---- tiles ----

namespace {

/// Whether an edge of a triangle, seen from above, crosses a square.
bool edge_crosses_square(const SurfaceTriangle& t, f64 west, f64 east, f64 north, f64 south) {
  for (size_t k = 0; k < 3; ++k) {
    const Point &a = t.corners[k], &b = t.corners[(k + 1) % 3];
    f64 from = 0, to = 1;  // the part of the edge within it
    const auto clip_to_range = [&](f64 start, f64 way, f64 low, f64 high) {
      if (std::fabs(way) < 1e-9) {
        if (start < low || start > high) to = -1;
        return;
      }
      const f64 one = (low - start) / way, two = (high - start) / way;
      from = std::max(from, std::min(one, two)), to = std::min(to, std::max(one, two));
    };
    clip_to_range(a[0], b[0] - a[0], west, east);
    clip_to_range(a[2], b[2] - a[2], north, south);
    if (from <= to) return true;
  }
  return false;
}

}  // namespace

std::vector<u16> compute_tile_attributes(const Surfaces& s, const TileArea& area) {
  constexpr f64 k_onto = 10;  // units: the greatest step onto an object on the ground
  const size_t count = area.count(), across = area.across;
  const Floors ground(s.floors, s.ceilings, s.has_own_floor, area);
  const FloorIndex painted(s.painted, area);
  const auto walls = scene::bin_triangles(s.walls, area.cells());
  std::vector<f64> level(count);
  std::vector<bool> blocked(count), on_another(count);  // `on_another`: something is below its floor
  for (size_t tile = 0; tile < count; ++tile) {
    const f64 west = area.west + f64(tile % across) * k_tile_units,
              north = area.north + f64(tile / across) * k_tile_units;
    const f64 x = west + k_tile_units / 2.0, z = north + k_tile_units / 2.0;
    const auto over = ground.index.find_heights_at(x, z), open = ground.find_open_floors_at(x, z);
    blocked[tile] = open.empty();
    if (open.empty()) continue;
    level[tile] = open.front().height;  // the lowest: under a bridge
    on_another[tile] = level[tile] - over.front().height > 1;
    for (const u32 i : walls[tile]) {
      const auto [corner, high] = scene::triangle_extent(s.walls[i], 1);
      const f64 low = std::min(corner, s.walls[i].base);
      if (high < level[tile] + k_wall_from || low > level[tile] + k_wall_to) continue;
      const bool is_across = std::fabs(s.walls[i].normal[1]) > 0.05 && covers_point(s.walls[i], x, z);
      if (is_across || edge_crosses_square(s.walls[i], west + k_wall_inset, west + k_tile_units - k_wall_inset,
                                           north + k_wall_inset, north + k_tile_units - k_wall_inset))
        blocked[tile] = true;
    }
  }
  // The step height where two tiles meet.
  const auto height_step_at_border = [&](size_t from, size_t to) {
    const auto floor_height_at_border = [&](size_t tile, size_t other) {
      constexpr f64 k_near = k_tile_units / 2.0 - 0.5;
      const f64 x = area.west + (f64(tile % across) + 0.5) * k_tile_units,
                z = area.north + (f64(tile / across) + 0.5) * k_tile_units;
      const f64 dx = f64(other % across) - f64(tile % across), dz = f64(other / across) - f64(tile / across);
      return ground.nearest_open_floor(x + dx * k_near, z + dz * k_near, level[tile]).value_or(level[tile]);
    };
    return std::fabs(floor_height_at_border(from, to) - floor_height_at_border(to, from));
  };
  // Find isolated parts on top of something else, such as roofs and tree crowns.
  std::vector<bool> seen(count);
  for (size_t start = 0; start < count; ++start) {
    if (seen[start] || blocked[start]) continue;
    std::vector<size_t> part{start};
    seen[start] = true;
    bool stands = true;
    for (size_t i = 0; i < part.size(); ++i) {
      stands = stands && on_another[part[i]];
      const size_t x = part[i] % across, z = part[i] / across;
      const auto visit_neighbor = [&](bool there, size_t next) {
        if (!there || seen[next] || blocked[next] || std::fabs(level[next] - level[part[i]]) * 4096 >= k_blocking_step)
          return;
        if (on_another[next] != on_another[part[i]] && height_step_at_border(part[i], next) > k_onto) return;
        seen[next] = true;
        part.push_back(next);
      };
      visit_neighbor(x > 0, part[i] - 1), visit_neighbor(x + 1 < across, part[i] + 1),
          visit_neighbor(z > 0, part[i] - across), visit_neighbor(z + 1 < area.down, part[i] + across);
    }
    if (stands)
      for (const size_t tile : part) blocked[tile] = true;
  }
  std::vector<u16> tiles(count);
  for (size_t tile = 0; tile < count; ++tile) {
    u16& out = tiles[tile];
    const f64 x = area.west + (f64(tile % across) + 0.5) * k_tile_units,
              z = area.north + (f64(tile / across) + 0.5) * k_tile_units;
    bool is_blocked = blocked[tile];
    auto on_top = painted.find_heights_at(x, z);
    std::erase_if(on_top, [&](const FloorIndex::Hit& h) { return h.height < level[tile] - k_onto && !blocked[tile]; });
    if (!on_top.empty()) {
      const SurfaceKind& kind = s.kinds[s.painted[on_top.back().triangle].kind];
      if (kind.behavior) out = *kind.behavior;
      is_blocked = kind.collision.value_or(is_blocked);
    }
    if (is_blocked) out |= k_collision;
  }
  return tiles;
}

}  // namespace dio::platinum
