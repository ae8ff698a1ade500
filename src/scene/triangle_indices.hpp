// triangle_indices.hpp: the triangles of primitives.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// The vertices of the triangles of a primitive, three for each; none for points and lines.
inline std::vector<Index> triangle_indices(const Primitive& p) {
  if (p.shape != Primitive::Shape::triangles) return {};
  if (!p.indices.empty()) return p.indices;
  std::vector<Index> out(p.positions.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = Index(i);
  return out;
}

}  // namespace dio::scene
