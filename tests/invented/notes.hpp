// notes.hpp: an invented format of text: numbers in decimal digits, rows of them, lists that something behind them
// ends.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

struct WrittenNote {
  i32 pitch;
  i16 length;
  static constexpr void layout(auto& v, auto& s) {
    v.decimal("pitch", s.pitch, ",");
    v.decimal("length", s.length, ";\n");
  }
};

struct WrittenTune {
  std::vector<WrittenNote> notes;
  static constexpr u8 k_end = '.';
  static constexpr void layout(auto& v, auto& s) {
    v.until("notes", s.notes, [&](const auto&) {
      const u8 next = v.template peek<u8>();  // 0: the file ends, or nothing is read
      return next == k_end || next == 0;
    });
    v.magic(".");
  }
};

struct Notes {
  static constexpr std::endian k_order = std::endian::big;
  u8 width, height;
  std::vector<std::vector<int>> grid;  // wider than in the file, where each is a byte
  std::optional<WrittenTune> tune;
  std::optional<Bytes> raw;
  u64 marks;  // how many '!' stand in what is left
  static constexpr void layout(auto& v, auto& s) {
    v.derive(s.height, s.grid.size());
    v.derive(s.width, s.grid.empty() ? 0 : s.grid[0].size());
    v("width", s.width);
    v("height", s.height);
    v.implied(s.height, s.grid);
    for (auto& row : s.grid) v.implied(s.width, row);
    v.as(u8{}, "grid", s.grid);
    v.infer("marks", s.marks, [&] {
      const ByteView left = v.ahead();
      return u64(std::count(left.begin(), left.end(), '!'));
    });
    v.or_raw("tune", s.tune, true, AtCursor{}, s.raw, [&] { return v.total() - v.here(); });
  }
};

}  // namespace dio::test
