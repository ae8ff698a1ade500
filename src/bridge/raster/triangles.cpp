#include "bridge/raster/triangles.hpp"

#include <algorithm>
#include <numeric>

#include "core/elementary.hpp"
#include "scene/math.hpp"

namespace dio::raster {

using namespace scene;

namespace {

/// How far triangles may extend beyond the picture, in multiples of its size, before they are cut, so that positions
/// fit in 32 bits.
constexpr f64 k_guard = 4;
/// Same, for triangles that are not cut.
constexpr f64 k_farthest_pixel = 5.0 * k_most_pixels_in_windows;

/// A vertex before it is projected.
struct ViewVertex {
  Point eye{};
  Vec2 uv{0, 0};
  Vec4 color{1, 1, 1, 1};
  Vec3 normal{0, 0, 0};
  u32 vertex = ~u32(0);  // once it is projected
};

template <size_t N>
std::array<f32, N> interpolate(const std::array<f32, N>& a, const std::array<f32, N>& b, f64 part) {
  std::array<f32, N> out;
  for (size_t i = 0; i < N; ++i) out[i] = f32((1 - part) * a[i] + part * b[i]);
  return out;
}
ViewVertex interpolate(const ViewVertex& a, const ViewVertex& b, f64 part) {
  ViewVertex out;
  for (size_t i = 0; i < 3; ++i) out.eye[i] = (1 - part) * a.eye[i] + part * b.eye[i];
  out.uv = interpolate(a.uv, b.uv, part);
  out.color = interpolate(a.color, b.color, part);
  out.normal = interpolate(a.normal, b.normal, part);
  return out;
}

/// Converts primitives in eye space to triangles on the target.
class Assembler {
 public:
  Assembler(const View& view, const Target& target, Triangles& out)
      : view_(view), target_(target), out_(out), aspect_(f64(target.width) / target.height) {}

  /// How the next triangles are drawn.
  u32 material = k_no_material;
  bool colored = false, one_sided = false, mirrored = false;

  void add_triangle(ViewVertex& a, ViewVertex& b, ViewVertex& c) {
    if (target_.look == ShadingStyle::psx && !view_.parallel) return add_subdivided_triangle(a, b, c, 0);
    const u32 outside[3] = {compute_outcode(a), compute_outcode(b), compute_outcode(c)};
    if (outside[0] & outside[1] & outside[2]) return;
    if (!(outside[0] | outside[1] | outside[2]))
      return emit_triangle(projected_vertex_index(a), projected_vertex_index(b), projected_vertex_index(c));
    polygon_.assign({a, b, c});
    for (u32 plane = 0; plane < k_planes; ++plane)
      if ((outside[0] | outside[1] | outside[2]) & (1u << plane)) clip_polygon(plane);
    if (polygon_.size() < 3) return;
    const u32 first = projected_vertex_index(polygon_[0]);
    u32 last = projected_vertex_index(polygon_[1]);
    for (size_t i = 2; i < polygon_.size(); ++i) {
      const u32 next = projected_vertex_index(polygon_[i]);
      emit_triangle(first, last, next);
      last = next;
    }
  }
  void add_line(const ViewVertex& a, const ViewVertex& b) {
    polygon_.assign({a, b});
    for (u32 plane = 0; plane < k_planes; ++plane)
      if (!polygon_.empty() && (compute_outcode(polygon_[0]) | compute_outcode(polygon_[1])) & (1u << plane))
        clip_line(plane);
    if (polygon_.empty()) return;
    const Vertex from = project_to_screen(polygon_[0]), to = project_to_screen(polygon_[1]);
    const f64 dx = f64(to.x) - from.x, dy = f64(to.y) - from.y, length = std::sqrt(dx * dx + dy * dy);
    const f64 half = target_.line_width / 2.0 * (1 << k_subpixel_bits);
    const i32 x = length > 0 ? i32(std::lround(-dy / length * half)) : i32(half);
    const i32 y = length > 0 ? i32(std::lround(dx / length * half)) : 0;
    emit_line_quad(from, to, x, y);
  }
  void add_point(const ViewVertex& at) {
    if (compute_outcode(at)) return;
    Vertex left = project_to_screen(at), right = left;
    const i32 half = i32(target_.point_size / 2 * (1 << k_subpixel_bits));
    left.x -= half, right.x += half;
    emit_line_quad(left, right, 0, half);
  }

