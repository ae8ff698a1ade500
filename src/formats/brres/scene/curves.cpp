#include "formats/brres/scene/curves.hpp"

#include <algorithm>
#include <cmath>

#include "scene/channels.hpp"

namespace dio::brres {

namespace {

/// A piece of a curve that may need more keys, and how often its curve was divided to get it.
struct Piece {
  size_t from, to;
  u32 depth = 0;
};
constexpr u32 k_uneven_depth = 40;  // pieces of deeper levels are halved, so that no curve takes long

f64 hermite(f64 from, f64 from_tangent, f64 to, f64 to_tangent, f64 length, f64 t) {
  const f64 t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * from + (3 * t2 - 2 * t3) * to +
         length * ((t3 - 2 * t2 + t) * from_tangent + (t3 - t2) * to_tangent);
}

/// Divides a curve until each piece is near its samples.
class HermiteFitter {
 public:
  HermiteFitter(std::span<const f64> samples, f64 tolerance) : samples_(samples), tolerance_(tolerance) {}

  std::vector<size_t> run() {
    std::vector<Piece> open{{0, samples_.size() - 1}};
    std::vector<size_t> keys{0, samples_.size() - 1};
    while (!open.empty()) {
      const auto [from, to, depth] = open.back();
      open.pop_back();
      const auto [error, worst] = find_error(from, to);
      if (error <= tolerance_) continue;
      if (to - from > 3 && find_error(from + 1, to - 1).first <= tolerance_) {
        // Beside a corner, only the tangent at the corner is wrong.
        keys.insert(keys.end(), {from + 1, to - 1});
        continue;
      }
      const size_t at = depth < k_uneven_depth ? find_corner(from, to).value_or(worst) : (from + to) / 2;
      keys.push_back(at);
      open.push_back({from, at, depth + 1}), open.push_back({at, to, depth + 1});
    }
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  }
  f64 tangent(size_t i) const {
    const size_t before = i ? i - 1 : 0, behind = std::min(i + 1, samples_.size() - 1);
    return behind == before ? 0 : (samples_[behind] - samples_[before]) / f64(behind - before);
  }

 private:
  /// The largest error between two keys, and where it is.
  std::pair<f64, size_t> find_error(size_t from, size_t to) const {
    std::pair<f64, size_t> out{0, from + 1};
    const f64 length = f64(to - from), from_tangent = tangent(from), to_tangent = tangent(to);
    for (size_t i = from + 1; i < to; ++i) {
      const f64 value = hermite(samples_[from], from_tangent, samples_[to], to_tangent, length, f64(i - from) / length);
      if (const f64 error = std::fabs(value - samples_[i]); error > out.first) out = {error, i};
    }
    return out;
  }
  f64 bend(size_t i) const { return std::fabs(samples_[i + 1] - 2 * samples_[i] + samples_[i - 1]); }
  /// The sharpest sample that bends much more than its neighbours.
  std::optional<size_t> find_corner(size_t from, size_t to) const {
    constexpr f64 k_sharp = 4;
    std::optional<size_t> out;
    for (size_t i = from + 1; i < to; ++i) {
      const f64 beside = std::max(i - 1 > from ? bend(i - 1) : 0, i + 1 < to ? bend(i + 1) : 0);
      if (bend(i) > tolerance_ && bend(i) > k_sharp * beside && (!out || bend(i) > bend(*out))) out = i;
    }
    return out;
  }

