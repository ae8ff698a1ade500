// polygon_triangles.hpp: cuts polygons with any number of corners into triangles.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "scene/scene.hpp"

namespace dio::scene {

/// Cuts a polygon into triangles by ear clipping, as seen along its normal (Newell's method), so that concave polygons
/// keep their outline. Returns the numbers of the corners; the winding stays. Polygons that cross themselves, and those
/// with more than 1,000 corners, whose clipping would take too long, become fans where no ear is left.
std::vector<std::array<u32, 3>> triangulate_polygon(std::span<const Vec3> corners);

}  // namespace dio::scene
