// triangles.cpp: converts triangles of a scene to those of a pack: cuts them at texture repeats, because the engine has
// no texture window; subdivides them against warping, because the console has no perspective correction; colours and
// rounds them.
#include <cmath>
#include <map>

#include "core/elementary.hpp"
#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/from_scene/parts.hpp"
#include "scene/math.hpp"

namespace dio::splashpack {
namespace {

using Uvs = std::array<f64, 2>;
using scene::cross;
using scene::dot;
using scene::length;
using scene::unit;

constexpr u32 k_no_source = ~0u;
constexpr size_t k_most_triangles = 65535;  // of an object: a u16
constexpr f64 k_most_tiles = 1024;          // of a texture on one triangle, including the empty corners of its square
constexpr int k_most_halvings = 8;          // of an edge
constexpr f64 k_longest_edge = 1023;        // raw: if a unit is one pixel, the console draws no longer edges (psx-spx)
constexpr u64 k_most_steps = 1 << 22;  // tiles and pieces of all objects together: far more than the console can hold

struct PackVertex {
  Point position{}, normal{};  // of the mesh
  Uvs uv{};                    // texture coordinates: 1 is the width of the texture
  Point color{1, 1, 1};        // linear
  u32 source = k_no_source;
  u8 bone = 0;
};
using TriangleVertices = std::array<PackVertex, 3>;

f64 interpolate(f64 a, f64 b, f64 t) { return a + (b - a) * t; }
template <size_t N>
std::array<f64, N> interpolate(const std::array<f64, N>& a, const std::array<f64, N>& b, f64 t) {
  std::array<f64, N> out;
  for (size_t i = 0; i < N; ++i) out[i] = interpolate(a[i], b[i], t);
  return out;
}
PackVertex interpolate(const PackVertex& a, const PackVertex& b, f64 t) {
  // Always from the same end of the edge, so that neighbours get exactly the same position.
  if (b.position < a.position) return interpolate(b, a, 1 - t);
  return {interpolate(a.position, b.position, t),
          interpolate(a.normal, b.normal, t),
          interpolate(a.uv, b.uv, t),
          interpolate(a.color, b.color, t),
          k_no_source,
          t < 0.5 ? a.bone : b.bone};
}

/// A piece of a triangle with texture coordinates in 0..1.
struct Piece {
  TriangleVertices corners;
  const Surface* surface;
  bool has_normals;
  u32 vertex;  // the first vertex, for messages
};

/// A unit vector in 4096ths. Normals of packs were rounded, so their length differs slightly: if whole numbers have
/// exactly this direction and about this length, uses them, otherwise the nearest.
Vec16 quantize_normal(const Point& unit) {
  constexpr f64 k_near = 0.002;  // precision that 32 bits, and an unrotated node, leave of a whole number
  const auto rounded = [](f64 x) { return std::round(x); };
  Point out;
  size_t longest = 0;
  for (size_t i = 0; i < 3; ++i) {
    out[i] = rounded(unit[i] * 4096);
    if (std::fabs(unit[i]) > std::fabs(unit[longest])) longest = i;
  }
  const f64 nearest = out[longest];
  for (const f64 step : {0.0, -1.0, 1.0, -2.0, 2.0}) {
    const f64 times = (nearest + (nearest < 0 ? -step : step)) / unit[longest];
    const auto is_whole = [&](f64 x) { return std::fabs(x * times - rounded(x * times)) < k_near; };
    if (!std::ranges::all_of(unit, is_whole)) continue;
    for (size_t i = 0; i < 3; ++i) out[i] = rounded(unit[i] * times);
    break;
  }
  const auto number = [](f64 x) { return fx16{i16(std::clamp(x, -4096.0, 4096.0))}; };
  return {number(out[0]), number(out[1]), number(out[2])};
}

Uvs transform_uv(const scene::TextureTransform& t, const scene::Vec2& uv) {
  const f64 c = elementary::cos(f64(t.rotation)), s = elementary::sin(f64(t.rotation));
  const f64 x = f64(uv[0]) * t.scale[0], y = f64(uv[1]) * t.scale[1];
  return {c * x + s * y + t.offset[0], -s * x + c * y + t.offset[1]};
}

/// The display colour of light; the curve continues above 1.
f64 to_display_color(f64 light) { return light > 0 ? scene::linear_to_srgb(light) : 0; }

// ---- tiles

/// The convex polygon on one side of uv[axis] = at.
std::vector<PackVertex> clip_to_side(const std::vector<PackVertex>& polygon, size_t axis, f64 at, bool above) {
  std::vector<PackVertex> out;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const PackVertex &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const f64 x = above ? a.uv[axis] - at : at - a.uv[axis], y = above ? b.uv[axis] - at : at - b.uv[axis];
    if (x >= 0) out.push_back(a);
    if ((x > 0 && y < 0) || (x < 0 && y > 0)) {
      PackVertex& cut = out.emplace_back(interpolate(a, b, x / (x - y)));
      cut.uv[axis] = at;
    }
  }
  return out;
}

/// The texture borders between two coordinates, where triangles are cut.
struct Borders {
  f64 first = 0, count = 0;  // at `first`, first + 1, ...
};
Borders find_tile_borders(const std::vector<PackVertex>& polygon, size_t axis, scene::Texture::Wrap wrap, u32 texels) {
  f64 low = HUGE_VAL, high = -HUGE_VAL;
  for (const PackVertex& c : polygon) low = std::min(low, c.uv[axis]), high = std::max(high, c.uv[axis]);
  const f64 half = 0.5 / texels;  // less than this beyond a border shows nothing of the next tile
  f64 first = std::floor(low + half) + 1, last = std::ceil(high - half) - 1;
  if (wrap == scene::Texture::Wrap::clamp) first = std::max(first, 0.0), last = std::min(last, 1.0);
  return {first, std::max(last - first + 1, 0.0)};
}

/// A coordinate within the tile of its piece.
f64 wrap_into_tile(f64 x, f64 middle, scene::Texture::Wrap wrap) {
  if (wrap == scene::Texture::Wrap::clamp) return std::clamp(x, 0.0, 1.0);
  const f64 tile = std::floor(middle), inside = std::clamp(x - tile, 0.0, 1.0);
  const bool is_odd = std::fmod(std::fabs(tile), 2) == 1;
  return wrap == scene::Texture::Wrap::mirror && is_odd ? 1 - inside : inside;
}

class PackTriangleBuilder {
 public:
  PackTriangleBuilder(const scene::Scene& s, size_t node, const MeshInstance& placed, const BuiltMaterials& surfaces,
                      const PackLighting& lamps, const MakeSettings& settings, f64 eye_height, CoordinateRange& reach,
                      TriangleCounts& counts)
      : s_(s),
        node_(node),
        placed_(placed),
        surfaces_(surfaces),
        lamps_(lamps),
        settings_(settings),
        eye_height_(eye_height),
        reach_(reach),
        counts_(counts) {
    if (const auto inverse = scene::inverse(placed.own.linear))
      for (size_t c = 0; c < 3; ++c)
        for (size_t r = 0; r < 3; ++r) normals_.columns[c][r] = inverse->columns[r][c];
    read_bright_colors();
  }

