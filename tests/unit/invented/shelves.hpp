// shelves.hpp: an invented format of tunes that lie in another order than their entries, and that are kept as bytes
// though they have a structure: as textures and display lists of Nitro files.
#pragma once
#include <numeric>

#include "layout/document.hpp"

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
  /// People may leave out the last note's end: a tune ends with a pause.
  void settle() {
    if (notes.back().pitch != 0) notes.push_back({0, 0, 1});
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
    // the order of the tunes is kept when they are placed
    std::vector<u32> order(s.shelves.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](u32 a, u32 b) { return s.shelves[a].offset < s.shelves[b].offset; });
    v.each_in("shelves", s.shelves, order,
              [&](auto& x) { v.at(0, x.offset, [&] { v.template coded<Tune>("tune", x.tune); }); });
  }
};

}  // namespace dio::test
