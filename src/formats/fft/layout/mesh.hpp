// mesh.hpp: MAPnnn.N, the look and the terrain of a map in a state: polygons, palettes, lights, terrain, animations.
// Every part may be missing: the game then keeps the part of an earlier file.
#pragma once
#include <optional>

#include "console/psx/gpu.hpp"
#include "formats/fft/layout/enum_names.hpp"
#include "formats/fft/layout/texture.hpp"
#include "layout/sizer.hpp"
#include "layout/xyz.hpp"

namespace dio::fft {

inline constexpr size_t k_slots = 49;              // of the header
inline constexpr u64 k_mesh_header = 4 * k_slots;  // bytes
inline constexpr u64 k_load_buffer = 0x20000;      // size of the game's buffer for a mesh file
inline constexpr u32 k_animated_meshes = 8;
inline constexpr i32 k_tile_units = 28, k_step_units = 12;  // the width of a tile; the height of a step
inline constexpr u16 k_vram_palettes = 480;                 // the VRAM row of the palettes
inline constexpr u16 k_vram_pages = 768;  // the VRAM column (in 16-bit units) where the texture starts

/// x to the east, y down, z to the north.
using Position = Xyz<i16>;
using Normal = Xyz<fx16>;
using psx::Uv;
/// The tile that a polygon belongs to; both are highlighted together. x 255, z 127: none.
struct TileBinding {
  static constexpr u8 k_no_x = 255, k_no_z = 127;
  u8 z, level, x;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u8{}, bit<7>(Key("z").doc("127, with x = 255: no tile"), s.z), bit<1>("level", s.level));
    v(Key("x").doc("255, with z = 127: no tile"), s.x);
  }
  constexpr bool is_none() const { return x == k_no_x && z == k_no_z; }
  constexpr bool operator==(const TileBinding&) const = default;
};
/// How the game draws a polygon. Bits are counted from the lowest; the wiki counts them from the highest: its bit 0 is
/// bit 15.
struct RenderWord {
  u8 lit, unk_14;
  u16 hidden_from;
  u8 unk_1, lit_copy;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u16{}, bit<1>(Key("lit").doc("bit 15 (the wiki's bit 0): 1 lit, 0 drawn with the plain texture"), s.lit),
           bit<1>("unk_14", s.unk_14),
           bit<12>(Key("hidden_from")
                       .words(k_hidden)
                       .doc("bits 13-2 (the wiki's 2-13): camera directions from which the polygon is not drawn"),
                   s.hidden_from),
           bit<1>("unk_1", s.unk_1), bit<1>(Key("lit_copy").doc("the game overwrites it with bit 15"), s.lit_copy));
  }
  constexpr bool operator==(const RenderWord&) const = default;
};
inline constexpr RenderWord k_plain_render{1, 0, 0, 0, 0};  // of unused slots: 0x8000

inline constexpr u8 k_map_image = 3;  // of a polygon: the texture of the map instead of an interface image

/// A triangle A, B, C or a quad A, B, C, D: the strip (A, B, C), (B, D, C). Seen from the front, A, B, C is clockwise.
template <size_t N>
struct Textured {
  std::array<Position, N> positions;
  std::array<Normal, N> normals;
  std::array<Uv, N> uvs;
  u8 clut_unk_15;
  u16 clut_y;
  u8 palette;
  u8 page_unk_9, color_depth, blend, page_y, image, page;
  TileBinding tile;
  RenderWord render;  // if the file has render properties with a slot for it

  /// Two GPU words are stored among the texture coordinates.
  static constexpr void texture_layout(auto& v, auto& s) {
    const auto uv = [&](u64 corner) { v.inside(Element{"uvs", corner}, [&] { Uv::layout(v, s.uvs[corner]); }); };
    uv(0);
    v.bits(u16{}, bit<1>("clut_unk_15", s.clut_unk_15),
           bit<9>(Key("clut_y").doc(
                      "CLUT row, always 480: the game sets it itself; the wiki calls its byte (0x78) padding"),
                  s.clut_y),
           bit<6>(Key("palette").doc("bits 5-0 of the CLUT word"), s.palette));
    uv(1);
    v.bits(u16{}, bit<7>("page_unk_9", s.page_unk_9),
           bit<2>(Key("color_depth").doc("bits 8-7 of the texture page word; 0: 4 bits per texel"), s.color_depth),
           bit<2>(Key("blend").doc("bits 6-5: blend mode of half-transparent texels"), s.blend),
           bit<1>(Key("page_y").doc("bit 4: 1 for the lower half of VRAM"), s.page_y),
           bit<2>(Key("image").doc(
                      "bits 3-2 (the wiki's 4-5): 3 is the map's texture, others are images of the interface"),
                  s.image),
           bit<2>(Key("page").doc("bits 1-0 (the wiki's 6-7)"), s.page));
    uv(2);
    if constexpr (N == 4) uv(3);
  }
};
/// Drawn in near-black.
template <size_t N>
struct Untextured {
  std::array<Position, N> positions;
  std::array<u8, 4> unread;
  RenderWord render;
};
using TexturedTriangle = Textured<3>;
using TexturedQuad = Textured<4>;
using UntexturedTriangle = Untextured<3>;
using UntexturedQuad = Untextured<4>;

