// drawn.hpp: pictures of any scene.
#pragma once
#include "bridge/raster/pictures.hpp"
#include "fuzz/require.hpp"

/// Small pictures from all sides, at rest and in motion. A scene whose invariants hold can be drawn.
inline void draw_all_sides(const dio::scene::Scene& scene) {
  dio::raster::RenderOptions shot;
  shot.options.width = 24, shot.options.height = 16, shot.options.samples = 2;
  for (const char* camera : {"iso", "free", "top", "200,-30"}) {
    shot.camera = camera;
    shot.time = shot.time.value_or(0) + 0.3f;
    using enum dio::raster::ShadingStyle;
    for (const dio::raster::ShadingStyle look : {plain, ds, psx}) {
      shot.options.look = look;
      require(bool(dio::raster::render_picture(scene, shot)), "a scene that is sound can be drawn");
    }
  }
  shot.camera = "game";
  (void)dio::raster::render_picture(scene, shot);  // it may have no camera
  shot.options.look = dio::raster::ShadingStyle::plain;
  (void)dio::raster::render_picture(scene, shot);
  // A map from above, as far as it is small: it may have no tiles.
  shot.camera.clear();
  shot.scale = dio::raster::parse_map_scale("1");
  const auto frame = dio::raster::prepare_frame(scene, shot);
  if (frame && frame->options.width <= 64 && frame->options.height <= 64)
    require(bool(dio::raster::render_picture(scene, shot)), "a small map can be drawn");
}
