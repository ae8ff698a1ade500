// vertex_editor.hpp: applies an edited scene to the vertices of a model. Display lists and everything else keep their
// bytes.
#pragma once
#include "formats/brres/layout/file.hpp"
#include "formats/contract/scenes.hpp"

namespace dio::brres {

/// `differences`: to the scene that to_scene returns. Applies positions and texture coordinates; notes list all other
/// edits (scene.place).
Result<SceneImportResult> write_triangles(Brres&, const scene::TriangleDifferences&);

}  // namespace dio::brres
