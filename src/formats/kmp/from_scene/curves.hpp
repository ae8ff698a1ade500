// curves.hpp: finds curves in scenes: lines, tubes and ribbons, and rows of empties.
#pragma once
#include <vector>

#include "formats/kmp/layout.hpp"
#include "scene/affine.hpp"
#include "scene/scene.hpp"

namespace dio::kmp {

using scene::Point;

inline Vec3 to_vec3(const Point& p) { return {f32(p[0]), f32(p[1]), f32(p[2])}; }

/// A polyline in the units of the course.
struct Curve {
  std::vector<Point> points;  // at least two, no two in a row are equal; a closed one does not repeat its first point
  bool is_closed = false;     // closed curves have at least three points

  f64 length() const;
};

/// The curves of a node, each in the order of its vertices: the lines of its mesh; without lines, the centre lines of
/// tubes and ribbons, as 3D programs export curves with a bevel or an extrusion; without a mesh, its children in the
/// order of their names. `place`: from the node to the course.
std::vector<Curve> find_curves(const scene::Scene&, scene::Index node, const std::vector<scene::Affine>& places,
                               f64 units);

/// Points at equal distances of about `step` units.
Curve resample(const Curve&, f64 step);
/// Moves the first point of a closed curve to the point with this index.
void rotate_start(Curve&, size_t first);
void reverse(Curve&);

}  // namespace dio::kmp
