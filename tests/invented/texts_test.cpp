// Texts: padded, NUL-terminated, counted, measured, or up to the end; with bytes after the NUL, and not UTF-8.
#include "invented/texts.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::texts {
namespace {

using L = Laws<Texts>;
const Bytes k_file =
    hex("'TXT'"
        "'ab' 00 'cd' 00 00 00"  // something stands behind the NUL
        "'hi' 00"
        "03 'x' 00 'z'"
        "ff fe 'A' 00"  // no UTF-8
        "0002 00 80"
        "02 'one' 00 00"
        "0005 'h' c3 b6 'h' 00"
        "'tail'");

TEST(LayoutTexts, ReadsTextsOfEveryKind) {
  const Texts t = L::value(k_file);
  EXPECT_EQ(t.name, std::string("ab\0cd", 5));
  EXPECT_EQ(t.motto, "hi");
  EXPECT_EQ(t.said, std::string("x\0z", 3));
  EXPECT_EQ(t.odd, "\xff\xfe\x41");
  EXPECT_EQ(t.blob, (Bytes{0, 0x80}));
  ASSERT_EQ(t.lines.size(), 2u);
  EXPECT_EQ(t.lines[0].words, "one");
  EXPECT_EQ(t.lines[1].words, "");
  EXPECT_EQ(t.measured, std::string("h\xc3\xb6h\0", 5));
  EXPECT_EQ(t.rest, "tail");
}

TEST(LayoutTexts, DecodesTextsToJson) {
  EXPECT_EQ(L::decoded(k_file),
            R"({"name": "ab\u0000cd", "motto": "hi", "said": "x\u0000z", "odd": {"hex": "fffe41"}, "blob": "0080", )"
            R"("lines": [{"words": "one"}, {"words": ""}], "length": 5, "measured": "höh\u0000", "rest": "tail"})");
}

TEST(LayoutTexts, ObeysAllLayoutLaws) { L::hold_for(k_file); }

TEST(LayoutTexts, RecomputesTheLayoutAfterEdits) {
  const Bytes b = L::edited(k_file, [](Texts& t) {
    t.name = "longname";
    t.motto = "";
    t.said = "y";
    t.blob = {1, 2, 3};
    t.lines.push_back({"two"});
    t.measured = "";
    t.rest += "!";
  });
  EXPECT_BYTES(b, hex("'TXT' 'longname' 00 01 'y' fffe 'A' 00 0003 010203 03 'one' 00 00 'two' 00 0000 'tail!'"));
}

TEST(LayoutTexts, RejectsTextsThatDoNotFit) {
  const auto refusal = [](auto change) {
    auto r = load<Texts>(k_file);
    change(r->document.edit());
    auto b = save(r->document);
    return b ? "saves" : b.error().id + ": " + format_one_line(b.error());
  };
  EXPECT_EQ(refusal([](Texts& t) { t.name = "too long!"; }),
            "layout.text-too-long: name: expected a text that fits in its field");
  EXPECT_EQ(refusal([](Texts& t) { t.lines[1].words = std::string(1, '\0'); }),
            "layout.overflow: lines[1].words: expected text without NUL characters");
  EXPECT_EQ(refusal([](Texts& t) { t.said.resize(256); }),
            "layout.overflow: said: expected a value that fits in its field");
}

TEST(LayoutTexts, SetsTextsByPath) {
  const auto set = [](std::string_view path, const Value& to) {
    Bytes out;
    const std::string why = L::set(k_file, path, to, out);
    if (!why.empty()) return why;
    EXPECT_EQ(L::broken(out, true), "");
    const Spans spans = trace<Texts>(out).spans;
    return compact(spans.value(*spans.find(path)));
  };
  EXPECT_EQ(set("name", "e"), "\"e\"");
  EXPECT_EQ(set("name", "12345678"), "\"12345678\"");
  EXPECT_EQ(set("name", "123456789"),
            "layout.text-too-long: 0x3 name: the text has 9 bytes; the field holds at most 8 bytes");
  EXPECT_EQ(set("motto", "ho"), "\"ho\"");
  EXPECT_EQ(set("motto", "h"), "layout.text-too-long: 0xb motto: the text has 1 byte; the field holds exactly 2 bytes");
  EXPECT_EQ(set("motto", "hey"),
            "layout.text-too-long: 0xb motto: the text has 3 bytes; the field holds exactly 2 bytes");
  EXPECT_EQ(set("motto", std::string("h\0", 2)),
            "layout.type: 0xb motto: expected text without NUL characters, found \"h\\x00\"");
  EXPECT_EQ(set("said", std::string("\0\0\0", 3)), "\"\\u0000\\u0000\\u0000\"");
  EXPECT_EQ(set("odd", "ok"), "\"ok\"");
  Value odd = Value::object();
  odd.add("hex", "8081");
  EXPECT_EQ(set("odd", odd), "{\"hex\": \"8081\"}");
  EXPECT_EQ(set("odd", 1), "layout.type: 0x12 odd: expected text, found 1");
  EXPECT_EQ(set("blob", "ABcd"), "\"abcd\"");
  EXPECT_EQ(set("blob", "AB"), "layout.type: 0x18 blob: expected 4 hex digits, found \"AB\"");
  EXPECT_EQ(set("blob", "ABxy"), "layout.type: 0x18 blob: expected 4 hex digits, found \"ABxy\"");
}

TEST(LayoutTexts, RejectsInvalidJsonValues) {
  const auto refusal = [](std::string_view from, std::string_view to) {
    std::string text = L::decoded(k_file);
    const size_t at = text.find(from);
    EXPECT_NE(at, text.npos);
    text.replace(at, from.size(), to);
    auto v = json::read(text);
    if (!v) return v.error().id;
    auto t = from_value<Texts>(*v);
    return t ? "loads" : t.error().id + ": " + format_one_line(t.error());
  };
  EXPECT_EQ(refusal("\"hi\"", "7"), "layout.type: motto: expected text, or {\"hex\": \"...\"}, found 7");
  EXPECT_EQ(refusal("{\"hex\": \"fffe41\"}", "{\"hex\": \"fffe4\"}"),
            "layout.type: odd: expected a text of hex digits, two for each byte, found the text \"fffe4\"");
  EXPECT_EQ(refusal("{\"hex\": \"fffe41\"}", "{\"hax\": \"fffe41\"}"),
            "layout.type: odd: expected text, or {\"hex\": \"...\"}, found an object");
  EXPECT_EQ(refusal("\"motto\"", "\"moto\""), "layout.missing-key: motto: the member is missing");
  EXPECT_EQ(refusal("\"motto\": \"hi\"", "\"motto\": \"hi\", \"moto\": 1"),
            "layout.unknown-key: moto: the format defines no member \"moto\"");
  EXPECT_EQ(refusal("{\"words\": \"\"}", "[]"), "layout.type: lines[1]: expected an object, found a list");
  EXPECT_EQ(refusal("{\"words\": \"\"}", "{}"), "layout.missing-key: lines[1].words: the member is missing");
  EXPECT_EQ(refusal("\"length\": 5", "\"length\": 65536"),
            "layout.overflow: length: 65536 is out of range (0 to 65535)");
  EXPECT_EQ(refusal("\"length\": 5", "\"length\": 5.5"),
            "layout.type: length: expected a whole number, found the number 5.500000");
  EXPECT_EQ(refusal("\"length\": 5", "\"length\": 4"), "loads");  // derived when saving
}

}  // namespace
}  // namespace dio::test::texts
