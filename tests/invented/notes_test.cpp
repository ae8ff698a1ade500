// Decimal text numbers, lists of lists, and values found only by searching the rest of the file.
#include "invented/notes.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::notes {
namespace {

using L = Laws<Notes>;

Bytes notes(std::string_view text, std::string_view grid = "03 02 010203 fffe00") {
  Bytes b = hex(grid);
  b.insert(b.end(), text.begin(), text.end());
  return b;
}
const Bytes k_file = notes("440,8;\n-3,0;\n2147483647,-32768;\n.");

TEST(LayoutNotes, ReadsGridsAndTunes) {
  const Notes n = L::value(k_file);
  EXPECT_EQ(n.grid, (std::vector<std::vector<int>>{{1, 2, 3}, {255, 254, 0}}));
  ASSERT_TRUE(n.tune);
  ASSERT_EQ(n.tune->notes.size(), 3u);
  EXPECT_EQ(n.tune->notes[1].pitch, -3);
  EXPECT_EQ(n.tune->notes[2].pitch, INT32_MAX);
  EXPECT_EQ(n.tune->notes[2].length, INT16_MIN);
  EXPECT_EQ(n.marks, 0u);
  EXPECT_EQ(L::value(notes("1,1;\n.!!")).marks, 2u);
}

TEST(LayoutNotes, DecodesToJsonAndSpans) {
  EXPECT_EQ(L::decoded(notes("440,8;\n-3,0;\n.")),
            R"({"width": 3, "height": 2, "grid": [[1, 2, 3], [255, 254, 0]], "marks": 0, )"
            R"("tune": {"notes": [{"pitch": 440, "length": 8}, {"pitch": -3, "length": 0}]}})");
  const Spans spans = trace<Notes>(k_file).spans;
  const auto spot = spans.find("tune.notes[0].pitch");
  ASSERT_TRUE(spot);
  EXPECT_EQ(spot->offset, 8u);
  EXPECT_EQ(spot->size, 4u) << "what ends the number is part of it";
  EXPECT_EQ(spans.type(spot->span), "decimal");
  EXPECT_EQ(spans.show(spot->span), "440");
  EXPECT_EQ(spans.type(spans.find("grid[1]")->span), "u8[3]");
}

TEST(LayoutNotes, ObeysAllLayoutLaws) {
  L::hold_for(k_file);
  L::hold_for(notes("0,0;\n.!"));
}

TEST(LayoutNotes, KeepsUnusualNumbersAsRawBytes) {
  for (const char* text : {"07,8;\n.", "+7,8;\n.", "-0,8;\n.", "-,8;\n.", ",8;\n.", "7 ,8;\n.", "7,8;\r\n.", "7,8;\n",
                           "2147483648,8;\n.", "7,32768;\n.", "-", "", "."}) {
    const Bytes b = notes(text);
    auto r = load<Notes>(b);
    ASSERT_TRUE(r) << text;
    EXPECT_FALSE(r->document.value().tune) << text;
    ASSERT_EQ(r->notes.size(), 1u) << text;
    EXPECT_EQ(r->notes[0].id, "layout.raw");
    EXPECT_EQ(LawsOf<Notes>::broken(b), "") << text;
  }
  EXPECT_EQ(format_one_line(load<Notes>(notes("1,1;\n07,8;\n."))->notes[0]),
            "0xd tune.notes[1].pitch: expected a whole number in decimal digits, without leading zeros");
}

TEST(LayoutNotes, RecomputesTheLayoutAfterEdits) {
  EXPECT_BYTES(L::edited(k_file,
                         [](Notes& n) {
                           n.grid = {{7}, {8}, {9}};
                           n.tune->notes = {{-1000, 5}};
                         }),
               notes("-1000,5;\n.", "01 03 07 08 09"));
  auto r = load<Notes>(k_file);
  r->document.edit().grid[1].push_back(4);
  EXPECT_EQ(save(r->document).error().expected, "the length given by other fields");
  r->document.edit().grid = {{256}};
  EXPECT_EQ(save(r->document).error().id, "layout.overflow");
}

TEST(LayoutNotes, SettingANumberResizesItsText) {
  Bytes out;
  EXPECT_EQ(L::set(k_file, "tune.notes[1].pitch", -12345, out), "");
  EXPECT_BYTES(out, notes("440,8;\n-12345,0;\n2147483647,-32768;\n."));
  EXPECT_EQ(L::set(out, "tune.notes[0].pitch", 0, out), "");
  EXPECT_BYTES(out, notes("0,8;\n-12345,0;\n2147483647,-32768;\n."));
  EXPECT_EQ(L::set(k_file, "tune.notes[2].length", -32768, out), "");
  EXPECT_EQ(out, k_file);
  EXPECT_EQ(L::set(k_file, "tune.notes[0].length", 32768, out),
            "layout.overflow: 0xc tune.notes[0].length: 32768 is out of range (-32768 to 32767)");
  EXPECT_EQ(L::set(k_file, "tune.notes[0].length", -32769, out),
            "layout.overflow: 0xc tune.notes[0].length: -32769 is out of range (-32768 to 32767)");
  EXPECT_EQ(L::set(k_file, "tune.notes[0].length", 0.5, out),
            "layout.type: 0xc tune.notes[0].length: expected a whole number, found 0.500000");
}

}  // namespace
}  // namespace dio::test::notes
