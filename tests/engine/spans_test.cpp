#include "layout/spans.hpp"

#include <gtest/gtest.h>

#include "bridge/hand_spans.hpp"
#include "core/json.hpp"
#include "formats/contract/format.hpp"

namespace {

using dio::Key;
using dio::Span;
using dio::Spans;
using dio::u64;
using dio::Value;
using dio::Wire;
using dio::test::HandSpans;
using Kind = Span::Kind;

std::string json(const Value& v) { return dio::json::write(v, {.indent = 0}); }

/// The JSON, the readable form and the type of the value at a path.
std::string value(const Spans& s, std::string_view path) {
  const auto spot = s.find(path);
  return spot ? json(s.value(*spot)) : "nothing";
}
std::string show(const Spans& s, std::string_view path) {
  const auto spot = s.find(path);
  return spot ? s.show(*spot) : "nothing";
}
std::string type(const Spans& s, std::string_view path) {
  const auto spot = s.find(path);
  return spot ? s.type(spot->span) : "nothing";
}

HandSpans sample(bool big) {
  HandSpans h(big);
  h.magic("RKMD");
  h.number("version", Wire::u32, 2520);
  h.open("KTPT");
  h.count("entries", 2);
  h.open("entries", Kind::list);
  for (u64 i = 0; i < 2; ++i) {
    h.open(Key::element(i));
    h.open("position").single("x", 1.5f + float(i)).single("y", -0.0f).single("z", 0.1f).close();
    h.number("player", Wire::i16, ~u64(0));
    h.close();
  }
  h.close().close();
  h.gap({0xde, 0xad});
  h.text("name", "abc", 8);
  h.raw("pad_40", {1, 2, 0xff});
  h.numbers("heights", Wire::i16, {u64(-5), 0, 300});
  return h;
}

class SpansInBothByteOrders : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Order, SpansInBothByteOrders, testing::Bool(),
                         [](const auto& p) { return p.param ? "Big" : "Little"; });

TEST_P(SpansInBothByteOrders, ConvertsTheWholeFileToAValue) {
  HandSpans h = sample(GetParam());
  const Spans& s = h.done();
  EXPECT_EQ(json(s.value(0)),
            R"({"version": 2520, "KTPT": {"entries": [{"position": {"x": 1.5, "y": -0.0, "z": 0.1}, "player": -1}, )"
            R"({"position": {"x": 2.5, "y": -0.0, "z": 0.1}, "player": -1}]}, "name": "abc", "pad_40": "0102ff", )"
            R"("heights": [-5, 0, 300]})");
}

TEST_P(SpansInBothByteOrders, FindsValuesByPath) {
  HandSpans h = sample(GetParam());
  const Spans& s = h.done();
  for (dio::u32 i = 1; i < s.all.size(); ++i) {
    if (!s[i].is_value()) continue;
    const auto spot = s.find(s.path(i));
    ASSERT_TRUE(spot) << s.path(i);
    EXPECT_EQ(spot->span, i) << s.path(i);
    EXPECT_EQ(spot->offset, s[i].offset);
    EXPECT_EQ(s.path(*spot), s.path(i));
  }
  EXPECT_EQ(s.path(0), "");
  EXPECT_EQ(s.find("")->span, 0u);
  EXPECT_EQ(s.find("")->size, s.file.size());
  EXPECT_EQ(value(s, "KTPT.entries[1].position.x"), "2.5");
  EXPECT_EQ(value(s, "heights[0]"), "-5");
  EXPECT_EQ(value(s, "heights[2]"), "300");
  EXPECT_EQ(s.path(*s.find("heights[2]")), "heights[2]");
  EXPECT_EQ(value(s, "magic"), "\"RKMD\"");
  // The count has the same name as its list; the path means the list.
  EXPECT_EQ(s[s.find("KTPT.entries")->span].kind, Kind::list);
  for (const char* path : {"heights[3]", "heights[-1]", "heights[]", "heights[0", "heights[0].x", "heights.x", "KTPT.",
                           ".KTPT", "ktpt", "KTPT.entries[2]", "KTPT.entries[1]position", "KTPT..entries", "[0]",
                           "name[0]", "heights[18446744073709551616]", "version "}) {
    EXPECT_FALSE(s.find(path)) << path;
  }
}

TEST_P(SpansInBothByteOrders, FindsTheInnermostValueAtAnOffset) {
  HandSpans h = sample(GetParam());
  const Spans& s = h.done();
  const auto path_at = [&](u64 offset) {
    const auto spot = s.at(offset);
    return spot ? s.path(*spot) : "gap";
  };
  EXPECT_EQ(path_at(0), "magic");
  EXPECT_EQ(path_at(7), "version");
  EXPECT_EQ(path_at(10), "KTPT.entries[0].position.x");
  EXPECT_EQ(path_at(0x16), "KTPT.entries[0].player");
  const auto gaps = s.gaps();
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].size, 2u);
  EXPECT_EQ(path_at(gaps[0].offset), "gap");
  EXPECT_EQ(path_at(gaps[0].offset + 1), "gap");
  EXPECT_EQ(path_at(s.find("heights[1]")->offset), "heights[1]");
  EXPECT_EQ(path_at(s.file.size() - 1), "heights[2]");
  EXPECT_EQ(path_at(s.file.size()), "gap");
  // Every byte of an element leads to that element.
  for (u64 i = 0; i < 3; ++i) {
    const auto spot = s.at(s.find("heights")->offset + 2 * i + 1);
    EXPECT_EQ(spot->element, i);
    EXPECT_EQ(spot->size, 2u);
  }
}

