#include "formats/brres/from_scene/clips.hpp"

#include <algorithm>
#include <cmath>

#include "scene/extras.hpp"

namespace dio::brres {

Clip read_clip(const scene::Animation& a) {
  f64 last = 0;
  const auto add = [&](const auto& channels) {
    for (const auto& c : channels) last = std::max(last, f64(c.times.back()));
  };
  add(a.channels), add(a.material_channels), add(a.fov_channels), add(a.visibility_channels);
  // The last key of an exported animation without motion says nothing about its length.
  const f64 stated = last > 0 ? 0 : scene::read_number_extra(a.extras, "frames").value_or(0);
  const f64 frames = std::max(1.0, std::round(std::max(last * k_frames_per_second, stated)));
  return {u16(std::min<f64>(frames, k_most_frames)), frames > k_most_frames,
          scene::read_flag_extra(a.extras, "loop").value_or(true)};
}

f32 compute_frame_scale(f32 frames) {
  if (!(frames > 0)) return 1;
  f32 interval = frames;
  while (1 / interval * frames >= 1) interval = std::nextafter(interval, 2 * frames);
  return 1 / interval;
}

std::optional<f32> find_constant(std::span<const f64> samples, f64 tolerance) {
  const f64 first = samples.front(), whole = std::round(first);
  if (!std::ranges::all_of(samples, [&](f64 x) { return std::fabs(x - first) <= tolerance / 10; })) return {};
  constexpr f64 k_near = 1e-6;
  return f32(std::fabs(first - whole) <= k_near ? whole : first);
}

f64 widen_tolerance(std::span<const f64> samples, f64 tolerance) {
  constexpr f64 k_rounding = 1e-6;
  f64 largest = 0;
  for (const f64 x : samples) largest = std::max(largest, std::fabs(x));
  return std::max(tolerance, k_rounding * largest);
}

}  // namespace dio::brres
