// offsets.hpp: an invented format whose offsets count from the file, from a block, and from an entry; in bytes and in
// units of eight; one of them may lead nowhere.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

struct Item {
  u16 name_offset;   // from the start of this item
  u16 cargo_offset;  // from the start of the block, in units of 8
  u8 kind;
  std::string name;
  Bytes cargo;
  static constexpr u64 k_least_size = 7;
  static constexpr void layout(auto& v, auto& s) {
    v.mark(s);
    v("name_offset", s.name_offset);
    v("cargo_offset", s.cargo_offset);
    v.count(u16{}, "cargo_size", s.cargo);
    v("kind", s.kind);
  }
};

struct Block {
  u16 size;
  std::vector<Item> items;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v.magic("BL");
    v("size", s.size);
    v.count(u8{}, "count", s.items);
    v.align(4, start);
    v("items", s.items);
    v.each("items", s.items, [&](auto& i) { v.at(v.base(i), i.name_offset, [&] { v.cstring("name", i.name); }); });
    v.each("items", s.items, [&](auto& i) { v.at(start, to(i.cargo_offset).unit(8).pad(8), "cargo", i.cargo); });
    v.round(start, 16);
    v.derive(s.size, v.end() - start);
  }
};

struct Remark {
  u32 color;
  static constexpr void layout(auto& v, auto& s) { v("color", s.color); }
};

struct Offsets {
  static constexpr std::endian k_order = std::endian::big;
  u32 size, block_offset;
  u16 remark_offset;
  Block block;
  std::optional<Remark> remark;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("OFFS");
    v("size", s.size);
    v("block_offset", s.block_offset);
    v("remark_offset", s.remark_offset);
    v.at(0, to(s.block_offset).align(16), "block", s.block);
    v.at(0, to(s.remark_offset).align(4), "remark", s.remark);
    v.derive(s.size, v.total());
  }
};

}  // namespace dio::test
