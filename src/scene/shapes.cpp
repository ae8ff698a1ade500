#include "scene/shapes.hpp"

#include <map>

#include "core/elementary.hpp"

namespace dio::scene {
namespace {

/// Appends vertices and triangles, given in the coordinates of a shape, to a primitive, through the placement.
class ShapeWriter {
 public:
  ShapeWriter(Primitive& to, const ShapeTransform& place) : to_(to), place_(place) {
    // The primitive may have other content: keeps its vertices and makes every attribute list as long as the positions.
    const size_t before = to.positions.size();
    if (place.color) to.colors.resize(before, k_white);
    if (to.indices.empty())
      for (size_t i = 0; i < before; ++i) to.indices.push_back(u32(i));
  }

  u32 add_vertex(const Vec3& p) {
    to_.positions.push_back(add(p, place_.at));
    if (!to_.normals.empty()) to_.normals.push_back(k_axis_y);
    if (!to_.colors.empty() || place_.color) to_.colors.push_back(place_.color.value_or(k_white));
    return u32(to_.positions.size() - 1);
  }

  void add_line(u32 a, u32 b) { to_.indices.insert(to_.indices.end(), {a, b}); }
  void add_triangle(u32 a, u32 b, u32 c) { to_.indices.insert(to_.indices.end(), {a, b, c}); }
  void add_quad_indices(u32 a, u32 b, u32 c, u32 d) { to_.indices.insert(to_.indices.end(), {a, b, c, a, c, d}); }

 private:
  static constexpr Vec4 k_white{1, 1, 1, 1};
  Primitive& to_;
  const ShapeTransform& place_;
};

/// The points of an icosahedron with split triangles, or of an octahedron, on a sphere of radius 1.
struct UnitSphere {
  std::vector<Vec3> points;
  std::vector<std::array<u32, 3>> triangles;

  explicit UnitSphere(int splits) {
    if (splits < 0) {
      points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
      for (const u32 x : {0u, 1u})
        for (const u32 y : {2u, 3u})
          for (const u32 z : {4u, 5u})  // an odd number of negative sides flips the triangle
            triangles.push_back((x + y + z) % 2 ? std::array{x, z, y} : std::array{x, y, z});
      return;
    }
    const f64 golden = std::numbers::phi;
    for (const f64 a : {-1.0, 1.0})
      for (const f64 b : {-golden, golden}) {
        points.push_back(unit(0, a, b, k_axis_y));
        points.push_back(unit(a, b, 0, k_axis_y));
        points.push_back(unit(b, 0, a, k_axis_y));
      }
    // The triangles of an icosahedron are the triples of points that are all neighbours.
    auto near = [&](u32 a, u32 b) { return dot(points[a], points[b]) > 0.4; };
    for (u32 a = 0; a < 12; ++a)
      for (u32 b = a + 1; b < 12; ++b)
        for (u32 c = b + 1; c < 12; ++c)
          if (near(a, b) && near(b, c) && near(c, a)) {
            const bool outwards = dot(cross(sub(points[b], points[a]), sub(points[c], points[a])), points[a]) > 0;
            triangles.push_back(outwards ? std::array{a, b, c} : std::array{a, c, b});
          }
    for (int i = 0; i < splits; ++i) subdivide();
  }

