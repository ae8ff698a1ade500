// texture.hpp: the texels of a map: 256 x 1024 with 4 bits each, as four pages of 256 x 256. Palettes are in mesh
// files.
#pragma once
#include <vector>

#include "layout/field_types.hpp"

namespace dio::fft {

inline constexpr u32 k_page_texels = 256;                              // width and height of a page
inline constexpr u64 k_page_size = k_page_texels * k_page_texels / 2;  // bytes: two texels each
inline constexpr u32 k_pages = 4;                                      // of a texture
inline constexpr u64 k_texture_size = k_pages * k_page_size;           // bytes
static_assert(k_texture_size == 131072);

/// 256 rows from the top, each of 256 texels from the left; the left texel of two is in the low half of a byte.
struct TexturePage {
  static constexpr u64 k_least_size = k_page_size;
  Bytes texels;
  static constexpr void layout(auto& v, auto& s) {
    v.implied(k_page_size, s.texels);
    v(Key("texels").doc("4 bits each, rows from the top; the left one of two is in the low bits"), s.texels);
  }
  /// An index into a palette, 0..15; x and y below 256.
  u8 texel(u32 x, u32 y) const {
    const u8 two = texels[y * (k_page_texels / 2) + x / 2];
    return x % 2 ? two >> 4 : two & 15;
  }
};

/// A texture file.
struct Texture {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<TexturePage> pages;
  Bytes rest;  // an incomplete page
  static constexpr void layout(auto& v, auto& s) {
    v.upto([&] { return v.total() / k_page_size; }, s.pages);
    v("pages", s.pages);
    v.upto([&] { return v.total() % k_page_size; }, s.rest);
    v("rest", s.rest);
  }
};

}  // namespace dio::fft
