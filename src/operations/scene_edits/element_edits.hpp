// element_edits.hpp: moves, removes, copies and adds the elements of a file that nodes of an edited scene stand for.
#pragma once
#include "operations/apply_scene.hpp"
#include "operations/scene_edits/matched_scenes.hpp"
#include "operations/scene_edits/property_edits.hpp"

namespace dio {

// Each function counts its edits in the result. Ids: scene.place, and those of the edits.

Result<bool> move_elements(Editing&, const MatchedScenes&, SceneEdits& result);
/// Returns the paths of the removed elements.
Result<std::vector<std::string>> remove_elements(Editing&, const MatchedScenes&, Referrers, SceneEdits& result);
/// `removed`: the paths that `remove_elements` returned, here and below.
Result<bool> copy_elements(Editing&, const MatchedScenes&, const std::vector<std::string>& removed, PropertyEdits&,
                           SceneEdits& result);
Result<bool> add_elements(Editing&, const MatchedScenes&, const std::vector<std::string>& removed, PropertyEdits&,
                          SceneEdits& result);

}  // namespace dio
