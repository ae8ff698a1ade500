// gltf_comparison.hpp: whether a scene that was written as glTF and read again is the one it was, as far as glTF
// carries it. It does not carry: the background, what nothing uses, where skinned meshes hang, the scale of what is
// never seen.
#pragma once
#include <cmath>

#include "core/json.hpp"
#include "scene/scene.hpp"

namespace dio::scene {

class GltfComparison {
 public:
  /// A sentence for each difference, the first of them; empty if there is none.
  static std::vector<std::string> differences(const Scene& before, const Scene& after) {
    GltfComparison c(before, after);
    c.run();
    return std::move(c.found_);
  }

 private:
  GltfComparison(const Scene& before, const Scene& after)
      : a_(before), b_(after), materials_(before.materials.size(), k_none) {}

  void run() {
    same("name", a_.name, b_.name);
    same("metres_per_unit", a_.metres_per_unit, b_.metres_per_unit);
    same("extras", text(a_.extras), text(b_.extras));
    nodes();
    size_t written = 0;
    for (const Animation& x : a_.animations)
      if (is_written(x)) {
        if (written < b_.animations.size()) animation(x, b_.animations[written]);
        ++written;
      }
    same("animations", written, b_.animations.size());
  }

  void say(const std::string& what) {
    if (found_.size() < 10) found_.push_back(place_ + what);
  }
  void same(const std::string& what, const auto& x, const auto& y) {
    if (!(x == y)) say(what + " differs");
  }
  static std::string text(const Value& v) { return json::write(v, {.indent = 0}); }

  template <size_t N>
  void near(const std::string& what, const std::vector<std::array<f32, N>>& x, const std::vector<std::array<f32, N>>& y,
            f32 tolerance, size_t used = N) {
    if (x.size() != y.size()) return say(what + ": " + std::to_string(x.size()) + " and " + std::to_string(y.size()));
    for (size_t i = 0; i < x.size(); ++i)
      for (size_t k = 0; k < used; ++k)
        if (!(std::fabs(x[i][k] - y[i][k]) <= tolerance)) return say(what + "[" + std::to_string(i) + "] differs");
  }

  static bool is_drawn(const Mesh& mesh) {
    for (const Primitive& p : mesh.primitives)
      if (!p.positions.empty()) return true;
    return false;
  }

  void nodes() {
    const size_t n = a_.nodes.size();
    size_t next = n;  // nodes of skinned meshes stand behind those that were there
    for (size_t i = 0; i < n && i < b_.nodes.size(); ++i) {
      place_ = "node " + std::to_string(i) + ": ";
      const Node &x = a_.nodes[i], &y = b_.nodes[i];
      same("name", x.name, y.name);
      same("extras", text(x.extras), text(y.extras));
      const bool is_drawn_here = x.mesh != k_none && is_drawn(a_.meshes[x.mesh]);
      const bool is_moved = y.skin != k_none;
      moved_.push_back(is_moved);
      if (!is_moved) {
        same("parent", x.parent, y.parent);
        same("translation", x.translation, y.translation);
        same("rotation", x.rotation, y.rotation);
        if (x.visible || y.scale != Vec3{1, 1, 1}) same("scale", x.scale, y.scale);
        same("visible", x.visible, y.visible);
        same("camera", x.camera == k_none, y.camera == k_none);
        if (x.camera != k_none && y.camera != k_none) camera(a_.cameras[x.camera], b_.cameras[y.camera]);
        same("light", x.light == k_none, y.light == k_none);
        if (x.light != k_none && y.light != k_none) light(a_.lights[x.light], b_.lights[y.light]);
      }
      const Node* holder = &y;
      if (is_drawn_here && x.skin != k_none && !is_moved) {
        if (next >= b_.nodes.size()) return say("the skinned mesh is missing");
        same("mesh", y.mesh, k_none);
        holder = &b_.nodes[next++];
        same("name of the skinned mesh", x.name, holder->name);
      }
      same("mesh", is_drawn_here, holder->mesh != k_none);
      if (is_drawn_here && holder->mesh != k_none) mesh(a_.meshes[x.mesh], b_.meshes[holder->mesh]);
      same("skin", is_drawn_here && x.skin != k_none, holder->skin != k_none);
      if (is_drawn_here && x.skin != k_none && holder->skin != k_none) skin(a_.skins[x.skin], b_.skins[holder->skin]);
    }
    place_.clear();
    same("nodes", next, b_.nodes.size());
  }

