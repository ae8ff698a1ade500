// polygons.cpp: moves, copies, removes and changes polygons. Their render words and tiles belong to them and follow.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

#include "formats/contract/reporter.hpp"
#include "formats/fft/edit/edits.hpp"

namespace dio::fft {

template <size_t N>
bool rotate_face_normals(Textured<N>& p, const std::array<Position, N>& was) {
  constexpr int k_near = 64;  // of 4096
  const auto before = face_normal(was), after = face_normal(p.positions);
  if (before == after) return true;
  if (!before || !after) return false;
  const bool is_flat = std::ranges::all_of(p.normals, [&](const Normal& n) {
    return std::abs(n.x.raw - before->x.raw) <= k_near && std::abs(n.y.raw - before->y.raw) <= k_near &&
           std::abs(n.z.raw - before->z.raw) <= k_near;
  });
  if (!is_flat) return false;
  p.normals.fill(*after);
  return true;
}
template bool rotate_face_normals(TexturedTriangle&, const std::array<Position, 3>&);
template bool rotate_face_normals(TexturedQuad&, const std::array<Position, 4>&);

namespace {

using Refs = std::vector<PolygonRef>;

/// `of=textured_quads[3..9]`, or the polygons bound to the tiles x=... z=... [level=...].
Refs parse_polygon_selection(const Mesh& file, Arguments& a) {
  Refs refs;
  if (!a.has("x") && !a.has("z")) {
    const std::string_view typed = a.text("of");
    if (a.problem) return {};
    auto found = parse_polygon_refs(file, typed);
    if (found)
      refs = std::move(*found);
    else
      refuse_argument(a, "of: " + found.error().message);
  } else {
    const auto x = a.integer_range("x", 0, 254), z = a.integer_range("z", 0, 126);
    const bool any_level = !a.has("level");
    const i64 level = any_level ? 0 : a.whole("level", 0, 1);
    if (a.has("of"))
      refuse_argument(a, "of=... cannot be combined with x=... and z=...: select polygons by name or by tile");
    if (a.problem) return {};
    for_each_polygon(file, [&](const PolygonRef& r, const auto& p) {
      if constexpr (k_is_textured<decltype(p)>)
        if (x.from <= p.tile.x && p.tile.x <= x.to && z.from <= p.tile.z && p.tile.z <= z.to &&
            (any_level || p.tile.level == level))
          refs.push_back(r);
    });
  }
  if (refs.empty() && !a.problem)
    refuse_argument(a, a.has("of") ? "of=... matches no polygon in the file" : "no polygon is bound to these tiles");
  return refs;
}

/// The distance in units: `by=X,Y,Z`, whole numbers. `tiles`: bindings follow, so X and Z must be whole tiles.
struct Shift {
  std::array<i64, 3> by{};
  bool tiles = false;
};

constexpr EnumName k_tiles_words[] = {{0, "stay"}, {1, "follow"}};
constexpr EnumNames k_tiles{k_tiles_words};

Shift parse_shift(Arguments& a) {
  Shift s;
  const auto numbers = a.list("by", 3, -65535, 65535);
  for (size_t i = 0; i < numbers.size(); ++i) {
    s.by[i] = i64(numbers[i]);
    if (f64(s.by[i]) != numbers[i]) refuse_argument(a, text("by=", a.text("by"), " is not three whole numbers"));
  }
  s.tiles = a.has("tiles") && a.word("tiles", k_tiles, 1) == 1;
  if (s.tiles && (s.by[0] % k_tile_units || s.by[2] % k_tile_units))
    refuse_argument(a, text("by=", a.text("by"),
                            " is not whole tiles: with tiles=follow, X and Z must be multiples of ", k_tile_units));
  return s;
}

/// Moves a polygon; returns an error if it cannot be there.
std::optional<Diagnostic> move(auto& polygon, const Shift& s, const PolygonRef& r) {
  for (Position& p : polygon.positions) {
    size_t axis = 0;
    for (i16* c : {&p.x, &p.y, &p.z}) {
      const i64 to = *c + s.by[axis++];
      if (to < INT16_MIN || to > INT16_MAX)
        return make_diagnostic(
            "edit.argument", {},
            {.message = text(polygon_path(r), ": coordinate ", to, " is out of range (-32768 to 32767)")});
      *c = i16(to);
    }
  }
  if constexpr (k_is_textured<decltype(polygon)>)
    if (s.tiles && !polygon.tile.is_none()) {
      const i64 x = polygon.tile.x + s.by[0] / k_tile_units, z = polygon.tile.z + s.by[2] / k_tile_units;
      if (x < 0 || x > 254 || z < 0 || z > 126)
        return make_diagnostic(
            "edit.argument", {},
            {.message = text(polygon_path(r), ": tile ", x, ",", z, " is out of range (0,0 to 254,126)")});
      polygon.tile.x = u8(x), polygon.tile.z = u8(z);
    }
  return {};
}

/// Names references that no edit can update.
std::string stale_polygon_number_warning(const Mesh& file) {
  const std::string rows = list_polygon_number_rows(file);
  return rows.empty() ? std::string()
                      : "; texture animation rows that refer to polygons by number are not updated: " + rows;
}

}  // namespace

Done move_polygons(Mesh& file, Arguments a) {
  const Refs refs = parse_polygon_selection(file, a);
  const Shift shift = parse_shift(a);
  if (!a.done()) return refuse_edit(a);
  std::optional<Diagnostic> problem;
  for (const PolygonRef& r : refs)
    visit_polygon(file, r, [&](auto& p) {
      if (!problem) problem = move(p, shift, r);
    });
  if (problem) return refuse(std::move(*problem));
  return text(format_count(refs.size(), "polygon"), " moved by ", shift.by[0], ", ", shift.by[1], ", ", shift.by[2]);
}

Done copy_polygons(Mesh& file, Arguments a) {
  const Refs refs = parse_polygon_selection(file, a);
  const Shift shift = parse_shift(a);
  const bool force = a.has("force") && a.word("force", k_yes, 1) == 1;
  if (!a.done()) return refuse_edit(a);
  auto counts = count_all_polygons(file);
  for (const PolygonRef& r : refs) ++counts[size_t(r.kind)];
  for (size_t k = 0; k < counts.size() && !force; ++k)
    if (counts[k] > k_most_polygons[k]) {
      Diagnostic d = make_diagnostic(
          "edit.argument", {},
          {.message = text("with the copies, all meshes together would have ", counts[k], " ",
                           polygon_kind_words(k_polygon_kinds[k]), "; the game has room for ", k_most_polygons[k])});
      d.hint = "the game would write past the end of its arrays; force=yes copies the polygons anyway";
      return refuse(std::move(d));
    }
  std::optional<Diagnostic> problem;
  u64 without_slot = 0;
  std::string first;
  for (const PolygonRef& r : refs)
    visit_polygon_list(*geometry_of(file, r.mesh), r.kind, [&](auto& list) {
      if (problem) return;
      if (list.size() == 0xFFFF) {
        problem = make_diagnostic(
            "edit.argument", {},
            {.message = text("a mesh can have at most 65535 ", polygon_kind_words(k_polygon_kinds[size_t(r.kind)]))});
        return;
      }
      const PolygonRef made{r.mesh, r.kind, u32(list.size())};
      auto copy = list[r.index];
      problem = move(copy, shift, r);
      without_slot += !r.mesh && list.size() >= k_render_slots[size_t(r.kind)];
      list.push_back(std::move(copy));
      if (first.empty()) first = polygon_path(made);
    });
  if (problem) return refuse(std::move(*problem));
  std::string done = text(format_count(refs.size(), "polygon"), " copied; the first is ", first);
  if (without_slot) done += text("; ", without_slot, " copies have no slot in the table of render properties");
  return done;
}

Done remove_polygons(Mesh& file, Arguments a) {
  const Refs refs = parse_polygon_selection(file, a);
  if (!a.done()) return refuse_edit(a);
  erase_polygons(file, refs);
  return text(format_count(refs.size(), "polygon"), " removed; later polygons are renumbered",
              stale_polygon_number_warning(file));
}

Done set_polygons(Mesh& file, Arguments a) {
  const Refs refs = parse_polygon_selection(file, a);
  std::optional<i64> palette, page, lit, hidden;
  std::optional<TileBinding> tile;
  if (a.has("palette")) palette = a.whole("palette", 0, 15);
  if (a.has("page")) page = a.whole("page", 0, 3);
  if (a.has("lit")) lit = a.word("lit", k_yes, 1);
  if (a.has("hidden-from")) hidden = a.word("hidden-from", k_hidden, 0xFFF);
  if (a.has("tile")) {
    const auto parts = split(a.text("tile"), ',');
    std::vector<i64> n;
    for (const std::string_view part : parts)
      if (const auto whole = parse_whole_number(part); whole && *whole >= 0) n.push_back(*whole);
    if (a.text("tile") == "none")
      tile = TileBinding{TileBinding::k_no_z, 0, TileBinding::k_no_x};
    else if (n.size() == parts.size() && (n.size() == 2 || n.size() == 3) && n[0] <= 254 && n[1] <= 126 &&
             (n.size() == 2 || n[2] <= 1))
      tile = TileBinding{u8(n[1]), u8(n.size() == 3 ? n[2] : 0), u8(n[0])};
    else
      refuse_argument(a,
                      text("tile=", a.text("tile"), " is neither a tile (X,Z or X,Z,LEVEL, up to 254,126,1) nor none"));
  }
  if ((lit || hidden) && !a.problem && (!file.render_properties || std::ranges::any_of(refs, [](const PolygonRef& r) {
        return r.mesh || r.index >= k_render_slots[size_t(r.kind)];
      })))
    return refuse_edit("lit and hidden-from need render properties, which some of these polygons do not have",
                       "render properties exist only for primary-mesh polygons that have a slot in the table");
  if (!a.done()) return refuse_edit(a);
  if (!palette && !page && !lit && !hidden && !tile)
    return refuse_edit("nothing to set", "give palette=..., page=..., tile=..., lit=... or hidden-from=...");
  u64 untextured = 0;
  for (const PolygonRef& r : refs)
    visit_polygon(file, r, [&](auto& p) {
      if (lit) p.render.lit = u8(*lit);
      if (hidden) p.render.hidden_from = u16(*hidden);
      if constexpr (k_is_textured<decltype(p)>) {
        if (palette) p.palette = u8(*palette);
        if (page) p.page = u8(*page);
        if (tile) p.tile = *tile;
      } else {
        untextured += palette || page || tile;
      }
    });
  // Untextured polygons are unchanged if only textures were set.
  std::string done = text(format_count(lit || hidden ? refs.size() : refs.size() - untextured, "polygon"), " set");
  const Terrain* terrain = file.terrain ? &*file.terrain : nullptr;
  if (tile && tile->x != TileBinding::k_no_x && (!terrain || tile->x >= terrain->size_x || tile->z >= terrain->size_z))
    done += "; the terrain has no such tile";
  if (untextured)
    done += text("; ", format_count(untextured, "polygon"), untextured == 1 ? " is" : " are", " untextured and ",
                 untextured == 1 ? "has" : "have", " no palette, page or tile");
  return done;
}

Done move_uvs(Mesh& file, Arguments a) {
  const Refs refs = parse_polygon_selection(file, a);
  std::array<i64, 2> by{};
  const auto numbers = a.list("by", 2, -255, 255);
  for (size_t i = 0; i < numbers.size(); ++i) {
    by[i] = i64(numbers[i]);
    if (f64(by[i]) != numbers[i]) refuse_argument(a, text("by=", a.text("by"), " is not two whole numbers"));
  }
  if (!a.done()) return refuse_edit(a);
  u64 moved = 0;
  std::optional<Diagnostic> problem;
  for (const PolygonRef& r : refs)
    visit_polygon(file, r, [&](auto& p) {
      if constexpr (k_is_textured<decltype(p)>) {
        for (Uv& uv : p.uvs) {
          const i64 u = uv.u + by[0], v = uv.v + by[1];
          if ((u < 0 || u > 255 || v < 0 || v > 255) && !problem)
            problem = make_diagnostic(
                "edit.argument", {},
                {.message = text(polygon_path(r), ": texel ", u, ",", v, " would be outside its page (0,0 to 255,255)"),
                 .hint = "set-polygons page=N selects another page"});
          uv = {u8(u), u8(v)};
        }
        ++moved;
      }
    });
  if (problem) return refuse(std::move(*problem));
  if (!moved) return refuse_edit("these polygons are untextured");
  return text("texture coordinates of ", format_count(moved, "polygon"), " moved by ", by[0], ", ", by[1]);
}

namespace {

constexpr EnumName k_shape_words[] = {{0, "flat"}, {1, "smooth"}};
constexpr EnumNames k_shapes{k_shape_words};

Normal normalize_to_fixed(f64 x, f64 y, f64 z) {
  const f64 length = std::sqrt(x * x + y * y + z * z);
  const auto part = [&](f64 n) { return fx16{i16(std::lround(n / length * 4096))}; };
  return {part(x), part(y), part(z)};
}

}  // namespace

Done set_normals(Mesh& file, Arguments a) {
  const Refs refs = parse_polygon_selection(file, a);
  std::optional<Normal> same;
  if (a.has("normal")) {
    const auto n = a.list("normal", 3, -1, 1);
    if (!n.empty() && n[0] == 0 && n[1] == 0 && n[2] == 0) refuse_argument(a, "normal=0,0,0 has no direction");
    if (!n.empty() && !a.problem) same = normalize_to_fixed(n[0], n[1], n[2]);
  }
  const bool is_smooth = a.has("shape") && a.word("shape", k_shapes, 1) == 1;
  if (same && a.has("shape")) refuse_argument(a, "normal=... cannot be combined with shape=...");
  if (!same && !a.has("shape")) refuse_argument(a, "nothing to set: give normal=..., shape=flat or shape=smooth");
  if (!a.done()) return refuse_edit(a);
  // The average over all faces that meet at a position, for smooth normals.
  std::map<std::array<i16, 3>, std::array<f64, 3>> sums;
  const auto place = [](const Position& p) { return std::array<i16, 3>{p.x, p.y, p.z}; };
  if (is_smooth)
    for (const PolygonRef& r : refs)
      visit_polygon(file, r, [&](const auto& p) {
        if (const auto face = face_normal(p.positions))
          for (const Position& at : p.positions) {
            auto& sum = sums[place(at)];
            sum[0] += face->x.raw, sum[1] += face->y.raw, sum[2] += face->z.raw;
          }
      });
  u64 set = 0, without = 0;
  for (const PolygonRef& r : refs)
    visit_polygon(file, r, [&](auto& p) {
      if constexpr (k_is_textured<decltype(p)>) {
        const auto face = face_normal(p.positions);
        if (!same && !face) return void(++without);
        for (size_t i = 0; i < p.positions.size(); ++i) {
          const auto sum = sums.find(place(p.positions[i]));
          const bool has_sum = sum != sums.end() && (sum->second[0] || sum->second[1] || sum->second[2]);
          p.normals[i] = same      ? *same
                         : has_sum ? normalize_to_fixed(sum->second[0], sum->second[1], sum->second[2])
                                   : *face;
        }
        ++set;
      }
    });
  if (!set) return refuse_edit("no selected polygon has both normals and an area");
  std::string done = text("normals of ", format_count(set, "polygon"), " set");
  if (without)
    done +=
        text("; ", format_count(without, "polygon"), " without an area ", without == 1 ? "keeps its" : "keep their");
  return done;
}

}  // namespace dio::fft
