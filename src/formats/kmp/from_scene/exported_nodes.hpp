// exported_nodes.hpp: entries of a course from the nodes of an exported one, which may have been edited.
#pragma once
#include "formats/kmp/from_scene/placed_nodes.hpp"

namespace dio::kmp {

/// Whether the scene has paths or checkpoints of an exported course.
bool has_exported_course(const scene::Scene&);
/// Writes all sections from the nodes that `to_scene` makes, by their properties and transforms. Copies of nodes follow
/// their originals; references to removed nodes are dropped. Returns the number of omitted nodes: points outside
/// groups, and points and groups beyond 255.
u64 write_exported_nodes(Kmp&, const CourseNodes&);

}  // namespace dio::kmp
