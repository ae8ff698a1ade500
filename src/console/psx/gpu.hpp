// gpu.hpp: the PlayStation's GPU: its VRAM, and the words that refer to texels. Source:
// psx-spx, GPU.
#pragma once
#include <algorithm>

#include "core/bytes.hpp"

namespace dio::psx {

/// A vertex colour that leaves texels unchanged; 255 draws them about twice as bright.
inline constexpr u8 k_neutral = 128;

// Video memory, in words of 16 bits.
inline constexpr u32 k_video_width = 1024, k_video_height = 512;
inline constexpr u32 k_page_width = 64, k_page_height = 256;  // the grid of texture pages; a page is 256 texels wide
inline constexpr u32 k_most_side = 256;                       // of a texture, in texels: a coordinate is a byte

/// The UV of a texel in a texture page.
struct Uv {
  u8 u, v;
  static constexpr void layout(auto& w, auto& s) {
    w("u", s.u);
    w("v", s.v);
  }
  constexpr bool operator==(const Uv&) const = default;
};

/// The fields of a texture page word. Source: psx-spx, GPU, texpage attribute.
struct TexturePage {
  u16 x, y;              // of its upper left word in VRAM
  u8 depth;              // 0: 4 bits per texel, 1: 8, 2: 16
  u8 semi_transparency;  // 0..3
  bool dithered;
  static constexpr TexturePage from_word(u16 word) {
    return {u16((word & 15) * k_page_width), u16((word >> 4 & 1) * k_page_height), u8(word >> 7 & 3), u8(word >> 5 & 3),
            bool(word >> 9 & 1)};
  }
  constexpr u16 word() const {
    return u16(x / k_page_width | y / k_page_height << 4 | semi_transparency << 5 | depth << 7 | u16(dithered) << 9);
  }
  constexpr u32 texels_per_word() const { return depth == 0 ? 4 : depth == 1 ? 2 : 1; }
};

/// Video memory, in words of 16 bits.
struct Rect {
  u32 x = 0, y = 0, width = 0, height = 0;
  constexpr bool overlaps(const Rect& o) const {
    return x < o.x + o.width && o.x < x + width && y < o.y + o.height && o.y < y + height;
  }
  constexpr bool contains(u32 at_x, u32 at_y) const {
    return x <= at_x && at_x < x + width && y <= at_y && at_y < y + height;
  }
  constexpr bool operator==(const Rect&) const = default;
};

/// The smallest rectangle that contains both.
constexpr Rect bounding_rect(const Rect& a, const Rect& b) {
  const u32 x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.x + a.width, b.x + b.width) - x, std::max(a.y + a.height, b.y + b.height) - y};
}

}  // namespace dio::psx
