// Offsets relative to the file, a block or an entry; in units; optional; in any order. Alignment, padding, residue.
#include "invented/offsets.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::offsets {
namespace {

using L = Laws<Offsets>;

// The layout that saving computes.
const Bytes k_file =
    hex("'OFFS' 00000044 00000010 0040 0000"
        // 10: the block
        "'BL' 0030 02 000000"
        "000e 0004 0003 07"  // 18: item 0; its name at 18 + 0e = 26, its cargo at 10 + 4 * 8 = 30
        "000a 0005 0001 08"  // 1f: item 1; its name at 1f + 0a = 29, its cargo at 38
        "'ab' 00 'c' 00"     // 26
        "00 00 00 00 00"     // 2b
        "010203 0000000000"  // 30
        "ff 00000000000000"  // 38
        // 40: the remark
        "11223344");

// The same parts in another order, with gaps (one of them not empty) and bytes after the end.
const Bytes k_shuffled =
    hex("'OFFS' 0000004c 00000014 0010 abcd"
        "11223344"             // 10
        "'BL' 0030 02 cccccc"  // 14
        "0018 0006 0003 07"    // 1c: name at 34, cargo at 14 + 30 = 44
        "0012 0003 0001 08"    // 23: name at 35: inside that of item 0; cargo at 14 + 18 = 2c
        "0000"                 // 2a
        "ff 00000000000000"    // 2c
        "'ab' 00"              // 34
        "00000000000000000000000000"
        "010203"  // 44
        "'extra'");

TEST(LayoutOffsets, ReadsPartsThroughOffsets) {
  ASSERT_EQ(k_file.size(), 0x44u);
  ASSERT_EQ(k_shuffled.size(), 0x4cu);
  EXPECT_EQ(
      L::decoded(k_file),
      R"({"size": 68, "block_offset": 16, "remark_offset": 64, "block": {"size": 48, "items": [)"
      R"({"name_offset": 14, "cargo_offset": 4, "kind": 7, "name": "ab", "cargo": "010203"}, )"
      R"({"name_offset": 10, "cargo_offset": 5, "kind": 8, "name": "c", "cargo": "ff"}]}, "remark": {"color": 287454020}})");
  EXPECT_EQ(
      L::decoded(k_shuffled),
      R"({"size": 76, "block_offset": 20, "remark_offset": 16, "block": {"size": 48, "items": [)"
      R"({"name_offset": 24, "cargo_offset": 6, "kind": 7, "name": "ab", "cargo": "010203"}, )"
      R"({"name_offset": 18, "cargo_offset": 3, "kind": 8, "name": "b", "cargo": "ff"}]}, "remark": {"color": 287454020}})");
}

TEST(LayoutOffsets, ObeysAllLayoutLaws) { L::hold_for(k_file); }
TEST(LayoutOffsets, ObeysAllLayoutLawsWhenShuffled) { L::hold_for(k_shuffled); }

TEST(LayoutOffsets, EmptyEditChangesNothing) {
  EXPECT_BYTES(L::edited(k_file, [](Offsets&) {}), k_file);
}

TEST(LayoutOffsets, RecomputesTheLayoutAfterEdits) {
  const Bytes b = L::edited(k_file, [](Offsets& o) {
    o.remark.reset();
    o.block.items.insert(o.block.items.begin(), Item{0, 0, 1, "new", Bytes(9, 0xee)});
    o.block.items.pop_back();
  });
  EXPECT_BYTES(b, hex("'OFFS' 00000050 00000010 0000 0000"
                      "'BL' 0040 02 000000"
                      "000e 0004 0009 01"
                      "000b 0006 0003 07"
                      "'new' 00 'ab' 00 000000"
                      "eeeeeeeeeeeeeeee ee00000000000000"
                      "010203 0000000000 0000000000000000"));
}

TEST(LayoutOffsets, RejectsEditsThatLoseUnreferencedBytes) {
  auto r = load<Offsets>(k_shuffled);
  r->document.edit().block.items[1].name = "d";
  auto b = save(r->document);
  ASSERT_FALSE(b);
  EXPECT_EQ(b.error().id, "layout.loses");
  EXPECT_EQ(format_one_line(b.error()), "0xe: 2 unreferenced bytes would be lost: the edit changes the layout");
  const Bytes lossy = L::edited(k_shuffled, [](Offsets& o) { o.block.items[1].name = "c"; }, {.lossy = true});
  Bytes expected = k_file;
  expected[7] += 5;  // bytes after the end stay there and are counted
  expected.insert(expected.end(), {'e', 'x', 't', 'r', 'a'});
  EXPECT_BYTES(lossy, expected);
  auto canonical = load<Offsets>(lossy);
  EXPECT_BYTES(*save(canonical->document, {.canonical = true}), k_file);
}

TEST(LayoutOffsets, ErrorsNameTheInvalidOffset) {
  const auto with = [](size_t at, u8 x) {
    Bytes b = k_file;
    b[at] = x;
    return b;
  };
  EXPECT_EQ(L::refusal(with(10, 1)),
            "layout.offset: 0x8 block_offset: expected an offset inside the file, found offset 0x110 (the file ends at "
            "0x44)");
  EXPECT_EQ(L::refusal(with(12, 1)),
            "layout.offset: 0xc remark_offset: expected an offset inside the file, found offset 0x140 (the file ends "
            "at 0x44)");
  EXPECT_EQ(L::refusal(with(0x21, 1)),
            "layout.offset: 0x21 block.items[1].cargo_offset: expected an offset inside the file, found offset 0x838 "
            "(the file ends at 0x44)");
  EXPECT_EQ(L::refusal(with(0x1f, 1)),
            "layout.offset: 0x1f block.items[1].name_offset: expected an offset inside the file, found offset 0x129 "
            "(the file ends at 0x44)");
  EXPECT_EQ(L::refusal(with(0x1d, 21)),
            "layout.truncated: 0x30 block.items[0].cargo: expected 1 more byte, found the end of the file at 0x44");
  EXPECT_EQ(L::refusal(with(0x1c, 1)),
            "layout.count: 0x1c block.items[0].cargo_size: the count is 259, but only 38 bytes remain");
}

TEST(LayoutOffsets, UpdatesDerivedFieldsOnlyIfConsistent) {
  Bytes out;
  EXPECT_EQ(L::set(k_file, "size", 1, out), "");  // set by hand: it was consistent before, so it is derived again
  EXPECT_BYTES(out, k_file);
  Bytes odd = k_file;
  odd[7] = 0x45;
  EXPECT_EQ(L::set(odd, "block.items[0].kind", 9, out), "");  // was not consistent: stays
  odd[0x1e] = 9;
  EXPECT_BYTES(out, odd);
}

TEST(LayoutOffsets, RejectsOffsetsThatDoNotFit) {
  auto r = load<Offsets>(k_file);
  for (int i = 0; i < 255; ++i) r->document.edit().block.items.push_back({0, 0, 0, "", Bytes(3000)});
  auto b = save(r->document);
  ASSERT_FALSE(b);
  EXPECT_EQ(format_one_line(b.error()), "block.count: expected a value that fits in its field");
  r->document.edit().block.items.pop_back();
  r->document.edit().block.items.pop_back();
  b = save(r->document);
  ASSERT_FALSE(b);
  EXPECT_EQ(format_one_line(b.error()), "block.items[177]: expected offsets and sizes that fit in their fields");
}

}  // namespace
}  // namespace dio::test::offsets