 private:
  static constexpr u32 k_planes = 6;  // near, far, right, left, top, bottom

  f64 distance(const ViewVertex& c) const { return -c.eye[2]; }
  /// The distance inside a plane; negative outside.
  f64 signed_plane_distance(const ViewVertex& c, u32 plane) const {
    const f64 d = distance(c), reach = view_.half_height * (view_.parallel ? 1 : d) * k_guard;
    switch (plane) {
      case 0:
        return d - view_.near;
      case 1:
        return view_.far - d;
      case 2:
        return reach * aspect_ - c.eye[0];
      case 3:
        return reach * aspect_ + c.eye[0];
      case 4:
        return reach - c.eye[1];
      default:
        return reach + c.eye[1];
    }
  }
  u32 compute_outcode(const ViewVertex& c) const {
    u32 out = 0;
    for (u32 plane = 0; plane < k_planes; ++plane) out |= u32(!(signed_plane_distance(c, plane) >= 0)) << plane;
    return out;
  }
  /// A triangle that extends behind the near plane is halved a few times and then drawn with its corners where they
  /// fall, because PlayStation games have no time for clipping (psxsplash, renderer.cpp, processTriangle). Textures of
  /// near polygons therefore bend as in the game.
  void add_subdivided_triangle(ViewVertex& a, ViewVertex& b, ViewVertex& c, u32 halvings) {
    constexpr u32 k_most_halvings = 5;
    const f64 d[3] = {distance(a), distance(b), distance(c)};
    if (std::max({d[0], d[1], d[2]}) <= 0 || std::min({d[0], d[1], d[2]}) > view_.far) return;
    if (compute_outcode(a) & compute_outcode(b) & compute_outcode(c) & ~u32(1)) return;
    const bool reaches_behind = std::min({d[0], d[1], d[2]}) < view_.near;
    if (reaches_behind && halvings < k_most_halvings) {
      const f64 ab = std::fabs(d[0] - d[1]), bc = std::fabs(d[1] - d[2]), ca = std::fabs(d[2] - d[0]);
      const auto halve = [&](ViewVertex& from, ViewVertex& to, ViewVertex& other) {
        ViewVertex middle = interpolate(from, to, 0.5);
        add_subdivided_triangle(from, middle, other, halvings + 1);
        add_subdivided_triangle(middle, to, other, halvings + 1);
      };
      return ab >= bc && ab >= ca ? halve(a, b, c) : bc >= ca ? halve(b, c, a) : halve(c, a, b);
    }
    const bool sided = std::exchange(one_sided, one_sided && !reaches_behind);
    emit_triangle(projected_vertex_index(a), projected_vertex_index(b), projected_vertex_index(c));
    one_sided = sided;
  }
  /// Sutherland-Hodgman clipping at one plane.
  void clip_polygon(u32 plane) {
    cut_.clear();
    for (size_t i = 0; i < polygon_.size(); ++i) {
      const ViewVertex &a = polygon_[i], &b = polygon_[(i + 1) % polygon_.size()];
      const f64 in_a = signed_plane_distance(a, plane), in_b = signed_plane_distance(b, plane);
      if (in_a >= 0) cut_.push_back(a);
      if ((in_a >= 0) != (in_b >= 0)) cut_.push_back(interpolate(a, b, in_a / (in_a - in_b)));
    }
    polygon_.swap(cut_);
  }
  void clip_line(u32 plane) {
    const f64 in_a = signed_plane_distance(polygon_[0], plane), in_b = signed_plane_distance(polygon_[1], plane);
    if (!(in_a >= 0) && !(in_b >= 0)) return polygon_.clear();
    if ((in_a >= 0) == (in_b >= 0)) return;
    polygon_[in_a >= 0] = interpolate(polygon_[0], polygon_[1], in_a / (in_a - in_b));
  }

