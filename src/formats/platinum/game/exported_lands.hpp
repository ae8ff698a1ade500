// exported_lands.hpp: scenes that `dio world` made, on their way back: which lands they show, where they go, and
// what maps of those lands look like while nobody has edited them.
#pragma once
#include <array>

#include "formats/contract/arguments.hpp"
#include "formats/platinum/from_scene/land_map_builder.hpp"
#include "formats/platinum/game/tables.hpp"

namespace dio::platinum {

/// Where a map goes, as it was typed.
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
  bool is_filler = false;  // it was shown with the area of a neighbour
};

/// Those of a scene, in the order of their nodes. `units` of the map are in one of the scene.
std::vector<ExportedLand> find_exported_lands(const GameTables&, const scene::Scene&, f64 units);

/// Whether a scene that was exported goes back to the same cells, with the same areas: only then something can stay as
/// it is.
bool replaces_exported_land(const GameTables&, std::span<const ExportedLand>, const MapTarget&);

/// How many cells of all matrices have a land.
u64 count_cells_with_land(const GameTables&, u32 land);

/// The maps made of the lands that a scene was exported from, as they are in the game; without models. Empty where that
/// cannot be: the maps are made as if the scene was new.
BuiltLandMaps build_original_maps(const GameTables&, const scene::Scene&, const MapOptions&,
                                  std::span<const ExportedLand>);

}  // namespace dio::platinum
