#include "formats/splashpack/scene/floor_polygons.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "core/sorting.hpp"

namespace dio::splashpack {
namespace {

constexpr size_t k_most_corners = 8;  // of a region
constexpr f64 k_most_error = 1;       // raw units of height

using Corners = std::array<u32, 3>;

/// Whether the points are in that plane.
bool lies_on(const FloorPlane& plane, std::span<const FloorPoint> points) {
  return std::ranges::all_of(
      points, [&](const FloorPoint& p) { return std::fabs(plane.height_at(p) - f64(p.y)) <= k_most_error; });
}

/// One connected part of the floor in one plane, as a triangle mesh.
class FlatMesh {
 public:
  FlatMesh(const std::vector<FloorPoint>& points, std::vector<Corners> triangles)
      : points_(points), triangles_(std::move(triangles)), is_alive_(triangles_.size(), true) {
    for (u32 t = 0; t < triangles_.size(); ++t)
      for (const u32 v : triangles_[t]) around_[v].insert(t);
  }

  /// Removes the vertices inside the outline, and those in the middle of its straight sides.
  void decimate() {
    for (bool any = true; any;) {
      any = false;
      std::vector<u32> vertices;
      for (const auto& [v, unused] : around_) vertices.push_back(v);
      for (const u32 v : vertices) any |= remove_vertex(v);
    }
  }

  std::vector<FloorPolygon> join_to_convex_polygons() const;

 private:
  /// The neighbours of a vertex, counterclockwise, if its triangles form one fan. `is_closed`: the first follows the
  /// last.
  struct Fan {
    std::vector<u32> link;
    bool is_closed = false;
  };
  std::optional<Fan> find_fan(u32 v) const {
    std::map<u32, u32> next, before;
    for (const u32 t : around_.at(v)) {
      const Corners& c = triangles_[t];
      const size_t i = size_t(std::ranges::find(c, v) - c.begin());
      const u32 from = c[(i + 1) % 3], to = c[(i + 2) % 3];
      if (!next.try_emplace(from, to).second || !before.try_emplace(to, from).second) return {};
    }
    Fan fan;
    u32 start = next.begin()->first;
    for (const auto& [from, unused] : next)
      if (!before.contains(from)) start = from;
    fan.is_closed = before.contains(start);
    fan.link.push_back(start);
    for (auto at = next.find(start); at != next.end(); at = next.find(at->second)) {
      if (at->second == start) break;
      fan.link.push_back(at->second);
      if (fan.link.size() > next.size() + 1) return {};
    }
    if (fan.link.size() != next.size() + (fan.is_closed ? 0 : 1)) return {};  // several fans meet here
    return fan;
  }

  bool remove_vertex(u32 v) {
    if (around_.at(v).empty()) return false;
    const auto fan = find_fan(v);
    if (!fan || fan->link.size() < (fan->is_closed ? 3 : 2)) return false;
    const FloorPoint &first = points_[fan->link.front()], &last = points_[fan->link.back()];
    if (!fan->is_closed && (floor_cross(last, points_[v], first) != 0 || !is_between(last, points_[v], first)))
      return false;
    const auto made = clip_ears(fan->link);
    if (!made) return false;
    const std::set<u32> gone = std::exchange(around_[v], {});
    for (const u32 t : gone) {
      is_alive_[t] = false;
      for (const u32 c : triangles_[t])
        if (c != v) around_[c].erase(t);
    }
    for (const Corners& c : *made) {
      for (const u32 corner : c) around_[corner].insert(u32(triangles_.size()));
      triangles_.push_back(c);
      is_alive_.push_back(true);
    }
    return true;
  }
  /// For collinear points.
  static bool is_between(const FloorPoint& a, const FloorPoint& p, const FloorPoint& b) {
    return (p.x - a.x) * (p.x - b.x) + (p.z - a.z) * (p.z - b.z) <= 0;
  }

  /// Triangulates a simple polygon; nothing if that is impossible.
  std::optional<std::vector<Corners>> clip_ears(std::vector<u32> polygon) const {
    std::vector<Corners> out;
    while (polygon.size() > 2) {
      const size_t n = polygon.size();
      size_t ear = 0;
      for (; ear < n; ++ear) {
        const u32 a = polygon[(ear + n - 1) % n], b = polygon[ear], c = polygon[(ear + 1) % n];
        if (floor_cross(points_[a], points_[b], points_[c]) <= 0) continue;
        const auto is_inside = [&](u32 p) {
          return p != a && p != b && p != c && floor_cross(points_[a], points_[b], points_[p]) >= 0 &&
                 floor_cross(points_[b], points_[c], points_[p]) >= 0 &&
                 floor_cross(points_[c], points_[a], points_[p]) >= 0;
        };
        if (std::ranges::none_of(polygon, is_inside)) break;
      }
      if (ear == n) return {};
      out.push_back({polygon[(ear + n - 1) % n], polygon[ear], polygon[(ear + 1) % n]});
      polygon.erase(polygon.begin() + std::ptrdiff_t(ear));
    }
    return out;
  }