  void camera(const Camera& x, const Camera& y) {
    const auto close = [](f32 p, f32 q) { return std::fabs(p - q) <= 1e-6f * std::fabs(p); };
    same("camera", x.name, y.name);
    if (x.half_height == 0) same("vertical_fov", x.vertical_fov, y.vertical_fov);
    const bool same_lens = close(x.near, y.near) && close(x.far, y.far) && close(x.half_height, y.half_height) &&
                           (x.half_height == 0 || close(x.aspect, y.aspect));
    same("lens", same_lens, true);
  }
  void light(const Light& x, const Light& y) {
    same("name of the light", x.name, y.name);
    same("color of the light", x.color, y.color);
    same("kind of the light", x.kind, y.kind);
    same("range of the light", x.range, y.range);
    if (x.kind == Light::Kind::spot) {
      same("inner cone of the light", x.inner_cone, y.inner_cone);
      same("outer cone of the light", x.outer_cone, y.outer_cone);
    }
    same("intensity", x.intensity, y.intensity);
  }
  void skin(const Skin& x, const Skin& y) {
    same("name of the skin", x.name, y.name);
    same("joints", x.joints, y.joints);
    same("inverse_bind", x.inverse_bind, y.inverse_bind);
  }

  void mesh(const Mesh& x, const Mesh& y) {
    same("name of the mesh", x.name, y.name);
    size_t next = 0;
    for (const Primitive& p : x.primitives) {
      if (p.positions.empty()) continue;
      if (next >= y.primitives.size()) return say("a primitive is missing");
      primitive(p, y.primitives[next++]);
    }
    same("primitives", next, y.primitives.size());
  }

  static std::vector<u32> corners(const Primitive& p) {
    std::vector<u32> out = p.indices;
    for (u32 i = 0; out.size() < p.positions.size() && p.indices.empty(); ++i) out.push_back(i);
    return out;
  }

  void primitive(const Primitive& x, const Primitive& y) {
    same("shape", x.shape, y.shape);
    same("positions", x.positions, y.positions);
    same("normals", x.normals, y.normals);
    near("colors", x.colors, y.colors, 0.5f / 0xFFFF + 1e-7f);
    same("uvs", x.uvs, y.uvs);
    same("sources", x.sources, y.sources);
    same("corners", corners(x), corners(y));
    influences(x, y);
    material(x.material, y.material);
    std::vector<std::pair<std::string, Index>> others, read;
    for (const auto& [variant, m] : x.in_variants) others.emplace_back(a_.variants[variant], m);
    for (const auto& [variant, m] : y.in_variants) read.emplace_back(b_.variants[variant], m);
    std::sort(others.begin(), others.end());
    std::sort(read.begin(), read.end());
    size_t next = 0;
    for (const auto& [name, m] : others) {
      const bool is_there = next < read.size() && read[next].first == name;
      if (is_there)
        material(m, read[next++].second);
      else  // what is as it is anyway is not named
        material(m, y.material);
    }
    same("variants", next, read.size());
  }

  /// By joint: a joint that is named twice counts once.
  void influences(const Primitive& x, const Primitive& y) {
    if (x.joints.size() != y.joints.size()) return say("joints differ");
    for (size_t i = 0; i < x.joints.size(); ++i)
      for (size_t k = 0; k < 4; ++k) {
        const auto weight = [&](const Primitive& p, u16 joint) {
          f32 sum = 0;
          for (size_t j = 0; j < 4; ++j) sum += p.joints[i][j] == joint ? p.weights[i][j] : 0;
          return sum;
        };
        for (const Primitive* p : {&x, &y})
          if (std::fabs(weight(x, p->joints[i][k]) - weight(y, p->joints[i][k])) > 2e-3f) return say("weights differ");
      }
  }

