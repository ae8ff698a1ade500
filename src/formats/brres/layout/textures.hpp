// textures.hpp: TEX0 and PLT0: textures and their palettes.
#pragma once
#include "formats/brres/layout/dictionary.hpp"

namespace dio::brres {

/// The header of the files in a BRRES file.
struct FileHeader {
  u32 size = 0, version = 0;
  i32 brres_offset = 0;
};
template <size_t N>
constexpr void file_header(auto& v, auto& s, const char (&magic)[N]) {
  v.magic(magic);
  v(k_size, s.size);
  v("version", s.version);
  v(Key("brres_offset").doc("offset back to the start of the BRRES file (negative)").placement(), s.brres_offset);
}

inline constexpr EnumName k_texture_format_words[] = {{0, "I4"},     {1, "I8"},     {2, "IA4"},    {3, "IA8"},
                                                      {4, "RGB565"}, {5, "RGB5A3"}, {6, "RGBA32"}, {8, "C4"},
                                                      {9, "C8"},     {10, "C14X2"}, {14, "CMPR"}};
inline constexpr EnumNames k_texture_formats{k_texture_format_words};
inline constexpr EnumName k_palette_format_words[] = {{0, "IA8"}, {1, "RGB565"}, {2, "RGB5A3"}};
inline constexpr EnumNames k_palette_formats{k_palette_format_words};
inline constexpr u32 k_with_user_data = 3;  // the version of textures and palettes
inline constexpr Key k_source_path =
                         Key("source_path_offset").doc("offset of the source picture's path; 0: none").placement(),
                     k_user_data = Key("user_data_offset").doc("0: none").placement();

struct Texture : Named {
  FileHeader header;
  u32 data_offset = 0, flags = 0;
  u16 width = 0, height = 0;
  u32 format = 0, level_count = 0;
  f32 min_lod = 0, max_lod = 0;
  i32 source_path_offset = 0, user_data_offset = 0;
  Bytes texels;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    file_header(v, s.header, "TEX0");
    v(Key("data_offset").placement(), s.data_offset);
    v(k_name_offset, s.name_offset);
    v(Key("flags").doc("1: the colours are in a palette"), s.flags);
    v(Key("width").unit("texels"), s.width);
    v(Key("height").unit("texels"), s.height);
    v(Key("format").words(k_texture_formats), s.format);
    v(Key("level_count").doc("number of levels: the picture and its mipmaps, each half as wide and high"),
      s.level_count);
    v("min_lod", s.min_lod);
    v(Key("max_lod").doc("the smallest mipmap that is drawn"), s.max_lod);
    v(k_source_path, s.source_path_offset);
    if (s.header.version >= k_with_user_data) v(k_user_data, s.user_data_offset);
    visit_name(v, start, s);
    v.implied(s.header.size > s.data_offset ? s.header.size - s.data_offset : 0, s.texels);
    v.there(start + s.data_offset, Key("texels").doc("texels of all levels, in blocks"), s.texels);
  }
};

struct Palette : Named {
  FileHeader header;
  u32 data_offset = 0, format = 0;
  u16 unused = 0;
  i32 source_path_offset = 0, user_data_offset = 0;
  std::vector<u16> colors;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    file_header(v, s.header, "PLT0");
    v(Key("data_offset").placement(), s.data_offset);
    v(k_name_offset, s.name_offset);
    v(Key("format").words(k_palette_formats), s.format);
    v.count(u16{}, "count", s.colors);
    v("unused", s.unused);
    v(k_source_path, s.source_path_offset);
    if (s.header.version >= k_with_user_data) v(k_user_data, s.user_data_offset);
    visit_name(v, start, s);
    v.there(start + s.data_offset, "colors", s.colors);
  }
};

}  // namespace dio::brres
