// triangle_pairs.hpp: which triangles of the edited scene are which of the original scene.
#pragma once
#include "scene/triangle_match/edited_meshes.hpp"
#include "scene/triangle_match/original_triangles.hpp"

namespace dio::scene {

/// The texture coordinates of a vertex in the picture: after the transform of the texture.
Vec2 transform_uv(const TextureTransform&, const Vec2&);
Vec2 untransform_uv(const TextureTransform&, const Vec2&);
inline Vec2 uv_in_picture(const SeenTriangle& t, size_t k) {
  return transform_uv(*t.transform, t.p->uvs[t.vertices[k]]);
}
bool is_same_uv(const Vec2&, const Vec2&);

/// The triangles of both scenes. Below, `turn` is by how many places an edited triangle starts later than the original.
struct TrianglePairs {
  const ScenePair& scenes;
  OriginalTriangles& own;
  std::vector<SeenTriangle>& seen;

  void pair(u32 seen_triangle, u32 original_triangle, size_t turn);
  bool is_of_node(const SeenTriangle& e, const OriginalPrimitive& o) const {
    return scenes.original_nodes[e.node] == o.node;
  }
  bool has_same_uvs(const SeenTriangle&, const OriginalTriangle&, size_t turn) const;
};

/// The number of positions that a rotated triangle shares with an original triangle.
size_t count_shared(const SeenTriangle&, const OriginalTriangle&, size_t turn);
/// The turn of a triangle with the same numbers in the same order.
size_t find_turn(const PointIds& seen, const PointIds& original);

}  // namespace dio::scene
