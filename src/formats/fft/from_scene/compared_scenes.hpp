// compared_scenes.hpp: makes the scene of a mesh file and an edited scene comparable.
#pragma once
#include "formats/contract/scenes.hpp"
#include "formats/fft/layout/mesh.hpp"

namespace dio::fft {

/// The palette that the extras of a material state.
std::optional<u32> palette_from_extras(const Value& extras);
/// The original has two primitives for each mesh of the file: textured and untextured polygons. Its vertices are
/// numbered (Primitive::sources); vertices of cuts have the number of the first vertex of their polygon. Colours are
/// intensities, 1 is 255. Ids: scene.source; notes fft.scene-new (points and lines), fft.scene-flattened.
Result<ComparedScenes> prepare_comparison(const Mesh& file, const scene::Scene& edited);

}  // namespace dio::fft
