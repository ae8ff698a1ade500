// Parallel arrays that form one list in memory, parts named by dotted keys, and slots for optional chunks.
#include "invented/meshes.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::meshes {
namespace {

using L = Laws<Meshes>;

const std::string k_geometry =
    "0200 0100"
    "0100 0200 0300  0400 0500 0600  0700 0800 0900"
    "0b00 0c00 0d00  0e00 0f00 1000  1100 1200 1300"
    "1500 1600 1700  1800 1900 1a00  1b00 1c00 1d00  1e00 1f00 2000"
    "a001 7700 b001 8800 c001"
    "a002 7800 b002 8900 c002"
    "a003 7900 b003 8a00 c003 d003"
    "0b 01  ff 02  80 03";  // 66 bytes
const Bytes k_file = hex(
    "11111111 00000000 20000000 88000000 00000000 00000000 98000000 00000000" + k_geometry +
    "0000"                                                                                                         // 20
    "000102030405060708090a0b0c0d0e0f"                                                                             // 88
    "0000 0100 ffff ffff ffff 0000 0000 0000 0000 0000 0000 0000 0000 0000 a004 0000 b004 0000 c004 d004 00 04");  // 98
// Both geometries at one offset, the page inside unused slots, and bytes between parts.
const Bytes k_odd = hex("00010203 04050607 24000000 00000000 00000000 08090a0b 24000000 0c0d0e0f 'gap!'" + k_geometry);

TEST(LayoutMeshes, DecodesPolygonsByKind) {
  EXPECT_EQ(
      L::decoded(k_file),
      R"({"slots": [286331153, 0, 32, 136, 0, 0, 152, 0], "primary": {"triangles": [)"
      R"({"positions": [{"x": 1, "y": 2, "z": 3}, {"x": 4, "y": 5, "z": 6}, {"x": 7, "y": 8, "z": 9}], )"
      R"("look": {"a": [160, 1], "palette": 119, "b": [176, 1], "page": 136, "c": [192, 1]}, "z": 5, "level": 1, "x": 1}, )"
      R"({"positions": [{"x": 11, "y": 12, "z": 13}, {"x": 14, "y": 15, "z": 16}, {"x": 17, "y": 18, "z": 19}], )"
      R"("look": {"a": [160, 2], "palette": 120, "b": [176, 2], "page": 137, "c": [192, 2]}, "z": 127, "level": 1, "x": 2}], )"
      R"("quads": [{"positions": [{"x": 21, "y": 22, "z": 23}, {"x": 24, "y": 25, "z": 26}, {"x": 27, "y": 28, "z": 29}, {"x": 30, "y": 31, "z": 32}], )"
      R"("look": {"a": [160, 3], "palette": 121, "b": [176, 3], "page": 138, "c": [192, 3], "d": [208, 3]}, "z": 64, "level": 0, "x": 3}]}, )"
      R"("pages": {"left": {"pixels": "000102030405060708090a0b0c0d0e0f"}}, "alternate": {"triangles": [], )"
      R"("quads": [{"positions": [{"x": -1, "y": -1, "z": -1}, {"x": 0, "y": 0, "z": 0}, {"x": 0, "y": 0, "z": 0}, {"x": 0, "y": 0, "z": 0}], )"
      R"("look": {"a": [160, 4], "palette": 0, "b": [176, 4], "page": 0, "c": [192, 4], "d": [208, 4]}, "z": 0, "level": 0, "x": 4}]}})");
  const Spans spans = trace<Meshes>(k_file).spans;
  EXPECT_EQ(spans.path(*spans.at(0x62)), "primary.triangles[0].look.palette");
  EXPECT_EQ(spans.path(*spans.at(0x22 + 2)), "primary.triangles[0].positions[0].x");
  EXPECT_EQ(spans.path(*spans.at(0x8c)), "pages.left.pixels");
}

TEST(LayoutMeshes, ObeysAllLayoutLaws) {
  L::hold_for(k_file, 2);
  L::hold_for(k_odd, 3);
}

TEST(LayoutMeshes, EmptyEditChangesNothing) {
  EXPECT_BYTES(L::edited(k_file, [](Meshes&) {}), k_file);
}

TEST(LayoutMeshes, RecomputesTheLayoutAfterEdits) {
  EXPECT_BYTES(L::edited(k_odd,
                         [](Meshes& m) {
                           m.alternate.reset();
                           m.primary->triangles.erase(m.primary->triangles.begin());
                           m.primary->quads[0].level = 1;
                           m.pages[1] = Raster{Bytes(16, 0xee)};
                         },
                         {.lossy = true}),
               hex("00010203 04050607 20000000 00000000 68000000 08090a0b 00000000 0c0d0e0f"
                   "0100 0100"
                   "0b00 0c00 0d00  0e00 0f00 1000  1100 1200 1300"
                   "1500 1600 1700  1800 1900 1a00  1b00 1c00 1d00  1e00 1f00 2000"
                   "a002 7800 b002 8900 c002"
                   "a003 7900 b003 8a00 c003 d003"
                   "ff 02  81 03"
                   "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"));
}

}  // namespace
}  // namespace dio::test::meshes
