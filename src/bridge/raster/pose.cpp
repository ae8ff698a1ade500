#include "bridge/raster/pose.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/elementary.hpp"
#include "scene/math.hpp"
#include "scene/transforms.hpp"

namespace dio::raster {

using namespace scene;

namespace {

/// The two keys around a time, and the position between them.
struct KeyInterval {
  size_t from = 0, to = 0;
  f64 part = 0;
};
KeyInterval find_key_interval(const std::vector<f32>& times, f32 time) {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return {};
  const auto from = size_t(after - times.begin()) - 1;
  if (after == times.end()) return {from, from, 0};
  return {from, from + 1, (f64(time) - times[from]) / (f64(times[from + 1]) - times[from])};
}

Vec4 lerp_values(const Vec4& a, const Vec4& b, f64 part) {
  Vec4 out;
  for (size_t i = 0; i < 4; ++i) out[i] = f32((1 - part) * a[i] + part * b[i]);
  return out;
}

/// Along the shorter arc, at constant speed (glTF 2.0, appendix C.4).
Vec4 slerp_quaternions(const Vec4& a, const Vec4& b, f64 part) {
  f64 cosine = 0;
  for (size_t i = 0; i < 4; ++i) cosine += f64(a[i]) * b[i];
  const f64 sign = cosine < 0 ? -1 : 1;
  cosine = std::min(std::fabs(cosine), 1.0);
  f64 wa = 1 - part, wb = part;
  if (cosine < 0.9999) {  // for smaller angles, the straight line equals the arc
    const f64 angle = elementary::acos(cosine), sine = elementary::sin(angle);
    wa = elementary::sin((1 - part) * angle) / sine;
    wb = elementary::sin(part * angle) / sine;
  }
  wb *= sign;
  return unit_quaternion(wa * a[0] + wb * b[0], wa * a[1] + wb * b[1], wa * a[2] + wb * b[2], wa * a[3] + wb * b[3]);
}

template <class C>
Vec4 sample_channel(const C& channel, f32 time, bool rotates = false) {
  const KeyInterval k = find_key_interval(channel.times, time);
  const Vec4 &a = channel.values[k.from], &b = channel.values[k.to];
  if (k.from == k.to || channel.interpolation == Channel::Interpolation::step) return a;
  return rotates ? slerp_quaternions(a, b, k.part) : lerp_values(a, b, k.part);
}

void move(Node& node, const Channel& c, f32 time) {
  using enum Channel::Target;
  const Vec4 v = sample_channel(c, time, c.target == rotation);
  if (c.target == rotation)
    node.rotation = v;
  else
    (c.target == translation ? node.translation : node.scale) = {v[0], v[1], v[2]};
}

void move(Material& material, const MaterialChannel& c, f32 time) {
  using enum MaterialChannel::Target;
  const Vec4 v = sample_channel(c, time);
  switch (c.target) {
    case color:
      material.color = v;
      break;
    case offset:
      material.transform.offset = {v[0], v[1]};
      break;
    case scale:
      material.transform.scale = {v[0], v[1]};
      break;
    case rotation:
      material.transform.rotation = v[0];
      break;
  }
}

/// The properties that an animation moves, in comparable form.
using AnimatedProperty = std::tuple<int, Index, int>;
std::vector<AnimatedProperty> list_animated_properties(const Animation& a) {
  std::vector<AnimatedProperty> out;
  for (const Channel& c : a.channels) out.emplace_back(0, c.node, int(c.target));
  for (const FovChannel& c : a.fov_channels) out.emplace_back(1, c.camera, 0);
  for (const MaterialChannel& c : a.material_channels) out.emplace_back(2, c.material, int(c.target));
  for (const VisibilityChannel& c : a.visibility_channels) out.emplace_back(3, c.node, 0);
  return out;
}

}  // namespace

Pose evaluate_pose(const Scene& scene, const Moment& moment) {
  Pose pose;
  pose.materials = scene.materials;
  pose.variant = moment.variant;
  for (const Camera& c : scene.cameras) pose.fovs.push_back(c.vertical_fov);
  // Copies only animated nodes, because nodes have names and extras.
  std::vector<Node> moved;
  std::vector<Index> at(scene.nodes.size(), k_none);
  pose.visible.resize(scene.nodes.size());
  for (size_t i = 0; i < scene.nodes.size(); ++i) pose.visible[i] = scene.nodes[i].visible;
  for (const Index index : moment.animations) {
    const Animation& a = scene.animations[index];
    for (const Channel& c : a.channels) {
      if (at[c.node] == k_none) {
        const Node& n = scene.nodes[c.node];
        at[c.node] = Index(moved.size());
        moved.push_back({{}, n.parent, n.translation, n.rotation, n.scale});
      }
      move(moved[at[c.node]], c, moment.time);
    }
    for (const FovChannel& c : a.fov_channels) {
      const KeyInterval k = find_key_interval(c.times, moment.time);
      pose.fovs[c.camera] = f32((1 - k.part) * c.values[k.from] + k.part * c.values[k.to]);
    }
    for (const MaterialChannel& c : a.material_channels) move(pose.materials[c.material], c, moment.time);
    for (const VisibilityChannel& c : a.visibility_channels)
      pose.visible[c.node] = c.visible[find_key_interval(c.times, moment.time).from];
  }
  pose.places.reserve(scene.nodes.size());
  for (size_t i = 0; i < scene.nodes.size(); ++i) {
    const Index parent = scene.nodes[i].parent;
    const Affine own = local_transform(at[i] == k_none ? scene.nodes[i] : moved[at[i]]);
    pose.places.push_back(parent == k_none ? own : pose.places[parent] * own);
    if (parent != k_none && !pose.visible[parent]) pose.visible[i] = false;
  }
  return pose;
}

std::vector<Index> compatible_animations(const Scene& scene) {
  std::vector<Index> out;
  std::set<AnimatedProperty> taken;
  for (Index i = 0; i < scene.animations.size(); ++i) {
    const std::vector<AnimatedProperty> moved = list_animated_properties(scene.animations[i]);
    if (std::any_of(moved.begin(), moved.end(), [&](const AnimatedProperty& m) { return taken.contains(m); })) continue;
    taken.insert(moved.begin(), moved.end());
    out.push_back(i);
  }
  return out;
}

f32 animation_duration(const Scene& scene, const std::vector<Index>& animations) {
  f32 length = 0;
  for (const Index index : animations) {
    const Animation& a = scene.animations[index];
    const auto extend_duration = [&](const auto& channels) {
      for (const auto& c : channels) length = std::max(length, c.times.back());
    };
    extend_duration(a.channels), extend_duration(a.fov_channels), extend_duration(a.material_channels),
        extend_duration(a.visibility_channels);
  }
  return length;
}

Affine skin_matrix(const Pose& pose, const Skin& skin, const std::array<u16, 4>& joints, const Vec4& weights) {
  return scene::skin_matrix(pose.places, skin, joints, weights);
}

}  // namespace dio::raster
