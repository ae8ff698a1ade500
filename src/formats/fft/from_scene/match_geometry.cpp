// match_geometry.cpp: triangles of a scene are matched in rounds, from what is certain to what is less so; each round
// looks only at what is left.
#include "formats/fft/from_scene/match_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/sorting.hpp"
#include "formats/fft/scene/motion.hpp"

namespace dio::fft {

namespace {

using scene::Point;
using TriangleNumbers = std::array<u32, 3>;
/// Half texels, so that what is slightly off whole texels is the same.
using UvKey = std::array<i32, 2>;
using UvKeys = std::array<UvKey, 3>;

constexpr u32 k_none_yet = ~u32(0);
constexpr UvKey k_no_uv = {INT32_MIN, INT32_MIN};
constexpr f64 k_same_place = 0.05;    // units, on each axis
constexpr f64 k_largest_place = 1e6;  // units or texels: farther away nothing is rounded
constexpr f64 k_same_normal = 0.01;   // of a unit normal
constexpr size_t k_crowd = 32;        // what more than so many share says too little to be compared one by one

UvKey quantize_uv(const std::array<f64, 2>& uv) {
  UvKey out = k_no_uv;
  for (size_t k = 0; k < 2; ++k) {
    if (!(std::fabs(uv[k]) < k_largest_place)) return k_no_uv;
    out[k] = i32(std::floor(uv[k] * 2 + 0.5));
  }
  return out;
}

/// Numbers for places, by the positions of the file.
class PositionIndex {
 public:
  u32 add(const Point& p) {
    if (const u32 known = find(p); known != k_none_yet) return known;
    cells_[cell_of(p, {})].push_back(u32(all_.size()));
    all_.push_back(p);
    return u32(all_.size() - 1);
  }
  u32 find(const Point& p) const {
    for (const f64 x : p)
      if (!(std::fabs(x) < k_largest_place)) return k_none_yet;
    Cell before{};
    for (u32 side = 0; side < 8; ++side) {
      const Cell c = cell_of(p, {side & 1 ? k_same_place : -k_same_place, side & 2 ? k_same_place : -k_same_place,
                                 side & 4 ? k_same_place : -k_same_place});
      if (side && c == before) continue;
      before = c;
      const auto at = cells_.find(c);
      if (at == cells_.end()) continue;
      for (const u32 i : at->second) {
        bool is_near = true;
        for (size_t k = 0; k < 3; ++k) is_near &= std::fabs(all_[i][k] - p[k]) <= k_same_place;
        if (is_near) return i;
      }
    }
    return k_none_yet;
  }

 private:
  using Cell = std::array<i32, 3>;
  static Cell cell_of(const Point& p, const Point& off) {
    Cell c{};
    for (size_t k = 0; k < 3; ++k) c[k] = i32(std::lround(p[k] + off[k]));
    return c;
  }
  std::vector<Point> all_;
  std::map<Cell, std::vector<u32>> cells_;
};

/// A triangle of the file, in the order of scenes.
struct FileTriangle {
  TriangleNumbers sources{};
  std::array<Point, 3> positions{};
  UvKeys uvs{};
  std::array<Point, 3> normals{};
  TriangleMaterial look;
  u32 polygon = 0;
  bool is_half = false;   // of a polygon that is shown whole: all of it, or half a quad
  bool is_piece = false;  // of a polygon that an animated texture cuts; may be a half that it leaves whole
};

constexpr size_t rotate_vertex_order(size_t k, size_t turn) { return (k + turn) % 3; }
template <class T>
std::array<T, 3> rotate_vertex_order(const std::array<T, 3>& a, size_t turn) {
  return {a[turn], a[(turn + 1) % 3], a[(turn + 2) % 3]};
}

Point to_point(const Position& p) { return {f64(p.x), f64(p.y), f64(p.z)}; }

/// All triangles as which a scene may show the polygons of a mesh, in the order of scenes. Polygons that are cut are
/// there twice: whole, and in pieces.
std::vector<FileTriangle> build_file_triangles(const Mesh& file, size_t mesh) {
  std::vector<FileTriangle> out;
  const Geometry* g = geometry_of(file, mesh);
  if (!g) return out;
  TextureMotion motion(file.texture_animations ? &*file.texture_animations : nullptr,
                       file.palette_frames ? &*file.palette_frames : nullptr);
  for_each_polygon(file, [&](const PolygonRef& r, const auto& p) {
    if (r.mesh != mesh) return;
    constexpr size_t n = std::tuple_size_v<decltype(p.positions)>;
    const u32 first = source_number(*g, {r.kind, r.index, 0});
    struct Vertex {
      Point position{}, normal{};
      std::array<f64, 2> uv{};
      u32 source = k_no_source;
    };
    std::array<Vertex, n> own{};
    TriangleMaterial look{TriangleMaterial::Kind::untextured};
    for (u32 i = 0; i < n; ++i) {
      own[i].position = to_point(p.positions[i]);
      own[i].source = first + i;
      if constexpr (k_is_textured<decltype(p)>) {
        own[i].uv = {f64(p.uvs[i].u), f64(p.uvs[i].v) + f64(k_page_texels) * p.page};
        own[i].normal = {p.normals[i].x.value(), p.normals[i].y.value(), p.normals[i].z.value()};
      }
    }
    if constexpr (k_is_textured<decltype(p)>) {
      const bool is_of_map = p.image == k_map_image && p.page_y == 0 && p.color_depth == 0 && p.palette < 16;
      look = is_of_map ? TriangleMaterial{TriangleMaterial::Kind::palette, p.palette}
                       : TriangleMaterial{TriangleMaterial::Kind::foreign};
    }
    const auto add = [&](const Vertex& a, const Vertex& b, const Vertex& c, bool is_half, bool is_piece) {
      FileTriangle& t = out.emplace_back();
      t.polygon = first / 4;
      t.look = look;
      t.is_half = is_half;
      t.is_piece = is_piece;
      size_t k = 0;
      for (const Vertex* v : {&a, &b, &c}) {
        t.sources[k] = v->source;
        t.positions[k] = v->position;
        t.normals[k] = v->normal;
        t.uvs[k++] = look.kind == TriangleMaterial::Kind::untextured ? k_no_uv : quantize_uv(v->uv);
      }
    };
    std::vector<std::vector<Vertex>> pieces;
    if constexpr (k_is_textured<decltype(p)>)
      for (const MovingFragment& piece : motion.split_by_canvases(p)) {
        if (piece.corners.empty()) continue;
        std::vector<Vertex>& around = pieces.emplace_back();
        for (const auto& weights : piece.corners) {
          if (const size_t at = MovingFragment::find_corner(weights); at < n) {
            around.push_back(own[at]);
            continue;
          }
          Vertex& v = around.emplace_back();
          for (size_t i = 0; i < n; ++i) {
            for (size_t k = 0; k < 3; ++k) v.position[k] += weights[i] * own[i].position[k];
            for (size_t k = 0; k < 2; ++k) v.uv[k] += weights[i] * own[i].uv[k];
          }
        }
      }
    // The pieces of the first half of a quad come before those of the second.
    const auto is_left_whole = [&](const std::vector<Vertex>& piece) {
      return piece.size() == 3 && std::ranges::none_of(piece, [](const Vertex& v) { return v.source == k_no_source; });
    };
    const bool first_is_piece = !pieces.empty() && is_left_whole(pieces.front());
    const bool second_is_piece = n == 4 && !pieces.empty() && is_left_whole(pieces.back());
    add(own[0], own[2], own[1], true, first_is_piece);
    if constexpr (n == 4)
      if (!second_is_piece) add(own[1], own[2], own[3], true, false);
    for (size_t i = first_is_piece; i + second_is_piece < pieces.size(); ++i)
      for (size_t k = 2; k < pieces[i].size(); ++k) add(pieces[i][0], pieces[i][k], pieces[i][k - 1], false, true);
    if constexpr (n == 4)
      if (second_is_piece) add(own[1], own[2], own[3], true, true);
  });
  return out;
}

class GeometryMatch {
 public:
  GeometryMatch(const Mesh& file, size_t mesh, std::span<const SceneTriangle> seen)
      : file_(file), mesh_(mesh), seen_(seen), of_file_(build_file_triangles(file, mesh)) {
    const Geometry* g = geometry_of(file, mesh);
    u32 polygons = 0;
    if (g)
      for (const size_t n : count_polygons_by_kind(*g)) polygons += u32(n);
    out_.sources.assign(seen.size(), {k_no_source, k_no_source, k_no_source});
    out_.may_be_there.assign(polygons, false);
    out_.look_alikes.resize(polygons);
    triangles_of_.resize(polygons);
    by_seen_.assign(seen.size(), k_none_yet);
    by_file_.assign(of_file_.size(), k_none_yet);
    turns_.assign(seen.size(), 0);
    low_.assign(seen.size(), 0);
    high_.assign(seen.size(), u32(of_file_.size()));
    dropped_.assign(of_file_.size(), false);
    is_copy_.assign(seen.size(), false);
    for (u32 r = 0; r < of_file_.size(); ++r) {
      triangles_of_[of_file_[r].polygon].push_back(r);
      TriangleNumbers& at = file_places_.emplace_back();
      for (size_t k = 0; k < 3; ++k) at[k] = places_.add(of_file_[r].positions[k]);
    }
    for (const SceneTriangle& t : seen) {
      TriangleNumbers& at = seen_places_.emplace_back();
      UvKeys& uvs = seen_uvs_.emplace_back();
      for (size_t k = 0; k < 3; ++k) {
        at[k] = places_.find(t.positions[k]);
        uvs[k] = t.has_uvs ? quantize_uv(t.uvs[k]) : k_no_uv;
      }
    }
  }