  Result<BuiltTriangles> build() {
    for (size_t p = 0; p < placed_.mesh->primitives.size() && !fault_; ++p) add_primitive(p);
    if (settings_.subdivide && !fault_) find_halvings();
    for (const Piece& piece : pieces_) {
      if (fault_) break;
      std::array<int, 3> halvings{};
      for (size_t e = 0; e < 3 && settings_.subdivide; ++e)
        halvings[e] = halvings_[edge(piece.corners[e].position, piece.corners[(e + 1) % 3].position)];
      subdivide_piece(piece, piece.corners, halvings);
    }
    if (fault_) return refuse(*std::move(fault_));
    if (std::ranges::all_of(order_, [](u32 source) { return source != k_no_source; })) restore_source_order();
    if (std::ranges::all_of(order_, [](u32 source) { return source == k_no_source; }))
      counts_.cut_bright += bright_.size();
    counts_.after += out_.size();
    return BuiltTriangles{std::move(out_), std::move(bones_)};
  }

 private:
  std::string where(u32 vertex) const { return text(node_label(s_, node_), ", vertex ", vertex); }

  void set_fault(std::string_view id, std::string path, DiagnosticText said) {
    if (!fault_) fault_ = make_diagnostic(id, std::move(path), std::move(said));
  }

  /// The part of the colours in the file that vertex colours of a scene cannot express: `bright` in the extras.
  void read_bright_colors() {
    const Value* list = s_.nodes[node_].extras.find("bright");
    if (!list || !list->is(Value::Kind::list)) return;
    for (const auto& [unused, item] : list->members()) {
      if (!item.is(Value::Kind::list) || item.size() != 4) continue;
      std::array<u32, 4> numbers{};
      bool is_good = true;
      for (size_t i = 0; i < 4; ++i) {
        const Value& n = *item.at(i);
        is_good = is_good && n.is(Value::Kind::integer) && n.bits() <= (i ? 255u : 0xFFFFFFu);
        numbers[i] = u32(n.bits());
      }
      if (is_good) bright_[numbers[0]] = {u8(numbers[1]), u8(numbers[2]), u8(numbers[3]), 0};
    }
  }