 private:
  void subdivide() {
    std::map<std::pair<u32, u32>, u32> middles;
    auto midpoint_vertex = [&](u32 a, u32 b) {
      auto [place, fresh] = middles.try_emplace(std::minmax(a, b), u32(points.size()));
      if (fresh) points.push_back(unit(add(points[a], points[b]), k_axis_y));
      return place->second;
    };
    std::vector<std::array<u32, 3>> finer;
    for (const auto& [a, b, c] : triangles) {
      const u32 ab = midpoint_vertex(a, b), bc = midpoint_vertex(b, c), ca = midpoint_vertex(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    triangles = std::move(finer);
  }
};

void append_sphere(ShapeWriter& stamp, const UnitSphere& sphere, f32 radius, const Vec3& centre) {
  u32 first = 0;
  for (size_t i = 0; i < sphere.points.size(); ++i) {
    const u32 at = stamp.add_vertex(add(centre, mul(sphere.points[i], radius)));
    if (i == 0) first = at;
  }
  for (const auto& [a, b, c] : sphere.triangles) stamp.add_triangle(first + a, first + b, first + c);
}

/// Vertices of a circle around the axis through `at`.
struct Ring {
  Vec3 at, x, y;  // x and y span the circle; their length is its radius
};
/// Appends a ring and returns its first vertex. The others follow.
u32 append_ring(ShapeWriter& stamp, const Ring& ring, int sides) {
  u32 first = 0;
  for (int i = 0; i < sides; ++i) {
    const f64 angle = i * 2 * std::numbers::pi / sides;
    const u32 at = stamp.add_vertex(
        add(ring.at, add(mul(ring.x, f32(elementary::cos(angle))), mul(ring.y, f32(elementary::sin(angle))))));
    if (i == 0) first = at;
  }
  return first;
}
/// The wall between two rings; seen from the second ring, they run counterclockwise.
void append_ring_wall(ShapeWriter& stamp, u32 from, u32 to, int sides) {
  for (u32 i = 0, n = u32(sides); i < n; ++i)
    stamp.add_quad_indices(from + i, from + (i + 1) % n, to + (i + 1) % n, to + i);
}
void append_cone_tip(ShapeWriter& stamp, u32 ring, const Vec3& tip, int sides) {
  const u32 at = stamp.add_vertex(tip);
  for (u32 i = 0, n = u32(sides); i < n; ++i) stamp.add_triangle(ring + i, ring + (i + 1) % n, at);
}
void append_ring_cap(ShapeWriter& stamp, u32 ring, int sides, bool faces_back) {
  for (u32 i = 2; i < u32(sides); ++i) {
    if (faces_back)
      stamp.add_triangle(ring, ring + i, ring + i - 1);
    else
      stamp.add_triangle(ring, ring + i - 1, ring + i);
  }
}
void append_cone(ShapeWriter& stamp, const Ring& base, const Vec3& tip, int sides) {
  const u32 ring = append_ring(stamp, base, sides);
  append_cone_tip(stamp, ring, tip, sides);
  append_ring_cap(stamp, ring, sides, true);
}
Ring make_ring_around(const Vec3& at, const Vec3& direction, f32 radius) {
  const Mat3 axes = to_matrix(rotation_facing_z(direction));
  return {at, mul(axes[0], radius), mul(axes[1], radius)};
}
Ring make_ring_along_z(f32 radius, f32 z) { return {{0, 0, z}, {radius, 0, 0}, {0, radius, 0}}; }

}  // namespace

void add_sphere(Primitive& to, f32 radius, const ShapeTransform& place, int splits) {
  ShapeWriter stamp(to, place);
  static const UnitSphere k_coarsest(-1), k_coarse(0);
  if (splits > 0)
    append_sphere(stamp, UnitSphere(splits), radius, {0, 0, 0});
  else
    append_sphere(stamp, splits < 0 ? k_coarsest : k_coarse, radius, {0, 0, 0});
}

void add_sphere_grid(Primitive& to, int columns, int rows, f32 step, f32 radius, const ShapeTransform& place,
                     int splits) {
  ShapeWriter stamp(to, place);
  const UnitSphere sphere(splits);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      append_sphere(stamp, sphere, radius,
                    {(f32(column) - f32(columns - 1) / 2) * step, 0, (f32(row) - f32(rows - 1) / 2) * step});
}

void add_box(Primitive& to, const Vec3& min, const Vec3& max, const ShapeTransform& place) {
  ShapeWriter stamp(to, place);
  std::array<u32, 8> corners;  // bit 0: far along X; 1: along Y; 2: along Z
  for (u32 i = 0; i < 8; ++i)
    corners[i] = stamp.add_vertex({(i & 1 ? max : min)[0], (i & 2 ? max : min)[1], (i & 4 ? max : min)[2]});
  for (u32 axis = 0; axis < 3; ++axis) {
    const u32 u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3, far = 1u << axis;
    stamp.add_quad_indices(corners[0], corners[v], corners[u | v], corners[u]);
    stamp.add_quad_indices(corners[far], corners[far | u], corners[far | u | v], corners[far | v]);
  }
}

void add_box_edges(Primitive& to, const Vec3& min, const Vec3& max, const ShapeTransform& place) {
  ShapeWriter stamp(to, place);
  std::array<u32, 8> corners;  // as of add_box
  for (u32 i = 0; i < 8; ++i)
    corners[i] = stamp.add_vertex({(i & 1 ? max : min)[0], (i & 2 ? max : min)[1], (i & 4 ? max : min)[2]});
  for (u32 i = 0; i < 8; ++i)
    for (const u32 axis : {1u, 2u, 4u})
      if (!(i & axis)) stamp.add_line(corners[i], corners[i | axis]);
}

void add_cylinder_edges(Primitive& to, f32 radius_x, f32 radius_z, f32 y_min, f32 y_max, const ShapeTransform& place,
                        int sides) {
  constexpr int k_uprights = 4;
  ShapeWriter stamp(to, place);
  sides = std::max(sides, 3);
  const auto ring = [&](f32 y) { return append_ring(stamp, {{0, y, 0}, {0, 0, radius_z}, {radius_x, 0, 0}}, sides); };
  const u32 bottom = ring(y_min), top = ring(y_max);
  for (int i = 0; i < sides; ++i)
    for (const u32 first : {bottom, top}) stamp.add_line(first + u32(i), first + u32((i + 1) % sides));
  for (int i = 0; i < k_uprights; ++i)
    stamp.add_line(bottom + u32(i * sides / k_uprights), top + u32(i * sides / k_uprights));
}

void add_cone(Primitive& to, const Vec3& from, const Vec3& tip, f32 radius, const ShapeTransform& place, int sides) {
  if (from == tip) return;
  ShapeWriter stamp(to, place);
  append_cone(stamp, make_ring_around(from, sub(tip, from), radius), tip, std::max(sides, 3));
}

void add_tube(Primitive& to, std::span<const Vec3> points, f32 radius, const ShapeTransform& place, int sides) {
  std::vector<Vec3> way;
  for (const Vec3& p : points)
    if (way.empty() || way.back() != p) way.push_back(p);
  if (way.size() < 2) return;
  ShapeWriter stamp(to, place);
  sides = std::max(sides, 3);
  u32 last = 0;
  for (size_t i = 0; i < way.size(); ++i) {
    // A ring is perpendicular to the mean of the directions before and after it; at a reversal, to the direction before
    // it.
    const Vec3 before = i ? unit(sub(way[i], way[i - 1]), k_axis_z) : Vec3{0, 0, 0};
    const Vec3 after = i + 1 < way.size() ? unit(sub(way[i + 1], way[i]), k_axis_z) : Vec3{0, 0, 0};
    const bool turns_back = i && i + 1 < way.size() && dot(before, after) < -0.9;
    const u32 ring =
        append_ring(stamp, make_ring_around(way[i], turns_back ? before : add(before, after), radius), sides);
    if (i) append_ring_wall(stamp, last, ring, sides);
    last = ring;
  }
}

void add_arrow(Primitive& to, const ArrowSize& size, const ShapeTransform& place, int sides) {
  ShapeWriter stamp(to, place);
  const f32 neck = size.length - size.head_length;
  const u32 tail = append_ring(stamp, make_ring_along_z(size.shaft_radius, 0), sides);
  append_ring_wall(stamp, tail, append_ring(stamp, make_ring_along_z(size.shaft_radius, neck), sides), sides);
  append_ring_cap(stamp, tail, sides, true);
  append_cone(stamp, make_ring_along_z(size.head_radius, neck), {0, 0, size.length}, sides);
}

void add_face(Primitive& to, std::span<const Vec3> corners, const ShapeTransform& place) {
  ShapeWriter stamp(to, place);
  std::vector<u32> at;
  for (const Vec3& corner : corners) at.push_back(stamp.add_vertex(corner));
  for (size_t i = 2; i < at.size(); ++i) stamp.add_triangle(at[0], at[i - 1], at[i]);
}
void add_quad(Primitive& to, const std::array<Vec3, 4>& corners, const ShapeTransform& place) {
  add_face(to, corners, place);
}

}  // namespace dio::scene
