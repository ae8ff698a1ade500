#include "scene/shapes.hpp"

#include <map>

namespace dio::scene {
namespace {

/// Appends vertices and triangles in a shape's own coordinates to a primitive, through the placement.
class Stamp {
 public:
  Stamp(Primitive& to, const Placement& place) : to_(to), place_(place), turn_(to_matrix(place.rotation)) {
    const Vec3& s = place.scale;
    mirrored_ = f64(s[0]) * s[1] * s[2] < 0;
    // The primitive may come from elsewhere: keep its vertices and make every attribute list as long as the positions.
    const size_t before = to.positions.size();
    to.normals.resize(before, k_axis_y);
    if (place.color) to.colors.resize(before, k_white);
    if (to.indices.empty())
      for (size_t i = 0; i < before; ++i) to.indices.push_back(u32(i));
  }

  u32 vertex(const Vec3& p, const Vec3& unit_normal) {
    to_.positions.push_back(add(transform(turn_, mul(p, place_.scale)), place_.at));
    to_.normals.push_back(turned(unit_normal));
    if (!to_.colors.empty() || place_.color) to_.colors.push_back(place_.color.value_or(k_white));
    return u32(to_.positions.size() - 1);
  }

  void triangle(u32 a, u32 b, u32 c) {
    if (mirrored_) std::swap(b, c);
    to_.indices.insert(to_.indices.end(), {a, b, c});
  }

 private:
  static constexpr Vec4 k_white{1, 1, 1, 1};

  Vec3 turned(const Vec3& n) const {
    // A normal is scaled by the inverse; times the determinant, so that a flat shape (a scale of 0) has normals, too.
    const f64 x = place_.scale[0], y = place_.scale[1], z = place_.scale[2], sign = mirrored_ ? -1 : 1;
    return unit(transform(turn_, unit(n[0] * y * z * sign, n[1] * x * z * sign, n[2] * x * y * sign, n)), k_axis_y);
  }

  Primitive& to_;
  const Placement& place_;
  Mat3 turn_;
  bool mirrored_;
};

/// The points of an icosahedron with its triangles cut, on a sphere of radius 1.
struct UnitSphere {
  std::vector<Vec3> points;
  std::vector<std::array<u32, 3>> triangles;

  explicit UnitSphere(int splits) {
    const f64 golden = std::numbers::phi;
    for (const f64 a : {-1.0, 1.0})
      for (const f64 b : {-golden, golden}) {
        points.push_back(unit(0, a, b, k_axis_y));
        points.push_back(unit(a, b, 0, k_axis_y));
        points.push_back(unit(b, 0, a, k_axis_y));
      }
    // The triangles of an icosahedron are the threes of points that are all neighbours.
    auto near = [&](u32 a, u32 b) { return dot(points[a], points[b]) > 0.4; };
    for (u32 a = 0; a < 12; ++a)
      for (u32 b = a + 1; b < 12; ++b)
        for (u32 c = b + 1; c < 12; ++c)
          if (near(a, b) && near(b, c) && near(c, a)) {
            const bool outwards = dot(cross(sub(points[b], points[a]), sub(points[c], points[a])), points[a]) > 0;
            triangles.push_back(outwards ? std::array{a, b, c} : std::array{a, c, b});
          }
    for (int i = 0; i < splits; ++i) split();
  }

