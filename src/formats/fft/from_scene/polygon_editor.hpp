// polygon_editor.hpp: polygons of a mesh file from an edited scene of it.
#pragma once
#include "formats/contract/scenes.hpp"
#include "formats/fft/layout/mesh.hpp"

namespace dio::fft {

/// `differences` between the scenes that `prepare_comparison` makes. Counts are those of polygons. Ids: scene.source,
/// fft.scene-range, fft.scene-limit; of notes: rules.cpp.
Result<SceneImportResult> write_triangles(Mesh&, const scene::TriangleDifferences&);

}  // namespace dio::fft
