// polygon_editor.cpp: sorts the triangles of an edited scene into changed, missing and new polygons, and changes the
// polygons of the file. Specification: README.md, "Editing".
#include "formats/fft/from_scene/polygon_editor.hpp"

#include <set>

#include "formats/contract/reporter.hpp"
#include "formats/fft/from_scene/polygon_changes.hpp"
#include "formats/fft/scene/builder.hpp"
#include "scene/math.hpp"

namespace dio::fft {
namespace {

using scene::EditedPrimitive;
using scene::EditedTriangle;
using scene::EditedVertex;
using scene::k_none;
using scene::Point;
using Piece = OriginalPieces::Piece;

class PolygonEditor {
 public:
  PolygonEditor(Mesh& file, const scene::TriangleDifferences& d)
      : d_(d), changes_(file, *d.original, !has_sources(*d.edited)) {}

  Result<SceneImportResult> run() {
    find_meshes_that_are_there();
    for (const EditedPrimitive& e : d_.primitives)
      if (auto problem = take_primitive(e)) return refuse(std::move(*problem));
    if (!any_there_ && changes_.has_new())
      return refuse("scene.source", {},
                    {.message = "no triangle of the scene has the position of a triangle in the file",
                     .hint = "make the scene from this file with {convert ORIGINAL -o SCENE.glb}"});
    return changes_.finish();
  }

 private:
  static bool has_sources(const scene::Scene& s) {
    return std::ranges::any_of(s.meshes, [](const scene::Mesh& m) {
      return std::ranges::any_of(m.primitives, [](const scene::Primitive& p) { return !p.sources.empty(); });
    });
  }
  size_t mesh_of(const EditedPrimitive& e) const {
    const std::string_view path = path_from_extras(d_.original->nodes[e.node].extras);
    size_t m = 0;
    while (m + 1 < k_meshes && path != mesh_name(m)) ++m;
    return m;
  }
  const scene::Primitive& original_of(const EditedPrimitive& e) const {
    return d_.original->meshes[d_.original->nodes[e.node].mesh].primitives[e.primitive];
  }
  static bool has_area(const Piece& p) {
    const auto& v = p.vertices;
    return v[0].position != v[1].position && v[1].position != v[2].position && v[2].position != v[0].position;
  }
  void find_meshes_that_are_there() {
    for (size_t m = 0; m < k_meshes; ++m) {
      std::array<bool, 2> is_there{};
      for (u32 i = 0; i < changes_.pieces().of_mesh(m).size(); ++i)
        is_there[changes_.pieces().ref(m, i).kind >= PolygonKind::untextured_triangle] = true;
      for (const EditedPrimitive& e : d_.primitives) {
        if (mesh_of(e) != m) continue;
        is_there[e.primitive] = std::ranges::any_of(e.triangles, [&](const EditedTriangle& t) {
          if (t.triangle == k_none) return false;
          const auto [polygon, piece] = changes_.pieces().find(m, e.primitive, t.triangle);
          return has_area(changes_.pieces().of_mesh(m)[polygon][piece]);
        });
      }
      is_there_[m] = is_there[0] || is_there[1];
      any_there_ |= is_there_[m];
    }
  }

  std::optional<Diagnostic> take_primitive(const EditedPrimitive& e) {
    const size_t m = mesh_of(e);
    const auto& pieces = changes_.pieces().of_mesh(m);
    std::vector<std::vector<const EditedTriangle*>> seen(pieces.size());
    for (size_t i = 0; i < pieces.size(); ++i) seen[i].resize(pieces[i].size());
    for (const EditedTriangle& t : e.triangles) {
      if (t.triangle == k_none) {
        changes_.add_triangle(make_triangle(u8(m), e, t, nullptr));
        continue;
      }
      const auto [polygon, piece] = changes_.pieces().find(m, e.primitive, t.triangle);
      seen[polygon][piece] = &t;
    }
    for (u32 i = 0; i < pieces.size(); ++i) {
      const PolygonRef& r = changes_.pieces().ref(m, i);
      if ((r.kind >= PolygonKind::untextured_triangle) != (e.primitive == 1) || pieces[i].empty()) continue;
      const size_t gone = size_t(std::ranges::count(seen[i], nullptr));
      const bool is_as_it_was = !gone && std::ranges::none_of(seen[i], [](const auto* t) { return is_changed(*t); });
      if (is_as_it_was) continue;
      changes_.mark_edited(r);
      if (gone == pieces[i].size())
        take_gone(r);
      else if (auto problem = take_polygon(r, e, pieces[i], seen[i]))
        return problem;
    }
    return {};
  }
  static bool is_changed(const EditedTriangle& t) {
    return t.is_flipped || std::ranges::any_of(t.vertices, [](const EditedVertex& v) { return v.is_changed(); });
  }

