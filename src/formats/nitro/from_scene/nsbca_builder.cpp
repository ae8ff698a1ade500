#include "formats/nitro/from_scene/nsbca_builder.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/from_scene/animation_files.hpp"
#include "formats/nitro/from_scene/curve_fit.hpp"
#include "formats/nitro/from_scene/names.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/scene/pose.hpp"
#include "scene/channels.hpp"

namespace dio::nitro {

using scene::Index;
using scene::k_none;

namespace {

/// The transform of a node at each frame.
struct Frames {
  std::array<std::vector<i32>, 3> translation, scale;  // 1/4096
  std::vector<std::array<i16, 9>> rotation;            // 1/4096, column by column
};

class NsbcaBuilder {
 public:
  NsbcaBuilder(const scene::Scene& s, const Skeleton& skeleton, f64 units, const SceneClips& clips)
      : s_(s), skeleton_(skeleton), units_(units), clips_(clips) {}

  /// Nothing if the animation moves no bone.
  std::optional<JointAnimation> build_animation(const scene::Animation& from) {
    f64 last = -1;
    for (const scene::Channel& c : from.channels) last = std::max(last, f64(c.times.back()));
    if (last < 0) return {};
    JointAnimation a{};
    known_.clear();
    rate_ = clips_.rate(from);
    was_cut |= std::round(last * rate_) + 1 > k_most_frames;
    a.frames = u16(clips_.count_frames(from, last));
    for (u32 bone = 0; bone < skeleton_.bones().size(); ++bone) a.tracks.push_back(build_track(from, bone, a));
    return a;
  }
  bool was_cut = false;
  // The greatest errors of curves at frames without samples: in units, in a matrix element, in a scale.
  f64 error_of_places = 0, error_of_turns = 0, error_of_scales = 0;

 private:
  Frames sample_bone(const scene::Animation& from, u32 bone, u32 count) const {
    Frames out;
    const Bone& b = skeleton_.bones()[bone];
    std::array<const scene::Channel*, 3> channels{};
    scene::Node node;
    std::optional<scene::Affine> above;  // transform between the node and its parent bone
    if (skeleton_.has_own_node(bone)) {
      const Index turning = skeleton_.rotation_node(bone);
      for (const scene::Channel& c : from.channels)
        if (c.node == (c.target == scene::Channel::Target::translation ? b.node : turning))
          channels[size_t(c.target)] = &c;
      node = s_.nodes[b.node];
      node.rotation = s_.nodes[turning].rotation, node.scale = s_.nodes[turning].scale;
      if (node.parent != k_none && !skeleton_.inherits_parent_transform(bone))
        above = skeleton_.node_transform(node.parent);
      if (above == scene::Affine()) above.reset();
    }
    for (u32 f = 0; f < count; ++f) {
      const f64 time = f64(f) / rate_, near = 0.02 / rate_;
      if (channels[0])
        std::ranges::copy_n(scene::value_at(*channels[0], time, near).begin(), 3, node.translation.begin());
      if (channels[1]) node.rotation = scene::value_at(*channels[1], time, near);
      if (channels[2]) std::ranges::copy_n(scene::value_at(*channels[2], time, near).begin(), 3, node.scale.begin());
      scene::Pose pose = scene::decompose_trs(node);
      if (above) pose = scene::decompose_trs(*above * scene::local_transform(node)).value_or(pose);
      for (size_t i = 0; i < 3; ++i) {
        out.translation[i].push_back(to_fx32(pose.translation[i] * units_).raw);
        out.scale[i].push_back(to_fx32(pose.scale[i]).raw);
      }
      out.rotation.push_back(to_rotation_elements(pose.rotation));
    }
    return out;
  }

