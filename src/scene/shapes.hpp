// shapes.hpp: small solids that show points, paths and volumes. Each is appended to a primitive of triangles, so that
// many form one mesh. Faces point outwards (counterclockwise). They have no normals, because their materials are unlit
// and course files become three times smaller.
#pragma once
#include <span>

#include "scene/math.hpp"

namespace dio::scene {

/// The transform and colour of a shape. A colour adds vertex colours (linear RGBA); shapes without one become white if
/// other shapes of the primitive have one.
struct ShapeTransform {
  Vec3 at{0, 0, 0};
  std::optional<Vec4> color = {};
};

/// An icosahedron with every triangle split into four, `splits` times: 12, 42, 162 vertices. -1: an octahedron with 6
/// vertices.
void add_sphere(Primitive&, f32 radius, const ShapeTransform& = {}, int splits = 1);

/// Spheres in the XZ plane around the origin, `step` apart.
void add_sphere_grid(Primitive&, int columns, int rows, f32 step, f32 radius, const ShapeTransform& = {},
                     int splits = 0);

void add_box(Primitive&, const Vec3& min, const Vec3& max, const ShapeTransform& = {});

/// The edges of a box, and of an upright cylinder around Y with a few lines between its rings: for a primitive of
/// lines.
void add_box_edges(Primitive&, const Vec3& min, const Vec3& max, const ShapeTransform& = {});
void add_cylinder_edges(Primitive&, f32 radius_x, f32 radius_z, f32 y_min, f32 y_max, const ShapeTransform& = {},
                        int sides = 24);

/// From the origin along Z: a shaft and a cone, together `length` long.
struct ArrowSize {
  f32 length = 1, shaft_radius = 0.05f, head_length = 0.25f, head_radius = 0.125f;
};
void add_arrow(Primitive&, const ArrowSize&, const ShapeTransform& = {}, int sides = 12);

/// A pipe through points, open at both ends, because larger shapes cover the ends. Points equal to the previous one are
/// ignored; adds nothing if fewer than two remain.
void add_tube(Primitive&, std::span<const Vec3> points, f32 radius, const ShapeTransform& = {}, int sides = 4);

/// A cone with its base at `from` and its tip at `tip`; adds nothing if the two are equal.
void add_cone(Primitive&, const Vec3& from, const Vec3& tip, f32 radius, const ShapeTransform& = {}, int sides = 8);

/// The triangles of a convex face, from its first corner; seen from the front, the corners are counterclockwise.
void add_face(Primitive&, std::span<const Vec3> corners, const ShapeTransform& = {});
void add_quad(Primitive&, const std::array<Vec3, 4>& corners, const ShapeTransform& = {});

}  // namespace dio::scene