  u64 count_unmoved_triangles() const {
    return u64(std::ranges::count_if(
        seen_places_, [](const TriangleNumbers& t) { return std::ranges::find(t, k_none_yet) == t.end(); }));
  }

  MatchedTriangles run() {
    match_unmoved_triangles();
    exclude_unshown_triangles();
    resolve_identical_triangles();
    detect_triangle_order();
    match_shifted_polygons();
    detect_triangle_order();
    match_flipped_triangles();
    match_other_quad_halves();
    match_by_vertices(2);
    match_other_quad_halves();
    match_by_order();
    match_other_quad_halves();
    match_by_vertices(1);
    match_other_quad_halves();
    match_by_vertices(2, false);
    match_other_quad_halves();
    for (const bool with_shape : {true, false}) {
      match_by_shape(with_shape);
      match_other_quad_halves();
    }
    find_copied_polygons();
    find_moved_polygons();
    find_ambiguous_polygons();
    return std::move(out_);
  }

 private:
  bool is_unmatched_in_scene(u32 e) const { return by_seen_[e] == k_none_yet && !is_copy_[e]; }
  bool is_unmatched_in_file(u32 r) const { return by_file_[r] == k_none_yet && !dropped_[r]; }

  /// The corners of the triangle of the file, in the order of the triangle of the scene, whose vertex 0 is vertex
  /// `turn`.
  void record_match(u32 e, u32 r, size_t turn) {
    by_seen_[e] = r;
    by_file_[r] = e;
    turns_[e] = u8(turn);
    out_.sources[e] = rotate_vertex_order(of_file_[r].sources, turn);
  }
  void record_copy(u32 e, const TriangleNumbers& sources) {
    is_copy_[e] = true;
    out_.sources[e] = sources;
  }

  /// The texels and look of a triangle of the file, as this triangle of the scene would have them.
  UvKeys comparable_uvs(const SceneTriangle& t, u32 r) const {
    return t.has_uvs ? of_file_[r].uvs : UvKeys{k_no_uv, k_no_uv, k_no_uv};
  }
  static bool materials_may_match(const TriangleMaterial& seen, const TriangleMaterial& of_file) {
    using enum TriangleMaterial::Kind;
    if (seen.kind == unknown) return true;
    if (seen.kind == foreign) return of_file.kind != untextured;  // texels may have been missing
    return seen == of_file;
  }

  /// How to turn a triangle so that those with the same places and texels begin at the same vertex.
  static size_t canonical_first_vertex(const TriangleNumbers& places, const UvKeys& uvs) {
    size_t best = 0;
    for (size_t turn = 1; turn < 3; ++turn)
      if (std::tuple(rotate_vertex_order(places, turn), rotate_vertex_order(uvs, turn)) <
          std::tuple(rotate_vertex_order(places, best), rotate_vertex_order(uvs, best)))
        best = turn;
    return best;
  }
  static bool has_known_positions(const TriangleNumbers& places) {
    return std::ranges::find(places, k_none_yet) == places.end();
  }

  // ---- rounds

  /// Triangles whose vertices are all where the file has them, and which face the same way.
  void match_unmoved_triangles() {
    struct Group {
      std::vector<u32> seen, file;
    };
    std::map<TriangleNumbers, Group> groups;
    const UvKeys none{k_no_uv, k_no_uv, k_no_uv};
    for (u32 r = 0; r < of_file_.size(); ++r)
      groups[rotate_vertex_order(file_places_[r], canonical_first_vertex(file_places_[r], none))].file.push_back(r);
    for (u32 e = 0; e < seen_.size(); ++e)
      if (has_known_positions(seen_places_[e]))
        if (const auto at =
                groups.find(rotate_vertex_order(seen_places_[e], canonical_first_vertex(seen_places_[e], none)));
            at != groups.end())
          at->second.seen.push_back(e);
    for (auto& [places, group] : groups) {
      if (group.seen.empty()) continue;
      out_.exact += group.seen.size();
      // With the same texels and look; with the same look; with the same texels; whatever they have.
      for (const auto& [with_uvs, with_look] : {std::pair{true, true}, {false, true}, {true, false}, {false, false}})
        match_within_group(group.seen, group.file, with_uvs, with_look);
      // More of them than the file has: copies that were not moved.
      for (const u32 e : group.seen)
        if (is_unmatched_in_scene(e)) match_as_copy(e, group.file);
    }
  }

