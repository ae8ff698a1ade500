// route.hpp: the curve of a route, as the game follows it.
#pragma once
#include "formats/kmp/layout.hpp"
#include "scene/math.hpp"

namespace dio::kmp {

/// A route as a line of small steps, with the speed at each.
struct RouteCurve {
  std::vector<scene::Vec3> points;
  std::vector<f32> speeds;  // units per frame; 0: the object's own
  std::vector<f64> ways;    // units from the start, as many as points
  bool cyclic = false;      // the last point repeats the first

  /// Moves along the route to its end, then back or around again, depending on the route. `own_speed` applies where the
  /// speed is 0. Calls `f(frame, position)` for frame 0, `step`, 2 * step ... and for `frames`.
  void sample_frames(f32 frames, f32 step, f32 own_speed, bool back_and_forth, auto f) const;
};

/// Builds straight pieces or, for smooth routes, the game's cubic Bezier pieces with `steps` steps each. Source:
/// README.md, "Routes".
RouteCurve build_route_curve(const Route&, int steps = 12);

/// Replaces coordinates that cannot be drawn: 0 if not finite, and the limit if larger than any course.
scene::Vec3 to_finite_position(const Vec3&);

void RouteCurve::sample_frames(f32 frames, f32 step, f32 own_speed, bool back_and_forth, auto f) const {
  if (points.empty()) return;
  f64 way = 0;
  f64 direction = 1;
  size_t piece = 0;
  const f64 all = ways.back();
  const auto place = [&] {
    while (piece + 2 < points.size() && ways[piece + 1] < way) ++piece;
    while (piece > 0 && ways[piece] > way) --piece;
    if (points.size() < 2) return std::pair(points[0], speeds[0]);
    const f64 span = ways[piece + 1] - ways[piece];
    const f32 t = span > 0 ? f32((way - ways[piece]) / span) : 0;
    return std::pair(scene::lerp(points[piece], points[piece + 1], t),
                     speeds[piece] + (speeds[piece + 1] - speeds[piece]) * t);
  };
  f32 next = 0;
  for (f32 frame = 0; frame <= frames; ++frame) {
    const auto [position, speed] = place();
    if (frame >= next || frame + 1 > frames) {
      f(frame, position);
      next = frame + step;
    }
    way += direction * f64(speed > 0 ? speed : own_speed);
    if (!(all > 0))
      way = 0;
    else if (way > all) {
      if (back_and_forth)
        way = std::max(0.0, 2 * all - way), direction = -1;
      else if (cyclic)
        way = std::fmod(way, all), piece = 0;
      else
        way = all;
    } else if (way < 0)
      way = std::min(all, -way), direction = 1;
  }
}

}  // namespace dio::kmp
