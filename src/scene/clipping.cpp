#include "scene/clipping.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "scene/math.hpp"
#include "scene/transforms.hpp"
#include "scene/triangle_indices.hpp"

namespace dio::scene {

namespace {

struct ClipVertex {
  Point position;
  Point normal{0, 0, 0};
  Vec4 color{1, 1, 1, 1};
  Vec2 uv{0, 0};
};

ClipVertex interpolate_vertex(const ClipVertex& a, const ClipVertex& b, f64 t) {
  const auto mix = [&](const auto& x, const auto& y) {
    auto out = x;
    using Number = std::remove_cvref_t<decltype(out[0])>;
    for (size_t i = 0; i < out.size(); ++i) out[i] = Number(x[i] + (f64(y[i]) - x[i]) * t);
    return out;
  };
  return {mix(a.position, b.position), mix(a.normal, b.normal), mix(a.color, b.color), mix(a.uv, b.uv)};
}

/// The part of a convex polygon on one side of a border: where `sign` times a coordinate is at most `sign` times the
/// border.
void clip_polygon_at(std::vector<ClipVertex>& polygon, size_t axis, f64 border, f64 sign) {
  const auto beyond = [&](const ClipVertex& c) { return sign * (c.position[axis] - border); };
  if (std::ranges::none_of(polygon, [&](const ClipVertex& c) { return beyond(c) > 0; })) return;
  std::vector<ClipVertex> out;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const ClipVertex &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const f64 from = beyond(a), to = beyond(b);
    if (from <= 0) out.push_back(a);
    if ((from > 0) == (to > 0) || from == 0 || to == 0) continue;
    // Always computed from the same end, so that neighbouring triangles and areas get the same point.
    const bool forth = from < 0;
    ClipVertex c = forth ? interpolate_vertex(a, b, from / (from - to)) : interpolate_vertex(b, a, to / (to - from));
    c.position[axis] = border;
    out.push_back(c);
  }
  polygon = std::move(out);
}

/// Triangles of one primitive, in the space of the scene.
class PolygonClipper {
 public:
  PolygonClipper(const Primitive& p, const Ground& ground, const Vec3& at) : from_(p), ground_(ground), at_(at) {
    out_.material = p.material;
    out_.in_variants = p.in_variants;
  }
  void add_polygon(std::vector<ClipVertex> polygon) {
    if (std::isfinite(ground_.west)) clip_polygon_at(polygon, 0, ground_.west, -1);
    if (std::isfinite(ground_.east)) clip_polygon_at(polygon, 0, ground_.east, 1);
    if (std::isfinite(ground_.north)) clip_polygon_at(polygon, 2, ground_.north, -1);
    if (std::isfinite(ground_.south)) clip_polygon_at(polygon, 2, ground_.south, 1);
    if (polygon.size() < 3) return;
    const Index first = Index(out_.positions.size());
    for (const ClipVertex& c : polygon) {
      out_.positions.push_back({f32(c.position[0] - at_[0]), f32(c.position[1] - at_[1]), f32(c.position[2] - at_[2])});
      if (!from_.normals.empty()) out_.normals.push_back(unit(c.normal[0], c.normal[1], c.normal[2], k_axis_y));
      if (!from_.colors.empty()) out_.colors.push_back(c.color);
      if (!from_.uvs.empty()) out_.uvs.push_back(c.uv);
    }
    for (Index i = 2; i < polygon.size(); ++i)
      out_.indices.insert(out_.indices.end(), {first, first + i - 1, first + i});
  }
  Primitive take() { return std::move(out_); }

 private:
  const Primitive& from_;
  const Ground& ground_;
  const Vec3& at_;
  Primitive out_;
};

}  // namespace

/// Copies the pictures of the materials in use.
static void copy_used_images(Scene& to, const Scene& from) {
  std::vector<bool> used(from.materials.size());
  for (const Mesh& m : to.meshes)
    for (const Primitive& p : m.primitives) {
      if (p.material != k_none) used[p.material] = true;
      for (const Primitive::VariantMapping& v : p.in_variants)
        if (v.material != k_none) used[v.material] = true;
    }
  std::map<Index, Index> textures, images;
  for (Index i = 0; i < to.materials.size(); ++i) {
    Index& texture = to.materials[i].texture;
    if (texture == k_none) continue;
    if (!used[i]) {
      texture = k_none;
      continue;
    }
    const auto [known, fresh] = textures.try_emplace(texture, Index(to.textures.size()));
    if (fresh) {
      to.textures.push_back(from.textures[texture]);
      Index& image = to.textures.back().image;
      if (image != k_none) {
        const auto [there, is_new] = images.try_emplace(image, Index(to.images.size()));
        if (is_new) to.images.push_back(from.images[image]);
        image = there->second;
      }
    }
    texture = known->second;
  }
}

Scene clip_scene_to_area(const Scene& s, const Ground& ground, const Vec3& at) {
  return clip_scene_to_area(s, ground, at, std::vector<bool>(s.nodes.size(), true), world_transforms(s));
}

Scene clip_scene_to_area(const Scene& s, const Ground& ground, const Vec3& at, const std::vector<bool>& near,
                         const std::vector<Affine>& places) {
  Scene out;
  out.name = s.name, out.metres_per_unit = s.metres_per_unit, out.background = s.background;
  out.materials = s.materials, out.variants = s.variants, out.extras = s.extras;
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const Node& n = s.nodes[i];
    Node& here = out.nodes.emplace_back();
    here.name = n.name, here.parent = n.parent, here.visible = n.visible, here.extras = n.extras;
    if (n.mesh == k_none || !near[i]) continue;
    Mesh mesh;
    mesh.name = s.meshes[n.mesh].name;
    for (const Primitive& p : s.meshes[n.mesh].primitives) {
      PolygonClipper cutter(p, ground, at);
      const std::vector<Index> corners = triangle_indices(p);
      for (size_t c = 0; c + 2 < corners.size(); c += 3) {
        std::vector<ClipVertex> polygon(3);
        bool mirrored = false;
        for (size_t k = 0; k < 3; ++k) {
          const Index v = corners[c + k];
          const Affine place =
              n.skin == k_none ? places[i] : skin_matrix(places, s.skins[n.skin], p.joints[v], p.weights[v]);
          mirrored = determinant(place.linear) < 0;
          ClipVertex& to = polygon[k];
          to.position = place * Point{p.positions[v][0], p.positions[v][1], p.positions[v][2]};
          if (!p.normals.empty()) {
            const Point normal{p.normals[v][0], p.normals[v][1], p.normals[v][2]};
            if (const auto back = inverse(place.linear))
              for (size_t r = 0; r < 3; ++r) to.normal[r] = dot(back->columns[r], normal);
          }
          if (!p.colors.empty()) to.color = p.colors[v];
          if (!p.uvs.empty()) to.uv = p.uvs[v];
        }
        if (mirrored) std::swap(polygon[1], polygon[2]);
        cutter.add_polygon(std::move(polygon));
      }
      if (Primitive rest = cutter.take(); !rest.positions.empty()) mesh.primitives.push_back(std::move(rest));
    }
    if (mesh.primitives.empty()) continue;
    here.mesh = Index(out.meshes.size());
    out.meshes.push_back(std::move(mesh));
  }
  copy_used_images(out, s);
  return out;
}

}  // namespace dio::scene
