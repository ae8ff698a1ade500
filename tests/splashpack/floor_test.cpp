// floor_test.cpp: triangle floors become a few convex regions with the same area and the same connections.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>
#include <set>

#include "formats/splashpack/scene/baked_collision.hpp"
#include "formats/splashpack/scene/floor_polygons.hpp"

namespace dio::splashpack {
namespace {

using Floor = std::vector<NavTriangle>;

Vec32 at(i64 x, i64 y, i64 z) { return {{i32(x)}, {i32(y)}, {i32(z)}}; }

/// A grid of cells, each split along a random diagonal. `height`: at a corner; `has`: whether a cell exists.
void add_grid(
    Floor& floor, int columns, int rows, i64 cell, std::array<i64, 2> origin,
    const std::function<i64(i64, i64)>& height,
    const std::function<bool(int, int)>& has = [](int, int) { return true; }) {
  std::mt19937 random(7);
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r) {
      if (!has(c, r)) continue;
      const auto corner = [&](int dx, int dz) {
        const i64 x = origin[0] + (c + dx) * cell, z = origin[1] + (r + dz) * cell;
        return at(x, height(x, z), z);
      };
      if (random() & 1) {
        floor.push_back({{corner(0, 0), corner(1, 0), corner(1, 1)}});
        floor.push_back({{corner(0, 0), corner(1, 1), corner(0, 1)}});
      } else {
        floor.push_back({{corner(0, 0), corner(1, 0), corner(0, 1)}});
        floor.push_back({{corner(1, 0), corner(1, 1), corner(0, 1)}});
      }
    }
}
std::function<i64(i64, i64)> level(i64 y) {
  return [y](i64, i64) { return y; };
}

FloorPoint point(const Vec32& v) { return {v.x.raw, v.y.raw, v.z.raw}; }
f64 height_of(const NavRegion& r, f64 x, f64 z) {
  return r.plane_a.value() * x + r.plane_b.value() * z + r.plane_d.raw;
}
bool holds(const NavRegion& r, f64 x, f64 z) {
  for (size_t i = 0; i < r.corner_count; ++i) {
    const size_t j = (i + 1) % r.corner_count;
    const f64 ax = r.xs[i].raw, az = r.zs[i].raw, bx = r.xs[j].raw, bz = r.zs[j].raw;
    if ((bx - ax) * (z - az) - (bz - az) * (x - ax) < 0) return false;
  }
  return true;
}

/// Connected groups.
struct Groups {
  std::vector<size_t> parent;
  explicit Groups(size_t n) : parent(n) { std::iota(parent.begin(), parent.end(), size_t(0)); }
  size_t root(size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  }
  void join(size_t a, size_t b) { parent[root(a)] = root(b); }
};

/// Every point of a triangle is in exactly one region at its height, and regions are connected like the triangles.
void expect_same_floor(const Floor& floor, const Nav& nav) {
  std::mt19937 random(1);
  std::uniform_real_distribution<f64> part(0.01, 1);
  std::vector<size_t> region_of(floor.size());
  for (size_t t = 0; t < floor.size(); ++t)
    for (int n = 0; n < 5; ++n) {
      std::array<f64, 3> weights{part(random), part(random), part(random)};
      const f64 sum = weights[0] + weights[1] + weights[2];
      f64 x = 0, y = 0, z = 0;
      for (size_t k = 0; k < 3; ++k) {
        const FloorPoint p = point(floor[t].positions[k]);
        x += weights[k] / sum * f64(p.x), y += weights[k] / sum * f64(p.y), z += weights[k] / sum * f64(p.z);
      }
      size_t found = 0;
      for (size_t i = 0; i < nav.regions.size(); ++i)
        if (holds(nav.regions[i], x, z) && std::fabs(height_of(nav.regions[i], x, z) - y) <= 2)
          ++found, region_of[t] = i;
      ASSERT_EQ(found, 1u) << "triangle " << t << " at " << x << ", " << z;
    }
  for (const NavRegion& r : nav.regions) {
    EXPECT_LE(r.corner_count, 8);
    EXPECT_GE(r.corner_count, 3);
  }
  Groups triangles(floor.size()), regions(nav.regions.size());
  std::map<std::pair<FloorPoint, FloorPoint>, size_t> edges;
  for (size_t t = 0; t < floor.size(); ++t)
    for (size_t k = 0; k < 3; ++k) {
      const FloorPoint from = point(floor[t].positions[k]), to = point(floor[t].positions[(k + 1) % 3]);
      const auto edge = std::minmax(from, to);
      const auto [known, is_new] = edges.try_emplace({edge.first, edge.second}, t);
      if (!is_new) triangles.join(t, known->second);
    }
  for (size_t i = 0; i < nav.regions.size(); ++i)
    for (size_t p = nav.regions[i].first_portal; p < size_t(nav.regions[i].first_portal) + nav.regions[i].portal_count;
         ++p)
      regions.join(i, nav.portals[p].region);
  for (size_t t = 0; t < floor.size(); ++t)
    if (triangles.root(t) == triangles.root(0)) {
      EXPECT_EQ(regions.root(region_of[t]), regions.root(region_of[0])) << t;
    }
}

Nav built(const Floor& floor) {
  const BuiltNavmesh made = build_nav_regions(floor, floor.front().positions[0]);
  EXPECT_TRUE(made.nav);
  EXPECT_EQ(made.degenerate + made.steep + made.far, 0u);
  if (!made.nav) return {};
  expect_same_floor(floor, *made.nav);
  return *made.nav;
}

TEST(PackFloor, FlatSquareBecomesOneRegion) {
  Floor floor;
  add_grid(floor, 20, 20, 100, {-1000, -1000}, level(0));
  ASSERT_EQ(floor.size(), 800u);
  const Nav nav = built(floor);
  ASSERT_EQ(nav.regions.size(), 1u);
  EXPECT_EQ(nav.regions[0].corner_count, 4);
  EXPECT_TRUE(nav.portals.empty());
}

TEST(PackFloor, RegionsStayInTheirRooms) {
  Floor floor;
  add_grid(floor, 20, 20, 100, {0, 0}, level(0));
  const std::array rooms = {Box{at(0, -500, 0), at(800, 100, 2000)}, Box{at(800, -500, 0), at(2000, 100, 2000)}};
  const BuiltNavmesh made = build_nav_regions(floor, at(50, 0, 50), rooms);
  ASSERT_TRUE(made.nav);
  EXPECT_EQ(made.nav->regions.size(), 2u);
  EXPECT_EQ(made.nav->portals.size(), 2u);
  expect_same_floor(floor, *made.nav);
}

TEST(PackFloor, LShapedFloorBecomesTwoRegions) {
  Floor floor;
  add_grid(floor, 20, 20, 100, {0, 0}, level(-50), [](int c, int r) { return c < 8 || r < 8; });
  EXPECT_EQ(built(floor).regions.size(), 2u);
}

TEST(PackFloor, RegionsExcludeHoles) {
  Floor floor;
  add_grid(floor, 20, 20, 100, {0, 0}, level(0), [](int c, int r) { return c < 6 || c > 12 || r < 7 || r > 15; });
  EXPECT_LE(built(floor).regions.size(), 5u);  // four are the fewest
  floor.clear();
  add_grid(floor, 20, 20, 100, {0, 0}, level(0), [](int c, int r) { return (c % 6 != 3 || r % 6 != 3); });
  EXPECT_LE(built(floor).regions.size(), 30u);  // 9 holes
}

TEST(PackFloor, StairsHaveOneRegionPerStep) {
  Floor floor;
  constexpr i64 k_step = 40;  // raw units, less than a step of the player
  for (int step = 0; step < 10; ++step) add_grid(floor, 4, 2, 100, {0, step * 200}, level(-k_step * step));
  const BuiltNavmesh made = build_nav_regions(floor, at(100, 0, 100));
  ASSERT_TRUE(made.nav);
  EXPECT_EQ(made.nav->regions.size(), 10u);
  EXPECT_EQ(made.nav->portals.size(), 18u);  // both ways
  for (const NavPortal& p : made.nav->portals) EXPECT_EQ(std::abs(p.step.raw), k_step);
  EXPECT_EQ(made.nav->portals[made.nav->regions[0].first_portal].step.raw, k_step) << "up is positive";
}

TEST(PackFloor, RampConnectsTwoFlatRegions) {
  Floor floor;
  add_grid(floor, 10, 10, 100, {0, 0}, level(0));
  add_grid(floor, 4, 10, 100, {300, 1000}, [](i64, i64 z) { return -(z - 1000) / 2; });
  add_grid(floor, 10, 10, 100, {0, 2000}, level(-500));
  const Nav nav = built(floor);
  EXPECT_EQ(nav.regions.size(), 3u);
  EXPECT_EQ(nav.portals.size(), 4u);
}

TEST(PackFloor, BridgeIsNotConnectedToThePath) {
  Floor floor;
  add_grid(floor, 20, 20, 100, {0, 0}, level(0));
  add_grid(floor, 20, 4, 100, {0, 800}, level(-600));
  const Nav nav = built(floor);
  EXPECT_EQ(nav.regions.size(), 2u);
  EXPECT_TRUE(nav.portals.empty());
}

TEST(PackFloor, RegionsKeepTheHeightsOfHills) {
  Floor floor;
  add_grid(floor, 12, 12, 100, {0, 0},
           [](i64 x, i64 z) { return -i64(200 * std::sin(f64(x) / 300) * std::cos(f64(z) / 250)); });
  const Nav nav = built(floor);
  EXPECT_LE(nav.regions.size(), floor.size());
}

TEST(PackFloor, SplitsPolygonsWithTooManyCorners) {
  // A fan of twelve triangles: twelve corners are too many for one region.
  Floor floor;
  constexpr f64 k_turn = 6.283185307179586;
  for (int i = 0; i < 12; ++i) {
    const auto corner = [](int n) {
      return at(i64(std::lround(1000 * std::cos(k_turn * n / 12))), 0,
                i64(std::lround(1000 * std::sin(k_turn * n / 12))));
    };
    floor.push_back({{at(0, 0, 0), corner(i), corner((i + 1) % 12)}});
  }
  EXPECT_LE(built(floor).regions.size(), 3u);  // two are the fewest
}

}  // namespace
}  // namespace dio::splashpack
