// pack.hpp: a scene pack (splashpack), all layouts of 2025 and of 2026.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "formats/splashpack/layouts.hpp"
#include "layout/walk.hpp"

namespace dio::splashpack {

/// A place or a direction: 4.12, X to the right, Y down, Z ahead. Places are in units of the scaling.
struct Vec16 {
  fx16 x, y, z;
  static constexpr void layout(auto& v, auto& s) {
    v("x", s.x);
    v("y", s.y);
    v("z", s.z);
  }
  constexpr bool operator==(const Vec16&) const = default;
};
/// 20.12.
struct Vec32 {
  fx32 x, y, z;
  static constexpr void layout(auto& v, auto& s) {
    v("x", s.x);
    v("y", s.y);
    v("z", s.z);
  }
  constexpr bool operator==(const Vec32&) const = default;
};

struct Color {
  u8 red, green, blue, unk_3;
  static constexpr void layout(auto& v, auto& s) {
    v("red", s.red);
    v("green", s.green);
    v("blue", s.blue);
    v(Key("unk_3").doc("0"), s.unk_3);
  }
  constexpr bool operator==(const Color&) const = default;
};
struct Uv {
  u8 u, v;
  static constexpr void layout(auto& w, auto& s) {
    w("u", s.u);
    w("v", s.v);
  }
  constexpr bool operator==(const Uv&) const = default;
};

/// A triangle of an object. cross(v1 - v0, v2 - v0) points against the normal, away from whom it is drawn for.
struct Triangle {
  static constexpr u64 k_least_size = 44;
  std::array<Vec16, 3> positions;
  Vec16 normal;  // of the first corner
  std::array<Color, 3> colors;
  std::array<Uv, 3> uvs;
  u16 unk_uvs;
  u16 page, clut_x, clut_y, flags;  // from layout a3 on
  static constexpr void layout(auto& v, auto& s) {
    v("positions", s.positions);
    v(Key("normal").doc("of the first corner, length 1"), s.normal);
    if (!v.since(k_pages_in_triangles)) {
      v(Key("uvs").unit("texels").doc("in the texture page"), s.uvs);
      v(Key("unk_uvs").doc("0"), s.unk_uvs);
      v(Key("colors").doc("128 leaves the texel as it is"), s.colors);
      return;
    }
    v(Key("colors").doc("128 leaves the texel as it is"), s.colors);
    v(Key("uvs").unit("texels").doc("in the texture page"), s.uvs);
    v(Key("unk_uvs").doc("0"), s.unk_uvs);
    v(Key("page").doc("texture page: bits 0-3 x / 64, 4 y / 256, 5-6 semi-transparency, 7-8 depth, 9 dithered; from "
                      "v20 on 0xFFFF: no texture"),
      s.page);
    v(Key("clut_x").unit("16 words").doc("of the palette in video memory"), s.clut_x);
    v(Key("clut_y").doc("of the palette in video memory"), s.clut_y);
    v(Key("flags").doc("from v20 on bit 0: the texture moves with the object's uv_offset; 0 before"), s.flags);
  }
};

/// A part of the floor: what the player walks on.
struct NavTriangle {
  std::array<Vec32, 3> positions;
  static constexpr void layout(auto& v, auto& s) { v("positions", s.positions); }
};
static_assert(wire_size<NavTriangle>() == 36);

/// A Lua file: its text, or what luac_psx makes of it.
struct Script {
  u32 offset = 0;
  Bytes text;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("offset").placement(), s.offset);
    v.count(u32{}, "length", s.text);
  }
  static constexpr u64 k_least_size = 8;
};

struct Box {
  Vec32 min, max;
  static constexpr void layout(auto& v, auto& s) {
    v("min", s.min);
    v("max", s.max);
  }
};

inline constexpr u16 k_no_index = 0xFFFF;

