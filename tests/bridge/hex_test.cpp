#include "bridge/report/hex.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bridge/hand_spans.hpp"
#include "core/json.hpp"
#include "core/text_format.hpp"

namespace {

using dio::Bytes;
using dio::Key;
using dio::Span;
using dio::Spans;
using dio::u64;
using dio::Value;
using dio::Wire;
using dio::report::hex_html;
using dio::report::hex_json;
using dio::report::hex_text;
using dio::report::HexOptions;
using dio::test::HandSpans;

HandSpans sample() {
  HandSpans h(true);
  h.magic("RKMD");
  h.open("KTPT").count("entries", 1).open("entries", Span::Kind::list).open(Key::element(0));
  h.single(Key("x").unit("units").doc("Where it stands."), 1.5f);
  h.number(Key("kind").words(dio::test::k_kinds), Wire::u16, 3);
  h.close().close().close();
  h.gap({0, 0, 0, 0});
  h.unit(Wire::u16, 0xf803);
  h.bits("high", Wire::u16, 12, 4, 15);
  h.bits("flag", Wire::u16, 11, 1, 1);
  h.bits("low", Wire::u16, 0, 11, 3);
  h.text("name", "ab\x1b", 4);
  std::vector<u64> table;
  for (u64 i = 0; i < 100; ++i) table.push_back(i);
  h.numbers("table", Wire::u16, table);
  h.numbers("point", Wire::i16, {1, u64(-2), 3});
  h.inferred("shape", Wire::u32, 7);
  h.raw("pad", Bytes(6));
  return h;
}

TEST(HexText, PrintsOneLinePerField) {
  HandSpans h = sample();
  EXPECT_EQ(
      hex_text(h.done()),
      "        00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f\n"
      "0x0000  52 4b 4d 44                                       RKMD              magic = \"RKMD\"\n"
      "0x0004              00 01                                     ..            KTPT.entries = 1 (u16, count)\n"
      "0x0006                    3f c0  00 00                          ?...        KTPT.entries[0].x = 1.5 units "
      "(f32)\n"
      "0x000a                                 00 03                        ..      KTPT.entries[0].kind = 3 (moving "
      "road) (u16)\n"
      "0x000c                                       00 00 00 00              ....  gap: 4 bytes, all zero\n"
      "0x0010  f8 03                                             ..                (bits) = 0xf803 (u16)\n"
      "                                                                            high = 15 (bits 12-15)\n"
      "                                                                            flag = 1 (bit 11)\n"
      "                                                                            low = 3 (bits 0-10)\n"
      "0x0012        61 62 1b 00                                   ab..            name = \"ab\\u001b\" (text)\n"
      "0x0016                    00 00  00 01 00 02 00 03 00 04        ..........  table = 100 elements (u16[100]): 0, "
      "1, 2, 3, 4\n"
      "0x0020  00 05 00 06 00 07 00 08  00 09 00 0a 00 0b 00 0c  ................  [5]: 5, 6, 7, 8, 9, 10, 11, 12\n"
      "0x0030  00 0d 00 0e 00 0f 00 10  00 11 00 12 00 13 00 14  ................  [13]: 13, 14, 15, 16, 17, 18, 19, "
      "20\n"
      "0x0040  00 15 00 16 00 17 00 18  00 19 00 1a 00 1b 00 1c  ................  [21]: 21, 22, 23, 24, 25, 26, 27, "
      "28\n"
      "0x0050  ... 142 more bytes, to 0x00dd\n"
      "0x00de                                             00 01                ..  point = [1, -2, 3] (i16[3])\n"
      "0x00e0  ff fe 00 03                                       ....\n"
      "                                                                            shape = 7 (inferred)\n"
      "0x00e4              00 00 00 00  00 00                        ......        pad = 6 bytes, all zero\n");
}

TEST(HexText, ShowsEveryByteOnceWhenUnfolded) {
  HandSpans h = sample();
  const Spans& s = h.done();
  const std::string text = hex_text(s, {.full = true});
  std::string digits;
  size_t start = text.find('\n') + 1;
  while (start < text.size()) {
    const size_t end = text.find('\n', start);
    const std::string line = text.substr(start, std::min<size_t>(end - start, 56));
    if (line.starts_with("0x")) {
      for (const char c : line.substr(6))
        if (c != ' ') digits += c;
    }
    start = end + 1;
  }
  EXPECT_EQ(digits, dio::encode_hex(s.file));
}

/// The notes at the ends of the lines, after the characters.
std::vector<std::string> notes(const std::string& text) {
  std::vector<std::string> all;
  size_t start = text.find('\n') + 1;
  while (start < text.size()) {
    const size_t end = text.find('\n', start);
    all.push_back(end - start > 76 ? text.substr(start + 76, end - start - 76) : "");
    start = end + 1;
  }
  return all;
}

TEST(HexText, ShowsOnlyTheRequestedPart) {
  using Lines = std::vector<std::string>;
  HandSpans h = sample();
  const Spans& s = h.done();
  EXPECT_EQ(notes(hex_text(s, {.unknown_only = true})), Lines{"gap: 4 bytes, all zero"});
  EXPECT_EQ(notes(hex_text(s, {.path = "KTPT.entries[0]"})),
            (Lines{"KTPT.entries[0].x = 1.5 units (f32)", "KTPT.entries[0].kind = 3 (moving road) (u16)"}));
  EXPECT_EQ(notes(hex_text(s, {.path = "flag"})), (Lines{"(bits) = 0xf803 (u16)", "flag = 1 (bit 11)"}));
  EXPECT_EQ(notes(hex_text(s, {.path = "table[7]"})), Lines{"table[7] = 7 (u16)"});
  EXPECT_EQ(notes(hex_text(s, {.path = "shape"})), Lines{"shape = 7 (inferred)"});
  EXPECT_EQ(hex_text(s, {.path = "nothing"}), "");
  EXPECT_EQ(notes(hex_text(s, {.from = 0x31, .to = 0x32})),
            Lines{"table = 100 elements (u16[100]) from [13]: 13, 14, 15, 16, 17, 18, 19, 20"});
  EXPECT_EQ(hex_text(s, {.from = 0x1000}), "");
  EXPECT_EQ(hex_text(Spans()), "");
}

TEST(HexText, ColorsDoNotChangeTheText) {
  HandSpans h = sample();
  const std::string colored = hex_text(h.done(), {.color = true});
  std::string plain;
  for (size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\033')
      i = colored.find('m', i);
    else
      plain += colored[i];
  }
  // Trailing blanks remain in the colored text because the color ends after them.
  std::string expected = hex_text(h.done());
  const auto squeeze = [](std::string s) {
    for (size_t at; (at = s.find(" \n")) != s.npos;) s.erase(at, 1);
    return s;
  };
  EXPECT_EQ(squeeze(plain), squeeze(expected));
  EXPECT_NE(colored, plain);
}

TEST(HexText, AlignsOffsetsOfLongFiles) {
  HandSpans h;
  h.raw("a", Bytes(0x12345));
  h.number("b", Wire::u8, 5);
  const std::string text = hex_text(h.done());
  EXPECT_NE(text.find("\n0x00000  00 00"), std::string::npos);
  EXPECT_NE(text.find("\n0x12345                 05"), std::string::npos) << text;
  EXPECT_EQ(notes(text).back().find("b = 5"), 1u);
}

TEST(HexJson, ListsSpansAndGaps) {
  HandSpans h = sample();
  const Value v = hex_json(h.done());
  EXPECT_EQ(v.find("schema")->text(), "diorama.hex/1");
  EXPECT_EQ(v.find("size")->bits(), h.done().file.size());
  const Value& spans = *v.find("spans");
  EXPECT_EQ(spans.at(2)->find("path")->text(), "KTPT.entries[0].x");
  EXPECT_EQ(spans.at(2)->find("offset")->bits(), 6u);
  EXPECT_EQ(spans.at(2)->find("value")->number(), 1.5);
  EXPECT_EQ(spans.at(2)->find("show")->text(), "1.5 units");
  EXPECT_EQ(spans.at(2)->find("doc")->text(), "Where it stands.");
  const Value& bits = *spans.at(4)->find("bits");
  ASSERT_EQ(bits.size(), 3u);
  EXPECT_EQ(bits.at(1)->find("path")->text(), "flag");
  EXPECT_EQ(bits.at(1)->find("bit")->bits(), 11u);
  ASSERT_EQ(v.find("gaps")->size(), 1u);
  EXPECT_EQ(v.find("gaps")->at(0)->find("hex")->text(), "00000000");
  u64 sum = 0;
  for (const char* list : {"spans", "gaps"})
    for (const Value::Member& m : v.find(list)->members()) sum += m.second.find("size")->bits();
  EXPECT_EQ(sum, h.done().file.size());
}

size_t occurrences(std::string_view text, std::string_view what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// The JSON data in the page.
Value data_of(std::string_view page) {
  const std::string_view start = "id=\"data\">";
  const size_t from = page.find(start) + start.size();
  auto v = dio::json::read(page.substr(from, page.find("</script>", from) - from));
  EXPECT_TRUE(v.has_value()) << (v ? "" : dio::format_one_line(v.error()));
  return v ? *v : Value();
}

TEST(HexHtml, PageNeedsNoExternalResources) {
  HandSpans h = sample();
  const std::string page = hex_html(h.done(), "course.kmp", {}).value();
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  for (const char* word :
       {"http:", "https:", "src=", "href=", "url(", "@import", "innerHTML", "outerHTML", "document.write", "eval("})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(HexHtml, ContainsTheFileAndEverySpan) {
  HandSpans h = sample();
  const Spans& s = h.done();
  dio::Diagnostic d;
  d.severity = dio::Severity::warning;
  d.id = "kmp.test";
  d.place.file = "course.kmp";
  d.place.offset = 6;
  d.place.size = 4;
  d.place.path = "KTPT.entries[0].x";
  d.message = "too far away";
  const Value data = data_of(hex_html(s, "course.kmp", {d}).value());
  // Gaps are in a separate list after the spans.
  EXPECT_EQ(data.find("spans")->size(), s.all.size() + 1 + s.gaps().size());
  EXPECT_EQ(data.find("bytes")->text().substr(0, 8), "UktNRAAB");
  EXPECT_EQ(data.find("bytes")->text().size(), (s.file.size() + 2) / 3 * 4);
  EXPECT_EQ(data.find("findings")->at(0)->find("line")->text(), "0x6 KTPT.entries[0].x: too far away");
  const std::string table = std::to_string(s.find("table")->span);
  ASSERT_NE(data.find("numbers")->find(table), nullptr);
  EXPECT_EQ(data.find("numbers")->find(table)->size(), 100u);
}

TEST(HexHtml, RefusesPagesAboveTheLimit) {
  HandSpans h = sample();
  const Spans& s = h.done();
  const std::string page = hex_html(s, "course.kmp", {}).value();
  EXPECT_EQ(hex_html(s, "course.kmp", {}, page.size()).value(), page);
  const u64 program = page.size() - page.find("</script>");
  for (u64 most : {u64(0), u64(100), u64(page.find("\"numbers\"")), page.size() - program - 10}) {
    const auto refused = hex_html(s, "course.kmp", {}, most);
    ASSERT_FALSE(refused) << most;
    EXPECT_EQ(refused.error().id, "view.size");
    EXPECT_FALSE(refused.error().hint.empty());
  }
}

TEST(HexHtml, NeverTurnsFileTextIntoMarkup) {
  const std::string bad = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)>";
  HandSpans h;
  h.text("name", bad, 80);
  h.text("broken", "\xff\xfe<b>", 8);
  dio::Diagnostic d;
  d.id = bad;
  d.place.path = bad;
  d.message = bad;
  d.hint = bad;
  const std::string clean = hex_html(h.done(), "x", {}).value();
  const std::string page = hex_html(h.done(), "\"><b>" + bad + "\xff", {d}).value();
  for (const char* tag : {"<script", "</script", "<img", "<b>", "<!--"})
    EXPECT_EQ(occurrences(page, tag), occurrences(clean, tag)) << tag;
  EXPECT_EQ(occurrences(page, "</script"), 2u);
  EXPECT_NE(page.find("<title>&quot;&gt;&lt;b&gt;"), std::string::npos);
  EXPECT_TRUE(dio::is_utf8(page));
  EXPECT_EQ(data_of(page).find("findings")->at(0)->find("hint")->text(), bad);
}

}  // namespace
