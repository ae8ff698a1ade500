// letters.hpp: an invented format whose gaps are not zeros and that ends in a checksum: as archives and cartridges.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

struct Page {
  u8 offset;
  Bytes words;
  static constexpr u64 k_least_size = 2;
  static constexpr void layout(auto& v, auto& s) {
    v("offset", s.offset);
    v.count(u8{}, "size", s.words);
  }
};
struct Letter {
  static constexpr std::endian k_order = std::endian::little;
  static constexpr u8 k_fill = 0xee;
  u8 sum;  // of all bytes but itself
  std::vector<Page> pages;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("LT");
    v("sum", s.sum);
    v.count(u8{}, "count", s.pages);
    v("pages", s.pages);
    v.each("pages", s.pages, [&](auto& p) { v.at(0, to(p.offset).align(4).pad(4), "words", p.words); });
  }
  static void seal(Bytes& file) {
    if (file.size() < 3) return;
    u8 sum = u8(-file[2]);
    for (u8 b : file) sum = u8(sum + b);
    file[2] = sum;
  }
};

}  // namespace dio::test
