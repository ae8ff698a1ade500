// Vertices and triangles that Nitro display lists draw; expected values are computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "formats/nitro/scene/geometry.hpp"
#include "invented/expect_laws.hpp"

namespace {

using namespace dio;
using namespace dio::nitro;
using test::hex;
using testing::ElementsAre;

/// A program whose stack has matrix 3 in slot 5.
struct Stage {
  Program program;
  Draw draw;
  Stage() {
    program.matrices.resize(4);
    program.stacks.emplace_back().fill(k_unset);
    program.stacks[0][5] = 3;
    draw.matrix = 2;
  }
  Geometry run(const Bytes& list, u16 diffuse = 0x1234) {
    draw.list = &list;
    Geometry g;
    run_display_list(draw, program, diffuse, g);
    return g;
  }
};
Geometry drawn(const std::string& list) { return Stage().run(hex(list)); }

std::vector<std::array<f32, 3>> positions(const Geometry& g) {
  std::vector<std::array<f32, 3>> all;
  for (const GxVertex& c : g.corners) all.push_back(c.position);
  return all;
}
using P = std::array<f32, 3>;
constexpr f32 k_step = 1.0f / 4096;

TEST(NitroLists, DecodesVertexCommands) {
  // vtx_16 (1, -1/2, 2)
  EXPECT_THAT(positions(drawn("23000000 001000f8 00200000")), ElementsAre(P{1, -0.5f, 2}));
  // vtx_10: 6 fractional bits; x = 64, y = -1 (3ff), z = 32: word 1 -> 32 << 20 | 3ff << 10 | 64
  EXPECT_THAT(positions(drawn("24000000 40fc0f02")), ElementsAre(P{1, -1.0f / 64, 0.5f}));
  // lowest and highest values
  EXPECT_THAT(positions(drawn("24000000 00fe0720")), ElementsAre(P{-8, 511.0f / 64, -8}));
  EXPECT_THAT(positions(drawn("23000000 0080ff7f 00800000")), ElementsAre(P{-8, 8 - k_step, -8}));
}
TEST(NitroLists, OmittedVertexCoordinatesKeepTheirValue) {
  // (1, 2, 3), then xy (4, 5), xz (6, 7), yz (-1, -2)
  EXPECT_THAT(positions(drawn("23252627 00100020 00300000 00400050 00600070 00f000e0")),
              ElementsAre(P{1, 2, 3}, P{4, 5, 3}, P{6, 5, 7}, P{6, -1, -2}));
  // with no previous vertex, missing coordinates are 0
  EXPECT_THAT(positions(drawn("25000000 00100020")), ElementsAre(P{1, 2, 0}));
}
TEST(NitroLists, RelativeVerticesWrapAt16Bits) {
  // (0, 1, -1), then by (511, -512, 1) of 1/4096: 1 << 20 | 200 << 10 | 1ff
  EXPECT_THAT(positions(drawn("23280000 00000010 00f00000 ff011800")),
              ElementsAre(P{0, 1, -1}, P{511 * k_step, 1 - 512 * k_step, -1 + k_step}));
  // (8 - 1/4096, -8, 0) by (1, -1, 0): 16-bit values wrap around
  EXPECT_THAT(positions(drawn("23280000 ff7f0080 00000000 01fc0f00")),
              ElementsAre(P{8 - k_step, -8, 0}, P{-8, 8 - k_step, 0}));
  // one after the other
  EXPECT_THAT(positions(drawn("28280000 01000000 01000000")), ElementsAre(P{k_step, 0, 0}, P{2 * k_step, 0, 0}));
}

/// Triangle indices drawn for `count` vertices of a primitive.
std::vector<u32> triangles(u8 primitive, u32 count) {
  Bytes list{0x40, 0, 0, 0, primitive, 0, 0, 0};
  for (u32 i = 0; i < count; ++i) list.insert(list.end(), {0x28, 0, 0, 0, 0, 0, 0, 0});
  list.insert(list.end(), {0x41, 0, 0, 0});
  return Stage().run(list).indices;
}
TEST(NitroLists, SkipsIncompleteTrianglesAndQuads) {
  EXPECT_THAT(triangles(0, 6), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(triangles(1, 8), ElementsAre(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7));
  // incomplete primitives are not drawn
  EXPECT_THAT(triangles(0, 5), ElementsAre(0, 1, 2));
  EXPECT_THAT(triangles(1, 7), ElementsAre(0, 1, 2, 0, 2, 3));
  EXPECT_TRUE(triangles(2, 2).empty());
  EXPECT_TRUE(triangles(3, 3).empty());
}
TEST(NitroLists, TriangleStripsFlipEverySecondTriangle) {
  EXPECT_THAT(triangles(2, 5), ElementsAre(0, 1, 2, 2, 1, 3, 2, 3, 4));
}
TEST(NitroLists, QuadStripsSwapTheLastTwoCorners) {
  // quads 0 1 3 2 and 2 3 5 4, each as two triangles
  EXPECT_THAT(triangles(3, 6), ElementsAre(0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4));
  EXPECT_THAT(triangles(3, 5), ElementsAre(0, 1, 3, 0, 3, 2));
}
TEST(NitroLists, StripTrianglesFaceTheSameWay) {
  // a strip in the XY plane, seen from +Z: every triangle is counterclockwise
  for (const char* strip :
       {"40242424 02000000 00000000 40000000 00000100", "40242424 03000000 00000000 40000000 00000100"}) {
    const Geometry g = drawn(std::string(strip) + " 24240000 40000100 00000200");
    ASSERT_GE(g.indices.size(), 6u);
    for (size_t i = 0; i < g.indices.size(); i += 3) {
      const auto at = [&](size_t k) { return g.corners[g.indices[i + k]].position; };
      const f32 turn = (at(1)[0] - at(0)[0]) * (at(2)[1] - at(0)[1]) - (at(1)[1] - at(0)[1]) * (at(2)[0] - at(0)[0]);
      EXPECT_GT(turn, 0) << "triangle " << i / 3;
    }
  }
}
TEST(NitroLists, BeginCommandEndsThePreviousPrimitive) {
  // two vertices of an unfinished strip are not part of the next triangle
  const Geometry g = drawn("40282840 02000000 00000000 00000000 00000000  28282841 00000000 00000000 00000000");
  EXPECT_THAT(g.indices, ElementsAre(2, 3, 4));
}

TEST(NitroLists, VerticesUseTheCurrentDrawingState) {
  Stage stage;
  const Geometry g =
      stage.run(hex("28222128 00000000 1000f0ff 00fc0700 00000000"  // texcoord (1, -1), normal (0, 511, 0)
                    "20282128 1f7c0000 00000000 00000030 00000000"  // colour, then normal (0, 0, -256)
                    ));
  ASSERT_EQ(g.corners.size(), 4u);
  EXPECT_EQ(g.corners[0].color, 0x1234);  // the material's
  EXPECT_THAT(g.corners[0].texcoord, ElementsAre(0, 0));
  EXPECT_FALSE(g.corners[0].lit);
  EXPECT_THAT(g.corners[1].texcoord, ElementsAre(16, -16));
  EXPECT_THAT(g.corners[1].normal, ElementsAre(0, 1, 0));
  EXPECT_TRUE(g.corners[1].lit);
  EXPECT_EQ(g.corners[2].color, 0x7C1F);
  EXPECT_FALSE(g.corners[2].lit);  // COLOR came last
  EXPECT_TRUE(g.corners[3].lit);   // NORMAL did
  EXPECT_THAT(g.corners[3].normal, ElementsAre(0, 0, -1));
  EXPECT_TRUE(g.has_normals && g.has_colors && g.has_texcoords && g.whole);
  const Geometry plain = drawn("28000000 00000000");
  EXPECT_FALSE(plain.has_normals || plain.has_colors || plain.has_texcoords);
}
TEST(NitroLists, NormalizesVertexNormals) {
  // (384, -512, 0) / 512 is (0.75, -1, 0), with length 1.25
  EXPECT_THAT(drawn("21280000 80010800 00000000").corners[0].normal,
              ElementsAre(testing::FloatEq(0.6f), testing::FloatEq(-0.8f), 0));
  // a zero normal keeps the previous one
  EXPECT_THAT(drawn("21212800 ff010000 00000000 00000000").corners[0].normal, ElementsAre(1, 0, 0));
}
TEST(NitroLists, RestoringAMatrixResetsTheScale) {
  Stage stage;
  // a vertex; slot 5, a vertex; scale by 4, then by 1/2, a vertex; slot 5 again, a vertex
  const Geometry g =
      stage.run(hex("28142800 00000000 05000000 00000000"
                    "1b1b2800 00400000 00400000 00400000 00080000 00080000 00080000 00000000"
                    "14280000 05000000 00000000"));
  ASSERT_EQ(g.corners.size(), 4u);
  EXPECT_EQ(g.corners[0].matrix, 2u);  // the draw's
  EXPECT_EQ(g.corners[1].matrix, 3u);
  EXPECT_EQ(g.corners[1].scale, 1);
  EXPECT_EQ(g.corners[2].matrix, 3u);
  EXPECT_EQ(g.corners[2].scale, 2);
  EXPECT_EQ(g.corners[3].scale, 1);
  EXPECT_FALSE(g.one_matrix);
  EXPECT_TRUE(drawn("28000000 00000000").one_matrix);
  // a slot in which nothing was stored
  EXPECT_EQ(drawn("14280000 06000000 00000000").corners[0].matrix, 2u);
}
TEST(NitroLists, DrawsDamagedListsUpToTheFault) {
  const Geometry unknown = drawn("402828ff 00000000 00000000 00000000");
  EXPECT_FALSE(unknown.whole);
  EXPECT_EQ(unknown.corners.size(), 2u);
  const Geometry cut = drawn("40282828 00000000 00000000 00000000 00000000 23000000 00000000");
  EXPECT_FALSE(cut.whole);
  EXPECT_THAT(cut.indices, ElementsAre(0, 1, 2));
}
TEST(NitroLists, ClearsAReusedResultFirst) {
  Stage stage;
  const Bytes first = hex("40212220 00000000 00000000 00000000 00000000 28282800 00000000 00000000 00000000"),
              second = hex("28000000 00000000");
  Geometry g;
  stage.draw.list = &first;
  run_display_list(stage.draw, stage.program, 0, g);
  EXPECT_EQ(g.indices.size(), 3u);
  stage.draw.list = &second;
  run_display_list(stage.draw, stage.program, 0, g);
  EXPECT_EQ(g.corners.size(), 1u);
  EXPECT_TRUE(g.indices.empty());
  EXPECT_FALSE(g.has_normals || g.has_colors || g.has_texcoords);
}

}  // namespace
