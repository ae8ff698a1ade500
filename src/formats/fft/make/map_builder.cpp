#include "formats/fft/make/map_builder.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/elementary.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/make/face_cutting.hpp"
#include "formats/fft/make/hidden_faces.hpp"
#include "formats/fft/make/light_builder.hpp"
#include "formats/fft/make/terrain_builder.hpp"
#include "formats/fft/make/texture_builder.hpp"
#include "formats/fft/make/visibility.hpp"
#include "scene/extras.hpp"

namespace dio::fft {

namespace {

using scene::Index;
using scene::k_none;

constexpr u32 k_most_across = 254, k_most_deep = 126;  // TileBinding has 8 and 7 bits; the last numbers mean no tile
constexpr size_t k_most_repeats = 256;                 // parts of one face

constexpr size_t k_most_faces = 10000;  // more cannot become so few polygons as the game has room for

/// Polygons that the game has room for, in all meshes.
struct PolygonRoom {
  size_t triangles, quads;
};
constexpr PolygonRoom k_textured_room{360, 710}, k_untextured_room{64, 256};

/// A corner of a polygon of the file.
Position to_position(const Point& p) {
  return {i16(std::lround(p[0])), i16(std::lround(-p[1])), i16(std::lround(-p[2]))};
}

/// The faces that a map draws, before and after they get texels.
struct DrawnFaces {
  std::vector<Face> textured, untextured;

  size_t count(size_t corners, bool is_textured) const {
    const auto& list = is_textured ? textured : untextured;
    return size_t(std::ranges::count(list, corners, [](const Face& f) { return f.corners.size(); }));
  }
  bool fits() const {
    return count(3, true) <= k_textured_room.triangles && count(4, true) <= k_textured_room.quads &&
           count(3, false) <= k_untextured_room.triangles && count(4, false) <= k_untextured_room.quads;
  }
};

bool is_untextured(const scene::Scene& s, const FaceKind& kind) {
  if (kind.material == k_none) return false;
  const scene::Material& m = s.materials[kind.material];
  return lower_case(m.name).starts_with("untextured") || scene::read_flag_extra(m.extras, "untextured").value_or(false);
}

/// Whether corners are at different places, once their coordinates are whole numbers.
std::vector<FaceVertex> without_equal_corners(const std::vector<FaceVertex>& corners) {
  std::vector<FaceVertex> out;
  for (const FaceVertex& c : corners)
    if (out.empty() || !(to_position(out.back().position) == to_position(c.position))) out.push_back(c);
  while (out.size() > 1 && to_position(out.front().position) == to_position(out.back().position)) out.pop_back();
  return out;
}
/// Rounds the corners of a face; nothing if it has no area then. A quad with three corners in a line is a triangle.
std::optional<Face> round_face(Face f) {
  f.corners = without_equal_corners(f.corners);
  for (FaceVertex& c : f.corners)
    for (f64& x : c.position) x = std::round(x);
  const auto has_area = [&](size_t a, size_t b, size_t c) {
    return scene::length(face_normal({f.corners[a], f.corners[b], f.corners[c]})) > 0;
  };
  if (f.corners.size() == 4)
    for (size_t i = 0; i < 4; ++i)
      if (!has_area((i + 3) % 4, i, (i + 1) % 4)) {
        f.corners.erase(f.corners.begin() + ptrdiff_t(i));
        break;
      }
  if (f.corners.size() < 3 || !has_area(0, 1, 2)) return {};
  return f;
}

class MapBuilder {
 public:
  MapBuilder(const scene::Scene& s, const MapBuildOptions& o) : s_(s), o_(o) {}

  Result<BuiltMap> build() {
    scene_ = collect_faces(s_, o_.units_per_metre * f64(s_.metres_per_unit));
    note_scene();
    for (const auto step : {&MapBuilder::place_scene, &MapBuilder::draw_faces})
      if (auto done = (this->*step)(); !done) return refuse(std::move(done.error()));
    add_polygons();
    return std::move(out_);
  }

 private:
  void note(Severity severity, std::string_view id, DiagnosticText words) {
    out_.notes.push_back(make_diagnostic(severity, id, {}, std::move(words)));
  }
  void note_loss(std::string_view id, DiagnosticText words) {
    note(Severity::warning, id, std::move(words));
    ++out_.lost;
  }
  void note_scene() {
    for (const std::string& property : scene_.invalid_properties)
      note_loss(
          "fft.make-property",
          {.message = "a property has an invalid value: " + property,
           .hint =
               "surface is the name of one, such as grassland, or a number below 64; depth is 0 to 7; walkable, floor "
               "and both-sides are true or false; hidden-from lists camera directions, such as SW+SSW"});
    if (scene_.not_triangles)
      note_loss("fft.make-triangles",
                {.message = text("left out ", format_count(scene_.not_triangles, "primitive"), " of points or lines")});
    if (scene_.one_sided)
      note(Severity::hint, "fft.make-sides",
           {.message = text(format_count(scene_.one_sided, "triangle"),
                            " of double-sided materials are drawn only from the front"),
            .hint = "set the property `both-sides` of the material to true where the back is visible"});
    if (!s_.animations.empty())
      note_loss("fft.make-animation",
                {.message = text("left out ", format_count(s_.animations.size(), "animation"), " of the scene"),
                 .hint = "objects are built as they are at rest"});
  }

