#include "formats/kmp/plan/footprint.hpp"

#include "core/sorting.hpp"
#include "formats/kmp/scene/start_grid.hpp"

namespace dio::kmp {

using scene::PlanPoint;

namespace {

constexpr f32 k_area_half = 5000, k_area_high = 10000;  // before scale

f64 cross_product(const PlanPoint& a, const PlanPoint& b, const PlanPoint& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// The convex hull, in the order of increasing angle.
std::vector<PlanPoint> convex_hull(std::vector<PlanPoint> points) {
  sort_stably(points);
  std::vector<PlanPoint> hull;
  const auto add_hull_point = [&](const PlanPoint& p, size_t least) {
    while (hull.size() > least && cross_product(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
    hull.push_back(p);
  };
  for (const PlanPoint& p : points) add_hull_point(p, 1);
  const size_t below = hull.size();
  for (size_t i = points.size() - 1; i-- > 0;) add_hull_point(points[i], below);
  hull.pop_back();  // repeats the first
  return hull;
}

/// Directions around a circle, by halving angles: exact to the last bit everywhere, unlike sines.
constexpr size_t k_around = 32;
std::array<PlanPoint, k_around> make_unit_circle() {
  std::array<PlanPoint, k_around> out{};
  out[0] = {1, 0};
  out[k_around / 4] = {0, 1};
  for (size_t step = k_around / 4; step > 1; step /= 2)
    for (size_t i = 0; i < k_around / 4; i += step) {
      const PlanPoint &a = out[i], &b = out[i + step];
      const f64 x = a[0] + b[0], z = a[1] + b[1], length = std::sqrt(x * x + z * z);
      out[i + step / 2] = {x / length, z / length};
    }
  for (size_t i = k_around / 4; i < k_around; ++i) out[i] = {-out[i - k_around / 4][1], out[i - k_around / 4][0]};
  return out;
}

}  // namespace

PlanPoint plan_point(const Vec3& v) {
  const scene::Vec3 at = to_finite_position(v);
  return {f64(at[0]), f64(at[2])};
}

std::optional<PlanPoint> plan_heading(const Vec3& rotation) {
  const scene::Vec3 ahead = scene::rotate(rotation_from_degrees(rotation), scene::k_axis_z);
  const f64 x = f64(ahead[0]), z = f64(ahead[2]), length = std::sqrt(x * x + z * z);
  if (length < 0.02) return {};
  return PlanPoint{x / length, z / length};
}

std::vector<PlanPoint> area_outline(const Area& a) {
  const auto scale = [](f32 x) { return std::isfinite(x) ? std::clamp(x, -1e4f, 1e4f) : 1.0f; };
  const scene::Vec4 rotation = rotation_from_degrees(a.rotation);
  const PlanPoint at = plan_point(a.position);
  std::vector<PlanPoint> corners;
  const auto add = [&](f64 x, f64 z) {
    for (const f32 y : {0.0f, k_area_high * scale(a.scale.y)}) {
      const scene::Vec3 p = scene::rotate(
          rotation, {f32(x) * k_area_half * scale(a.scale.x), y, f32(z) * k_area_half * scale(a.scale.z)});
      corners.push_back({at[0] + f64(p[0]), at[1] + f64(p[2])});
    }
  };
  if (a.shape == 1)
    for (const PlanPoint& p : make_unit_circle()) add(p[0], p[1]);
  else
    for (const PlanPoint& p : {PlanPoint{-1, -1}, PlanPoint{1, -1}, PlanPoint{1, 1}, PlanPoint{-1, 1}}) add(p[0], p[1]);
  return convex_hull(std::move(corners));
}

std::vector<std::vector<PlanPoint>> make_ribbon_polygons(const std::vector<std::pair<PlanPoint, f64>>& points) {
  const auto around = make_unit_circle();
  std::vector<std::vector<PlanPoint>> out;
  for (size_t i = 0; i < points.size(); ++i) {
    const auto& [b, half] = points[i];
    if (half > 0) {
      auto& disc = out.emplace_back();
      for (size_t c = 0; c < k_around; c += 2) disc.push_back({b[0] + around[c][0] * half, b[1] + around[c][1] * half});
    }
    if (!i) continue;
    const auto& [a, half_before] = points[i - 1];
    const f64 x = b[0] - a[0], z = b[1] - a[1], length = std::sqrt(x * x + z * z);
    if (!(length > 0) || !(half > 0 || half_before > 0)) continue;
    const PlanPoint side{-z / length, x / length};
    out.push_back({{a[0] - side[0] * half_before, a[1] - side[1] * half_before},
                   {b[0] - side[0] * half, b[1] - side[1] * half},
                   {b[0] + side[0] * half, b[1] + side[1] * half},
                   {a[0] + side[0] * half_before, a[1] + side[1] * half_before}});
  }
  return out;
}

}  // namespace dio::kmp
