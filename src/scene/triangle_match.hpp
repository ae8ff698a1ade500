// triangle_match.hpp: matches triangles of an edited scene with those of the original scene, and finds differences.
// Editors drop attributes, split and join meshes, apply transforms and reorder vertices. Triangles are identified by
// the numbers of their vertices in the file (Primitive::sources); in a mesh that shares its vertices as before, by
// their order; otherwise by the positions of their vertices in the scene.
#pragma once
#include <optional>
#include <span>

#include "scene/affine.hpp"
#include "scene/scene.hpp"

namespace dio::scene {

/// A vertex of a triangle of an edited scene, in the space of the primitive that the triangle belongs to.
struct EditedVertex {
  Index vertex = k_none;  // the same vertex of the primitive before the edit; k_none: a new vertex
  // Values that differ from those of `vertex`; for a new vertex, all values in the edited scene.
  std::optional<Point> position;
  std::optional<Vec3> normal;
  std::optional<Vec4> color;  // linear RGBA
  std::optional<Vec2> uv;
  std::array<u16, 4> joints{};  // for new vertices of skinned primitives: joints of the original skin
  Vec4 weights{0, 0, 0, 0};

  bool is_changed() const { return vertex == k_none || position || normal || color || uv; }
};

struct EditedTriangle {
  Index triangle = k_none;  // its number in the primitive; k_none: a new triangle
  bool is_flipped = false;  // its front is now its back; its vertices are in the original order
  std::array<EditedVertex, 3> vertices;
};

/// An original primitive with all its triangles in the edited scene: first the old ones, in their order.
struct EditedPrimitive {
  Index node = k_none;  // of the original
  u32 primitive = 0;    // of the mesh of the node
  std::vector<EditedTriangle> triangles;
  u32 changed = 0, added = 0, removed = 0;
};

/// Triangles of the edited scene that no original primitive can receive: none has their material. Original triangles at
/// the same vertices are kept, except with TriangleMatching::adds_materials.
struct UnplacedTriangle {
  const Primitive* primitive = nullptr;  // of the edited scene
  std::array<Index, 3> vertices{};       // counterclockwise in the scene
  std::array<Point, 3> at{};             // in the scene, if all animated nodes have their original transform
};
struct UnplacedTriangles {
  Index node = k_none;  // of the edited scene
  u32 count = 0;
  std::string material;
  Index original_root = k_none;  // the root of the original scene that the node is below; none: all above is new
  std::vector<UnplacedTriangle> triangles = {};
};

struct TriangleDifferences {
  const Scene *original = nullptr, *edited = nullptr;  // the scenes
  std::vector<EditedPrimitive> primitives;             // primitives that differ, in the order of the original nodes
  u64 unchanged = 0;                                   // triangles
  u64 known = 0;  // triangles that are where they were, or known by the numbers or the order of their vertices
  u64 reassigned =
      0;           // removed triangles that a new one replaces at the same vertices: with another material, or flipped
  u64 hidden = 0;  // triangles of hidden original nodes that are missing in the edited scene; they count as unchanged
  std::vector<UnplacedTriangles> unplaced;
  /// Nodes of the edited scene whose own position differs, but may be the pose of animated nodes above: it is ignored.
  std::vector<Index> posed = {};
  /// The edited scene shows more than the file, as in the game: lights may have changed its colours.
  bool is_lit_by_game = false;
};

struct TriangleMatching {
  bool has_separate_nodes = false;  // new triangles belong only to their own node
  bool pairs_flipped = false;       // flipped triangles count as changed; otherwise as removed and added
  bool adds_materials = false;      // triangles that no primitive can receive replace those at the same vertices
};

/// Whether vertex colours belong to other vertices, as in exports of Blender 3.4 (glTF-Blender-IO, issue 1815).
bool has_shuffled_colors(const Scene&);

/// Compares the triangles of two scenes with the same units. `original_nodes`: for each node of the edited scene, the
/// original node that it stands for, or k_none. `original_parts`, `edited_parts`: by node, whether its mesh is
/// compared. Materials are identified by name. Shuffled colours are not compared. O(n log n).
TriangleDifferences match_triangles(const Scene& original, const Scene& edited, std::span<const Index> original_nodes,
                                    const std::vector<bool>& original_parts, const std::vector<bool>& edited_parts,
                                    TriangleMatching = {});

}  // namespace dio::scene
