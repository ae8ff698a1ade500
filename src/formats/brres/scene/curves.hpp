// curves.hpp: animation curves: Hermite curves of files, and polylines of scenes.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "formats/brres/layout/animations.hpp"
#include "scene/scene.hpp"

namespace dio::brres {

inline constexpr f64 k_frames_per_second = 60;

/// The frames of an animation that are converted: all, or every second one and so on.
struct Sampling {
  u32 frames = 0, step = 1;
  f64 frame(size_t i) const { return std::min(f64(i) * step, f64(frames)); }
  f32 seconds(size_t i) const { return f32(frame(i) / k_frames_per_second); }
  size_t count() const { return (frames + step - 1) / step + 1; }
};

/// The value of a Hermite curve. Before the first key and after the last, the value of that key.
f64 value_at(std::span<const SrtKey> keys, f64 frame);

/// A number of a bone: a Hermite curve, or a value for each frame.
class ChrCurve {
 public:
  ChrCurve(const ChrTrack&, u8 format);
  f64 at(f64 frame) const;

 private:
  std::vector<SrtKey> keys_;
  std::vector<f64> samples_;
};

/// The samples that a polyline needs to be at most `tolerance` away from all samples: indices, with the first and the
/// last. Samples have `width` numbers each.
std::vector<size_t> find_polyline_keys(std::span<const f64> samples, size_t width, f64 tolerance);

/// Same, for rotations; between two of them, the rotation is on the shorter way. `tolerance`: in radians.
std::vector<size_t> find_rotation_keys(std::span<const scene::Vec4> samples, f64 tolerance);

/// The keys of a Hermite curve through samples at the frames 0, 1, 2 and so on. At these frames, the curve is at most
/// `tolerance` away from the samples.
std::vector<SrtKey> fit_hermite_curve(std::span<const f64> samples, f64 tolerance);

}  // namespace dio::brres
