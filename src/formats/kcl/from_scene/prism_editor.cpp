// prism_editor.cpp: applies an edited scene to a collision file: prisms with changed triangles are made again, all
// others keep their numbers, and the octree is rebuilt.
#include <algorithm>
#include <map>

#include "formats/contract/reporter.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {
namespace {

using scene::EditedPrimitive;
using scene::EditedTriangle;
using scene::EditedVertex;

class PrismEditor {
 public:
  PrismEditor(Kcl& k, const scene::Scene& original, const scene::TriangleDifferences& differences)
      : k_(k), original_(original), differences_(differences) {}

  Result<SceneImportResult> run() {
    SceneImportResult out;
    out.unchanged = u32(differences_.unchanged);
    for (const EditedPrimitive& e : differences_.primitives) {
      const Taken taken = take_primitive(e);
      out.changed += taken.changed, out.unchanged += e.changed - taken.changed;
      out.added += taken.added, out.removed += e.removed;
    }
    note_flat(out);
    if (triangles_.empty() && gone_.empty()) return out;
    if (!triangles_.empty()) {
      auto made = build_collision(triangles_);
      if (!made) return refuse(std::move(made.error()));
      write_prisms(made->kcl);
    }
    remove_gone();
    if (auto built = build_octree(k_); !built) return refuse(std::move(built.error()));
    return out;
  }

 private:
  /// The original prism of a triangle; for a new triangle, a prism like it.
  struct Target {
    bool is_new;
    u32 prism;
    std::optional<u16> flags;  // of a new triangle
  };
  struct Taken {
    u32 changed = 0, added = 0;  // triangles
  };

  Taken take_primitive(const EditedPrimitive& e) {
    const scene::Primitive& p = original_.meshes[original_.nodes[e.node].mesh].primitives[e.primitive];
    const auto prism_of = [&](u32 triangle) { return p.sources[3 * triangle]; };
    std::vector<bool> is_there(p.sources.size() / 3);
    Taken out;
    for (const EditedTriangle& t : e.triangles) {
      const bool is_old = t.triangle != scene::k_none;
      const u32 prism = prism_of(is_old ? t.triangle : 0);
      if (is_old) is_there[t.triangle] = true;
      const auto flags = k_.is_mario_kart_wii() ? decode_flags(t.vertices[0]) : std::nullopt;
      const bool is_moved =
          !is_old || std::ranges::any_of(t.vertices, [](const EditedVertex& v) { return v.position.has_value(); });
      if (is_old && flags) set_flags(k_.prisms[prism], *flags, true);
      const bool is_taken =
          is_moved && take_moved(p, t, {.is_new = !is_old, .prism = prism, .flags = is_old ? std::nullopt : flags});
      if (is_old)
        out.changed += is_taken || flags;
      else
        out.added += is_taken;
    }
    for (u32 i = 0; i < is_there.size(); ++i)
      if (!is_there[i]) gone_.push_back(prism_of(i));
    return out;
  }
  /// False: the triangle has no area.
  bool take_moved(const scene::Primitive& p, const EditedTriangle& t, const Target& target) {
    FlaggedTriangle to{.corners = {}, .flags = 0};
    for (size_t c = 0; c < 3; ++c)
      to.corners[c] = to_vec3(t.vertices[c].position.value_or(point_in_file(p, t.vertices[c].vertex)));
    if (has_area(to)) {
      triangles_.push_back(to);
      targets_.push_back(target);
      return true;
    }
    if (target.is_new) return ++new_flat_, false;
    FlaggedTriangle before{.corners = {}, .flags = 0};
    for (u32 c = 0; c < 3; ++c) before.corners[c] = to_vec3(point_in_file(p, 3 * t.triangle + c));
    ++(has_area(before) ? flat_ : were_flat_);
    return false;
  }
  /// Triangles without an area cannot be hit.
  void note_flat(SceneImportResult& out) const {
    out.lost += flat_;
    if (flat_)
      out.notes.push_back(make_diagnostic(Severity::warning, "scene.place", "prisms",
                                          {.message = text(format_count(flat_, "edited triangle"),
                                                           flat_ == 1 ? " has no area and is" : " have no area and are",
                                                           " omitted: nothing can hit a triangle without an area")}));
    if (new_flat_)
      out.notes.push_back(
          make_diagnostic(Severity::hint, "scene.place", "prisms",
                          {.message = text(format_count(new_flat_, "new triangle"),
                                           new_flat_ == 1 ? " has no area and is" : " have no area and are",
                                           " omitted: nothing can hit a triangle without an area")}));
    if (were_flat_)
      out.notes.push_back(make_diagnostic(Severity::hint, "scene.kept", "prisms",
                                          {.message = text(format_count(were_flat_, "triangle"), " without an area",
                                                           were_flat_ == 1 ? " stays" : " stay",
                                                           " in place: nothing can hit a triangle without an area")}));
  }
  static Vec3 to_vec3(const scene::Point& p) { return {f32(p[0]), f32(p[1]), f32(p[2])}; }
  static scene::Point point_in_file(const scene::Primitive& p, scene::Index v) {
    if (v == scene::k_none) return {};
    return {p.positions[v][0], p.positions[v][1], p.positions[v][2]};
  }
  /// The index of a vector in a list; adds it if it is missing.
  static u16 find_or_add(std::vector<Vec3>& all, const Vec3& v) {
    const auto same = std::ranges::find_if(all, [&](const Vec3& o) { return o.x == v.x && o.y == v.y && o.z == v.z; });
    if (same != all.end()) return u16(same - all.begin());
    all.push_back(v);
    return u16(all.size() - 1);
  }
  /// Writes the prisms of `made`, which has one for each triangle.
  void write_prisms(const Kcl& made) {
    for (size_t i = 0; i < made.prisms.size(); ++i) {
      const Prism& from = made.prisms[i];
      Prism p = k_.prisms[targets_[i].prism];  // its flags
      if (targets_[i].flags) set_flags(p, *targets_[i].flags, true);
      p.height = from.height;
      p.position = find_or_add(k_.positions, made.positions[from.position]);
      for (const auto normal : {&Prism::face_normal, &Prism::edge_a, &Prism::edge_b, &Prism::edge_c})
        p.*normal = find_or_add(k_.normals, made.normals[from.*normal]);
      if (targets_[i].is_new)
        k_.prisms.push_back(p);
      else
        k_.prisms[targets_[i].prism] = p;
    }
  }
  void remove_gone() {
    std::ranges::sort(gone_, std::greater());
    for (const u32 i : gone_) k_.prisms.erase(k_.prisms.begin() + i);
  }

  Kcl& k_;
  const scene::Scene& original_;
  const scene::TriangleDifferences& differences_;
  std::vector<FlaggedTriangle> triangles_;
  std::vector<Target> targets_;                  // by triangle
  std::vector<u32> gone_;                        // prisms
  u64 flat_ = 0, new_flat_ = 0, were_flat_ = 0;  // triangles without an area: edited, new, or already in the file
};

}  // namespace

Result<SceneImportResult> write_triangles(Kcl& k, const scene::TriangleDifferences& differences) {
  const auto original = to_scene(k, true);
  if (!original) return refuse(original.error());
  return PrismEditor(k, original->scene, differences).run();
}

}  // namespace dio::kcl
