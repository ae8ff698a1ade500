// exported_nodes.hpp: entries of a course from the nodes of an exported one, which may have been edited.
#pragma once
#include <string>
#include <vector>

#include "formats/kmp/from_scene/placed_nodes.hpp"

namespace dio::kmp {

/// Whether the scene has paths or checkpoints of an exported course.
bool has_exported_course(const scene::Scene&);
struct ExportedNodesResult {
  u64 omitted = 0;                   // nodes: points outside groups, and points and groups beyond 255
  std::vector<std::string> dropped;  // references to entries that the scene does not have: `route of "itembox 3"`
};
/// Writes all sections from the nodes that `to_scene` makes, by their properties and transforms. Copies of nodes follow
/// their originals.
ExportedNodesResult write_exported_nodes(Kmp&, const CourseNodes&);

}  // namespace dio::kmp
