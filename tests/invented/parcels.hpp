// parcels.hpp: an invented container in which any part may be damaged or unknown: what cannot be read is kept raw.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

struct Leaflet {
  u16 id;
  std::string text;
  static constexpr u64 k_least_size = 4;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("l");
    v("id", s.id);
    v.cstring("text", s.text);
  }
};
struct Bundle {
  std::vector<Leaflet> leaflets;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("BUND");
    v.count(u16{}, "count", s.leaflets);
    v("leaflets", s.leaflets);
  }
};
struct Half {
  std::optional<Bundle> bundle;
  std::optional<Bytes> raw;  // one byte, so that what follows may be read
};
/// Parts that may be damaged inside a part that may be.
struct Double {
  std::vector<Half> halves;
  u16 check;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("DOUB");
    v.count(u8{}, "halves", s.halves);
    v.each("halves", s.halves,
           [&](auto& h) { v.or_raw("bundle", h.bundle, true, AtCursor{}, h.raw, [] { return 1; }); });
    v("check", s.check);
    v.require(s.check == 0xC4EC, "the check C4EC");
  }
};

struct Parcel {
  u16 offset;
  u8 kind;
  std::optional<Bytes> raw;
  std::optional<Bundle> bundle;
  std::optional<Double> twice;
  static constexpr u64 k_least_size = 3;
  static constexpr void layout(auto& v, auto& s) {
    v("offset", s.offset);
    v("kind", s.kind);
  }
};

struct Parcels {
  static constexpr std::endian k_order = std::endian::big;
  std::vector<Parcel> parcels;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("PARC");
    v.count(u8{}, "count", s.parcels);
    v("parcels", s.parcels);
    v.each("parcels", s.parcels, [&](auto& p) {
      const auto rest = [&] {
        u64 end = v.total();
        for (const Parcel& other : s.parcels)
          if (other.offset > p.offset) end = std::min<u64>(end, other.offset);
        return end > p.offset ? end - p.offset : 0;
      };
      v.at(0, p.offset, [&] {
        if (p.kind == 2)
          v.or_raw("twice", p.twice, true, AtCursor{}, p.raw, rest);
        else
          v.or_raw("bundle", p.bundle, p.kind == 1, AtCursor{}, p.raw, rest);
        v.require(!p.raw || !p.raw->empty(),
                  "parts that hold something");  // for where it ends, only the next one tells
      });
    });
  }
};

}  // namespace dio::test
