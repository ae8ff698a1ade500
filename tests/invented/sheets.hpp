// sheets.hpp: an invented format of pictures and palettes that may share their bytes.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

struct Picture {
  u16 offset;  // from the start of the pool
  u8 width, height;
  Bytes pixels;
  static constexpr u64 k_least_size = 4;
  static constexpr void layout(auto& v, auto& s) {
    v("offset", s.offset);
    v("width", s.width);
    v("height", s.height);
  }
};
struct Palette {
  u16 offset;  // in units of 2 from the start of the file
  std::vector<u16> colors;
  static constexpr u64 k_least_size = 3;
  static constexpr void layout(auto& v, auto& s) {
    v("offset", s.offset);
    v.count(u8{}, "count", s.colors);
  }
};

struct Sheets {
  static constexpr std::endian k_order = std::endian::little;
  u16 pool_offset, pool_size;
  std::vector<Picture> pictures;
  std::vector<Palette> palettes;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("SH");
    v.count(u8{}, "picture_count", s.pictures);
    v.count(u8{}, "palette_count", s.palettes);
    v("pool_offset", s.pool_offset);
    v("pool_size", s.pool_size);
    v("pictures", s.pictures);
    v("palettes", s.palettes);
    for (auto& p : s.pictures) v.implied(p.width * p.height, p.pixels);
    v.at(0, to(s.pool_offset).align(4), [&] {
      const u64 pool = v.here();
      v.each("pictures", s.pictures, [&](auto& p) { v.at(pool, to(p.offset).align(4).shared(1), "pixels", p.pixels); });
      v.derive(s.pool_size, v.end() - pool);
    });
    v.each("palettes", s.palettes, [&](auto& p) { v.at(0, to(p.offset).unit(2).shared(2), "colors", p.colors); });
  }
};

}  // namespace dio::test
