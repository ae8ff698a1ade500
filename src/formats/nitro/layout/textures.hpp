// textures.hpp: block TEX0: textures and palettes. Specification: README.md, "Textures".
#pragma once
#include <algorithm>

#include "core/sorting.hpp"
#include "formats/nitro/layout/dictionary.hpp"

namespace dio::nitro {

inline constexpr EnumName k_texture_format_words[] = {{0, "none"},      {1, "a3i5"},       {2, "palette4"},
                                                      {3, "palette16"}, {4, "palette256"}, {5, "block4x4"},
                                                      {6, "a5i3"},      {7, "direct"}};
inline constexpr EnumNames k_texture_formats{k_texture_format_words};
inline constexpr u8 k_block4x4 = 5;

struct Texture {
  std::string name;
  u16 offset;
  u8 unused_16, width_code, height_code, format, color0_clear, unused_30;
  u16 original_width, original_height, unused_22;
  u8 same_size;
  Bytes texels, blocks;
  static constexpr u64 k_unit = 8, k_least_size = 8;
  constexpr u32 width() const { return 8u << width_code; }
  constexpr u32 height() const { return 8u << height_code; }
  constexpr u64 texel_size() const {
    constexpr u8 bits[8] = {0, 8, 2, 4, 8, 2, 8, 16};
    return u64(width()) * height() * bits[format & 7] / 8;
  }
  static constexpr void entry(auto& v, auto& s) {
    v.bits(u32{}, bit<2>("unused_30", s.unused_30),
           bit<1>(Key("color0_clear").doc("colour 0 of the palette is transparent"), s.color0_clear),
           bit<3>(Key("format").words(k_texture_formats), s.format),
           bit<3>(Key("height_code").doc("the height is 8 << n texels"), s.height_code),
           bit<3>(Key("width_code").doc("the width is 8 << n texels"), s.width_code), bit<4>("unused_16", s.unused_16),
           bit<16>(Key("offset").doc("offset of the texels").unit("8 bytes").placement(), s.offset));
    v.bits(u32{}, bit<1>(Key("same_size").doc("1: the original size equals the size"), s.same_size),
           bit<9>("unused_22", s.unused_22), bit<11>(Key("original_height").unit("texels"), s.original_height),
           bit<11>(Key("original_width").unit("texels"), s.original_width));
  }
};

struct Palette {
  std::string name;
  u16 offset;
  u16 four_colors;
  std::vector<u16> colors;  // RGB555
  static constexpr u64 k_unit = 4, k_least_size = 4;
  static constexpr void entry(auto& v, auto& s) {
    v(Key("offset").doc("offset of the colours").unit("8 bytes").placement(), s.offset);
    v(Key("four_colors")
          .doc("1: four-colour palette, which the hardware addresses in units of 8 bytes; 0: units of 16 bytes"),
      s.four_colors);
  }
};

struct Textures {
  u32 offset, size, vram_key_08, texels_offset, vram_key_18, texels_4x4_offset, blocks_4x4_offset, vram_key_2c,
      colors_offset;
  u16 texels_size, textures_offset, flag_10, pad_12, texels_4x4_size, textures_offset_1e, flag_20, pad_22, colors_size,
      flag_32, palettes_offset, pad_36;
  Dictionary texture_dictionary, palette_dictionary;
  std::vector<Texture> textures;
  std::vector<Palette> palettes;

  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v.magic("TEX0");
    v(Key("size").unit("bytes").placement(), s.size);
    v("vram_key_08", s.vram_key_08);
    v(Key("texels_size").unit("8 bytes").placement(), s.texels_size);
    v(Key("textures_offset").placement(), s.textures_offset);
    v("flag_10", s.flag_10);
    v("pad_12", s.pad_12);
    v(Key("texels_offset").placement(), s.texels_offset);
    v("vram_key_18", s.vram_key_18);
    v(Key("texels_4x4_size").unit("8 bytes").placement(), s.texels_4x4_size);
    v(Key("textures_offset_1e").doc("a copy of textures_offset").placement(), s.textures_offset_1e);
    v("flag_20", s.flag_20);
    v("pad_22", s.pad_22);
    v(Key("texels_4x4_offset").placement(), s.texels_4x4_offset);
    v(Key("blocks_4x4_offset")
          .doc("offset of the palette indices of 4x4 blocks, half as long as the texels")
          .placement(),
      s.blocks_4x4_offset);
    v("vram_key_2c", s.vram_key_2c);
    v(Key("colors_size").unit("8 bytes").placement(), s.colors_size);
    v(Key("flag_32").doc("0x8000: the file has a four-colour palette"), s.flag_32);
    v(Key("palettes_offset").placement(), s.palettes_offset);
    v("pad_36", s.pad_36);
    v(Key("colors_offset").placement(), s.colors_offset);
    v.at(start, s.textures_offset, [&] {
      dictionary_layout<Texture>(v, "texture_dictionary", s.texture_dictionary, "textures", s.textures, k_texture_name);
    });
    v.derive(s.textures_offset_1e, s.textures_offset);
    v.at(start, s.palettes_offset, [&] {
      dictionary_layout<Palette>(v, "palette_dictionary", s.palette_dictionary, "palettes", s.palettes, k_palette_name);
    });

