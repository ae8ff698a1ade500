// map_view.hpp: maps from above at an exact scale.
#pragma once
#include "bridge/raster/render.hpp"
#include "scene/tile_grid.hpp"

namespace dio::raster {

/// The scale of a map.
struct Scale {
  f64 pixels = 1;  // above 0; per tile, a whole number from 1 to 1024
  enum class ScaleUnit : u8 { tile, unit, metre } per = ScaleUnit::tile;
};
/// Parses a typed scale: 16 (pixels per tile), 0.05/unit, 20/m. Nothing if it is invalid.
std::optional<Scale> parse_map_scale(std::string_view);

/// A map from above, north up: pixel (i, j) shows the area from west + i / pixels_per_unit and north + j /
/// pixels_per_unit up to the next pixel.
struct MapView {
  View view;
  u32 width = 0, height = 0;  // pixels, at most k_most_pixels_in_windows each
  f64 west = 0, north = 0;    // x and z of the upper left corner, in the scene
  f64 pixels_per_unit = 1;
  u32 pixels_per_tile = 0;  // 0: the scale is not per tile
  std::optional<scene::TileGrid> grid;
};
/// For a scene with tiles, exactly its tiles: parts beyond the border are cut off. Otherwise everything that is drawn,
/// up to the next whole pixel, with a pixel border at the origin. Ids: render.scale (the scene has no tiles),
/// render.size.
Result<MapView> compute_map_view(const scene::Scene&, const Pose&, const Scale&);

}  // namespace dio::raster
