// terrain_builder.hpp: the terrain of a map from the floors of a scene.
#pragma once
#include <string>
#include <vector>

#include "core/diagnostic.hpp"
#include "formats/fft/layout/mesh.hpp"
#include "formats/fft/make/scene_faces.hpp"

namespace dio::fft {

/// The terrain, and what it was made from.
struct BuiltTerrain {
  Terrain terrain{};
  /// Tiles whose corners are more than a step away from the scene: their number, the first, and the largest distance.
  u64 coarse = 0, hidden_levels = 0;
  std::string first_coarse;
  f64 farthest = 0;          // units
  std::string first_hidden;  // the first tile with more than two floors
  bool has_floors = false;
};

/// The surfaces of faces that count as floors: those whose normal points up by at least half its length.
inline constexpr f64 k_floor_slope = 0.5;
/// The room above a tile that a unit needs, in steps.
inline constexpr i32 k_headroom_steps = 3;

/// The tiles that the floors cover, as {low x, low z, across, down}: whole tiles of the scene's grid; z to the north.
struct TileBounds {
  i64 west = 0, south = 0, across = 0, deep = 0;
};
TileBounds find_floor_bounds(const SceneFaces&);

/// Moves the scene: the south-west corner of the terrain becomes its origin where something is west or south of that,
/// and the lowest floor is not below 0.
void move_to_origin(SceneFaces&, const TileBounds&);

/// Builds the terrain of these tiles. Floors inside something, and floors without the room of k_headroom_steps above
/// them, do not count; of the others, the lowest becomes level 0, the next one level 1. Heights are those of the
/// corners of a tile, as the slope of the game that is nearest to them. Under a liquid, the ground is the next face
/// below. Units: those of faces, x and z from the south-west corner.
BuiltTerrain build_terrain(const SceneFaces&, u32 size_x, u32 size_z);

/// Binds a polygon: the tile over which its middle is, if it lies on the ground of a level, or on its liquid. None for
/// walls.
TileBinding find_tile_of(const Terrain&, const std::vector<FaceVertex>& corners);
/// Binds polygons. Of those over one tile, only the ones nearest to its ground are bound: others lie below it.
std::vector<TileBinding> bind_to_tiles(const Terrain&, const std::vector<Face>&);

}  // namespace dio::fft