  // ---- place and terrain ----

  bool is_floor(const Face& f) const {
    return scene_.kinds[f.kind].is_floor && face_normal(f.corners)[1] >= k_floor_slope;
  }
  /// The object whose floors reach farthest from the middle of all floors, for a message.
  std::string farthest_object() const {
    std::array<f64, 3> sum{};  // x and z times the area, and the area
    for (const Face& f : scene_.faces) {
      if (!is_floor(f)) continue;
      const auto& c = f.corners;
      const Point a = difference(c[1].position, c[0].position), b = difference(c[2].position, c[0].position);
      const f64 area = scene::length(scene::cross(a, b));
      for (const FaceVertex& v : c) sum[0] += area * v.position[0] / 3, sum[1] += area * v.position[2] / 3;
      sum[2] += area;
    }
    f64 most = -1;
    Index node = k_none;
    for (const Face& f : scene_.faces)
      for (const FaceVertex& c : f.corners)
        if (const f64 away = elementary::hypot(c.position[0] - sum[0] / sum[2], c.position[2] - sum[1] / sum[2]);
            is_floor(f) && away > most)
          most = away, node = f.node;
    return node == k_none ? "the scene" : object_label(s_, node);
  }

  Result<bool> place_scene() {
    const bool any_drawn =
        std::ranges::any_of(scene_.faces, [&](const Face& f) { return scene_.kinds[f.kind].is_drawn; });
    if (!any_drawn)
      return refuse(
          "fft.make-empty", {},
          {.message = "the scene has no visible triangles", .hint = "export meshes, not only curves or empties"});
    const TileBounds bounds = find_floor_bounds(scene_);
    move_to_origin(scene_, bounds);
    const TileBounds placed = find_floor_bounds(scene_);
    const i64 size_x = placed.west + placed.across, size_z = placed.south + placed.deep;
    if (size_x > k_most_across || size_z > k_most_deep || size_x * size_z > i64(Terrain::k_tiles)) {
      return refuse(
          "fft.make-tiles", {},
          {.message = text("the floors cover ", size_x, " x ", size_z, " tiles, ", size_x * size_z,
                           " in all; a map has at most 256. The object that reaches farthest is ", farthest_object()),
           .hint = "with units-per-metre=28, a metre is a tile; use a smaller number, set the property "
                   "`floor` of distant objects to false, or add an object named terrain"});
    }
    if (auto in_range = check_range(); !in_range) return in_range;
    built_ = build_terrain(scene_, u32(size_x), u32(size_z));
    note_terrain();
    out_.mesh.terrain = built_.terrain;
    return true;
  }
  Result<bool> check_range() const {
    for (const Face& f : scene_.faces)
      for (const FaceVertex& c : f.corners)
        for (const f64 x : c.position)
          if (!(std::fabs(x) <= 32767))
            return refuse("fft.make-range", {},
                          {.message = text("a vertex of ", object_label(s_, f.node), " is ", std::round(x),
                                           " units from the corner of the map; the file stores at most 32767"),
                           .hint = "move the object closer, or use a smaller units-per-metre"});
    return true;
  }
  void note_terrain() {
    if (!built_.has_floors)
      note_loss("fft.make-floor", {.message = "no face of the scene points up, so no tile can be entered",
                                   .hint = "check that normals point outwards, or add an object named terrain"});
    if (built_.coarse)
      note(Severity::hint, "fft.make-heights",
           {.message = text("the ground of ", format_count(built_.coarse, "tile"),
                            " is more than a step of 12 units away from the scene, first ", built_.first_coarse,
                            "; the largest distance is ", std::lround(built_.farthest), " units"),
            .hint = "tiles have one of 13 slopes; align the floors with the grid, or add an object named terrain"});
    if (built_.hidden_levels)
      note_loss("fft.make-levels",
                {.message = text(format_count(built_.hidden_levels, "tile"),
                                 " have more than two floors above each other, first ", built_.first_hidden),
                 .hint = "a tile has two levels; the highest floors are only scenery"});
  }

  // ---- polygons ----