  // ---- from the mesh to pieces

  void add_primitive(size_t index) {
    const scene::Primitive& p = placed_.mesh->primitives[index];
    const Surface& surface = surfaces_.of(p.material);
    const std::vector<u32> corners = triangle_indices(p);
    if (p.material != k_none && s_.materials[p.material].double_sided && !surface.both_sides)
      counts_.one_sided += corners.size() / 3;
    for (size_t i = 0; i + 3 <= corners.size() && !fault_; i += 3) {
      ++counts_.before;
      TriangleVertices triangle;
      for (size_t k = 0; k < 3; ++k) {
        const u32 v = corners[i + k];
        PackVertex& c = triangle[k];
        if (!placed_.posed.empty())
          c.position = placed_.posed[index][v];
        else
          for (size_t a = 0; a < 3; ++a) c.position[a] = p.positions[v][a];
        if (!p.normals.empty())
          for (size_t a = 0; a < 3; ++a) c.normal[a] = p.normals[v][a];
        if (surface.is_textured && !p.uvs.empty()) c.uv = transform_uv(surface.transform, p.uvs[v]);
        if (!p.colors.empty())
          for (size_t a = 0; a < 3; ++a) c.color[a] = p.colors[v][a];
        if (!p.sources.empty()) c.source = p.sources[v];
        if (!placed_.bones.empty()) c.bone = placed_.bones[index][v];
        const Point raw = settings_.to_pack_units(placed_.own * c.position);
        for (const f64 x : raw) {
          (void)reach_.round_to_i16(x, [&] { return where(v); });
          counts_.farthest = std::max(counts_.farthest, std::fabs(x));
        }
      }
      if (reach_.is_exceeded()) continue;  // reported at the end, for the whole scene
      cut_at_tile_borders(triangle, surface, !p.normals.empty(), corners[i]);
    }
  }

