// gns.hpp: MAPnnn.GNS, the list of a map's files: when the game loads each of them, and commands for weather and
// camera.
#pragma once
#include <vector>

#include "formats/fft/layout/enum_names.hpp"
#include "layout/sizer.hpp"

namespace dio::fft {

inline constexpr u64 k_row_size = 20;        // bytes of a row
inline constexpr u8 k_first_command = 0x80;  // the first row of such a type ends the rows of files
inline constexpr u8 k_filler = 0x31;         // the type of rows after the last real one
inline constexpr u16 k_row_mark = 0x3333;    // in all rows
inline constexpr std::array<u8, 4> k_row_end = {0x55, 0x66, 0x77, 0x88};

/// The state of the map for a row: the word that the game compares with the requested state.
struct StateWord {
  bool night;
  u8 weather;       // 0..4 are known
  u16 arrangement;  // 0..5 in practice
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u16{}, bit<1>(Key("night").doc("bit 15 (the wiki's bit 0)"), s.night),
           bit<3>(Key("weather").words(k_weathers).doc("bits 14-12 (the wiki's bits 1-3)"), s.weather),
           bit<12>(Key("arrangement").doc("bits 11-0 (the wiki's bits 4-15)"), s.arrangement));
  }
  /// The word as stored.
  constexpr u16 word() const {
    return u16(unsigned(night) << 15 | unsigned(weather & 7) << 12 | (arrangement & 0xFFF));
  }
  constexpr bool operator==(const StateWord&) const = default;
};

/// A file of the map, or (type 0x80 and above) the end of them.
struct GnsRow {
  u16 variable;
  StateWord state;
  u8 comparison, type;
  u16 mark;
  u32 lba, length;
  std::array<u8, 4> end;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("variable").words(k_variables).doc("the event script variable to compare with the state"), s.variable);
    v("state", s.state);
    v(Key("comparison").words(k_comparisons), s.comparison);
    v(Key("type").words(k_resources).doc("0x80 and above end the list of files"), s.type);
    v(Key("mark").doc("0x3333"), s.mark);
    v(Key("lba").unit("sectors").doc("first sector of the file on the disc"), s.lba);
    v(Key("length").unit("bytes").doc("length of the file in whole sectors of 2,048 bytes"), s.length);
    v(Key("end").doc("55 66 77 88; the game requires the last byte not to be 0"), s.end);
  }
  constexpr bool is_file() const { return type < k_first_command && type != k_filler; }
  constexpr bool operator==(const GnsRow&) const = default;
};
static_assert(wire_size<GnsRow>() == k_row_size);

/// A setting of the map, such as its weather or camera; type 0 ends the list.
struct GnsCommand {
  static constexpr u64 k_head_size = 12, k_end_size = 8;
  u16 variable;
  StateWord state;
  u8 comparison, type;
  u16 mark;
  u8 length;
  std::array<u8, 3> unk_9;
  Bytes payload;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("variable").words(k_variables), s.variable);
    v("state", s.state);
    v(Key("comparison").words(k_comparisons), s.comparison);
    v(Key("type").words(k_commands).doc("0 ends the list"), s.type);
    v("mark", s.mark);
    if (s.type == 0) return;
    v(Key("length").unit("bytes").doc("length of the row: 0x14 or 0x1C"), s.length);
    v("unk_9", s.unk_9);
    v.require(s.length >= k_head_size, "a row of at least 12 bytes");
    v.implied(s.length - k_head_size, s.payload);
    v(Key("payload").doc("s16 numbers: position or rotation of the camera, or the weather modifier"), s.payload);
    v.derive(s.length, s.payload.size() + k_head_size);
  }
  static constexpr u64 k_least_size = k_end_size;
};

/// A GNS file.
struct Gns {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<GnsRow> rows;
  std::vector<GnsCommand> commands;
  static constexpr void layout(auto& v, auto& s) {
    v.until("rows", s.rows, [](const GnsRow& r) { return r.type >= k_first_command; });
    v.until("commands", s.commands, [](const GnsCommand& c) { return c.type == 0; });
  }
};

}  // namespace dio::fft
