#include "scene/channels.hpp"

#include <algorithm>

#include "core/elementary.hpp"
#include "scene/math.hpp"

namespace dio::scene {

Vec4 slerp(const Vec4& a, const Vec4& b, f64 t) {
  f64 along = 0;
  for (size_t i = 0; i < 4; ++i) along += f64(a[i]) * b[i];
  const f64 sign = along < 0 ? -1 : 1, angle = elementary::acos(std::min(std::fabs(along), 1.0));
  f64 from = 1 - t, to = t;
  if (angle > 1e-4)
    from = elementary::sin((1 - t) * angle) / elementary::sin(angle),
    to = elementary::sin(t * angle) / elementary::sin(angle);
  std::array<f64, 4> q{};
  for (size_t i = 0; i < 4; ++i) q[i] = from * a[i] + to * sign * b[i];
  return unit_quaternion(q[0], q[1], q[2], q[3]);
}

/// The value of any keyframe channel; `between(a, b, t)` interpolates between two values.
static Vec4 interpolate_keys(const auto& c, f64 time, f64 near, auto between) {
  const size_t next = size_t(std::ranges::upper_bound(c.times, time + near) - c.times.begin());
  if (next == 0) return c.values.front();
  const size_t last = next - 1;
  if (next == c.times.size() || c.interpolation == Channel::Interpolation::step || time - c.times[last] <= near)
    return c.values[last];
  return between(c.values[last], c.values[next], (time - c.times[last]) / (f64(c.times[next]) - c.times[last]));
}
static Vec4 lerp_components(const Vec4& a, const Vec4& b, f64 t) {
  Vec4 out;
  for (size_t i = 0; i < 4; ++i) out[i] = f32((1 - t) * a[i] + t * b[i]);
  return out;
}

Vec4 value_at(const Channel& c, f64 time, f64 near) {
  return interpolate_keys(c, time, near, c.target == Channel::Target::rotation ? slerp : lerp_components);
}
Vec4 value_at(const MaterialChannel& c, f64 time, f64 near) { return interpolate_keys(c, time, near, lerp_components); }

bool value_at(const VisibilityChannel& c, f64 time, bool at_first) {
  const size_t next = size_t(std::ranges::upper_bound(c.times, time) - c.times.begin());
  return next ? c.visible[next - 1] != 0 : at_first;
}

}  // namespace dio::scene
