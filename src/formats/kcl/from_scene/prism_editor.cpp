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
    u32 moved = 0;
    for (const EditedPrimitive& e : differences_.primitives) {
      const size_t before = triangles_.size();
      take_primitive(e);
      const u32 of_it = u32(triangles_.size() - before) - e.added;  // only the colours of the others changed
      moved += of_it, out.unchanged += e.changed - of_it;
      out.added += e.added, out.removed += e.removed;
    }
    out.changed = moved;
    if (!out.any()) return out;
    auto made = build_collision(triangles_);
    if (!made && !triangles_.empty()) return refuse(std::move(made.error()));
    if (made && made->dropped) {
      out.lost += made->dropped;
      out.notes.push_back(
          make_diagnostic(Severity::warning, "scene.place", "prisms",
                          {.message = text(format_count(made->dropped, "edited triangle"),
                                           made->dropped == 1 ? " has no area and is" : " have no area and are",
                                           " omitted: nothing can hit a triangle without an area")}));
    }
    if (made && !made->dropped) write_prisms(made->kcl);
    if (auto built = build_octree(k_); !built) return refuse(std::move(built.error()));
    return out;
  }

 private:
  void take_primitive(const EditedPrimitive& e) {
    const scene::Primitive& p = original_.meshes[original_.nodes[e.node].mesh].primitives[e.primitive];
    const auto prism_of = [&](u32 triangle) { return p.sources[3 * triangle]; };
    std::vector<bool> is_there(p.sources.size() / 3);
    for (const EditedTriangle& t : e.triangles) {
      const bool is_old = t.triangle != scene::k_none;
      if (is_old) is_there[t.triangle] = true;
      const bool is_moved =
          !is_old || std::ranges::any_of(t.vertices, [](const EditedVertex& v) { return v.position.has_value(); });
      if (!is_moved) continue;
      FlaggedTriangle to{.corners = {}, .flags = 0};
      for (size_t c = 0; c < 3; ++c) {
        const EditedVertex& v = t.vertices[c];
        const scene::Point at = v.position ? *v.position : point_in_file(p, v.vertex);
        to.corners[c] = {f32(at[0]), f32(at[1]), f32(at[2])};
      }
      triangles_.push_back(to);
      targets_.push_back({.is_new = !is_old, .prism = prism_of(is_old ? t.triangle : 0)});
    }
    for (u32 i = 0; i < is_there.size(); ++i)
      if (!is_there[i]) gone_.push_back(prism_of(i));
  }
  static scene::Point point_in_file(const scene::Primitive& p, scene::Index v) {
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
      p.height = from.height;
      p.position = find_or_add(k_.positions, made.positions[from.position]);
      for (const auto normal : {&Prism::face_normal, &Prism::edge_a, &Prism::edge_b, &Prism::edge_c})
        p.*normal = find_or_add(k_.normals, made.normals[from.*normal]);
      if (targets_[i].is_new)
        k_.prisms.push_back(p);
      else
        k_.prisms[targets_[i].prism] = p;
    }
    std::ranges::sort(gone_, std::greater());
    for (const u32 i : gone_) k_.prisms.erase(k_.prisms.begin() + i);
  }

  Kcl& k_;
  const scene::Scene& original_;
  const scene::TriangleDifferences& differences_;
  std::vector<FlaggedTriangle> triangles_;
  /// The original prism of a triangle; for a new triangle, a prism with the same flags.
  struct Target {
    bool is_new;
    u32 prism;
  };
  std::vector<Target> targets_;  // by triangle
  std::vector<u32> gone_;        // prisms
};

}  // namespace

Result<SceneImportResult> write_triangles(Kcl& k, const scene::TriangleDifferences& differences) {
  const auto original = to_scene(k, true);
  if (!original) return refuse(original.error());
  return PrismEditor(k, original->scene, differences).run();
}

}  // namespace dio::kcl