  Vertex project_to_screen(const ViewVertex& c) const {
    Vertex v;
    const f64 d = std::max(distance(c), target_.look == ShadingStyle::psx ? view_.near : -HUGE_VAL),
              w = view_.parallel ? 1 : d;
    const f64 x = (c.eye[0] / (view_.half_height * aspect_ * w) + 1) / 2 * target_.width;
    const f64 y = (1 - c.eye[1] / (view_.half_height * w)) / 2 * target_.height;
    const auto to_subpixels = [&](f64 at) {
      constexpr i32 k_one = 1 << k_subpixel_bits;
      // Consoles have no subpixel precision, and sample the upper left corner of a pixel.
      if (!(at > -k_farthest_pixel))
        at = -k_farthest_pixel;  // also catches NaN, if a scene is larger than the range of numbers
      at = std::min(at, k_farthest_pixel);
      // A point on a pixel must not move to the previous pixel because of rounding.
      if (target_.look != ShadingStyle::plain) return i32(std::floor(at + 1e-6)) * k_one + k_one / 2;
      return i32(std::floor(at * k_one + 0.5));
    };
    v.x = to_subpixels(x), v.y = to_subpixels(y);
    const f64 near = view_.near, far = view_.far;
    v.depth = f32(std::clamp((far - d) / (far - near) * (view_.parallel ? 1 : near / d), 0.0, 1.0));
    v.inverse_w = f32(1 / w);
    v.uv = c.uv;
    v.color = c.color;
    v.normal = c.normal;
    v.position = {f32(c.eye[0]), f32(c.eye[1]), f32(c.eye[2])};
    return v;
  }
  u32 add(const Vertex& v) {
    out_.vertices.push_back(v);
    return u32(out_.vertices.size() - 1);
  }
  u32 projected_vertex_index(ViewVertex& c) {
    if (c.vertex == ~u32(0)) c.vertex = add(project_to_screen(c));
    return c.vertex;
  }

  void emit_triangle(u32 a, u32 b, u32 c) {
    const Vertex &p = out_.vertices[a], &q = out_.vertices[b], &r = out_.vertices[c];
    const i64 area = i64(q.x - p.x) * (r.y - p.y) - i64(r.x - p.x) * (q.y - p.y);
    if (!area) return;
    // Fronts are counterclockwise with y up; here y points down.
    const bool from_behind = (area > 0) != mirrored;
    if (from_behind && one_sided) return;
    Triangle t;
    t.vertices = {a, area > 0 ? b : c, area > 0 ? c : b};
    t.material = material & k_no_material;
    t.colored = colored;
    t.from_behind = from_behind;
    t.shaded = true;
    out_.all.push_back(t);
  }
  /// A strip of two triangles around the line between two vertices.
  void emit_line_quad(const Vertex& from, const Vertex& to, i32 x, i32 y) {
    u32 v[4];
    for (u32 i = 0; i < 4; ++i) {
      Vertex at = i < 2 ? from : to;
      at.x += i % 2 ? x : -x, at.y += i % 2 ? y : -y;
      v[i] = add(at);
    }
    const size_t first = out_.all.size();
    const bool sided = std::exchange(one_sided, false);
    emit_triangle(v[0], v[1], v[2]);
    emit_triangle(v[2], v[1], v[3]);
    one_sided = sided;
    for (size_t i = first; i < out_.all.size(); ++i) out_.all[i].shaded = false;
  }