  void cut_at_tile_borders(const TriangleVertices& triangle, const Surface& surface, bool has_normals, u32 vertex) {
    std::vector<PackVertex> whole(triangle.begin(), triangle.end());
    if (!surface.is_textured) return add_pieces(whole, surface, has_normals, vertex);
    const Borders u = find_tile_borders(whole, 0, surface.wraps[0], surface.placed.width),
                  v = find_tile_borders(whole, 1, surface.wraps[1], surface.placed.height);
    const auto times = [](f64 n) { return n < 1e15 ? text(i64(n)) : std::string("countless"); };
    if (!((u.count + 1) * (v.count + 1) <= k_most_tiles))
      return set_fault("splashpack.make-tiles", where(vertex),
                       {.message = text("the texture repeats ", times(u.count + 1), " x ", times(v.count + 1),
                                        " times on the triangle (limit: ", u32(k_most_tiles), " repetitions)"),
                        .hint = "the engine cannot repeat textures, so each repetition becomes separate triangles; use "
                                "a picture that contains the pattern several times"});
    counts_.steps += u64((u.count + 1) * (v.count + 1));
    const size_t before = pieces_.size();
    std::vector<PackVertex> rest = std::move(whole);
    for (f64 i = 0; i <= u.count; ++i) {
      const bool is_last = i == u.count;
      std::vector<PackVertex> strip = is_last ? rest : clip_to_side(rest, 0, u.first + i, false);
      if (!is_last) rest = clip_to_side(rest, 0, u.first + i, true);
      for (f64 k = 0; k <= v.count && strip.size() >= 3; ++k) {
        const bool is_end = k == v.count;
        const std::vector<PackVertex> tile = is_end ? strip : clip_to_side(strip, 1, v.first + k, false);
        if (!is_end) strip = clip_to_side(strip, 1, v.first + k, true);
        add_pieces(tile, surface, has_normals, vertex);
      }
    }
    if (pieces_.size() > before + 1) ++counts_.cut;
  }

  void add_pieces(std::vector<PackVertex> polygon, const Surface& surface, bool has_normals, u32 vertex) {
    if (polygon.size() < 3) return;
    if (surface.is_textured)
      for (size_t axis = 0; axis < 2; ++axis) {
        f64 middle = 0;
        for (const PackVertex& c : polygon) middle += c.uv[axis] / f64(polygon.size());
        for (PackVertex& c : polygon) c.uv[axis] = wrap_into_tile(c.uv[axis], middle, surface.wraps[axis]);
      }
    for (size_t i = 1; i + 1 < polygon.size(); ++i) {
      if (pieces_.size() >= k_most_triangles || ++counts_.steps > k_most_steps) return refuse_too_many_triangles();
      pieces_.push_back({{polygon[0], polygon[i], polygon[i + 1]}, &surface, has_normals, vertex});
    }
  }

  void refuse_too_many_triangles() {
    set_fault("splashpack.make-many", node_label(s_, node_),
              {.message = text("the object needs more than ", k_most_triangles, " triangles"),
               .hint = "split the mesh into several nodes, repeat textures less often, or use subdivide=none"});
  }

  // ---- edges

  using Edge = std::array<Point, 2>;
  static Edge edge(const Point& a, const Point& b) { return a < b ? Edge{a, b} : Edge{b, a}; }

  /// In the scene. Not std::hypot: its last bit differs between platforms, which would change the cuts.
  f64 distance(const PackVertex& a, const PackVertex& b) const {
    const Point p = placed_.own * a.position, q = placed_.own * b.position;
    return scene::length(Point{p[0] - q[0], p[1] - q[1], p[2] - q[2]});
  }

  /// The number of times an edge must be halved. It is too long if the console would not draw it near the player; if it
  /// has more texels than `subdivide`; or if, seen along it by a player at its end, the texture at its middle is off by
  /// more than a quarter of that: without perspective correction it is off by texels * l / (2 * (2 * d + l)), at a
  /// distance d, which is the height of the eyes.
  int count_halvings(const PackVertex& a, const PackVertex& b, const Surface& surface) const {
    f64 texels = surface.is_textured ? scene::length(Point{(a.uv[0] - b.uv[0]) * surface.placed.width,
                                                           (a.uv[1] - b.uv[1]) * surface.placed.height, 0})
                                     : 0;
    f64 away = distance(a, b);
    int n = 0;
    for (; n < k_most_halvings; ++n, texels /= 2, away /= 2) {
      const f64 off = eye_height_ > 0 && away > 0 ? texels * away / (2 * (2 * eye_height_ + away)) : 0;
      if (texels <= settings_.subdivide + 1e-6 && off <= settings_.subdivide / 4.0 &&
          settings_.to_pack_units(away) <= k_longest_edge)
        break;
    }
    return n;
  }

