// triangles_test.cpp: Diamond and Pearl heights: the lookup against a plain reference, and rebuilt tables against those
// of the game.
#include <gtest/gtest.h>

#include <random>

#include "engine/broken_rules.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "formats/platinum/parts_land.hpp"
#include "platinum/corpus.hpp"
#include "samples/platinum/land.hpp"
#include "samples/samples.hpp"

namespace dio::platinum {
namespace {

constexpr fx32 units(f64 x) { return {i32(x * 4096)}; }
constexpr i32 raw(f64 x) { return i32(x * 4096); }

PlateShape flat(f64 west, f64 north, f64 east, f64 south, f64 height) {
  return {{units(west), units(north)}, {units(east), units(south)}, {{0}, {4096}, {0}}, units(-height)};
}
Bdhc triangles_of(const std::vector<PlateShape>& plates) {
  Bdhc b{};
  b.magic = fourcc("BDHC");
  EXPECT_TRUE(add_plates(b, plates));
  return convert_to_triangles(b);
}
BdhcDp slanted(std::mt19937& rng, size_t count) {
  BdhcDp dp = make_empty_bdhc_dp();
  const auto below = [&](u32 n) { return u16(rng() % n); };
  for (u32 i = 0; i < 40; ++i)
    dp.points.push_back({units(below(33) * 16 - 256.0), units(below(64)), units(below(65) * 8 - 256.0)});
  dp.normals = {{units(0), units(1), units(0)}, {units(0), units(-1), units(0)}, {{0}, {2896}, {2896}}};
  for (size_t i = 0; i < count; ++i)
    dp.triangles.push_back({{below(40), below(40), below(40)}, below(3), units(below(40))});
  return dp;
}

/// Whether a point is far enough from vertices and cell borders, where the game rounds.
bool is_clear(const BdhcDp& dp, i32 x, i32 z) {
  constexpr i32 k_near = 300;  // the game rounds where cells end
  const auto is_near = [](i64 a, i64 b) { return std::abs(a - b) < k_near; };
  for (const DpPoint& p : dp.points)
    if (is_near(p.z.raw, z)) return false;
  for (u32 i = 0; i <= dp.grid.columns; ++i)
    if (is_near(dp.grid.west.raw + i64(i) * dp.grid.width.raw, x) ||
        is_near(dp.grid.north.raw + i64(i) * dp.grid.depth.raw, z))
      return false;
  return true;
}
void expect_found(const Bdhc& b, std::mt19937& rng, int probes) {
  for (int i = 0; i < probes; ++i) {
    const i32 x = i32(rng() % (560 * 4096)) - 280 * 4096, z = i32(rng() % (560 * 4096)) - 280 * 4096;
    if (!is_clear(*b.dp, x, z)) continue;
    std::vector<u16> plain, found;
    for (size_t t = 0; t < plate_count(b) && plain.size() < k_most_candidates; ++t)
      if (const auto shape = find_plate_shape(b, t);
          shape && shape->normal.y.raw > 0 && shape->low != shape->high && shape->contains(x, z))
        plain.push_back(u16(t));
    for (const Ground& g : find_listed_grounds(b, x, z)) found.push_back(g.plate);
    ASSERT_EQ(found, plain) << f64(x) / 4096 << ", " << f64(z) / 4096;
  }
}

TEST(Triangles, CellLookupMatchesTriangles) {
  std::mt19937 rng(3);
  u16 most_columns = 0;
  for (int i = 0; i < 60; ++i) {
    Bdhc b{};
    b.dp = slanted(rng, 1 + rng() % 300);
    rebuild_cells(*b.dp);
    EXPECT_EQ(find_cell_fault(*b.dp), std::nullopt) << i;
    most_columns = std::max(most_columns, b.dp->grid.columns);
    expect_found(b, rng, 500);
  }
  EXPECT_EQ(most_columns, 16);
}

TEST(Triangles, TrianglesMatchPlateHeights) {
  const Bdhc plates = town_land().bdhc, triangles = convert_to_triangles(plates);
  EXPECT_EQ(triangles.dp->triangles.size(), 2 * plates.plates.size());
  for (u32 z = 0; z < k_tiles; ++z)
    for (u32 x = 0; x < k_tiles; ++x)
      for (const i32 height : {0, raw(48)})
        EXPECT_EQ(ground_height_at(triangles, tile_middle(x), tile_middle(z), height),
                  ground_height_at(plates, tile_middle(x), tile_middle(z), height))
            << x << "," << z;
  EXPECT_EQ(ground_height_at(triangles, raw(300), 0), std::nullopt);
  EXPECT_EQ(test::listing(test::findings_of({"", "", "bdhc", dio::bytes_of(triangles)})), "");
}

TEST(Triangles, DownwardFacesBecomeFloors) {
  PlateShape down = flat(-16, -16, 16, 16, 24);
  down.normal.y.raw = -4096, down.constant = units(24);
  EXPECT_EQ(ground_height_at(triangles_of({down}), raw(3), raw(5)), raw(24));
}

TEST(Triangles, GridSizeGrowsWithTriangleCount) {
  const auto steps = [](u32 count) {
    std::vector<PlateShape> plates;
    for (u32 i = 0; i < count; ++i) plates.push_back(flat(-256, -256 + i * 4.0, 256, -252 + i * 4.0, i));
    return triangles_of(plates);
  };
  EXPECT_EQ(steps(20).dp->grid.columns, 1);  // 40 triangles
  EXPECT_EQ(steps(21).dp->grid.columns, 2);
  EXPECT_EQ(steps(60).dp->grid.columns, 4);
  // an existing grid stays as long as its cells have room
  Bdhc b = steps(20);
  b.dp->grid.columns = b.dp->grid.rows = 3;
  b.normalise();
  EXPECT_EQ(b.dp->grid.columns, 3);
  EXPECT_EQ(b.dp->cells.size(), 9u);
  b.dp->grid.rows = 2;  // the game would read the wrong row
  EXPECT_EQ(find_cell_fault(*b.dp)->kind, CellFault::Kind::grid);
  b.settle();
  EXPECT_EQ(b.dp->grid.columns, 1);
}

/// The game's table for one cell and a floor with a step.
TEST(Triangles, BuildsTablesLikeTheGame) {
  const Bdhc b =
      triangles_of({flat(-256, -256, 192, -128, 16), flat(-256, -128, 256, 256, 16), flat(192, -256, 256, -128, 32)});
  const BdhcDp& dp = *b.dp;
  EXPECT_EQ(dp.grid, (DpGrid{1, 1, units(-257), units(-257), units(256.5), units(256.5), units(513.5), units(513.5)}));
  EXPECT_EQ(dp.cells, (std::vector<DpCell>{{2, 0}}));
  EXPECT_EQ(dp.strips, (std::vector<DpStrip>{{4, units(-128), 0}, {2, units(256), 4}}));
  EXPECT_EQ(dp.access_list, (std::vector<u16>{0, 1, 4, 5, 2, 3}));
  EXPECT_EQ(dp.points.size(), 11u);
  EXPECT_EQ(dp.points[0], (DpPoint{units(-256), units(16), units(-128)}));
  EXPECT_EQ(dp.triangles[1], (DpTriangle{{0, 2, 3}, 0, units(-16)}));
  EXPECT_EQ(dp.most_strips, 2);
  EXPECT_EQ(dp.most_triangles, 4);
}

TEST(Triangles, FindsEveryCellFault) {
  using enum CellFault::Kind;
  const BdhcDp good = *diamond_land().bdhc.dp;
  EXPECT_EQ(find_cell_fault(good), std::nullopt);
  const auto kind = [&](auto edit) {
    BdhcDp b = good;
    edit(b);
    const auto fault = find_cell_fault(b);
    return fault ? std::optional(fault->kind) : std::nullopt;
  };
  EXPECT_EQ(kind([](BdhcDp& b) { b.cells.clear(); }), grid);
  EXPECT_EQ(kind([](BdhcDp& b) { b.grid.width = {0}; }), grid);
  EXPECT_EQ(kind([](BdhcDp& b) { b.cells[0].first = 9; }), run);
  EXPECT_EQ(kind([](BdhcDp& b) { b.strips[1].scanline = b.strips[0].scanline; }), order);
  EXPECT_EQ(kind([](BdhcDp& b) { b.strips[0].first = 90; }), range);
  EXPECT_EQ(kind([](BdhcDp& b) { b.access_list[0] = 90; }), triangle);
  EXPECT_EQ(kind([](BdhcDp& b) { b.access_list[0] = b.access_list[1]; }), missing);
  EXPECT_EQ(kind([](BdhcDp& b) { b.cells[0].count = 0; }), missing);
  EXPECT_EQ(kind([](BdhcDp& b) { b.triangles[0].normal = 99; }), std::nullopt);  // reaches nothing
}

TEST(Triangles, KeepsTruncatedFilesUnchanged) {
  Bytes bytes = dio::bytes_of(diamond_land().bdhc);
  for (const size_t size : {size_t(0x44), size_t(0x44 + 5), bytes.size() - 1}) {
    const Bytes cut(bytes.begin(), bytes.begin() + std::ptrdiff_t(size));
    const auto b = load<Bdhc>(cut);
    ASSERT_TRUE(b) << size;
    ASSERT_TRUE(is_truncated(b->document.value()));
    EXPECT_EQ(find_listed_grounds(b->document.value(), 0, 0).size(), 0u);
    const auto again = save(b->document);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, cut);
  }
}

// ---- the files of Diamond, where somebody has them ----

TEST(RealTriangles, RebuiltTablesMatchTheGame) {
  const auto files = test::real_folder("diamond/land_data", ".bin");
  if (files.empty()) GTEST_SKIP() << "no corpus";
  size_t same = 0, cut = 0, chosen = 0;
  std::mt19937 rng(5);
  for (const auto& [name, bytes] : files) {
    const auto land = load<LandData>(bytes);
    ASSERT_TRUE(land) << name;
    const Bdhc& b = land->document.value().bdhc;
    ASSERT_TRUE(b.dp) << name;
    if (is_truncated(b) && ++cut) continue;
    LandData again = land->document.value();
    rebuild_cells(*again.bdhc.dp);
    same += dio::bytes_of(again) == bytes;
    again.bdhc.dp->grid.columns = 0;  // the number of cells is chosen
    rebuild_cells(*again.bdhc.dp);
    chosen += dio::bytes_of(again) == bytes;
    expect_found(b, rng, 500);
  }
  if (files.size() == 578) {
    EXPECT_EQ(cut, 10u);
    EXPECT_EQ(same, 568u);
    EXPECT_EQ(chosen, 551u);  // 17 files of one place have 17 x 17 cells
  }
}

}  // namespace
}  // namespace dio::platinum
