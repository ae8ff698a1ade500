// triangle_match.hpp: which triangles of an edited scene are those of the scene it was made from, and which differ.
// Programs that edit scenes drop attributes, split and join meshes, apply transforms and order vertices anew, so
// triangles are known by where their vertices are in the scene.
#pragma once
#include <optional>
#include <span>

#include "scene/affine.hpp"
#include "scene/scene.hpp"

namespace dio::scene {

/// A vertex of a triangle of an edited scene, in the space of the primitive that the triangle belongs to.
struct EditedVertex {
  Index vertex = k_none;  // of the primitive: the vertex that it is or was before the edit; k_none: it is new
  // Values that differ from those of `vertex`; of a new vertex, all that the edited scene has.
  std::optional<Point> position;
  std::optional<Vec3> normal;
  std::optional<Vec4> color;  // linear RGBA
  std::optional<Vec2> uv;
  std::array<u16, 4> joints{};  // of new vertices of skinned primitives: joints of the skin of the original
  Vec4 weights{0, 0, 0, 0};

  bool is_changed() const { return vertex == k_none || position || normal || color || uv; }
};

struct EditedTriangle {
  Index triangle = k_none;  // its number in the primitive; k_none: it is new
  std::array<EditedVertex, 3> vertices;
};

/// A primitive of the original with all triangles that it has in the edited scene: first the old ones, in their order.
struct EditedPrimitive {
  Index node = k_none;  // of the original
  u32 primitive = 0;    // of the mesh of the node
  std::vector<EditedTriangle> triangles;
  u32 changed = 0, added = 0, removed = 0;
};

/// Triangles of the edited scene that no primitive of the original can take: none has their material.
struct UnplacedTriangles {
  Index node = k_none;  // of the edited scene
  u32 count = 0;
  std::string material;
};

struct TriangleDifferences {
  const Scene *original = nullptr, *edited = nullptr;  // the scenes
  std::vector<EditedPrimitive> primitives;             // those that differ, in the order of the nodes of the original
  u64 unchanged = 0;                                   // triangles
  u64 hidden =
      0;  // triangles of hidden nodes of the original that the edited scene does not have; they count as unchanged
  std::vector<UnplacedTriangles> unplaced;
  /// The edited scene shows more than the file, as its game does: lights may have made other colours.
  bool is_lit_by_game = false;
};

/// Whether the colours of vertices are those of other vertices: Blender 3.4 exports them so (glTF-Blender-IO, issue
/// 1815).
bool has_shuffled_colors(const Scene&);

/// Compares the triangles of two scenes in the same units. `original_nodes`: for each node of the edited scene the node
/// of the original that it stands for, or k_none. `original_parts`, `edited_parts`: by node, whether its mesh is
/// compared. Materials are known by their names. Shuffled colours are
/// not compared. O(n log n).
TriangleDifferences match_triangles(const Scene& original, const Scene& edited, std::span<const Index> original_nodes,
                                    const std::vector<bool>& original_parts, const std::vector<bool>& edited_parts);

}  // namespace dio::scene
