// floor_polygons.hpp: merges triangles of a floor to few convex polygons.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace dio::splashpack {

/// A corner of the floor in raw units, Y down.
struct FloorPoint {
  i64 x, y, z;
  auto operator<=>(const FloorPoint&) const = default;
};
/// Positive if c is to the left of a to b, with X to the right and Z up.
constexpr i64 floor_cross(const FloorPoint& a, const FloorPoint& b, const FloorPoint& c) {
  return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

/// Heights over a polygon: y = a * x + b * z + d, with a and b in 4096ths.
struct FloorPlane {
  f64 a = 0, b = 0, d = 0;
  f64 height_at(const FloorPoint& p) const { return (a * f64(p.x) + b * f64(p.z)) / 4096 + d; }
};
/// The least-squares plane of points, with a and b rounded as in packs.
FloorPlane fit_floor_plane(std::span<const FloorPoint>);

/// A convex polygon, counterclockwise.
using FloorPolygon = std::vector<FloorPoint>;
/// Merges triangles, which must be counterclockwise and have an area: connected ones in one plane lose the vertices
/// that their outline does not need (vertex decimation), and are joined to convex polygons of at most 8 corners (Hertel
/// and Mehlhorn), whose heights differ from the triangles by at most one unit. The polygons cover the same area.
/// `groups`: a group for each triangle; different groups are not merged. Empty: all may be merged.
std::vector<FloorPolygon> merge_floor_triangles(std::span<const std::array<FloorPoint, 3>>,
                                                std::span<const u32> groups = {});

}  // namespace dio::splashpack
