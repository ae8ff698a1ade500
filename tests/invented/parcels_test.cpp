// Damaged or unknown parts are kept as bytes, with or without a warning.
#include "invented/parcels.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::parcels {
namespace {

using L = Laws<Parcels>;

const Bytes k_file =
    hex("'PARC' 03"
        "000e 01  0021 09  0024 02"                       // 05
        "'BUND' 0002 'l' 0001 'one' 00 'l' 0002 00"       // 0e: 1f + 2 bytes nobody knows
        "'..'"                                            // 1f
        "010203"                                          // 21
        "'DOUB' 01 'BUND' 0001 'l' 0003 'two' 00 c4ec");  // 24

Diagnostics notes(const Bytes& b) {
  auto r = load<Parcels>(b);
  if (!r) {
    ADD_FAILURE() << format_one_line(r.error());
    return {};
  }
  return r->notes;
}

TEST(LayoutParcels, DecodesParcelsByKind) {
  EXPECT_EQ(
      L::decoded(k_file),
      R"({"parcels": [{"offset": 14, "kind": 1, "bundle": {"leaflets": [{"id": 1, "text": "one"}, {"id": 2, "text": ""}]}}, )"
      R"({"offset": 33, "kind": 9, "raw": "010203"}, )"
      R"({"offset": 36, "kind": 2, "twice": {"halves": [{"bundle": {"leaflets": [{"id": 3, "text": "two"}]}}], "check": 50412}}]})");
  EXPECT_TRUE(notes(k_file).empty());
}

TEST(LayoutParcels, ObeysAllLayoutLaws) { L::hold_for(k_file); }

TEST(LayoutParcels, KeepsDamagedPartsRawWithAWarning) {
  Bytes b = k_file;
  b[0x14] = 'L';
  EXPECT_EQ(
      L::decoded(b).substr(0, 106),
      R"({"parcels": [{"offset": 14, "kind": 1, "raw": "42554e4400024c00016f6e65006c0002002e2e"}, {"offset": 33, "k)");
  ASSERT_EQ(notes(b).size(), 1u);
  EXPECT_EQ(notes(b)[0].id, "layout.raw");
  EXPECT_EQ(notes(b)[0].severity, Severity::warning);
  EXPECT_EQ(format_one_line(notes(b)[0]),
            "0x14 parcels[0].bundle.leaflets[0].magic: expected magic \"l\", found \"L\"");
  EXPECT_EQ(notes(b)[0].hint, "the part is kept unparsed, as bytes in the field `parcels[0].raw`");
  EXPECT_EQ(L::broken(b), "");
  EXPECT_BYTES(L::edited(k_file, [](Parcels& p) { p.parcels.pop_back(); }, {.lossy = true}),
               hex("'PARC' 02 000b 01 001c 09 'BUND' 0002 'l' 0001 'one' 00 'l' 0002 00 010203"));
}

TEST(LayoutParcels, ReportsOnlyTheOutermostDamage) {
  Bytes b = k_file;
  b[0x29] = 'b';  // the bundle in the double parcel: its first byte is damaged, and then the check does not match
  ASSERT_EQ(notes(b).size(), 1u);
  EXPECT_EQ(format_one_line(notes(b)[0]), "0x2c parcels[2].twice: expected the check C4EC");
  b[0x2a] = 0xc4, b[0x2b] = 0xec;  // now it matches
  ASSERT_EQ(notes(b).size(), 1u);
  EXPECT_EQ(format_one_line(notes(b)[0]),
            "0x29 parcels[2].twice.halves[0].bundle.magic: expected magic \"BUND\", found the bytes 62c4ec44");
  EXPECT_EQ(notes(b)[0].hint, "the part is kept unparsed, as bytes in the field `parcels[2].twice.halves[0].raw`");
  EXPECT_EQ(L::broken(b), "");
}

}  // namespace
}  // namespace dio::test::parcels
