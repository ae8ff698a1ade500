// Curves in pools shared by all animations: visited from outside, relative to stored bases.
#include "invented/pools.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::pools {
namespace {

using L = Laws<Pools>;

// Two animations share the curve of a turn through different offsets; narrow positions precede wide ones.
const Bytes k_file =
    hex("'PL' 5400 02 00"
        "0c00 2800 0000"                          // 06: the animations, from the start of the block
        "0300 02 00 0800 1600"                    // 0c: 3 frames, 2 tracks
        "c0 00  0020 3400  0000 3c00  0000 2800"  // 14: x, y, turn
        "83 00  0500  fbff"                       // 22: constants
        "0300 01 00 0600"                         // 28
        "40 00  0000 0c00"                        // 2e
        "64000000 c8000000 2c010000"              // 34: turns
        "0100 ffff 0200 0000"                     // 40: narrow places
        "07000000 08000000 09000000");            // 48: wide places

TEST(LayoutPools, DecodesSharedCurves) {
  EXPECT_EQ(
      L::decoded(k_file),
      R"({"size": 84, "animations": [{"offset": 12, "data": {"frames": 3, "tracks": [)"
      R"({"offset": 8, "moves": 1, "turns": 1, "unused_2": 0, "turn_constant": 0, "y_constant": 0, "x_constant": 0, "place": [)"
      R"({"curve": {"step": 0, "narrow": 1, "last": 0, "offset": 52, "samples": [1, -1, 2]}}, )"
      R"({"curve": {"step": 0, "narrow": 0, "last": 0, "offset": 60, "samples": [7, 8, 9]}}], )"
      R"("turn": {"curve": {"step": 0, "narrow": 0, "last": 0, "offset": 40, "samples": [100, 200, 300]}}}, )"
      R"({"offset": 22, "moves": 1, "turns": 0, "unused_2": 0, "turn_constant": 0, "y_constant": 1, "x_constant": 1, "place": [{"value": 5}, {"value": -5}]}]}}, )"
      R"({"offset": 40, "data": {"frames": 3, "tracks": [{"offset": 6, "moves": 0, "turns": 1, "unused_2": 0, "turn_constant": 0, "y_constant": 0, "x_constant": 0, )"
      R"("turn": {"curve": {"step": 0, "narrow": 0, "last": 0, "offset": 12, "samples": [100, 200, 300]}}}]}}]})");
}

TEST(LayoutPools, ObeysAllLayoutLaws) { L::hold_for(k_file); }

TEST(LayoutPools, EmptyEditChangesNothing) {
  EXPECT_BYTES(L::edited(k_file, [](Pools&) {}), k_file);
}

TEST(LayoutPools, RecomputesTheLayoutAfterEdits) {
  const Bytes b = L::edited(k_file, [](Pools& p) {
    p.animations[0].tracks[0].place[1].curve = {2, 1, 4, 0, {7, 8}};        // narrow, every fourth frame
    p.animations[0].tracks[1].place[0] = {0, 0, {0, 1, 0, 0, {1, -1, 2}}};  // equal to an existing curve
    p.animations[1].tracks[0].turn.curve.samples[2] = 301;                  // no longer shared
    p.animations[0].frames = 3;
  });
  EXPECT_BYTES(b, hex("'PL' 5c00 02 00"
                      "0c00 2c00 0000"
                      "0300 02 00 0800 1600"
                      "c0 00  0020 4400  04a0 4a00  0000 2c00"
                      "82 00  0020 4400  fbff 0000"
                      "0300 01 00 0600"
                      "40 00  0000 1800"
                      "64000000 c8000000 2c010000"
                      "64000000 c8000000 2d010000"
                      "0100 ffff 0200 0700 0800 0000"));
}

}  // namespace
}  // namespace dio::test::pools
