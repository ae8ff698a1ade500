// shape_editor.hpp: display lists of a model, compiled again where an edited scene has other triangles. All else of the
// model stays. Rules: README.md, "Edited scenes".
#pragma once
#include "formats/contract/scenes.hpp"
#include "formats/nitro/layout/files.hpp"
#include "scene/triangle_match.hpp"

namespace dio::nitro {

/// `original`: the scene of the file, as to_scene makes it without options. Ids of notes: scene.place (a change that a
/// shape cannot have; it stays as it is).
Result<SceneImportResult> write_triangles(Nsbmd&, const scene::Scene& original, const scene::TriangleDifferences&);

}  // namespace dio::nitro
