// Elements that store where they start, in a list whose length only its last element gives.
#include "invented/chains.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::chains {
namespace {

using L = Laws<Chain>;

const Bytes k_file =
    hex("'CH'"
        "01 0e"          // 02: to 10
        "02 0e 3412"     // 04: to 12
        "01 0c"          // 08: to 14
        "01 0c"          // 0a: to 16
        "01 0c"          // 0c: to 18
        "00 0c"          // 0e: to 1a
        "'a' 00 'b' 00"  // 10
        "'c' 00 'd' 00 'e' 00 'f' 00");

TEST(LayoutChains, ResolvesNamesRelativeToEachLink) {
  std::string names;
  for (const Link& l : L::value(k_file).links) names += l.name + " ";
  EXPECT_EQ(names, "a b c d e f ");
}
TEST(LayoutChains, ObeysAllLayoutLaws) { L::hold_for(k_file); }
TEST(LayoutChains, RecomputesTheLayoutAfterEdits) {
  EXPECT_BYTES(L::edited(k_file, [](Chain&) {}), k_file);
  EXPECT_BYTES(L::edited(k_file, [](Chain& c) { c.links.erase(c.links.begin() + 2, c.links.end() - 1); }),
               hex("'CH' 01 08 02 08 3412 00 06 'a' 00 'b' 00 'f' 00"));
}

}  // namespace
}  // namespace dio::test::chains
