#include "formats/splashpack/scene/baked_collision.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/sorting.hpp"
#include "formats/splashpack/scene/floor_polygons.hpp"

namespace dio::splashpack {
namespace {

constexpr i64 k_one = 4096;
constexpr size_t k_leaf_size = 16;

i32 saturated(i64 n) { return i32(std::clamp<i64>(n, INT32_MIN, INT32_MAX)); }
i64 floored(i64 n) { return n >> 12; }
i64 raised(i64 n) { return -(-n >> 12); }

struct Leaf {
  TriangleRef ref;
  Bounds bounds;
  i64 center(size_t axis) const { return bounds.low[axis] / 2 + bounds.high[axis] / 2; }
};

/// Adds the node for some of the triangles, with all its descendants, and returns its index.
u16 build_bvh_node(Pack& p, std::span<Leaf> leaves) {
  const size_t index = p.bvh_nodes.size();
  Bounds all;
  for (const Leaf& l : leaves) all.add(l.bounds);
  p.bvh_nodes.push_back({all.to_box(), k_no_index, k_no_index, 0, 0});
  if (leaves.size() <= k_leaf_size) {
    p.bvh_nodes[index].first_ref = u16(p.bvh_refs.size());
    p.bvh_nodes[index].ref_count = u16(leaves.size());
    sort_stably(leaves, [](const Leaf& a, const Leaf& b) { return a.ref < b.ref; });
    for (const Leaf& l : leaves) p.bvh_refs.push_back(l.ref);
    return u16(index);
  }
  Bounds centers;
  for (const Leaf& l : leaves) centers.add(std::array{l.center(0), l.center(1), l.center(2)});
  size_t axis = 0;
  for (size_t i = 1; i < 3; ++i)
    if (centers.high[i] - centers.low[i] > centers.high[axis] - centers.low[axis]) axis = i;
  const auto middle = leaves.begin() + std::ptrdiff_t(leaves.size() / 2);
  // Equal elements keep file order, so that the tree is the same everywhere.
  std::nth_element(leaves.begin(), middle, leaves.end(), [&](const Leaf& a, const Leaf& b) {
    return std::pair(a.center(axis), a.ref) < std::pair(b.center(axis), b.ref);
  });
  const size_t half = leaves.size() / 2;
  const u16 left = build_bvh_node(p, leaves.first(half));
  const u16 right = build_bvh_node(p, leaves.subspan(half));
  p.bvh_nodes[index].left = left;
  p.bvh_nodes[index].right = right;
  return u16(index);
}

// ---- the floor ----

using Point = FloorPoint;
Point point(Vec32 v) { return {v.x.raw, v.y.raw, v.z.raw}; }
f64 cross_xz(const Point& a, const Point& b, const Point& c) { return f64(floor_cross(a, b, c)); }

struct Edge {
  u32 region;
  Point from, to;
};

/// The part of an edge that touches another edge, of a region on the other side.
struct EdgeOverlap {
  Point from, to;
  i64 step;  // difference in height, in the middle
};
constexpr f64 k_near = 2;                     // raw units by which edges may differ and still touch
constexpr u64 k_most_compared = 100'000'000;  // pairs of edges: no real floor needs more
constexpr i64 k_most_step = 64;  // raw units by which floors may differ in height there: more is another storey

/// The part of a that touches b, which runs in the opposite direction.
std::optional<EdgeOverlap> find_edge_overlap(const Edge& a, const Edge& b) {
  const f64 dx = f64(a.to.x - a.from.x), dz = f64(a.to.z - a.from.z), square = dx * dx + dz * dz;
  const f64 length = std::sqrt(square);
  if (std::fabs(cross_xz(a.from, a.to, b.from)) > k_near * length ||
      std::fabs(cross_xz(a.from, a.to, b.to)) > k_near * length)
    return {};
  const auto along = [&](const Point& p) { return (f64(p.x - a.from.x) * dx + f64(p.z - a.from.z) * dz) / square; };
  const f64 b0 = along(b.to), b1 = along(b.from);  // from the start of a to its end
  const f64 t0 = std::max(0.0, b0), t1 = std::min(1.0, b1);
  if (b1 <= b0 || (t1 - t0) * length <= k_near) return {};
  const auto at = [](const Point& p, const Point& q, f64 t) {
    const auto mix = [t](i64 m, i64 n) { return m + i64(std::llround(f64(n - m) * t)); };
    return Point{mix(p.x, q.x), mix(p.y, q.y), mix(p.z, q.z)};
  };
  const Point from = at(a.from, a.to, t0), to = at(a.from, a.to, t1);
  const auto other = [&](f64 t) { return at(b.to, b.from, (t - b0) / (b1 - b0)); };
  const i64 step0 = other(t0).y - from.y, step1 = other(t1).y - to.y;
  if (std::abs(step0) > k_most_step || std::abs(step1) > k_most_step) return {};
  return EdgeOverlap{from, to, (step0 + step1) / 2};
}

bool region_contains(const NavRegion& r, Vec32 p) {
  for (size_t i = 0; i < r.corner_count; ++i) {
    const size_t j = (i + 1) % r.corner_count;
    if (cross_xz({r.xs[i].raw, 0, r.zs[i].raw}, {r.xs[j].raw, 0, r.zs[j].raw}, point(p)) < 0) return false;
  }
  return true;
}
f64 height_at(const NavRegion& r, Vec32 p) {
  return r.plane_a.value() * p.x.raw + r.plane_b.value() * p.z.raw + r.plane_d.raw;
}

}  // namespace

bool uses_object_transform(const Pack& p, const Object& o) {
  constexpr i32 k_nowhere = -16384;
  return u32(p.form) >= k_pages_in_triangles || o.position.x.raw != k_nowhere || o.position.y.raw != k_nowhere ||
         o.position.z.raw != k_nowhere;
}

std::array<i64, 3> transform_vertex_exact(const Object& o, Vec16 v) {
  const auto row = [&](size_t r, fx32 place) {
    const auto entry = [&](size_t c) { return i64(o.rotation[r * 3 + c].raw); };
    return i64(place.raw) * k_one + entry(0) * v.x.raw + entry(1) * v.y.raw + entry(2) * v.z.raw;
  };
  return {row(0, o.position.x), row(1, o.position.y), row(2, o.position.z)};
}

Box Bounds::to_box() const {
  const auto low_of = [&](size_t i) { return fx32{saturated(floored(low[i]))}; };
  const auto high_of = [&](size_t i) { return fx32{saturated(raised(high[i]))}; };
  return {{low_of(0), low_of(1), low_of(2)}, {high_of(0), high_of(1), high_of(2)}};
}

Box compute_object_box(const Object& o) {
  Bounds all;
  for (const Triangle& t : o.triangles)
    for (const Vec16& v : t.positions) all.add(transform_vertex_exact(o, v));
  if (o.triangles.empty()) all.add(transform_vertex_exact(o, {}));
  return all.to_box();
}

Box compute_object_box(const Object& o, const Skin& skin) {
  std::map<u8, Bounds> corners;  // for each bone, in the object's file
  for (size_t t = 0; t < std::min(o.triangles.size(), skin.corner_bones.size()); ++t)
    for (size_t k = 0; k < 3; ++k) {
      const Vec16& v = o.triangles[t].positions[k];
      const u8 bone = skin.corner_bones[t][k];
      corners[bone < skin.bone_count ? bone : 0].add(std::array<i64, 3>{v.x.raw, v.y.raw, v.z.raw});
    }
  Bounds all;
  for (const SkinClip& clip : skin.clips)
    for (size_t first = 0; skin.bone_count && first + skin.bone_count <= clip.frames.size(); first += skin.bone_count)
      for (const auto& [bone, box] : corners) {
        const BoneMatrix& m = clip.frames[first + bone];
        for (u32 corner = 0; corner < 8; ++corner) {
          std::array<i64, 3> p{};
          for (size_t i = 0; i < 3; ++i) p[i] = corner >> i & 1 ? box.high[i] : box.low[i];
          const auto row = [&](size_t r, fx16 place) {
            i64 sum = i64(place.raw) * k_one;
            for (size_t i = 0; i < 3; ++i) sum += m.rotation[r * 3 + i].raw * p[i];
            return fx16{i16(std::clamp<i64>(floored(sum), INT16_MIN, INT16_MAX))};
          };
          all.add(
              transform_vertex_exact(o, {row(0, m.translation.x), row(1, m.translation.y), row(2, m.translation.z)}));
        }
      }
  return all.low[0] > all.high[0] ? compute_object_box(o) : all.to_box();
}

std::map<u16, u16> streamed_triangle_counts(const Pack& p) {
  std::map<u16, u16> counts;
  if (p.stream)
    for (const StreamRef& ref : p.stream->refs)
      if (ref.object < p.objects.size() && p.objects[ref.object].triangles.empty())
        counts.emplace(ref.object, ref.triangle_count);
  return counts;
}

bool build_bvh(Pack& p) {
  p.bvh_nodes.clear();
  p.bvh_refs.clear();
  std::vector<Leaf> leaves;
  const auto streamed = streamed_triangle_counts(p);
  for (size_t o = 0; o < p.objects.size(); ++o) {
    if (p.objects[o].flags & k_skinned) continue;
    const auto elsewhere = streamed.find(u16(o));
    for (u16 t = 0; elsewhere != streamed.end() && t < elsewhere->second; ++t) {
      if (leaves.size() == 0xFFFF) return false;
      leaves.emplace_back(Leaf{{u16(o), t}, {}}).bounds.add(p.objects[o].box);
    }
    for (size_t t = 0; t < p.objects[o].triangles.size(); ++t) {
      if (o > 0xFFFF || t > 0xFFFF || leaves.size() == 0xFFFF) return false;
      Leaf& l = leaves.emplace_back(Leaf{{u16(o), u16(t)}, {}});
      for (const Vec16& v : p.objects[o].triangles[t].positions) l.bounds.add(transform_vertex_exact(p.objects[o], v));
    }
  }
  if (!leaves.empty()) build_bvh_node(p, leaves);
  return true;
}

/// The triangles that have an area from above and are not walls, counterclockwise.
static std::vector<std::array<FloorPoint, 3>> select_walkable(std::span<const NavTriangle> floor, BuiltNavmesh& made) {
  std::vector<std::array<FloorPoint, 3>> out;
  for (const NavTriangle& t : floor) {
    std::array<FloorPoint, 3> c{point(t.positions[0]), point(t.positions[1]), point(t.positions[2])};
    constexpr i64 k_farthest = i64(1) << 29;  // so that products of distances fit in 64 bits
    if (std::ranges::any_of(c,
                            [](const FloorPoint& p) { return std::max(std::abs(p.x), std::abs(p.z)) > k_farthest; })) {
      ++made.far;
      continue;
    }
    const i64 area = floor_cross(c[0], c[1], c[2]);
    if (area == 0) {
      ++made.degenerate;
      continue;
    }
    if (area < 0) std::swap(c[1], c[2]);
    const FloorPlane plane = fit_floor_plane(c);
    // Slopes steeper than 8 to 1 are walls.
    if (std::fabs(plane.a) > 8 * 4096 || std::fabs(plane.b) > 8 * 4096 || std::fabs(plane.d) > f64(INT32_MAX)) {
      ++made.steep;
      continue;
    }
    out.push_back(c);
  }
  return out;
}

/// The index of the smallest box that contains the middle of a triangle; the number of boxes if there is none.
static u32 find_smallest_room(const std::array<FloorPoint, 3>& t, std::span<const Box> rooms) {
  const std::array<i64, 3> middle = {(t[0].x + t[1].x + t[2].x) / 3, (t[0].y + t[1].y + t[2].y) / 3,
                                     (t[0].z + t[1].z + t[2].z) / 3};
  u32 found = u32(rooms.size());
  f64 smallest = INFINITY;
  for (u32 i = 0; i < rooms.size(); ++i) {
    const Box& b = rooms[i];
    const std::array low = {b.min.x.raw, b.min.y.raw, b.min.z.raw}, high = {b.max.x.raw, b.max.y.raw, b.max.z.raw};
    bool is_inside = true;
    f64 volume = 1;
    for (size_t a = 0; a < 3; ++a) {
      is_inside &= middle[a] >= low[a] && middle[a] <= high[a];
      volume *= f64(high[a]) - low[a];
    }
    if (is_inside && volume < smallest) smallest = volume, found = i;
  }
  return found;
}

BuiltNavmesh build_nav_regions(std::span<const NavTriangle> floor, Vec32 start, std::span<const Box> rooms) {
  BuiltNavmesh made;
  Nav nav;
  std::vector<Edge> edges;
  const auto walkable = select_walkable(floor, made);
  std::vector<u32> groups;
  for (const auto& t : walkable) groups.push_back(find_smallest_room(t, rooms));
  for (const FloorPolygon& polygon : merge_floor_triangles(walkable, groups)) {
    const FloorPlane plane = fit_floor_plane(polygon);
    NavRegion r{};
    for (size_t i = 0; i < polygon.size(); ++i) r.xs[i].raw = i32(polygon[i].x), r.zs[i].raw = i32(polygon[i].z);
    r.plane_a.raw = i32(plane.a), r.plane_b.raw = i32(plane.b), r.plane_d.raw = i32(plane.d);
    r.corner_count = u8(polygon.size());
    r.surface = plane.a == 0 && plane.b == 0 ? 0 : 1;
    r.room = k_no_room;
    for (size_t i = 0; i < polygon.size(); ++i)
      edges.push_back({u32(nav.regions.size()), polygon[i], polygon[(i + 1) % polygon.size()]});
    nav.regions.push_back(r);
  }
  if (nav.regions.empty()) return made;
  if (nav.regions.size() >= k_no_index) {
    made.too_many = true;
    return made;
  }
  // Edges that touch have overlapping X ranges: only these are compared.
  std::vector<u32> by_x(edges.size());
  std::iota(by_x.begin(), by_x.end(), 0u);
  const auto low = [&](u32 e) { return std::min(edges[e].from.x, edges[e].to.x); };
  const auto high = [&](u32 e) { return std::max(edges[e].from.x, edges[e].to.x); };
  sort_stably(by_x, [&](u32 a, u32 b) { return std::pair(low(a), a) < std::pair(low(b), b); });
  std::map<u32, std::vector<std::pair<u32, EdgeOverlap>>> portals;  // for each edge: the target and the position
  u64 compared = 0;
  for (size_t i = 0; i < by_x.size() && compared < k_most_compared; ++i)
    for (size_t j = i + 1; j < by_x.size() && low(by_x[j]) <= high(by_x[i]) + i64(k_near); ++j) {
      const u32 a = by_x[i], b = by_x[j];
      ++compared;
      if (edges[a].region == edges[b].region) continue;
      if (const auto t = find_edge_overlap(edges[a], edges[b])) portals[a].push_back({edges[b].region, *t});
      if (const auto t = find_edge_overlap(edges[b], edges[a])) portals[b].push_back({edges[a].region, *t});
    }
  made.too_many = compared >= k_most_compared;
  if (made.too_many) return made;
  for (auto& [edge, list] : portals) {
    sort_stably(list, [](const auto& a, const auto& b) { return a.first < b.first; });
    NavRegion& r = nav.regions[edges[edge].region];
    if (!r.portal_count) r.first_portal = u16(nav.portals.size());
    for (const auto& [region, t] : list) {
      if (nav.portals.size() == 0xFFFF || r.portal_count == 0xFF) {
        made.too_many = true;
        return made;
      }
      ++r.portal_count;
      nav.portals.push_back({fx32{i32(t.from.x)}, fx32{i32(t.from.z)}, fx32{i32(t.to.x)}, fx32{i32(t.to.z)},
                             u16(region), fx16{i16(-t.step)}});
    }
  }
  // The player starts in the region under the start position with the nearest height.
  f64 nearest = INFINITY;
  for (size_t i = 0; i < nav.regions.size(); ++i) {
    if (!region_contains(nav.regions[i], start)) continue;
    const f64 distance = std::fabs(height_at(nav.regions[i], start) - start.y.raw);
    if (distance < nearest) nearest = distance, nav.start_region = u16(i);
  }
  made.nav = std::move(nav);
  return made;
}

bool add_derived_sections(Pack& p, f64 scaling) {
  const auto streamed = streamed_triangle_counts(p);
  for (size_t i = 0; i < p.objects.size(); ++i)
    if (!streamed.contains(u16(i))) p.objects[i].box = compute_object_box(p.objects[i]);
  for (const Skin& s : p.skins)
    if (s.object < p.objects.size()) p.objects[s.object].box = compute_object_box(p.objects[s.object], s);
  const bool is_tree_whole = build_bvh(p);
  const auto raw = [&](f64 world) { return ufx16{u16(std::clamp(std::round(world / scaling * 4096), 0.0, 65535.0))}; };
  // The editor's presets: 3 and 8 units per second, a jump of 2 units, gravity 20, radius 0.5 (SplashEdit,
  // PSXPlayer.cs).
  p.move_speed = raw(3.0 / 30), p.sprint_speed = raw(8.0 / 30);
  p.jump_velocity = raw(std::sqrt(2 * 20.0 * 2.0)), p.gravity = raw(20), p.player_radius = raw(0.5);
  return is_tree_whole;
}

}  // namespace dio::splashpack
