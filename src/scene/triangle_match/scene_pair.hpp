// scene_pair.hpp: the two scenes whose triangles are matched.
#pragma once
#include <algorithm>

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

inline Index find_root(const Scene& s, Index node) {
  while (node != k_none && s.nodes[node].parent != k_none) node = s.nodes[node].parent;
  return node;
}
/// The root of the original scene below which a node of the edited scene is; none if all nodes above are new.
inline Index find_original_root(const ScenePair& s, Index node) {
  for (Index i = node; i != k_none; i = s.edited.nodes[i].parent)
    if (s.original_nodes[i] != k_none) return find_root(s.original, s.original_nodes[i]);
  return k_none;
}

/// Whether an animation moves, turns or scales a node or one above it.
inline bool is_below_animated(const Scene& s, Index node) {
  const auto is_moved = [&](Index n) {
    return std::ranges::any_of(s.animations, [&](const Animation& a) {
      return std::ranges::find(a.channels, n, &Channel::node) != a.channels.end();
    });
  };
  for (Index i = node; i != k_none; i = s.nodes[i].parent)
    if (is_moved(i)) return true;
  return false;
}

inline Point to_point(const Vec3& v) { return {v[0], v[1], v[2]}; }

}  // namespace dio::scene
