// vertex_editor.hpp: applies an edited scene to the vertices of a model. The polygons of shapes with added or removed
// triangles are written anew; everything else keeps its bytes.
#pragma once
#include "formats/brres/layout/file.hpp"
#include "formats/contract/scenes.hpp"

namespace dio::brres {

/// `differences`: to the scene that to_scene returns. Applies positions and texture coordinates, added and removed
/// triangles; notes list all other edits (scene.place).
Result<SceneImportResult> write_triangles(Brres&, const scene::TriangleDifferences&);

}  // namespace dio::brres
