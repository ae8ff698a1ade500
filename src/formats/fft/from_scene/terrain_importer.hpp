// terrain_importer.hpp: heights and slopes of tiles from the terrain of an edited scene.
#pragma once
#include "formats/contract/scenes.hpp"
#include "formats/fft/layout/mesh.hpp"

namespace dio::fft {

/// Tiles whose corners are elsewhere in height get that height and slope; the scene is in units of the file. Tiles that
/// the scene does not show stay. Counts are those of tiles. Ids of notes: fft.scene-terrain (tiles that changed, and
/// those that the file cannot have so).
SceneImportResult import_terrain(Terrain&, const scene::Scene&);

}  // namespace dio::fft