struct Object {
  static constexpr u64 k_least_size = 56;
  u32 offset = 0;
  Vec32 position{};
  std::array<fx32, 9> rotation{{{4096}, {0}, {0}, {0}, {4096}, {0}, {0}, {0}, {4096}}};
  u16 page = 0;                // layouts a1 and a2
  u16 clut_x = 0, clut_y = 0;  // layout a2
  std::array<u16, 256> colors{};
  i16 script = -1;                // from layout d on
  u16 unk_54 = 0;                 // layouts b to c
  u32 flags = 1;                  // from layout e on
  u16 interactable = k_no_index;  // from v20 on
  Uv uv_offset{};
  u32 unk_64 = 0;
  Box box{};
  std::vector<Triangle> triangles;
  static constexpr void layout(auto& v, auto& s) {
    const auto offset = [&] { v(Key("offset").placement().doc("of its triangles"), s.offset); };
    const auto place = [&] {
      v(Key("position").unit("scaling"), s.position);
      v(Key("rotation").doc("row by row"), s.rotation);
    };
    if (!v.since(k_palettes_in_objects)) {
      place();
      v(Key("page").doc("texture page"), s.page);
      v.count(u16{}, "triangle_count", s.triangles);
      offset();
    } else if (!v.since(k_pages_in_triangles)) {
      place();
      v.count(u16{}, "triangle_count", s.triangles);
      v(Key("page").doc("texture page"), s.page);
      v(Key("clut_x").unit("16 words"), s.clut_x);
      v("clut_y", s.clut_y);
      v(Key("colors").doc("the palette: 5 bits red, green, blue from the low end, and semi-transparency"), s.colors);
      offset();
    } else if (!v.since(k_offsets_first)) {
      place();
      offset();
      v.count(u32{}, "triangle_count", s.triangles);
    } else {
      offset();
      place();
      v.count(u16{}, "triangle_count", s.triangles);
      if (v.since(k_scripts))
        v(Key("script").doc("-1: none"), s.script);
      else
        v("unk_54", s.unk_54);
    }
    if (!v.since(k_flags)) return;
    v(Key("flags").doc("bit 0: active; from v20 on bit 4: skinned; v24 bits 16, 17: lit by moving lights"), s.flags);
    if (!v.since(k_sections)) return;
    v(Key("interactable").doc("0xFFFF: none"), s.interactable);
    v(Key("uv_offset").unit("texels").doc("where the moving texture starts"), s.uv_offset);
    v(Key("unk_64").doc("0"), s.unk_64);
    v(Key("box").doc("around the object, in the scene"), s.box);
  }
};

struct Navmesh {
  u32 offset = 0;
  u16 unk_6 = 0;
  std::vector<NavTriangle> triangles;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("offset").placement(), s.offset);
    v.count(u16{}, "triangle_count", s.triangles);
    v(Key("unk_6").doc("0"), s.unk_6);
  }
  static constexpr u64 k_least_size = 8;
};

/// Texels that are put into video memory.
struct Atlas {
  static constexpr u64 k_least_size = 12;
  u32 offset = 0;
  u16 width = 0, height = 0, x = 0, y = 0;
  Bytes texels;  // none from v20 on: they are in the .vram file
  static constexpr void layout(auto& v, auto& s) {
    v(Key("offset").placement(), s.offset);
    v(Key("width").unit("words of 16 bits"), s.width);
    v("height", s.height);
    v(Key("x").unit("words of 16 bits").doc("in video memory"), s.x);
    v(Key("y").doc("in video memory"), s.y);
    if (!v.since(k_sections)) v.implied(u64(s.width) * s.height * 2, s.texels);
  }
};

/// A palette that is put into video memory.
struct Clut {
  static constexpr u64 k_least_size = 12;
  u32 offset = 0;
  u16 x = 0, y = 0, length = 0, unk_a = 0;
  std::vector<u16> colors;  // none from v20 on: they are in the .vram file; in layout a3 always 256
  static constexpr void layout(auto& v, auto& s) {
    const bool is_inside = !v.since(k_offsets_first);
    if (is_inside) {
      v.implied(256, s.colors);
      v(Key("colors").doc("5 bits red, green, blue from the low end, and semi-transparency"), s.colors);
    } else {
      v(Key("offset").placement(), s.offset);
    }
    v(Key("x").unit("16 words").doc("in video memory"), s.x);
    v(Key("y").doc("in video memory"), s.y);
    v(Key("length").doc("how many colours count"), s.length);
    v(Key("unk_a").doc("0"), s.unk_a);
    if (is_inside || v.since(k_sections)) return;
    v.implied(s.length, s.colors);
    v.derive(s.length, s.colors.size());
  }
};

