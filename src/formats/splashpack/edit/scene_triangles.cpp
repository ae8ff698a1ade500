// scene_triangles.cpp: applies the triangles of an edited scene.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/edit/placement.hpp"
#include "formats/splashpack/edit/scene_edits.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"
#include "formats/splashpack/scene/builder.hpp"
#include "layout/path_steps.hpp"
#include "scene/material_match.hpp"

namespace dio::splashpack {

namespace {

using scene::EditedPrimitive;
using scene::EditedTriangle;
using scene::EditedVertex;
using scene::k_none;

constexpr u32 k_plain = 255;  // the vertex colour of untextured triangles that a colour of 1 stands for

/// The vertex colour that a colour of 1 in a scene stands for; nothing if its material does not say.
std::optional<u32> read_most(const scene::Material& m) {
  if (m.name.starts_with("untextured")) return k_plain;
  if (!m.extras.find("texels")) return {};
  const Value* times = m.extras.find("texels_times");
  return times ? u32(std::lround(times->number() * k_neutral)) : u32(k_neutral);
}

scene::Vec4 to_scene_color(const Color& c, u32 most) {
  const auto channel = [&](u32 n) { return f32(std::min(n, most)) / f32(most); };
  return scene::srgb_to_linear(scene::Vec4{channel(c.red), channel(c.green), channel(c.blue), 1});
}

class TriangleEditor {
 public:
  TriangleEditor(Pack& p, const scene::TriangleDifferences& d) : p_(p), d_(d), regions_(p) {}

  SceneImportResult run() {
    for (const EditedPrimitive& e : d_.primitives) edit_primitive(e);
    out_.unchanged = u32(d_.unchanged);
    bool has_other_triangles = false;
    for (auto& [object, gone] : gone_) {
      std::ranges::sort(gone, std::greater());
      Object& o = p_.objects[object];
      for (const u32 i : gone) o.triangles.erase(o.triangles.begin() + i);
      for (Skin& s : p_.skins)
        if (s.object == object)
          for (const u32 i : gone)
            if (i < s.corner_bones.size()) s.corner_bones.erase(s.corner_bones.begin() + i);
      has_other_triangles = true;
    }
    has_other_triangles |= out_.added != 0;
    if (!is_old(p_)) update_boxes(has_other_triangles);
    if (failed_) {
      out_.lost += failed_;
      out_.notes.push_back(make_diagnostic(Severity::warning, "scene.place", {},
                                           {.message = text(format_count(failed_, "edited triangle"),
                                                            failed_ == 1 ? " is" : " are", " not applied: ", why_)}));
    }
    return std::move(out_);
  }

 private:
  void fail(u64 triangles, std::string why) {
    if (why_.empty()) why_ = std::move(why);
    failed_ += triangles;
  }
  const scene::Node& node_of(const EditedPrimitive& e) const { return d_.original->nodes[e.node]; }

  void edit_primitive(const EditedPrimitive& e) {
    std::string_view path = path_from_extras(node_of(e).extras);
    const auto object = take_element(path, "objects");
    const u64 count = e.changed + e.added + e.removed;
    if (!object || *object >= p_.objects.size()) return fail(count, "they are not part of an object");
    const size_t i = *object;
    const bool is_skinned = std::ranges::any_of(p_.skins, [&](const Skin& s) { return s.object == i && s.bone_count; });
    if (is_streamed(p_, i)) return fail(count, "the triangles of streamed objects are in the .geo file");
    if ((e.added || e.removed) && !p_.rooms.empty())
      return fail(count,
                  "in a pack with rooms, triangles cannot be added or removed, because each room has a list of "
                  "its triangles");
    if (e.added && is_skinned) return fail(count, "triangles cannot be added to an object with bones");
    if (is_skinned && std::ranges::all_of(e.triangles, [](const EditedTriangle& t) {
          return std::ranges::all_of(t.vertices, [](const EditedVertex& v) { return v.position.has_value(); });
        }))
      return fail(count, "an object with bones cannot be moved as a whole, because its bones place it");
    const scene::Primitive& primitive = d_.original->meshes[node_of(e).mesh].primitives[e.primitive];
    const std::string& material = d_.original->materials[primitive.material].name;
    std::vector<bool> is_there(primitive.sources.size() / 3);
    const Triangle like = p_.objects[i].triangles[primitive.sources[0] / 3];
    for (const EditedTriangle& t : e.triangles) {
      if (t.triangle == k_none) {
        Triangle made = like;
        if (write(i, made, like, t, nullptr, material))
          p_.objects[i].triangles.push_back(made), ++out_.added, grown_.insert(i);
        continue;
      }
      is_there[t.triangle] = true;
      if (std::ranges::none_of(t.vertices, &EditedVertex::is_changed)) continue;
      Triangle& to = p_.objects[i].triangles[primitive.sources[3 * t.triangle] / 3];
      Triangle changed = to;
      if (!write(i, changed, to, t, &primitive, material)) continue;
      out_.changed += !(changed == to);
      to = changed;
    }
    for (u32 k = 0; k < is_there.size(); ++k)
      if (!is_there[k]) gone_[i].push_back(primitive.sources[3 * k] / 3), ++out_.removed;
    touched_.insert(i);
  }

