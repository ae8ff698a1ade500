// triangle_edits.hpp: writes the triangles and overlays of an edited scene that differ into the file.
#pragma once
#include <set>

#include "operations/apply_scene.hpp"
#include "operations/scene_edits/matched_scenes.hpp"

namespace dio {

/// Also moves nodes, and notes materials and meshes that are not read back. Returns the nodes of the file that were
/// moved although they have no triangles. Ids: scene.source, and those of Scenes::write_triangles.
Result<std::set<scene::Index>> apply_triangle_edits(Editing&, const MatchedScenes&, SceneEdits& result);

}  // namespace dio