  void match_within_group(const std::vector<u32>& seen, const std::vector<u32>& file, bool with_uvs, bool with_look) {
    std::vector<u32> es, rs;
    for (const u32 e : seen)
      if (is_unmatched_in_scene(e)) es.push_back(e);
    for (const u32 r : file)
      if (is_unmatched_in_file(r)) rs.push_back(r);
    if (es.empty() || rs.empty()) return;
    const bool is_crowd = es.size() * rs.size() > k_crowd * k_crowd;
    size_t from = 0;
    for (size_t i = 0; i < es.size(); ++i) {
      const u32 e = es[i];
      u32 best = k_none_yet;
      size_t best_turn = 0;
      f64 best_off = 0;
      for (size_t j = is_crowd ? from : 0; j < (is_crowd ? std::min(from + k_crowd, rs.size()) : rs.size()); ++j) {
        const u32 r = rs[j];
        if (!is_unmatched_in_file(r) || (with_look && !materials_may_match(seen_[e].look, of_file_[r].look))) continue;
        for (size_t turn = 0; turn < 3; ++turn) {
          if (rotate_vertex_order(file_places_[r], turn) != seen_places_[e]) continue;
          if (with_uvs && rotate_vertex_order(comparable_uvs(seen_[e], r), turn) != seen_uvs_[e]) continue;
          // Of several, the one with these normals; of several such, the first.
          const f64 off = max_normal_difference(e, r, turn);
          if (best == k_none_yet || off < best_off - 1e-3) best = r, best_turn = turn, best_off = off;
        }
      }
      if (best == k_none_yet) continue;
      record_match(e, best, best_turn);
      if (with_uvs && with_look && rs.size() > es.size()) twins_.push_back(e);
      while (from < rs.size() && !is_unmatched_in_file(rs[from])) ++from;
    }
  }
  f64 max_normal_difference(u32 e, u32 r, size_t turn) const {
    f64 most = 0;
    for (size_t k = 0; k < 3; ++k) {
      const Point &a = seen_[e].normals[k], &b = of_file_[r].normals[rotate_vertex_order(k, turn)];
      if (scene::length(a) == 0 || scene::length(b) == 0) continue;
      const Point is = scene::unit(a), was = scene::unit(b);
      for (size_t i = 0; i < 3; ++i) most = std::max(most, std::fabs(is[i] - was[i]));
    }
    return most;
  }

  /// A polygon that is cut was shown whole or in pieces: what it was not shown as is not missing.
  void exclude_unshown_triangles() {
    u64 whole = 0, pieces = 0;
    const auto is_cut = [&](u32 polygon) {
      return std::ranges::any_of(triangles_of_[polygon], [&](u32 r) { return of_file_[r].is_piece; });
    };
    const auto count = [&](u32 polygon, bool is_piece) {
      return u64(std::ranges::count_if(triangles_of_[polygon], [&](u32 r) {
        const FileTriangle& t = of_file_[r];
        return t.is_piece != t.is_half && t.is_piece == is_piece && by_file_[r] != k_none_yet;
      }));
    };
    for (const bool decided : {false, true})
      for (u32 p = 0; p < triangles_of_.size(); ++p) {
        if (!is_cut(p)) continue;
        const u64 as_whole = count(p, false), as_pieces = count(p, true);
        if (!decided) {
          whole += as_whole, pieces += as_pieces;
          continue;
        }
        const bool in_pieces = as_whole || as_pieces ? as_pieces >= as_whole : pieces >= whole;
        for (const u32 r : triangles_of_[p])
          if (!(in_pieces ? of_file_[r].is_piece : of_file_[r].is_half) && by_file_[r] == k_none_yet)
            dropped_[r] = true;
      }
  }

  /// Triangles in place that face the other way.
  void match_flipped_triangles() {
    std::map<TriangleNumbers, std::vector<u32>> left;
    for (u32 r = 0; r < of_file_.size(); ++r)
      if (is_unmatched_in_file(r)) {
        TriangleNumbers sorted = file_places_[r];
        sort_stably(sorted);
        left[sorted].push_back(r);
      }
    for (u32 e = 0; e < seen_.size(); ++e) {
      if (!is_unmatched_in_scene(e) || !has_known_positions(seen_places_[e])) continue;
      TriangleNumbers sorted = seen_places_[e];
      sort_stably(sorted);
      const auto at = left.find(sorted);
      if (at == left.end() || at->second.size() != 1 || !is_unmatched_in_file(at->second[0])) continue;
      const u32 r = at->second[0];
      if (sorted[0] == sorted[1] || sorted[1] == sorted[2] || !materials_may_match(seen_[e].look, of_file_[r].look))
        continue;
      TriangleNumbers sources{};
      for (size_t k = 0; k < 3; ++k)
        for (size_t i = 0; i < 3; ++i)
          if (file_places_[r][i] == seen_places_[e][k]) sources[k] = of_file_[r].sources[i];
      record_match(e, r, 0);
      out_.sources[e] = sources;
    }
  }

  /// An edge of a triangle of the scene, from vertex k on: where it is and its texels, to find the other triangle of a
  /// quad.
  using Edge = std::array<i64, 10>;
  Edge make_edge_key(u32 e, size_t k, bool backwards) const {
    Edge out{};
    size_t at = 0;
    for (const size_t i : {backwards ? (k + 1) % 3 : k, backwards ? k : (k + 1) % 3}) {
      for (const f64 x : seen_[e].positions[i])
        out[at++] = std::fabs(x) < k_largest_place ? i64(std::llround(x * 16)) : INT32_MAX;
      for (const i32 x : seen_uvs_[e][i]) out[at++] = x;
    }
    return out;
  }

  /// Which vertex of the matched triangle e, or of the one it is a copy of, has this source; 3 if none has.
  size_t find_vertex_with_source(u32 e, u32 source) const {
    return size_t(std::ranges::find(out_.sources[e], source) - out_.sources[e].begin());
  }

  /// Where one triangle of a quad is known, the other one is that which has the edge between them.
  void match_other_quad_halves() {
    std::map<Edge, std::vector<std::pair<u32, size_t>>> edges;
    std::map<std::array<u32, 3>, std::vector<std::pair<u32, size_t>>> by_vertices;
    for (u32 e = 0; e < seen_.size(); ++e)
      for (size_t k = 0; k < 3 && is_unmatched_in_scene(e); ++k) {
        edges[make_edge_key(e, k, false)].push_back({e, k});
        by_vertices[{seen_[e].primitive, seen_[e].vertices[k], seen_[e].vertices[(k + 1) % 3]}].push_back({e, k});
      }
    if (edges.empty()) return;
    for (u32 r = 0; r < of_file_.size(); ++r) {
      if (!is_unmatched_in_file(r)) continue;
      for (const u32 other : triangles_of_[of_file_[r].polygon]) {
        if (other == r || by_file_[other] == k_none_yet) continue;
        // One is shown as a piece, the other as a half.
        const FileTriangle &a = of_file_[r], &b = of_file_[other];
        if (!(a.is_piece && b.is_piece) && !(a.is_half && b.is_half)) continue;
        const u32 known = by_file_[other];
        for (size_t i = 0; i < 3 && is_unmatched_in_file(r); ++i) {
          // The edge of r from i on, which the other triangle has backwards.
          const u32 from = of_file_[r].sources[i], to = of_file_[r].sources[(i + 1) % 3];
          if (from == k_no_source || to == k_no_source) continue;
          const size_t a = find_vertex_with_source(known, from), b = find_vertex_with_source(known, to);
          if (a == 3 || b == 3 || (b + 1) % 3 != a) continue;
          const SceneTriangle& t = seen_[known];
          const auto fitting = [&](const auto& list) {
            std::vector<std::pair<u32, size_t>> fits;
            for (const auto& [e, k] : list)
              if (is_unmatched_in_scene(e) && may_match(e, r) && fits.size() < 2) fits.push_back({e, k});
            return fits;
          };
          std::vector<std::pair<u32, size_t>> fits;
          if (const auto at = by_vertices.find({t.primitive, t.vertices[a], t.vertices[b]}); at != by_vertices.end())
            fits = fitting(at->second);
          if (fits.size() != 1)
            if (const auto at = edges.find(make_edge_key(known, b, true)); at != edges.end())
              fits = fitting(at->second);
          if (fits.size() == 1) record_match(fits[0].first, r, (i + 3 - fits[0].second) % 3);
        }
      }
    }
  }

