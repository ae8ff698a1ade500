// surfaces.hpp: the walkable and blocking surfaces of a scene.
#pragma once
#include <algorithm>
#include <cmath>

#include "formats/platinum/layout/heights.hpp"
#include "scene/height_index.hpp"
#include "scene/scene.hpp"

namespace dio::platinum {

using scene::Point;

/// Tile properties stated by a material, a node or an ancestor.
struct SurfaceKind {
  std::optional<u8> behavior;
  std::optional<bool> collision;
  bool is_ground = true;
  bool operator==(const SurfaceKind&) const = default;
};

/// The tile properties stated by a node and its ancestors.
SurfaceKind find_node_surface_kind(const scene::Scene&, scene::Index node);

/// A triangle in units of the map, from its middle.
struct SurfaceTriangle {
  std::array<Point, 3> corners;
  Point normal;  // unit length
  u32 kind;
  f64 base = 1e30;  // for blocking triangles: the lower end, if below the corners
};

struct Surfaces {
  std::vector<SurfaceKind> kinds;
  std::vector<SurfaceTriangle> floors, walls;  // walkable surfaces; obstacles
  std::vector<SurfaceTriangle> ceilings;       // surfaces visible from below
  std::vector<SurfaceTriangle> painted;        // surfaces visible from above with a stated behaviour or collision
  bool has_own_floor = false;                  // a node defines the floors, and nothing else counts
};

/// Collects the surfaces of all drawn nodes except `left_out`. Floors are surfaces up to 60 degrees steep, or only the
/// surfaces of a node named navmesh or of a map's heights, if there is one. `units`: map units per scene unit.
/// Behaviours come from the property `behavior` (a name or number) or from the material name; `collision` and `ground`
/// are flags.
Surfaces collect_surfaces(const scene::Scene&, f64 units, const std::vector<bool>& left_out);

/// Tiles of one or more adjacent maps.
struct TileArea {
  f64 west = -k_half_map, north = -k_half_map;  // units: the north-west corner
  u32 across = k_tiles, down = k_tiles;         // tiles
  size_t count() const { return size_t(across) * down; }
  scene::GroundCells cells() const { return {west, north, k_tile_units, across, down}; }
  /// The column or row of a coordinate; negative or too large outside the area.
  i64 column(f64 x) const { return cells().column(x); }
  i64 row(f64 z) const { return cells().row(z); }
};

/// A fast lookup of triangles over points of an area.
class FloorIndex : public scene::HeightIndex<SurfaceTriangle> {
 public:
  FloorIndex(std::span<const SurfaceTriangle> all, const TileArea& area) : HeightIndex(all, area.cells()) {}
};

/// A rectangle between grid lines.
struct Rectangle {
  size_t west, east, north, south;
};
/// Covers the set cells of a grid with rectangles: runs in a row, extended down while the next row has the same run.
/// Clears the cells.
std::vector<Rectangle> cover_with_rectangles(std::vector<bool>& set, size_t width, size_t height);

/// The floors over a point that a person can stand on (scene::find_open_floors): with at least the 20 units of a step
/// above them.
std::vector<size_t> find_open_floors(std::span<const FloorIndex::Hit> over, std::span<const FloorIndex::Hit> ceilings);

/// Builds the plates of one map, around the origin, from open floors; blocked tiles use their lowest floors. Triangles
/// in one plane become rectangles along the coordinates of their corners; slanted outlines become steps of half a tile.
/// If that needs more than `most` plates, each tile becomes one plate through its floor.
std::vector<PlateShape> build_plates(std::span<const SurfaceTriangle> floors, std::span<const SurfaceTriangle> ceilings,
                                     bool all_open, std::span<const TileRow> tiles, size_t most);

/// Computes the attributes of all tiles, row by row from the north. A floor inside something (the next surface above is
/// visible only from above) does not count, so houses and terraces can be placed on the ground. Of the other floors,
/// the lowest counts. A tile is blocked without a floor, if a wall crosses its middle, and on objects that cannot be
/// stepped on from anywhere. Painted surfaces on top override this.
std::vector<u16> compute_tile_attributes(const Surfaces&, const TileArea&);

}  // namespace dio::platinum
