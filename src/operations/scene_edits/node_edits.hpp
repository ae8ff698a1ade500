// node_edits.hpp: moves nodes of a file that are no elements.
#pragma once
#include <set>

#include "operations/apply_scene.hpp"
#include "operations/scene_edits/matched_scenes.hpp"

namespace dio {

/// Nodes of the file without triangles that the edited scene has elsewhere.
struct BareNodes {
  std::set<scene::Index> moved, named;      // `named`: they could not be moved, and a note names them
  std::optional<scene::Scene> scene_after;  // of the file, if some were moved
};

/// Moves nodes in the file: those without triangles, and those whose triangles then differ less. Names nodes without
/// triangles that cannot be moved. Updates the compared scenes and their differences.
Result<BareNodes> move_nodes(Editing&, const MatchedScenes&, ComparedScenes&, scene::TriangleDifferences&,
                             SceneEdits& result);

}  // namespace dio
