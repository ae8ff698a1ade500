// scene_pair.hpp: the two scenes whose triangles are matched.
#pragma once
#include "scene/transforms.hpp"
#include "scene/triangle_match.hpp"

namespace dio::scene {

/// The arguments of match_triangles, and the transforms of the nodes.
struct ScenePair {
  const Scene &original, &edited;
  std::span<const Index> original_nodes;  // by node of the edited scene; k_none: it is new
  const std::vector<bool>&original_parts, &edited_parts;
  TriangleMatching options;
  std::vector<Affine> original_places = world_transforms(original), edited_places = world_transforms(edited);
};

inline Point to_point(const Vec3& v) { return {v[0], v[1], v[2]}; }

}  // namespace dio::scene
