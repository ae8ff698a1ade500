// placing.hpp: the transforms of nodes.
#pragma once
#include "scene/affine.hpp"
#include "scene/maths.hpp"

namespace dio::scene {

/// From a node to its parent.
inline Affine affine_of(const Node& node) {
  const Mat3 turn = to_matrix(node.rotation);
  Affine out;
  for (size_t c = 0; c < 3; ++c) {
    for (size_t i = 0; i < 3; ++i) out.linear.columns[c][i] = f64(turn[c][i]) * node.scale[c];
    out.origin[c] = node.translation[c];
  }
  return out;
}

/// From each node to the scene.
inline std::vector<Affine> places_of(const Scene& scene) {
  std::vector<Affine> out;
  out.reserve(scene.nodes.size());
  for (const Node& n : scene.nodes) {
    const Affine own = affine_of(n);
    out.push_back(n.parent == k_none ? own : out[n.parent] * own);
  }
  return out;
}

}  // namespace dio::scene