 private:
  void split() {
    std::map<std::pair<u32, u32>, u32> middles;
    auto middle = [&](u32 a, u32 b) {
      auto [place, fresh] = middles.try_emplace(std::minmax(a, b), u32(points.size()));
      if (fresh) points.push_back(unit(add(points[a], points[b]), k_axis_y));
      return place->second;
    };
    std::vector<std::array<u32, 3>> finer;
    for (const auto& [a, b, c] : triangles) {
      const u32 ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    triangles = std::move(finer);
  }
};

void stamp_sphere(Stamp& stamp, const UnitSphere& sphere, f32 radius, const Vec3& centre) {
  u32 first = 0;
  for (size_t i = 0; i < sphere.points.size(); ++i) {
    const u32 at = stamp.vertex(add(centre, mul(sphere.points[i], radius)), sphere.points[i]);
    if (i == 0) first = at;
  }
  for (const auto& [a, b, c] : sphere.triangles) stamp.triangle(first + a, first + b, first + c);
}

/// One end of a frustum: an ellipse at a height.
struct End {
  f32 radius_x, radius_y, z;
  bool is_tip() const { return radius_x == 0 && radius_y == 0; }
};

/// Where a frustum's own axes go in the shape.
struct Frame {
  Mat3 axes;
  Vec3 origin{0, 0, 0};
};
constexpr Frame k_along_z{{k_axis_x, k_axis_y, k_axis_z}};
constexpr Frame k_along_y{{k_axis_z, k_axis_x, k_axis_y}};

/// The closed solid between two ellipses along Z. An end without radius is a tip.
void stamp_frustum(Stamp& stamp, const Frame& frame, End bottom, End top, int sides) {
  if (bottom.z > top.z) std::swap(bottom, top);
  sides = std::max(sides, 3);
  const End& wide = bottom.is_tip() ? top : bottom;
  const f64 dx = f64(top.radius_x) - bottom.radius_x, dy = f64(top.radius_y) - bottom.radius_y,
            dz = f64(top.z) - bottom.z;

  auto on = [&](const End& end, int side) {
    const f64 angle = side * 2 * std::numbers::pi / sides;
    const Vec3 p{f32(end.radius_x * std::cos(angle)), f32(end.radius_y * std::sin(angle)), end.z};
    return add(transform(frame.axes, p), frame.origin);
  };
  auto outwards = [&](f64 side) {  // the cross product of the two directions within the surface
    const f64 angle = side * 2 * std::numbers::pi / sides, c = std::cos(angle), s = std::sin(angle);
    const Vec3 n = unit(wide.radius_y * dz * c, wide.radius_x * dz * s,
                        -(wide.radius_x * dy * s * s + wide.radius_y * dx * c * c), k_axis_z);
    return unit(transform(frame.axes, n), k_axis_y);
  };

  for (int i = 0; i < sides; ++i) {
    // A vertex of a tip belongs to one side: its normal stands between those of the side's edges.
    const u32 a = stamp.vertex(on(bottom, i), outwards(i + (bottom.is_tip() ? 0.5 : 0)));
    const u32 b = stamp.vertex(on(top, i), outwards(i + (top.is_tip() ? 0.5 : 0)));
    const u32 next = i + 1 < sides ? a + 2 : a - 2 * u32(sides - 1);
    if (!bottom.is_tip()) stamp.triangle(a, next, top.is_tip() ? b : next + 1);
    if (!top.is_tip()) stamp.triangle(a, next + 1, b);
  }
  for (const End* end : {&bottom, &top}) {
    if (end->is_tip()) continue;
    const Vec3 normal = unit(mul(frame.axes[2], end == &top ? 1.0f : -1.0f), k_axis_y);
    std::vector<u32> rim;
    for (int i = 0; i < sides; ++i) rim.push_back(stamp.vertex(on(*end, i), normal));
    if (end == &bottom) std::reverse(rim.begin(), rim.end());
    for (size_t i = 2; i < rim.size(); ++i) stamp.triangle(rim[0], rim[i - 1], rim[i]);
  }
}

/// From one point to the other.
void stamp_line(Stamp& stamp, const Vec3& from, const Vec3& to, f32 radius_from, f32 radius_to, int sides) {
  const Frame frame{to_matrix(aim_z(sub(to, from))), from};
  stamp_frustum(stamp, frame, {radius_from, radius_from, 0}, {radius_to, radius_to, f32(distance(from, to))}, sides);
}

}  // namespace

void add_sphere(Primitive& to, f32 radius, const Placement& place, int splits) {
  Stamp stamp(to, place);
  stamp_sphere(stamp, UnitSphere(splits), radius, {0, 0, 0});
}

void add_sphere_grid(Primitive& to, int columns, int rows, f32 step, f32 radius, const Placement& place, int splits) {
  Stamp stamp(to, place);
  const UnitSphere sphere(splits);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      stamp_sphere(stamp, sphere, radius,
                   {(f32(column) - f32(columns - 1) / 2) * step, 0, (f32(row) - f32(rows - 1) / 2) * step});
}

void add_box(Primitive& to, const Vec3& min, const Vec3& max, const Placement& place) {
  Stamp stamp(to, place);
  for (size_t axis = 0; axis < 3; ++axis)
    for (const bool far : {false, true}) {
      const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
      Vec3 normal{0, 0, 0};
      normal[axis] = far ? 1.0f : -1.0f;
      auto corner = [&](const Vec3& at_u, const Vec3& at_v) {
        Vec3 p = far ? max : min;
        p[u] = at_u[u];
        p[v] = at_v[v];
        return stamp.vertex(p, normal);
      };
      const u32 a = corner(min, min), b = corner(max, min), c = corner(max, max), d = corner(min, max);
      stamp.triangle(a, far ? b : c, far ? c : b);
      stamp.triangle(a, far ? c : d, far ? d : c);
    }
}

void add_cylinder(Primitive& to, f32 radius_x, f32 radius_z, f32 y_min, f32 y_max, const Placement& place, int sides) {
  Stamp stamp(to, place);
  stamp_frustum(stamp, k_along_y, {radius_z, radius_x, y_min}, {radius_z, radius_x, y_max}, sides);
}

void add_cone(Primitive& to, f32 radius, f32 length, const Placement& place, int sides) {
  Stamp stamp(to, place);
  stamp_frustum(stamp, k_along_z, {radius, radius, 0}, {0, 0, length}, sides);
}

void add_cone(Primitive& to, const Vec3& from, const Vec3& tip, f32 radius, const Placement& place, int sides) {
  if (from == tip) return;
  Stamp stamp(to, place);
  stamp_line(stamp, from, tip, radius, 0, sides);
}

void add_tube(Primitive& to, const Vec3& from, const Vec3& end, f32 radius, const Placement& place, int sides) {
  if (from == end) return;
  Stamp stamp(to, place);
  stamp_line(stamp, from, end, radius, radius, sides);
}

void add_arrow(Primitive& to, const ArrowSize& size, const Placement& place, int sides) {
  Stamp stamp(to, place);
  const f32 neck = size.length - size.head_length;
  stamp_frustum(stamp, k_along_z, {size.shaft_radius, size.shaft_radius, 0},
                {size.shaft_radius, size.shaft_radius, neck}, sides);
  stamp_frustum(stamp, k_along_z, {size.head_radius, size.head_radius, neck}, {0, 0, size.length}, sides);
}

void add_quad(Primitive& to, const std::array<Vec3, 4>& corners, const Placement& place) {
  Stamp stamp(to, place);
  const Vec3 normal = unit(cross(sub(corners[2], corners[0]), sub(corners[3], corners[1])), k_axis_y);
  const u32 a = stamp.vertex(corners[0], normal), b = stamp.vertex(corners[1], normal),
            c = stamp.vertex(corners[2], normal), d = stamp.vertex(corners[3], normal);
  stamp.triangle(a, b, c);
  stamp.triangle(a, c, d);
}

}  // namespace dio::scene
