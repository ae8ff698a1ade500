// new_polygons.hpp: the new polygons of an edited scene. Values that a scene does not show (tile, render word, blend)
// are copied from the polygon that they copy or belong to.
#pragma once
#include "formats/fft/from_scene/polygon_values.hpp"

namespace dio::fft {

/// Creates the values of new polygons. The file must not change meanwhile.
class PolygonMaker {
 public:
  /// `shows_texels`: the scene shows texels, so polygons without them have texels that are in no file of the map.
  PolygonMaker(const Mesh& file, PolygonValues& values, bool shows_texels)
      : file_(file), values_(values), shows_texels_(shows_texels) {}

  /// Calls f(polygon, list) with the polygon and the polygons of its kind in the file. Does not call it if the file
  /// cannot store the texels of the polygon. Ids: fft.scene-range.
  std::optional<Diagnostic> make(const DrawnPolygon& drawn, auto&& f) {
    std::optional<Diagnostic> problem;
    visit_polygon_list(*geometry_of(file_, drawn.mesh), drawn.kind(), [&](const auto& list) {
      auto made = make_plain<std::remove_cvref_t<decltype(list[0])>>(drawn);
      const PolygonRef r{drawn.mesh, drawn.kind(), u32(list.size())};
      if ((problem = values_.set(made, drawn.corners, r, false))) return;
      const bool has_texels = has_known_texels(drawn);
      if (drawn.origin) return f(made, list);
      const auto likes = find_alike(list, made, has_texels);
      if (k_is_textured<decltype(made)> && !has_texels && likes.empty()) return;
      if (!likes.empty()) {
        become_like(made, list[likes[0].first], likes[0].second, has_texels);
        for (const auto& [number, turn] : likes)
          clear_what_differs(made, list[likes[0].first], list[number], has_texels);
      }
      f(made, list);
    });
    return problem;
  }
  /// Whether the last new polygon may be a copy of several that differ.
  bool take_unsure() { return std::exchange(is_unsure_, false); }

  /// Whether two polygons of one kind differ in values that a scene does not show.
  static bool differ_in_what_is_not_shown(const auto& a, const auto& b) {
    if constexpr (k_is_textured<decltype(a)>)
      return a.tile != b.tile || a.render != b.render || a.clut_y != b.clut_y || a.blend != b.blend ||
             a.page_unk_9 != b.page_unk_9 || a.clut_unk_15 != b.clut_unk_15;
    else
      return a.render != b.render || a.unread != b.unread;
  }
  /// The rotation in which a polygon has the same texels (without texels, the same shape) as another one, and the
  /// quality of the match: 2 for the same shape, 1 for the same normals.
  template <class Polygon>
  std::optional<std::pair<size_t, int>> find_turn(const Polygon& made, const Polygon& other, bool by_texels) const {
    std::optional<std::pair<size_t, int>> best;
    for (size_t turn = 0; turn < count_turns(made.positions.size()); ++turn) {
      const bool is_same_shape = has_same_shape(made, other, turn);
      int fit = 2 * is_same_shape;
      if constexpr (k_is_textured<Polygon>) {
        const bool is_foreign = other.image != k_map_image || other.page_y || other.color_depth || other.palette > 15;
        if (by_texels ? is_foreign || !has_same_texels(made, other, turn)
                      : !is_same_shape || (shows_texels_ && !is_foreign))
          continue;
        fit += has_same_normals(made, other, turn);
      } else if (!is_same_shape) {
        continue;
      }
      if (!best || fit > best->second) best = {turn, fit};
    }
    return best;
  }
  /// The best matching polygons of a list, with their rotation.
  std::vector<std::pair<u32, size_t>> find_alike(const auto& list, const auto& made, bool by_texels) const {
    std::vector<std::pair<u32, size_t>> best;
    int most = -1;
    for (u32 i = 0; i < list.size(); ++i) {
      const auto turn = find_turn(made, list[i], by_texels);
      if (!turn || turn->second < most) continue;
      if (turn->second > most) best.clear(), most = turn->second;
      best.emplace_back(i, turn->first);
    }
    return best;
  }
  static bool has_known_texels(const DrawnPolygon& drawn) {
    return std::ranges::all_of(drawn.corners, [](const DrawnVertex& v) { return v.texel && v.texel->has_palette(); });
  }
  /// Rotates the corners of a polygon like those of another one, and copies the values that a scene does not show.
  static void become_like(auto& made, const auto& like, size_t turn, bool has_texels) {
    turn_corners(made, turn);
    take_what_is_not_shown(made, like, has_texels);
  }

 private:
  template <class Polygon>
  static constexpr size_t corner_in_turn(size_t turn, size_t corner) {
    return turned_corner(std::tuple_size_v<decltype(Polygon::positions)>, turn, corner);
  }