  /// Shared edges are halved as often as the triangle with the strictest requirement needs, so that no gaps open.
  void find_halvings() {
    for (const Piece& piece : pieces_)
      for (size_t e = 0; e < 3; ++e) {
        const PackVertex &a = piece.corners[e], &b = piece.corners[(e + 1) % 3];
        int& n = halvings_[edge(a.position, b.position)];
        n = std::max(n, count_halvings(a, b, *piece.surface));
      }
  }

  void subdivide_piece(const Piece& piece, const TriangleVertices& c, const std::array<int, 3>& halvings) {
    if (fault_) return;
    if (++counts_.steps > k_most_steps) return refuse_too_many_triangles();
    const size_t first = size_t(std::ranges::find_if(halvings, [](int n) { return n > 0; }) - halvings.begin());
    if (first == 3) return emit_triangles(piece, c);
    const int marked = (halvings[0] > 0) + (halvings[1] > 0) + (halvings[2] > 0);
    const auto middle = [&](size_t e) { return interpolate(c[e], c[(e + 1) % 3], 0.5); };
    const auto half = [&](size_t e) { return halvings[e] - 1; };
    const auto inner = [&](const PackVertex& a, const PackVertex& b) { return count_halvings(a, b, *piece.surface); };
    if (marked == 3) {
      const PackVertex m0 = middle(0), m1 = middle(1), m2 = middle(2);
      const int i0 = inner(m2, m0), i1 = inner(m0, m1), i2 = inner(m1, m2);
      subdivide_piece(piece, {c[0], m0, m2}, {half(0), i0, half(2)});
      subdivide_piece(piece, {m0, c[1], m1}, {half(0), half(1), i1});
      subdivide_piece(piece, {m2, m1, c[2]}, {i2, half(1), half(2)});
      subdivide_piece(piece, {m0, m1, m2}, {i1, i2, i0});
      return;
    }
    if (marked == 1) {
      const size_t a = first, b = (a + 1) % 3, o = (a + 2) % 3;
      const PackVertex m = middle(a);
      const int i = inner(m, c[o]);
      subdivide_piece(piece, {c[a], m, c[o]}, {half(a), i, halvings[o]});
      subdivide_piece(piece, {m, c[b], c[o]}, {half(a), halvings[b], i});
      return;
    }
    // Two edges meet in a corner: its triangle, and the remaining quad, along its shorter diagonal.
    size_t e = 0;  // the edge before that corner; the next edge is the other one
    while (!(halvings[e] > 0 && halvings[(e + 1) % 3] > 0)) ++e;
    const size_t next = (e + 1) % 3, left = (e + 2) % 3;
    const PackVertex m = middle(e), k = middle(next);
    const int across = inner(m, k);
    subdivide_piece(piece, {m, c[next], k}, {half(e), half(next), across});
    if (distance(c[e], k) <= distance(m, c[left])) {
      const int i = inner(c[e], k);
      subdivide_piece(piece, {c[e], m, k}, {half(e), across, i});
      subdivide_piece(piece, {c[e], k, c[left]}, {i, half(next), halvings[left]});
    } else {
      const int i = inner(m, c[left]);
      subdivide_piece(piece, {c[e], m, c[left]}, {half(e), i, halvings[left]});
      subdivide_piece(piece, {m, k, c[left]}, {across, half(next), i});
    }
  }

  // ---- to the file

  void emit_triangles(const Piece& piece, const TriangleVertices& corners) {
    emit_triangle(piece, corners, false);
    if (piece.surface->both_sides) emit_triangle(piece, corners, true);
  }