  /// Triangles that have at least so many vertices where one of the file has them, with the same texels. Each must fit
  /// the other better than any else.
  void match_by_vertices(u32 least, bool with_uvs = true) {
    struct Pair {
      u32 e, r;
      size_t turn;
      u32 score;  // 4 for each vertex in place, 1 for the texels of each
    };
    using CornerKey = std::tuple<u32, UvKey>;
    std::map<CornerKey, std::vector<std::pair<u32, size_t>>> corners;
    for (u32 r = 0; r < of_file_.size(); ++r)
      if (is_unmatched_in_file(r))
        for (size_t k = 0; k < 3; ++k) {
          if (with_uvs) corners[{file_places_[r][k], of_file_[r].uvs[k]}].push_back({r, k});
          if (!with_uvs || of_file_[r].uvs[k] != k_no_uv) corners[{file_places_[r][k], k_no_uv}].push_back({r, k});
        }
    std::vector<Pair> pairs;
    for (u32 e = 0; e < seen_.size(); ++e) {
      if (!is_unmatched_in_scene(e)) continue;
      std::map<std::pair<u32, size_t>, u32> counts;
      for (size_t k = 0; k < 3; ++k) {
        if (seen_places_[e][k] == k_none_yet) continue;
        const auto at = corners.find({seen_places_[e][k], with_uvs ? seen_uvs_[e][k] : k_no_uv});
        if (at == corners.end() || at->second.size() > 4 * k_crowd) continue;
        for (const auto& [r, i] : at->second)
          if (may_match(e, r)) ++counts[{r, (i + 3 - k) % 3}];
      }
      for (const auto& [which, count] : counts) {
        if (count < least) continue;
        const UvKeys uvs = rotate_vertex_order(comparable_uvs(seen_[e], which.first), which.second);
        u32 score = 4 * count;
        for (size_t k = 0; k < 3; ++k) score += uvs[k] == seen_uvs_[e][k];
        pairs.push_back({e, which.first, which.second, score});
      }
    }
    match_best_pairs(pairs);
  }

  template <class Pair>
  void match_best_pairs(std::vector<Pair>& pairs) {
    // Those with the highest score first; of one score, whoever has no other choice of that score.
    sort_stably(pairs, [](const Pair& a, const Pair& b) { return a.score > b.score; });
    for (size_t from = 0; from < pairs.size();) {
      size_t to = from;
      while (to < pairs.size() && pairs[to].score == pairs[from].score) ++to;
      for (bool any = true; any;) {
        any = false;
        std::map<u32, u32> of_seen, of_file;
        for (size_t i = from; i < to; ++i)
          if (is_unmatched_in_scene(pairs[i].e) && is_unmatched_in_file(pairs[i].r))
            ++of_seen[pairs[i].e], ++of_file[pairs[i].r];
        for (size_t i = from; i < to; ++i) {
          const Pair& p = pairs[i];
          if (!is_unmatched_in_scene(p.e) || !is_unmatched_in_file(p.r) || of_seen[p.e] != 1 || of_file[p.r] != 1)
            continue;
          record_match(p.e, p.r, p.turn);
          any = true;
        }
        if (to - from > k_crowd * k_crowd) break;
      }
      // What is undecided here is not decided by what fits less.
      std::vector<u32> open_seen, open_file;
      for (size_t i = from; i < to; ++i)
        if (is_unmatched_in_scene(pairs[i].e) && is_unmatched_in_file(pairs[i].r))
          open_seen.push_back(pairs[i].e), open_file.push_back(pairs[i].r);
      sort_stably(open_seen), sort_stably(open_file);
      std::vector<Pair> rest;
      for (size_t i = to; i < pairs.size() && (open_seen.size() || open_file.size()); ++i)
        if (!std::ranges::binary_search(open_seen, pairs[i].e) && !std::ranges::binary_search(open_file, pairs[i].r))
          rest.push_back(pairs[i]);
      if (open_seen.size() || open_file.size()) {
        pairs.resize(to);
        pairs.insert(pairs.end(), rest.begin(), rest.end());
      }
      from = to;
    }
  }

  bool is_certain_match(u32 e) const {
    return by_seen_[e] != k_none_yet && !std::ranges::binary_search(twins_, e) &&
           materials_may_match(seen_[e].look, of_file_[by_seen_[e]].look);
  }
  /// Finds whether the program kept the order of triangles, and where each begins, by those that are known.
  void detect_triangle_order() {
    constexpr u32 k_enough = 12;  // known triangles; fewer may be in order by chance
    u32 known = 0;
    in_order_ = same_starts_ = true;
    std::map<u32, u32> last;  // by primitive
    for (u32 e = 0; e < seen_.size(); ++e) {
      if (!is_certain_match(e)) continue;
      same_starts_ &= turns_[e] == 0;
      const auto [at, fresh] = last.try_emplace(seen_[e].primitive, by_seen_[e]);
      in_order_ &= fresh || at->second < by_seen_[e];
      at->second = by_seen_[e];
      ++known;
    }
    in_order_ &= known >= k_enough;
    same_starts_ &= known >= k_enough;
    if (!in_order_) return;
    for (u32 e = 0; e < seen_.size(); ++e) {
      const bool goes_on = e && seen_[e - 1].primitive == seen_[e].primitive;
      low_[e] = !goes_on ? 0 : is_certain_match(e - 1) ? by_seen_[e - 1] + 1 : low_[e - 1];
    }
    for (u32 e = u32(seen_.size()); e-- > 0;) {
      const bool goes_on = e + 1 < seen_.size() && seen_[e + 1].primitive == seen_[e].primitive;
      high_[e] = !goes_on ? u32(of_file_.size()) : is_certain_match(e + 1) ? by_seen_[e + 1] : high_[e + 1];
    }
  }
  /// Whether a triangle of the scene may be one of the file, by its look and the order.
  bool may_match(u32 e, u32 r) const {
    return materials_may_match(seen_[e].look, of_file_[r].look) && low_[e] <= r && r < high_[e];
  }

  /// How a triangle of the file has to be turned to have the texels of this one; 3 if it has others, or another look,
  /// or if that does not tell.
  size_t find_uv_rotation(u32 e, u32 r) const {
    if (!materials_may_match(seen_[e].look, of_file_[r].look)) return 3;
    size_t best = 3, most = 0, equal = 0;
    for (size_t turn = 0; turn < 3; ++turn) {
      if (rotate_vertex_order(comparable_uvs(seen_[e], r), turn) != seen_uvs_[e]) continue;
      if (same_starts_ && turn == 0) return 0;
      const TriangleNumbers there = rotate_vertex_order(file_places_[r], turn);
      size_t in_place = 1;
      for (size_t k = 0; k < 3; ++k) in_place += there[k] == seen_places_[e][k];
      if (in_place > most)
        best = turn, most = in_place, equal = 1;
      else
        equal += in_place == most;
    }
    return equal == 1 ? best : 3;
  }

