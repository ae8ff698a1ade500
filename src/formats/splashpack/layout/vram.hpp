// vram.hpp: the VRAM contents of a pack of v20 or later: a .vram file. Source: engine, scenemanager.cpp.
#pragma once
#include <vector>

#include "formats/splashpack/layout/enum_names.hpp"
#include "layout/field_types.hpp"

namespace dio::splashpack {

struct VramAtlas {
  u16 x = 0, y = 0, width = 0, height = 0;
  Bytes texels;
  static constexpr u64 k_least_size = 8;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("x").unit("words of 16 bits").doc("x in VRAM"), s.x);
    v(Key("y").doc("y in VRAM"), s.y);
    v(Key("width").unit("words of 16 bits"), s.width);
    v("height", s.height);
    v.implied(u64(s.width) * s.height * 2, s.texels);
    v("texels", s.texels);
    v.align(4);
  }
};

struct VramClut {
  u16 x = 0, y = 0, unk_6 = 0;
  std::vector<u16> colors;
  static constexpr u64 k_least_size = 8;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("x").unit("16 words").doc("x in VRAM"), s.x);
    v(Key("y").doc("y in VRAM"), s.y);
    v.count(u16{}, "length", s.colors);
    v(Key("unk_6").doc("0"), s.unk_6);
    v(Key("colors").doc("from the low end 5 bits each of red, green and blue, and 1 bit of semi-transparency"),
      s.colors);
    v.align(4);
  }
};

/// The glyphs of a font: rows of 256 texels of 4 bits.
struct VramFont {
  u8 glyph_width = 0, glyph_height = 0;
  u16 x = 0, y = 0, height = 0;
  Bytes texels;
  static constexpr u64 k_least_size = 12;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("glyph_width").unit("texels"), s.glyph_width);
    v(Key("glyph_height").unit("texels"), s.glyph_height);
    v(Key("x").unit("words of 16 bits").doc("x in VRAM"), s.x);
    v(Key("y").doc("y in VRAM"), s.y);
    v("height", s.height);
    v.count(u32{}, "size", s.texels);
    v("texels", s.texels);
    v.align(4);
  }
};

/// A .vram file.
struct Vram {
  static constexpr std::endian k_order = std::endian::little;
  u8 unk_7 = 0;
  std::vector<VramAtlas> atlases;
  std::vector<VramClut> cluts;
  std::vector<VramFont> fonts;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("VR");
    v.count(u16{}, "atlas_count", s.atlases);
    v.count(u16{}, "clut_count", s.cluts);
    v.count(u8{}, "font_count", s.fonts);
    v(Key("unk_7").doc("0"), s.unk_7);
    v("atlases", s.atlases);
    v("cluts", s.cluts);
    v("fonts", s.fonts);
  }
};

}  // namespace dio::splashpack
