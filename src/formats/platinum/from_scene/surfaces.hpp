// surfaces.hpp: the surfaces of a scene as the game walks on them.
#pragma once
#include <algorithm>
#include <cmath>

#include "formats/platinum/layout/heights.hpp"
#include "scene/affine.hpp"
#include "scene/scene.hpp"

namespace dio::platinum {

using scene::Point;

/// What the properties of a material, a mesh's node or a node above say of tiles.
struct SurfaceKind {
  std::optional<u8> behavior;
  std::optional<bool> collision;
  bool is_ground = true;
  bool operator==(const SurfaceKind&) const = default;
};

/// What a node and those above it say.
SurfaceKind find_node_surface_kind(const scene::Scene&, scene::Index node);

/// A triangle in units of the map, from its middle.
struct SurfaceTriangle {
  std::array<Point, 3> corners;
  Point normal;  // unit length
  u32 kind;
  f64 base = 1e30;  // of what blocks: it does down to there, if that is lower than its corners
};

struct Surfaces {
  std::vector<SurfaceKind> kinds;
  std::vector<SurfaceTriangle> floors, walls;  // what is walked on; what stands in the way
  std::vector<SurfaceTriangle> ceilings;       // what is seen from below
  std::vector<SurfaceTriangle> painted;        // seen from above, with a behaviour or collision stated
  bool has_own_floor = false;                  // a node says what is walked on: only that is
};

/// Of all that is drawn, but for `left_out` nodes. Floors are what is not steeper than 60 degrees, unless a node is
/// called navmesh or shows the heights of a map: then what it has. `units`: of the map in a unit of the scene.
/// Behaviours by the property `behavior`, a name or a number, or by the name of the material; `collision` and `ground`
/// are flags.
Surfaces collect_surfaces(const scene::Scene&, f64 units, const std::vector<bool>& left_out);

/// Tiles of one or more maps side by side.
struct TileArea {
  f64 west = -k_half_map, north = -k_half_map;  // units: the north-west corner
  u32 across = k_tiles, down = k_tiles;         // tiles
  size_t count() const { return size_t(across) * down; }
  /// The column or the row of a coordinate; negative or too large outside.
  i64 column(f64 x) const { return to_tile_index(x - west); }
  i64 row(f64 z) const { return to_tile_index(z - north); }

 private:
  static i64 to_tile_index(f64 units) {
    constexpr f64 k_far = 1e9;  // what is farther is just as far outside
    return i64(std::clamp(std::floor(units / k_tile_units), -k_far, k_far));
  }
};

/// Triangles under and over points of an area, found fast.
class FloorIndex {
 public:
  FloorIndex(std::span<const SurfaceTriangle>, const TileArea&);
  struct Hit {
    f64 height;
    u32 triangle;
  };
  /// All over a point, the lowest first; those at edges of several triangles several times.
  std::vector<Hit> find_floors_at(f64 x, f64 z) const;

 private:
  std::span<const SurfaceTriangle> all_;
  TileArea area_;
  std::vector<std::vector<u32>> cells_;  // of each tile
};

/// A part of a grid: from a line to another.
struct Rectangle {
  size_t west, east, north, south;
};
/// Covers the set cells of a grid by rectangles: runs in a row, that go down as long as the next row has the same. The
/// cells are cleared.
std::vector<Rectangle> cover_with_rectangles(std::vector<bool>& set, size_t width, size_t height);

/// The floors over a point that one can stand on: not those from which the next surface above is seen from above as
/// well, so that they are inside of something, or that leave less room than the 20 units of a step. By places in
/// `over`.
std::vector<size_t> find_open_floors(std::span<const FloorIndex::Hit> over, std::span<const FloorIndex::Hit> ceilings);

/// The plates of one map, around the origin, that have the heights of floors that are open; on blocked tiles those of
/// the lowest floors, whatever stands there. Triangles in one plane
/// become rectangles along the edges of its corners; outlines that are not parallel to the axes, in steps of half a
/// tile. Where that would be more than `most`, each tile becomes a plate through its floor.
std::vector<PlateShape> build_plates(std::span<const SurfaceTriangle> floors, std::span<const SurfaceTriangle> ceilings,
                                     bool all_open, std::span<const TileRow> tiles, size_t most);

/// The attributes of all tiles. A floor below the inside of something (the next surface above is seen from above as
/// well) is none: so a house stands on its tiles, and a terrace can be put on the ground. Of the others the lowest
/// counts. Collision is where there is no floor, where a wall goes through the middle of a tile, and on what stands on
/// the ground and cannot be stepped on from anywhere. What is painted on top decides before that.
/// Row by row, from the north.
std::vector<u16> compute_tile_attributes(const Surfaces&, const TileArea&);

}  // namespace dio::platinum
