// shelves.hpp: an invented format of tunes that lie in another order than their entries, and that are kept as bytes
// though they have a structure: as textures and display lists of Nitro files.
#pragma once
#include <numeric>

#include "layout/walks.hpp"

namespace dio::test {

struct Note {
  u8 pitch, length;
  u16 pause;  // of pitch 0 alone
  static constexpr u64 k_least_size = 2;
  static constexpr void layout(auto& v, auto& s) {
    v("pitch", s.pitch);
    v("length", s.length);
    v.require(s.pitch < 128, "a pitch below 128");
    if (s.pitch == 0) v("pause", s.pause);
  }
};
/// What the bytes of a tune are.
struct Tune {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<Note> notes;
  static constexpr void layout(auto& v, auto& s) {
    v.until("notes", s.notes, [&](auto&) { return v.here() >= v.total(); });
  }
};

struct Shelf {
  u8 offset;
  Bytes tune;
  static constexpr u64 k_least_size = 2;
  static constexpr void layout(auto& v, auto& s) {
    v("offset", s.offset);
    v.count(u8{}, "size", s.tune);
  }
};
struct Shelves {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<Shelf> shelves;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("SV");
    v.count(u8{}, "count", s.shelves);
    v("shelves", s.shelves);
    // The order of the tunes is kept when they are placed; of those at one place, what is empty comes first.
    const auto place = [&](u32 i) { return std::pair(s.shelves[i].offset, !s.shelves[i].tune.empty()); };
    std::vector<u32> order(s.shelves.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return place(a) < place(b); });
    v.each_in("shelves", s.shelves, order,
              [&](auto& x) { v.at(0, x.offset, [&] { v.template coded<Tune>("tune", x.tune); }); });
  }
};

}  // namespace dio::test
