// versions.hpp: two invented formats that changed over time: one says its version, the other leaves it to be inferred
// from how much room its entries have.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

inline constexpr u32 k_weight = 2, k_wide_id = 3, k_no_color = 4;

struct Thing {
  u16 id;
  u8 color, weight;
  static constexpr void layout(auto& v, auto& s) {
    if (v.since(k_wide_id))
      v("id", s.id);
    else
      v.as(u8{}, "id", s.id);
    if (!v.since(k_no_color)) v("color", s.color);
    if (v.since(k_weight)) v("weight", s.weight);
  }
};
static_assert(FixedSize<Thing>);
static_assert(wire_size<Thing>(1) == 2 && wire_size<Thing>(2) == 3 && wire_size<Thing>(3) == 4 &&
              wire_size<Thing>(4) == 3);

struct Versions {
  static constexpr std::endian k_order = std::endian::big;
  u8 version;
  std::string author;
  std::vector<Thing> things;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("VER");
    v("version", s.version);
    v.require(s.version >= 1 && s.version <= 4, "version 1 to 4");
    v.version(s.version);
    if (v.since(k_wide_id)) v.text(16, "author", s.author);
    if (v.since(k_weight))
      v.count(u16{}, "things", s.things);
    else
      v.count(u8{}, "things", s.things);
    v("things", s.things);
  }
};

/// No version stands in it: what is left for each thing tells.
struct Unversioned {
  static constexpr std::endian k_order = std::endian::big;
  u8 inferred;
  std::vector<Thing> things;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("OLD");
    v.count(u8{}, "count", s.things);
    v.infer("inferred", s.inferred, [&]() -> u8 {
      const u64 each = s.things.empty() ? 0 : (v.total() - v.here()) / s.things.size();
      return each >= 4 ? 3 : each == 3 ? 2 : 1;
    });
    v.with_version(s.inferred, [&] { v("things", s.things); });
  }
};

}  // namespace dio::test
