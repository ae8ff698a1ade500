// unapplied_edits.hpp: notes on edits of a scene that its file cannot store.
#pragma once
#include <set>

#include "operations/apply_scene.hpp"
#include "operations/scene_edits/matched_scenes.hpp"
#include "operations/scene_edits/property_edits.hpp"

namespace dio {

// Each function adds its notes to the result, and counts what is lost.

/// Lights are not read back. `moved`: nodes of the file that the edits moved.
void note_edited_lights(const MatchedScenes&, const std::set<scene::Index>& moved, PropertyEdits&, SceneEdits& result);
/// Materials and their pictures are not read back, nor is what moves. `original_parts`, `edited_parts`: the nodes whose
/// materials are compared.
void note_edited_materials(const MatchedScenes&, const std::vector<bool>& original_parts,
                           const std::vector<bool>& edited_parts, SceneEdits& result);
/// Meshes that mark elements: each is compared where the edited scene has its node.
void note_edited_markers(const MatchedScenes&, SceneEdits& result);
/// What only shows values of the file is not read back: heights, zones.
void note_edited_overlays(const MatchedScenes&, const scene::TriangleDifferences&, SceneEdits& result);
/// Names and parents of nodes that are known by their properties.
void note_renamed_nodes(const MatchedScenes&, SceneEdits& result);
/// Nodes above those of the file, which only state its units.
void note_moved_roots(const MatchedScenes&, SceneEdits& result);
/// Nodes that only illustrate an element, such as its movement.
void note_moved_illustrations(const MatchedScenes&, SceneEdits& result);
/// For scenes with MatchedScenes::has_applied_transforms.
void note_applied_transforms(SceneEdits& result);

}  // namespace dio
