// square_view.hpp: a camera for small scenes in tests of pictures.
#pragma once
#include "bridge/raster/view.hpp"

/// A view along -Z of what lies in -1..1, in both directions: (x, y) falls on ((x + 1) / 2, (1 - y) / 2) of the
/// picture.
inline dio::raster::View square_view() {
  dio::raster::View v;
  v.parallel = true;
  v.to_eye.origin = {0, 0, -10};
  v.near = 1, v.far = 100;
  return v;
}