/// The polygons of a mesh. The data of one polygon is stored in five places of the file.
struct Geometry {
  std::vector<TexturedTriangle> textured_triangles;
  std::vector<TexturedQuad> textured_quads;
  std::vector<UntexturedTriangle> untextured_triangles;
  std::vector<UntexturedQuad> untextured_quads;
  static constexpr void layout(auto& v, auto& s) {
    const auto textured = [&](auto part) {
      v.each("textured_triangles", s.textured_triangles, part);
      v.each("textured_quads", s.textured_quads, part);
    };
    const auto untextured = [&](auto part) {
      v.each("untextured_triangles", s.untextured_triangles, part);
      v.each("untextured_quads", s.untextured_quads, part);
    };
    v.count(u16{}, "textured_triangle_count", s.textured_triangles);
    v.count(u16{}, "textured_quad_count", s.textured_quads);
    v.count(u16{}, "untextured_triangle_count", s.untextured_triangles);
    v.count(u16{}, "untextured_quad_count", s.untextured_quads);
    const auto positions = [&](auto& p) { v(Key("positions").unit("units"), p.positions); };
    textured(positions);
    untextured(positions);
    textured([&](auto& p) { v("normals", p.normals); });
    textured([&](auto& p) { p.texture_layout(v, p); });
    untextured([&](auto& p) { v(Key("unread").doc("ignored by the game"), p.unread); });
    textured([&](auto& p) { v("tile", p.tile); });
  }
};

/// Red, green and blue of 5 bits each; with `stp`, texels can be half transparent. All 0: transparent.
struct Color {
  u8 stp, blue, green, red;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u16{}, bit<1>(Key("stp").doc("bit 15"), s.stp), bit<5>("blue", s.blue), bit<5>("green", s.green),
           bit<5>("red", s.red));
  }
  constexpr bool is_clear() const { return !(stp | blue | green | red); }
  constexpr bool operator==(const Color&) const = default;
};
using Palette = std::array<Color, 16>;
struct Palettes {
  std::array<Palette, 16> rows;
  static constexpr void layout(auto& v, auto& s) { v("rows", s.rows); }
};
static_assert(wire_size<Palettes>() == 512);

struct Rgb8 {
  u8 red, green, blue;
  static constexpr void layout(auto& v, auto& s) {
    v("red", s.red);
    v("green", s.green);
    v("blue", s.blue);
  }
  constexpr bool operator==(const Rgb8&) const = default;
};
/// Three directional lights, ambient light, and the background.
struct Lights {
  std::array<fx16, 3> red, green, blue;  // of the three lights; 1 is full light
  std::array<Normal, 3> directions;      // towards the lights; of any length
  Rgb8 ambient, top, bottom;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("red").doc("red of each of the three lights"), s.red);
    v(Key("green").doc("green of each of the three lights"), s.green);
    v(Key("blue").doc("blue of each of the three lights"), s.blue);
    v(Key("directions").doc("directions towards the lights"), s.directions);
    v(Key("ambient").doc("ambient light; 128 draws the texture unchanged"), s.ambient);
    v(Key("top").doc("top colour of the background"), s.top);
    v(Key("bottom").doc("bottom colour of the background"), s.bottom);
  }
};
static_assert(wire_size<Lights>() == 45);