  /// `before`: the triangle, or one with the same material. False: the pack cannot store the triangle.
  bool write(size_t object, Triangle& to, const Triangle& before, const EditedTriangle& t,
             const scene::Primitive* primitive, const std::string& material) {
    constexpr std::array<size_t, 3> k_corners{0, 2, 1};  // of the vertices of a scene
    bool is_moved = false;
    std::optional<scene::Vec3> normal;
    for (size_t k = 0; k < 3; ++k) {
      const EditedVertex& v = t.vertices[k];
      const size_t corner = primitive ? primitive->sources[v.vertex] % 3 : k_corners[k];
      if (v.position) {
        if (!set_position(to.positions[corner], *v.position)) return fail(1, "a vertex is out of range"), false;
        is_moved = true;
      }
      if (v.uv && !set_uv(object, before, to.uvs[corner], *v.uv))
        return fail(1, "a texture coordinate is outside the texture page"), false;
      if (v.color) set_color(to.colors[corner], *v.color, material);
      if (corner == 0 && v.normal) normal = v.normal;
    }
    if (normal)
      to.normal = quantized({(*normal)[0], (*normal)[1], (*normal)[2]});
    else if (is_moved && (!primitive || has_face_normal(before)))
      to.normal = quantized(face_normal(to));
    return true;
  }
  static bool set_position(Vec16& to, const scene::Point& at) {
    constexpr std::array<f64, 3> k_signs{1, -1, -1};
    fx16* const parts[] = {&to.x, &to.y, &to.z};
    for (size_t i = 0; i < 3; ++i) {
      const f64 raw = std::round(at[i] * k_signs[i] / k_world_per_raw);
      if (!(raw >= INT16_MIN && raw <= INT16_MAX)) return false;
      parts[i]->raw = i16(raw);
    }
    return true;
  }
  bool set_uv(size_t object, const Triangle& textured, Uv& at, const scene::Vec2& uv) const {
    const auto source = texture_of(p_, p_.objects[object], textured);
    if (!source) return true;
    const TexelRegion& region = regions_.all()[regions_.index_of(*source, textured)];
    const f64 u = std::round(f64(uv[0]) * region.width + region.u - 0.5),
              v = std::round(f64(uv[1]) * region.height + region.v - 0.5);
    if (!(u >= 0 && u <= 255 && v >= 0 && v <= 255)) return false;
    at.u = u8(u), at.v = u8(v);
    return true;
  }
  void set_color(Color& to, const scene::Vec4& color, const std::string& material) {
    u32 most = k_plain;
    for (const scene::Material& m : d_.edited->materials)
      if (m.name == material) most = read_most(m).value_or(most);
    u8* const parts[] = {&to.red, &to.green, &to.blue};
    for (size_t i = 0; i < 3; ++i)
      *parts[i] = u8(std::lround(std::clamp(scene::linear_to_srgb(color[i]), 0.0, 1.0) * most));
  }
  static scene::Point face_normal(const Triangle& t) {
    std::array<scene::Point, 3> at;
    for (size_t k = 0; k < 3; ++k) {
      const scene::Vec3 p = to_scene_position(t.positions[k]);
      at[k] = {p[0], p[1], p[2]};
    }
    const auto edge = [&](size_t to) {
      return scene::Point{at[to][0] - at[0][0], at[to][1] - at[0][1], at[to][2] - at[0][2]};
    };
    return scene::unit(scene::cross(edge(2), edge(1)));
  }
  static Vec16 quantized(const scene::Point& normal) {
    const auto part = [](f64 n) { return fx16{i16(std::clamp(std::lround(n * 4096), -32768l, 32767l))}; };
    return {part(normal[0]), part(-normal[1]), part(-normal[2])};
  }
  static bool has_face_normal(const Triangle& t) {
    const Vec16 n = quantized(face_normal(t));
    constexpr i32 k_near = 40;
    return std::abs(n.x.raw - t.normal.x.raw) < k_near && std::abs(n.y.raw - t.normal.y.raw) < k_near &&
           std::abs(n.z.raw - t.normal.z.raw) < k_near;
  }

