// svg_test.cpp: clipping of plan shapes that extend far beyond the page.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bridge/svg/clip_far.hpp"

namespace {

using namespace dio;
using namespace dio::svg;
using scene::PlanPoint;

void expect_points(const std::vector<PlanPoint>& found, const std::vector<PlanPoint>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    for (size_t axis = 0; axis < 2; ++axis) EXPECT_NEAR(found[i][axis], expected[i][axis], 1e-3) << i;
}

TEST(Svg, ClippedLinesKeepTheirDirection) {
  const std::vector<PlanPoint> near = {{0, 0}, {3, 4}, {-1e6, 1e6}};
  ASSERT_EQ(clip_polyline(near).size(), 1u);
  EXPECT_EQ(clip_polyline(near)[0], near);
  const auto far = clip_polyline({{0, 0}, {4e6, 2e6}});
  ASSERT_EQ(far.size(), 1u);
  expect_points(far[0], {{0, 0}, {1e6, 5e5}});
  const auto both = clip_polyline({{-4e6, -1e6}, {4e6, 1e6}});
  ASSERT_EQ(both.size(), 1u);
  expect_points(both[0], {{-1e6, -2.5e5}, {1e6, 2.5e5}});
  // A line that leaves the page and returns elsewhere gives two pieces; one far outside gives none.
  const auto pieces = clip_polyline({{0, 0}, {2e6, 0}, {2e6, 2e6}, {0, 2e6}, {0, 0}, {0, 5}});
  ASSERT_EQ(pieces.size(), 2u);
  expect_points(pieces[0], {{0, 0}, {1e6, 0}});
  expect_points(pieces[1], {{0, 1e6}, {0, 0}, {0, 5}});
  EXPECT_TRUE(clip_polyline({{2e6, 0}, {0, 2.1e6}, {-5e6, 2.1e6}}).empty());
}

TEST(Svg, ClippedAreasKeepTheirSides) {
  // A triangle whose sides pass through (10, 0) and (0, 10), with very distant corners.
  const auto area = clip_polygon({{-4e6, 4e6 + 10}, {4e6, -4e6 + 10}, {-4e6, -4e6}});
  ASSERT_EQ(area.size(), 1u);
  bool has_upper = false, has_right = false;
  for (const PlanPoint& p : area[0]) {
    EXPECT_LE(std::fabs(p[0]), 1e6 + 1e-3);
    EXPECT_LE(std::fabs(p[1]), 1e6 + 1e-3);
    has_upper |= std::fabs(p[0] + p[1] - 10) < 1e-2 && p[1] > 9e5;
    has_right |= std::fabs(p[0] + p[1] - 10) < 1e-2 && p[0] > 9e5;
  }
  EXPECT_TRUE(has_upper && has_right);
  EXPECT_TRUE(clip_polygon({{2e6, 2e6}, {3e6, 2e6}, {2e6, 3e6}}).empty());
  // An area that surrounds the whole page.
  const auto around = clip_polygon({{-4e6, -4e6}, {4e6, -4e6}, {4e6, 4e6}, {-4e6, 4e6}});
  ASSERT_EQ(around.size(), 1u);
  auto corners = around[0];  // from any corner
  std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
  expect_points(corners, {{-1e6, -1e6}, {1e6, -1e6}, {1e6, 1e6}, {-1e6, 1e6}});
}

TEST(Svg, ClipsLinesWithNanAndInfinity) {
  constexpr f64 k_infinite = std::numeric_limits<f64>::infinity();
  const auto lines = clip_polyline({{0, 0}, {k_infinite, -k_infinite}, {std::nan(""), 7}});
  for (const auto& piece : lines)
    for (const PlanPoint& p : piece)
      for (const f64 x : p) EXPECT_LE(std::fabs(x), 1e6 + 1e-3);
  ASSERT_FALSE(lines.empty());
  expect_points(lines[0], {{0, 0}, {1e6, -1e6}});
}

}  // namespace