/// A pack.
struct Pack {
  static constexpr std::endian k_order = std::endian::little;
  Layout form = Layout::d;
  u16 version = 1;
  Vec16 start{}, rotation{};  // of the player; from layout c on
  fx16 height{};
  u16 unk_a = 0, unk_c = 0, unk_e = 0;  // layouts a3 to b2
  u16 unk_1a = 0;                       // layout c
  u32 unk_1c = 0;                       // layout d
  i16 script = -1;                      // of the scene; from layout e on
  u16 unk_1e = 0;                       // layout e
  std::vector<Script> scripts;
  std::vector<Object> objects;
  std::vector<Navmesh> navmeshes;
  std::vector<Atlas> atlases;
  std::vector<Clut> cluts;

  static constexpr void layout(auto& v, auto& s) {
    v.infer(Key("layout").words(k_layouts).doc("read off the sizes of the parts, where the version does not say it"),
            s.form, [&] { return layout_of(v.ahead()); });
    v.version(u32(s.form));
    v.magic("SP");
    v(Key("version").doc("1 in all layouts of 2025"), s.version);
    if (v.since(k_scripts)) v.count(u16{}, "script_count", s.scripts);
    v.count(u16{}, "object_count", s.objects);
    if (v.since(k_navmeshes)) v.count(u16{}, "navmesh_count", s.navmeshes);
    v.count(u16{}, "atlas_count", s.atlases);
    if (v.since(k_pages_in_triangles)) v.count(u16{}, "clut_count", s.cluts);
    if (v.since(k_player)) {
      v(Key("start").unit("scaling").doc("where the player starts"), s.start);
      v(Key("rotation").unit("radians").doc("of the player at first"), s.rotation);
      v(Key("height").unit("scaling").doc("of the player's eyes above the floor"), s.height);
    }
    // What fills the header up.
    if (s.form == Layout::a3 || s.form == Layout::b) v("unk_a", s.unk_a);
    if (s.form == Layout::b || s.form == Layout::b2) v("unk_c", s.unk_c), v("unk_e", s.unk_e);
    if (s.form == Layout::c) v("unk_1a", s.unk_1a);
    if (s.form == Layout::d) v("unk_1c", s.unk_1c);
    if (v.since(k_flags)) v(Key("script").doc("of the scene; -1: none"), s.script);
    if (s.form == Layout::e) v("unk_1e", s.unk_1e);
    v.derive(s.version, v.since(k_sections) ? u16(s.form) : u16(1));
    v.require(v.since(k_sections) ? s.version == u16(s.form) : true, "the version of the layout");
    v("scripts", s.scripts);
    v("objects", s.objects);
    v("navmeshes", s.navmeshes);
    v("atlases", s.atlases);
    v("cluts", s.cluts);
    v.each("scripts", s.scripts, [&](auto& e) { v.at(0, to(e.offset).align(4), "text", e.text); });
    v.each("objects", s.objects, [&](auto& e) { v.at(0, to(e.offset).align(4), "triangles", e.triangles); });
    v.each("navmeshes", s.navmeshes, [&](auto& e) { v.at(0, to(e.offset).align(4), "triangles", e.triangles); });
    if (!v.since(k_sections))
      v.each("atlases", s.atlases, [&](auto& e) { v.at(0, to(e.offset).align(4), "texels", e.texels); });
    if (v.since(k_offsets_first) && !v.since(k_sections))
      v.each("cluts", s.cluts, [&](auto& e) { v.at(0, to(e.offset).align(4), "colors", e.colors); });
  }
};

}  // namespace dio::splashpack