  const std::vector<FloorPoint>& points_;
  std::vector<Corners> triangles_;
  std::vector<bool> is_alive_;
  std::map<u32, std::set<u32>> around_;  // for each vertex: its triangles
};

/// Polygons that are joined across their common edges.
class ConvexJoiner {
 public:
  explicit ConvexJoiner(const std::vector<FloorPoint>& points) : points_(points) {}
  void add(const Corners& c) {
    const u32 number = u32(polygons_.size());
    polygons_.push_back({c[0], c[1], c[2]});
    for (size_t i = 0; i < 3; ++i) owner_[{c[i], c[(i + 1) % 3]}] = number;
  }

  void join() {
    std::vector<std::pair<u32, u32>> inner;
    for (const auto& [edge, unused] : owner_)
      if (edge.first < edge.second && owner_.contains({edge.second, edge.first})) inner.push_back(edge);
    const auto square = [&](const std::pair<u32, u32>& e) {
      const i64 x = points_[e.first].x - points_[e.second].x, z = points_[e.first].z - points_[e.second].z;
      return x * x + z * z;
    };
    // The longest edges first, so that the rest is compact.
    sort_stably(inner, [&](const auto& a, const auto& b) { return square(a) > square(b); });
    for (bool any = true; any;) {
      any = false;
      for (const auto& edge : inner) any |= join_over(edge);
    }
  }

  std::vector<FloorPolygon> take() const {
    std::vector<FloorPolygon> out;
    for (const auto& p : polygons_) {
      if (p.empty()) continue;
      FloorPolygon& polygon = out.emplace_back();
      for (const u32 v : p) polygon.push_back(points_[v]);
    }
    return out;
  }

 private:
  bool join_over(const std::pair<u32, u32>& edge) {
    const auto left = owner_.find(edge), right = owner_.find({edge.second, edge.first});
    if (left == owner_.end() || right == owner_.end() || left->second == right->second) return false;
    const u32 a = left->second, b = right->second;
    std::vector<u32> joined = from_corner(polygons_[a], edge.second);  // ends at edge.first
    const std::vector<u32> other = from_corner(polygons_[b], edge.first);
    joined.insert(joined.end(), other.begin() + 1, other.end() - 1);
    const auto inner = cut_spikes(joined);
    std::vector<u32> corners;
    for (size_t i = 0, n = joined.size(); i < n; ++i) {
      const i64 turn = floor_cross(points_[joined[(i + n - 1) % n]], points_[joined[i]], points_[joined[(i + 1) % n]]);
      if (turn < 0) return false;
      if (turn > 0) corners.push_back(joined[i]);
    }
    if (corners.size() < 3 || corners.size() > k_most_corners) return false;
    FloorPolygon points;
    for (const u32 v : joined) points.push_back(points_[v]);
    if (!lies_on(fit_floor_plane(points), points)) return false;
    // Edges with vertices in their middle keep them, so that polygons on the other side can still be joined.
    owner_.erase({edge.first, edge.second});
    owner_.erase({edge.second, edge.first});
    for (const auto& [from, to] : inner) owner_.erase({from, to}), owner_.erase({to, from});
    for (size_t i = 0; i < joined.size(); ++i) owner_[{joined[i], joined[(i + 1) % joined.size()]}] = a;
    polygons_[a] = std::move(joined);
    polygons_[b].clear();
    return true;
  }
  /// Removes edges that a polygon follows in both directions: both joined polygons had them.
  static std::vector<std::pair<u32, u32>> cut_spikes(std::vector<u32>& polygon) {
    std::vector<std::pair<u32, u32>> edges;
    for (size_t i = 0; i < polygon.size() && polygon.size() > 3;) {
      const size_t n = polygon.size(), before = (i + n - 1) % n, after = (i + 1) % n;
      if (polygon[before] != polygon[after]) {
        ++i;
        continue;
      }
      edges.emplace_back(polygon[before], polygon[i]);
      polygon.erase(polygon.begin() + std::ptrdiff_t(std::max(i, after)));
      polygon.erase(polygon.begin() + std::ptrdiff_t(std::min(i, after)));
      i = 0;
    }
    return edges;
  }
  static std::vector<u32> from_corner(std::vector<u32> polygon, u32 first) {
    std::rotate(polygon.begin(), std::ranges::find(polygon, first), polygon.end());
    return polygon;
  }