/// One tile of the terrain. Bits are counted from the lowest, the wiki's from the highest.
struct TerrainTile {
  u8 unk_0, surface, unk_1, height, depth, slope_height, slope, marks, thickness;
  bool pass_only;
  u8 unk_6, shading;
  bool untargetable, absent;
  u8 cameras;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u8{}, bit<2>("unk_0", s.unk_0), bit<6>(Key("surface").words(k_surfaces), s.surface));
    v("unk_1", s.unk_1);
    v(Key("height").unit("steps of 12 units").doc("height of the lowest corner"), s.height);
    v.bits(u8{},
           bit<3>(Key("depth").unit("steps").doc("bits 7-5 of byte 3: height of a liquid above the ground"), s.depth),
           bit<5>(Key("slope_height").unit("steps").doc("height difference between the low and the high corners"),
                  s.slope_height));
    v(Key("slope").words(k_slopes), s.slope);
    v.bits(u8{},
           bit<3>(Key("marks").doc("set by the running game: move range 1, ability range 2, targeted 4"), s.marks),
           bit<5>(Key("thickness").unit("steps").doc("thickness of a ceiling"), s.thickness));
    v.bits(u8{}, bit<1>(Key("pass_only").doc("bit 7 of byte 6: characters may pass but not stop"), s.pass_only),
           bit<3>("unk_6", s.unk_6), bit<2>(Key("shading").doc("0 bright to 3 dark"), s.shading),
           bit<1>(Key("untargetable").doc("bit 1: cannot be walked on or targeted"), s.untargetable),
           bit<1>(Key("absent").doc("bit 0: the tile is absent; the cursor skips it"), s.absent));
    v(Key("cameras").words(k_cameras).doc("camera views to avoid; the wiki's bit 0 is the highest bit"), s.cameras);
  }
  constexpr bool operator==(const TerrainTile&) const = default;
};
static_assert(wire_size<TerrainTile>() == 8);
struct Terrain {
  static constexpr size_t k_tiles = 256, k_levels = 2;  // of a level; levels
  u8 size_x, size_z;
  std::array<std::array<TerrainTile, k_tiles>, k_levels> levels;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("size_x").unit("tiles"), s.size_x);
    v(Key("size_z").unit("tiles"), s.size_z);
    v(Key("levels").doc("tile (x, z) has the index z * size_x + x; indices from 256 on continue in the next level"),
      s.levels);
  }
  /// A tile by its position, as the game counts: in a map of more than 256 tiles, level 0 continues into level 1. Null
  /// outside the terrain or beyond the end of both levels.
  static constexpr auto tile(auto& s, u32 level, u32 x, u32 z) -> decltype(&s.levels[0][0]) {
    const size_t at = level * k_tiles + size_t(z) * s.size_x + x;
    if (x >= s.size_x || z >= s.size_z || at >= k_levels * k_tiles) return nullptr;
    return &s.levels[at / k_tiles][at % k_tiles];
  }
};
static_assert(wire_size<Terrain>() == 4098);

/// One texture animation: it copies texels over others, or palettes. Coordinates are those of VRAM: x in units of 16
/// bits, which are 4 texels.
struct TextureAnimation {
  i16 canvas_x, canvas_y, width, height, frame_x, frame_y;
  u8 column, row, mode, frame_count, frame, duration, timer, active;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("canvas_x").doc("0x300 + 64 * page + u / 4; for a palette 16 times its row; in mode 0x1D the first polygon"),
      s.canvas_x);
    v(Key("canvas_y").doc("v of the canvas; 480 for a palette"), s.canvas_y);
    v(Key("width").doc("in units of 4 texels; in mode 0x1D the number of polygons"), s.width);
    v(Key("height").unit("texels"), s.height);
    v(Key("frame_x").doc("x of the first frame; for a palette the first palette frame"), s.frame_x);
    v("frame_y", s.frame_y);
    v("column", s.column);
    v("row", s.row);
    v(Key("mode").words(k_texture_modes), s.mode);
    v("frame_count", s.frame_count);
    v("frame", s.frame);
    v(Key("duration").unit("ticks").doc("duration of each frame"), s.duration);
    v("timer", s.timer);
    v("active", s.active);
  }
  constexpr bool operator==(const TextureAnimation&) const = default;
};
static_assert(wire_size<TextureAnimation>() == 20);
struct TextureAnimations {
  std::array<TextureAnimation, 32> rows;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("rows").doc("the index of a row is its field object number in event scripts"), s.rows);
  }
};
static_assert(wire_size<TextureAnimations>() == 640);

