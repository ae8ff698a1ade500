// Few colours in the place of many.
#include "scene/quantize.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace {

using namespace dio::scene;
using dio::u32;
using dio::u64;
using dio::u8;
using testing::ElementsAre;

std::array<u8, 32> fifteen_bits() {
  std::array<u8, 32> levels;
  for (u32 i = 0; i < 32; ++i) levels[i] = u8(i << 3 | i >> 2);
  return levels;
}
std::vector<WeightedColor> noise(u32 count, u32 seed) {
  std::mt19937 random(seed);
  std::map<Rgb, u32> all;
  while (all.size() < count) all[{u8(random()), u8(random() % 100 + 50), u8(random() % 30)}] = 1 + random() % 9;
  std::vector<WeightedColor> colors;
  for (const auto& [color, weight] : all) colors.push_back({color, weight});
  return colors;
}
u64 error_of(std::span<const WeightedColor> colors, std::span<const Rgb> palette) {
  u64 sum = 0;
  for (const auto& [color, weight] : colors)
    sum += u64(difference(look_of(color), look_of(palette[nearest_color(palette, color)]))) * weight;
  return sum;
}

TEST(Quantize, BrightnessCountsMost) {
  const Look grey = look_of({100, 100, 100});
  EXPECT_EQ(difference(grey, grey), 0u);
  EXPECT_EQ(difference(look_of({0, 0, 0}), look_of({255, 255, 255})), 4080u * 4080u);
  EXPECT_LT(difference(grey, look_of({100, 100, 120})), difference(grey, look_of({100, 120, 100})));
  EXPECT_LT(difference(grey, look_of({110, 100, 120})), difference(grey, look_of({120, 120, 120})));
}

TEST(Quantize, NearestIsTheFirstOfEquals) {
  const Rgb palette[] = {{0, 0, 0}, {9, 9, 9}, {9, 9, 9}, {255, 255, 255}};
  EXPECT_EQ(nearest_color(palette, {8, 9, 9}), 1u);
  EXPECT_EQ(nearest_color(palette, {200, 210, 220}), 3u);
}

TEST(Quantize, FewColorsStayWhatTheyAre) {
  const std::vector<WeightedColor> colors{{{255, 255, 255}, 1}, {{0, 0, 0}, 1000}, {{1, 2, 3}, 1}, {{4, 4, 4}, 0}};
  EXPECT_THAT(quantize(colors, {.most_colors = 3}), ElementsAre(Rgb{0, 0, 0}, Rgb{1, 2, 3}, Rgb{255, 255, 255}));
  EXPECT_THAT(quantize(colors, {.most_colors = 4, .levels = fifteen_bits()}),
              ElementsAre(Rgb{0, 0, 0}, Rgb{255, 255, 255}));
  EXPECT_TRUE(quantize({}, {}).empty());
}

TEST(Quantize, TwoGroupsBecomeTheirMiddles) {
  const std::vector<WeightedColor> colors{
      {{10, 10, 10}, 1}, {{20, 20, 20}, 3}, {{200, 200, 200}, 1}, {{210, 210, 210}, 1}};
  const auto palette = quantize(colors, {.most_colors = 2});
  ASSERT_EQ(palette.size(), 2u);
  EXPECT_NEAR(palette[0][1], 17.5, 1);
  EXPECT_NEAR(palette[1][1], 205, 1);
}

TEST(Quantize, AFewBrightPixelsAreNotLost) {
  std::vector<WeightedColor> colors;
  for (u32 i = 0; i < 100; ++i) colors.push_back({{u8(i), u8(i), u8(i)}, 100});
  colors.push_back({{255, 0, 0}, 20});
  const auto palette = quantize(colors, {.most_colors = 8});
  EXPECT_THAT(palette, testing::Contains(Rgb{255, 0, 0}));
}

TEST(Quantize, OnlyLevelsOfTheTarget) {
  const auto levels = fifteen_bits();
  for (const u32 most : {1, 2, 5, 16, 200}) {
    const auto palette = quantize(noise(1500, most), {.most_colors = most, .levels = levels});
    EXPECT_LE(palette.size(), most);
    EXPECT_GE(palette.size(), most * 9 / 10);
    for (const Rgb& color : palette)
      for (const u8 channel : color) EXPECT_TRUE(std::binary_search(levels.begin(), levels.end(), channel));
  }
}

TEST(Quantize, MoreColorsAreNeverWorse) {
  for (const u32 count : {300, 5000}) {  // the latter are merged first
    const auto colors = noise(count, 3);
    u64 last = ~u64(0);
    for (const u32 most : {1, 2, 4, 8, 16, 32, 64, 128}) {
      const u64 error = error_of(colors, quantize(colors, {.most_colors = most}));
      EXPECT_LT(error, last) << most;
      last = error;
    }
  }
}

TEST(Quantize, NoPaletteOfRandomColorsIsBetter) {
  const auto colors = noise(400, 8);
  const u64 ours = error_of(colors, quantize(colors, {.most_colors = 16}));
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    std::vector<Rgb> other;
    for (int k = 0; k < 16; ++k) other.push_back(colors[random() % colors.size()].color);
    EXPECT_LT(ours, error_of(colors, other));
  }
}

TEST(Quantize, TheSameEverywhere) {
  u32 sum = 0;
  for (const u32 count : {100, 1000, 4000})
    for (const Rgb& color : quantize(noise(count, 5), {.most_colors = 32, .levels = fifteen_bits()}))
      for (const u8 channel : color) sum = sum * 31 + channel;
  EXPECT_EQ(sum, 3609685121u);
}

}  // namespace
