#include "bridge/svg/clip_far.hpp"

#include <algorithm>
#include <cmath>

namespace dio::svg {

using scene::PlanPoint;

namespace {

/// The borders of the near area: x <= k_far, x >= -k_far, and the same for y.
constexpr size_t k_sides = 4;
f64 room_at(const PlanPoint& p, size_t side) { return k_far - (side % 2 ? -p[side / 2] : p[side / 2]); }
bool is_near(const PlanPoint& p) { return std::fabs(p[0]) <= k_far && std::fabs(p[1]) <= k_far; }

/// Replaces invalid numbers. True if all points are near.
bool clamp_finite(std::vector<PlanPoint>& points) {
  constexpr f64 k_most = 1e30;
  bool all_near = true;
  for (PlanPoint& p : points) {
    for (f64& x : p) x = std::isnan(x) ? 0 : std::clamp(x, -k_most, k_most);
    all_near &= is_near(p);
  }
  return all_near;
}

PlanPoint lerp_points(const PlanPoint& a, const PlanPoint& b, f64 part) {
  return {a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part};
}

}  // namespace

std::vector<std::vector<PlanPoint>> clip_polyline(std::vector<PlanPoint> points) {
  if (clamp_finite(points)) return {std::move(points)};
  std::vector<std::vector<PlanPoint>> out;
  bool goes_on = false;  // whether the last piece continues with the next line
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    const PlanPoint &a = points[i], &b = points[i + 1];
    f64 from = 0, to = 1;
    for (size_t side = 0; side < k_sides; ++side) {
      const f64 room_a = room_at(a, side), room_b = room_at(b, side);
      if (room_a < 0 && room_b < 0) from = 2;
      if (room_a < 0 && room_b >= 0) from = std::max(from, room_a / (room_a - room_b));
      if (room_a >= 0 && room_b < 0) to = std::min(to, room_a / (room_a - room_b));
    }
    if (from > to) {
      goes_on = false;
      continue;
    }
    if (!goes_on) out.push_back({from > 0 ? lerp_points(a, b, from) : a});
    out.back().push_back(to < 1 ? lerp_points(a, b, to) : b);
    goes_on = to == 1;
  }
  return out;
}

std::vector<std::vector<PlanPoint>> clip_polygon(std::vector<PlanPoint> points) {
  if (clamp_finite(points)) return {std::move(points)};
  for (size_t side = 0; side < k_sides; ++side) {
    std::vector<PlanPoint> kept;
    for (size_t i = 0; i < points.size(); ++i) {
      const PlanPoint &a = points[i], &b = points[(i + 1) % points.size()];
      const f64 room_a = room_at(a, side), room_b = room_at(b, side);
      if (room_a >= 0) kept.push_back(a);
      if ((room_a >= 0) != (room_b >= 0)) kept.push_back(lerp_points(a, b, room_a / (room_a - room_b)));
    }
    points = std::move(kept);
  }
  if (points.empty()) return {};
  return {std::move(points)};
}

}  // namespace dio::svg
