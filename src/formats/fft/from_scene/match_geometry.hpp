// match_geometry.hpp: which triangles of a file the triangles of an edited scene are, where the program that edited it
// has dropped the sources: by positions, texels, palettes and order. Specification: README.md, "Editing".
#pragma once
#include <vector>

#include "formats/fft/scene/polygons.hpp"
#include "scene/affine.hpp"

namespace dio::fft {

/// How a triangle is drawn, as far as it says which polygon it is.
struct TriangleMaterial {
  enum class Kind : u8 {
    unknown,     // no material of a file
    palette,     // texels of the map
    foreign,     // textured, shown without the texels of the map
    untextured,  // near black
  } kind = Kind::unknown;
  u8 palette = 0;
  constexpr bool operator==(const TriangleMaterial&) const = default;
};

constexpr scene::Point vector_between(const scene::Point& a, const scene::Point& b) {
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

/// A triangle of an edited scene. The order of its vertices is that of scenes: counterclockwise from the front.
struct SceneTriangle {
  std::array<scene::Point, 3> positions{};  // units and axes of the file
  std::array<std::array<f64, 2>, 3> uvs{};  // texels of the whole texture
  std::array<scene::Point, 3> normals{};    // axes of the file; 0 if there are none
  std::array<u32, 3> vertices{};            // of the primitive
  bool has_uvs = false;
  TriangleMaterial look;
  u32 primitive = 0;  // counted through the mesh
};

/// What the triangles of a scene are.
struct MatchedTriangles {
  /// For each, the corners of the file (scene/sources.hpp): those of a polygon, or of the one that it is a copy of.
  /// All k_no_source: it is from no polygon, or from within one that is cut.
  std::vector<std::array<u32, 3>> sources;
  u64 exact = 0;    // how many are where the file has them
  u64 unknown = 0;  // how many are from no polygon
  /// By polygon: it is not in the scene, but a triangle that is from no polygon may have been it.
  std::vector<bool> may_be_there;
  /// By polygon: the others whose copy a copy of it may be, as they look the same there.
  std::vector<std::vector<u32>> look_alikes;
  /// Polygons that are elsewhere as a whole, while others look the same: it may also be a copy of one of these.
  std::vector<u32> moved_as_whole;
  /// A triangle that is one of several polygons that are not in the scene; these.
  std::vector<u32> unclear;
  u32 unclear_triangle = 0;
};

/// `mesh`: of the file. In O(n log n).
MatchedTriangles match_triangles_by_geometry(const Mesh& file, size_t mesh, std::span<const SceneTriangle>);

/// How many of the triangles have all vertices where the mesh has some: tells in which units and axes they are.
u64 count_triangles_in_place(const Mesh& file, size_t mesh, std::span<const SceneTriangle>);

}  // namespace dio::fft
