// placed_nodes.hpp: entries of a course from single nodes: objects with their routes, areas, cannons, respawn points.
#pragma once
#include "core/diagnostic.hpp"
#include "formats/kmp/from_scene/course_scene.hpp"
#include "formats/kmp/layout.hpp"
#include "scene/affine.hpp"

namespace dio::kmp {

/// A scene with the places of its nodes in the course.
struct CourseNodes {
  const scene::Scene& scene;
  const std::vector<NodeRole>& roles;
  std::vector<scene::Affine> places;  // in the units of the scene
  f64 units;                          // of the course, for each unit of the scene

  scene::Point position(scene::Index) const;
  /// In degrees, as entries store it.
  Vec3 rotation(scene::Index) const;
};

/// Writes GOBJ, POTI, AREA, CNPT and JGPT entries of nodes with their names. Notes name nodes that are not understood;
/// `lost` counts them.
void write_placed_nodes(Kmp&, const CourseNodes&, Diagnostics& notes, u64& lost);

}  // namespace dio::kmp