  std::span<const f64> samples_;
  const f64 tolerance_;
};

/// A polyline as a Hermite curve: a corner has keys one frame before and behind it, with the slopes of its sides.
std::vector<SrtKey> to_hermite_keys(std::span<const f64> samples, const std::vector<size_t>& corners) {
  std::vector<SrtKey> out;
  const auto add = [&](size_t frame, f64 value, f64 tangent) {
    if (out.empty() || out.back().frame < f32(frame)) out.push_back({f32(frame), f32(value), f32(tangent)});
  };
  const auto slope = [&](size_t i) {  // behind a corner
    return (samples[corners[i + 1]] - samples[corners[i]]) / f64(corners[i + 1] - corners[i]);
  };
  const size_t last = corners.size() - 1;
  add(corners[0], samples[corners[0]], slope(0));
  for (size_t i = 1; i < last; ++i) {
    const f64 at = samples[corners[i]], before = slope(i - 1), behind = slope(i);
    add(corners[i] - 1, at - before, before);
    add(corners[i], at, (before + behind) / 2);
    if (corners[i] + 1 < corners[i + 1]) add(corners[i] + 1, at + behind, behind);
  }
  add(corners[last], samples[corners[last]], slope(last - 1));
  return out;
}

/// Divides samples into pieces in which no sample is too far from what the ends of its piece imply; `error(from, to,
/// i)` is the distance of a sample between two others.
std::vector<size_t> find_keys(size_t count, f64 tolerance, auto error) {
  if (count < 2) return std::vector<size_t>(count, 0);
  std::vector<size_t> keys{0, count - 1};
  std::vector<Piece> open{{0, count - 1}};
  while (!open.empty()) {
    const auto [from, to, depth] = open.back();
    open.pop_back();
    f64 largest = tolerance;
    size_t worst = 0;
    for (size_t i = from + 1; i < to; ++i)
      if (const f64 now = error(from, to, i); now > largest) largest = now, worst = i;
    if (!worst) continue;
    const size_t at = depth < k_uneven_depth ? worst : (from + to) / 2;
    keys.push_back(at);
    open.push_back({from, at, depth + 1}), open.push_back({at, to, depth + 1});
  }
  std::ranges::sort(keys);
  return keys;
}

}  // namespace

f64 value_at(std::span<const SrtKey> keys, f64 frame) {
  if (keys.empty()) return 0;
  const auto next = std::ranges::partition_point(keys, [&](const SrtKey& k) { return k.frame <= frame; });
  if (next == keys.begin()) return keys.front().value;
  if (next == keys.end()) return keys.back().value;
  const SrtKey &a = next[-1], &b = *next;
  const f64 length = f64(b.frame) - a.frame;
  return hermite(a.value, a.tangent, b.value, b.tangent, length, (frame - a.frame) / length);
}

ChrCurve::ChrCurve(const ChrTrack& t, u8 format) {
  const auto scaled = [&](f64 x) { return x * t.value_scale + t.value_offset; };
  switch (format) {
    case curve_format::constant:
      samples_ = {t.value};
      return;
    case curve_format::keys_32:
      for (const ChrKey32& k : t.keys_32) keys_.push_back({f32(k.frame), f32(scaled(k.value)), f32(k.tangent) / 32});
      return;
    case curve_format::keys_48:
      for (const ChrKey48& k : t.keys_48)
        keys_.push_back({f32(k.frame.value()), f32(scaled(k.value)), f32(k.tangent.value())});
      return;
    case curve_format::keys_96:
      keys_ = t.keys_96;
      return;
    case curve_format::samples_8:
      for (const u8 x : t.samples_8) samples_.push_back(scaled(x));
      return;
    case curve_format::samples_16:
      for (const u16 x : t.samples_16) samples_.push_back(scaled(x));
      return;
    default:
      samples_.assign(t.samples_32.begin(), t.samples_32.end());
  }
}

f64 ChrCurve::at(f64 frame) const {
  if (samples_.empty()) return value_at(keys_, frame);
  return samples_[std::min(size_t(std::max(frame, 0.0)), samples_.size() - 1)];
}

std::vector<size_t> find_polyline_keys(std::span<const f64> samples, size_t width, f64 tolerance) {
  return find_keys(samples.size() / width, tolerance, [&](size_t from, size_t to, size_t i) {
    const f64 t = f64(i - from) / f64(to - from);
    f64 error = 0;
    for (size_t k = 0; k < width; ++k) {
      const f64 line = (1 - t) * samples[from * width + k] + t * samples[to * width + k];
      error = std::max(error, std::fabs(samples[i * width + k] - line));
    }
    return error;
  });
}

std::vector<size_t> find_rotation_keys(std::span<const scene::Vec4> samples, f64 tolerance) {
  return find_keys(samples.size(), tolerance, [&](size_t from, size_t to, size_t i) {
    const scene::Vec4 q = scene::slerp(samples[from], samples[to], f64(i - from) / f64(to - from));
    f64 less = 0, more = 0;  // a quaternion and its opposite are the same rotation
    for (size_t k = 0; k < 4; ++k) {
      less += (f64(q[k]) - samples[i][k]) * (f64(q[k]) - samples[i][k]);
      more += (f64(q[k]) + samples[i][k]) * (f64(q[k]) + samples[i][k]);
    }
    return 2 * std::sqrt(std::min(less, more));
  });
}

std::vector<SrtKey> fit_hermite_curve(std::span<const f64> samples, f64 tolerance) {
  if (samples.size() < 2) return {{0, samples.empty() ? 0.0f : f32(samples[0]), 0}};
  std::vector<SrtKey> straight = to_hermite_keys(samples, find_polyline_keys(samples, 1, tolerance / 2));
  if (straight.size() == 2) return straight;
  HermiteFitter fitter(samples, tolerance);
  const std::vector<size_t> keys = fitter.run();
  if (straight.size() <= keys.size()) return straight;
  std::vector<SrtKey> out;
  for (const size_t i : keys) out.push_back({f32(i), f32(samples[i]), f32(fitter.tangent(i))});
  return out;
}

}  // namespace dio::brres