  void emit_triangle(const Piece& piece, TriangleVertices c, bool is_back) {
    // The first corner in the file is first again, because the normal belongs to it.
    if (c[0].source != k_no_source && c[0].source / 3 == c[1].source / 3 && c[1].source / 3 == c[2].source / 3)
      std::ranges::rotate(c, std::ranges::min_element(c, {}, &PackVertex::source));
    // Triangles of a pack have the opposite winding.
    if (placed_.is_mirrored == is_back) std::swap(c[1], c[2]);
    Triangle out{};
    std::array<std::array<i64, 3>, 3> p{};
    std::array<Point, 3> in_object{};
    for (size_t k = 0; k < 3; ++k) {
      in_object[k] = placed_.own * c[k].position;
      const Point raw = settings_.to_pack_units(in_object[k]);
      const auto at = [&] { return where(piece.vertex); };
      Vec16& to = out.positions[k];
      to = {{reach_.round_to_i16(raw[0], at)}, {reach_.round_to_i16(raw[1], at)}, {reach_.round_to_i16(raw[2], at)}};
      p[k] = {to.x.raw, to.y.raw, to.z.raw};
    }
    const auto minus = [](const auto& a, const auto& b) { return std::array{a[0] - b[0], a[1] - b[1], a[2] - b[2]}; };
    const auto a = minus(p[1], p[0]), b = minus(p[2], p[0]);
    const bool is_flat = a[1] * b[2] == a[2] * b[1] && a[2] * b[0] == a[0] * b[2] && a[0] * b[1] == a[1] * b[0];
    if (is_flat && !is_of_pack(c)) {
      ++counts_.degenerate;
      return;
    }
    // Opposite to the winding, as in the pack.
    const Point face = unit(cross(minus(in_object[2], in_object[0]), minus(in_object[1], in_object[0])));
    std::array<Point, 3> normals;
    for (size_t k = 0; k < 3; ++k) {
      normals[k] = piece.has_normals ? unit(normals_ * c[k].normal) : face;
      if (!(length(normals[k]) > 0.5)) normals[k] = face;
      if (is_back && piece.has_normals)
        for (f64& x : normals[k]) x = -x;
    }
    out.normal = quantize_normal(settings_.convert_axes(normals[0]));
    for (size_t k = 0; k < 3; ++k) out.colors[k] = compute_vertex_color(*piece.surface, c[k], in_object[k], normals[k]);
    set_texture_fields(*piece.surface, c, out);
    if (out_.size() >= k_most_triangles) return refuse_too_many_triangles();
    u32 order = k_no_source;
    for (const PackVertex& corner : c) order = std::min(order, corner.source);
    order_.push_back(order);
    out_.push_back(out);
    if (!placed_.bones.empty()) bones_.push_back({c[0].bone, c[1].bone, c[2].bone});
  }

  /// Whether these are the corners of a triangle of the original pack: then its values are restored.
  bool is_of_pack(const TriangleVertices& c) const {
    if (!settings_.is_of_pack || c[0].source == k_no_source) return false;
    std::array<u32, 3> sources{c[0].source, c[1].source, c[2].source};
    sort_stably(sources);
    return sources[0] % 3 == 0 && sources[1] == sources[0] + 1 && sources[2] == sources[0] + 2;
  }