  /// A polygon with the usual values of its mesh, bound to no tile; a part of a quad has the values of the quad.
  template <class Polygon>
  Polygon make_plain(const DrawnPolygon& drawn) const {
    Polygon made{};
    made.render = k_plain_render;
    if constexpr (k_is_textured<Polygon>) {
      made.clut_y = k_vram_palettes, made.image = k_map_image;
      made.tile = {TileBinding::k_no_z, 0, TileBinding::k_no_x};
    }
    if (drawn.origin)
      visit_polygon(file_, *drawn.origin, [&](const auto& of) {
        if constexpr (k_is_textured<Polygon> == k_is_textured<decltype(of)>) take_part(made, of, drawn);
      });
    std::array<Position, 4> at{};
    for (size_t i = 0; i < drawn.corners.size(); ++i)
      for (size_t k = 0; k < 3; ++k)
        (k == 0   ? at[i].x
         : k == 1 ? at[i].y
                  : at[i].z) = i16(std::clamp(std::round(drawn.corners[i].position[k]), -32768.0, 32767.0));
    if constexpr (k_is_textured<Polygon>)
      if (!drawn.origin)
        made.normals.fill(face_normal(std::span(at).first(made.normals.size())).value_or(Normal{{0}, {-4096}, {0}}));
    return made;
  }
  static void take_part(auto& made, const auto& of, const DrawnPolygon& drawn) {
    made.render = of.render;
    if constexpr (k_is_textured<decltype(made)>) {
      made.clut_unk_15 = of.clut_unk_15, made.clut_y = of.clut_y, made.palette = of.palette;
      made.page_unk_9 = of.page_unk_9, made.color_depth = of.color_depth, made.blend = of.blend;
      made.page_y = of.page_y, made.image = of.image, made.page = of.page, made.tile = of.tile;
      for (size_t i = 0; i < made.normals.size(); ++i) {
        made.normals[i] = of.normals[drawn.corners[i].corner % of.normals.size()];
        made.uvs[i] = of.uvs[drawn.corners[i].corner % of.uvs.size()];
      }
    } else {
      made.unread = of.unread;
    }
  }
  template <class Polygon>
  static bool has_same_shape(const Polygon& a, const Polygon& b, size_t turn) {
    const Position &a0 = a.positions[corner_in_turn<Polygon>(turn, 0)], &b0 = b.positions[0];
    bool out = true;
    for (size_t i = 0; i < a.positions.size(); ++i) {
      const Position &x = a.positions[corner_in_turn<Polygon>(turn, i)], &y = b.positions[i];
      out &= x.x - a0.x == y.x - b0.x && x.y - a0.y == y.y - b0.y && x.z - a0.z == y.z - b0.z;
    }
    return out;
  }
  template <class Polygon>
  static bool has_same_texels(const Polygon& a, const Polygon& b, size_t turn) {
    bool out = a.page == b.page && a.palette == b.palette;
    for (size_t i = 0; i < a.uvs.size(); ++i) out &= a.uvs[corner_in_turn<Polygon>(turn, i)] == b.uvs[i];
    return out;
  }
  template <class Polygon>
  static bool has_same_normals(const Polygon& a, const Polygon& b, size_t turn) {
    bool out = true;
    for (size_t i = 0; i < a.normals.size(); ++i)
      out &= points_alike(a.normals[corner_in_turn<Polygon>(turn, i)], b.normals[i]);
    return out;
  }
  static bool points_alike(const Normal& a, const Normal& b) {
    const auto direction = [](const Normal& n) { return scene::unit({n.x.value(), n.y.value(), n.z.value()}); };
    constexpr f64 k_near = 0.02;
    const scene::Point x = direction(a), y = direction(b);
    return scene::length({x[0] - y[0], x[1] - y[1], x[2] - y[2]}) < k_near;
  }
  template <class Polygon>
  static void turn_corners(Polygon& p, size_t turn) {
    const Polygon was = p;
    for (size_t i = 0; i < p.positions.size(); ++i) {
      const size_t from = corner_in_turn<Polygon>(turn, i);
      p.positions[i] = was.positions[from];
      if constexpr (k_is_textured<Polygon>) p.normals[i] = was.normals[from], p.uvs[i] = was.uvs[from];
    }
  }
  template <class Polygon>
  static void take_what_is_not_shown(Polygon& p, const Polygon& like, bool has_texels) {
    Polygon made = like;
    made.positions = p.positions;
    if constexpr (k_is_textured<Polygon>) {
      for (size_t i = 0; i < made.normals.size(); ++i)
        if (!points_alike(p.normals[i], like.normals[i])) made.normals[i] = p.normals[i];
      if (has_texels) made.uvs = p.uvs, made.page = p.page, made.palette = p.palette;
    }
    p = made;
  }
  /// Values in which the candidates disagree get the defaults of a polygon without an original.
  template <class Polygon>
  void clear_what_differs(Polygon& made, const Polygon& first, const Polygon& other, bool has_texels) {
    if constexpr (k_is_textured<Polygon>)
      is_unsure_ |= !has_texels && (first.uvs != other.uvs || first.page != other.page || first.image != other.image ||
                                    first.palette != other.palette);
    if (!differ_in_what_is_not_shown(first, other)) return;
    if constexpr (k_is_textured<Polygon>)
      if (first.tile != other.tile) made.tile = {TileBinding::k_no_z, 0, TileBinding::k_no_x};
    if (first.render != other.render) made.render = k_plain_render;
    is_unsure_ = true;
  }

  const Mesh& file_;
  PolygonValues& values_;
  const bool shows_texels_;
  bool is_unsure_ = false;
};

}  // namespace dio::fft
