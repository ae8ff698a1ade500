// heights_test.cpp: the height lookup against a plain reference, and rebuilt tables against those of the game.
#include "formats/platinum/layout/heights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "formats/platinum/parts_land.hpp"
#include "platinum/corpus.hpp"

namespace dio::platinum {
namespace {

constexpr fx32 units(f64 x) { return {i32(x * 4096)}; }
constexpr i32 raw(f64 x) { return i32(x * 4096); }

Bdhc heights_of(const std::vector<PlateShape>& plates) {
  Bdhc b{};
  b.magic = fourcc("BDHC");
  for (const PlateShape& p : plates) EXPECT_TRUE(add_plate(b, p));
  return b;
}
PlateShape flat(f64 west, f64 north, f64 east, f64 south, f64 height) {
  return {{units(west), units(north)}, {units(east), units(south)}, {{0}, {4096}, {0}}, units(-height)};
}

/// Overlapping plates with shared corners, some sloped, some without area.
Bdhc generated(std::mt19937& rng) {
  std::vector<PlateShape> plates;
  const auto below = [&](u32 n) { return rng() % n; };
  for (u32 n = below(24); n; --n) {
    const u32 step = below(4) ? 16 : 1;  // most on the grid
    const f64 x = f64(below(560 / step) * step) - 280, z = f64(below(560 / step) * step) - 280;
    const f64 width = f64(below(12) * step), depth = f64(below(12) * step), y = f64(below(200)) - 40;
    const BdhcPoint low{units(x), units(z)}, high{units(x + width), units(z + depth)};
    const auto slope = make_plate_through(low, high, y, y + f64(below(64)), y - f64(below(64)));
    plates.push_back(slope && below(3) == 0 ? *slope : flat(x, z, x + width, z + depth, y));
  }
  return heights_of(plates);
}

/// Error-prone points: on corners, next to them, anywhere.
std::pair<i32, i32> probe(const Bdhc& b, std::mt19937& rng) {
  const auto anywhere = [&] { return i32(rng() % (640 * 4096)) - 320 * 4096; };
  const auto near = [&](i32 x) { return x + i32(rng() % 3) - 1; };
  if (b.points.empty() || rng() % 3 == 0) return {anywhere(), anywhere()};
  const BdhcPoint &one = b.points[rng() % b.points.size()], &two = b.points[rng() % b.points.size()];
  return {rng() % 4 ? near(one.x.raw) : anywhere(), near(two.z.raw)};
}

/// The number of probes for which the strips and the plain reference differ.
size_t differences(const Bdhc& b, size_t probes, std::mt19937& rng) {
  size_t differ = 0;
  for (size_t i = 0; i < probes; ++i) {
    const auto [x, z] = probe(b, rng);
    const auto found = find_listed_grounds(b, x, z), plain = find_all_grounds(b, x, z);
    const bool same = std::ranges::equal(
        found, plain, [](const Ground& a, const Ground& c) { return a.plate == c.plate && a.height == c.height; });
    if (!same && differ++ == 0)
      ADD_FAILURE() << "at " << f64(x) / 4096 << ", " << f64(z) / 4096 << " the strips have " << found.size()
                    << " plates, there are " << plain.size();
  }
  return differ;
}

TEST(Heights, StripLookupMatchesPlates) {
  std::mt19937 rng(7);
  size_t plates = 0;
  for (int i = 0; i < 200; ++i) {
    const Bdhc b = generated(rng);
    plates += b.plates.size();
    EXPECT_EQ(find_strip_fault(b), std::nullopt);
    ASSERT_EQ(differences(b, 1000, rng), 0u) << i;
  }
  EXPECT_GT(plates, 1000u);
}

TEST(Heights, RoundsHeightsLikeTheGame) {
  // y = -(nx * x + nz * z + d) / ny: products and the quotient are rounded to the nearest 1/4096.
  PlateShape p = flat(-16, -16, 16, 16, 0);
  p.normal = {{2896}, {2896}, {0}};  // 45 degrees
  EXPECT_EQ(p.height(raw(8), 0), raw(-8));
  EXPECT_EQ(p.height(1, 0), -1);  // 2896 / 4096 rounds to 1, and 1 / 0.707 to 1
  EXPECT_EQ(p.height(-1, 0), 1);
  p.normal = {{1}, {4096}, {0}};
  EXPECT_EQ(p.height(2047, 0), 0);
  EXPECT_EQ(p.height(2048, 0), -1);
  EXPECT_EQ(p.height(-2048, 0), 0);  // halves go up
  EXPECT_EQ(p.height(-2049, 0), 1);
  p.normal = {{0}, {0}, {0}};
  EXPECT_EQ(p.height(0, 0), 0);  // nothing is divided by
  p.normal = {{0}, {-1}, {0}};
  p.constant = {INT32_MIN};
  (void)p.height(INT32_MIN, INT32_MAX);  // wraps round, as 32 bits do
}

TEST(Heights, ChoosesTheHeightNearestTheCurrentOne) {
  const Bdhc b = heights_of({flat(-16, -16, 16, 16, 0), flat(-16, -16, 16, 16, 48), flat(-16, -16, 16, 16, 96)});
  EXPECT_EQ(ground_height_at(b, 0, 0), raw(0));
  EXPECT_EQ(ground_height_at(b, 0, 0, raw(24)), raw(0));  // as near: the first
  EXPECT_EQ(ground_height_at(b, 0, 0, raw(25)), raw(48));
  EXPECT_EQ(ground_height_at(b, 0, 0, raw(1000)), raw(96));
  EXPECT_EQ(ground_height_at(b, raw(17), 0), std::nullopt);
  EXPECT_EQ(ground_height_at(Bdhc{}, 0, 0), std::nullopt);
}

TEST(Heights, ConsidersAtMostTenPlates) {
  std::vector<PlateShape> plates;
  for (int i = 0; i < 12; ++i) plates.push_back(flat(-16, -16, 16, 16, i * 48));
  const Bdhc b = heights_of(plates);
  EXPECT_EQ(find_listed_grounds(b, 0, 0).size(), 10u);
  EXPECT_EQ(find_all_grounds(b, 0, 0).size(), 10u);
  EXPECT_EQ(ground_height_at(b, 0, 0, raw(11 * 48)), raw(9 * 48));
}

TEST(Heights, PlateExcludesItsSouthernEdge) {
  // At an edge shared with another plate, the lookup already uses the next strip; the southernmost edge has no next
  // strip.
  const Bdhc b = heights_of({flat(-16, -16, 0, 0, 8), flat(0, -16, 16, 16, 16)});
  EXPECT_EQ(ground_height_at(b, raw(-8), raw(-0.5)), raw(8));
  EXPECT_EQ(ground_height_at(b, raw(-8), 0), std::nullopt);
  EXPECT_EQ(ground_height_at(b, raw(8), raw(16)), raw(16));
  EXPECT_EQ(ground_height_at(b, raw(8), raw(16) + 1), std::nullopt);
}

TEST(Heights, SearchesStripsLikeTheGame) {
  // Three strips; the last scanline is never compared, and an unsorted list misleads the lookup in only one way.
  Bdhc b = heights_of({flat(-16, -16, 16, 0, 1), flat(-16, 0, 16, 16, 2), flat(-16, 16, 16, 32, 3)});
  ASSERT_EQ(b.strips.size(), 3u);
  b.strips[2].scanline = units(-1000);
  EXPECT_EQ(ground_height_at(b, 0, raw(20)), raw(3));
  std::swap(b.strips[0].scanline, b.strips[1].scanline);
  EXPECT_EQ(ground_height_at(b, 0, raw(8)), std::nullopt);
}

TEST(Heights, BuildsTablesInTheOriginalOrder) {
  // Computed by hand: points, normals and constants in the order of first use, strips without the smallest z.
  const Bdhc b = heights_of({flat(0, 0, 16, 16, 8), flat(16, 0, 32, 32, 0), flat(0, 16, 16, 32, 8)});
  const std::vector<BdhcPoint> points = {{units(0), units(0)},   {units(16), units(16)}, {units(16), units(0)},
                                         {units(32), units(32)}, {units(0), units(16)},  {units(16), units(32)}};
  EXPECT_EQ(b.points, points);
  EXPECT_EQ(b.normals, (std::vector<BdhcNormal>{{{0}, {4096}, {0}}}));
  EXPECT_EQ(b.constants, (std::vector<fx32>{units(-8), units(0)}));
  EXPECT_EQ(b.plates, (std::vector<Plate>{{0, 1, 0, 0}, {2, 3, 0, 1}, {4, 5, 0, 0}}));
  EXPECT_EQ(b.strips, (std::vector<Strip>{{units(16), 3, 0}, {units(32), 2, 3}}));
  EXPECT_EQ(b.access_list, (std::vector<u16>{0, 1, 2, 1, 2}));
}

TEST(Heights, ConvertsCoordinatesToTiles) {
  EXPECT_EQ(tile_of(units(-256)), 0);
  EXPECT_EQ(tile_of({units(-256).raw - 1}), -1);
  EXPECT_EQ(tile_of(units(255.5)), 31);
  EXPECT_EQ(tile_of(units(256)), 32);
  EXPECT_EQ(tile_of({INT32_MIN}), -32768 + 16);
  for (u32 tile = 0; tile < k_tiles; ++tile) EXPECT_EQ(tile_of({tile_middle(tile)}), tile);
  EXPECT_EQ(to_fx32(-0.5), (fx32{-2048}));
  EXPECT_EQ(to_fx32(524288), std::nullopt);
  EXPECT_EQ(to_fx32(std::nan("")), std::nullopt);
}

TEST(Heights, StopsBuildingTooManyStrips) {
  // Each plate has two lines of its own: 131,070 lines. Saving would be refused.
  Bdhc b{};
  b.normals = {{{0}, {4096}, {0}}};
  b.constants = {{0}};
  for (i32 i = 0; i < 65535; ++i) {
    b.points.push_back({{0}, {2 * i}});
    b.plates.push_back({u16(i), u16(i), 0, 0});
  }
  b.points.push_back({{0}, {200000}});
  for (Plate& p : b.plates) p.second_point = 65535;  // and all reach the end
  rebuild_strips(b);
  EXPECT_GT(b.access_list.size(), 65535u);
  EXPECT_LT(b.access_list.size(), 70000u);
}

TEST(Heights, FindsEveryStripFault) {
  using Kind = StripFault::Kind;
  const Bdhc good = heights_of({flat(0, 0, 16, 16, 8), flat(16, 0, 32, 32, 0), flat(0, 16, 16, 32, 8)});
  const auto kind = [&](auto change) {
    Bdhc b = good;
    change(b);
    const auto fault = find_strip_fault(b);
    return fault ? std::optional(fault->kind) : std::nullopt;
  };
  EXPECT_EQ(kind([](Bdhc&) {}), std::nullopt);
  EXPECT_EQ(kind([](Bdhc& b) { b.strips[1].scanline = b.strips[0].scanline; }), Kind::order);
  EXPECT_EQ(kind([](Bdhc& b) { b.strips[1].count = 3; }), Kind::range);
  EXPECT_EQ(kind([](Bdhc& b) { b.access_list[1] = 3; }), Kind::plate);
  EXPECT_EQ(kind([](Bdhc& b) { b.access_list[1] = 0; }), Kind::missing);
  EXPECT_EQ(kind([](Bdhc& b) { b.access_list[4] = 1; }), Kind::missing);
  EXPECT_EQ(kind([](Bdhc& b) { b.strips.clear(); }), Kind::missing);
  EXPECT_EQ(kind([](Bdhc& b) { b.strips[1].scanline = units(31); }), Kind::end);
  // a plate that only touches the northern strip may be missing from it
  EXPECT_EQ(kind([](Bdhc& b) {
              b.access_list = {0, 1, 1, 2};
              b.strips = {{units(16), 2, 0}, {units(32), 2, 2}};
            }),
            std::nullopt);
  // editing rebuilds the strips only if the old ones do not cover the plates
  Bdhc damaged = good;
  damaged.access_list[1] = 0;
  damaged.settle();
  EXPECT_EQ(damaged.access_list, good.access_list);
}

TEST(RealHeights, StripLookupMatchesPlates) {
  const auto files = test::real_lands();
  if (files.empty()) GTEST_SKIP() << "no corpus";
  std::mt19937 rng(11);
  size_t probes = 0;
  for (const auto& [name, bytes] : files) {
    const auto land = load<LandData>(bytes);
    ASSERT_TRUE(land) << name;
    ASSERT_EQ(differences(land->document.value().bdhc, 1600, rng), 0u) << name;
    probes += 1600;
  }
  if (files.size() == 666) {
    EXPECT_GE(probes, 1000000u);
  }
}

TEST(RealHeights, RebuiltTablesGiveTheSameHeights) {
  const auto files = test::real_lands();
  if (files.empty()) GTEST_SKIP() << "no corpus";
  size_t tiles = 0, without_strip = 0;
  for (const auto& [name, bytes] : files) {
    const auto land = load<LandData>(bytes);
    ASSERT_TRUE(land) << name;
    const Bdhc& b = land->document.value().bdhc;
    Bdhc anew = b;
    anew.normalise();
    for (u32 z = 0; z < k_tiles; ++z)
      for (u32 x = 0; x < k_tiles; ++x) {
        const i32 at_x = tile_middle(x), at_z = tile_middle(z);
        ++tiles;
        for (const i32 height : {0, raw(64), raw(-64)})
          ASSERT_EQ(ground_height_at(b, at_x, at_z, height), ground_height_at(anew, at_x, at_z, height))
              << name << " " << x << "," << z;
        bool closed = false;
        for (size_t p = 0; p < b.plates.size(); ++p) closed |= find_plate_shape(b, p)->contains(at_x, at_z);
        without_strip += closed && find_listed_grounds(b, at_x, at_z).empty();
      }
  }
  if (files.size() == 666) {
    EXPECT_EQ(tiles, 681984u);
    EXPECT_EQ(without_strip, 29u);  // tiles in whose middle a plate ends, and no other begins
  }
}

}  // namespace
}  // namespace dio::platinum