TEST_P(SpansInBothByteOrders, SpansAndGapsAddUpToTheFile) {
  HandSpans h = sample(GetParam());
  const Spans& s = h.done();
  u64 sum = 0, last = 0;
  for (const dio::u32 i : s.leaves()) {
    EXPECT_GE(s[i].offset, last);
    last = s[i].offset;
    sum += s[i].size;
  }
  for (const dio::Gap& g : s.gaps()) sum += g.size;
  EXPECT_EQ(sum, s.file.size());
}

TEST(Spans, FindsGapsAroundOverlappingSpans) {
  Spans s;
  const dio::Bytes file(20);
  s.file = file;
  EXPECT_EQ(s.gaps().size(), 1u);
  const auto add = [&](u64 offset, u64 size) {
    Span x;
    x.key = "a";
    x.kind = Kind::bytes;
    x.offset = offset;
    x.size = size;
    s.all.push_back(x);
  };
  add(10, 4);
  add(4, 8);     // overlaps the previous one
  add(5, 2);     // inside another
  add(16, 100);  // extends beyond the file
  add(500, 4);   // outside
  const auto gaps = s.gaps();
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[0].offset, 0u);
  EXPECT_EQ(gaps[0].size, 4u);
  EXPECT_EQ(gaps[1].offset, 14u);
  EXPECT_EQ(gaps[1].size, 2u);
  EXPECT_EQ(s.at(5)->span, 3u);  // the innermost
  EXPECT_EQ(s.at(10)->span, 1u);
  EXPECT_EQ(json(s.value(5)), "\"\"");
}

TEST(Spans, ReadsNumbersOfEveryType) {
  HandSpans h;
  h.number("big", Wire::u64, ~u64(0));
  h.number("small", Wire::i8, u64(-128));
  h.number("fixed", Wire::i16, u64(-6144), 12);
  h.number("unsigned_fixed", Wire::u16, 0xff00, 8);
  h.number("nan", Wire::f32, 0x7fc00000);
  h.number("signalling", Wire::f32, 0xffa00001);
  h.number("infinity", Wire::f64, 0x7ff0000000000000);
  h.number("pi", Wire::f64, std::bit_cast<u64>(3.141592653589793));
  h.number("tag", Wire::fourcc, 0x4c445444);
  h.number("odd_tag", Wire::fourcc, 0x4c000044);
  h.numbers("tags", Wire::fourcc, {0x41424344});
  h.inferred("how_many", Wire::u32, 7);
  h.inferred("what", Wire::fourcc, 0x4d444c30);
  const Spans& s = h.done();
  EXPECT_EQ(value(s, "big"), "18446744073709551615");
  EXPECT_EQ(value(s, "small"), "-128");
  EXPECT_EQ(value(s, "fixed"), "-1.5");
  EXPECT_EQ(value(s, "unsigned_fixed"), "255.0");
  EXPECT_EQ(value(s, "nan"), "\"0x7fc00000\"");
  EXPECT_EQ(value(s, "signalling"), "\"0xffa00001\"");
  EXPECT_EQ(value(s, "infinity"), "\"0x7ff0000000000000\"");
  EXPECT_EQ(value(s, "pi"), "3.141592653589793");
  EXPECT_EQ(value(s, "tag"), "\"LDTD\"");
  EXPECT_EQ(value(s, "odd_tag"), "\"0x4c000044\"");
  EXPECT_EQ(value(s, "tags[0]"), "\"DCBA\"");  // in file order
  EXPECT_EQ(value(s, "how_many"), "7");
  EXPECT_EQ(value(s, "what"), "\"MDL0\"");
  EXPECT_EQ(show(s, "tag"), "\"LDTD\"");
  EXPECT_EQ(show(s, "odd_tag"), "0x4c000044");
  EXPECT_EQ(show(s, "nan"), "0x7fc00000");
  EXPECT_EQ(type(s, "big"), "u64");
  EXPECT_EQ(type(s, "fixed"), "fx16.12");
  EXPECT_EQ(type(s, "unsigned_fixed"), "ufx16.8");
  EXPECT_EQ(type(s, "tag"), "fourcc");
  EXPECT_EQ(type(s, "tags"), "fourcc[1]");
  EXPECT_EQ(type(s, "how_many"), "inferred");
  // Inferred values have no bytes.
  EXPECT_TRUE(s.gaps().empty());
}

