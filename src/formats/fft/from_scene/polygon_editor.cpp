// polygon_editor.cpp: sorts the triangles of an edited scene into polygons that changed, that are gone and that are
// new, and changes those of the file. Specification: README.md, "Editing".
#include "formats/fft/from_scene/polygon_editor.hpp"

#include <set>

#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/edit/edits.hpp"
#include "formats/fft/from_scene/edit_notes.hpp"
#include "formats/fft/from_scene/new_polygons.hpp"
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

/// A quad of which triangles are gone, or no longer meet.
struct BrokenQuad {
  PolygonRef r;
  std::vector<DrawnPolygon> halves;  // triangles
  std::optional<u32> other;          // the only one of its pieces that is gone or elsewhere
};

class PolygonEditor {
 public:
  PolygonEditor(Mesh& file, const scene::TriangleDifferences& d)
      : file_(file),
        before_(file),
        d_(d),
        pieces_(before_, *d.original),
        maker_(before_, values_, pieces_.show_texels()) {
    keeps_sources_ = std::ranges::any_of(d.edited->meshes, [](const scene::Mesh& m) {
      return std::ranges::any_of(m.primitives, [](const scene::Primitive& p) { return !p.sources.empty(); });
    });
  }

  Result<SceneImportResult> run() {
    find_meshes_that_are_there();
    for (const EditedPrimitive& e : d_.primitives)
      if (auto problem = take_primitive(e)) return refuse(std::move(*problem));
    if (!any_there_ && !loose_.empty())
      return refuse("scene.source", {},
                    {.message = "no triangle of the scene is where the file has one",
                     .hint = "make the scene from this file: dio convert FILE -o SCENE.glb"});
    sort_out_what_is_gone();
    if (auto problem = give_triangles_back_to_quads()) return refuse(std::move(*problem));
    if (auto problem = add_new_polygons()) return refuse(std::move(*problem));
    remove_and_append();
    if (auto problem = check_limits()) return refuse(std::move(*problem));
    count_polygons();
    notes_.between = values_.between(), notes_.edges = values_.edges();
    notes_.other_materials = {values_.other_materials(), values_.first_other_material()};
    SceneImportResult out = std::move(taken_);
    notes_.add_to(out, list_polygon_number_rows(file_));
    return out;
  }

