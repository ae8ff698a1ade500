// triangle_comparison.hpp: compares the triangles of a file with those of an edited scene.
#pragma once
#include "operations/apply_scene.hpp"
#include "operations/scene_edits/matched_scenes.hpp"

namespace dio {

/// By node of a scene, whether its mesh is a part of what the file draws, and no overlay.
std::vector<bool> find_drawn_nodes(const scene::Scene&, const Scenes&);

/// The scene of a file, which may have been moved, and the edited scene, in the form in which they are compared.
ComparedScenes make_comparable(const MatchedScenes&, const scene::Scene& original,
                               const std::vector<bool>& original_parts, const std::vector<bool>& edited_parts);

scene::TriangleDifferences compare_triangles(const MatchedScenes&, const ComparedScenes&);
u64 count_differences(const scene::TriangleDifferences&);

/// Notes what of the differences is not applied. Ids: scene.source (nothing of the scene is of this file).
Result<bool> note_differences(const MatchedScenes&, const scene::TriangleDifferences&, SceneEdits& result);

}  // namespace dio