/// Three numbers of 16 bits and one that is not read.
struct Vec3i16 {
  i16 x, y, z, pad;
  static constexpr void layout(auto& v, auto& s) {
    v("x", s.x);
    v("y", s.y);
    v("z", s.z);
    v("pad", s.pad);
  }
  constexpr bool operator==(const Vec3i16&) const = default;
};
/// A pose of an animated mesh. Arrays of nine are rotation x, y, z, position x, y, z, scale x, y, z.
struct Keyframe {
  static constexpr size_t k_channels = 9;
  Vec3i16 rotation, position, scale;
  std::array<i16, k_channels> start_angles, end_angles;
  std::array<u16, k_channels> modes;
  u16 pad;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("rotation").unit("1/4096 of a turn"), s.rotation);
    v(Key("position").unit("units"), s.position);
    v(Key("scale").unit("1/4096"), s.scale);
    v(Key("start_angles")
          .unit("1/4096 of a turn")
          .doc("start angles of the sine, for rotation x, y, z, position x, y, z, scale x, y, z"),
      s.start_angles);
    v(Key("end_angles").unit("1/4096 of a turn"), s.end_angles);
    v(Key("modes").words(k_tweens), s.modes);
    v("pad", s.pad);
  }
  constexpr bool operator==(const Keyframe&) const = default;
};
static_assert(wire_size<Keyframe>() == 80);
struct MeshInstruction {
  u8 keyframe, next;
  u16 duration;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("keyframe").doc("counted from 1").words(k_index_from_1<"records[0].keyframes">), s.keyframe);
    v(Key("next").doc("next instruction, counted from 1; 0: none"), s.next);
    v(Key("duration").unit("ticks"), s.duration);
  }
  constexpr bool operator==(const MeshInstruction&) const = default;
};
struct MeshState {
  static constexpr size_t k_instructions = 16;
  std::array<std::array<MeshInstruction, k_instructions>, k_animated_meshes> meshes;
  static constexpr void layout(auto& v, auto& s) { v("meshes", s.meshes); }
};
static_assert(wire_size<MeshState>() == 512);
struct MeshLink {
  u8 parent;
  std::array<u8, 3> unused;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("parent").doc("the parent animated mesh, counted from 1").words(k_index_from_1<"links">), s.parent);
    v("unused", s.unused);
  }
  constexpr bool operator==(const MeshLink&) const = default;
};
static_assert(wire_size<MeshLink>() == 4);

/// A part of the mesh animation: type 1 keyframes, 2 the instructions of each state, 3 the parents of the meshes; 0
/// ends the list.
struct MeshAnimationRecord {
  static constexpr u64 k_least_size = 4;
  static constexpr size_t k_states = 8;
  enum : u32 { end = 0, keyframe = 1, state = 2, link = 3 };
  u32 type, count;
  std::vector<Keyframe> keyframes;
  std::vector<MeshState> states;
  std::vector<MeshLink> links;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("type").doc("1 keyframes, 2 states, 3 links, 0 end"), s.type);
    v.require(s.type <= link, "a record of type 0 to 3");
    if (s.type == keyframe) {
      v.count(u32{}, "keyframe_count", s.keyframes);
      v(Key("keyframes").doc("the first is number 1"), s.keyframes);
    } else if (s.type == state) {
      v(Key("count").doc("ignored by the game: 16 in the low half, 64 in the high one"), s.count);
      v.implied(k_states, s.states);
      v(Key("states").doc("a list of instructions for each of the 8 meshes"), s.states);
    } else if (s.type == link) {
      v.count(u32{}, "link_count", s.links);
      v(Key("links").doc("one for each mesh; the game reads only the first eight"), s.links);
    }
  }
};
struct MeshAnimations {
  std::vector<MeshAnimationRecord> records;
  static constexpr void layout(auto& v, auto& s) {
    v.until("records", s.records, [](const MeshAnimationRecord& r) { return r.type == MeshAnimationRecord::end; });
  }
};

/// The table of render properties without the words of polygons: these are members (`render`) of the polygons of the
/// primary mesh, as far as there are slots.
struct RenderProperties {
  static constexpr u64 k_head_size = 896;  // bytes
  static constexpr size_t k_textured_triangles = 512, k_textured_quads = 768, k_untextured_triangles = 64,
                          k_untextured_quads = 256;  // slots
  static constexpr u64 k_size = 4096;
  static_assert(k_head_size +
                    2 * (k_textured_triangles + k_textured_quads + k_untextured_triangles + k_untextured_quads) ==
                k_size);
  Bytes head;
  std::vector<RenderWord> unused_textured_triangles, unused_textured_quads, unused_untextured_triangles,
      unused_untextured_quads;
  static constexpr void layout(auto& v, auto& s) {
    v.implied(k_head_size, s.head);
    v(Key("head").doc("ignored by the game; the same in all of its files"), s.head);
  }
};

/// RenderProperties::head in all files of the game: two bytes 0x12 and two 0x34, then 32-bit numbers: 1 at 1 to 5 and
/// 10 to 17, otherwise 0.
inline constexpr std::array<u8, RenderProperties::k_head_size> k_render_head = [] {
  std::array<u8, RenderProperties::k_head_size> head{0x12, 0x12, 0x34, 0x34};
  for (size_t i = 1; i <= 17; ++i)
    if (i <= 5 || i >= 10) head[4 * i] = 1;
  return head;
}();

