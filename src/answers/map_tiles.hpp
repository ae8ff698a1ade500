// map_tiles.hpp: a map from above as a folder of small pictures at several sizes, with a page that shows it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bridge/raster/tile_pyramid.hpp"
#include "core/value.hpp"

namespace dio {

/// Where a map lies in its picture, and how large: {"pixels_per_unit", "corner": [west, north], "pixels_per_tile"?,
/// "tiles"?: [across, down], "first_tile"?: [x, z], "rows"?: "north" or "south"}.
Value map_view_json(const raster::MapView&);

/// The files of such a folder: index.html, tiles.json, and LEVEL/X/Y.png where there is anything to see.
class MapTiles {
 public:
  /// A shot without a scale has one pixel per unit where the scene has tiles. `tile`: pixels along an axis, a power of
  /// two from 64 to 4096. The scene outlives it. Ids: render.scale (the scene has no tiles to count pixels by),
  /// render.size, and those of raster::render_picture.
  static Result<MapTiles> create(const scene::Scene&, raster::RenderOptions, u32 tile);

  const raster::PyramidShape& shape() const { return pyramid_.shape(); }
  /// All files that there can be; those of transparent tiles are left out when they are written.
  std::vector<std::string> paths() const;
  /// Called by as many threads as Options::each of the shot has, but with the page and tiles.json, which come last, by
  /// one. False ends it.
  using FileSink = std::function<bool(const std::string& path, ByteView)>;
  /// Returns what tiles.json says: TileJSON 3.0.0 as far as it knows maps that are not of the earth, and what one needs
  /// beyond it ("schema": "diorama.tiles/1"). `progress`: the number of pieces drawn so far, of how many. If `give`
  /// ended it, the result is null.
  Result<Value> write(const FileSink&, const std::function<void(size_t done, size_t all)>& progress = {}) const;

  /// Whether a path in such a folder is that of a tile.
  static bool is_tile(std::string_view path);

 private:
  MapTiles(const scene::Scene& scene, raster::Pyramid pyramid) : scene_(&scene), pyramid_(std::move(pyramid)) {}
  const scene::Scene* scene_;
  raster::Pyramid pyramid_;
};

}  // namespace dio