 private:
  // ---- what the scene shows of the polygons of the file

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
      for (u32 i = 0; i < pieces_.of_mesh(m).size(); ++i)
        is_there[pieces_.ref(m, i).kind >= PolygonKind::untextured_triangle] = true;
      for (const EditedPrimitive& e : d_.primitives) {
        if (mesh_of(e) != m) continue;
        is_there[e.primitive] = std::ranges::any_of(e.triangles, [&](const EditedTriangle& t) {
          if (t.triangle == k_none) return false;
          const auto [polygon, piece] = pieces_.find(m, e.primitive, t.triangle);
          return has_area(pieces_.of_mesh(m)[polygon][piece]);
        });
      }
      is_there_[m] = is_there[0] || is_there[1];
      any_there_ |= is_there_[m];
    }
  }

  std::optional<Diagnostic> take_primitive(const EditedPrimitive& e) {
    const size_t m = mesh_of(e);
    const auto& pieces = pieces_.of_mesh(m);
    std::vector<std::vector<const EditedTriangle*>> seen(pieces.size());
    for (size_t i = 0; i < pieces.size(); ++i) seen[i].resize(pieces[i].size());
    for (const EditedTriangle& t : e.triangles) {
      if (t.triangle == k_none) {
        loose_.push_back(make_triangle(u8(m), e, t, nullptr));
        continue;
      }
      const auto [polygon, piece] = pieces_.find(m, e.primitive, t.triangle);
      seen[polygon][piece] = &t;
    }
    for (u32 i = 0; i < pieces.size(); ++i) {
      const PolygonRef& r = pieces_.ref(m, i);
      if ((r.kind >= PolygonKind::untextured_triangle) != (e.primitive == 1) || pieces[i].empty()) continue;
      const size_t gone = size_t(std::ranges::count(seen[i], nullptr));
      const bool is_as_it_was = !gone && std::ranges::none_of(seen[i], [](const auto* t) { return is_changed(*t); });
      if (is_as_it_was) continue;
      is_edited_.insert(r);
      if (gone == pieces[i].size())
        gone_.push_back(r);
      else if (auto problem = take_polygon(r, e, pieces[i], seen[i]))
        return problem;
    }
    return {};
  }
  static bool is_changed(const EditedTriangle& t) {
    return std::ranges::any_of(t.vertices, [](const EditedVertex& v) { return v.is_changed(); });
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
    return out;
  }

  /// A polygon of which something differs.
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
    if (!is_torn && is_whole) {
      std::vector<DrawnVertex> all;
      for (size_t c = 0; c < vertex_count(r.kind); ++c) {
        if (!has_other_normal[c]) corners[c]->normal.reset();
        all.push_back(*corners[c]);
      }
      if (is_cut && !follows_corners(pieces, seen, all)) notes_.torn.count(polygon_path(r));
      return change(r, all);
    }
    if (is_cut) {
      notes_.torn.count(polygon_path(r));
      return {};
    }
    break_quad(r, e, pieces, seen, is_torn);
    return {};
  }
  std::optional<Diagnostic> change(const PolygonRef& r, const std::vector<DrawnVertex>& corners) {
    std::optional<Diagnostic> problem;
    visit_polygon(file_, r, [&](auto& polygon) {
      size_t stay = 0;
      for (size_t i = 0; i < corners.size(); ++i) {
        const Position& at = polygon.positions[i];
        stay += is_same_place(corners[i].position, {f64(at.x), f64(at.y), f64(at.z)});
      }
      // Programs turn normals by themselves where a vertex moves.
      const bool is_bent = !keeps_sources_ && 0 < stay && stay < corners.size();
      problem = values_.set(polygon, corners, r, is_bent);
    });
    return problem;
  }
  /// Whether vertices of cuts are where those of the polygon take them.
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
        // No farther than the corners: programs interpolate.
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
    // Halves that are all elsewhere may be any of several that look alike.
    if (all_moved)
      for (DrawnPolygon& half : out.halves) half.origin.reset();
    broken_.push_back(std::move(out));
  }

  /// Counts colours of vertices that the light of the file does not give.
  void count_color(const EditedPrimitive& e, const EditedVertex& v, const PolygonRef& r, u8 corner) {
    const scene::Primitive& p = original_of(e);
    if (!v.color || p.colors.empty()) return;
    if (v.uv && ComparedTexel::decode(*v.uv).palette != ComparedTexel::decode(p.uvs[v.vertex]).palette) return;
    constexpr f64 k_tinted = 8;  // of 255: farther than programs round
    const auto intensity = [](f32 x) { return scene::linear_to_srgb(std::clamp(f64(x), 0.0, 1.0)) * 255; };
    // Materials allow for different light.
    for (const u8 most : k_headrooms) {
      bool is_same = true;
      for (size_t k = 0; k < 3; ++k)
        is_same &=
            std::fabs(std::min<f64>(intensity(p.colors[v.vertex][k]), most) - intensity((*v.color)[k])) < k_tinted;
      if (is_same) return;
    }
    if (tinted_.insert({r, e.primitive, v.vertex}).second)
      notes_.tinted.count(text(polygon_path(r), ", corner ", corner));
  }

  // ---- what is gone

  void sort_out_what_is_gone() {
    std::erase_if(gone_, [&](const PolygonRef& r) {
      if (!is_there_[r.mesh]) {
        ++notes_.missing;  // its mesh was not exported
        return true;
      }
      bool has_no_area = false;
      visit_polygon(std::as_const(before_), r, [&](const auto& p) { has_no_area = !face_normal(p.positions); });
      if (has_no_area) notes_.kept.count(polygon_path(r));
      return has_no_area;
    });
  }
  /// Triangles that are the half of a quad, in the same place with the same texels, are interchangeable: rather than
  /// half of the quad, it is the triangle that is gone or elsewhere.
  std::optional<Diagnostic> give_triangles_back_to_quads() {
    for (BrokenQuad& b : broken_) {
      if (!b.other) continue;
      const auto& half = pieces_.of_mesh(b.r.mesh)[polygon_number(b.r)][*b.other];
      const PolygonKind kind =
          b.r.kind == PolygonKind::textured_quad ? PolygonKind::textured_triangle : PolygonKind::untextured_triangle;
      const size_t count = count_polygons_by_kind(*geometry_of(before_, b.r.mesh))[size_t(kind)];
      for (u32 i = 0; i < count; ++i) {
        const PolygonRef r{b.r.mesh, kind, i};
        const auto& same = pieces_.of_mesh(r.mesh)[polygon_number(r)];
        if (same.size() != 1 || is_edited_.contains(r)) continue;
        const auto turn = find_turn_of_piece(half, same[0]);
        if (!turn) continue;
        is_edited_.insert(r);
        if (b.halves.size() == 1) {
          gone_.push_back(r);
        } else {
          std::vector<DrawnVertex> corners(3);
          for (size_t k = 0; k < 3; ++k) corners[(k + *turn) % 3] = b.halves[*b.other].corners[k];
          if (auto problem = change(r, corners)) return problem;
        }
        b.halves.clear();
        is_restored_.insert(b.r);
        break;
      }
    }
    for (BrokenQuad& b : broken_)
      for (DrawnPolygon& half : b.halves) loose_.push_back(half);
    return {};
  }
  /// The number of the corner of b that the first corner of a is.
  static std::optional<size_t> find_turn_of_piece(const Piece& a, const Piece& b) {
    for (size_t turn = 0; turn < 3; ++turn) {
      bool is_same = true;
      for (size_t k = 0; k < 3; ++k) {
        const DrawnVertex &x = a.vertices[k], &y = b.vertices[(k + turn) % 3];
        is_same &= is_same_place(x.position, y.position) && is_same_texel(x.texel, y.texel);
      }
      if (is_same) return turn;
    }
    return {};
  }
  u32 polygon_number(const PolygonRef& r) const {
    return source_number(*geometry_of(before_, r.mesh), {r.kind, r.index, 0}) / 4;
  }

  // ---- what is new

  /// A polygon as a list of numbers, in the turn of which these are the least.
  static std::vector<i32> look_of(u8 mesh, const auto& p) {
    std::vector<i32> best;
    for (size_t turn = 0; turn < count_turns(p.positions.size()); ++turn) {
      std::vector<i32> one{mesh, i32(p.positions.size()), k_is_textured<decltype(p)>};
      for (size_t i = 0; i < p.positions.size(); ++i) {
        const size_t c = turned_corner(p.positions.size(), turn, i);
        one.insert(one.end(), {p.positions[c].x, p.positions[c].y, p.positions[c].z});
        if constexpr (k_is_textured<decltype(p)>) one.insert(one.end(), {p.uvs[c].u, p.uvs[c].v, p.page, p.palette});
      }
      if (best.empty() || one < best) best = std::move(one);
    }
    return best;
  }

  std::optional<Diagnostic> add_new_polygons() {
    vacant_ = gone_;
    for (const BrokenQuad& b : broken_)
      if (!b.halves.empty() && !b.halves[0].origin) vacant_.push_back(b.r);
    const std::set<PolygonRef> is_gone(gone_.begin(), gone_.end());
    for_each_polygon(file_, [&](const PolygonRef& r, const auto& p) {
      if (!is_gone.contains(r)) there_.insert(look_of(r.mesh, p));
    });
    for (const DrawnPolygon& drawn : put_together(pieces_, std::move(loose_))) {
      const bool is_unknown = std::ranges::any_of(
          drawn.corners, [](const DrawnVertex& v) { return v.texel && v.texel->palette == ComparedTexel::k_unknown; });
      bool is_made = false;
      if (!is_unknown)
        if (auto problem = maker_.make(drawn, [&](auto& made, const auto& list) {
              is_made = true;
              add_polygon(drawn, made, list);
            }))
          return problem;
      const bool is_unsure = maker_.take_unsure();
      if (is_unsure && last_was_new_) notes_.unsure.count(last_added_);
      if (!is_made) notes_.untaken.count(text(mesh_name(drawn.mesh)));
    }
    return {};
  }
  template <class Polygon>
  void add_polygon(const DrawnPolygon& drawn, Polygon& made, const std::vector<Polygon>& list) {
    last_was_new_ = false;
    if (drawn.origin && drawn.origin->kind == drawn.kind()) {
      visit_polygon(file_, *drawn.origin, [&](auto& polygon) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(polygon)>, Polygon>) polygon = made;
      });
      is_restored_.insert(*drawn.origin);
      return;
    }
    if (drawn.origin) {
      notes_.halves.count(polygon_path(*drawn.origin));
    } else if (!there_.insert(look_of(drawn.mesh, made)).second) {
      ++notes_.in_place;
      return;
    } else if (take_vacant_place(drawn, made, list)) {
      return;
    }
    last_was_new_ = true;
    last_added_ = polygon_path({drawn.mesh, drawn.kind(), u32(list.size())});
    if (!drawn.origin) notes_.added.count(last_added_);
    visit_polygon_list(made_[drawn.mesh], drawn.kind(), [&](auto& to) {
      if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(to)>::value_type, Polygon>) to.push_back(made);
    });
    ++taken_.added;
  }
  /// A polygon of the file that is gone and looked like a new one is that.
  template <class Polygon>
  bool take_vacant_place(const DrawnPolygon& drawn, const Polygon& made, const std::vector<Polygon>& list) {
    const bool by_texels = PolygonMaker::has_known_texels(drawn);
    auto best = vacant_.end();
    size_t turn = 0;
    int most = -1;
    for (auto v = vacant_.begin(); v != vacant_.end(); ++v) {
      if (v->mesh != drawn.mesh || v->kind != drawn.kind()) continue;
      const auto fit = maker_.find_turn(made, list[v->index], by_texels);
      if (fit && fit->second > most) best = v, turn = fit->first, most = fit->second;
    }
    if (best == vacant_.end()) return false;
    visit_polygon(file_, *best, [&](auto& polygon) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(polygon)>, Polygon>) {
        Polygon moved = made;
        PolygonMaker::become_like(moved, list[best->index], turn, by_texels);
        polygon = moved;
      }
    });
    is_restored_.insert(*best);
    std::erase(gone_, *best);
    vacant_.erase(best);
    return true;
  }

  // ---- the file

  /// What is new comes after the others of its kind.
  void remove_and_append() {
    for (const BrokenQuad& b : broken_)
      if (!is_restored_.contains(b.r)) {
        const bool has_parts = !b.halves.empty() && b.halves[0].origin;
        (has_parts ? split_ : gone_).push_back(b.r);
      }
    taken_.removed = u32(gone_.size());
    if (!gone_.empty()) notes_.removed = {gone_.size(), polygon_path(*std::ranges::min_element(gone_))};
    // With what changed in them.
    count_changed();
    std::vector<PolygonRef> all = gone_;
    all.insert(all.end(), split_.begin(), split_.end());
    sort_stably(all);
    erase_polygons(file_, all);
    for (size_t m = 0; m < k_meshes; ++m)
      if (Geometry* g = geometry_of(file_, m)) {
        const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
        append(g->textured_triangles, made_[m].textured_triangles);
        append(g->textured_quads, made_[m].textured_quads);
        append(g->untextured_triangles, made_[m].untextured_triangles);
        append(g->untextured_quads, made_[m].untextured_quads);
      }
  }
  std::optional<Diagnostic> check_limits() const {
    const auto before = count_all_polygons(before_), after = count_all_polygons(file_);
    for (size_t k = 0; k < after.size(); ++k)
      if (after[k] > before[k] && after[k] > k_most_polygons[k])
        return make_diagnostic(
            "fft.scene-limit", {},
            {.message = text("with the new polygons there would be ", after[k], " ", k_polygon_kinds[k],
                             " in all meshes; the game has room for ", k_most_polygons[k]),
             .hint = "with more, the game writes past the end of its arrays; delete others, or add fewer"});
    return {};
  }

  static bool are_polygons_equal(const auto& a, const auto& b) {
    if constexpr (k_is_textured<decltype(a)>)
      if (a.normals != b.normals || a.uvs != b.uvs || a.page != b.page || a.palette != b.palette) return false;
    return a.positions == b.positions;
  }
  /// Before polygons are removed: their numbers are those of `before_`.
  void count_changed() {
    std::set<PolygonRef> skipped(gone_.begin(), gone_.end());
    skipped.insert(split_.begin(), split_.end());
    taken_.changed += u32(split_.size());
    std::array<u64, k_meshes> all{};
    std::vector<PolygonRef> moved;
    for_each_polygon(std::as_const(file_), [&](const PolygonRef& r, const auto& now) {
      ++all[r.mesh];
      if (skipped.contains(r)) return;
      visit_polygon(std::as_const(before_), r, [&](const auto& was) {
        if constexpr (std::is_same_v<decltype(was), decltype(now)>) {
          if (are_polygons_equal(was, now)) return;
          ++taken_.changed;
          bool is_elsewhere = true;
          for (size_t i = 0; i < now.positions.size(); ++i) is_elsewhere &= now.positions[i] != was.positions[i];
          if (is_elsewhere) moved.push_back(r);
        }
      });
    });
    for (const PolygonRef& r : moved) {
      const bool all_of_mesh = u64(std::ranges::count(moved, r.mesh, &PolygonRef::mesh)) == all[r.mesh];
      if (!all_of_mesh && may_be_another(r)) notes_.moved.count(polygon_path(r));
    }
  }
  /// Whether others look like a polygon that differ in what a scene does not show.
  bool may_be_another(const PolygonRef& r) const {
    bool out = false;
    visit_polygon_list(*geometry_of(before_, r.mesh), r.kind, [&](const auto& list) {
      const auto& was = list[r.index];
      for (u32 i = 0; i < list.size() && !out; ++i)
        out = i != r.index && maker_.find_turn(was, list[i], true) &&
              PolygonMaker::differ_in_what_is_not_shown(was, list[i]);
    });
    return out;
  }
  void count_polygons() {
    u64 all = 0;
    for (const size_t n : count_all_polygons(before_)) all += n;
    taken_.unchanged = u32(all - taken_.changed - taken_.removed - notes_.missing);
  }

  Mesh& file_;
  const Mesh before_;
  const scene::TriangleDifferences& d_;
  const OriginalPieces pieces_;
  PolygonValues values_;
  PolygonMaker maker_;
  bool keeps_sources_ = false;
  std::array<bool, k_meshes> is_there_{};  // whether the scene has something of a mesh
  bool any_there_ = false;
  std::vector<DrawnPolygon> loose_;  // triangles
  std::vector<PolygonRef> gone_, split_, vacant_;
  std::vector<BrokenQuad> broken_;
  std::set<PolygonRef> is_edited_;       // polygons of which something differs
  std::set<PolygonRef> is_restored_;     // broken or gone ones that are there after all
  std::set<std::vector<i32>> there_;     // what polygons look like
  std::array<Geometry, k_meshes> made_;  // new polygons
  bool last_was_new_ = false;
  std::string last_added_;
  std::set<std::tuple<PolygonRef, u32, u32>> tinted_;
  SceneImportResult taken_;
  EditNotes notes_;
};

}  // namespace

Result<SceneImportResult> write_triangles(Mesh& file, const scene::TriangleDifferences& differences) {
  return PolygonEditor(file, differences).run();
}

}  // namespace dio::fft