  /// Of triangles that are the same in the file, fewer are where they were: which ones, the other halves of their quads
  /// say, or the order. If they do not, and the polygons differ in what scenes do not show, it is not known.
  void resolve_identical_triangles() {
    sort_stably(twins_);
    if (twins_.empty()) return;
    std::map<TriangleNumbers, std::vector<u32>> left;
    for (u32 r = 0; r < of_file_.size(); ++r)
      if (is_unmatched_in_file(r)) left[file_places_[r]].push_back(r);
    std::map<TriangleNumbers, std::vector<u32>> edges;  // primitive and vertices
    for (u32 e = 0; e < seen_.size(); ++e)
      for (size_t k = 0; k < 3; ++k)
        edges[{seen_[e].primitive, seen_[e].vertices[k], seen_[e].vertices[(k + 1) % 3]}].push_back(e);
    detect_triangle_order();
    for (const u32 e : twins_) {
      const u32 own = by_seen_[e];
      const auto at = left.find(file_places_[own]);
      if (at == left.end()) continue;
      std::vector<u32> choice = {own};
      for (const u32 r : at->second)
        if (is_unmatched_in_file(r) && find_uv_rotation(e, r) < 3) choice.push_back(r);
      if (choice.size() == 1) continue;
      keep_connected_candidates(e, choice, edges);
      if (choice.size() > 1 && in_order_) std::erase_if(choice, [&](u32 r) { return !may_match(e, r); });
      // Else one that makes a quad whole: who deletes, deletes both halves.
      const bool is_sure = choice.size() == 1;
      const auto best = std::ranges::find_if(choice, [&](u32 r) {
        return std::ranges::any_of(triangles_of_[of_file_[r].polygon],
                                   [&](u32 half) { return half != r && by_file_[half] != k_none_yet; });
      });
      const u32 chosen = is_sure ? choice[0] : best == choice.end() || by_file_[own] != e ? own : *best;
      if (chosen != own) {
        by_file_[own] = k_none_yet;
        std::erase(at->second, chosen);
        at->second.push_back(own);
        record_match(e, chosen, find_uv_rotation(e, chosen));
      }
      for (const u32 r : choice)
        if (!is_sure && r != chosen && would_copies_differ(of_file_[chosen].polygon, of_file_[r].polygon))
          unsure_.push_back({chosen, r});
    }
  }
  /// Of several triangles of the file, those whose other half is joined to this triangle of the scene; if there are
  /// none, those whose other half is joined to no other one.
  void keep_connected_candidates(u32 e, std::vector<u32>& choice,
                                 const std::map<TriangleNumbers, std::vector<u32>>& edges) const {
    std::vector<u32> joined, open;
    for (const u32 r : choice) {
      bool to_this = false, to_others = false;
      for (const u32 half : triangles_of_[of_file_[r].polygon]) {
        const u32 other = by_file_[half];
        if (half == r || other == k_none_yet || !of_file_[half].is_half) continue;
        for (size_t k = 0; k < 3; ++k) {
          const SceneTriangle& t = seen_[other];
          const auto there = edges.find({t.primitive, t.vertices[(k + 1) % 3], t.vertices[k]});
          if (there == edges.end()) continue;
          for (const u32 x : there->second) (x == e ? to_this : to_others) = true;
        }
      }
      if (to_this) joined.push_back(r);
      if (!to_others) open.push_back(r);
    }
    if (!joined.empty())
      choice = joined;
    else if (!open.empty())
      choice = open;
  }
  /// Polygons that may have been taken for each other.
  void find_ambiguous_polygons() {
    for (const auto& [own, other] : unsure_) {
      const u32 e = by_file_[other];
      if (e == k_none_yet || by_file_[own] == k_none_yet) {
        if (triangles_of_[of_file_[own].polygon].size() == triangles_of_[of_file_[other].polygon].size())
          out_.may_be_there[of_file_[own].polygon] = out_.may_be_there[of_file_[other].polygon] = true;
      } else if (!std::ranges::all_of(seen_places_[e], [&](u32 place) {
                   return std::ranges::find(file_places_[own], place) != file_places_[own].end();
                 })) {
        out_.unclear_triangle = e;
        out_.unclear = {of_file_[own].polygon, of_file_[other].polygon};
      }
    }
  }

  /// Where a row of equal polygons was moved by the width of one, each is where its neighbour was. If the program keeps
  /// the order of triangles, the first of the file is missing there, and after the others comes one that is nowhere.
  void match_shifted_polygons() {
    if (!in_order_) return;
    std::vector<u32> left;
    for (u32 r = 0; r < of_file_.size(); ++r)
      if (is_unmatched_in_file(r)) left.push_back(r);
    if (left.empty()) return;
    for (u32 begin = 0; begin < seen_.size();) {
      u32 end = begin;
      while (end < seen_.size() && seen_[end].primitive == seen_[begin].primitive) ++end;
      match_shifted_range(begin, end, left);
      begin = end;
    }
  }
  void match_shifted_range(u32 begin, u32 end, const std::vector<u32>& left) {
    bool any_known = false;
    std::vector<u32> es, rs;
    i64 balance = 0;  // triangles of the scene that are nowhere, less those of the file that are missing
    size_t next = 0;
    const auto close = [&] {
      if (balance == 0 && es.size() == rs.size()) {
        std::vector<size_t> turns;
        for (size_t i = 0; i < es.size(); ++i) turns.push_back(find_uv_rotation(es[i], rs[i]));
        bool fits = std::ranges::find(turns, size_t(3)) == turns.end();
        // All by the same way: what else is missing here and new there was deleted, and is a copy.
        for (size_t i = 0; i < es.size() && fits; ++i)
          for (size_t k = 0; k < 3; ++k)
            for (size_t axis = 0; axis < 3; ++axis) {
              const auto way = [&](size_t which, size_t vertex) {
                return seen_[es[which]].positions[vertex][axis] -
                       of_file_[rs[which]].positions[rotate_vertex_order(vertex, turns[which])][axis];
              };
              fits &= std::fabs(way(i, k) - way(0, 0)) < 0.5;
            }
        if (fits)
          for (size_t i = 0; i < es.size(); ++i) record_match(es[i], rs[i], turns[i]);
      }
      es.clear(), rs.clear();
    };
    for (u32 e = begin; e < end; ++e) {
      if (by_seen_[e] == k_none_yet) {
        if (is_copy_[e]) continue;
        es.push_back(e);
        ++balance;
        continue;
      }
      const u32 r = by_seen_[e];
      if (!any_known) {
        any_known = true;
        while (next < left.size() && left[next] < r) ++next;  // may be of any primitive
      }
      for (; next < left.size() && left[next] < r; ++next)
        if (find_uv_rotation(e, left[next]) < 3) rs.push_back(left[next]), --balance;
      // Back where everything is known, and after it comes one that is.
      if (balance == 0) close();
      if (balance != 0) es.push_back(e), rs.push_back(r);
    }
  }

  /// Programs that keep the order of triangles: what lies between two known ones is what lies between these in the
  /// file.
  void match_by_order() {
    detect_triangle_order();
    if (!in_order_) return;
    for (u32 e = 0; e < seen_.size();) {
      if (!is_unmatched_in_scene(e)) {
        ++e;
        continue;
      }
      u32 end = e;
      while (end < seen_.size() && is_unmatched_in_scene(end) && seen_[end].primitive == seen_[e].primitive) ++end;
      const u32 start = e;
      e = end;
      const bool has_before =
          start && by_seen_[start - 1] != k_none_yet && seen_[start - 1].primitive == seen_[start].primitive;
      const bool has_after =
          end < seen_.size() && by_seen_[end] != k_none_yet && seen_[end].primitive == seen_[start].primitive;
      // Programs add copies at the end.
      if (!has_after || (!has_before && start && seen_[start - 1].primitive == seen_[start].primitive)) continue;
      std::vector<std::pair<u32, size_t>> run;
      bool fits = true;
      for (u32 r = has_before ? by_seen_[start - 1] + 1 : 0; r < by_seen_[end] && fits; ++r) {
        if (!is_unmatched_in_file(r) || !materials_may_match(seen_[start].look, of_file_[r].look)) continue;
        const u32 with = start + u32(run.size());
        const size_t turn = with < end ? find_uv_rotation(with, r) : 3;
        fits = turn < 3;
        run.push_back({r, turn});
      }
      if (!fits || run.size() != end - start) continue;
      for (size_t i = 0; i < run.size(); ++i) record_match(start + u32(i), run[i].first, run[i].second);
    }
  }

