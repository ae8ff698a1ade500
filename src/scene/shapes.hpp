// shapes.hpp: small solids to draw points, paths and volumes with. Each is appended to a primitive of triangles, so
// that many make one mesh. Faces look outwards (counterclockwise), normals have unit length.
#pragma once
#include "scene/maths.hpp"

namespace dio::scene {

/// Where a shape goes in the primitive: scaled, then turned, then moved. A colour gives the shape vertex colours
/// (linear RGBA); in a primitive where only some shapes have one, the others are white.
struct Placement {
  Vec3 at{0, 0, 0};
  Vec4 rotation = k_no_rotation;
  Vec3 scale{1, 1, 1};  // negative mirrors
  std::optional<Vec4> color = {};
};

/// An icosahedron with every triangle cut in four `splits` times: 12, 42, 162 vertices.
void add_sphere(Primitive&, f32 radius, const Placement& = {}, int splits = 1);

/// Spheres in the XZ plane around the origin, `step` apart.
void add_sphere_grid(Primitive&, int columns, int rows, f32 step, f32 radius, const Placement& = {}, int splits = 0);

void add_box(Primitive&, const Vec3& min, const Vec3& max, const Placement& = {});

/// Along Y, closed.
void add_cylinder(Primitive&, f32 radius_x, f32 radius_z, f32 y_min, f32 y_max, const Placement& = {}, int sides = 24);

/// Along Z: the base at z = 0, the tip at z = `length`.
void add_cone(Primitive&, f32 radius, f32 length, const Placement& = {}, int sides = 12);

/// From the origin along Z: a shaft and a cone, together `length` long.
struct ArrowSize {
  f32 length = 1, shaft_radius = 0.05f, head_length = 0.25f, head_radius = 0.125f;
};
void add_arrow(Primitive&, const ArrowSize&, const Placement& = {}, int sides = 12);

/// A closed prism from one point to the other; nothing if they are the same point.
void add_tube(Primitive&, const Vec3& from, const Vec3& end, f32 radius, const Placement& = {}, int sides = 6);

/// A cone whose base is at `from` and whose tip is at `tip`; nothing if they are the same point.
void add_cone(Primitive&, const Vec3& from, const Vec3& tip, f32 radius, const Placement& = {}, int sides = 12);

/// Two triangles; the front is where the corners go round counterclockwise. One normal for all four corners.
void add_quad(Primitive&, const std::array<Vec3, 4>& corners, const Placement& = {});

}  // namespace dio::scene
