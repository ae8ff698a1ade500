#include "core/json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <set>
#include <sstream>

namespace {

using dio::Diagnostic;
using dio::Value;
namespace json = dio::json;

Value parsed(std::string_view text) {
  auto v = json::read(text);
  EXPECT_TRUE(v.has_value()) << text << ": " << (v ? "" : dio::format_one_line(v.error()));
  return v ? *std::move(v) : Value();
}

Diagnostic refused(std::string_view text) {
  auto v = json::read(text);
  EXPECT_FALSE(v.has_value()) << text;
  return v ? Diagnostic() : v.error();
}

std::string one_line(const Value& v) { return json::write(v, {.indent = 0}); }

TEST(JsonWrite, WritesScalarValues) {
  EXPECT_EQ(one_line(Value()), "null");
  EXPECT_EQ(one_line(Value(true)), "true");
  EXPECT_EQ(one_line(Value(false)), "false");
  EXPECT_EQ(one_line(Value(-1)), "-1");
  EXPECT_EQ(one_line(Value(~dio::u64(0))), "18446744073709551615");
  EXPECT_EQ(one_line(Value(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(one_line(Value("a\"b\\c\n\t\x01\x7f")), "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\"");
  EXPECT_EQ(one_line(Value("caf\xc3\xa9 \xe6\xbc\xa2")), "\"caf\xc3\xa9 \xe6\xbc\xa2\"");
}

TEST(JsonWrite, WritesRealsInShortestForm) {
  EXPECT_EQ(one_line(Value(0.1f)), "0.1");
  EXPECT_EQ(one_line(Value(double(0.1f))), "0.10000000149011612");
  EXPECT_EQ(one_line(Value(1.0)), "1.0");
  EXPECT_EQ(one_line(Value(100000.0f)), "100000.0");
  EXPECT_EQ(one_line(Value(-0.0f)), "-0.0");
  EXPECT_EQ(one_line(Value(-0.0)), "-0.0");
  EXPECT_EQ(one_line(Value(1e30f)), "1e+30");
  EXPECT_EQ(one_line(Value(1e-20)), "1e-20");
  EXPECT_EQ(one_line(Value(3.4028235e38f)), "3.4028235e+38");
  EXPECT_EQ(one_line(Value(5e-324)), "5e-324");
}

TEST(JsonWrite, ReplacesValuesThatJsonCannotExpress) {
  EXPECT_EQ(one_line(Value(std::bit_cast<float>(0x7fc00000u))), "\"0x7fc00000\"");
  EXPECT_EQ(one_line(Value(-HUGE_VAL)), "\"0xfff0000000000000\"");
  EXPECT_EQ(one_line(Value("a\xff z")), "\"a\xef\xbf\xbd z\"");
}

TEST(JsonWrite, PutsShortContainersOnOneLine) {
  Value v = Value::object();
  v.add("name", "abc");
  Value& point = v.add("point", Value::list());
  for (int i = 0; i < 3; ++i) point.push(i);
  v.add("none", Value::list());
  v.add("empty", Value::object());
  EXPECT_EQ(json::write(v), R"({"name": "abc", "point": [0, 1, 2], "none": [], "empty": {}})");
  EXPECT_EQ(json::write(v, {.indent = 2, .width = 40}),
            "{\n"
            "  \"name\": \"abc\",\n"
            "  \"point\": [0, 1, 2],\n"
            "  \"none\": [],\n"
            "  \"empty\": {}\n"
            "}");
  // A width equal to the text fits on one line; a width one smaller does not.
  const int width = int(json::write(v).size());
  EXPECT_EQ(json::write(v, {.indent = 2, .width = width}).find('\n'), std::string::npos);
  EXPECT_NE(json::write(v, {.indent = 2, .width = width - 1}).find('\n'), std::string::npos);
}

/// Counts the lines of a text that another text lacks.
size_t lines_of_its_own(const std::string& text, const std::string& other) {
  std::multiset<std::string> lines;
  std::istringstream in(other);
  for (std::string line; std::getline(in, line);) lines.insert(line);
  size_t own = 0;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);)
    if (const auto found = lines.find(line); found != lines.end())
      lines.erase(found);
    else
      ++own;
  return own;
}

TEST(JsonWrite, LineBreaksByCountKeepDiffsSmall) {
  const json::Style style{.indent = 1, .by_count = true};
  const auto point = [](int x) {
    Value p = Value::object();
    Value& position = p.add("position", Value::object());
    for (const char* axis : {"x", "y", "z"}) position.add(axis, x);
    Value& corners = p.add("corners", Value::list());
    for (int i = 0; i < 3; ++i) corners.push(Value::object()).add("u", i);
    Value& row = p.add("row", Value::list());
    for (int i = 0; i < 40; ++i) row.push(i);
    return p;
  };
  Value list = Value::list();
  for (int i = 0; i < 5; ++i) list.push(point(i));
  const std::string before = json::write(list, style);
  EXPECT_EQ(before.substr(0, before.find(" 16,")),
            "[\n"
            " {\n"
            "  \"position\": {\"x\": 0, \"y\": 0, \"z\": 0},\n"
            "  \"corners\": [{\"u\": 0}, {\"u\": 1}, {\"u\": 2}],\n"
            "  \"row\": [\n"
            "   0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,");
  Value changed = list;
  *changed.members()[2].second.find("position")->find("x") = Value(-1234567890);
  changed.members()[4].second.find("row")->members()[3].second = Value(-1234567890);
  EXPECT_EQ(lines_of_its_own(json::write(changed, style), before), 2u);
  Value longer = Value::list();
  longer.push(point(9));
  for (size_t i = 0; i < list.size(); ++i) longer.push(*list.at(i));
  EXPECT_EQ(lines_of_its_own(before, json::write(longer, style)), 0u);
  EXPECT_TRUE(parsed(json::write(longer, style)) == longer);
}

TEST(JsonWrite, FillsLinesWithLongNumberLists) {
  Value v = Value::object();
  Value& list = v.add("n", Value::list());
  for (int i = 100; i < 112; ++i) list.push(i);
  EXPECT_EQ(json::write(v, {.indent = 2, .width = 30}),
            "{\n"
            "  \"n\": [\n"
            "    100, 101, 102, 103, 104,\n"
            "    105, 106, 107, 108, 109,\n"
            "    110, 111\n"
            "  ]\n"
            "}");
}

TEST(JsonWrite, KeepsLinesWithinTheWidth) {
  std::mt19937 random(7);
  Value root = Value::object();
  for (int i = 0; i < 200; ++i) {
    Value& entry = root.add("entry" + std::to_string(i), Value::object());
    Value& list = entry.add("values", Value::list());
    for (unsigned n = random() % 40; n; --n) list.push(int(random() % 100000));
    entry.add("id", i);
  }
  for (int width : {30, 60, 100}) {
    const std::string text = json::write(root, {.indent = 2, .width = width});
    size_t start = 0;
    while (start < text.size()) {
      size_t end = text.find('\n', start);
      if (end == text.npos) end = text.size();
      EXPECT_LE(end - start, size_t(width));
      start = end + 1;
    }
    EXPECT_EQ(parsed(text), root);
  }
}

TEST(JsonRead, KeepsValueKindsAndMemberOrder) {
  const Value v = parsed(R"({"z": 1, "a": [null, true, -5, 1.0, "x"], "m": {}})");
  ASSERT_EQ(v.size(), 3u);
  EXPECT_EQ(v.members()[0].first, "z");
  EXPECT_EQ(v.members()[1].first, "a");
  const Value& a = *v.find("a");
  EXPECT_TRUE(a.at(0)->is(Value::Kind::null));
  EXPECT_TRUE(a.at(1)->boolean());
  EXPECT_TRUE(a.at(2)->negative());
  EXPECT_TRUE(a.at(3)->is(Value::Kind::real));
  EXPECT_EQ(a.at(4)->text(), "x");
  EXPECT_EQ(a.at(5), nullptr);
  EXPECT_EQ(v.find("q"), nullptr);
}

TEST(JsonRead, Reads64BitIntegersExactly) {
  EXPECT_EQ(parsed("18446744073709551615"), Value(~dio::u64(0)));
  EXPECT_EQ(parsed("-9223372036854775808"), Value(INT64_MIN));
  EXPECT_EQ(refused("18446744073709551616").id, "json.syntax");
  EXPECT_EQ(refused("-9223372036854775809").id, "json.syntax");
  EXPECT_EQ(refused("1e999").id, "json.syntax");
}

TEST(JsonRead, RecordsLineAndColumnOfValues) {
  const Value v = parsed("{\n  \"caf\xc3\xa9\": 12,\n  \"b\": [1,\n -2.5, \"x\"],\n\"c\": {\"d\": true}\n}\n");
  EXPECT_EQ(v.line, 1u);
  EXPECT_EQ(v.column, 1u);
  const auto at = [](const Value* x) { return std::pair(x->line, x->column); };
  EXPECT_EQ(at(v.find("caf\xc3\xa9")), std::pair(2u, 11u));
  EXPECT_EQ(at(v.find("b")), std::pair(3u, 8u));
  EXPECT_EQ(at(v.find("b")->at(0)), std::pair(3u, 9u));
  EXPECT_EQ(at(v.find("b")->at(1)), std::pair(4u, 2u));
  EXPECT_EQ(at(v.find("b")->at(2)), std::pair(4u, 8u));
  EXPECT_EQ(at(v.find("c")->find("d")), std::pair(5u, 12u));
  EXPECT_EQ(at(parsed("\xef\xbb\xbf [3]").at(0)), std::pair(1u, 3u));
}

TEST(JsonRead, ErrorsNameLineAndColumn) {
  struct Case {
    const char *text, *id, *place, *expected, *found;
  };
  const Case cases[] = {
      {"", "json.syntax", "line 1, column 1", "a value", "the end of the text"},
      {"{\"a\": 1,\n \"b\": tru}", "json.syntax", "line 2, column 7", "a value", "'tru'"},
      {"[1, 2", "json.syntax", "line 1, column 6", "',' or ']'", "the end of the text"},
      {"[1,]", "json.syntax", "line 1, column 4", "a value", "']'"},
      {"[1 2]", "json.syntax", "line 1, column 4", "',' or ']'", "'2'"},
      {"{\"a\" 1}", "json.syntax", "line 1, column 6", "':'", "'1'"},
      {"{a: 1}", "json.syntax", "line 1, column 2", "a name in quotes", "'a'"},
      {"{\"a\": 1} x", "json.syntax", "line 1, column 10", "the end of the text", "'x'"},
      {"{\"a\": 1} 22", "json.syntax", "line 1, column 10", "the end of the text", "'22'"},
      {"\"abc", "json.syntax", "line 1, column 1", "", "invalid string: missing closing quote"},
      {"[\n01]", "json.syntax", "line 2, column 1", "',' or ']'", "'01'"},
      {"{\"a\": 1, \"b\": 2,\n \"a\": 3}", "json.duplicate-key", "line 2, column 2", "", "duplicate name 'a'"},
      {"[\"\xc3\xa9\xff\"]", "json.utf8", "line 1, column 4", "UTF-8 text", "the byte 0xff"},
      {"[\"\xed\xa0\x80\"]", "json.utf8", "line 1, column 3", "UTF-8 text", "the byte 0xed"},
  };
  for (const Case& c : cases) {
    const Diagnostic d = refused(c.text);
    EXPECT_EQ(d.severity, dio::Severity::stop);
    EXPECT_EQ(d.id, c.id) << c.text;
    EXPECT_EQ(d.place.file, "");
    EXPECT_FALSE(d.place.known());
    EXPECT_EQ(d.place.path, c.place) << c.text;
    EXPECT_EQ(d.expected, c.expected) << c.text;
    EXPECT_EQ(c.expected[0] ? d.found : d.message, c.found) << c.text;
  }
  for (const char* half : {"\"\\ud800\"", "\"\\udc00\"", "[\"a\\ude00b\"]", "{\"\\udfff\": 1}", "\"\\ud800\\u0041\""})
    EXPECT_EQ(refused(half).message, "invalid string: half of a surrogate pair") << half;
  EXPECT_EQ(parsed("\"\\ud83d\\ude00 \\ud7ff\""), Value("\xf0\x9f\x98\x80 \xed\x9f\xbf"));
  EXPECT_EQ(refused("1e999").expected, "a number in the range of 64-bit floats");
  EXPECT_EQ(refused("\"a\nb\"").id, "json.syntax");
  EXPECT_EQ(refused("/* c */ 1").id, "json.syntax");
}

TEST(JsonRead, RejectsNulCharacters) {
  EXPECT_EQ(refused(std::string_view("{}\0{}", 5)).id, "json.syntax");
  EXPECT_EQ(refused(std::string_view("[1]\0", 4)).place.path, "line 1, column 4");
}

TEST(JsonRead, RejectsDuplicateKeysInLongObjects) {
  std::string text = "{";
  for (int i = 0; i < 5000; ++i) text += "\"n" + std::to_string(i) + "\": 0, ";
  EXPECT_EQ(parsed(text + "\"x\": 1}").size(), 5001u);
  for (int again : {0, 8, 15, 16, 17, 4999}) {
    const Diagnostic d = refused(text + "\"n" + std::to_string(again) + "\": 1}");
    EXPECT_EQ(d.id, "json.duplicate-key") << again;
  }
}

TEST(JsonRead, LimitsNestingDepth) {
  EXPECT_TRUE(json::read(std::string(128, '[') + std::string(128, ']')).has_value());
  EXPECT_EQ(refused(std::string(129, '[') + std::string(129, ']')).id, "json.depth");
  EXPECT_EQ(refused(std::string(1000000, '[')).id, "json.depth");
  std::string objects;
  for (int i = 0; i < 129; ++i) objects += "{\"a\":";
  EXPECT_EQ(refused(objects).id, "json.depth");
}

// The digits of a float are read as a double. An exhaustive run over all 2^32 bit patterns showed that this rounds to
// the same float; this test covers many patterns, those next to powers of two, and one that once failed.
TEST(JsonRoundTrip, FloatsRoundTripBitForBit) {
  std::mt19937 random(1);
  Value list = Value::list();
  std::vector<dio::u32> bits;
  const auto add = [&](dio::u32 b) {
    const float f = std::bit_cast<float>(b);
    if (!std::isfinite(f)) return;
    bits.push_back(b);
    list.push(Value(f));
  };
  add(0x15ae43fd);
  add(0x95ae43fd);
  for (int i = 0; i < 200000; ++i) add(dio::u32(random()));
  for (dio::u32 exponent = 0; exponent < 255; ++exponent) {
    for (int near = -2; near <= 2; ++near) {
      add((exponent << 23) + dio::u32(near));
      add(((exponent << 23) + dio::u32(near)) ^ 0x80000000u);
    }
  }
  const Value back = parsed(json::write(list));
  ASSERT_EQ(back.size(), bits.size());
  for (size_t i = 0; i < bits.size(); ++i) {
    ASSERT_TRUE(back.at(i)->is(Value::Kind::real));
    ASSERT_EQ(std::bit_cast<dio::u32>(float(back.at(i)->number())), bits[i]) << one_line(*list.at(i));
  }
}

TEST(JsonRoundTrip, DoublesRoundTripBitForBit) {
  std::mt19937_64 random(2);
  Value list = Value::list();
  for (int i = 0; i < 200000; ++i) {
    const double x = std::bit_cast<double>(random());
    if (std::isfinite(x)) list.push(Value(x));
  }
  for (double x : {0.0, -0.0, 1.0, 1e5, 123456789.0, 1e9, 1e16, 4096.0 / 3}) list.push(Value(x));
  EXPECT_EQ(parsed(json::write(list)), list);
}

TEST(JsonRoundTrip, RandomTreesRoundTrip) {
  std::mt19937 random(3);
  const auto make = [&](auto& self, int depth) -> Value {
    switch (random() % (depth > 4 ? 5 : 7)) {
      case 0:
        return Value();
      case 1:
        return Value(bool(random() % 2));
      case 2:
        return Value(dio::i64(random()) - dio::i64(random()));
      case 3:
        return Value(double(dio::i32(random())) / 4096);
      case 4: {
        std::string s;
        for (unsigned n = random() % 12; n; --n) s += char(random() % 128);
        return Value(s);
      }
      case 5: {
        Value v = Value::list();
        for (unsigned n = random() % 6; n; --n) v.push(self(self, depth + 1));
        return v;
      }
      default: {
        Value v = Value::object();
        for (unsigned n = random() % 6; n; --n) v.add("k" + std::to_string(n), self(self, depth + 1));
        return v;
      }
    }
  };
  for (int i = 0; i < 2000; ++i) {
    const Value v = make(make, 0);
    for (json::Style style : {json::Style{0, 0}, json::Style{2, 20}, json::Style{2, 100}, json::Style{4, 0}}) {
      EXPECT_EQ(parsed(json::write(v, style)), v);
    }
  }
}

/// Byte runs much longer than other values: their text is never created in one piece.
TEST(JsonLongRuns, LongByteRunsRoundTripInPieces) {
  using dio::Dom;
  std::mt19937 random(1);
  std::vector<dio::Bytes> runs;
  for (const size_t n : {0, 1, 4096, 4097, 65536, 65537, 300000}) {
    runs.emplace_back(n);
    for (dio::u8& b : runs.back()) b = dio::u8(random());
  }
  Dom dom;
  dom.set_tree(0, Dom::Kind::object);
  const Dom::Id list = dom.add(0, "runs");
  dom.set_tree(list, Dom::Kind::list);
  for (const dio::Bytes& run : runs) dom.set_bytes(dom.add(list), run);
  dom.set_text(dom.add(0, "empty"), "");
  for (const json::Style style :
       {json::Style{}, json::Style{.indent = 0}, json::Style{.indent = 1, .by_count = true}}) {
    json::LongRuns long_runs;
    const std::string text = long_runs.write_without_long_runs(dom, style);
    EXPECT_LT(text.size(), size_t(2 * 4096 + 500));
    auto again = json::read_dom(text);
    ASSERT_TRUE(again);
    ASSERT_TRUE(long_runs.restore_runs(*again, text));
    EXPECT_EQ(again->value(), dom.value());
    EXPECT_EQ(json::write(*again, style), json::write(dom, style));
    auto other = json::read_dom("{\"runs\": []}");
    EXPECT_FALSE(long_runs.restore_runs(*other, text));
  }
}

TEST(ValueEquality, ComparesFloatsBitwiseAndIgnoresPositions) {
  EXPECT_FALSE(Value(0.0) == Value(-0.0));
  const double nan = std::bit_cast<double>(dio::u64(0x7ff8000000000001));
  EXPECT_TRUE(Value(nan) == Value(nan));
  EXPECT_FALSE(Value(1) == Value(1.0));
  EXPECT_FALSE(Value(-1) == Value(~dio::u64(0)));
  EXPECT_TRUE(Value(1) == Value(1u));
  EXPECT_TRUE(parsed("[1, {\"a\": 2}]") == parsed("[ 1,\n{\"a\":2}]"));
  EXPECT_FALSE(parsed("{\"a\": 1, \"b\": 2}") == parsed("{\"b\": 2, \"a\": 1}"));
}

}  // namespace
