// tile_pyramid.hpp: a map in square pieces at repeatedly halved sizes, as loaded by web maps.
#pragma once
#include "bridge/raster/pictures.hpp"

namespace dio::raster {

/// Levels of a picture: level `deepest` is the picture itself, each level above is half as wide and high, rounded up,
/// and level 0 fits in one tile. Tile (x, y) of a level starts x * tile right of the left edge and y * tile below the
/// upper edge.
struct PyramidShape {
  u32 tile = 256;             // pixels, along an axis
  u32 width = 1, height = 1;  // of the picture
  u32 deepest = 0;
  u32 across(u32 level) const { return tile_count(width, level); }
  u32 down(u32 level) const { return tile_count(height, level); }

 private:
  u32 tile_count(u32 size, u32 level) const {
    const u64 one = u64(tile) << (deepest - level);
    return u32((size + one - 1) / one);
  }
};
/// `tile`: a power of two from 64 to 4096.
PyramidShape compute_pyramid_shape(u32 width, u32 height, u32 tile);

/// Draws the tiles of a map. Memory: the scene, and a few pictures of 2048 x 2048 pixels for each parallel call of
/// Options::each.
class Pyramid {
 public:
  /// The shot must have a scale. The scene must outlive the pyramid. Ids: as render_picture.
  static Result<Pyramid> create(const scene::Scene&, const RenderOptions&, u32 tile);

  const PyramidShape& shape() const { return shape_; }
  const MapView& map() const { return map_; }

  /// Receives a complete RGBA tile: beyond the edge of the map it is transparent. Fully transparent tiles are skipped.
  /// Called by one thread at a time if `each` of the shot's options is empty, otherwise by several. Returning false
  /// ends the drawing.
  using TileSink = std::function<bool(u32 level, u32 x, u32 y, const scene::Image&)>;
  /// Draws the tiles. The deepest level has the pixels of the whole picture; each level above averages four pixels in
  /// linear light. `done` is called with the number of pieces drawn so far and the total.
  Result<bool> draw(const TileSink&, const std::function<void(size_t, size_t)>& done = {}) const;

 private:
  struct Extent {  // of a drawn node, in pixels of the whole picture
    f64 left, top, right, bottom;
  };
  class Drawing;
  Pyramid(const scene::Scene& scene) : scene_(&scene) {}
  Result<scene::Image> render_window(const Window&) const;

  const scene::Scene* scene_;
  PyramidShape shape_;
  MapView map_;
  Options options_;
  Pose pose_;
  std::vector<Extent> extents_;  // of each node
};

}  // namespace dio::raster