  Track build_track(const scene::Animation& from, u32 bone, JointAnimation& a) {
    const Frames frames = sample_bone(from, bone, a.frames);
    Track t{};
    t.node = u8(bone);
    const auto all_are = [](const auto& values, const auto& wanted) {
      return std::ranges::all_of(values, [&](const auto& v) { return v == wanted; });
    };
    constexpr std::array<i16, 9> k_identity_rotation{4096, 0, 0, 0, 4096, 0, 0, 0, 4096};
    t.translation_identity = t.scale_identity = 1;
    for (size_t i = 0; i < 3; ++i) {
      t.translation_identity &= all_are(frames.translation[i], 0);
      t.scale_identity &= all_are(frames.scale[i], 4096);
    }
    t.rotation_identity = all_are(frames.rotation, k_identity_rotation);
    t.identity = t.translation_identity && t.rotation_identity && t.scale_identity;
    for (size_t i = 0; i < 3; ++i) {
      TranslationChannel& c = t.translation[i];
      const auto& values = frames.translation[i];
      c.constant = all_are(values, values[0]);
      c.value.raw = values[0];
      if (!c.constant) c.samples = fit_and_store_curve(values, k_near_translation * 4096, c.curve, error_of_places);
      ScaleChannel& s = t.scale[i];
      const auto& sizes = frames.scale[i];
      s.constant = all_are(sizes, sizes[0]);
      s.value.raw = sizes[0], s.inverse.raw = fixed_point_inverse(sizes[0]);
      if (s.constant) continue;
      for (const i32 size : fit_and_store_curve(sizes, k_near_scale * 4096, s.curve, error_of_scales)) {
        s.samples.push_back(size);
        s.samples.push_back(fixed_point_inverse(size));
        if (fixed_point_inverse(size) != i16(fixed_point_inverse(size))) s.curve.narrow = 0;
      }
    }
    if (t.rotates()) set_rotation_channel(t.rotation, frames.rotation, a);
    return t;
  }
  static i32 fixed_point_inverse(i32 raw) { return raw ? to_fx32(4096.0 / raw).raw : 0; }

  /// The samples of a curve; raises `error` to the error of the curve if that is larger.
  static std::vector<i32> fit_and_store_curve(const std::vector<i32>& values, f64 near, Curve& c, f64& error) {
    FittedCurve curve = fit_curve(values, near);
    error = std::max(error, curve.error / 4096);
    c.step = curve.step, c.last = curve.last, c.narrow = curve.narrow;
    return std::move(curve.samples);
  }

  void set_rotation_channel(RotationChannel& c, const std::vector<std::array<i16, 9>>& frames, JointAnimation& a) {
    c.constant = std::ranges::all_of(frames, [&](const auto& m) { return m == frames[0]; });
    if (c.constant) {
      c.index = find_or_add_rotation(frames[0], a);
      return;
    }
    const u32 count = u32(frames.size());
    for (const u8 step : {u8(2), u8(1), u8(0)}) {
      c.curve.step = step;
      c.curve.last = last_interpolated_frame(step, count);
      const auto samples = pick_samples(frames, step, c.curve.last);
      f64 error = 0;
      if (step && !does_curve_match_rotations(samples, frames, c.curve, error)) continue;
      error_of_turns = std::max(error_of_turns, error);
      for (const auto& m : samples) c.samples.push_back(find_or_add_rotation(m, a));
      return;
    }
  }
  static bool does_curve_match_rotations(const std::vector<std::array<i16, 9>>& samples,
                                         const std::vector<std::array<i16, 9>>& frames, const Curve& c, f64& error) {
    for (u32 f = 0; f < frames.size(); ++f) {
      const CurvePlace p = locate_whole_frame(c.step, c.last, f);
      std::array<f64, 9> shown;
      for (size_t i = 0; i < 9; ++i)
        shown[i] =
            samples[p.first][i] + (p.weight == 0 ? 0 : (f64(samples[p.second][i]) - samples[p.first][i]) * p.weight);
      for (size_t column = 0; column < 9; column += 3) {
        const f64 size = std::sqrt(shown[column] * shown[column] + shown[column + 1] * shown[column + 1] +
                                   shown[column + 2] * shown[column + 2]);
        if (!(size > 0)) return false;
        for (size_t i = column; i < column + 3; ++i)
          error = std::max(error, std::fabs(shown[i] / size - frames[f][i] / 4096.0));
        if (error > k_near_rotation) return false;
      }
    }
    return true;
  }