  /// What a triangle is wherever it is: its look, its texels and, if wanted, its edges. Turned so that equal ones begin
  /// at the same vertex.
  using Shape = std::tuple<u8, u8, UvKeys, std::array<i64, 6>>;
  static Shape make_shape_key(const TriangleMaterial& look, const UvKeys& uvs, const std::array<Point, 3>& positions,
                              bool with_shape, size_t& turn) {
    std::optional<Shape> best;
    for (size_t i = 0; i < 3; ++i) {
      const auto p = rotate_vertex_order(positions, i);
      std::array<i64, 6> edges{};
      for (size_t k = 0; k < 3 && with_shape; ++k) {
        const f64 x = p[1][k] - p[0][k], y = p[2][k] - p[0][k];
        edges[k] = std::fabs(x) < k_largest_place ? std::llround(x) : INT32_MAX;
        edges[3 + k] = std::fabs(y) < k_largest_place ? std::llround(y) : INT32_MAX;
      }
      const Shape s{u8(look.kind), look.palette, rotate_vertex_order(uvs, i), edges};
      if (!best || s < *best) best = s, turn = i;
    }
    return *best;
  }
  /// The shapes as which triangles of the scene may look for a triangle of the file.
  void for_each_possible_shape(u32 r, bool with_shape, auto&& f) const {
    using enum TriangleMaterial::Kind;
    const FileTriangle& t = of_file_[r];
    size_t turn = 0;
    const UvKeys none{k_no_uv, k_no_uv, k_no_uv};
    if (t.look.kind == palette) {
      const Shape s = make_shape_key(t.look, t.uvs, t.positions, with_shape, turn);
      f(s, turn);
    }
    const Shape s =
        make_shape_key({t.look.kind == untextured ? untextured : foreign}, none, t.positions, with_shape, turn);
    f(s, turn);
  }
  Shape make_scene_shape_key(u32 e, bool with_shape, size_t& turn) const {
    return make_shape_key(seen_[e].look, seen_uvs_[e], seen_[e].positions, with_shape, turn);
  }

  /// Triangles that were moved as a whole: the only one of their look, texels and shape that is left, or all of these
  /// moved by the same amount.
  void match_by_shape(bool with_shape) {
    detect_triangle_order();
    struct Group {
      std::vector<std::pair<u32, size_t>> seen, file;
    };
    std::map<std::pair<Shape, u32>, Group> groups;  // by where they are in the order, if that is known
    std::map<Shape, std::vector<std::pair<u32, size_t>>> left;
    for (u32 r = 0; r < of_file_.size(); ++r)
      if (is_unmatched_in_file(r))
        for_each_possible_shape(r, with_shape, [&](const Shape& s, size_t turn) { left[s].push_back({r, turn}); });
    if (left.empty()) return;
    for (u32 e = 0; e < seen_.size(); ++e) {
      if (!is_unmatched_in_scene(e)) continue;
      size_t turn = 0;
      const Shape s = make_scene_shape_key(e, with_shape, turn);
      const auto all = left.find(s);
      if (all == left.end()) continue;
      const auto from = std::ranges::lower_bound(all->second, low_[e], {}, [](const auto& x) { return x.first; });
      const auto to = std::ranges::lower_bound(all->second, high_[e], {}, [](const auto& x) { return x.first; });
      if (from >= to) continue;
      Group& g = groups[{s, low_[e]}];
      g.seen.push_back({e, turn});
      if (g.file.empty()) g.file.assign(from, to);
    }
    for (auto& [key, group] : groups) {
      auto& [seen, file] = group;
      std::erase_if(seen, [&](const auto& x) { return !is_unmatched_in_scene(x.first); });
      std::erase_if(file, [&](const auto& x) { return !is_unmatched_in_file(x.first); });
      if (seen.empty() || file.empty()) continue;
      // Without edges and texels nothing says which vertex is which, but where triangles begin.
      const UvKeys& uvs = std::get<2>(key.first);
      const bool says_which = with_shape || same_starts_ || uvs[0] != uvs[1] || uvs[1] != uvs[2];
      bool fits = seen.size() == file.size() && says_which && (with_shape || seen.size() == 1);
      if (fits && seen.size() > 1) {
        sort_stably(seen, {}, [&](const auto& x) { return round_point(seen_[x.first].positions[x.second]); });
        sort_stably(file, {}, [&](const auto& x) { return round_point(of_file_[x.first].positions[x.second]); });
        const auto by = [&](size_t i, size_t k) {
          return seen_[seen[i].first].positions[seen[i].second][k] -
                 of_file_[file[i].first].positions[file[i].second][k];
        };
        for (size_t i = 1; i < seen.size(); ++i)
          for (size_t k = 0; k < 3; ++k) fits &= std::fabs(by(i, k) - by(0, k)) < 0.5;
      }
      if (!fits) {
        if (out_.unclear.empty()) {
          out_.unclear_triangle = seen[0].first;
          for (const auto& [r, turn] : file) out_.unclear.push_back(of_file_[r].polygon);
        }
        continue;
      }
      for (size_t i = 0; i < seen.size(); ++i)
        record_match(seen[i].first, file[i].first, (file[i].second + 3 - seen[i].second) % 3);
      match_other_quad_halves();
    }
    // What is unclear here may be decided without the shape.
    if (with_shape) out_.unclear.clear();
  }
  static std::array<i64, 3> round_point(const Point& p) {
    std::array<i64, 3> out{};
    for (size_t k = 0; k < 3; ++k) out[k] = std::fabs(p[k]) < k_largest_place ? std::llround(p[k]) : INT32_MAX;
    return out;
  }

  /// Polygons that are elsewhere as a whole, while others look the same: it may have been deleted, and one of the
  /// others copied.
  void find_moved_polygons() {
    std::vector<u32> moved;
    for (u32 p = 0; p < triangles_of_.size(); ++p) {
      bool any = false, in_place = false;
      for (const u32 r : triangles_of_[p])
        if (const u32 e = by_file_[r]; e != k_none_yet) {
          any = true;
          for (const u32 place : file_places_[r])
            in_place |= std::ranges::find(seen_places_[e], place) != seen_places_[e].end();
        }
      if (any && !in_place) moved.push_back(p);
    }
    if (moved.empty()) return;
    std::map<Shape, std::vector<u32>> alike;
    for (u32 r = 0; r < of_file_.size(); ++r)
      for_each_possible_shape(r, false, [&](const Shape& s, size_t) {
        if (auto& list = alike[s]; list.size() < k_crowd) list.push_back(of_file_[r].polygon);
      });
    for (const u32 p : moved) {
      bool is_unsure = false;
      for_each_possible_shape(triangles_of_[p][0], false, [&](const Shape& s, size_t) {
        for (const u32 other : alike[s])
          is_unsure |= other != p && by_file_[triangles_of_[other][0]] != k_none_yet && would_copies_differ(p, other);
      });
      if (is_unsure) out_.moved_as_whole.push_back(p);
    }
  }

  // ---- copies

