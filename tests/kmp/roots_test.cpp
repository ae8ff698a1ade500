// roots_test.cpp: square roots as Wii games compute them.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "console/wii/frsqrte.hpp"

namespace dio::wii {

/// Values from Kinoko, which also contains the hardware's table.
TEST(WiiRoots, RootsMatchKnownGameValues) {
  constexpr std::pair<f32, f32> k_known[] = {
      {1, 0x1.fffffep-1f},    {2, 0x1.6a09e6p+0f},       {3, 0x1.bb67aep+0f},
      {4, 0x1.fffffep+0f},    {10, 0x1.94c584p+1f},      {12345.6699f, 0x1.bc71bcp+6f},
      {1e6f, 0x1.f40002p+9f}, {3.2e8f, 0x1.17822cp+14f}, {0.001f, 0x1.030dc6p-5f}};
  for (const auto& [x, expected] : k_known) EXPECT_EQ(wii_sqrt(x), expected) << x;
  EXPECT_EQ(wii_sqrt(0), 0);
  EXPECT_EQ(wii_sqrt(-4), 0);
}

TEST(WiiRoots, ApproximatesSquareRootsClosely) {
  std::mt19937 random(5);
  for (int i = 0; i < 100000; ++i) {
    const f32 x = std::ldexp(f32(random() % 0xFFFFFF + 1), int(random() % 100) - 60);
    EXPECT_NEAR(wii_sqrt(x) / std::sqrt(x), 1, 3e-7) << x;
  }
}

}  // namespace dio::wii
