// trees.hpp: invented formats that try to make a reader lose its way: structures inside structures without end, offsets
// that lead back to where they came from, blocks that many name.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

/// Children by offset: a cycle is possible.
struct Branch {
  u8 value;
  std::vector<Branch> children;
  u16 offset;
  static constexpr u64 k_least_size = 2;
  static constexpr void layout(auto& v, auto& s) {
    v("value", s.value);
    v.count(u8{}, "count", s.children);
    v.each("children", s.children, [&](auto& c) { v("offset", c.offset); });
    v.each("children", s.children, [&](auto& c) { v.at(0, c.offset, "branch", c); });
  }
};
struct Tree {
  static constexpr std::endian k_order = std::endian::big;
  Branch root;
  static constexpr void layout(auto& v, auto& s) { v("root", s.root); }
};

/// Children in place: as deep as the file is long.
struct Shell {
  std::vector<Shell> inner;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u8{}, "count", s.inner);
    v("inner", s.inner);
  }
};
struct Shells {
  static constexpr std::endian k_order = std::endian::big;
  Shell shell;
  static constexpr void layout(auto& v, auto& s) { v("shell", s.shell); }
};

/// Many entries that may all name one block.
struct Copy {
  u16 offset;
  Bytes content;
  static constexpr u64 k_least_size = 2;
  static constexpr void layout(auto& v, auto& s) { v("offset", s.offset); }
};
struct Copies {
  static constexpr std::endian k_order = std::endian::big;
  std::vector<Copy> copies;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u8{}, "copies", s.copies);
    v("copies", s.copies);
    v.each("copies", s.copies, [&](auto& c) {
      v.at(0, to(c.offset).shared(0), [&] {
        v.count(u32{}, "size", c.content);
        v("content", c.content);
      });
    });
  }
};

/// Elements that are much larger in memory than in the file.
struct Heavy {
  std::array<std::array<u64, 64>, 64> table;
  std::string name;
  static constexpr void layout(auto& v, auto& s) { v.cstring("name", s.name); }
};
struct Weights {
  static constexpr std::endian k_order = std::endian::big;
  std::vector<Heavy> heavy;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u32{}, "count", s.heavy);
    v("heavy", s.heavy);
  }
};

}  // namespace dio::test
