// tile_grid.hpp: where the tiles of a map lie in its scene, for pictures from above.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// The square tiles that the game counts positions in: `across` to the east (+X), `down` to the south (+Z).
struct TileGrid {
  f64 tile = 1;             // width of a tile, in the units of the scene, above 0
  f64 west = 0, north = 0;  // x and z of the north-west corner
  u32 across = 1, down = 1;
  i32 first_x = 0, first_z = 0;  // the game's numbers of the tile in the north-west corner
  bool counts_north = false;     // the game's z grows to the north; else to the south

  /// A part of the map that has a name. Tiles from the north-west corner.
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
/// Puts the grid into the extras of the scene, as `tile_grid`: exporters keep it.
void set_tile_grid(Scene&, const TileGrid&);
/// The grid in the extras of the scene. Nothing if there is none, or if one of its numbers is not as above.
std::optional<TileGrid> read_tile_grid(const Scene&);

}  // namespace dio::scene