  Color compute_vertex_color(const Surface& surface, const PackVertex& c, const Point& in_object,
                             const Point& normal) const {
    const bool is_lit = surface.is_lit && lamps_.any();
    if (const auto bright = bright_.find(c.source); bright != bright_.end() && !is_lit) return bright->second;
    const Affine shown = placed_.rest.empty() ? placed_.object : placed_.object * placed_.rest[c.bone];
    const Point light = is_lit ? lamps_.light_at(shown * in_object, unit(shown.linear * normal)) : Point{1, 1, 1};
    // Untextured triangles of v20 and later show the bytes themselves; others show texels * byte / 128.
    const bool is_plain = !surface.is_textured && settings_.since(k_sections);
    const f64 full = is_plain ? 255 : k_neutral * surface.texels_times;
    constexpr f64 k_most_lit = 204;  // SplashEdit's, 0.8 * 255: above, texels lose their colours
    const f64 most = surface.is_textured && is_lit ? k_most_lit : 255;
    std::array<u8, 3> bytes{};
    bool is_cut_off = false;
    for (size_t k = 0; k < 3; ++k) {
      const f64 seen = c.color[k] * surface.color[k] * light[k], own = surface.emission[k];
      // Without lamps, colours are unchanged, and emission adds nothing.
      const f64 sum = is_lit ? seen + own : std::max(seen, own), byte = std::floor(to_display_color(sum) * full + 0.5);
      bytes[k] = u8(std::clamp(byte, 0.0, most));
      is_cut_off |= byte > most;
    }
    counts_.lit += is_lit;
    counts_.cut_off += is_lit && is_cut_off;
    return {bytes[0], bytes[1], bytes[2], 0};
  }

  void set_texture_fields(const Surface& surface, const TriangleVertices& c, Triangle& out) const {
    if (!surface.is_textured && settings_.since(k_sections)) {
      out.page = k_untextured;
      return;
    }
    const PlacedTexture& t = surface.placed;
    TexturePage page = TexturePage::from_word(t.source.page);
    page.semi_transparency = surface.semi_transparency;
    page.dithered = surface.is_dithered;
    out.page = page.word();
    out.clut_x = t.source.clut_x;
    out.clut_y = t.source.clut_y;
    out.flags = settings_.since(k_sections) ? surface.flags : u16(0);
    for (size_t k = 0; k < 3; ++k) {
      const auto texel = [](f64 x, u32 size) { return u32(std::clamp(std::floor(x * size), 0.0, f64(size - 1))); };
      out.uvs[k] = {u8(t.u + texel(c[k].uv[0], t.width)), u8(t.v + texel(c[k].uv[1], t.height))};
    }
  }

  /// The values in the original file of the scene.
  void restore_source_order() {
    std::vector<size_t> places(out_.size());
    for (size_t i = 0; i < places.size(); ++i) places[i] = i;
    sort_stably(places, {}, [&](size_t i) { return order_[i]; });
    const auto reorder = [&](auto& list) {
      auto sorted = list;
      for (size_t i = 0; i < list.size(); ++i) sorted[i] = list[places[i]];
      list = std::move(sorted);
    };
    reorder(out_);
    reorder(bones_);
  }

  const scene::Scene& s_;
  const size_t node_;
  const MeshInstance& placed_;
  const BuiltMaterials& surfaces_;
  const PackLighting& lamps_;
  const MakeSettings& settings_;
  const f64 eye_height_;
  CoordinateRange& reach_;
  TriangleCounts& counts_;
  Mat3d normals_;  // from the mesh to normals of the object
  std::map<u32, Color> bright_;
  std::vector<Piece> pieces_;
  std::map<Edge, int> halvings_;
  std::vector<Triangle> out_;
  std::vector<std::array<u8, 3>> bones_;
  std::vector<u32> order_;
  std::optional<Diagnostic> fault_;
};

/// The transform by which a skin holds its mesh at rest.
std::vector<std::vector<Point>> skinned_rest_positions(const scene::Scene& s, std::span<const Affine> places,
                                                       const scene::Node& node) {
  const scene::Skin& skin = s.skins[node.skin];
  std::vector<Affine> joints;
  for (size_t j = 0; j < skin.joints.size(); ++j) {
    const scene::Mat4& m = skin.inverse_bind[j];
    const Affine bind{{{Point{m[0], m[1], m[2]}, Point{m[4], m[5], m[6]}, Point{m[8], m[9], m[10]}}},
                      {m[12], m[13], m[14]}};
    joints.push_back(places[skin.joints[j]] * bind);
  }
  std::vector<std::vector<Point>> out;
  for (const scene::Primitive& p : s.meshes[node.mesh].primitives) {
    std::vector<Point>& points = out.emplace_back();
    for (size_t v = 0; v < p.positions.size(); ++v) {
      const Point at{p.positions[v][0], p.positions[v][1], p.positions[v][2]};
      Point sum{};
      for (size_t k = 0; k < 4; ++k) {
        if (p.weights[v][k] == 0) continue;
        const Point moved = joints[p.joints[v][k]] * at;
        for (size_t a = 0; a < 3; ++a) sum[a] += moved[a] * p.weights[v][k];
      }
      points.push_back(sum);
    }
  }
  return out;
}

}  // namespace

