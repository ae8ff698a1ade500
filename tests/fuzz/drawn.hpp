// drawn.hpp: pictures of any scene.
#pragma once
#include "bridge/raster/pictures.hpp"
#include "fuzz/require.hpp"

/// Small pictures from all sides, at rest and in motion. A scene whose invariants hold can be drawn.
inline void draw_all_sides(const dio::scene::Scene& scene) {
  dio::raster::Shot shot;
  shot.options.width = 24, shot.options.height = 16, shot.options.samples = 2;
  for (const char* camera : {"iso", "free", "top", "200,-30"}) {
    shot.camera = camera;
    shot.time = shot.time.value_or(0) + 0.3f;
    require(bool(dio::raster::picture_of(scene, shot)), "a scene that is sound can be drawn");
  }
  shot.camera = "game";
  (void)dio::raster::picture_of(scene, shot);  // it may have no camera
}
