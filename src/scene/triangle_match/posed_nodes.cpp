#include "scene/triangle_match/posed_nodes.hpp"

#include <algorithm>

#include "scene/point_index.hpp"

namespace dio::scene {

namespace {

bool differs(const auto& a, const auto& b) {
  constexpr f32 k_same = 1e-4f;
  for (size_t i = 0; i < a.size(); ++i)
    if (std::fabs(a[i] - b[i]) > k_same) return true;
  return false;
}

}  // namespace

PosedNodes::PosedNodes(const ScenePair& scenes, f64 tolerance) : s_(scenes), tolerance_(tolerance) {
  find_animated();
  rest_.resize(s_.edited.nodes.size());
  for (Index i = 0; i < s_.edited.nodes.size(); ++i) {
    const Node& n = s_.edited.nodes[i];
    const Affine local = local_transform(n);
    const Index own = s_.original_nodes[i];
    const bool is_hidden = determinant(local.linear) == 0;  // by programs without hidden nodes
    if (own != k_none && (is_posed_[i] || is_hidden))
      rest_[i] = was_moved_itself(i) ? place_of_moved(i) : s_.original_places[own];
    else
      rest_[i] = n.parent == k_none ? local : rest_[n.parent] * local;
  }
}
/// Nodes that animations move: their transform in the edited scene is a pose, not an edit.
void PosedNodes::find_animated() {
  is_posed_.assign(s_.edited.nodes.size(), false), has_posed_place_ = is_posed_;
  for (const Animation& a : s_.edited.animations) {
    for (const Channel& c : a.channels) {
      if (c.node == k_none) continue;
      is_posed_[c.node] = true;
      if (c.target == Channel::Target::translation) has_posed_place_[c.node] = true;
    }
    for (const VisibilityChannel& c : a.visibility_channels)
      if (c.node != k_none) is_posed_[c.node] = true;
  }
  is_joint_.assign(s_.edited.nodes.size(), false);
  for (const Skin& s : s_.edited.skins)
    for (const Index joint : s.joints) is_posed_[joint] = has_posed_place_[joint] = is_joint_[joint] = true;
}

bool PosedNodes::is_below_joint(Index node) const {
  for (Index i = node; i != k_none; i = s_.edited.nodes[i].parent)
    if (is_joint_[i]) return true;
  return false;
}
bool PosedNodes::is_below_posed(Index node) const {
  for (Index i = node; i != k_none; i = s_.edited.nodes[i].parent)
    if (is_posed_[i]) return true;
  return false;
}
bool PosedNodes::has_other_translation(Index node) const {
  return distance(to_point(original_of(node).translation), to_point(s_.edited.nodes[node].translation)) > tolerance_;
}
bool PosedNodes::was_moved_itself(Index node) const {
  const Node &now = s_.edited.nodes[node], &own = original_of(node);
  const Index parent = now.parent == k_none ? k_none : s_.original_nodes[now.parent];
  if (now.parent != k_none && is_below_posed(now.parent) && may_have_pose_of_parents(node)) return false;
  return !has_posed_place_[node] && parent == own.parent && has_other_translation(node) &&
         !may_be_pose(s_.original_nodes[node], now.translation);
}
bool PosedNodes::was_turned_itself(Index node) const {
  const Index own = s_.original_nodes[node], parent = s_.edited.nodes[node].parent;
  if (own == k_none || parent == k_none || is_posed_[node] || is_below_joint(node)) return false;
  if (s_.original_nodes[parent] != original_of(node).parent) return false;
  return (has_other_rotation(node) || has_other_scale(node)) && !may_have_pose_of_parents(node);
}
bool PosedNodes::has_other_rotation(Index node) const {
  const Vec4 &now = s_.edited.nodes[node].rotation, &own = original_of(node).rotation;
  return differs(now, own) && differs(now, Vec4{-own[0], -own[1], -own[2], -own[3]});
}
bool PosedNodes::has_other_scale(Index node) const {
  return differs(s_.edited.nodes[node].scale, original_of(node).scale);
}
/// Whether a node below animated ones may have the inverse of their pose: it is turned or scaled like them, or moved by
/// no more than they are.
bool PosedNodes::may_have_pose_of_parents(Index node) const {
  const Node &now = s_.edited.nodes[node], &own = original_of(node);
  const Index parent = s_.original_nodes[now.parent];
  const auto is_animated = [&](Channel::Target target) {
    for (Index above = parent; above != k_none; above = s_.original.nodes[above].parent)
      if (has_channel(above, target)) return true;
    return parent == k_none;
  };
  // Joints have other axes; a node that is hidden has no size.
  if (has_other_rotation(node) && (is_animated(Channel::Target::rotation) || is_below_joint(node))) return true;
  if (has_other_scale(node) && (is_animated(Channel::Target::scale) || is_below_joint(node))) return true;
  for (Index above = parent; above != k_none; above = s_.original.nodes[above].parent) {
    const Vec3& at = s_.original.nodes[above].translation;
    Vec3 same = at, inverse = at;
    for (size_t i = 0; i < 3; ++i) {
      const f32 by = now.translation[i] - own.translation[i];
      same[i] += by, inverse[i] -= by;
    }
    if (has_channel(above, Channel::Target::translation) && (may_be_pose(above, same) || may_be_pose(above, inverse)))
      return true;
  }
  return false;
}
/// Whether a node or one above it has no size, as hidden nodes have for some programs.
bool PosedNodes::is_below_hidden(Index node) const {
  constexpr f64 k_no_size = 1e-9;
  for (Index i = node; i != k_none; i = s_.edited.nodes[i].parent)
    if (std::fabs(determinant(local_transform(s_.edited.nodes[i]).linear)) < k_no_size) return true;
  return false;
}
bool PosedNodes::has_channel(Index original, Channel::Target target) const {
  return std::ranges::any_of(s_.original.animations, [&](const Animation& a) {
    const auto is_visibility = [&](const VisibilityChannel& c) { return c.node == original; };
    return std::ranges::any_of(a.channels,
                               [&](const Channel& c) { return c.node == original && c.target == target; }) ||
           (target == Channel::Target::scale && std::ranges::any_of(a.visibility_channels, is_visibility));
  });
}
/// Whether animations of the original bring a node there: exporters drop channels that stay the same.
bool PosedNodes::may_be_pose(Index original, const Vec3& translation) const {
  std::array<f32, 3> low = s_.original.nodes[original].translation, high = low;
  for (const Animation& a : s_.original.animations)
    for (const Channel& c : a.channels) {
      if (c.node != original || c.target != Channel::Target::translation) continue;
      for (const Vec4& v : c.values)
        for (size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], v[i]), high[i] = std::max(high[i], v[i]);
    }
  for (size_t i = 0; i < 3; ++i)
    if (translation[i] < low[i] - tolerance_ || translation[i] > high[i] + tolerance_) return false;
  return true;
}
/// The transform of a node that was moved itself, if all animated nodes have their original transform.
Affine PosedNodes::place_of_moved(Index node) const {
  const Node& now = s_.edited.nodes[node];
  Affine local = local_transform(original_of(node));
  local.origin = to_point(now.translation);
  return now.parent == k_none ? local : rest_[now.parent] * local;
}

std::vector<Index> PosedNodes::find_ignored() const {
  std::vector<Index> out;
  for (Index i = 0; i < s_.edited.nodes.size(); ++i) {
    const Node& now = s_.edited.nodes[i];
    if (now.mesh == k_none || !s_.edited_parts[i] || s_.original_nodes[i] == k_none || is_posed_[i] ||
        now.parent == k_none || s_.original_nodes[now.parent] != original_of(i).parent || !is_below_posed(now.parent))
      continue;
    const bool is_turned = !is_below_joint(i) && !is_below_hidden(i) && (has_other_rotation(i) || has_other_scale(i));
    if ((has_other_translation(i) || is_turned) && may_have_pose_of_parents(i)) out.push_back(i);
  }
  return out;
}

}  // namespace dio::scene