  const std::vector<FloorPoint>& points_;
  std::vector<std::vector<u32>> polygons_;
  std::map<std::pair<u32, u32>, u32> owner_;  // the polygon to the left of each edge
};

std::vector<FloorPolygon> FlatMesh::join_to_convex_polygons() const {
  ConvexJoiner joiner(points_);
  for (u32 t = 0; t < triangles_.size(); ++t)
    if (is_alive_[t]) joiner.add(triangles_[t]);
  joiner.join();
  std::vector<FloorPolygon> out;
  for (const FloorPolygon& p : joiner.take()) {
    FloorPolygon& corners = out.emplace_back();
    for (size_t i = 0, n = p.size(); i < n; ++i)
      if (floor_cross(p[(i + n - 1) % n], p[i], p[(i + 1) % n]) > 0) corners.push_back(p[i]);
  }
  return out;
}

/// Triangles with shared vertices, grouped by connected planes.
class FloorParts {
 public:
  FloorParts(std::span<const std::array<FloorPoint, 3>> triangles, std::span<const u32> groups) : groups_(groups) {
    std::map<FloorPoint, u32> known;
    for (const auto& t : triangles) {
      Corners& c = triangles_.emplace_back();
      for (size_t i = 0; i < 3; ++i) {
        const auto [at, is_new] = known.try_emplace(t[i], u32(points.size()));
        if (is_new) points.push_back(t[i]);
        c[i] = at->second;
      }
    }
    for (u32 t = 0; t < triangles_.size(); ++t)
      for (size_t i = 0; i < 3; ++i) edges_[{triangles_[t][i], triangles_[t][(i + 1) % 3]}].push_back(t);
  }
  std::vector<FloorPoint> points;

  /// Each part once; each edge of a part has at most one triangle on each side.
  std::vector<std::vector<Corners>> split() const {
    std::vector<std::vector<Corners>> out;
    std::vector<bool> taken(triangles_.size());
    for (u32 seed = 0; seed < triangles_.size(); ++seed) {
      if (taken[seed]) continue;
      taken[seed] = true;
      const FloorPlane plane = fit_floor_plane(points_of(seed));
      std::vector<u32> part = {seed};
      for (size_t i = 0; i < part.size(); ++i)
        for (size_t k = 0; k < 3; ++k) {
          const Corners& c = triangles_[part[i]];
          const auto same = edges_.find({c[k], c[(k + 1) % 3]}), other = edges_.find({c[(k + 1) % 3], c[k]});
          if (same->second.size() != 1 || other == edges_.end() || other->second.size() != 1) continue;
          const u32 next = other->second.front();
          if (taken[next] || !is_same_group(seed, next) || !lies_on(plane, points_of(next))) continue;
          taken[next] = true;
          part.push_back(next);
        }
      std::vector<Corners>& corners = out.emplace_back();
      for (const u32 t : part) corners.push_back(triangles_[t]);
    }
    return out;
  }

 private:
  std::array<FloorPoint, 3> points_of(u32 t) const {
    return {points[triangles_[t][0]], points[triangles_[t][1]], points[triangles_[t][2]]};
  }
  bool is_same_group(u32 a, u32 b) const { return groups_.empty() || groups_[a] == groups_[b]; }
  std::span<const u32> groups_;
  std::vector<Corners> triangles_;
  std::map<std::pair<u32, u32>, std::vector<u32>> edges_;
};

}  // namespace

FloorPlane fit_floor_plane(std::span<const FloorPoint> points) {
  const f64 n = f64(points.size());
  f64 x = 0, y = 0, z = 0;
  for (const FloorPoint& p : points) x += f64(p.x) / n, y += f64(p.y) / n, z += f64(p.z) / n;
  f64 xx = 0, xz = 0, zz = 0, xy = 0, zy = 0;
  for (const FloorPoint& p : points) {
    const f64 dx = f64(p.x) - x, dy = f64(p.y) - y, dz = f64(p.z) - z;
    xx += dx * dx, xz += dx * dz, zz += dz * dz, xy += dx * dy, zy += dz * dy;
  }
  const f64 determinant = xx * zz - xz * xz;
  FloorPlane plane;
  if (determinant != 0) {
    plane.a = std::round((xy * zz - zy * xz) / determinant * 4096);
    plane.b = std::round((zy * xx - xy * xz) / determinant * 4096);
  }
  plane.d = std::round(y - (plane.a * x + plane.b * z) / 4096);
  return plane;
}

std::vector<FloorPolygon> merge_floor_triangles(std::span<const std::array<FloorPoint, 3>> triangles,
                                                std::span<const u32> groups) {
  const FloorParts parts(triangles, groups);
  std::vector<FloorPolygon> out;
  for (const std::vector<Corners>& part : parts.split()) {
    FlatMesh mesh(parts.points, part);
    mesh.decimate();
    for (FloorPolygon& p : mesh.join_to_convex_polygons()) out.push_back(std::move(p));
  }
  return out;
}

}  // namespace dio::splashpack