TEST(Spans, ReadsBitFieldsOfAUnit) {
  HandSpans h;
  h.unit(Wire::u16, 0b1111'0101'0000'0011);
  h.bits("high", Wire::u16, 12, 4, u64(-1));  // stored in a signed type
  h.bits("middle", Wire::u16, 4, 8, 0x50);
  h.bits(Key("low").words(dio::test::k_players), Wire::u16, 0, 4, 3);
  const Spans& s = h.done();
  EXPECT_EQ(json(s.value(0)), R"({"high": -1, "middle": 80, "low": 3})");
  EXPECT_EQ(show(s, "low"), "3 (one player, two players)");
  EXPECT_EQ(type(s, "low"), "4 bits");
  EXPECT_EQ(s.leaves().size(), 1u);
  EXPECT_EQ(s[s.at(1)->span].kind, Kind::unit);
  EXPECT_EQ(s.find("low")->offset, 0u);
  EXPECT_EQ(s.find("low")->size, 2u);
}

TEST(Spans, ReadsTextsOrShowsThemAsHex) {
  HandSpans h;
  h.text("plain", "abc", 6);
  h.text("empty", "", 4);
  h.text("inner", std::string_view("a\0b", 3), 4);
  h.text("shift_jis", "\x83\x7d", 4);
  h.text("quotes", "\"\n", 2);
  const Spans& s = h.done();
  EXPECT_EQ(value(s, "plain"), "\"abc\"");
  EXPECT_EQ(value(s, "empty"), "\"\"");
  EXPECT_EQ(value(s, "inner"), "\"a\\u0000b\"");
  EXPECT_EQ(value(s, "shift_jis"), "{\"hex\": \"837d\"}");
  EXPECT_EQ(show(s, "plain"), "\"abc\"");
  EXPECT_EQ(show(s, "quotes"), "\"\\\"\\n\"");
  EXPECT_EQ(show(s, "shift_jis"), "837d");
  EXPECT_EQ(type(s, "plain"), "text");
}

TEST(Spans, ShowsValuesInReadableForm) {
  HandSpans h;
  h.number(Key("kind").words(dio::test::k_kinds), Wire::u16, 3);
  h.number(Key("other").words(dio::test::k_kinds), Wire::u16, 9);
  h.number(Key("players").words(dio::test::k_players), Wire::u8, 5);
  h.number(Key("more").words(dio::test::k_players), Wire::u8, 0x41);
  h.number(Key("nobody").words(dio::test::k_players), Wire::u8, 0);
  h.number(Key("odd").words(dio::test::k_players), Wire::u8, 0x40);
  h.number(Key("size").unit("units"), Wire::f32, std::bit_cast<dio::u32>(1200.0f));
  h.number(Key("time").unit("frames"), Wire::u16, 60);
  h.numbers(Key("point").unit("units"), Wire::i16, {1, u64(-2), 3});
  h.numbers("table", Wire::u8, {1, 2, 3, 4, 5});
  h.raw("one", {0});
  h.open("list", Kind::list).number(Key::element(0), Wire::u8, 1).close();
  h.open("things").number("a", Wire::u8, 1).number("b", Wire::u8, 1).close();
  const Spans& s = h.done();
  EXPECT_EQ(show(s, "kind"), "3 (moving road)");
  EXPECT_EQ(show(s, "other"), "9");
  EXPECT_EQ(show(s, "players"), "5 (one player, 3-4 players)");
  EXPECT_EQ(show(s, "more"), "65 (one player, 0x40)");
  EXPECT_EQ(show(s, "nobody"), "0");
  EXPECT_EQ(show(s, "odd"), "64");
  EXPECT_EQ(show(s, "size"), "1200.0 units");
  EXPECT_EQ(show(s, "time"), "60 frames");
  EXPECT_EQ(show(s, "point"), "[1, -2, 3] units");
  EXPECT_EQ(show(s, "point[1]"), "-2 units");
  EXPECT_EQ(show(s, "table"), "5 elements");
  EXPECT_EQ(show(s, "one"), "1 byte");
  EXPECT_EQ(show(s, "list"), "1 element");
  EXPECT_EQ(show(s, "things"), "2 members");
  EXPECT_EQ(type(s, "list"), "list");
  EXPECT_EQ(type(s, "things"), "object");
  EXPECT_EQ(type(s, "table"), "u8[5]");
  EXPECT_EQ(type(s, "one"), "bytes");
}

TEST(Spans, ReadsBytesPastTheEndAsZeros) {
  HandSpans h;
  h.numbers("n", Wire::u32, {1, 2, 3});
  h.text("t", "abc", 4);
  Spans s = h.done();
  s.file = s.file.first(6);
  EXPECT_EQ(value(s, "n"), "[1, 0, 0]");
  EXPECT_EQ(value(s, "t"), "\"\"");
}

}  // namespace