  void update_boxes(bool has_other_triangles) {
    for (const size_t i : touched_) {
      const Box before = p_.objects[i].box;
      update_object_box(p_, i);
      for (Collider& c : p_.colliders)
        if (c.object == i && c.box == before && !grown_.contains(i)) c.box = p_.objects[i].box;
    }
    const bool has_collider =
        std::ranges::any_of(p_.colliders, [&](const Collider& c) { return grown_.contains(c.object); });
    if (has_collider)
      out_.notes.push_back(make_diagnostic(Severity::hint, "scene.kept", {},
                                           {.message = "colliders stay as they are: new triangles are not solid",
                                            .hint = "edit the box of the collider to make them solid"}));
    if (has_other_triangles && !p_.bvh_nodes.empty())
      build_bvh(p_);
    else
      for (const size_t i : touched_) update_boxes_around(p_, i);
  }

  Pack& p_;
  const scene::TriangleDifferences& d_;
  const TexelRegions regions_;               // before the edits
  std::map<size_t, std::vector<u32>> gone_;  // triangles, by object
  std::set<size_t> touched_, grown_;         // objects with edited triangles, and with new ones
  SceneImportResult out_;
  u64 failed_ = 0;
  std::string why_;
};

}  // namespace

SceneImportResult write_triangles(Pack& pack, const scene::TriangleDifferences& differences) {
  return TriangleEditor(pack, differences).run();
}

void match_colors(const Pack& pack, ComparedScenes& s) {
  std::set<std::string_view> names;
  for (const scene::Material& m : s.original.materials) names.insert(m.name);
  std::map<std::string_view, u32> most;  // by material of the original
  for (const scene::Material& m : s.edited.materials)
    if (const auto n = read_most(m)) most.try_emplace(scene::original_material_name(m, names), *n);
  for (const scene::Node& node : s.original.nodes) {
    std::string_view path = path_from_extras(node.extras);
    const auto object = take_element(path, "objects");
    if (node.mesh == k_none || !object || *object >= pack.objects.size()) continue;
    for (scene::Primitive& p : s.original.meshes[node.mesh].primitives) {
      const auto known = most.find(s.original.materials[p.material].name);
      for (size_t i = 0; i < p.colors.size() && known != most.end(); ++i) {
        if (p.sources[i] / 3 >= pack.objects[*object].triangles.size()) continue;  // in the .geo file
        const Triangle& t = pack.objects[*object].triangles[p.sources[i] / 3];
        p.colors[i] = to_scene_color(t.colors[p.sources[i] % 3], known->second);
      }
    }
  }
  for (scene::Mesh& mesh : s.edited.meshes)
    for (scene::Primitive& p : mesh.primitives) {
      const bool is_known =
          p.material != k_none && most.contains(scene::original_material_name(s.edited.materials[p.material], names));
      if (!is_known) p.colors.clear();
    }
}

}  // namespace dio::splashpack
