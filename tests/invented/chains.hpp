// chains.hpp: an invented format of links that point to their names from where each of them starts, and of which the
// last one says that it is the last: as the commands that draw a Nitro model.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

struct Link {
  u8 kind, offset;  // from the link
  u16 more;         // of kind 2 alone
  std::string name;
  static constexpr u64 k_least_size = 2;
  static constexpr void layout(auto& v, auto& s) {
    v.mark(s);
    v("kind", s.kind);
    v("offset", s.offset);
    if (s.kind == 2) v("more", s.more);
  }
};
struct Chain {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<Link> links;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("CH");
    v.until("links", s.links, [](auto& l) { return l.kind == 0; });
    v.each("links", s.links, [&](auto& l) { v.at(v.base(l), l.offset, [&] { v.cstring("name", l.name); }); });
  }
};

}  // namespace dio::test
