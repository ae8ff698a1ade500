// curve_fit.hpp: curves with as few samples as they need.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "formats/nitro/layout/curves.hpp"

namespace dio::nitro {

inline constexpr u32 k_most_frames = 8191;  // 13 bits

/// The values at the frames for which a curve with that step has samples.
template <class T>
std::vector<T> pick_samples(const std::vector<T>& values, u8 step, u32 last) {
  if (!step) return values;
  std::vector<T> out;
  for (u32 f = 0; f <= last; f += frames_per_sample(step)) out.push_back(values[f]);
  for (u32 f = last + 1; f < values.size(); ++f) out.push_back(values[f]);
  return out;
}
/// The field `last` of a curve.
constexpr u16 last_interpolated_frame(u8 step, u32 frames) {
  return u16(step ? (frames - 1) / frames_per_sample(step) * frames_per_sample(step) : frames);
}

struct FittedCurve {
  u8 step = 0;
  u16 last = 0;
  bool narrow = false;  // samples fit into 16 bits
  f64 error = 0;        // greatest error at frames without a sample
  std::vector<i32> samples;
};
/// Keeps every fourth or second frame if the frames between are at most `near` from the interpolation; otherwise keeps
/// every frame.
inline FittedCurve fit_curve(const std::vector<i32>& values, f64 near) {
  FittedCurve c;
  const u32 frames = u32(values.size());
  for (const u8 step : {u8(2), u8(1), u8(0)}) {
    c.step = step, c.last = last_interpolated_frame(step, frames);
    c.samples = pick_samples(values, step, c.last);
    c.error = 0;
    for (u32 f = 0; step && c.error <= near && f < frames; ++f) {
      const CurvePlace p = locate_whole_frame(step, c.last, f);
      const f64 from = c.samples[p.first], to = p.weight == 0 ? from : c.samples[p.second];
      c.error = std::max(c.error, std::fabs(from + (to - from) * p.weight - values[f]));
    }
    if (c.error <= near) break;
  }
  c.narrow = std::ranges::all_of(c.samples, [](i32 x) { return x == i16(x); });
  return c;
}

}  // namespace dio::nitro
