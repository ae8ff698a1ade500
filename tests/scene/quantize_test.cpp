// Reducing many colours to few.
#include "scene/quantize.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "scene/palette_rivals.hpp"

namespace {

using namespace dio::scene;
namespace test = dio::test;
using dio::f64;
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
  const NearestColor nearest(palette);
  u64 sum = 0;
  for (const auto& [color, weight] : colors)
    sum += u64(difference(to_oklab(color), to_oklab(palette[nearest.of(color)]))) * weight;
  return sum;
}

TEST(Quantize, BrightnessDifferencesCountMost) {
  const OklabColor grey = to_oklab({100, 100, 100});
  EXPECT_EQ(difference(grey, grey), 0u);
  EXPECT_EQ(difference(to_oklab({0, 0, 0}), to_oklab({255, 255, 255})), 4080u * 4080u);
  EXPECT_LT(difference(grey, to_oklab({100, 100, 120})), difference(grey, to_oklab({100, 120, 100})));
  EXPECT_LT(difference(grey, to_oklab({110, 100, 120})), difference(grey, to_oklab({120, 120, 120})));
}

TEST(Quantize, ChoosesTheFirstOfEqualColors) {
  const Rgb palette[] = {{0, 0, 0}, {9, 9, 9}, {9, 9, 9}, {255, 255, 255}};
  const NearestColor nearest(palette);
  EXPECT_EQ(nearest.of({8, 9, 9}), 1u);
  EXPECT_EQ(nearest.of({200, 210, 220}), 3u);
}

TEST(Quantize, KeepsAllColorsIfFewEnough) {
  const std::vector<WeightedColor> colors{{{255, 255, 255}, 1}, {{0, 0, 0}, 1000}, {{1, 2, 3}, 1}, {{4, 4, 4}, 0}};
  EXPECT_THAT(quantize(colors, {.most_colors = 3}), ElementsAre(Rgb{0, 0, 0}, Rgb{1, 2, 3}, Rgb{255, 255, 255}));
  EXPECT_THAT(quantize(colors, {.most_colors = 4, .levels = fifteen_bits()}),
              ElementsAre(Rgb{0, 0, 0}, Rgb{255, 255, 255}));
  EXPECT_TRUE(quantize({}, {}).empty());
}

TEST(Quantize, TwoClustersBecomeTheirMeans) {
  const std::vector<WeightedColor> colors{
      {{10, 10, 10}, 1}, {{20, 20, 20}, 3}, {{200, 200, 200}, 1}, {{210, 210, 210}, 1}};
  const auto palette = quantize(colors, {.most_colors = 2});
  ASSERT_EQ(palette.size(), 2u);
  EXPECT_NEAR(palette[0][1], 17.5, 1);
  EXPECT_NEAR(palette[1][1], 205, 1);
}

TEST(Quantize, KeepsRareBrightColors) {
  std::vector<WeightedColor> colors;
  for (u32 i = 0; i < 100; ++i) colors.push_back({{u8(i), u8(i), u8(i)}, 100});
  colors.push_back({{255, 0, 0}, 20});
  const auto palette = quantize(colors, {.most_colors = 8});
  EXPECT_THAT(palette, testing::Contains(Rgb{255, 0, 0}));
}

TEST(Quantize, UsesOnlyTargetColorLevels) {
  const auto levels = fifteen_bits();
  for (const u32 most : {1, 2, 5, 16, 200}) {
    const auto palette = quantize(noise(1500, most), {.most_colors = most, .levels = levels});
    EXPECT_LE(palette.size(), most);
    EXPECT_GE(palette.size(), most * 9 / 10);
    for (const Rgb& color : palette)
      for (const u8 channel : color) EXPECT_TRUE(std::binary_search(levels.begin(), levels.end(), channel));
  }
}

TEST(Quantize, MoreColorsReduceTheError) {
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

TEST(Quantize, BeatsRandomPalettes) {
  const auto colors = noise(400, 8);
  const u64 ours = error_of(colors, quantize(colors, {.most_colors = 16}));
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    std::vector<Rgb> other;
    for (int k = 0; k < 16; ++k) other.push_back(colors[random() % colors.size()].color);
    EXPECT_LT(ours, error_of(colors, other));
  }
}

TEST(Quantize, QuantizesIdenticallyOnEveryPlatform) {
  u32 sum = 0;
  const auto add = [&sum](std::span<const Rgb> palette) {
    for (const Rgb& color : palette)
      for (const u8 channel : color) sum = sum * 31 + channel;
  };
  for (const u32 count : {100, 1000, 6000})
    add(quantize(noise(count, 5), {.most_colors = 32, .levels = fifteen_bits()}));
  EXPECT_EQ(sum, 3158283853u);
  sum = 0;
  for (const auto& picture : test::k_pictures) add(test::ours(test::colors_of(test::pixels_of(picture, 32)), 16));
  EXPECT_EQ(sum, 4147651671u);
}

// ---- against other ways ---------------------------------------------------------------------------------------------