    const auto is_4x4 = [](const Texture& t) { return t.format == k_block4x4; };
    for (auto& t : s.textures) {
      v.implied(t.texel_size(), t.texels);
      v.implied(is_4x4(t) ? t.texel_size() / 2 : 0, t.blocks);
    }
    // Texels and colours are visited in file order, which the artist chose, not in name order.
    const auto textures = order_by_offset(s.textures), palettes = order_by_offset(s.palettes);
    const auto sizes = palette_color_counts(s, palettes);
    for (size_t i = 0; i < palettes.size(); ++i) v.implied(sizes[i], s.palettes[palettes[i]].colors);

    const auto texels = [&](auto& offset, auto& size, bool blocks) {
      v.at(start, to(offset).align(4), [&] {
        const u64 base = v.here();
        v.each_in("textures", s.textures, textures, [&](auto& t) {
          if (is_4x4(t) == blocks && t.format)
            v.at(base, to(t.offset).unit(8).shared(base + first_texture_with_blocks(s, t)), "texels", t.texels);
        });
        v.derive(size, (v.end() - base) / 8);
      });
    };
    texels(s.texels_offset, s.texels_size, false);
    texels(s.texels_4x4_offset, s.texels_4x4_size, true);
    v.at(start, s.blocks_4x4_offset, [&] {
      const u64 base = v.here();
      v.each_in("textures", s.textures, textures, [&](auto& t) {
        if (is_4x4(t)) v.there(base + u64(t.offset) * 4, "blocks", t.blocks);
      });
    });
    v.at(start, to(s.colors_offset).align(4), [&] {
      const u64 base = v.here();
      v.each_in("palettes", s.palettes, palettes,
                [&](auto& p) { v.at(base, to(p.offset).unit(8).align(16).pad(16).shared(base), "colors", p.colors); });
      v.derive(s.colors_size, (v.end() - base) / 8);
    });
    v.derive(s.size, v.end() - start);
  }

 private:
  /// Textures with different blocks cannot share texels, because the blocks are at half the offset of the texels.
  static u64 first_texture_with_blocks(const Textures& s, const Texture& t) {
    if (t.blocks.empty()) return 0;
    const auto first =
        std::find_if(s.textures.begin(), s.textures.end(), [&](const Texture& o) { return o.blocks == t.blocks; });
    return u64(first - s.textures.begin() + 1) << 32;
  }
  static constexpr std::vector<u32> order_by_offset(const auto& xs) {
    std::vector<u32> order(xs.size());
    for (u32 i = 0; i < order.size(); ++i) order[i] = i;
    sort_stably(order, [&](u32 a, u32 b) { return xs[a].offset < xs[b].offset; });
    return order;
  }
  /// The number of colours of each palette, in file order. The number is not stored: a palette ends where the next one
  /// starts.
  static std::vector<u64> palette_color_counts(const Textures& s, const std::vector<u32>& order) {
    std::vector<u64> sizes(order.size());
    u64 next = s.colors_size, same = s.colors_size;
    for (size_t i = order.size(); i-- > 0;) {
      const u64 at = s.palettes[order[i]].offset;
      if (at < same) next = same, same = at;
      sizes[i] = next > at ? (next - at) * 4 : 0;
    }
    return sizes;
  }
};

}  // namespace dio::nitro