/// A mesh file.
struct Mesh {
  static constexpr std::endian k_order = std::endian::little;
  static constexpr std::array<const char*, k_animated_meshes> k_animated_names = {
      "animated_1", "animated_2", "animated_3", "animated_4", "animated_5", "animated_6", "animated_7", "animated_8"};
  static constexpr std::array<const char*, k_pages> k_page_names = {"page_0", "page_1", "page_2", "page_3"};
  // Slot numbers: the offset of a slot is four times its number.
  static constexpr size_t k_primary_slot = 0x10, k_palettes_slot = 0x11, k_page_slot = 0x13, k_lights_slot = 0x19,
                          k_terrain_slot = 0x1A, k_texture_animations_slot = 0x1B, k_palette_frames_slot = 0x1C,
                          k_gray_palettes_slot = 0x1F, k_mesh_animations_slot = 0x23, k_animated_slot = 0x24,
                          k_render_slot = 0x2C;

  std::array<u32, k_slots> slots;
  std::optional<Geometry> primary;
  std::optional<Palettes> palettes;
  std::array<std::optional<TexturePage>, k_pages> pages;
  std::optional<Lights> lights;
  std::optional<Terrain> terrain;
  std::optional<TextureAnimations> texture_animations;
  std::optional<Palettes> palette_frames, gray_palettes;
  std::optional<MeshAnimations> mesh_animations;
  std::array<std::optional<Geometry>, k_animated_meshes> animated;
  std::optional<RenderProperties> render_properties;

  static constexpr void layout(auto& v, auto& s) {
    v(Key("slots").placement().doc("offsets of the parts, 0 if missing; slot 16 (0x40) is the primary mesh"), s.slots);
    const auto chunk = [&](size_t slot, Key k, auto& x) { v.at(0, to(s.slots[slot]).align(4), k, x); };
    chunk(k_primary_slot, "primary", s.primary);
    chunk(k_palettes_slot, "palettes", s.palettes);
    for (size_t i = 0; i < k_pages; ++i) chunk(k_page_slot + i, k_page_names[i], s.pages[i]);
    chunk(k_lights_slot, "lights", s.lights);
    chunk(k_terrain_slot, "terrain", s.terrain);
    chunk(k_texture_animations_slot, "texture_animations", s.texture_animations);
    chunk(k_palette_frames_slot, "palette_frames", s.palette_frames);
    chunk(k_gray_palettes_slot, "gray_palettes", s.gray_palettes);
    chunk(k_mesh_animations_slot, "mesh_animations", s.mesh_animations);
    for (size_t i = 0; i < k_animated_meshes; ++i) chunk(k_animated_slot + i, k_animated_names[i], s.animated[i]);
    chunk(k_render_slot, "render_properties", s.render_properties);
    if (s.render_properties)
      v.there(s.slots[k_render_slot] + RenderProperties::k_head_size, [&] { render_words(v, s); });
  }
  /// Sets the length of the unused part of the table of render properties to the slots that polygons leave.
  void settle();

 private:
  /// For each kind of polygons: the words of polygons with a slot, then the unused slots.
  static constexpr void render_words(auto& v, auto& s) {
    using R = RenderProperties;
    const auto words = [&](Key k, auto kind, size_t slots, Key unused_key, auto& unused) {
      if (s.primary)
        v.inside("primary", [&] {
          size_t i = 0;
          v.each(k, (*s.primary).*kind, [&](auto& p) {
            if (i++ < slots) v("render", p.render);
          });
        });
      v.inside("render_properties", [&] {
        v.implied(slots - std::min(slots, s.primary ? ((*s.primary).*kind).size() : 0), unused);
        v(unused_key, unused);
      });
    };
    auto& r = *s.render_properties;
    words("textured_triangles", &Geometry::textured_triangles, R::k_textured_triangles, "unused_textured_triangles",
          r.unused_textured_triangles);
    words("textured_quads", &Geometry::textured_quads, R::k_textured_quads, "unused_textured_quads",
          r.unused_textured_quads);
    words("untextured_triangles", &Geometry::untextured_triangles, R::k_untextured_triangles,
          "unused_untextured_triangles", r.unused_untextured_triangles);
    words("untextured_quads", &Geometry::untextured_quads, R::k_untextured_quads, "unused_untextured_quads",
          r.unused_untextured_quads);
  }
};

}  // namespace dio::fft
