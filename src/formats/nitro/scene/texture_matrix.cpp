#include "formats/nitro/scene/texture_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "console/rgb555.hpp"
#include "core/elementary.hpp"
#include "formats/nitro/layout/curves.hpp"

namespace dio::nitro {

TextureSrt texture_srt(const Material& m) {
  TextureSrt s;
  if (!m.scale_one) s.scale_s = m.scale[0].value(), s.scale_t = m.scale[1].value();
  if (!m.rotation_zero) s.sin = m.sin.value(), s.cos = m.cos.value();
  if (!m.translation_zero) s.translation_s = m.translation[0].value(), s.translation_t = m.translation[1].value();
  return s;
}

static f64 sample_channel(u8 step, u32 last, const auto& samples, u32 frames, u32 frame, u64 width = 1, u64 part = 0) {
  if (samples.empty() || !frames) return 0;
  const CurvePlace p = locate_whole_frame(step, last, std::min(frame, frames - 1));
  const auto at = [&](u64 i) { return f64(samples[size_t(std::min<u64>(i * width + part, samples.size() - 1))]); };
  return p.weight == 0 ? at(p.first) : at(p.first) + (at(p.second) - at(p.first)) * p.weight;
}

TextureSrt texture_srt(const TextureTrack& t, u32 frames, u32 frame) {
  const auto sample_number = [&](const TextureChannel& c) {
    return (c.constant ? i32(c.data) : sample_channel(c.step, c.last, c.samples, frames, frame)) / 4096.0;
  };
  TextureSrt s;
  s.scale_s = sample_number(t.scale_s), s.scale_t = sample_number(t.scale_t);
  const TextureChannel& r = t.rotation;
  if (r.constant)
    s.sin = i16(r.data) / 4096.0, s.cos = i16(r.data >> 16) / 4096.0;
  else {
    s.sin = sample_channel(r.step, r.last, r.samples, frames, frame, 2, 0) / 4096;
    s.cos = sample_channel(r.step, r.last, r.samples, frames, frame, 2, 1) / 4096;
  }
  s.translation_s = sample_number(t.translation_s), s.translation_t = sample_number(t.translation_t);
  return s;
}

TextureMatrix texture_matrix(u8 mode, const TextureSrt& x, f64 aspect) {
  const f64 s = x.scale_s, t = x.scale_t, a = x.translation_s, b = x.translation_t, sin = x.sin, cos = x.cos;
  switch (mode) {
    case 1:  // SI3D: rotation is ignored
      return {s, 0, -s * a, 0, t, -t * b};
    case 2:  // 3ds Max
      return {s * cos, -s * sin, 0.5 + s * cos * (-0.5 - a) - s * sin * (-0.5 + b) / aspect,
              t * sin, t * cos,  0.5 + t * sin * (-0.5 - a) * aspect + t * cos * (-0.5 + b)};
    case 3:  // XSI
      return {s * cos, -s * sin, s * sin - s * (a * cos + b * sin),
              t * sin, t * cos,  1 - t * cos - t * (a * sin - b * cos)};
    default:  // Maya: a translation to the right in S is a translation up in T
      return {s * cos,  s * sin, (s - s * sin - s * cos) / 2 - s * a,
              -t * sin, t * cos, (2 + t * sin - t * cos - t) / 2 + t * b};
  }
}

bool to_texture_srt(u8 mode, const scene::TextureTransform& x, f64 aspect, TextureSrt& to) {
  const auto safe = [](f64 scale) { return std::fabs(scale) > 1e-3 ? scale : std::copysign(1e-3, scale); };
  const f64 s = x.scale[0], t = x.scale[1], turn = mode == 1 ? 0 : mode == 0 ? x.rotation : -x.rotation;
  to = {.scale_s = safe(s), .scale_t = safe(t), .sin = elementary::sin(turn), .cos = elementary::cos(turn)};
  // Whatever the mode, the offsets are linear in the translations.
  const auto texture_matrix_with = [&](f64 a, f64 b) {
    TextureSrt moved = to;
    moved.translation_s = a, moved.translation_t = b;
    return texture_matrix(mode, moved, aspect);
  };
  const TextureMatrix still = texture_matrix_with(0, 0), a = texture_matrix_with(1, 0), b = texture_matrix_with(0, 1);
  const f64 au = a.u0 - still.u0, av = a.v0 - still.v0, bu = b.u0 - still.u0, bv = b.v0 - still.v0;
  const f64 u = x.offset[0] - still.u0, v = x.offset[1] - still.v0, det = au * bv - av * bu;
  to.translation_s = (u * bv - v * bu) / det, to.translation_t = (au * v - av * u) / det;
  to.scale_s = s, to.scale_t = t;
  return std::fabs(s) > 1e-3 && std::fabs(t) > 1e-3 && (x.rotation == 0 || (mode != 1 && std::fabs(s - t) < 1e-4));
}

MaterialColors sample_colors(const ColorTrack& t, u32 frames, u32 frame) {
  const auto sample = [&](const ColorChannel& c, u64 i) -> u32 {
    return c.samples.empty() ? 0 : c.samples[size_t(std::min<u64>(i, c.samples.size() - 1))];
  };
  const auto place = [&](const ColorChannel& c) {
    return locate_whole_frame(c.step, c.last, frames ? std::min(frame, frames - 1) : 0);
  };
  // Between samples, each channel is interpolated separately and rounded down.
  const auto sample_color = [&](const ColorChannel& c) -> u16 {
    if (c.constant) return c.data;
    const CurvePlace p = place(c);
    const u32 a = sample(c, p.first), b = sample(c, p.second);
    if (p.weight == 0) return u16(a);
    const auto low = console::channels_of(u16(a)), high = console::channels_of(u16(b));
    console::Channels mixed{};
    for (size_t k = 0; k < 3; ++k) mixed[k] = u8(low[k] + (f64(high[k]) - low[k]) * p.weight);
    return console::word_of(mixed);
  };
  const auto sample_number = [&](const ColorChannel& c) -> u16 {
    if (c.constant) return c.data;
    const CurvePlace p = place(c);
    const f64 a = sample(c, p.first), b = sample(c, p.second);
    return u16(p.weight == 0 ? a : a + (b - a) * p.weight);
  };
  return {sample_color(t.diffuse), sample_color(t.ambient), sample_color(t.specular), sample_color(t.emission),
          sample_number(t.alpha)};
}

}  // namespace dio::nitro
