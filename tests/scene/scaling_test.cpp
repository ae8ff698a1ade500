// Resizing pictures, and conversion to linear light.
#include "scene/scaling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "scene/srgb_tables.hpp"

namespace {

using namespace dio::scene;
using dio::f64;
using dio::u32;
using dio::u8;
using testing::ElementsAre;

TEST(Light, SrgbConversionMatchesTheStandard) {
  for (u32 i = 0; i < 256; ++i) {
    const f64 c = i / 255.0, light = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    EXPECT_NEAR(srgb_to_light(u8(i)), light * 65535, 0.5001) << i;
    EXPECT_EQ(light_to_srgb(srgb_to_light(u8(i))), i);
    EXPECT_TRUE(i == 0 || srgb_to_light(u8(i)) > srgb_to_light(u8(i - 1)));
  }
  EXPECT_EQ(light_to_srgb(1u << 20), 255);
  EXPECT_EQ(light_to_srgb((srgb_to_light(100) + srgb_to_light(101)) / 2 + 1), 101);
}

TEST(Scaling, AveragesPixelsInLinearLight) {
  const Image checkers{"c", 2, 2, 8, {{0, 0, 0, 255}, {255, 255, 255, 255}}, {0, 1, 1, 0}};
  const Image one = resize_image(checkers, 1, 1);
  EXPECT_THAT(one.pixels, ElementsAre(188, 188, 188, 255));
  EXPECT_EQ(one.name, "c");
  EXPECT_TRUE(one.palette.empty());
}

TEST(Scaling, TransparentPixelsAddNoColor) {
  const Image half{{}, 2, 1, 8, {{255, 0, 0, 255}, {0, 255, 0, 0}}, {0, 1}};
  EXPECT_THAT(resize_image(half, 1, 1).pixels, ElementsAre(255, 0, 0, 128));
  const Image clear{{}, 2, 1, 8, {{0, 255, 0, 0}}, {0, 0}};
  EXPECT_THAT(resize_image(clear, 1, 1).pixels, ElementsAre(0, 0, 0, 0));
}

TEST(Scaling, WeightsPixelsByCoveredArea) {
  // Three pixels become two: half of the middle one goes to each.
  const Image three{{}, 3, 1, 8, {{0, 0, 0, 255}, {255, 255, 255, 255}}, {1, 0, 0}};
  const u8 two_thirds = light_to_srgb(65535 * 2 / 3);
  EXPECT_THAT(resize_image(three, 2, 1).pixels, ElementsAre(two_thirds, two_thirds, two_thirds, 255, 0, 0, 0, 255));
  EXPECT_THAT(resize_image(three, 6, 1).pixels[4], 255);
  EXPECT_EQ(resize_image(three, 3, 1).pixels, to_rgba(three).pixels);
}

TEST(Scaling, LargeSumsDoNotOverflow) {
  const Image white{{}, 1u << 14, 1, 8, {{255, 255, 255, 255}}, dio::Bytes(1u << 14)};
  EXPECT_THAT(resize_image(white, 1, 1).pixels, ElementsAre(255, 255, 255, 255));
}

}  // namespace
