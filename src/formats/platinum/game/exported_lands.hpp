// exported_lands.hpp: scenes exported by `dio world`: their lands, their target cells, and the maps that unedited lands
// would give.
#pragma once
#include <array>

#include "formats/contract/arguments.hpp"
#include "formats/platinum/from_scene/land_map_builder.hpp"
#include "formats/platinum/game/tables.hpp"

namespace dio::platinum {

/// The requested target of a map.
struct MapTarget {
  std::optional<u32> header, matrix, area, light;
  bool new_matrix = false, new_area = false;
  std::optional<std::array<u32, 2>> at;  // the cell of the north-west map
};

/// A land that a scene was exported from.
struct ExportedLand {
  scene::Index node = scene::k_none;
  u32 land = 0;
  std::optional<u32> matrix;
  std::array<u32, 2> cell{};
  f64 x = 0, z = 0;        // its middle, in units
  bool is_filler = false;  // exported with the area of a neighbour
};

/// The exported lands of a scene, in node order. `units`: map units per scene unit.
std::vector<ExportedLand> find_exported_lands(const GameTables&, const scene::Scene&, f64 units);

/// Whether an exported scene goes back to the same cells with the same areas; only then can parts stay unchanged.
bool replaces_exported_land(const GameTables&, std::span<const ExportedLand>, const MapTarget&);

/// The number of cells with a land, over all matrices.
u64 count_cells_with_land(const GameTables&, u32 land);

/// Builds maps, without models, from the game's own lands that the scene was exported from. Empty if that is
/// impossible; the maps are then built as from a new scene.
BuiltLandMaps build_original_maps(const GameTables&, const scene::Scene&, const MapOptions&,
                                  std::span<const ExportedLand>);

}  // namespace dio::platinum
