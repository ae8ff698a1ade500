// polygon_editor.hpp: applies an edited scene to the polygons of a mesh file.
#pragma once
#include "formats/contract/scenes.hpp"
#include "formats/fft/layout/mesh.hpp"

namespace dio::fft {

/// `differences` are between the scenes of `prepare_comparison`. Counts polygons. Ids: scene.source, fft.scene-range,
/// fft.scene-limit; ids of notes: rules.cpp.
Result<SceneImportResult> write_triangles(Mesh&, const scene::TriangleDifferences&);

}  // namespace dio::fft