  static DrawnVertex make_vertex(const EditedPrimitive& e, const EditedVertex& v, const DrawnVertex* of) {
    DrawnVertex out;
    if (of) out = *of;
    if (v.position) out.position = {(*v.position)[0], -(*v.position)[1], -(*v.position)[2]};
    if (v.normal) out.normal = Point{(*v.normal)[0], -(*v.normal)[1], -(*v.normal)[2]};
    if (v.uv && e.primitive == 0) out.texel = ComparedTexel::decode(*v.uv);
    return out;
  }
  static DrawnPolygon make_triangle(u8 mesh, const EditedPrimitive& e, const EditedTriangle& t, const Piece* of) {
    DrawnPolygon out{.mesh = mesh, .is_textured = e.primitive == 0, .corners = {}, .origin = {}};
    for (size_t k = 0; k < 3; ++k)  // fronts are counterclockwise in scenes
      out.corners.push_back(make_vertex(e, t.vertices[(3 - k) % 3], of ? &of->vertices[k] : nullptr));
    if (t.is_flipped) std::swap(out.corners[1], out.corners[2]);
    return out;
  }

  /// Handles an edited polygon.
  std::optional<Diagnostic> take_polygon(const PolygonRef& r, const EditedPrimitive& e,
                                         const std::vector<Piece>& pieces,
                                         const std::vector<const EditedTriangle*>& seen) {
    std::array<std::optional<DrawnVertex>, 4> corners;
    std::array<bool, 4> has_other_normal{};
    bool is_torn = false, is_cut = pieces.size() > vertex_count(r.kind) - 2;
    for (size_t i = 0; i < pieces.size(); ++i)
      for (size_t k = 0; k < 3 && seen[i]; ++k) {
        const EditedVertex& v = seen[i]->vertices[(3 - k) % 3];
        const u8 c = pieces[i].vertices[k].corner;
        is_cut |= c > 3;
        count_color(e, v, r, c);
        if (c > 3) continue;
        const DrawnVertex now = make_vertex(e, v, &pieces[i].vertices[k]);
        has_other_normal[c] |= v.normal.has_value();
        if (!corners[c]) {
          corners[c] = now;
          continue;
        }
        is_torn |= !is_same_place(corners[c]->position, now.position) || !is_same_texel(corners[c]->texel, now.texel);
        if (corners[c]->normal && now.normal)
          for (size_t axis = 0; axis < 3; ++axis) (*corners[c]->normal)[axis] += (*now.normal)[axis];
      }
    const bool is_whole = std::ranges::find(seen, nullptr) == seen.end();
    const auto flipped = std::ranges::count_if(seen, [](const EditedTriangle* t) { return t && t->is_flipped; });
    is_torn |= is_whole && flipped && size_t(flipped) != seen.size();
    if (!is_torn && is_whole) {
      std::vector<DrawnVertex> all;
      for (size_t c = 0; c < vertex_count(r.kind); ++c) {
        if (!has_other_normal[c]) corners[c]->normal.reset();
        all.push_back(*corners[c]);
      }
      if (is_cut && !follows_corners(pieces, seen, all)) changes_.notes().torn.count(polygon_path(r));
      if (auto problem = changes_.change(r, all)) return problem;
      if (flipped) changes_.flip(r);
      return {};
    }
    if (is_cut) {
      changes_.notes().torn.count(polygon_path(r));
      return {};
    }
    break_quad(r, e, pieces, seen, is_torn);
    return {};
  }
  /// Whether vertices of cuts are at the positions that follow from the vertices of the polygon.
  static bool follows_corners(const std::vector<Piece>& pieces, const std::vector<const EditedTriangle*>& seen,
                              const std::vector<DrawnVertex>& corners) {
    std::array<std::optional<Point>, 4> moved;
    for (size_t i = 0; i < pieces.size(); ++i)
      for (const DrawnVertex& v : pieces[i].vertices)
        if (v.corner < 4)
          moved[v.corner] =
              Point{corners[v.corner].position[0] - v.position[0], corners[v.corner].position[1] - v.position[1],
                    corners[v.corner].position[2] - v.position[2]};
    bool out = true;
    for (size_t i = 0; i < pieces.size(); ++i)
      for (size_t k = 0; k < 3; ++k) {
        const DrawnVertex& was = pieces[i].vertices[k];
        const EditedVertex& v = seen[i]->vertices[(3 - k) % 3];
        if (was.corner < 4) continue;
        // Tolerates at most the deviation of the corners, because programs interpolate.
        for (size_t axis = 0; axis < 3; ++axis) {
          f64 low = 1e9, high = -1e9;
          for (size_t c = 0; c < corners.size(); ++c)
            low = std::min(low, (*moved[c])[axis]), high = std::max(high, (*moved[c])[axis]);
          const f64 to = !v.position ? was.position[axis] : (*v.position)[axis] * (axis ? -1 : 1);
          const f64 by = to - was.position[axis];
          out &= low - k_apart <= by && by <= high + k_apart;
        }
      }
    return out;
  }