  Result<bool> draw_faces() {
    std::vector<Face> textured, untextured;
    for (const Face& f : scene_.faces)
      if (scene_.kinds[f.kind].is_drawn) (is_untextured(s_, scene_.kinds[f.kind]) ? untextured : textured).push_back(f);
    auto joined = join_to_quads(textured);
    for (u32 i = 0; i < joined.size(); ++i) joined[i].source = i;
    solid_ = joined;
    objects_.emplace(solid_, scene_.kinds);
    if (joined.size() > k_most_faces) {
      drawn_ = {.textured = std::move(joined), .untextured = {}};
      return refuse(too_many_polygons());
    }
    const auto plain = join_to_quads(untextured);
    std::optional<Diagnostic> cut;  // the problem with cut floors
    for (const bool cuts : {true, false}) {
      if (cuts && !o_.cuts_floors) continue;
      // Texture memory for polygons: parts of faces that show several repetitions of a picture.
      for (const u32 repeats : {1, 2, 4, 8}) {
        drawn_ = {};
        for (const Face& f : joined) {
          if (auto added = add_textured(f, cuts, repeats); !added)
            return refuse(cut ? *std::move(cut) : std::move(added.error()));
          if (drawn_.textured.size() > k_most_faces) break;
        }
        for (const Face& f : plain)
          if (auto rounded = round_face(f)) drawn_.untextured.push_back(*std::move(rounded));
        if (!drawn_.fits() && drawn_.textured.size() <= k_most_faces) remove_hidden_faces(drawn_.textured, *objects_);
        if (drawn_.fits()) return true;
      }
      if (!cuts) break;
      cut = too_many_polygons();
      note(
          Severity::hint, "fft.make-cuts",
          {.message = "with one polygon for each tile of a floor, the map has too many polygons, so floors are not cut",
           .hint = "a polygon that covers several tiles is highlighted with only one of them"});
    }
    return refuse(too_many_polygons());
  }

  Result<bool> add_textured(const Face& f, bool cuts, u32 repeats) {
    for (const Face& part : cuts ? cut_floor(f) : std::vector{f}) {
      const auto pieces = cut_picture(part, repeats);
      if (pieces.empty())
        return refuse("fft.make-repeats", {},
                      {.message = text("a face of ", object_label(s_, f.node), " repeats its picture more than ",
                                       k_most_repeats, " times"),
                       .hint = "polygons cannot repeat a picture: each repetition is a polygon of its own; scale the "
                               "texture coordinates of the face"});
      for (const Face& piece : pieces)
        if (auto rounded = round_face(piece)) drawn_.textured.push_back(*std::move(rounded));
    }
    return true;
  }
  /// One part for each tile, if the face lies on the ground; without parts that nobody can see.
  std::vector<Face> cut_floor(const Face& f) const {
    const Terrain& t = built_.terrain;
    if (face_normal(f.corners)[1] < k_floor_slope) return {f};
    auto parts = cut_at_tiles(f, k_tile_units, t.size_x, t.size_z);
    const bool is_ground =
        std::ranges::any_of(parts, [&](const Face& p) { return !find_tile_of(t, p.corners).is_none(); });
    if (!is_ground) return {f};
    if (parts.size() > 1) remove_hidden_faces(parts, *objects_);
    return parts;
  }
  std::vector<Face> cut_picture(const Face& f, u32 repeats) const {
    const Index material = scene_.kinds[f.kind].material;
    const Index texture = material == k_none ? k_none : s_.materials[material].texture;
    if (texture == k_none) return {f};
    const scene::Texture& t = s_.textures[texture];
    const scene::Image& image = s_.images[t.image];
    const auto at_most = [&](u32 side) { return std::clamp(o_.largest_texture / std::max(side, 1u), 1u, repeats); };
    return cut_at_repeats(f,
                          {.wraps = {t.wrap_u, t.wrap_v},
                           .texels = {image.width, image.height},
                           .repeats = {at_most(image.width), at_most(image.height)}},
                          k_most_repeats);
  }

  Diagnostic too_many_polygons() const {
    std::map<Index, size_t> by_node;
    for (const auto* list : {&drawn_.textured, &drawn_.untextured})
      for (const Face& f : *list) ++by_node[f.node];
    std::vector<std::pair<size_t, Index>> largest;
    for (const auto& [node, count] : by_node) largest.emplace_back(count, node);
    std::ranges::sort(largest, std::greater());
    std::string objects;
    for (size_t i = 0; i < std::min<size_t>(largest.size(), 3); ++i)
      objects += text(i ? ", " : "", object_label(s_, largest[i].second), " (", largest[i].first, ")");
    return make_diagnostic(
        "fft.make-limit", {},
        {.message = text(
             "the scene needs ", drawn_.count(3, true), " textured triangles and ", drawn_.count(4, true),
             " quads, and ", drawn_.count(3, false), " untextured triangles and ", drawn_.count(4, false),
             " quads; the game has room for 360 and 710, and 64 and 256. Objects with the most polygons: ", objects),
         .hint = "simplify these objects"});
  }

