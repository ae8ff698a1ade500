// tile_pyramid.hpp: a map in square pieces, and the same at half the size again and again, as web maps load it.
#pragma once
#include "bridge/raster/pictures.hpp"

namespace dio::raster {

/// Levels of a picture: level `deepest` is the picture itself, each one above is half as wide and high, rounded up, and
/// level 0 fits one tile. Tile (x, y) of a level is x * tile to the right of the left edge, y * tile below the upper
/// one.
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

/// The tiles of a map. Memory: the scene, and a few pictures of 2048 x 2048 pixels for each work of Options::each.
class Pyramid {
 public:
  /// The shot has a scale. The scene outlives the pyramid. Ids: as render_picture.
  static Result<Pyramid> create(const scene::Scene&, const RenderOptions&, u32 tile);

  const PyramidShape& shape() const { return shape_; }
  const MapView& map() const { return map_; }

  /// Where a tile goes, RGBA and always whole: beyond the edge of the map it is transparent. Tiles that are transparent
  /// throughout are left out. Called by one thread at a time if `each` of the shot's options is empty, else by several.
  /// False ends the drawing.
  using TileSink = std::function<bool(u32 level, u32 x, u32 y, const scene::Image&)>;
  /// Of a tile, the pixels of the deepest level are those of the whole picture; above it each is the average of four in
  /// linear light. `done`: called with the number of pieces drawn so far, of how many.
  Result<bool> draw(const TileSink&, const std::function<void(size_t, size_t)>& done = {}) const;

 private:
  struct Extent {  // of a node that is drawn, in pixels of the whole picture
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
