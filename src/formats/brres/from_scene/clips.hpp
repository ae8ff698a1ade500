// clips.hpp: shared by the builders of animations: their length, and the curves of their numbers.
#pragma once
#include <span>
#include <vector>

#include "formats/brres/scene/curves.hpp"
#include "scene/scene.hpp"

namespace dio::brres {

inline constexpr u32 k_most_frames = 65534;                    // numbers of frames and keys have 16 bits
inline constexpr f64 k_near_key = 0.02 / k_frames_per_second;  // times of keys are rounded

/// The length of an animation, from its last key or from the properties of an export.
struct Clip {
  u16 frames = 1;
  bool is_cut = false, is_loop = true;
  f64 seconds(u32 frame) const { return frame / k_frames_per_second; }
};
Clip read_clip(const scene::Animation&);

/// The factor for frames that stays below 1 at the last one, as in files of the games.
f32 compute_frame_scale(f32 frames);

/// The value of samples that are nearly equal (to a tenth of the tolerance): a whole number if it is near one.
std::optional<f32> find_constant(std::span<const f64> samples, f64 tolerance);

/// The tolerance, or more for numbers that an f32 stores less exactly.
f64 widen_tolerance(std::span<const f64> samples, f64 tolerance);

}  // namespace dio::brres
