// curves.hpp: the value of a sampled curve at a frame. Specification: README.md, "Curves".
#pragma once
#include "formats/nitro/layout/joints.hpp"

namespace dio::nitro {

/// Two samples of a curve, and the weight of the second: 0 gives the first.
struct CurvePlace {
  u64 first, second;
  f64 weight;  // weight of the second
};

/// Locates a whole frame. Steps of 2 and 4 interpolate between samples up to frame `last`.
constexpr CurvePlace locate_whole_frame(u8 step, u32 last, u32 frame) {
  const u32 n = frames_per_sample(step);
  const u64 i = frame / n;
  if (n == 1) return {frame, frame, 0};
  if (frame > last) return {u64(last) / n + (frame - last), u64(last) / n + (frame - last), 0};
  const u32 part = frame % n;
  return part ? CurvePlace{i, i + 1, f64(part) / n} : CurvePlace{i, i, 0};
}

/// Locates a fractional frame between its neighbouring samples, in curves that interpolate.
constexpr CurvePlace locate_fractional_frame(u8 step, u32 last, u32 frames, bool to_first, f64 frame) {
  const u32 whole = u32(frame);
  const f64 part = frame - whole;
  if (part == 0) return locate_whole_frame(step, last, whole);
  const u32 n = frames_per_sample(step);
  if (whole + 1 >= frames) {  // in the last frame: hold, or interpolate to the first
    const CurvePlace end = locate_whole_frame(step, last, whole);
    return to_first ? CurvePlace{end.first, 0, part} : end;
  }
  if (n > 1 && whole < last) {
    const u64 i = whole / n;
    return {i, i + 1, (whole % n + part) / n};
  }
  const CurvePlace a = locate_whole_frame(step, last, whole), b = locate_whole_frame(step, last, whole + 1);
  return {a.first, b.first, part};
}

}  // namespace dio::nitro