  void material(Index x, Index y) {
    same("material", x == k_none, y == k_none);
    if (x == k_none || y == k_none) return;
    materials_[x] = y;
    Material p = a_.materials[x], q = b_.materials[y];
    same("extras of the material", text(p.extras), text(q.extras));
    texture(p.texture, q.texture);
    if (p.texture == k_none) p.transform = {};
    if (p.alpha != Material::Alpha::mask) p.alpha_cutoff = 0.5f;
    q.texture = p.texture;
    q.extras = p.extras;
    same("material", p, q);
  }

  void texture(Index x, Index y) {
    same("texture", x == k_none, y == k_none);
    if (x == k_none || y == k_none) return;
    const Texture &p = a_.textures[x], &q = b_.textures[y];
    same("sampler", std::tie(p.wrap_u, p.wrap_v, p.nearest), std::tie(q.wrap_u, q.wrap_v, q.nearest));
    const Image &m = a_.images[p.image], &n = b_.images[q.image];
    same("size of the picture", std::pair(m.width, m.height), std::pair(n.width, n.height));
    same("pixels", to_rgba(m).pixels, to_rgba(n).pixels);
    same("palette", m.palette, n.palette);
  }

  // ---- animations ----

  bool is_kept(const Channel& c) const { return c.target != Channel::Target::scale || a_.nodes[c.node].visible; }
  bool is_kept(const MaterialChannel& c) const {
    return materials_[c.material] != k_none &&
           (c.target == MaterialChannel::Target::color || a_.materials[c.material].texture != k_none);
  }
  bool is_written(const Animation& x) const {
    bool any = !x.visibility_channels.empty() || !x.fov_channels.empty();
    for (const auto& c : x.channels) any |= is_kept(c);
    for (const auto& c : x.material_channels) any |= is_kept(c);
    return any;
  }

  void animation(const Animation& x, const Animation& y) {
    place_ = "animation " + x.name + ": ";
    same("name", x.name, y.name);
    same("extras", text(x.extras), text(y.extras));
    size_t next = 0;
    for (const Channel& c : x.channels) {
      if (!is_kept(c)) continue;
      if (next >= y.channels.size()) return say("a channel is missing");
      const Channel& d = y.channels[next++];
      same("channel", std::tie(c.node, c.target, c.interpolation, c.times),
           std::tie(d.node, d.target, d.interpolation, d.times));
      near("values", c.values, d.values, 0, c.target == Channel::Target::rotation ? 4 : 3);
    }
    same("channels", next, y.channels.size());
    same("fov_channels", x.fov_channels.size(), y.fov_channels.size());
    for (size_t i = 0; i < std::min(x.fov_channels.size(), y.fov_channels.size()); ++i) {
      same("times", x.fov_channels[i].times, y.fov_channels[i].times);
      same("values", x.fov_channels[i].values, y.fov_channels[i].values);
    }
    next = 0;
    for (const MaterialChannel& c : x.material_channels) {
      if (!is_kept(c)) continue;
      if (next >= y.material_channels.size()) return say("a channel of a material is missing");
      const MaterialChannel& d = y.material_channels[next++];
      same("channel of a material", std::tuple(materials_[c.material], c.target, c.interpolation, c.times),
           std::tuple(d.material, d.target, d.interpolation, d.times));
      constexpr size_t k_used[] = {4, 2, 1, 2};
      near("values", c.values, d.values, 0, k_used[size_t(c.target)]);
    }
    same("channels of materials", next, y.material_channels.size());
    for (const VisibilityChannel& c : x.visibility_channels) {
      if (moved_[c.node]) continue;  // together with those of all that was above it
      bool any = false;
      for (const VisibilityChannel& d : y.visibility_channels)
        any |= c.node == d.node && c.times == d.times && c.visible == d.visible;
      same("visibility of node " + std::to_string(c.node), any, true);
    }
  }

  const Scene &a_, &b_;
  std::vector<Index> materials_;  // in the scene that was read, by those before
  std::vector<bool> moved_;       // nodes that are roots now, as their mesh is skinned
  std::string place_;
  std::vector<std::string> found_;
};

}  // namespace dio::scene
