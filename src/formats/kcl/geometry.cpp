// geometry.cpp: prisms as triangles, and the positions from which they can be hit.
#include "formats/kcl/geometry.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/enum_names.hpp"

namespace dio::kcl {

std::string_view name_of(SurfaceUse use) {
  return use == SurfaceUse::road ? "road" : use == SurfaceUse::wall ? "wall" : "trigger";
}

u16 flags_of(const Prism& p, bool mario_kart_wii) {
  if (!mario_kart_wii) return p.attribute;
  return u16(p.soft_wall << 15 | p.reject_road << 14 | p.trickable << 13 | p.wheel_depth << 11 | p.light << 8 |
             p.variant << 5 | p.type);
}
void set_flags(Prism& p, u16 flags, bool mario_kart_wii) {
  if (!mario_kart_wii) {
    p.attribute = flags;
    return;
  }
  p.soft_wall = flags >> 15 & 1, p.reject_road = flags >> 14 & 1, p.trickable = flags >> 13 & 1;
  p.wheel_depth = flags >> 11 & 3, p.light = flags >> 8 & 7, p.variant = flags >> 5 & 7, p.type = flags & 31;
}
std::string surface_of(const Prism& p, bool mario_kart_wii) {
  if (!mario_kart_wii) return "attribute " + std::to_string(p.attribute);
  const auto variant = k_variants[p.type & 31].of(p.variant);
  return enum_name_or_number(k_types, p.type) + ": " +
         (variant.empty() ? "variant " + std::to_string(p.variant) : std::string(variant));
}

namespace {

f64 longest_side(const Triangle& t) {
  return std::max({length(t[1] - t[0]), length(t[2] - t[1]), length(t[0] - t[2])});
}

}  // namespace

f64 least_height(const Triangle& t) {
  const f64 longest = longest_side(t);
  return longest > 0 ? length(cross(t[1] - t[0], t[2] - t[0])) / longest : 0;
}
bool is_thin(const Triangle& t) {
  const f64 twice = length(cross(t[1] - t[0], t[2] - t[0]));
  return !(twice / 2 >= k_least_height && twice >= k_least_height * longest_side(t));
}

std::optional<Shape> resolve_prism_shape(const Kcl& k, const Prism& p) {
  const size_t n = k.normals.size();
  if (p.position >= k.positions.size() || p.face_normal >= n || p.edge_a >= n || p.edge_b >= n || p.edge_c >= n)
    return {};
  return Shape{point_of(k.positions[p.position]), point_of(k.normals[p.face_normal]), point_of(k.normals[p.edge_a]),
               point_of(k.normals[p.edge_b]),     point_of(k.normals[p.edge_c]),      p.height};
}

std::optional<Triangle> compute_prism_triangle(const Kcl& k, const Prism& p) {
  const auto s = resolve_prism_shape(k, p);
  if (!s) return {};
  const Point to_second = cross(s->b, s->face), to_third = cross(s->face, s->a);
  const Triangle t{s->corner, along(s->corner, to_second, s->height / dot(to_second, s->c)),
                   along(s->corner, to_third, s->height / dot(to_third, s->c))};
  for (const Point& corner : t)
    for (const f64 x : corner)
      if (!std::isfinite(x) || std::abs(x) > 1e9) return {};
  return t;
}

Point nearest_point_on_triangle(const Triangle& t, const Point& p) {
  const Point normal = cross(t[1] - t[0], t[2] - t[0]);
  bool inside = dot(normal, normal) > 0;
  for (size_t i = 0; i < 3 && inside; ++i) inside = dot(cross(t[(i + 1) % 3] - t[i], p - t[i]), normal) >= 0;
  if (inside) return along(p, unit(normal), -dot(p - t[0], unit(normal)));
  Point best = t[0];
  for (size_t i = 0; i < 3; ++i) {
    const Point way = t[(i + 1) % 3] - t[i];
    const f64 squared = dot(way, way), part = squared > 0 ? std::clamp(dot(p - t[i], way) / squared, 0.0, 1.0) : 0;
    const Point q = along(t[i], way, part);
    if (length(p - q) < length(p - best)) best = q;
  }
  return best;
}

bool is_hit(const Shape& s, f64 thickness, const Point& p, f64 radius) {
  const Point from = p - s.corner;
  const f64 a = dot(from, s.a), b = dot(from, s.b), c = dot(from, s.c) - s.height, above = dot(from, s.face);
  if (a >= radius || b >= radius || c >= radius || above >= radius || above <= -thickness) return false;
  if (a <= 0 && b <= 0 && c <= 0) return true;
  // beyond the furthest edge, or beyond the corner between the two furthest edges
  struct Edge {
    const Point* normal;
    f64 distance;
  };
  std::array<Edge, 3> edges{Edge{&s.a, a}, Edge{&s.b, b}, Edge{&s.c, c}};
  sort_stably(edges, [](const Edge& x, const Edge& y) { return x.distance > y.distance; });
  const f64 cosine = dot(*edges[0].normal, *edges[1].normal);
  f64 squared = edges[0].distance * edges[0].distance;
  if (cosine * edges[0].distance <= edges[1].distance) {
    const f64 t = (cosine * edges[0].distance - edges[1].distance) / (cosine * cosine - 1);
    const Point corner = along(along({0, 0, 0}, *edges[1].normal, t), *edges[0].normal, edges[0].distance - t * cosine);
    squared = dot(corner, corner);
  }
  return radius * radius - squared > above * above;
}

Depths hit_depths(const Kcl& k) {
  const auto or_usual = [](f32 x, f32 usual) { return std::isfinite(x) ? std::clamp<f64>(x, 0, k_farthest) : usual; };
  const f64 thickness = or_usual(k.thickness, k_usual_thickness);
  // For games without a radius in the header, octrees list all prisms closer than the thickness.
  return {k.sphere_radius ? or_usual(*k.sphere_radius, k_usual_sphere_radius) : thickness, thickness};
}

namespace {

/// The extent of a body along a direction.
struct Extent {
  f64 low = std::numeric_limits<f64>::infinity(), high = -low;
  void add(f64 x) { low = std::min(low, x), high = std::max(high, x); }
  /// Distance to a body from `low` to `high`; below 0: they overlap.
  f64 gap(f64 from, f64 to) const { return std::max(low - to, from - high); }
};

}  // namespace

PrismHitVolume::PrismHitVolume(const Triangle& t, const Point& face, Depths d)
    : triangle_(t), back_(along({0, 0, 0}, face, -d.thickness)), distance_(d.distance) {
  sides_[0] = face;
  for (size_t e = 0; e < 3; ++e) sides_[1 + e] = unit(cross(t[(e + 1) % 3] - t[e], face));
  for (size_t axis = 0; axis < 3; ++axis) {
    Extent e;
    for (const Point& p : t) e.add(p[axis] + back_[axis]), e.add(p[axis] - d.distance), e.add(p[axis] + d.distance);
    min[axis] = e.low, max[axis] = e.high;
  }
}

bool PrismHitVolume::may_touch_cube(const Point& middle, f64 half) const {
  for (size_t i = 0; i < 3; ++i)
    if (min[i] > middle[i] + half || max[i] < middle[i] - half) return false;
  // Fast path: most cells that list a prism contain a part of its triangle.
  const Point nearest = nearest_point_on_triangle(triangle_, middle);
  bool is_inside = true;
  for (size_t i = 0; i < 3; ++i) is_inside &= std::abs(nearest[i] - middle[i]) <= half;
  if (is_inside) return true;
  // Two convex bodies are apart if there is a gap between them along some direction: wider than the distance for the
  // triangle, any gap for the space behind it. Both have to be apart from the cube.
  bool apart = false, apart_behind = false;
  const auto test_separating_axis = [&](const Point& direction) {
    const f64 n = length(direction);
    if (!(n > 1e-9)) return;
    const f64 center = dot(middle, direction),
              reach = half * (std::abs(direction[0]) + std::abs(direction[1]) + std::abs(direction[2]));
    Extent e;
    for (const Point& p : triangle_) e.add(dot(p, direction));
    apart = apart || e.gap(center - reach, center + reach) > distance_ * n;
    const f64 behind = dot(back_, direction);
    (behind < 0 ? e.low : e.high) += behind;
    apart_behind = apart_behind || e.gap(center - reach, center + reach) > 0;
  };
  for (const Point& side : sides_) test_separating_axis(side);
  for (size_t i = 0; i < 3 && !(apart && apart_behind); ++i) {
    Point axis{0, 0, 0};
    axis[i] = 1;
    test_separating_axis(axis);
    test_separating_axis(cross(axis, sides_[0]));
    for (size_t e = 0; e < 3; ++e) test_separating_axis(cross(axis, triangle_[(e + 1) % 3] - triangle_[e]));
    // from the nearest place of the cube to a corner
    Point nearest;
    for (size_t j = 0; j < 3; ++j) nearest[j] = std::clamp(triangle_[i][j], middle[j] - half, middle[j] + half);
    test_separating_axis(triangle_[i] - nearest);
  }
  return !(apart && apart_behind);
}

bool PrismHitVolume::is_within_hit_distance(const Point& middle, f64 half) const {
  // alternates between the nearest points of the cube and the triangle, which converge
  constexpr int k_steps = 30;
  Point p = middle;
  for (int i = 0; i < k_steps; ++i) {
    const Point q = nearest_point_on_triangle(triangle_, p);
    for (size_t j = 0; j < 3; ++j) p[j] = std::clamp(q[j], middle[j] - half, middle[j] + half);
    if (length(p - q) < distance_) return true;
  }
  return false;
}

}  // namespace dio::kcl
