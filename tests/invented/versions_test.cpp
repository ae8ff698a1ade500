// Formats with several versions, stored in the file or inferred.
#include "invented/versions.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::versions {
namespace {

using L = Laws<Versions>;
using Old = Laws<Unversioned>;

const Bytes k_versions[] = {
    hex("'VER' 01 02  07 aa  08 bb"),
    hex("'VER' 02 0002  07 aa 01  08 bb 02"),
    hex("'VER' 03  'author-name-16b!'  0002  0107 aa 01  0008 bb 02"),
    hex("'VER' 04  'author-name-16b!'  0002  0107 01  0008 02"),
};

TEST(LayoutVersions, ReadsEveryKnownVersion) {
  EXPECT_EQ(L::decoded(k_versions[0]),
            R"({"version": 1, "things": [{"id": 7, "color": 170}, {"id": 8, "color": 187}]})");
  EXPECT_EQ(
      L::decoded(k_versions[1]),
      R"({"version": 2, "things": [{"id": 7, "color": 170, "weight": 1}, {"id": 8, "color": 187, "weight": 2}]})");
  EXPECT_EQ(
      L::decoded(k_versions[2]),
      R"({"version": 3, "author": "author-name-16b!", "things": [{"id": 263, "color": 170, "weight": 1}, {"id": 8, "color": 187, "weight": 2}]})");
  EXPECT_EQ(
      L::decoded(k_versions[3]),
      R"({"version": 4, "author": "author-name-16b!", "things": [{"id": 263, "weight": 1}, {"id": 8, "weight": 2}]})");
  EXPECT_EQ(L::refusal(hex("'VER' 05")), "layout.requires: 0x4: expected version 1 to 4");
}

TEST(LayoutVersions, ObeysAllLayoutLaws) {
  for (const Bytes& b : k_versions) L::hold_for(b);
}

TEST(LayoutVersions, ConvertsBetweenVersions) {
  EXPECT_BYTES(L::edited(k_versions[1], [](Versions& x) { x.version = 1; }), k_versions[0]);
  EXPECT_BYTES(L::edited(k_versions[2], [](Versions& x) { x.version = 4; }), k_versions[3]);
  auto r = load<Versions>(k_versions[2]);
  r->document.edit().version = 2;
  auto b = save(r->document);
  ASSERT_FALSE(b);
  EXPECT_EQ(format_one_line(b.error()), "things[0].id: expected a value that fits in its field");
}

TEST(LayoutVersions, RejectsCountsTooLargeForTheVersion) {
  EXPECT_EQ(L::refusal(hex("'VER' 01 03  07 aa  08 bb")),
            "layout.count: 0x4 things: the count is 3, but only 4 bytes remain");
  EXPECT_EQ(L::refusal(hex("'VER' 02 0003  07 aa 01  08 bb 02 00 00")),
            "layout.count: 0x4 things: the count is 3, but only 8 bytes remain");
}

TEST(LayoutVersions, InfersTheVersionFromTheSize) {
  EXPECT_EQ(Old::decoded(hex("'OLD' 02  07 aa  08 bb")),
            R"({"inferred": 1, "things": [{"id": 7, "color": 170}, {"id": 8, "color": 187}]})");
  EXPECT_EQ(
      Old::decoded(hex("'OLD' 02  07 aa 01  08 bb 02")),
      R"({"inferred": 2, "things": [{"id": 7, "color": 170, "weight": 1}, {"id": 8, "color": 187, "weight": 2}]})");
  EXPECT_EQ(Old::decoded(hex("'OLD' 01  0107 aa 01 'tail'")),
            R"({"inferred": 3, "things": [{"id": 263, "color": 170, "weight": 1}]})");
  EXPECT_EQ(Old::decoded(hex("'OLD' 00")), R"({"inferred": 1, "things": []})");
  Old::hold_for(hex("'OLD' 02  07 aa  08 bb"));
  Old::hold_for(hex("'OLD' 02  07 aa 01  08 bb 02"));
  Old::hold_for(hex("'OLD' 02  0007 aa 01  0008 bb 02"));
}

TEST(LayoutVersions, EditsKeepTheInferredVersion) {
  EXPECT_BYTES(Old::edited(hex("'OLD' 02  07 aa 01  08 bb 02"), [](Unversioned& o) { o.things.pop_back(); }),
               hex("'OLD' 01 07 aa 01"));
}

}  // namespace
}  // namespace dio::test::versions
