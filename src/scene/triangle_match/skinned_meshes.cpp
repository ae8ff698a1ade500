#include "scene/triangle_match/skinned_meshes.hpp"

#include <algorithm>

namespace dio::scene {

std::vector<Index> match_joints(const ScenePair& s, const Skin& edited, const Skin& original) {
  std::vector<Index> out;
  for (const Index joint : edited.joints) {
    const Index node = s.original_nodes[joint];
    const auto found = std::ranges::find(original.joints, node);
    out.push_back(node != k_none && found != original.joints.end() ? Index(found - original.joints.begin()) : k_none);
  }
  return out;
}

/// The original skin that shares the most joints with an edited one; null if there are no skins.
const Skin* SkinnedMeshes::find_original_skin(const Skin& skin) const {
  const Skin* best = nullptr;
  size_t most = 0;
  for (const Skin& own : s_.original.skins) {
    const std::vector<Index> joints = match_joints(s_, skin, own);
    const size_t known = joints.size() - size_t(std::ranges::count(joints, k_none));
    if (!best || known > most) best = &own, most = known;
  }
  return best;
}
/// A skin whose bind pose is that of the joints without scale, which bones of some programs do not have.
const Skin& SkinnedMeshes::unscaled_skin(const Skin& original) {
  const auto [known, is_new] = unscaled_.try_emplace(&original, original);
  if (!is_new) return known->second;
  Scene unscaled;
  unscaled.nodes = s_.original.nodes;
  for (const Index joint : original.joints) unscaled.nodes[joint].scale = {1, 1, 1};
  const std::vector<Affine> places = world_transforms(unscaled);
  for (size_t i = 0; i < original.joints.size(); ++i)
    known->second.inverse_bind[i] = to_matrix(inverse(places[original.joints[i]]).value_or(Affine{}));
  return known->second;
}

std::vector<Point> SkinnedMeshes::locate(const Node& n, const Primitive& p) {
  const Skin& skin = s_.edited.skins[n.skin];
  const Skin* own_skin = find_original_skin(skin);
  const std::vector<Index> joints =
      own_skin ? match_joints(s_, skin, *own_skin) : std::vector<Index>(skin.joints.size(), k_none);
  std::vector<Point> in_bind_pose, posed, scaled;
  for (size_t v = 0; v < p.positions.size(); ++v) {
    const Point at = to_point(p.positions[v]);
    posed.push_back(skin_matrix(s_.edited_places, skin, p.joints[v], p.weights[v]) * at);
    std::array<u16, 4> own{};
    bool has_all = own_skin != nullptr;
    for (size_t k = 0; k < 4; ++k) {
      if (!(p.weights[v][k] > 0)) continue;
      const Index joint = joints[p.joints[v][k]];
      has_all = has_all && joint != k_none;
      own[k] = u16(joint);
    }
    const auto& places = s_.original_places;
    in_bind_pose.push_back(has_all ? skin_matrix(places, *own_skin, own, p.weights[v]) * at : posed.back());
    scaled.push_back(has_all ? skin_matrix(places, unscaled_skin(*own_skin), own, p.weights[v]) * posed.back()
                             : posed.back());
  }
  std::vector<Point>* best = &in_bind_pose;
  for (std::vector<Point>* other : {&posed, &scaled})
    if (own_.count_known(*other) > own_.count_known(*best)) best = other;
  return std::move(*best);
}

}  // namespace dio::scene
