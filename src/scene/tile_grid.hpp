// tile_grid.hpp: the positions of map tiles in a scene, for pictures from above.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// The square tiles in which the game counts positions: `across` to the east (+X), `down` to the south (+Z).
struct TileGrid {
  f64 tile = 1;             // width of a tile, in the units of the scene, above 0
  f64 west = 0, north = 0;  // x and z of the north-west corner
  u32 across = 1, down = 1;
  i32 first_x = 0, first_z = 0;  // the game's numbers for the tile in the north-west corner
  bool counts_north = false;     // the game's z grows to the north; otherwise to the south

  /// A named part of the map. Tiles from the north-west corner.
  struct NamedMapArea {
    std::string name;
    u32 left = 0, top = 0, across = 1, down = 1;
    bool operator==(const NamedMapArea&) const = default;
  };
  std::vector<NamedMapArea> places = {};
  bool operator==(const TileGrid&) const = default;
};

inline constexpr u32 k_most_tiles_across = 1u << 16;  // along an axis

/// {"tile", "corner": [x, z], "tiles": [across, down], "first": [x, z], "rows": "north"|"south", "places"?}
Value tile_grid_json(const TileGrid&);
/// Stores the grid in the extras of the scene as `tile_grid`: exporters keep it.
void set_tile_grid(Scene&, const TileGrid&);
/// The grid in the extras of the scene. Nothing if there is none, or if a number is out of range.
std::optional<TileGrid> read_tile_grid(const Scene&);

}  // namespace dio::scene
