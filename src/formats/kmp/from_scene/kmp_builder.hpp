// kmp_builder.hpp: builds courses from scenes: from one closed curve, the collision below it, and named nodes.
#pragma once
#include "formats/contract/building.hpp"
#include "formats/kcl/layout.hpp"
#include "formats/kmp/from_scene/course_scene.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

struct BuiltCourse {
  Kmp course{};
  Diagnostics notes;
  u64 lost = 0;    // the number of notes about parts of the scene that are missing
  f64 lowest = 0;  // the lowest height of its paths
};
/// `units`: of the course, for each unit of the scene. Ids: kmp.make-path.
Result<BuiltCourse> build_course(const scene::Scene&, const std::vector<NodeRole>&, const kcl::Kcl& collision,
                                 f64 units);

/// The collision of a scene, and the notes on it.
struct BuiltCollision {
  Bytes bytes;
  kcl::Kcl collision;
  Diagnostics notes;
};
Result<BuiltCollision> build_course_collision(const scene::Scene&, const std::vector<NodeRole>&,
                                              std::span<const Argument>);

inline constexpr f64 k_units_per_metre = 100;  // unless the option says otherwise
/// Game units for each unit of the scene, from the option `units-per-metre`.
f64 units_of_scene(const scene::Scene&, f64 units_per_metre);

}  // namespace dio::kmp
