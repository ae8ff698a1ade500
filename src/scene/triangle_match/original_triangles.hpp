// original_triangles.hpp: the triangles of the original scene, by the positions of their vertices.
#pragma once
#include <algorithm>
#include <map>
#include <set>

#include "scene/point_index.hpp"
#include "scene/triangle_match/scene_pair.hpp"

namespace dio::scene {

using PointIds = std::array<u32, 3>;  // of positions, or numbers of vertices in the file

/// The rotation of the list whose first number is the smallest.
inline PointIds rotate_to_least(const PointIds& ids) {
  const PointIds once{ids[1], ids[2], ids[0]}, twice{ids[2], ids[0], ids[1]};
  return std::min({ids, once, twice});
}

struct OriginalPrimitive {
  Index node;
  u32 number;  // in its mesh
  const Primitive* p;
  std::vector<Index> indices;
  std::string_view material;
  TextureTransform transform;
  bool is_skinned, is_mirrored, is_hidden;
  u32 first_triangle;
};

struct OriginalTriangle {
  u32 primitive;
  std::array<Index, 3> vertices;  // fronts are counterclockwise in the scene
  PointIds ids;                   // of the same
  bool is_flat = false;           // it has no area
  u32 seen = k_none;              // the matching edited triangle
};

struct OriginalTriangles {
  explicit OriginalTriangles(const ScenePair&);

  const ScenePair& scenes;
  PointIndex points;
  f64 rigid_tolerance;                   // of points of meshes without skins, at most that of `points`
  std::set<std::string_view> materials;  // names
  std::vector<OriginalPrimitive> primitives;
  std::vector<OriginalTriangle> triangles;
  std::map<PointIds, std::vector<u32>> by_ids;
  std::set<u32> flat_points;  // of triangles without area, next to which other programs compute wrong normals

  const OriginalPrimitive& primitive_of(const OriginalTriangle& t) const { return primitives[t.primitive]; }
  bool is_same_point(const Point& a, const Point& b) const { return distance(a, b) < points.tolerance(); }
  /// Whether the triangle has no area: its height is less than the tolerance.
  bool is_flat(const std::array<Point, 3>&) const;
  /// The number of points that are at the position of an original vertex.
  size_t count_known(const std::vector<Point>&) const;
  /// From the space of an original primitive to its scene, for a vertex.
  Affine vertex_transform(const OriginalPrimitive&, Index vertex) const;

 private:
  void add_primitives(Index node);
  void add_triangles(u32 primitive);
};

}  // namespace dio::scene
