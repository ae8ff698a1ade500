// transforms.hpp: the transforms of nodes.
#pragma once
#include <optional>

#include "core/elementary.hpp"
#include "scene/affine.hpp"
#include "scene/math.hpp"

namespace dio::scene {

/// From a node to its parent.
inline Affine local_transform(const Node& node) {
  const Mat3 turn = to_matrix(node.rotation);
  Affine out;
  for (size_t c = 0; c < 3; ++c) {
    for (size_t i = 0; i < 3; ++i) out.linear.columns[c][i] = f64(turn[c][i]) * node.scale[c];
    out.origin[c] = node.translation[c];
  }
  return out;
}

/// From each node to the scene.
inline std::vector<Affine> world_transforms(const Scene& scene) {
  std::vector<Affine> out;
  out.reserve(scene.nodes.size());
  for (const Node& n : scene.nodes) {
    const Affine own = local_transform(n);
    out.push_back(n.parent == k_none ? own : out[n.parent] * own);
  }
  return out;
}

/// From the space of a skinned mesh to the scene, for a vertex: the blend of its joints, which have the transforms
/// `places`.
inline Affine skin_matrix(const std::vector<Affine>& places, const Skin& skin, const std::array<u16, 4>& joints,
                          const Vec4& weights) {
  Affine sum{{{Point{0, 0, 0}, Point{0, 0, 0}, Point{0, 0, 0}}}, {0, 0, 0}};
  for (size_t j = 0; j < 4; ++j) {
    if (!(weights[j] > 0)) continue;
    const Mat4& m = skin.inverse_bind[joints[j]];
    Affine bind;
    for (size_t c = 0; c < 3; ++c) bind.linear.columns[c] = {m[c * 4], m[c * 4 + 1], m[c * 4 + 2]};
    bind.origin = {m[12], m[13], m[14]};
    const Affine whole = places[skin.joints[joints[j]]] * bind;
    for (size_t i = 0; i < 3; ++i) {
      for (size_t c = 0; c < 3; ++c) sum.linear.columns[c][i] += weights[j] * whole.linear.columns[c][i];
      sum.origin[i] += weights[j] * whole.origin[i];
    }
  }
  return sum;
}

/// Whether a node is rotated in the scene.
inline bool is_rotated(const Scene& scene, Index node) {
  Affine place;
  for (Index i = node; i != k_none; i = scene.nodes[i].parent) place = local_transform(scene.nodes[i]) * place;
  for (size_t c = 0; c < 3; ++c)
    for (size_t r = 0; r < 3; ++r)
      if (r != c && std::fabs(place.linear.columns[c][r]) > 1e-3 * length(place.linear.columns[c])) return true;
  return false;
}

inline Mat4 to_matrix(const Affine& a) {
  Mat4 out{};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t c = 0; c < 3; ++c) out[4 * c + i] = f32(a.linear.columns[c][i]);
    out[12 + i] = f32(a.origin[i]);
  }
  out[15] = 1;
  return out;
}
inline Pose decompose_trs(const Node& node) { return {node.translation, node.rotation, node.scale}; }
inline Affine local_transform(const Pose& pose) {
  Node node;
  node.translation = pose.translation, node.rotation = pose.rotation, node.scale = pose.scale;
  return local_transform(node);
}
/// Gives axes of length 0, which come from scales of 0, a direction, so that the three axes form a rotation.
inline void complete_axes(Mat3d& unit_axes) {
  auto& c = unit_axes.columns;
  const auto is_missing = [&](size_t i) { return dot(c[i], c[i]) == 0; };
  size_t known = 0;
  while (known < 3 && is_missing(known)) ++known;
  if (known == 3) {
    unit_axes = {};
    return;
  }
  const size_t next = (known + 1) % 3, last = (known + 2) % 3;
  if (is_missing(next) && is_missing(last)) {
    Point across{0, 0, 0};
    const auto flat = [&](size_t a, size_t b) { return std::fabs(c[known][a]) < std::fabs(c[known][b]); };
    across[flat(next, last) ? next : last] = 1;
    c[next] = unit(cross(across, c[known]));
  }
  for (size_t i = 0; i < 3; ++i)
    if (is_missing(i)) c[i] = cross(c[(i + 1) % 3], c[(i + 2) % 3]);
}
/// Nothing if the axes are not perpendicular, because such a transform is no pose. A mirrored one has negative scales.
inline std::optional<Pose> decompose_trs(const Affine& place) {
  Pose pose;
  Mat3d turned = place.linear;
  const f64 sign = determinant(turned) < 0 ? -1 : 1;
  for (size_t c = 0; c < 3; ++c) {
    const f64 size = length(turned.columns[c]) * sign;
    pose.scale[c] = f32(size), pose.translation[c] = f32(place.origin[c]);
    for (f64& x : turned.columns[c]) x = size == 0 ? 0 : x / size;
  }
  complete_axes(turned);
  constexpr f64 k_skew = 1e-3;
  for (size_t c = 0; c < 3; ++c)
    if (!(std::fabs(dot(turned.columns[c], turned.columns[(c + 1) % 3])) < k_skew)) return {};
  pose.rotation = quaternion_of(decompose_rotation(turned));
  return pose;
}

/// The angles in degrees for from_euler_degrees that give a rotation: of all solutions, the one nearest to `near`.
inline Vec3 nearest_euler_degrees(const Vec4& rotation, const Vec3& near) {
  // In 64 bits: near a right angle, sines have few digits.
  const f64 x = rotation[0], y = rotation[1], z = rotation[2], w = rotation[3];
  const f64 across = 1 - 2 * (y * y + z * z), up = 2 * (x * y + z * w), sine = 2 * (y * w - x * z);
  const f64 cosine = elementary::hypot(across, up);
  std::array<f64, 3> angles{elementary::atan2(2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
                            elementary::atan2(sine, cosine), elementary::atan2(up, across)};
  if (cosine < 1e-4) {  // straight up or down: x and z rotate about the same axis, so x keeps its value
    angles[0] = near[0] * std::numbers::pi / 180;
    const f64 around = elementary::atan2(2 * (x * y - z * w), 1 - 2 * (x * x + z * z));
    angles[1] = sine > 0 ? std::numbers::pi / 2 : -std::numbers::pi / 2;
    angles[2] = sine > 0 ? angles[0] - around : -around - angles[0];
  }
  std::array<f64, 3> best{};
  f64 least = 1e300;
  for (const bool other : {false, true}) {
    std::array<f64, 3> a = angles;
    if (other) a = {a[0] + std::numbers::pi, std::numbers::pi - a[1], a[2] + std::numbers::pi};
    f64 far = 0;
    for (size_t i = 0; i < 3; ++i) {
      a[i] *= 180 / std::numbers::pi;
      if (std::isfinite(near[i])) a[i] += 360 * std::round((near[i] - a[i]) / 360);
      far += std::fabs(a[i] - near[i]);
    }
    if (far < least) least = far, best = a;
  }
  return {f32(best[0]), f32(best[1]), f32(best[2])};
}

}  // namespace dio::scene
