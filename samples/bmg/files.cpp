// files.cpp: messages made from nothing, one file for each thing that can be different.
#include "formats/bmg/parts.hpp"
#include "samples/samples.hpp"

namespace dio::bmg {

namespace {

struct Line {
  u32 id;
  const char* text;  // as people type it; null: none
};

/// The file for messages, with ids if there is one.
Bmg made(u8 encoding, std::vector<Line> lines, bool with_ids, u16 attributes = 4) {
  Bmg b{};
  b.encoding = encoding;
  b.entry_size = u16(4 + attributes);
  b.is_ordered = 1;
  b.sections = {{k_inf, 0, {}}, {k_dat, 0, {}}};
  if (with_ids) b.sections.push_back({k_mid, 0, {}});
  for (const Line& l : lines) {
    Message m{0, Bytes(attributes), {}, l.id};
    if (attributes) m.attributes[0] = 1;
    if (l.text) m.text = *encoding_of(b).stored(l.text);
    b.messages.push_back(std::move(m));
  }
  return b;
}

std::vector<Line> race() {
  return {{1001, "Go!"},
          {1002, "Lap \\z{801,2}"},
          {1003, "\\c{yellow}1st\\c{off} of 12"},
          {1004, "Press \\u{f067} or \\u{e046,e028}.\nThat is all."},
          {1005, nullptr},
          {1006, ""},
          {2000, "Go!"},  // once in the file
          {2001, "\\z{c02,1002200330044}\\z{e03,1,2000300040005}"},
          {0x6000, "50 € \\\\ Ænd ÿ"}};
}

/// As of games that tell when something is said: sections that are kept as they are.
Bmg with_flow() {
  Bmg b = made(k_shift_jis, {{0, "レースを はじめる?"}, {1, "ｶﾀｶﾅ ¥100"}, {2, "\\z{704,0}亜熙\\x{81}"}}, false, 16);
  b.group = 7;
  b.sections.push_back({fourcc("FLW1"), 0, Bytes{0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2}});
  b.sections.push_back({fourcc("FLI1"), 0, Bytes{0, 1, 0, 8, 0, 0, 0, 0}});
  b.sections.push_back({fourcc("STR1"), 0, Bytes{0, 'a', 0, 'b', 0}});
  return b;
}

/// Texts in another order than their messages, one in the end of another, and bytes that no message leads to.
Bytes by_hand() {
  Bytes b = bytes_of(made(k_utf16, {{7, "ab"}, {8, "cd"}, {9, "ef"}}, true));
  const auto offset = [&](size_t message) -> u8& { return b[0x20 + 16 + 8 * message + 3]; };
  std::swap(offset(0), offset(1));
  offset(2) = u8(offset(1) + 2);
  return b;
}

}  // namespace

static std::vector<Sample> files() {
  return {
      {"race.bmg", "UTF-16, with ids, escapes and attributes", bytes_of(made(k_utf16, race(), true))},
      {"plain.bmg", "Windows-1252, without ids",
       bytes_of(made(k_cp1252, {{0, "50 €"}, {1, "Lap \\z{801,2}\\c{red1}"}, {2, nullptr}}, false, 0))},
      {"gamecube.bmg", "its size in blocks", bytes_of(made(k_legacy, {{0, "Start"}, {1, "\\z{600,0}End"}}, false, 8))},
      {"flow.bmg", "Shift JIS, with sections that say when messages are shown", bytes_of(with_flow())},
      {"utf8.bmg", "UTF-8", bytes_of(made(k_utf8, {{3, "日本 \\u{1f067}"}, {4, "\\x{ff}é"}}, true))},
      {"by_hand.bmg", "texts in another order than messages, and in each other", by_hand()},
      {"none.bmg", "no messages", bytes_of(made(k_utf16, {}, true))},
  };
}

std::span<const SampleList> samples() {
  static constexpr SampleList k_lists[] = {{"bmg", files}};
  return k_lists;
}

}  // namespace dio::bmg