  // ---- the file ----

  void add_polygons() {
    std::vector<TexturedFace> looks;
    for (const Face& f : drawn_.textured) looks.push_back(textured_face(f));
    BuiltTexture texture = build_texture(s_, looks, o_.largest_texture);
    Diagnostics losses;
    const BuiltLights lights = build_lights(s_, scene_, losses);
    out_.lost += losses.size();
    std::ranges::move(losses, std::back_inserter(out_.notes));
    const std::vector<TileBinding> tiles = bind_to_tiles(built_.terrain, drawn_.textured);
    const std::vector<u16> hidden = o_.hides_walls ? find_hiding_directions(drawn_.textured, tiles, built_.terrain)
                                                   : std::vector<u16>(tiles.size());
    Geometry& g = out_.mesh.primary.emplace();
    for (size_t i = 0; i < drawn_.textured.size(); ++i) {
      const Face& f = drawn_.textured[i];
      const RenderWord render = render_word(scene_.kinds[f.kind], lights, hidden[i]);
      if (f.corners.size() == 4)
        g.textured_quads.push_back(textured<4>(f, {1, 0, 2, 3}, texture.faces[i], lights, tiles[i], render));
      else
        g.textured_triangles.push_back(textured<3>(f, {0, 2, 1}, texture.faces[i], lights, tiles[i], render));
    }
    for (const Face& f : drawn_.untextured)
      if (f.corners.size() == 4)
        g.untextured_quads.push_back(untextured<4>(f, {1, 0, 2, 3}));
      else
        g.untextured_triangles.push_back(untextured<3>(f, {0, 2, 1}));
    out_.mesh.palettes = texture.palettes, out_.mesh.gray_palettes = texture.gray_palettes;
    out_.mesh.lights = lights.lights;
    out_.mesh.render_properties = RenderProperties{{k_render_head.begin(), k_render_head.end()}, {}, {}, {}, {}};
    out_.mesh.settle();
    out_.texture = std::move(texture.texture);
    for (Diagnostic& d : texture.notes) out_.notes.push_back(std::move(d));
  }

  TexturedFace textured_face(const Face& f) const {
    TexturedFace out;
    const FaceKind& kind = scene_.kinds[f.kind];
    out.look = look_of(s_, kind);
    if (out.look.image == k_none) {
      constexpr std::array<f64, 2> k_whole[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
      out.uvs.assign(k_whole, k_whole + f.corners.size());
      return out;
    }
    const scene::Texture& t = s_.textures[s_.materials[kind.material].texture];
    out.wraps = {t.wrap_u, t.wrap_v};
    for (const FaceVertex& c : f.corners) out.uvs.push_back(c.uv);
    return out;
  }
  RenderWord render_word(const FaceKind& kind, const BuiltLights& lights, u16 hidden) const {
    const bool is_lit =
        lights.lit && (lights.normals_are_colors || kind.material == k_none || !s_.materials[kind.material].unlit);
    return {u8(is_lit), 0, kind.hidden_from.value_or(hidden), 0, 0};
  }
  template <size_t N>
  static Textured<N> textured(const Face& f, const std::array<size_t, N>& order, const FaceTexels& texels,
                              const BuiltLights& lights, const TileBinding& tile, const RenderWord& render) {
    Textured<N> out{};
    for (size_t i = 0; i < N; ++i) {
      const FaceVertex& c = f.corners[order[i]];
      out.positions[i] = to_position(c.position);
      out.normals[i] = lights.normals_are_colors ? normal_of_color(c.color) : to_file_normal(c.normal);
      out.uvs[i] = texels.uvs[order[i]];
    }
    out.clut_y = k_vram_palettes, out.palette = texels.palette;
    out.image = k_map_image, out.page = texels.page;
    out.tile = tile, out.render = render;
    return out;
  }
  template <size_t N>
  static Untextured<N> untextured(const Face& f, const std::array<size_t, N>& order) {
    Untextured<N> out{};
    for (size_t i = 0; i < N; ++i) out.positions[i] = to_position(f.corners[order[i]].position);
    out.unread = {1, 0, 0, 0};
    out.render = k_plain_render;
    return out;
  }

  const scene::Scene& s_;
  const MapBuildOptions& o_;
  SceneFaces scene_;
  BuiltTerrain built_;
  DrawnFaces drawn_;
  std::vector<Face> solid_;  // all textured faces
  std::optional<SolidObjects> objects_;
  BuiltMap out_;
};

}  // namespace

Result<BuiltMap> build_map(const scene::Scene& s, const MapBuildOptions& o) { return MapBuilder(s, o).build(); }

}  // namespace dio::fft
