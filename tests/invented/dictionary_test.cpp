// Dictionaries of Nitro files: parallel arrays, a derived tree, descriptor targets by dotted name.
#include "invented/dictionary.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::dictionary {
namespace {

using L = Laws<Zoo>;

const Bytes k_empty = hex("'ZOO0' 18000000  00 00 1000 0800 0c00  7f000000  0400 0400");
const Bytes k_one =
    hex("'ZOO0' 37000000"
        "00 01 2800 0800 1000"  // 08
        "7f010000 06000100"     // 10: 'a' is 0110 0001: bit 6 tells it from nothing
        "0400 0800"             // 18
        "30000000"              // 1c
        "'a' 000000000000000000000000000000"
        "0400 0300 'moo'");  // 30
const Bytes k_two =
    hex("'ZOO0' 58000000"
        "00 02 4000 0800 1400"        // 08
        "7f010000 06000200 01010201"  // 10: 'b' is 0110 0010: bit 1 tells it from 'a'
        "0400 0c00"                   // 1c
        "48000000 50000000"           // 20
        "'a' 000000000000000000000000000000"
        "'b' 000000000000000000000000000000"
        "0400 0300 'moo' 00"  // 48
        "0200 0400 'peep'");  // 50

/// The game's lookup for 16 entries or more.
int look_up(const Dictionary<Creature>& d, const std::string& name) {
  const auto& t = d.tree;
  size_t parent = 0, child = t[0].left;
  while (t[child].bit < t[parent].bit) {
    parent = child;
    child = Patricia::bit_of(name, t[child].bit) ? t[child].right : t[child].left;
  }
  const size_t entry = t[child].entry;
  return entry < d.entries.size() && d.entries[entry].name == name ? int(entry) : -1;
}

TEST(LayoutDictionary, DecodesTreesAndEntries) {
  EXPECT_EQ(L::decoded(k_empty),
            R"({"size": 24, "creatures": {"revision": 0, "size": 16, "tree_offset": 8, "entries_offset": 12, "tree": [)"
            R"({"bit": 127, "left": 0, "right": 0, "entry": 0}], "unit": 4, "names_offset": 4, "entries": []}})");
  const Zoo z = L::value(k_two);
  ASSERT_EQ(z.creatures.entries.size(), 2u);
  EXPECT_EQ(z.creatures.entries[0].name, "a");
  EXPECT_EQ(z.creatures.entries[1].legs, 2);
  EXPECT_EQ(z.creatures.entries[1].sound, (Bytes{'p', 'e', 'e', 'p'}));
  EXPECT_EQ(z.creatures.tree[2], (TreeNode{1, 1, 2, 1}));
}

TEST(LayoutDictionary, MapsOffsetsToDocumentPaths) {
  const Spans spans = trace<Zoo>(k_two).spans;
  EXPECT_EQ(spans.at(0x50)->offset, 0x50u);
  EXPECT_EQ(spans.path(*spans.at(0x50)), "creatures.entries[1].legs");
  EXPECT_EQ(spans.path(*spans.at(0x38)), "creatures.entries[1].name");
  EXPECT_EQ(spans.path(*spans.at(0x24)), "creatures.entries[1].offset");
}

TEST(LayoutDictionary, ObeysAllLayoutLaws) {
  L::hold_for(k_empty);
  L::hold_for(k_one);
  L::hold_for(k_two);
}

TEST(LayoutDictionary, EmptyEditChangesNothing) {
  for (const Bytes& b : {k_empty, k_one, k_two}) EXPECT_BYTES(L::edited(b, [](Zoo&) {}), b);
}

TEST(LayoutDictionary, BuildsSearchTreesFromScratch) {
  const auto built = [](size_t n) {
    Document<Zoo> d;
    auto& entries = d.edit().creatures.entries;
    for (size_t i = 0; i < n; ++i)
      entries.push_back(
          {0, n == 2 ? std::string(1, char('a' + i)) : "name_" + std::to_string(i * i * 7), 4, {'m', 'o', 'o'}});
    if (n == 1) entries[0].name = "a";
    if (n == 2) entries[1].legs = 2, entries[1].sound = {'p', 'e', 'e', 'p'};
    auto b = save(d);
    EXPECT_TRUE(b) << format_one_line(b.error());
    return b ? *b : Bytes();
  };
  EXPECT_BYTES(built(0), k_empty);
  EXPECT_BYTES(built(1), k_one);
  EXPECT_BYTES(built(2), k_two);
  for (const size_t n : {3u, 15u, 16u, 40u, 127u, 255u}) {
    const Bytes b = built(n);
    EXPECT_EQ(L::broken(b, n < 100), "") << n;
    const Zoo z = L::value(b);
    ASSERT_EQ(z.creatures.entries.size(), n);
    EXPECT_EQ(z.creatures.size, 8 + 4 * (n + 1) + 4 + 4 * n + 16 * n);
    for (size_t i = 0; i < n; ++i) EXPECT_EQ(look_up(z.creatures, z.creatures.entries[i].name), int(i)) << n;
    EXPECT_EQ(look_up(z.creatures, "no such name"), -1);
  }
}

TEST(LayoutDictionary, RebuildsTheTreeAfterRenameAndAdd) {
  const Bytes b = L::edited(k_one, [](Zoo& z) {
    z.creatures.entries[0].name = "b";
    z.creatures.entries.push_back({0, "a", 4, {'m', 'o', 'o'}});
    z.creatures.entries[0].legs = 2;
    z.creatures.entries[0].sound = {'p', 'e', 'e', 'p'};
  });
  EXPECT_BYTES(b, hex("'ZOO0' 57000000"
                      "00 02 4000 0800 1400"
                      "7f010000 06000200 01020101"  // 'b' first: 'a' makes the second node, and hangs left of it
                      "0400 0c00"
                      "48000000 50000000"
                      "'b' 000000000000000000000000000000"
                      "'a' 000000000000000000000000000000"
                      "0200 0400 'peep'"
                      "0400 0300 'moo'"));
}

TEST(LayoutDictionary, RejectsDuplicateNames) {
  auto r = load<Zoo>(k_two);
  r->document.edit().creatures.entries[1].name = "a";
  auto b = save(r->document);
  ASSERT_FALSE(b);
  EXPECT_EQ(b.error().id, "layout.requires");
  EXPECT_EQ(format_one_line(b.error()), "creatures: expected entries of different names");
  Bytes same = k_two;
  same[0x38] = 'a';  // a file that already has duplicates loads and stays unchanged
  EXPECT_EQ(L::decoded(same).find("expected"), std::string::npos);
  EXPECT_BYTES(*save(load<Zoo>(same)->document), same);
}

TEST(LayoutDictionary, SettingANameUpdatesTheTree) {
  Bytes out;
  EXPECT_EQ(L::set(k_one, "creatures.entries[0].name", "zz", out), "");
  Bytes expected = k_one;
  expected[0x20] = expected[0x21] = 'z';  // 0111 1010 0111 1010: bit 14
  expected[0x14] = 14;
  EXPECT_BYTES(out, expected);
  Bytes odd = k_one;
  odd[0x14] = 3;  // a tree built differently stays
  EXPECT_EQ(L::set(odd, "creatures.entries[0].name", "zz", out), "");
  expected[0x14] = 3;
  EXPECT_BYTES(out, expected);
}

}  // namespace
}  // namespace dio::test::dictionary