  /// A triangle where the file has one that another triangle is already.
  void match_as_copy(u32 e, const std::vector<u32>& file) {
    for (const bool with_uvs : {true, false})
      for (const u32 r : file)
        for (size_t turn = 0; turn < 3; ++turn)
          if (rotate_vertex_order(file_places_[r], turn) == seen_places_[e] &&
              materials_may_match(seen_[e].look, of_file_[r].look) &&
              (!with_uvs || rotate_vertex_order(comparable_uvs(seen_[e], r), turn) == seen_uvs_[e]) &&
              by_file_[r] != k_none_yet) {
            record_copy(e, rotate_vertex_order(of_file_[r].sources, turn));
            return;
          }
  }

  bool has_matched_triangle(u32 polygon) const {
    return std::ranges::any_of(triangles_of_[polygon], [&](u32 r) { return by_file_[r] != k_none_yet; });
  }

  /// What is left in the scene are copies of polygons that are there, or from no polygon.
  void find_copied_polygons() {
    std::vector<u32> left;
    for (u32 e = 0; e < seen_.size(); ++e)
      if (is_unmatched_in_scene(e)) left.push_back(e);
    if (!left.empty()) {
      // Of polygons that are there; else of one that is not, which was copied before it was deleted.
      // Quads first: half of one is no triangle.
      for (const u32 corners : {4, 3})
        for (const bool of_known : {true, false}) find_copies_of_cut_polygons(left, corners, of_known);
      for (const auto& [of_known, with_shape] : {std::pair{true, true}, {true, false}, {false, true}, {false, false}}) {
        std::map<Shape, std::vector<std::pair<u32, size_t>>> shapes;
        for (const u32 e : left) {
          size_t turn = 0;
          if (is_unmatched_in_scene(e)) shapes[make_scene_shape_key(e, with_shape, turn)];
        }
        for (u32 r = 0; r < of_file_.size(); ++r)
          if (of_file_[r].is_half && of_known == has_matched_triangle(of_file_[r].polygon))
            for_each_possible_shape(r, with_shape, [&](const Shape& s, size_t turn) {
              if (const auto at = shapes.find(s); at != shapes.end()) at->second.push_back({r, turn});
            });
        find_copied_polygons_by_shape(shapes, left, with_shape, of_known);
      }
    }
    // Copies of pieces are no polygons that were moved; other triangles may be one that is missing.
    std::map<Shape, bool> pieces;
    for (u32 r = 0; r < of_file_.size() && !left.empty(); ++r)
      if (of_file_[r].is_piece) for_each_possible_shape(r, true, [&](const Shape& s, size_t) { pieces[s] = true; });
    std::vector<TriangleMaterial> looks;
    for (const u32 e : left) {
      if (!is_unmatched_in_scene(e)) continue;
      ++out_.unknown;
      size_t turn = 0;
      if (!pieces.contains(make_scene_shape_key(e, true, turn)) &&
          std::ranges::find(looks, seen_[e].look) == looks.end())
        looks.push_back(seen_[e].look);
    }
    for (u32 p = 0; p < triangles_of_.size() && !looks.empty(); ++p) {
      const TriangleMaterial& own = of_file_[triangles_of_[p][0]].look;
      if (!has_matched_triangle(p) &&
          std::ranges::any_of(looks, [&](const TriangleMaterial& look) { return materials_may_match(look, own); }))
        out_.may_be_there[p] = true;
    }
  }

  /// A triangle of the scene that is one of the file, which begins at vertex `turn`.
  struct Pair {
    u32 seen, file;
    size_t turn;
  };
  /// Where the triangles of a scene are, by their centres.
  struct Centres {
    PositionIndex places;
    std::vector<std::vector<u32>> at;
  };
  static Point triangle_centre(const std::array<Point, 3>& p) {
    Point out{};
    for (size_t k = 0; k < 3; ++k) out[k] = (p[0][k] + p[1][k] + p[2][k]) / 3;
    return out;
  }
  static f64 triangle_perimeter(const std::array<Point, 3>& p) {
    return scene::length(vector_between(p[0], p[1])) + scene::length(vector_between(p[1], p[2])) +
           scene::length(vector_between(p[2], p[0]));
  }
  /// Whether a triangle of the scene is one of the file, moved. Corners of pieces lie between units and texels, where
  /// two programs round to either side.
  bool is_translated_by(const Pair& pair, const Point& by) const {
    const SceneTriangle& t = seen_[pair.seen];
    const FileTriangle& r = of_file_[pair.file];
    if (!materials_may_match(t.look, r.look)) return false;
    for (size_t k = 0; k < 3; ++k) {
      const size_t of_file = rotate_vertex_order(k, pair.turn);
      for (size_t i = 0; i < 3; ++i)
        if (!(std::fabs(t.positions[k][i] - r.positions[of_file][i] - by[i]) <= k_same_place)) return false;
      for (size_t i = 0; i < 2 && t.has_uvs; ++i)
        if (std::abs(i64(seen_uvs_[pair.seen][k][i]) - r.uvs[of_file][i]) > 1) return false;
    }
    return true;
  }
  /// The triangles that are all pieces of a polygon, moved; none if one is missing.
  std::vector<Pair> find_moved_pieces(u32 polygon, const Point& by, const Centres& centres) const {
    std::vector<Pair> out;
    for (const u32 r : triangles_of_[polygon]) {
      if (!of_file_[r].is_piece || dropped_[r]) continue;
      const size_t before = out.size();
      Point centre = triangle_centre(of_file_[r].positions);
      for (size_t k = 0; k < 3; ++k) centre[k] += by[k];
      if (const u32 place = centres.places.find(centre); place != k_none_yet)
        for (const u32 e : centres.at[place])
          for (size_t turn = 0; turn < 3 && out.size() == before; ++turn)
            if (is_unmatched_in_scene(e) && is_translated_by({e, r, turn}, by) &&
                std::ranges::find(out, e, [](const Pair& known) { return known.seen; }) == out.end())
              out.push_back({e, r, turn});
      if (out.size() == before) return {};
    }
    return out;
  }
  /// Copies of polygons that are shown in pieces: all pieces are there once more, each as far from its place. Copies
  /// that were turned or bent are not found: a piece says too little of its polygon.
  void find_copies_of_cut_polygons(const std::vector<u32>& left, u32 corners, bool of_known) {
    const Geometry& g = *geometry_of(file_, mesh_);
    std::map<i64, std::vector<u32>> firsts;  // pieces, by their length around
    const auto rounded = [](f64 length) { return length < k_largest_place ? i64(std::llround(length)) : INT32_MAX; };
    for (u32 p = 0; p < triangles_of_.size(); ++p) {
      const auto first =
          std::ranges::find_if(triangles_of_[p], [&](u32 r) { return of_file_[r].is_piece && !dropped_[r]; });
      if (first != triangles_of_[p].end() && has_matched_triangle(p) == of_known &&
          vertex_count(find_corner(g, 4 * p)->kind) == corners)
        firsts[rounded(triangle_perimeter(of_file_[*first].positions))].push_back(*first);
    }
    if (firsts.empty()) return;
    Centres centres;
    for (const u32 e : left) {
      if (!is_unmatched_in_scene(e)) continue;
      const u32 place = centres.places.add(triangle_centre(seen_[e].positions));
      if (place == k_none_yet) continue;
      if (place == centres.at.size()) centres.at.emplace_back();
      centres.at[place].push_back(e);
    }
    for (const u32 e : left) {
      if (!is_unmatched_in_scene(e)) continue;
      std::vector<Pair> found;
      u32 polygon = k_none_yet, tried = 0;
      const i64 length = rounded(triangle_perimeter(seen_[e].positions));
      for (auto at = firsts.lower_bound(length - 1); at != firsts.end() && at->first <= length + 1; ++at)
        for (const u32 r : at->second)
          for (size_t turn = 0; turn < 3 && tried < k_crowd; ++turn) {
            const Point by = vector_between(of_file_[r].positions[turn], seen_[e].positions[0]);
            if (!is_translated_by({e, r, turn}, by)) continue;
            ++tried;
            const u32 p = of_file_[r].polygon;
            auto pieces = find_moved_pieces(p, by, centres);
            if (pieces.empty()) continue;
            if (polygon == k_none_yet) {
              polygon = p;
              found = std::move(pieces);
            } else if (p != polygon && would_copies_differ(polygon, p)) {
              add_ambiguous_copy(polygon, p, of_known, e);
            }
          }
      for (const Pair& piece : found)
        record_copy(piece.seen, rotate_vertex_order(of_file_[piece.file].sources, piece.turn));
    }
  }

