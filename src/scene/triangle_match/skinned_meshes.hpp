// skinned_meshes.hpp: the positions of the vertices of skinned meshes of an edited scene.
#pragma once
#include "scene/triangle_match/original_triangles.hpp"

namespace dio::scene {

/// For each joint of an edited skin, its number in the original skin; k_none if the original skin lacks it.
std::vector<Index> match_joints(const ScenePair&, const Skin& edited, const Skin& original);

class SkinnedMeshes {
 public:
  explicit SkinnedMeshes(const OriginalTriangles& original) : own_(original), s_(original.scenes) {}

  /// The vertices in the original scene, for a mesh whose space is that of the bind pose, or of the pose in the scene.
  std::vector<Point> locate(const Node&, const Primitive&);

 private:
  const Skin* find_original_skin(const Skin&) const;
  const Skin& unscaled_skin(const Skin& original);

  const OriginalTriangles& own_;
  const ScenePair& s_;
  std::map<const Skin*, Skin> unscaled_;
};

}  // namespace dio::scene
