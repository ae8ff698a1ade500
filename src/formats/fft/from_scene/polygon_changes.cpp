#include "formats/fft/from_scene/polygon_changes.hpp"

#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::fft {

namespace {

/// The index of the corner of b that matches the first corner of a.
std::optional<size_t> find_turn_of_piece(const OriginalPieces::Piece& a, const OriginalPieces::Piece& b) {
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

/// A polygon as a list of numbers, rotated so that they are the smallest.
std::vector<i32> look_of(u8 mesh, const auto& p) {
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

bool are_polygons_equal(const auto& a, const auto& b) {
  if constexpr (k_is_textured<decltype(a)>)
    if (a.normals != b.normals || a.uvs != b.uvs || a.page != b.page || a.palette != b.palette) return false;
  return a.positions == b.positions;
}
}  // namespace

PolygonChanges::PolygonChanges(Mesh& file, const scene::Scene& original, bool keeps_normals)
    : file_(file),
      before_(file),
      pieces_(before_, original),
      maker_(before_, values_, pieces_.show_texels()),
      keeps_normals_(keeps_normals) {}

Result<SceneImportResult> PolygonChanges::finish() {
  if (auto problem = give_triangles_back_to_quads()) return refuse(std::move(*problem));
  if (auto problem = add_new_polygons()) return refuse(std::move(*problem));
  remove_and_append();
  if (auto problem = check_limits()) return refuse(std::move(*problem));
  notes_.missing = missing_.size();
  count_polygons();
  notes_.between = values_.between(), notes_.edges = values_.edges();
  notes_.other_materials = {values_.other_materials(), values_.first_other_material()};
  SceneImportResult out = std::move(taken_);
  notes_.add_to(out, list_polygon_number_rows(file_));
  return out;
}

std::optional<Diagnostic> PolygonChanges::change(const PolygonRef& r, const std::vector<DrawnVertex>& corners) {
  std::optional<Diagnostic> problem;
  visit_polygon(file_, r, [&](auto& polygon) {
    size_t stay = 0;
    for (size_t i = 0; i < corners.size(); ++i) {
      const Position& at = polygon.positions[i];
      stay += is_same_place(corners[i].position, {f64(at.x), f64(at.y), f64(at.z)});
    }
    // Programs recompute normals if a vertex moves.
    const bool is_bent = keeps_normals_ && 0 < stay && stay < corners.size();
    problem = values_.set(polygon, corners, r, is_bent);
  });
  return problem;
}

void PolygonChanges::flip(const PolygonRef& r) {
  visit_polygon(file_, r, [](auto& polygon) {
    std::swap(polygon.positions[1], polygon.positions[2]);
    if constexpr (k_is_textured<decltype(polygon)>) {
      std::swap(polygon.normals[1], polygon.normals[2]);
      std::swap(polygon.uvs[1], polygon.uvs[2]);
    }
  });
}

/// Triangles that equal half of a quad, at the same position with the same texels, are interchangeable: if in doubt,
/// the triangle was deleted or moved, not half of the quad.
std::optional<Diagnostic> PolygonChanges::give_triangles_back_to_quads() {
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

u32 PolygonChanges::polygon_number(const PolygonRef& r) const {
  return source_number(*geometry_of(before_, r.mesh), {r.kind, r.index, 0}) / 4;
}

// ---- what is new

std::optional<Diagnostic> PolygonChanges::add_new_polygons() {
  vacant_ = gone_;
  for (const BrokenQuad& b : broken_)
    if (!b.halves.empty() && !b.halves[0].origin) vacant_.push_back(b.r);
  std::set<PolygonRef> is_gone(gone_.begin(), gone_.end());
  for (const BrokenQuad& b : broken_)
    if (!is_restored_.contains(b.r)) is_gone.insert(b.r);
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
void PolygonChanges::add_polygon(const DrawnPolygon& drawn, Polygon& made, const std::vector<Polygon>& list) {
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
  } else if (is_of_missing_mesh(drawn, made)) {
    return notes_.posed.count(mesh_name(drawn.mesh));
  }
  last_was_new_ = true;
  last_added_ = polygon_path({drawn.mesh, drawn.kind(), u32(list.size())});
  if (!drawn.origin) notes_.added.count(last_added_);
  visit_polygon_list(made_[drawn.mesh], drawn.kind(), [&](auto& to) {
    if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(to)>::value_type, Polygon>) to.push_back(made);
  });
  ++taken_.added;
}

/// Whether a new polygon belongs to a mesh missing from the scene: if that mesh was joined with another one, it is in
/// an animated pose.
bool PolygonChanges::is_of_missing_mesh(const DrawnPolygon& drawn, const auto& made) {
  const bool by_texels = PolygonMaker::has_known_texels(drawn);
  const auto found = std::ranges::find_if(missing_, [&](const PolygonRef& r) {
    bool fits = false;
    if (r.mesh != drawn.mesh && r.kind == drawn.kind())
      visit_polygon(before_, r, [&](const auto& of) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(of)>, std::remove_cvref_t<decltype(made)>>)
          fits = maker_.find_turn(made, of, by_texels).has_value();
      });
    return fits;
  });
  if (found == missing_.end()) return false;
  missing_.erase(found);
  return true;
}

/// A missing polygon of the file that looked like a new one is that polygon, moved.
template <class Polygon>
bool PolygonChanges::take_vacant_place(const DrawnPolygon& drawn, const Polygon& made,
                                       const std::vector<Polygon>& list) {
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

/// New polygons come after the others of their kind.
void PolygonChanges::remove_and_append() {
  for (const BrokenQuad& b : broken_)
    if (!is_restored_.contains(b.r)) {
      const bool has_parts = !b.halves.empty() && b.halves[0].origin;
      (has_parts ? split_ : gone_).push_back(b.r);
    }
  taken_.removed = u32(gone_.size());
  if (!gone_.empty()) notes_.removed = {gone_.size(), polygon_path(*std::ranges::min_element(gone_))};
  // With their changes.
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

std::optional<Diagnostic> PolygonChanges::check_limits() const {
  const auto before = count_all_polygons(before_), after = count_all_polygons(file_);
  for (size_t k = 0; k < after.size(); ++k)
    if (after[k] > before[k] && after[k] > k_most_polygons[k])
      return make_diagnostic(
          "fft.scene-limit", {},
          {.message = text("with the new polygons, all meshes together would have ", after[k], " ",
                           polygon_kind_words(k_polygon_kinds[k]), "; the game has room for ", k_most_polygons[k]),
           .hint = "the game would write past the end of its arrays; delete other polygons, or add fewer"});
  return {};
}

/// Runs before polygons are removed: their numbers are those of `before_`.
void PolygonChanges::count_changed() {
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

/// Whether other polygons look the same but differ in values that a scene does not show.
bool PolygonChanges::may_be_another(const PolygonRef& r) const {
  bool out = false;
  visit_polygon_list(*geometry_of(before_, r.mesh), r.kind, [&](const auto& list) {
    const auto& was = list[r.index];
    for (u32 i = 0; i < list.size() && !out; ++i)
      out = i != r.index && maker_.find_turn(was, list[i], true) &&
            PolygonMaker::differ_in_what_is_not_shown(was, list[i]);
  });
  return out;
}

void PolygonChanges::count_polygons() {
  u64 all = 0;
  for (const size_t n : count_all_polygons(before_)) all += n;
  taken_.unchanged = u32(all - taken_.changed - taken_.removed - notes_.missing - notes_.posed.number);
}

}  // namespace dio::fft
