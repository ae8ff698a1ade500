#include "scene/polygon_triangles.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scene/math.hpp"

namespace dio::scene {

namespace {

struct Point2 {
  f64 x = 0, y = 0;
};

/// Twice the area, positive if counterclockwise.
f64 cross_at(const Point2& a, const Point2& b, const Point2& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The corners on the coordinate plane that shows the polygon largest, counterclockwise.
std::vector<Point2> project_polygon(std::span<const Vec3> corners) {
  std::array<f64, 3> normal{};
  for (size_t i = 0; i < corners.size(); ++i) {
    const Vec3 &a = corners[i], &b = corners[(i + 1) % corners.size()];
    for (size_t k = 0; k < 3; ++k) {
      const size_t u = (k + 1) % 3, v = (k + 2) % 3;
      normal[k] += (f64(a[u]) - b[u]) * (f64(a[v]) + b[v]);
    }
  }
  size_t axis = 0;
  for (size_t k = 1; k < 3; ++k)
    if (std::fabs(normal[k]) > std::fabs(normal[axis])) axis = k;
  const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::vector<Point2> out;
  for (const Vec3& c : corners) out.push_back(normal[axis] < 0 ? Point2{c[v], c[u]} : Point2{c[u], c[v]});
  return out;
}

bool is_inside(const Point2& p, const Point2& a, const Point2& b, const Point2& c) {
  return cross_at(a, b, p) >= 0 && cross_at(b, c, p) >= 0 && cross_at(c, a, p) >= 0;
}

}  // namespace

std::vector<std::array<u32, 3>> triangulate_polygon(std::span<const Vec3> corners) {
  constexpr size_t k_most_corners = 1000;
  std::vector<std::array<u32, 3>> out;
  if (corners.size() < 3) return out;
  out.reserve(corners.size() - 2);
  std::vector<u32> left(corners.size());
  std::iota(left.begin(), left.end(), 0u);
  if (corners.size() > 3 && corners.size() <= k_most_corners) {
    const std::vector<Point2> points = project_polygon(corners);
    const auto is_ear = [&](size_t i) {
      const size_t n = left.size();
      const u32 a = left[(i + n - 1) % n], b = left[i], c = left[(i + 1) % n];
      if (!(cross_at(points[a], points[b], points[c]) > 0)) return false;
      return std::ranges::none_of(left, [&](u32 p) {
        const bool is_corner = p == a || p == b || p == c || corners[p] == corners[a] || corners[p] == corners[b] ||
                               corners[p] == corners[c];
        return !is_corner && is_inside(points[p], points[a], points[b], points[c]);
      });
    };
    // Starting behind the ear that was cut spreads the triangles over the polygon.
    for (size_t i = 1, failed = 0; left.size() > 3 && failed < left.size();) {
      i %= left.size();
      if (!is_ear(i)) {
        ++failed, ++i;
        continue;
      }
      const size_t n = left.size();
      out.push_back({left[(i + n - 1) % n], left[i], left[(i + 1) % n]});
      left.erase(left.begin() + std::ptrdiff_t(i));
      failed = 0;
    }
  }
  for (size_t i = 1; i + 1 < left.size(); ++i) out.push_back({left[0], left[i], left[i + 1]});
  return out;
}

}  // namespace dio::scene