std::string fitting_scaling(const MakeSettings& settings, f64 times, std::string_view thing) {
  constexpr f64 k_most_scaling = 1e9;  // the maximum for the option
  const f64 needed = settings.scaling * times * 1.001;
  if (!(needed < k_most_scaling)) return {};
  return text("{--scaling ", i64(std::ceil(needed)), "} fits ", thing);
}

u16 store_length(const MakeSettings& settings, f64 length, std::string_view property, const std::string& path,
                 Diagnostics& notes) {
  constexpr f64 k_most = 65535;
  const f64 raw = std::round(settings.to_pack_units(std::max(length, 0.0)));
  if (raw <= k_most) return u16(raw);
  const f64 longest = settings.scaling * k_most / 4096;
  std::string hint = text("the pack contains ", i64(longest), " instead");
  if (const std::string fit = fitting_scaling(settings, raw / k_most, "the whole length"); !fit.empty())
    hint += "; " + fit;
  note_lost(notes, path, text(property, " = ", f32(length), " is out of range at this scaling"), std::move(hint));
  return u16(k_most);
}

std::optional<Diagnostic> CoordinateRange::range_error() const {
  if (place_.empty()) return {};
  return make_diagnostic(
      "splashpack.make-range", place_,
      {.message = text(std::isfinite(raw_) && std::fabs(raw_) < 1e15 ? text("coordinate ", i64(raw_)) : "a coordinate",
                       " is out of range (-", i64(most_), " to ", i64(most_), " units of the pack)"),
       .hint = fitting_scaling(settings_, worst_, "the whole scene")});
}

Affine extract_rigid_transform(const Affine& place) {
  const Mat3d& m = place.linear;
  const Point x = unit(m.columns[0]);
  const f64 along = dot(x, m.columns[1]);
  const Point y =
      unit(Point{m.columns[1][0] - along * x[0], m.columns[1][1] - along * x[1], m.columns[1][2] - along * x[2]});
  const bool is_turn = std::fabs(length(x) - 1) < 1e-6 && std::fabs(length(y) - 1) < 1e-6;
  return {is_turn ? Mat3d{{x, y, cross(x, y)}} : Mat3d(), place.origin};
}

MeshInstance make_mesh_instance(const scene::Scene& s, std::span<const Affine> places, size_t index) {
  const scene::Node& node = s.nodes[index];
  MeshInstance out;
  out.mesh = &s.meshes[node.mesh];
  if (node.skin != k_none) {
    out.posed = skinned_rest_positions(s, places, node);
    return out;
  }
  const Mat3d& m = places[index].linear;
  out.is_mirrored = determinant(m) < 0;
  out.object = extract_rigid_transform(places[index]);
  // The inverse of a rotation is its transpose.
  Mat3d back;
  for (size_t c = 0; c < 3; ++c)
    for (size_t r = 0; r < 3; ++r) back.columns[c][r] = out.object.linear.columns[r][c];
  out.own.linear = back * m;
  return out;
}

Result<BuiltTriangles> build_triangles(const scene::Scene& s, size_t node, const MeshInstance& placed,
                                       const BuiltMaterials& surfaces, const PackLighting& lamps,
                                       const MakeSettings& settings, f64 eye_height, CoordinateRange& reach,
                                       TriangleCounts& counts) {
  return PackTriangleBuilder(s, node, placed, surfaces, lamps, settings, eye_height, reach, counts).build();
}

}  // namespace dio::splashpack