  const View& view_;
  const Target& target_;
  Triangles& out_;
  const f64 aspect_;
  std::vector<ViewVertex> polygon_, cut_;
};

Vec3 transform_direction(const Mat3d& m, const Vec3& v) {
  const Point p = m * Point{v[0], v[1], v[2]};
  return scene::unit(p[0], p[1], p[2], {0, 0, 0});
}

/// Keeps normals perpendicular to surfaces that a matrix stretches.
Mat3d normal_matrix(const Mat3d& m) {
  const f64 sign = determinant(m) < 0 ? -1 : 1;
  Mat3d out{{cross(m.columns[1], m.columns[2]), cross(m.columns[2], m.columns[0]), cross(m.columns[0], m.columns[1])}};
  for (Point& c : out.columns)
    for (f64& x : c) x *= sign;
  return out;
}

void add_primitive(const Scene& scene, const Pose& pose, const View& view, const Node& node, const Affine& place,
                   const Primitive& p, const Surfaces& surfaces, Assembler& to) {
  Index material = p.material;
  for (const Primitive::VariantMapping& v : p.in_variants)
    if (v.variant == pose.variant) material = v.material;
  const Surface& surface = surfaces.of(material);
  to.material = material == k_none ? k_no_material : u32(material);
  to.colored = !p.colors.empty();
  to.one_sided = !surface.material->double_sided;
  const bool skinned = node.skin != k_none;
  const Affine model = skinned ? view.to_eye : view.to_eye * place;
  to.mirrored = determinant(model.linear) < 0;

  std::vector<ViewVertex> corners(p.positions.size());
  const Mat3d normals = normal_matrix(model.linear);
  for (size_t i = 0; i < corners.size(); ++i) {
    ViewVertex& c = corners[i];
    const Point at{p.positions[i][0], p.positions[i][1], p.positions[i][2]};
    if (skinned) {
      const Affine bent = model * skin_matrix(pose, scene.skins[node.skin], p.joints[i], p.weights[i]);
      c.eye = bent * at;
      if (surface.lit && !p.normals.empty()) c.normal = transform_direction(normal_matrix(bent.linear), p.normals[i]);
    } else {
      c.eye = model * at;
      if (surface.lit && !p.normals.empty()) c.normal = transform_direction(normals, p.normals[i]);
    }
    if (!p.colors.empty()) c.color = p.colors[i];
    if (surface.picture && !p.uvs.empty()) {
      const f32* t = surface.transform;
      c.uv = {f32(f64(t[0]) * p.uvs[i][0] + f64(t[1]) * p.uvs[i][1] + t[2]),
              f32(f64(t[3]) * p.uvs[i][0] + f64(t[4]) * p.uvs[i][1] + t[5])};
    }
  }
  const size_t count = p.indices.empty() ? corners.size() : p.indices.size();
  const auto at = [&](size_t i) -> ViewVertex& { return corners[p.indices.empty() ? i : p.indices[i]]; };
  using enum Primitive::Shape;
  switch (p.shape) {
    case points:
      for (size_t i = 0; i < count; ++i) to.add_point(at(i));
      break;
    case lines:
      for (size_t i = 0; i + 1 < count; i += 2) to.add_line(at(i), at(i + 1));
      break;
    case triangles:
      for (size_t i = 0; i + 2 < count; i += 3) to.add_triangle(at(i), at(i + 1), at(i + 2));
      break;
  }
}

std::vector<ViewLight> collect_view_lights(const Scene& scene, const Pose& pose, const View& view) {
  std::vector<ViewLight> out;
  for (size_t n = 0; n < scene.nodes.size(); ++n) {
    if (scene.nodes[n].light == k_none || !pose.visible[n]) continue;
    const Light& light = scene.lights[scene.nodes[n].light];
    const Affine place = view.to_eye * pose.places[n];
    ViewLight lamp;
    lamp.kind = light.kind;
    lamp.color = mul(light.color, light.intensity);
    lamp.position = {f32(place.origin[0]), f32(place.origin[1]), f32(place.origin[2])};
    lamp.to_light = transform_direction(place.linear, {0, 0, 1});
    lamp.range = light.range * scene.metres_per_unit;
    lamp.cos_inner = f32(elementary::cos(f64(light.inner_cone)));
    lamp.cos_outer = f32(elementary::cos(f64(light.outer_cone)));
    out.push_back(lamp);
  }
  return out;
}

/// The farthest first.
void sort_by_distance(Triangles& t, std::vector<u32>::iterator first, auto distance_of) {
  std::vector<f32> distance(t.all.size());
  for (auto i = first; i != t.order.end(); ++i) distance[*i] = distance_of(t.all[*i]);
  std::stable_sort(first, t.order.end(), [&](u32 a, u32 b) { return distance[a] > distance[b]; });
}

}  // namespace

Box Triangles::pixel_bounds(u32 triangle) const {
  const auto& v = all[triangle].vertices;
  const auto [left, right] = std::minmax({vertices[v[0]].x, vertices[v[1]].x, vertices[v[2]].x});
  const auto [top, bottom] = std::minmax({vertices[v[0]].y, vertices[v[1]].y, vertices[v[2]].y});
  return {left >> k_subpixel_bits, top >> k_subpixel_bits, right >> k_subpixel_bits, bottom >> k_subpixel_bits};
}

Triangles triangles_of(const Scene& scene, const Pose& pose, const View& view, const Surfaces& surfaces,
                       const Target& target) {
  Triangles out;
  out.metres_per_unit = scene.metres_per_unit;
  out.parallel = view.parallel;
  out.lamps = collect_view_lights(scene, pose, view);
  Assembler assembler(view, target, out);
  for (size_t n = 0; n < scene.nodes.size(); ++n) {
    const Node& node = scene.nodes[n];
    if (node.mesh == k_none || !pose.visible[n]) continue;
    for (const Primitive& p : scene.meshes[node.mesh].primitives)
      add_primitive(scene, pose, view, node, pose.places[n], p, surfaces, assembler);
  }

  out.order.resize(out.all.size());
  std::iota(out.order.begin(), out.order.end(), 0u);
  const auto surface_of = [&](u32 i) -> const Surface& {
    const u32 material = out.all[i].material;
    return surfaces.of(material == k_no_material ? k_none : material);
  };
  const auto is_blended = [&](u32 i) { return surface_of(i).material->alpha == Material::Alpha::blend; };
  switch (target.look) {
    case ShadingStyle::plain: {
      // Opaque triangles in scene order; then the others, the farthest first.
      const auto first =
          std::stable_partition(out.order.begin(), out.order.end(), [&](u32 i) { return !is_blended(i); });
      sort_by_distance(out, first, [&](const Triangle& t) {
        f32 sum = 0;
        for (const u32 v : t.vertices) sum -= out.vertices[v].position[2];
        return sum;
      });
      break;
    }
    case ShadingStyle::ds: {
      // By their lowest and then their highest line, translucent ones last (GBATEK, DS 3D Final 2D Output; the game
      // requests this order with GX_SORTMODE_AUTO). Shadows need their masks before them: a program with shadows keeps
      // translucent polygons in its own order (GBATEK, DS 3D Shadow Polygons).
      const bool has_shadows =
          std::ranges::any_of(out.order, [&](u32 i) { return surface_of(i).traits.mode == PolygonMode::shadow; });
      std::vector<u64> key(out.all.size());
      for (const u32 i : out.order) {
        const Box box = out.pixel_bounds(i);
        key[i] = u64(is_blended(i)) << 62;
        if (!key[i] || !has_shadows) key[i] |= u64(u32(box.bottom) + 0x40000000u) << 31 | (u32(box.top) + 0x40000000u);
      }
      std::ranges::stable_sort(out.order, {}, [&](u32 i) { return key[i]; });
      if (!has_shadows) break;
      out.volumes.resize(out.all.size());
      u32 volume = 0;
      bool was_mask = false;
      for (const u32 i : out.order) {
        const bool is_mask = surface_of(i).traits.is_mask();
        volume += is_mask && !was_mask;
        out.volumes[i] = volume;
        was_mask = is_mask;
      }
      break;
    }
    case ShadingStyle::psx:
      // There is no depth buffer. Equally far triangles are drawn last one first, because each is added at the front of
      // a list.
      std::ranges::reverse(out.order);
      sort_by_distance(out, out.order.begin(), [&](const Triangle& t) {
        const auto far = [&](size_t i) { return -out.vertices[t.vertices[i]].position[2]; };
        return std::max({far(0), far(1), far(2)});
      });
      break;
  }
  return out;
}

}  // namespace dio::raster
