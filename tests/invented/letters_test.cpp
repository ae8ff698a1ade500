// Gaps that are not zeros, and a checksum over the finished file.
#include "invented/letters.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::letters {
namespace {

using L = Laws<Letter>;

Bytes sealed_by_hand(std::string_view text) {
  Bytes b = hex(text);
  unsigned sum = 0;
  for (size_t i = 0; i < b.size(); ++i) sum += i == 2 ? 0 : b[i];
  b[2] = u8(sum);
  return b;
}

const Bytes k_file = sealed_by_hand("'LT' 00 02  08 03  0c 01  010203 ee  04 eeeeee");
const Bytes k_other_gaps = sealed_by_hand("'LT' 00 02  09 03  10 01  ee 010203  00000000 04 ee");

TEST(LayoutLetters, ObeysAllLayoutLaws) {
  L::hold_for(k_file);
  L::hold_for(k_other_gaps);
}

TEST(LayoutLetters, UneditedFilesKeepWrongChecksums) {
  Bytes wrong = k_file;
  wrong[2] ^= 0x55;
  EXPECT_EQ(L::broken(wrong, true), "");  // directly and through JSON
}

TEST(LayoutLetters, EditsRewriteFillAndChecksum) {
  EXPECT_BYTES(L::edited(k_file, [](Letter&) {}), k_file);
  EXPECT_BYTES(L::edited(k_other_gaps, [](Letter&) {}), k_file);  // its gaps contain only fill
  EXPECT_BYTES(L::edited(k_file, [](Letter& l) { l.pages[0].words = {1, 2, 3, 5, 8}; }),
               sealed_by_hand("'LT' 00 02  08 05  10 01  0102030508 eeeeee  04 eeeeee"));
  EXPECT_BYTES(L::edited(k_file, [](Letter& l) { l.sum = 0; }), k_file);
}

TEST(LayoutLetters, CanonicalFormRewritesFillAndChecksum) {
  auto r = load<Letter>(k_other_gaps);
  ASSERT_TRUE(r);
  auto b = save(r->document, {.canonical = true});
  ASSERT_TRUE(b);
  EXPECT_BYTES(*b, k_file);
}

TEST(LayoutLetters, RejectsEditsThatLoseUnknownBytes) {
  Bytes b = k_other_gaps;
  b[0x0c] = 7;
  auto r = load<Letter>(b);
  ASSERT_TRUE(r);
  r->document.edit();
  auto saved = save(r->document);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().id, "layout.loses");
}

TEST(LayoutLetters, KeepsTailBytesThatAreNotFill) {
  Bytes b = k_file;
  for (u8 x : hex("eeee 00 09")) b.push_back(x);
  const Bytes placed = L::edited(b, [](Letter&) {});
  EXPECT_BYTES(Bytes(placed.begin() + 0x10, placed.end()), hex("00 09"));
}

TEST(LayoutLetters, SettingUpdatesOnlyValidChecksums) {
  Bytes out, wrong = k_file;
  EXPECT_EQ(L::set(k_file, "pages[0].words", Value("090807"), out), "");
  EXPECT_BYTES(out, sealed_by_hand("'LT' 00 02  08 03  0c 01  090807 ee  04 eeeeee"));
  wrong[2] ^= 0x55;
  EXPECT_EQ(L::set(wrong, "pages[0].words", Value("090807"), out), "");
  EXPECT_EQ(out[2], wrong[2]);
}

}  // namespace
}  // namespace dio::test::letters
