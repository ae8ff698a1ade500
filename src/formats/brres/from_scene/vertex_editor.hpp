// vertex_editor.hpp: vertices of a model, changed where an edited scene of it has them elsewhere. Display lists and all
// else keep their bytes.
#pragma once
#include "formats/brres/layout/file.hpp"
#include "formats/contract/scenes.hpp"

namespace dio::brres {

/// `differences` from the scene that to_scene makes. Positions and texture coordinates are taken; notes name the rest
/// (scene.place).
Result<SceneImportResult> write_triangles(Brres&, const scene::TriangleDifferences&);

}  // namespace dio::brres
