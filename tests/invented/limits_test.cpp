// Depth, budget and memory: small files that need too much are rejected quickly.
#include <chrono>

#include "invented/expect_laws.hpp"
#include "invented/trees.hpp"

namespace dio::test::limits {
namespace {

// Branch 1 at 0 has children 2 (at 6) and 4 (at c); branch 2 has child 3 (at a).
const Bytes k_tree = hex("01 02 0006 000c  02 01 000a  03 00  04 00");

TEST(LayoutLimits, ReadsAndWritesNestedTrees) {
  EXPECT_EQ(
      Laws<Tree>::decoded(k_tree),
      R"({"root": {"value": 1, "children": [{"offset": 6, "branch": {"value": 2, "children": [{"offset": 10, "branch": {"value": 3, "children": []}}]}}, )"
      R"({"offset": 12, "branch": {"value": 4, "children": []}}]}})");
  Laws<Tree>::hold_for(k_tree);
  EXPECT_BYTES(Laws<Tree>::edited(k_tree, [](Tree& t) { std::swap(t.root.children[0], t.root.children[1]); }),
               hex("01 02 0006 0008  04 00  02 01 000c  03 00"));
}

TEST(LayoutLimits, RejectsCircularTrees) {
  Bytes b = k_tree;
  b[9] = 0;  // 3 becomes the root again
  const std::string why = Laws<Tree>::refusal(b);
  EXPECT_TRUE(why.starts_with("layout.depth: 0x")) << why;
  EXPECT_EQ(Laws<Tree>::broken(b), "");
  // the number of branches grows at every place: the budget stops it before the depth limit does
  Bytes wide = hex("01 ff");
  for (int i = 0; i < 255; ++i) wide.push_back(0), wide.push_back(0);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(Laws<Tree>::refusal(wide).starts_with("layout.depth")) << Laws<Tree>::refusal(wide);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(LayoutLimits, JsonRoundTripsUpToTheDepthLimit) {
  for (size_t depth = 1; depth < 40; ++depth) {
    Bytes b(depth, 1);
    b.back() = 0;
    ASSERT_EQ(Laws<Shells>::broken(b), "") << depth;
    EXPECT_EQ(bool(load<Shells>(b)), depth <= 32) << depth;
  }
  for (size_t depth = 1; depth < 40; ++depth) {
    Bytes b;
    for (size_t i = 0; i < depth; ++i) b.insert(b.end(), {u8(i), u8(i + 1 < depth), 0, u8(4 * i + 4)});
    b.resize(b.size() - 2);
    ASSERT_EQ(Laws<Tree>::broken(b), "") << depth;
  }
}

TEST(LayoutLimits, RejectsBlocksSharedTooOften) {
  const auto bomb = [](u8 copies, u32 size) {
    Bytes b{copies};
    for (int i = 0; i < copies; ++i) b.push_back(u8((1 + 2 * copies) >> 8)), b.push_back(u8(1 + 2 * copies));
    for (int shift = 24; shift >= 0; shift -= 8) b.push_back(u8(size >> shift));
    b.resize(b.size() + size, 0xab);
    return b;
  };
  EXPECT_EQ(Laws<Copies>::broken(bomb(3, 100), true), "");
  EXPECT_EQ(Laws<Copies>::broken(bomb(60, 10000)), "");
  EXPECT_TRUE(load<Copies>(bomb(60, 10000)));
  const Bytes b = bomb(255, 100000);
  EXPECT_EQ(Laws<Copies>::refusal(b),
            "layout.budget: 0x188a3 copies[64]: the total size of overlapping blocks exceeds 64 times the file size");
  EXPECT_EQ(Laws<Copies>::broken(b), "");
}

TEST(LayoutLimits, LimitsElementsThatGrowInMemory) {
  Bytes few = hex("00000002 'a' 00 'b' 00");
  EXPECT_EQ(Laws<Weights>::broken(few, true), "");
  Bytes many = hex("00001000");
  many.resize(4 + 4096, 0);
  EXPECT_EQ(Laws<Weights>::refusal(many),
            "layout.budget: 0x0 count: the total size of overlapping blocks exceeds 64 times the file size");
  EXPECT_EQ(Laws<Weights>::broken(many), "");
}

}  // namespace
}  // namespace dio::test::limits