  /// Each rotation is stored in a table of the animation once.
  u16 find_or_add_rotation(const std::array<i16, 9>& e, JointAnimation& a) {
    const auto [known, is_new] = known_.try_emplace(e, u16(0));
    if (!is_new) return known->second;
    if (const auto p = find_pivot(e)) {
      PivotRotation r{};
      r.pivot_index = p->index, r.pivot_negative = p->negative, r.c_negative = p->c_negative,
      r.d_negative = p->d_negative;
      r.a = p->a, r.b = p->b;
      known->second = u16(0x8000 | a.pivots.size());
      a.pivots.push_back(r);
      return known->second;
    }
    const auto thirteen = [](i16 x) { return u16(std::clamp<int>(x, -4096, 4095) & 0x1FFF); };
    const u16 low = u16(std::clamp<int>(e[5], -4096, 4095) & 0x7FFF);
    BasisRotation r{};
    r.words = {u16(thirteen(e[0]) << 3 | (low >> 9 & 7)), u16(thirteen(e[1]) << 3 | (low >> 6 & 7)),
               u16(thirteen(e[2]) << 3 | (low >> 3 & 7)), u16(thirteen(e[3]) << 3 | (low & 7)),
               u16(thirteen(e[4]) << 3 | (low >> 12 & 7))};
    known->second = u16(a.bases.size());
    a.bases.push_back(r);
    return known->second;
  }

  const scene::Scene& s_;
  const Skeleton& skeleton_;
  const f64 units_;
  const SceneClips& clips_;
  u32 rate_ = k_usual_rate;                  // frame rate of the current animation
  std::map<std::array<i16, 9>, u16> known_;  // rotations of the current animation
};

}  // namespace

Result<std::vector<BuiltFile>> build_nsbca(const scene::Scene& s, const Skeleton& skeleton, f64 units,
                                           SceneClips& clips, Diagnostics& notes) {
  ClipsOf<Nsbca> all;
  Names names;
  NsbcaBuilder maker(s, skeleton, units, clips);
  u64 others = 0;
  for (const scene::Animation& from : s.animations) {
    others += from.fov_channels.size();
    auto made = maker.build_animation(from);
    if (!made) continue;
    made->name = names(SceneClips::name_of(from), "animation");
    clips.mark_used(from);
    all.push_back({std::move(*made), clips.file_of(from)});
  }
  clips.add_changed_names(names.changed());
  if (maker.was_cut)
    notes.push_back(
        make_diagnostic(Severity::hint, "nitro.make-motion", {},
                        {.message = text("long animations were truncated after ", k_most_frames, " frames")}));
  const auto rounded = [](f64 x) { return std::ceil(x * 1e4) / 1e4; };
  if (maker.error_of_places > 0 || maker.error_of_turns > 0 || maker.error_of_scales > 0)
    notes.push_back(make_diagnostic(
        Severity::hint, "nitro.make-motion", {},
        {.message = text("between the kept frames, the motion differs from the scene by at most ",
                         rounded(maker.error_of_places), " units in position, ", rounded(maker.error_of_turns),
                         " in an element of a rotation matrix and ", rounded(maker.error_of_scales), " in scale")}));
  if (others)
    notes.push_back(make_diagnostic(Severity::hint, "nitro.make-motion", {},
                                    {.message = text("omitted ", format_count(others, "camera animation channel"))}));
  return save_clips<Nsbca>(std::move(all), ".nsbca");
}

}  // namespace dio::nitro
