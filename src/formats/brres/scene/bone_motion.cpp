#include "formats/brres/scene/bone_motion.hpp"

#include <algorithm>
#include <cmath>

#include "formats/brres/scene/curves.hpp"
#include "formats/brres/scene/rest_pose.hpp"
#include "formats/brres/semantics.hpp"
#include "scene/math.hpp"

namespace dio::brres {

namespace {

using scene::Channel;
using scene::Point;

constexpr u64 k_most_poses = u64(1) << 19;  // of all bones and animations; crafted files get fewer

/// A bone of a model with the curves of an animation. The other numbers are constant.
struct MovingBone {
  i32 parent = -1;
  bool compensates = false;
  std::array<Point, 3> still;  // scale, rotation, translation
  std::vector<std::pair<u32, ChrCurve>> curves = {};
  bool is_uniform = false;

  std::array<Point, 3> at(f64 frame) const {
    std::array<Point, 3> out = still;
    for (const auto& [i, curve] : curves) out[i / 3][i % 3] = curve.at(frame);
    if (is_uniform) out[0][1] = out[0][2] = out[0][0];
    return out;
  }
};

MovingBone bind_bone(const Model& m, size_t i, const ChrBone* moves) {
  const Bone& b = m.bones[i];
  MovingBone out{.parent = find_parent_bone(m, i),
                 .compensates = (b.flags & Bone::k_compensates) != 0,
                 .still = {to_point(b.scale), to_point(b.rotation), to_point(b.translation)}};
  if (!moves) return out;
  out.compensates = (moves->flags & chr_flag::compensates) != 0;
  constexpr u32 k_of_model[] = {chr_flag::scale_of_model, chr_flag::rotation_of_model, chr_flag::translation_of_model};
  for (size_t k = 0; k < 3; ++k)
    if (!(moves->flags & k_of_model[k])) out.still[k] = k ? Point{0, 0, 0} : Point{1, 1, 1};
  ChrBone::for_each_track(*moves, [&](u32 k, const ChrTrack& track, u8 format) {
    out.curves.push_back({k, ChrCurve(track, format)});
    out.is_uniform |= k == 0 && moves->flags & chr_flag::uniform_scale;
  });
  return out;
}

/// The poses of a node at all samples.
struct NodePoses {
  std::vector<f64> translation, scale;
  std::vector<scene::Vec4> rotation;
};

void append_pose(NodePoses& out, const std::array<Point, 3>& numbers, const Point& scale) {
  const auto& [own_scale, degrees, translation] = numbers;
  out.scale.insert(out.scale.end(), scale.begin(), scale.end());
  out.translation.insert(out.translation.end(), translation.begin(), translation.end());
  const auto finite = [](f64 x) { return std::isfinite(f32(x)) ? f32(x) : 0; };
  scene::Vec4 q = scene::from_euler_degrees({finite(degrees[0]), finite(degrees[1]), finite(degrees[2])});
  if (!out.rotation.empty()) {  // the nearer of the two quaternions of a rotation
    f64 along = 0;
    for (size_t i = 0; i < 4; ++i) along += f64(q[i]) * out.rotation.back()[i];
    if (along < 0) q = {-q[0], -q[1], -q[2], -q[3]};
  }
  out.rotation.push_back(q);
}

/// Adds a channel with the values of some samples, unless it would only repeat the value of the node.
void add_channel(scene::Animation& out, scene::Index node, Channel::Target target, const Sampling& sampling,
                 const std::vector<size_t>& keys, const scene::Vec4& rest, auto value) {
  Channel c{.node = node, .target = target, .times = {}, .values = {}};
  for (const size_t i : keys) c.times.push_back(sampling.seconds(i)), c.values.push_back(value(i));
  if (c.values.size() == 2 && c.values[0] == c.values[1]) c.times.resize(1), c.values.resize(1);
  if (c.values.size() == 1 && c.values[0] == rest) return;
  out.channels.push_back(std::move(c));
}

void add_channels(scene::Animation& out, scene::Index node, const scene::Node& rest, const Sampling& sampling,
                  const NodePoses& poses) {
  const auto add_vector = [&](Channel::Target target, const std::vector<f64>& all, const scene::Vec3& still, f64 near) {
    if (!std::ranges::all_of(all, [](f64 x) { return std::isfinite(f32(x)); })) return;
    f64 largest = 0;
    for (const f64 x : all) largest = std::max(largest, std::fabs(x));
    constexpr f64 k_rounding = 1e-6;
    add_channel(out, node, target, sampling, find_polyline_keys(all, 3, std::max(near, k_rounding * largest)),
                {still[0], still[1], still[2], 0},
                [&](size_t i) { return scene::Vec4{f32(all[3 * i]), f32(all[3 * i + 1]), f32(all[3 * i + 2]), 0}; });
  };
  constexpr f64 k_near_translation = 1e-3, k_near_angle = 1e-4, k_near_scale = 1e-5;
  add_vector(Channel::Target::translation, poses.translation, rest.translation, k_near_translation);
  add_channel(out, node, Channel::Target::rotation, sampling, find_rotation_keys(poses.rotation, k_near_angle),
              rest.rotation, [&](size_t i) { return poses.rotation[i]; });
  add_vector(Channel::Target::scale, poses.scale, rest.scale, k_near_scale);
}

bool has_bone(const Model& m, const EntriesByName<ChrBone>& entries) {
  return std::ranges::any_of(m.bones, [&](const Bone& b) { return entries.find(b.name) != nullptr; });
}

void animate_model(const EntriesByName<ChrBone>& entries, const SceneModel& in, const Sampling& sampling,
                   const scene::Scene& s, scene::Animation& out) {
  std::vector<MovingBone> bones;
  for (size_t i = 0; i < in.model->bones.size(); ++i)
    bones.push_back(bind_bone(*in.model, i, entries.find(in.model->bones[i].name)));
  std::vector<NodePoses> poses(bones.size());
  std::vector<std::array<Point, 3>> now(bones.size());
  for (size_t k = 0; k < sampling.count(); ++k)
    for (size_t i = 0; i < bones.size(); ++i) {
      now[i] = bones[i].at(sampling.frame(k));
      const bool is_compensated = bones[i].compensates && bones[i].parent >= 0;
      append_pose(poses[i], now[i],
                  is_compensated ? compensate_scale(now[i][0], now[size_t(bones[i].parent)][0]) : now[i][0]);
    }
  for (size_t i = 0; i < bones.size(); ++i) add_channels(out, in.bones[i], s.nodes[in.bones[i]], sampling, poses[i]);
}

}  // namespace

std::vector<size_t> add_chr_animations(const Brres& file, std::span<const SceneModel> models, scene::Scene& s) {
  std::vector<std::vector<const SceneModel*>> all;
  u64 poses = 0;
  for (const ChrFile& f : file.chr_files) {
    std::vector<const SceneModel*>& moving = all.emplace_back();
    if (!f.animation) continue;
    const EntriesByName entries(f.animation->bones);
    for (const SceneModel& m : models)
      if (is_played_on(file, *f.animation, *m.model) && has_bone(*m.model, entries))
        moving.push_back(&m), poses += m.bones.size() * (f.animation->frame_count + 1u);
  }
  std::vector<size_t> others;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!file.chr_files[i].animation) continue;
    if (all[i].empty()) {
      others.push_back(i);
      continue;
    }
    const ChrAnimation& a = *file.chr_files[i].animation;
    const Sampling sampling{a.frame_count, u32(poses / k_most_poses + 1)};
    scene::Animation out = start_animation(a, "chr_animation", "chr_files", i);
    const EntriesByName entries(a.bones);
    for (const SceneModel* m : all[i]) animate_model(entries, *m, sampling, s, out);
    if (out.channels.empty()) {  // an animation that keeps the rest pose is kept
      const scene::Index node = all[i][0]->bones[0];
      const scene::Vec3& at = s.nodes[node].translation;
      out.channels.push_back({.node = node, .times = {0}, .values = {{at[0], at[1], at[2], 0}}});
    }
    s.animations.push_back(std::move(out));
  }
  return others;
}

}  // namespace dio::brres