  void find_copied_polygons_by_shape(const std::map<Shape, std::vector<std::pair<u32, size_t>>>& shapes,
                                     const std::vector<u32>& left, bool with_shape, bool of_known) {
    std::map<Edge, std::vector<u32>> edges;
    for (const u32 e : left)
      for (size_t k = 0; k < 3 && is_unmatched_in_scene(e); ++k) edges[make_edge_key(e, k, false)].push_back(e);
    for (const u32 e : left) {
      if (!is_unmatched_in_scene(e)) continue;
      size_t own_turn = 0;
      const auto& alike = shapes.at(make_scene_shape_key(e, with_shape, own_turn));
      // Those with its normals, as far as there are some.
      f64 least_off = 2;
      for (const auto& [r, vertex_shift] : alike)
        least_off = std::min(least_off, max_normal_difference(e, r, (vertex_shift + 3 - own_turn) % 3));
      std::vector<std::pair<u32, size_t>> all;
      for (const auto& [r, vertex_shift] : alike)
        if (max_normal_difference(e, r, (vertex_shift + 3 - own_turn) % 3) <= least_off + k_same_normal)
          all.push_back({r, vertex_shift});
      u32 polygon = k_none_yet, other_e = k_none_yet;
      // Quads first: half of one is no triangle.
      std::ranges::stable_partition(all,
                                    [&](const auto& x) { return triangles_of_[of_file_[x.first].polygon].size() > 1; });
      for (const auto& [r, vertex_shift] : all) {
        const size_t turn = (vertex_shift + 3 - own_turn) % 3;
        const u32 p = of_file_[r].polygon;
        std::vector<u32> whole;
        for (const u32 t : triangles_of_[p])
          if (of_file_[t].is_half) whole.push_back(t);
        if (whole.size() != triangles_of_[p].size()) continue;  // pieces cannot be told from the cuts of others
        if (whole.size() == 1) {
          if (other_e != k_none_yet) continue;
          if (polygon == k_none_yet) {
            polygon = p;
            record_copy(e, rotate_vertex_order(of_file_[r].sources, turn));
          } else if (p != polygon && would_copies_differ(polygon, p)) {
            add_ambiguous_copy(polygon, p, of_known, e);
          }
          continue;
        }
        // Of a quad both halves.
        const u32 r2 = whole[0] == r ? whole[1] : whole[0];
        const TriangleNumbers sources = rotate_vertex_order(of_file_[r].sources, turn);
        for (size_t k = 0; k < 3; ++k) {
          const auto at = edges.find(make_edge_key(e, k, true));
          if (at == edges.end() || at->second.size() > k_crowd) continue;
          for (const u32 e2 : at->second) {
            if (e2 == e || (polygon == k_none_yet ? !is_unmatched_in_scene(e2) : e2 != other_e)) continue;
            size_t turn_e2 = 0, turn_r2 = 3;
            const Shape s2 = make_scene_shape_key(e2, with_shape, turn_e2);
            for_each_possible_shape(r2, with_shape, [&](const Shape& s, size_t t) {
              if (s == s2) turn_r2 = t;
            });
            if (turn_r2 == 3) continue;
            const TriangleNumbers sources2 = rotate_vertex_order(of_file_[r2].sources, (turn_r2 + 3 - turn_e2) % 3);
            // They share the edge in the scene; it must be the one that they share in the file.
            const auto is_shared = [&](u32 s) { return std::ranges::find(sources2, s) != sources2.end(); };
            if (!is_shared(sources[k]) || !is_shared(sources[(k + 1) % 3])) continue;
            if (polygon == k_none_yet) {
              polygon = p, other_e = e2;
              record_copy(e, sources);
              record_copy(e2, sources2);
            } else if (p != polygon && would_copies_differ(polygon, p)) {
              add_ambiguous_copy(polygon, p, of_known, e);
            }
          }
        }
      }
    }
  }
  void add_ambiguous_copy(u32 polygon, u32 other, bool of_known, u32 e) {
    if (!of_known) {
      out_.unclear = {polygon, other};
      out_.unclear_triangle = e;
      return;
    }
    auto& list = out_.look_alikes[polygon];
    if (list.size() < k_crowd && std::ranges::find(list, other) == list.end()) list.push_back(other);
  }

  /// Whether a copy of one polygon would differ from a copy of the other in what a scene does not say.
  bool would_copies_differ(u32 a, u32 b) const {
    const Geometry& g = *geometry_of(file_, mesh_);
    const PolygonVertexRef ca = *find_corner(g, 4 * a), cb = *find_corner(g, 4 * b);
    if (ca.kind != cb.kind) return true;
    bool out = false;
    visit_polygon_list(g, ca.kind, [&](const auto& list) {
      const auto &x = list[ca.index], &y = list[cb.index];
      if constexpr (k_is_textured<decltype(x)>)
        out = x.tile != y.tile || x.normals != y.normals || x.clut_unk_15 != y.clut_unk_15 || x.clut_y != y.clut_y ||
              x.page_unk_9 != y.page_unk_9 || x.blend != y.blend || x.uvs != y.uvs || x.page != y.page ||
              x.palette != y.palette || x.image != y.image || x.color_depth != y.color_depth || x.page_y != y.page_y;
      else
        out = x.unread != y.unread;
      out |= x.render != y.render;
    });
    return out;
  }

  const Mesh& file_;
  size_t mesh_;
  std::span<const SceneTriangle> seen_;
  std::vector<FileTriangle> of_file_;
  MatchedTriangles out_;
  PositionIndex places_;
  std::vector<TriangleNumbers> file_places_, seen_places_;
  std::vector<UvKeys> seen_uvs_;
  std::vector<std::vector<u32>> triangles_of_;  // by polygon
  std::vector<u32> by_seen_, by_file_;          // the other one
  std::vector<u8> turns_;                       // of triangles of the scene against those of the file
  std::vector<u32> low_, high_;                 // between which triangles of the file one of the scene is, by the order
  bool in_order_ = false, same_starts_ = false;
  std::vector<u32> twins_;                   // of the scene: the file has more triangles like them
  std::vector<std::pair<u32, u32>> unsure_;  // of the file: a triangle that was found, and one that may be it as well
  std::vector<bool> dropped_;                // as what a polygon is not shown
  std::vector<bool> is_copy_;                // of the scene
};

}  // namespace

MatchedTriangles match_triangles_by_geometry(const Mesh& file, size_t mesh, std::span<const SceneTriangle> seen) {
  return GeometryMatch(file, mesh, seen).run();
}

u64 count_triangles_in_place(const Mesh& file, size_t mesh, std::span<const SceneTriangle> seen) {
  return GeometryMatch(file, mesh, seen).count_unmoved_triangles();
}

}  // namespace dio::fft
