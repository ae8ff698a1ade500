// questions.cpp: answers questions about positions of a map: `dio explain MAP001.8#tile@3,2`, `dio explain
// MAP001.8#polygon@textured_quads[4]`.
#include "formats/contract/arguments.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/parts.hpp"
#include "formats/fft/scene/polygons.hpp"
#include "formats/fft/scene/slopes.hpp"
#include "layout/write_value.hpp"

namespace dio::fft {

namespace {

constexpr const char* corner_name(TileCorner c) {
  return c == k_southwest ? "SW" : c == k_southeast ? "SE" : c == k_northeast ? "NE" : "NW";
}

Value enum_word_or_null(const EnumNames& words, u64 value) {
  const std::string word = format_vocabulary_words(words, value);
  return word.empty() ? Value() : Value(word);
}
/// The word for a value, or its name and number: "surface 61".
std::string enum_word_or_number(const EnumNames& words, std::string_view name, u64 value) {
  const std::string word = format_vocabulary_words(words, value);
  return word.empty() ? text(name, " ", value) : word;
}
/// A word, and its number as NAME_value.
void add_enum_value(Value& v, const std::string& name, const EnumNames& words, u64 value) {
  v.add(name, enum_word_or_null(words, value));
  v.add(name + "_value", value);
}

// ---- tiles ----

void add_slope(Value& v, const TerrainTile& t) {
  add_enum_value(v, "slope", k_slopes, t.slope);
  const auto raised = raised_corners(t.slope);
  if (!raised) v.add("slope_note", "not a slope of the game: its sides contradict each other");
  Value& names = v.add("raised_corners", Value::list());
  for (const TileCorner c : k_corners)
    if (raised.value_or(0) & c) names.push(corner_name(c));
  const auto steps = corner_steps(t);
  Value in_steps = Value::object(), y = Value::object();
  for (size_t i = 0; i < k_corners.size(); ++i) {
    in_steps.add(corner_name(k_corners[i]), steps[i]);
    y.add(corner_name(k_corners[i]), -k_step_units * steps[i]);
  }
  v.add("corner_steps", std::move(in_steps));
  v.add("corner_y", std::move(y));
}

/// "grass, height 3, slope west by 2".
std::string describe_tile(const TerrainTile& t) {
  std::string out = enum_word_or_number(k_surfaces, "surface", t.surface);
  out += text(", height ", t.height);
  if (t.slope) out += text(", ", enum_word_or_number(k_slopes, "slope", t.slope), " by ", t.slope_height);
  if (t.depth) out += text(", depth ", t.depth);
  if (t.absent) out += ", absent";
  if (t.untargetable) out += ", untargetable";
  if (t.pass_only) out += ", pass only";
  return out;
}

void add_flags(Value& v, const TerrainTile& t) {
  Value& flags = v.add("flags", Value::list());
  if (t.absent) flags.push("absent: the cursor skips it");
  if (t.untargetable) flags.push("untargetable: cannot be walked on or targeted");
  if (t.pass_only) flags.push("pass only: units may pass but not stop");
  v.add("cameras_value", t.cameras);
  v.add("cameras", enum_word_or_null(k_cameras, t.cameras));
  if (t.cameras)
    v.add("cameras_note",
          "camera views that are not allowed on this tile, named as in editors; the game's code swaps east and west");
  if (t.marks) v.add("marks", t.marks);
  if (t.unk_0 || t.unk_1 || t.unk_6) {
    Value& unknown = v.add("unknown", Value::object());
    unknown.add("unk_0", t.unk_0);
    unknown.add("unk_1", t.unk_1);
    unknown.add("unk_6", t.unk_6);
  }
}

Result<Value> describe_tile(const Mesh& file, std::string_view argument) {
  if (!file.terrain) return refuse("question.argument", {}, {.message = "the file has no terrain"});
  const Terrain& terrain = *file.terrain;
  const auto parts = split(argument, ',');
  std::array<i64, 3> n{};
  bool good = parts.size() == 2 || parts.size() == 3;
  for (size_t i = 0; good && i < parts.size(); ++i) {
    const auto whole = parse_whole_number(parts[i]);
    good = whole && 0 <= *whole && *whole <= 255;
    n[i] = whole.value_or(0);
  }
  if (!good || n[0] >= terrain.size_x || n[1] >= terrain.size_z || n[2] >= i64(Terrain::k_levels))
    return refuse("question.argument", {},
                  {.message = text(given(argument), " is not a tile of the terrain (X,Z or X,Z,LEVEL); there are ",
                                   terrain.size_x, " x ", terrain.size_z,
                                   " tiles, numbered from 0,0, on each of the levels 0 and 1")});
  const u32 x = u32(n[0]), z = u32(n[1]), level = u32(n[2]);
  const TerrainTile* tile = Terrain::tile(terrain, level, x, z);
  if (!tile)
    return refuse("question.argument", {},
                  {.message = text("tile ", x, ",", z, " of level ", level, " is not in the file: the terrain has ",
                                   terrain.size_x, " x ", terrain.size_z, " = ", terrain.size_x * terrain.size_z,
                                   ", but the file stores only the first ",
                                   (Terrain::k_levels - level) * Terrain::k_tiles, " tiles of that level")});
  const size_t at = level * Terrain::k_tiles + size_t(z) * terrain.size_x + x;
  Value v = Value::object();
  v.add("x", x);
  v.add("z", z);
  v.add("level", level);
  add_enum_value(v, "surface", k_surfaces, tile->surface);
  v.add("height", tile->height);
  v.add("slope_height", tile->slope_height);
  add_slope(v, *tile);
  v.add("depth", tile->depth);
  v.add("displayed_half_steps", displayed_half_steps(*tile));
  v.add("thickness", tile->thickness);
  v.add("shading", tile->shading);
  add_flags(v, *tile);
  v.add("about", describe_tile(*tile));
  if (at / Terrain::k_tiles != level)
    v.add("note", "the map has more than 256 tiles, so this tile is stored in level 1");
  v.add("path", text("terrain.levels[", at / Terrain::k_tiles, "][", at % Terrain::k_tiles, "]"));
  if (const u32 start = file.slots[Mesh::k_terrain_slot]) v.add("offset", start + wire_size<TerrainTile>() * at + 2);
  Value& bound = v.add("polygons", Value::list());
  for_each_polygon(file, [&](const PolygonRef& r, const auto& p) {
    if constexpr (k_is_textured<decltype(p)>)
      if (p.tile.x == x && p.tile.z == z && p.tile.level == level) bound.push(polygon_path(r));
  });
  return v;
}

// ---- polygons ----

Value make_xyz_value(auto x, auto y, auto z) {
  Value v = Value::object();
  v.add("x", x);
  v.add("y", y);
  v.add("z", z);
  return v;
}
Value of(const Position& p) { return make_xyz_value(p.x, p.y, p.z); }
Value of(const Normal& n) { return make_xyz_value(n.x.value(), n.y.value(), n.z.value()); }

/// The offsets of the parts of a polygon: positions, normals, texture or unread bytes, tile, render word.
void add_polygon_offsets(Value& v, const Mesh& file, const PolygonRef& r) {
  const u64 start = file.slots[r.mesh ? Mesh::k_animated_slot + r.mesh - 1 : Mesh::k_primary_slot];
  if (!start) return;
  constexpr std::array<u64, 4> k_vectors = {18, 24, 18, 24}, k_records = {10, 12, 4, 4};
  const auto counts = count_polygons_by_kind(*geometry_of(file, r.mesh));
  const size_t kind = size_t(r.kind);
  const bool is_textured = kind < 2;
  // Bytes of the kinds from `first` on, up to the polygon.
  const auto before = [&](size_t first, auto& sizes) {
    u64 sum = 0;
    for (size_t k = first; k < kind; ++k) sum += counts[k] * sizes[k];
    return sum + r.index * sizes[kind];
  };
  const auto all = [&](size_t first, size_t end, auto& sizes) {
    u64 sum = 0;
    for (size_t k = first; k < end; ++k) sum += counts[k] * sizes[k];
    return sum;
  };
  constexpr std::array<u64, 2> k_tiles = {2, 2};
  const u64 positions = start + 8, normals = positions + all(0, 4, k_vectors), records = normals + all(0, 2, k_vectors),
            tiles = records + all(0, 4, k_records);
  Value& offsets = v.add("offsets", Value::object());
  offsets.add("positions", positions + before(0, k_vectors));
  if (is_textured) offsets.add("normals", normals + before(0, k_vectors));
  offsets.add(is_textured ? "texture" : "unread", records + before(0, k_records));
  if (is_textured) offsets.add("tile", tiles + before(0, k_tiles));
  if (r.mesh || !file.slots[Mesh::k_render_slot] || r.index >= k_render_slots[kind]) return;
  u64 slot = r.index;
  for (size_t k = 0; k < kind; ++k) slot += k_render_slots[k];
  offsets.add("render", file.slots[Mesh::k_render_slot] + RenderProperties::k_head_size + 2 * slot);
}

void add_texture(Value& v, const auto& p) {
  v.add("palette", p.palette);
  v.add("page", p.page);
  v.add("image", p.image);
  if (p.image != 3) v.add("image_note", "an interface image, not the texture of the map");
  v.add("blend", p.blend);
  if (p.tile.is_none()) {
    v.add("tile", Value());
  } else {
    Value& tile = v.add("tile", Value::object());
    tile.add("x", p.tile.x);
    tile.add("z", p.tile.z);
    tile.add("level", p.tile.level);
  }
}

Result<Value> describe_polygon(const Mesh& file, std::string_view argument) {
  auto found = parse_polygon_refs(file, argument);
  if (!found) return refuse("question.argument", {}, {.message = std::move(found.error().message)});
  if (found->size() != 1)
    return refuse("question.argument", {},
                  {.message = text(found->size(), " polygons match; name one, such as textured_quads[3]")});
  const PolygonRef r = found->front();
  Value v = Value::object();
  v.add("path", polygon_path(r));
  visit_polygon(file, r, [&](const auto& p) {
    Value& corners = v.add("corners", Value::list());
    for (size_t i = 0; i < p.positions.size(); ++i) {
      Value& one = corners.push(of(p.positions[i]));
      if constexpr (k_is_textured<decltype(p)>) {
        one.add("u", p.uvs[i].u);
        one.add("v", p.uvs[i].v);
        one.add("normal", of(p.normals[i]));
      }
    }
    const auto normal = face_normal(p.positions);
    v.add("face_normal", normal ? of(*normal) : Value());
    if (!normal) v.add("note", "the polygon has no area");
    if constexpr (k_is_textured<decltype(p)>) add_texture(v, p);
    if (!r.mesh && file.render_properties && r.index < k_render_slots[size_t(r.kind)]) {
      if constexpr (k_is_textured<decltype(p)>) v.add("lit", p.render.lit != 0);
      v.add("hidden_from", enum_word_or_null(k_hidden, p.render.hidden_from));
    }
  });
  add_polygon_offsets(v, file, r);
  return v;
}

}  // namespace

std::span<const Question> mesh_questions() {
  static constexpr Question k_questions[] = {
      {"tile", "X,Z[,LEVEL]",
       "shows the fields, corner heights, bound polygons and file offset of a tile (X and Z count from the south-west "
       "corner)",
       [](const AnyDocument& d, std::string_view a) { return describe_tile(value_of<Mesh>(d), a); }},
      {"polygon", "KIND[N]",
       "shows how a polygon (such as textured_quads[3] or animated_1.untextured_triangles[0]) is drawn, its tile, and "
       "the file offsets of its data",
       [](const AnyDocument& d, std::string_view a) { return describe_polygon(value_of<Mesh>(d), a); }},
  };
  return k_questions;
}

}  // namespace dio::fft
