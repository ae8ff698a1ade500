// Shared and overlapping blocks in any order, with bytes between them.
#include "invented/sheets.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::sheets {
namespace {

using L = Laws<Sheets>;

// Two pictures share a block, a third has equal content elsewhere, and two palettes share a place. A new layout differs
// only in the third picture.
const Bytes k_shared =
    hex("'SH' 03 02 1c00 0e00"
        "0000 02 03  0000 02 03  0800 03 02"  // 08
        "1500 02  1500 02"                    // 14
        "0000"                                // 1a
        "010203040506 0000"                   // 1c
        "010203040506"                        // 24
        "1f00 e003");                         // 2a
const Bytes k_merged =
    hex("'SH' 03 02 1c00 0600"
        "0000 02 03  0000 02 03  0000 03 02"
        "1100 02  1100 02"
        "0000"
        "010203040506"
        "1f00 e003");

// Overlapping pictures in reverse order, with bytes between them and after the end.
const Bytes k_odd =
    hex("'SH' 02 01 1400 0900"
        "0200 02 02  0000 03 01"  // 08: four bytes from 16 on, three from 14 on: one is common
        "0900 01"                 // 10: at 12: its color is the end of this table and what follows
        "99"                      // 13
        "01 02 03 04 05 06"       // 14
        "'end'");

TEST(LayoutSheets, ReadsSharedDataAsCopies) {
  EXPECT_EQ(
      L::decoded(k_shared),
      R"({"pool_offset": 28, "pool_size": 14, "pictures": [{"offset": 0, "width": 2, "height": 3, "pixels": "010203040506"}, )"
      R"({"offset": 0, "width": 2, "height": 3, "pixels": "010203040506"}, {"offset": 8, "width": 3, "height": 2, "pixels": "010203040506"}], )"
      R"("palettes": [{"offset": 21, "colors": [31, 992]}, {"offset": 21, "colors": [31, 992]}]})");
  EXPECT_EQ(
      L::decoded(k_odd),
      R"({"pool_offset": 20, "pool_size": 9, "pictures": [{"offset": 2, "width": 2, "height": 2, "pixels": "03040506"}, )"
      R"({"offset": 0, "width": 3, "height": 1, "pixels": "010203"}], "palettes": [{"offset": 9, "colors": [39169]}]})");
}

TEST(LayoutSheets, ObeysAllLayoutLaws) {
  L::hold_for(k_shared);
  L::hold_for(k_merged);
  L::hold_for(k_odd);
}

TEST(LayoutSheets, MergesEqualDataWhenSaving) {
  EXPECT_BYTES(L::edited(k_shared, [](Sheets&) {}), k_merged);
  EXPECT_BYTES(L::edited(k_merged, [](Sheets&) {}), k_merged);
}

TEST(LayoutSheets, EditingACopyUnsharesIt) {
  EXPECT_BYTES(L::edited(k_shared, [](Sheets& s) { s.pictures[1].pixels[0] = 9, s.palettes[1].colors[1] = 0; }),
               hex("'SH' 03 02 1c00 0e00"
                   "0000 02 03  0800 02 03  0000 03 02"
                   "1500 02  1700 02"
                   "0000"
                   "010203040506 0000"
                   "090203040506"
                   "1f00 e003"
                   "1f00 0000"));
}

TEST(LayoutSheets, MergedPartsLeaveNoPadding) {
  // the fourth picture is aligned, then merged with an equal one: the alignment must not remain
  EXPECT_BYTES(L::edited(k_merged,
                         [](Sheets& s) {
                           s.palettes = {{0, {0x0102}}, {0, {0x0102}}}, s.pictures[0].pixels.resize(5),
                           s.pictures[0].width = 5, s.pictures[0].height = 1;
                           s.pictures.push_back(s.pictures[0]);
                         }),
               hex("'SH' 04 02 2000 0e00"
                   "0000 05 01  0800 02 03  0800 03 02  0000 05 01"
                   "1700 01  1700 01"
                   "0000"
                   "0102030405 000000"
                   "010203040506"
                   "0201"));
}

TEST(LayoutSheets, RejectsConflictingSharedBytes) {
  // a value changed without computing a new layout
  Sheets s = L::value(k_shared);
  s.pictures[1].pixels[2] = 7;
  auto b = write(s, {}, k_shared.size());
  ASSERT_FALSE(b);
  EXPECT_EQ(b.error().id, "layout.overlap");
  EXPECT_EQ(format_one_line(b.error()),
            "pictures[1].pixels: expected equal values in the bytes that this field shares with another structure");
}

TEST(LayoutSheets, RejectsLengthsThatContradictOtherFields) {
  auto r = load<Sheets>(k_shared);
  r->document.edit().pictures[2].pixels.pop_back();
  auto b = save(r->document);
  ASSERT_FALSE(b);
  EXPECT_EQ(b.error().id, "layout.requires");
}

}  // namespace
}  // namespace dio::test::sheets