TEST(Quantize, Ciede2000MatchesPublishedValues) {
  // Source: Sharma, Wu and Dalal, The CIEDE2000 Color-Difference Formula, 2005, table 1: pairs 1, 4, 9, 17, 25.
  EXPECT_NEAR(test::ciede2000({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 1e-4);
  EXPECT_NEAR(test::ciede2000({50, -1.3802, -84.2814}, {50, 0, -82.7485}), 1, 1e-4);
  EXPECT_NEAR(test::ciede2000({50, 2.49, -0.001}, {50, -2.49, 0.0009}), 7.1792, 1e-4);
  EXPECT_NEAR(test::ciede2000({50, 2.5, 0}, {73, 25, -18}), 27.1492, 1e-4);
  EXPECT_NEAR(test::ciede2000({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}), 1.2644, 1e-4);
}

TEST(Quantize, MatchesOklabWithLinearDarkRange) {
  const auto answer = [](f64 light) {
    return light > 216.0 / 24389 ? 1.16 * std::cbrt(light) - 0.16 : 24389.0 / 2700 * light;
  };
  for (u32 i = 0; i < 4096; ++i) {
    const Rgb color{u8((i & 15) * 17), u8((i >> 4 & 15) * 17), u8((i >> 8) * 17)};
    const auto [r, g, b] = test::srgb_to_light(color);
    const f64 l = answer(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const f64 m = answer(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const f64 s = answer(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    const OklabColor look = to_oklab(color);
    EXPECT_NEAR(look[0], 4080 * (0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s), 2) << i;
    EXPECT_NEAR(look[1], 5100 * (1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s), 2) << i;
    EXPECT_NEAR(look[2], 5100 * (0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s), 2) << i;
  }
  EXPECT_EQ(to_oklab({0, 0, 0}), (OklabColor{0, 0, 0}));
  EXPECT_EQ(to_oklab({255, 255, 255}), (OklabColor{4080, 0, 0}));
  for (u32 i = 1; i < 256; ++i) {
    const OklabColor gray = to_oklab({u8(i), u8(i), u8(i)}), darker = to_oklab({u8(i - 1), u8(i - 1), u8(i - 1)});
    EXPECT_GT(gray[0], darker[0]) << i;
    EXPECT_TRUE(gray[1] == 0 && gray[2] == 0) << i;
  }
}

/// The mean error over 20 pictures is lower than with the other methods, in perceived colour (CIEDE2000, Oklab) and in
/// linear light.
TEST(Quantize, BeatsMedianCutAndKMeans) {
  using Method = test::Palette (*)(const test::Colors&, u32);
  static constexpr struct {
    const char* name;
    Method find;
  } k_others[] = {{"median cut", test::median_cut},
                  {"k-means", test::k_means},
                  {"SplashEdit", test::splashedit},
                  {"k-means in Oklab", test::k_means_in_oklab}};
  for (const u32 most : {16, 256}) {
    test::Errors own;
    test::Errors others[std::size(k_others)];
    const auto add = [](test::Errors& sum, const test::Errors& e) {
      sum.ciede2000 += e.ciede2000;
      sum.oklab += e.oklab;
      sum.light += e.light;
    };
    for (const auto& picture : test::k_pictures) {
      const auto colors = test::colors_of(test::pixels_of(picture, 32));
      add(own, test::errors_of_ours(colors, test::ours(colors, most)));
      for (size_t i = 0; i < std::size(k_others); ++i)
        add(others[i], test::errors_of_rival(colors, k_others[i].find(colors, most)));
    }
    for (size_t i = 0; i < std::size(k_others); ++i) {
      EXPECT_LT(own.ciede2000, others[i].ciede2000) << most << " " << k_others[i].name;
      // The last method optimizes only this number; with 256 colours it is about equal to ours.
      EXPECT_LT(own.oklab, others[i].oklab * (i < 3 ? 1 : 1.01)) << most << " " << k_others[i].name;
      EXPECT_LT(own.light, others[i].light) << most << " " << k_others[i].name;
    }
  }
}

TEST(Quantize, ErrorDiffusionSpreadsColorErrors) {
  // A gray between the two palette colours: the share of each matches its distance.
  const std::vector<Rgb> pixels(64 * 64, Rgb{64, 64, 64});
  std::vector<bool> opaque(pixels.size(), true);
  for (size_t i = 0; i < 64; ++i) opaque[i * 64] = false;
  u32 white = 0, asked = 0;
  dither_by_error_diffusion(64, 64, opaque, pixels, [&](size_t i, const Rgb& wanted) {
    EXPECT_TRUE(opaque[i]);
    ++asked;
    const bool is_white = wanted[1] >= 128;
    white += is_white;
    return is_white ? Rgb{255, 255, 255} : Rgb{0, 0, 0};
  });
  EXPECT_EQ(asked, 63u * 64);
  EXPECT_NEAR(white / f64(asked), 0.2, 0.06);  // less than a quarter: a part of each error is lost
  // Colours in the palette stay, and no error is spread.
  dither_by_error_diffusion(64, 64, opaque, pixels, [&](size_t, const Rgb& wanted) {
    EXPECT_EQ(wanted, (Rgb{64, 64, 64}));
    return wanted;
  });
}

}  // namespace
