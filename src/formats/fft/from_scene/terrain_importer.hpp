// terrain_importer.hpp: imports heights and slopes of tiles from the terrain of an edited scene.
#pragma once
#include "formats/contract/scenes.hpp"
#include "formats/fft/layout/mesh.hpp"

namespace dio::fft {

/// The level whose tiles a node of the scene shows, by its name below the terrain node.
std::optional<u32> terrain_level_of_node(const scene::Scene&, scene::Index);
/// Tiles whose corners were raised or lowered get that height and slope; the scene is in units of the file. Tiles
/// missing from the scene stay. Counts tiles. Ids of notes: fft.scene-terrain (changed tiles, and tiles that the file
/// cannot store).
SceneImportResult import_terrain(Terrain&, const scene::Scene&);

}  // namespace dio::fft
