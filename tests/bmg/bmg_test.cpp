// bmg_test.cpp: tests specific to BMG. every_format_test.cpp covers the properties that all formats share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bmg/damaged.hpp"
#include "core/json.hpp"
#include "engine/broken_rules.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/registry.hpp"
#include "operations/operations.hpp"

namespace dio::bmg {
namespace {

const Format& format() { return *find_format("bmg"); }

Bytes sample(std::string_view name) {
  for (Sample& s : samples_of(format()))
    if (s.name == name) return std::move(s.bytes);
  ADD_FAILURE() << "no sample " << name;
  return {};
}
Bmg loaded(const Bytes& bytes) {
  auto d = load<Bmg>(bytes);
  EXPECT_TRUE(d) << (d ? "" : format_one_line(d.error()));
  return d ? d->document.value() : Bmg{};
}
std::string bytes(std::initializer_list<int> all) {
  std::string s;
  for (const int b : all) s += char(b);
  return s;
}
std::string shown(const TextEncoding& e, const std::string& stored) { return e.shown(stored).value_or("(none)"); }
void expect_same(const TextEncoding& e, const std::string& stored, const std::string& text) {
  EXPECT_EQ(shown(e, stored), text);
  const auto back = e.stored(text);
  ASSERT_TRUE(back) << text;
  EXPECT_EQ(*back, stored) << text;
  const auto ended = terminate_text(e, stored);
  ASSERT_TRUE(ended) << text;
}

// ---- texts

TEST(BmgText, EscapesControlCodesInUtf16) {
  const TextEncoding& e = k_utf16_text;
  expect_same(e, bytes({0, 'a', 0, '\\', 0, '\n'}), "a\\\\\n");
  expect_same(e, bytes({0, 0x1A, 8, 0, 0, 1, 0, 0x30}), "\\c{yellow}");
  expect_same(e, bytes({0, 0x1A, 8, 0, 0, 1, 0, 0x1F}), "\\c{1f}");
  expect_same(e, bytes({0, 0x1A, 8, 0, 0, 2, 0, 0x30}), "\\z{800,20030}");
  expect_same(e, bytes({0, 0x1A, 8, 1, 0, 0, 0xF0, 0x67}), "\\u{f067}");
  expect_same(e, bytes({0, 0x1A, 8, 1, 0, 0, 0xF0, 0x67, 0, 0x1A, 8, 1, 0, 0, 0xF0, 0x68, 0, 'x'}), "\\u{f067,f068}x");
  expect_same(e, bytes({0, 0x1A, 6, 2, 0, 0}), "\\z{602,0}");
  expect_same(e, bytes({0, 0x1A, 14, 3, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5}), "\\z{e03,1,2000300040005}");
  expect_same(e, bytes({0xD8, 0x3D, 0xDE, 0x00}), "\xF0\x9F\x98\x80");
  expect_same(e, bytes({0xD8, 0x3D, 0, 'x'}), "\\x{d83d}x");
  expect_same(e, bytes({0xF0, 0x67}), "\\x{f067}");
  expect_same(e, bytes({0, 9}), "\\x{9}");
  EXPECT_EQ(shown(e, bytes({0, 0x1A, 4, 0})), "(none)") << "no arguments";
  EXPECT_EQ(shown(e, bytes({0, 0x1A, 8, 0, 0, 1})), "(none)") << "cut off";
}

TEST(BmgText, EscapesControlCodesInWindows1252) {
  const TextEncoding& e = k_cp1252_text;
  expect_same(e, bytes({0x80, 'a', 0x9F, 0xFF}), "€aŸÿ");
  expect_same(e, bytes({0x81}), "\\x{81}");
  expect_same(e, bytes({0x1A, 7, 0, 0, 1, 0, 0x40}), "\\c{red1}");
  expect_same(e, bytes({0x1A, 6, 0, 0, 1, 7}), "\\z{700,10700}");
  expect_same(e, bytes({0x1A, 5, 6, 0, 0x0A}), "\\z{606,a}");
  EXPECT_EQ(shown(e, bytes({0x1A, 2})), "(none)");
  EXPECT_FALSE(e.stored("\\z{700,10707}")) << "more than the length says";
  EXPECT_FALSE(e.stored("日"));
  for (const char* wrong : {"\\", "\\q", "\\c{", "\\c{gold}", "\\z{400}", "\\z{600}", "\\z{600,1,2}", "\\z{600,10000}",
                            "\\x{0}", "\\x{1a}", "\\x{100}", "\\u{}", "\x1a"})
    EXPECT_FALSE(e.stored(wrong)) << wrong;
}

TEST(BmgText, ConvertsBetweenShiftJisAndUnicode) {
  const TextEncoding& e = k_shift_jis_text;
  expect_same(e, bytes({0x83, 0x8C, 0x81, 0x5B, 0x83, 0x58}), "レース");
  expect_same(e, bytes({'\\', '1', '~', 0xB1}), "¥1‾ｱ");
  expect_same(e, bytes({0x88, 0x9F, 0xEA, 0xA4}), "亜熙");
  expect_same(e, bytes({0x85, 0x40, 0xFF}), "\\x{85}@\\x{ff}");  // a table row without characters
  EXPECT_FALSE(e.stored("é"));
  for (u32 c = 0; c < 0x10000; ++c)
    if (const u16 s = unicode_to_shift_jis(u16(c))) {
      EXPECT_EQ(shift_jis_to_unicode(u8(s >> 8), u8(s)), c);
    }
}

TEST(BmgText, EscapesInvalidUtf8Bytes) {
  expect_same(k_utf8_text, "日本", "日本");
  expect_same(k_utf8_text, bytes({0xC3, 0x28}), "\\x{c3}(");
}

TEST(BmgText, ZerosInsideEscapesDoNotEndTexts) {
  const std::string inside = bytes({0, 0x1A, 8, 0, 0, 0, 0, 0, 0, 'x', 0, 0, 0, 'y'});
  const auto view = [](const std::string& s) { return ByteView(reinterpret_cast<const u8*>(s.data()), s.size()); };
  EXPECT_EQ(k_utf16_text.size(view(inside)), 10u);
  EXPECT_FALSE(k_utf16_text.size(view(inside).first(10)));
  EXPECT_EQ(k_cp1252_text.size(view(bytes({0x1A, 4, 0, 0, 0}))), 4u);
}

// ---- files

TEST(Bmg, ReadsIdsAttributesAndTexts) {
  const Bmg b = loaded(sample("race.bmg"));
  ASSERT_EQ(b.messages.size(), 9u);
  EXPECT_EQ(b.messages[2].id, 1003u);
  EXPECT_EQ(b.messages[2].attributes, Bytes({1, 0, 0, 0}));
  EXPECT_EQ(shown(k_utf16_text, *b.messages[2].text), "\\c{yellow}1st\\c{off} of 12");
  EXPECT_FALSE(b.messages[4].text);
  EXPECT_EQ(b.messages[4].offset, 0u);
  EXPECT_EQ(b.messages[5].text, "");
  EXPECT_EQ(b.messages[0].offset, b.messages[6].offset) << "one text for two messages";
  EXPECT_EQ(b.size, sample("race.bmg").size());
  for (const Section& s : b.sections) EXPECT_EQ(s.size % 32, 0u);
}

TEST(Bmg, GameCubeFilesStoreTheirSizeInBlocks) {
  const Bytes bytes = sample("gamecube.bmg");
  EXPECT_EQ(loaded(bytes).size * 32, bytes.size());
}

TEST(Bmg, ChangingATextMovesTheFollowingTexts) {
  auto o = open(sample("by_hand.bmg"), "by_hand.bmg");
  ASSERT_TRUE(o);
  const std::vector<Argument> arguments{{"id", "7"}, {"text", "\\c{red1}longer"}};
  ASSERT_TRUE(edits()[0].apply(*o->document, arguments));
  EXPECT_FALSE(o->document->save({})) << "a text that no message leads to would be lost";
  const auto saved = o->document->save({.lossy = true});
  ASSERT_TRUE(saved) << format_one_line(saved.error());
  const Bmg b = loaded(*saved);
  EXPECT_EQ(shown(k_utf16_text, *b.messages[0].text), "\\c{red1}longer");
  EXPECT_EQ(shown(k_utf16_text, *b.messages[1].text), "ab");
  EXPECT_EQ(shown(k_utf16_text, *b.messages[2].text), "b");
  EXPECT_LT(b.messages[1].offset, b.messages[0].offset) << "the order of the texts stays";
  EXPECT_TRUE(check(*open(*saved, "by_hand.bmg")).empty());
}

TEST(Bmg, SetTextRejectsInvalidArguments) {
  auto o = open(sample("plain.bmg"), "plain.bmg");
  ASSERT_TRUE(o);
  const auto refused = [&](std::vector<Argument> all) {
    const auto done = edits()[0].apply(*o->document, all);
    return done ? "done: " + *done : format_one_line(done.error());
  };
  EXPECT_THAT(refused({{"id", "1"}, {"text", "x"}}), testing::HasSubstr("no message ids"));
  EXPECT_THAT(refused({{"message", "3"}, {"text", "x"}}), testing::HasSubstr("0 to 2"));
  EXPECT_THAT(refused({{"message", "1"}, {"text", "日"}}), testing::HasSubstr("Windows-1252"));
  EXPECT_THAT(refused({{"message", "1"}, {"text", "x"}}), testing::HasSubstr("done"));
}

TEST(Bmg, TraceShowsTextsWithEscapes) {
  const Bytes file = sample("race.bmg");  // spans point into it
  const auto traced = format().trace(file, {});
  const auto spot = traced.spans.find("messages[2].text");
  ASSERT_TRUE(spot);
  EXPECT_EQ(traced.spans.value(*spot).text(), "\\c{yellow}1st\\c{off} of 12");
  const auto none = traced.spans.find("messages[4].text");
  EXPECT_FALSE(none);
}

TEST(Bmg, DoesNotDetectNintendoDsFiles) {
  Bytes b = sample("race.bmg");
  std::swap(b[12], b[15]);
  EXPECT_EQ(format().sniff(b, "a.bmg").certainty, Sniff::Certainty::no);
  EXPECT_THAT(format().sniff(b, "a.bmg").reason, testing::HasSubstr("DS"));
}

// ---- findings

const std::vector<test::BrokenFile>& broken_files() {
  static const std::vector<test::BrokenFile> all = broken::files();
  return all;
}

TEST(BmgRules, RuleTextsAreComplete) { test::expect_said_in_full(rules(), "bmg."); }
TEST(BmgRules, EveryRuleHasABrokenFile) { test::expect_one_for_each(rules(), broken_files()); }
TEST(BmgRules, FindsEachFaultAtItsPath) { test::expect_found_where_broken(broken_files()); }
TEST(BmgRules, FindingsMatchTheRecordedText) { test::expect_said_as_before(broken_files(), "bmg/damaged.txt"); }
TEST(BmgRules, ValidFilesHaveNoFindings) {
  for (const Sample& s : samples_of(format())) EXPECT_TRUE(check(*open(s.bytes, s.name)).empty()) << s.name;
}

}  // namespace
}  // namespace dio::bmg
