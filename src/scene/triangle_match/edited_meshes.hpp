// edited_meshes.hpp: the triangles of the edited scene, at the positions that they have in the original scene.
#pragma once
#include <deque>

#include "scene/triangle_match/original_triangles.hpp"
#include "scene/triangle_match/posed_nodes.hpp"

namespace dio::scene {

/// A triangle of the edited scene.
struct SeenTriangle {
  Index node;
  const Primitive* p;
  std::array<Index, 3> vertices;  // fronts are counterclockwise in the scene
  std::array<Point, 3> at;        // in the scene
  std::array<Point, 3> rest;      // the same, if the mesh as a whole was moved: before that
  PointIds ids;                   // of `rest`
  std::string_view material;
  const TextureTransform* transform;
  const Affine* place;      // of its node; null for skinned meshes
  u32 original = k_none;    // the matching original triangle
  bool is_flipped = false;  // the original triangle had its front at the back of this one
  u32 target = k_none;      // the primitive that it belongs to, if it matches none of the original
  std::array<u8, 3> of{};   // by original vertex: the matching vertex of this triangle

  bool is_mirrored() const { return place && determinant(place->linear) < 0; }
  bool has_no_area() const { return at[0] == at[1] || at[1] == at[2] || at[2] == at[0]; }
};

struct EditedMeshes {
  std::vector<SeenTriangle> triangles;
  std::deque<Affine> places;                // of meshes, which the triangles refer to
  std::set<Index> collapsed;                // nodes of the original whose edited meshes have no size
  std::vector<bool> is_placed_below_bones;  // by node of the edited scene: its transform was compared in spite of poses
};

EditedMeshes place_edited_meshes(const OriginalTriangles&, const PosedNodes&);

}  // namespace dio::scene
