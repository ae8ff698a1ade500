// Parts stored in another order than their list, and structures kept as bytes.
#include "invented/shelves.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::shelves {
namespace {

using L = Laws<Shelves>;

// The tune of the second shelf is stored first.
const Bytes k_file =
    hex("'SV' 02"
        "0d 02"             // 03
        "07 06"             // 05
        "40 08 00 10 3412"  // 07: a note, a pause
        "3c 04");           // 0d

TEST(LayoutShelves, JsonShowsTheInnerStructure) {
  EXPECT_EQ(
      L::decoded(k_file),
      R"({"shelves": [{"offset": 13, "tune": {"notes": [{"pitch": 60, "length": 4}]}}, )"
      R"({"offset": 7, "tune": {"notes": [{"pitch": 64, "length": 8}, {"pitch": 0, "length": 16, "pause": 4660}]}}]})");
  EXPECT_BYTES(L::value(k_file).shelves[1].tune, hex("40 08 00 10 3412"));  // programs see the bytes
}

TEST(LayoutShelves, UnreadableStructuresStayBytes) {
  Bytes b = k_file;
  b[0x0D] = 0x80;  // an invalid pitch
  EXPECT_EQ(
      L::decoded(b),
      R"({"shelves": [{"offset": 13, "tune": "8004"}, )"
      R"({"offset": 7, "tune": {"notes": [{"pitch": 64, "length": 8}, {"pitch": 0, "length": 16, "pause": 4660}]}}]})");
  EXPECT_EQ(L::broken(b, true), "");
  b = k_file;
  b[0x06] = 5;  // the pause is truncated
  EXPECT_NE(L::decoded(b).find(R"("tune": "4008001034")"), std::string::npos) << L::decoded(b);
  EXPECT_EQ(L::broken(b, true), "");
  b[0x06] = 0;  // an empty structure
  EXPECT_NE(L::decoded(b).find(R"("tune": "")"), std::string::npos) << L::decoded(b);
  EXPECT_EQ(L::broken(b, true), "");
}

TEST(LayoutShelves, ObeysAllLayoutLaws) { L::hold_for(k_file); }

TEST(LayoutShelves, EditsKeepTheOrderOfTheFile) {
  EXPECT_BYTES(L::edited(k_file, [](Shelves&) {}), k_file);
  EXPECT_BYTES(L::edited(k_file, [](Shelves& s) { s.shelves[1].tune = hex("41 01"); }),
               hex("'SV' 02 09 02 07 02  41 01  3c 04"));
  // without offsets, the list order is used
  EXPECT_BYTES(L::edited(k_file, [](Shelves& s) { s.shelves[0].offset = s.shelves[1].offset = 0; }),
               hex("'SV' 02 07 02 09 06  3c 04  40 08 00 10 3412"));
}

TEST(LayoutShelves, SetsValuesInsideTheStructure) {
  Bytes out;
  EXPECT_EQ(L::set(k_file, "shelves[1].tune.notes[1].pause", Value(1), out), "");
  EXPECT_BYTES(out, hex("'SV' 02 0d02 0706 40 08 00 10 0100 3c 04"));
}

TEST(LayoutShelves, ReadsStructuresOrBytesFromJson) {
  auto v = json::read(R"({"shelves": [{"offset": 0, "tune": {"notes": [{"pitch": 9, "length": 1}]}},
                                      {"offset": 0, "tune": "800102"}]})");
  ASSERT_TRUE(v);
  auto value = from_value<Shelves>(*v);
  ASSERT_TRUE(value) << format_one_line(value.error());
  EXPECT_BYTES(value->shelves[0].tune, hex("09 01"));
  EXPECT_BYTES(value->shelves[1].tune, hex("80 01 02"));
  v = json::read(R"({"shelves": [{"offset": 0, "tune": {"notes": [{"pitch": 200, "length": 1}]}}]})");
  const auto refused = from_value<Shelves>(*v);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().expected, "a pitch below 128");
}

TEST(LayoutShelves, RejectsListsLongerThanTheFile) {
  // more shelves than bytes: the order was computed for another length
  Bytes b = k_file;
  b[2] = 200;
  EXPECT_NE(L::refusal(b).find("layout."), std::string::npos) << L::refusal(b);
}

}  // namespace
}  // namespace dio::test::shelves