  void break_quad(const PolygonRef& r, const EditedPrimitive& e, const std::vector<Piece>& pieces,
                  const std::vector<const EditedTriangle*>& seen, bool is_torn) {
    BrokenQuad out{r, {}, {}};
    bool all_moved = is_torn;
    for (u32 i = 0; i < pieces.size(); ++i) {
      if (!seen[i]) continue;
      DrawnPolygon half = make_triangle(r.mesh, e, *seen[i], &pieces[i]);
      half.origin = r;
      for (size_t k = 0; k < 3; ++k)
        all_moved &= !is_same_place(half.corners[k].position, pieces[i].vertices[k].position);
      out.halves.push_back(std::move(half));
    }
    for (u32 i = 0; i < pieces.size(); ++i)
      if (seen[1 - i] && !is_changed(*seen[1 - i])) out.other = i;
    // If all halves are elsewhere, each may match any of several that look alike.
    if (all_moved)
      for (DrawnPolygon& half : out.halves) half.origin.reset();
    changes_.break_quad(std::move(out));
  }

  /// Counts vertex colours that the light of the file does not produce.
  void count_color(const EditedPrimitive& e, const EditedVertex& v, const PolygonRef& r, u8 corner) {
    const scene::Primitive& p = original_of(e);
    if (!v.color || p.colors.empty()) return;
    if (v.uv && ComparedTexel::decode(*v.uv).palette != ComparedTexel::decode(p.uvs[v.vertex]).palette) return;
    constexpr f64 k_tinted = 8;  // of 255: more than rounding in programs
    const auto intensity = [](f32 x) { return scene::linear_to_srgb(std::clamp(f64(x), 0.0, 1.0)) * 255; };
    // Materials allow different maximum light.
    for (const u8 most : k_headrooms) {
      bool is_same = true;
      for (size_t k = 0; k < 3; ++k)
        is_same &=
            std::fabs(std::min<f64>(intensity(p.colors[v.vertex][k]), most) - intensity((*v.color)[k])) < k_tinted;
      if (is_same) return;
    }
    if (tinted_.insert({r, e.primitive, v.vertex}).second)
      changes_.notes().tinted.count(text(polygon_path(r), ", corner ", corner));
  }

  void take_gone(const PolygonRef& r) {
    if (!is_there_[r.mesh]) return changes_.miss(r);  // its mesh was not exported
    bool has_no_area = false;
    visit_polygon(changes_.before(), r, [&](const auto& p) { has_no_area = !face_normal(p.positions); });
    if (has_no_area)
      changes_.notes().kept.count(polygon_path(r));
    else
      changes_.remove(r);
  }

  const scene::TriangleDifferences& d_;
  PolygonChanges changes_;
  std::array<bool, k_meshes> is_there_{};  // whether the scene contains parts of a mesh
  bool any_there_ = false;
  std::set<std::tuple<PolygonRef, u32, u32>> tinted_;
};

}  // namespace

Result<SceneImportResult> write_triangles(Mesh& file, const scene::TriangleDifferences& differences) {
  return PolygonEditor(file, differences).run();
}

}  // namespace dio::fft
