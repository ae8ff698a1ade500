#include "formats/kmp/scene/route.hpp"

namespace dio::kmp {

scene::Vec3 to_finite_position(const Vec3& v) {
  constexpr f32 k_limit = 1e8f;
  const auto axis = [&](f32 x) { return std::isfinite(x) ? std::clamp(x, -k_limit, k_limit) : 0.0f; };
  return {axis(v.x), axis(v.y), axis(v.z)};
}

RouteCurve build_route_curve(const Route& route, int steps) {
  RouteCurve c;
  const size_t n = route.points.size();
  if (!n) return c;
  c.cyclic = !route.back_and_forth && n > 2;
  const auto point = [&](size_t i) { return to_finite_position(route.points[i % n].position); };
  const auto speed = [&](size_t i) { return f32(route.points[i % n].speed); };
  const size_t pieces = c.cyclic ? n : n - 1;
  const bool smooth = route.smooth && n >= 3;
  c.points.push_back(point(0));
  c.speeds.push_back(speed(0));
  for (size_t i = 0; i < pieces; ++i) {
    const scene::Vec3 a = point(i), d = point(i + 1);
    if (!smooth) {
      c.points.push_back(d);
      c.speeds.push_back(speed(i + 1));
      continue;
    }
    // inner control points: a tenth of the chord across the neighbours; at open ends a quarter of the piece itself
    const bool first = !c.cyclic && i == 0, last = !c.cyclic && i + 1 == pieces;
    const scene::Vec3 b =
        scene::add(a, first ? scene::mul(scene::sub(d, a), 0.25f) : scene::mul(scene::sub(d, point(i + n - 1)), 0.1f));
    const scene::Vec3 e =
        scene::sub(d, last ? scene::mul(scene::sub(d, a), 0.25f) : scene::mul(scene::sub(point(i + 2), a), 0.1f));
    for (int s = 1; s <= steps; ++s) {
      const f32 t = f32(s) / f32(steps);
      c.points.push_back(s == steps ? d : scene::bezier(a, b, e, d, t));
      c.speeds.push_back(speed(i) + (speed(i + 1) - speed(i)) * t);
    }
  }
  c.ways.resize(c.points.size());
  for (size_t i = 1; i < c.points.size(); ++i)
    c.ways[i] = c.ways[i - 1] + scene::distance(c.points[i - 1], c.points[i]);
  return c;
}

}  // namespace dio::kmp
