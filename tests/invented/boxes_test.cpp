// Files inside files, with their own byte order, offsets, versions and sizes; archives in archives.
#include "invented/boxes.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::boxes {
namespace {

using L = Laws<Box>;

const std::string k_card = "'CARD' 0200 1600 1400 78563412 01 0a00 000000 'x' 00";
const Bytes k_file =
    hex("'BOX' 02"
        "00000018 00000016"  // 04
        "00000030 00000003"  // 0c
        "77 000000"          // 14
        + k_card +
        "0000"         // 18
        "010203 00");  // 30
const Bytes k_in_itself =
    hex("'BOX' 02"
        "00000018 00000034"
        "0000004c 00000010"
        "78 000000"
        "'BOX' 02 00000018 00000016 00000030 00000003 77 000000" +
        k_card +
        "0000 010203 00"                           // 18
        "'CARD' 0100 1000 0e00 00000000 'y' 00");  // 4c: a text without padding, unlike in a saved layout

TEST(LayoutBoxes, DecodesNestedBoxes) {
  EXPECT_EQ(
      L::decoded(k_file),
      R"({"members": [{"offset": 24, "size": 22, "kind": "CARD", "card": {"version": 2, "size": 22, "text_offset": 20, )"
      R"("value": 305419896, "more": [10], "text": "x"}}, {"offset": 48, "size": 3, "kind": "0x00000000", "bytes": "010203"}], "mark": 119})");
  const Box b = L::value(k_in_itself);
  EXPECT_EQ(b.members.at(0).box.at(0).members.at(0).card.value, 0x12345678u);
  EXPECT_EQ(b.members.at(1).card.text, "y");
  const Spans spans = trace<Box>(k_in_itself).spans;
  EXPECT_EQ(spans.path(*spans.at(0x18 + 0x18 + 0x0a)), "members[0].box[0].file.members[0].card.value");
  EXPECT_FALSE(spans[spans.find("members[0].box[0].file.members[0].card.value")->span].big);
  EXPECT_TRUE(spans[spans.find("members[0].box[0].file.members[0].size")->span].big);
}

TEST(LayoutBoxes, ObeysAllLayoutLaws) {
  L::hold_for(k_file);
  L::hold_for(k_in_itself, 3);
}

TEST(LayoutBoxes, EmptyEditChangesNothing) {
  EXPECT_BYTES(L::edited(k_file, [](Box&) {}), k_file);
}

TEST(LayoutBoxes, RecomputesTheLayoutAfterEdits) {
  // inner: 4 + 8 + 1 -> 10: a card of 14 + 7 = 1b bytes, padded to 1c: 2c
  EXPECT_BYTES(L::edited(k_in_itself,
                         [](Box& b) {
                           b.members[0].box[0].members[0].card.text = "longer";
                           b.members[0].box[0].members.pop_back();
                           b.members[1].card.version = 2;
                         }),
               hex("'BOX' 02"
                   "00000018 0000002c"
                   "00000044 00000012"
                   "78 000000"
                   "'BOX' 01 00000010 0000001b 77 000000 'CARD' 0200 1b00 1400 78563412 01 0a00 000000 'longer' 00 00"
                   "'CARD' 0200 1200 1000 00000000 00 00 'y' 00 0000"));
}

TEST(LayoutBoxes, RejectsPartsReachingOutOfTheirBox) {
  Bytes b = k_file;
  b[0x18 + 9] = 1;  // its text is beyond its end
  EXPECT_EQ(L::refusal(b),
            "layout.offset: 0x20 members[0].card.text_offset: expected an offset inside the file, found offset 0x114 "
            "(the file ends at 0x34)");
  b = k_file;
  b[0x0b] = 0x15;  // it ends before the NUL of its text
  EXPECT_EQ(L::refusal(b),
            "layout.truncated: 0x2c members[0].card.text: expected 2 bytes, found the end of the enclosing part");
  b[0x0b] = 0x40;
  EXPECT_EQ(L::refusal(b),
            "layout.truncated: 0x18 members[0].card: expected 36 more bytes, found the end of the file at 0x34");
}

TEST(LayoutBoxes, RejectsAnArchiveThatContainsItself) {
  Bytes b = hex("'BOX' 01 00000000 0000000d 01");
  const std::string refusal = L::refusal(b);
  EXPECT_TRUE(refusal.starts_with("layout.depth: 0x0 members[0].box[0].file.members[0].box[0].file.")) << refusal;
  EXPECT_TRUE(refusal.ends_with(": structures are nested more than 64 levels deep")) << refusal;
  EXPECT_EQ(L::broken(b), "");
}

TEST(LayoutBoxes, RejectsSizesThatTruncateAMember) {
  Bytes out;
  EXPECT_EQ(L::set(k_file, "members[0].size", 0x15, out),
            "layout.truncated: 0x2c members[0].card.text: expected 2 bytes, found the end of the enclosing part");
}

TEST(LayoutBoxes, ChangingAMemberTypeUpdatesNoOtherFields) {
  Bytes out, expected = k_file;
  EXPECT_EQ(L::set(k_file, "members[0].size", 1, out),
            "");  // too small for a card: now bytes, whose size no other field gives
  expected[0x0b] = 1;
  EXPECT_BYTES(out, expected);
}

}  // namespace
}  // namespace dio::test::boxes
