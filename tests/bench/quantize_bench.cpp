// quantize_bench.cpp: the palettes of the quantiser beside those of the naive methods, on generated pictures. All
// palettes are of 15-bit colours. `error` is the mean distance of a pixel from its colour in Oklab (100 is from black
// to white), `rms` the root of the mean square in sRGB (0 to 255).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "scene/quantize.hpp"

namespace dio {

using scene::Rgb;
using scene::WeightedColor;
using Colors = std::vector<WeightedColor>;

// ---- pictures -------------------------------------------------------------------------------------------------------

static u8 channel(f64 x) { return u8(std::clamp(x, 0.0, 255.0)); }

/// A sky, hills and water: slow gradients.
static Rgb landscape(f64 x, f64 y, std::mt19937& random) {
  const f64 noise = f64(random() % 16);
  const f64 hill = 0.5 + 0.15 * std::sin(x * 9) + 0.05 * std::sin(x * 31);
  if (y < hill) return {channel(90 + 140 * y), channel(150 + 100 * y), channel(240 - 30 * x)};
  if (y < 0.8) return {channel(40 + 60 * x + noise), channel(140 - 80 * (y - hill) + noise), channel(30 + noise)};
  return {channel(20 + noise), channel(80 + 60 * std::sin(y * 60)), channel(160 + 3 * noise)};
}
/// Stones: one hue, much noise.
static Rgb stones(f64 x, f64 y, std::mt19937& random) {
  const f64 grey = 110 + 50 * std::sin(x * 40) * std::cos(y * 33) + f64(random() % 60);
  return {channel(grey * 1.05), channel(grey), channel(grey * 0.85)};
}
/// A face on a ground: large flat areas, and few bright pixels that must not be lost.
static Rgb sprite(f64 x, f64 y, std::mt19937& random) {
  const f64 r = std::hypot(x - 0.5, y - 0.5);
  if (std::hypot(x - 0.4, y - 0.45) < 0.02 || std::hypot(x - 0.6, y - 0.45) < 0.02) return {255, 40, 40};
  if (r < 0.3) return {channel(250 - 200 * r), channel(205 - 220 * r), channel(150 - 220 * r)};
  if (r < 0.33) return {30, 20, 20};
  return {channel(60 + f64(random() % 8)), channel(100 + 80 * y), channel(70 + f64(random() % 8))};
}

using Picture = Rgb (*)(f64, f64, std::mt19937&);
static Colors colors_of(Picture picture) {
  std::mt19937 random(1);
  std::map<Rgb, u32> counts;
  for (u32 y = 0; y < 128; ++y)
    for (u32 x = 0; x < 128; ++x) ++counts[picture(x / 128.0, y / 128.0, random)];
  Colors colors;
  for (const auto& [color, count] : counts) colors.push_back({color, count});
  return colors;
}

// ---- methods --------------------------------------------------------------------------------------------------------

static constexpr std::array<u8, 32> k_levels = [] {
  std::array<u8, 32> levels{};
  for (u32 i = 0; i < 32; ++i) levels[i] = u8(i << 3 | i >> 2);
  return levels;
}();
static Rgb snapped(const Rgb& c) { return {k_levels[c[0] >> 3], k_levels[c[1] >> 3], k_levels[c[2] >> 3]}; }

static std::vector<Rgb> ours(const Colors& colors, u32 most) {
  return scene::quantize(colors, {.most_colors = most, .levels = k_levels});
}

/// The colours that most pixels show.
static std::vector<Rgb> popularity(const Colors& colors, u32 most) {
  std::map<Rgb, u32> counts;
  for (const auto& [color, weight] : colors) counts[snapped(color)] += weight;
  std::vector<std::pair<u32, Rgb>> order;
  for (const auto& [color, count] : counts) order.push_back({count, color});
  std::sort(order.rbegin(), order.rend());
  std::vector<Rgb> palette;
  for (size_t i = 0; i < std::min<size_t>(most, order.size()); ++i) palette.push_back(order[i].second);
  return palette;
}

/// Heckbert's: the box with the most pixels is cut in two of equal numbers, across its longest side.
static std::vector<Rgb> median_cut(const Colors& colors, u32 most) {
  std::vector<Colors> boxes{colors};
  const auto weight = [](const Colors& box) {
    u64 sum = 0;
    for (const auto& c : box) sum += c.weight;
    return box.size() > 1 ? sum : 0;
  };
  while (boxes.size() < most) {
    const auto box =
        std::max_element(boxes.begin(), boxes.end(), [&](auto& a, auto& b) { return weight(a) < weight(b); });
    if (box->size() < 2) break;
    size_t axis = 0;
    int longest = -1;
    for (size_t i = 0; i < 3; ++i) {
      const auto [low, high] =
          std::minmax_element(box->begin(), box->end(), [i](auto& a, auto& b) { return a.color[i] < b.color[i]; });
      if (high->color[i] - low->color[i] > longest) longest = high->color[i] - low->color[i], axis = i;
    }
    std::sort(box->begin(), box->end(), [axis](auto& a, auto& b) { return a.color[axis] < b.color[axis]; });
    u64 half = weight(*box) / 2, seen = 0;
    size_t cut = 0;
    while (cut + 1 < box->size() && (cut == 0 || seen + (*box)[cut].weight <= half)) seen += (*box)[cut++].weight;
    Colors rest(box->begin() + std::ptrdiff_t(cut), box->end());
    box->resize(cut);
    boxes.push_back(std::move(rest));
  }
  std::vector<Rgb> palette;
  for (const Colors& box : boxes) {
    f64 sums[3]{}, all = 0;
    for (const auto& [color, n] : box) {
      for (size_t i = 0; i < 3; ++i) sums[i] += f64(color[i]) * n;
      all += n;
    }
    palette.push_back(snapped({channel(sums[0] / all), channel(sums[1] / all), channel(sums[2] / all)}));
  }
  return palette;
}

// ---- judgement ------------------------------------------------------------------------------------------------------

static std::array<f64, 3> oklab(const Rgb& c) {
  std::array<f64, 3> linear;
  for (size_t i = 0; i < 3; ++i) {
    const f64 x = c[i] / 255.0;
    linear[i] = x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  }
  const auto [r, g, b] = linear;
  const f64 l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const f64 m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const f64 s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

using Method = std::vector<Rgb> (*)(const Colors&, u32);
static void palette(benchmark::State& state, Method method, Picture picture) {
  const Colors colors = colors_of(picture);
  std::vector<Rgb> found;
  for (auto _ : state) benchmark::DoNotOptimize(found = method(colors, u32(state.range(0))));
  f64 error = 0, squares = 0, pixels = 0;
  for (const auto& [color, weight] : colors) {
    f64 least = 1e9, least_square = 1e9;  // every method's palette is used as well as can be, in either space
    const auto a = oklab(color);
    for (const Rgb& entry : found) {
      const auto b = oklab(entry);
      least = std::min(least, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
      f64 square = 0;
      for (size_t i = 0; i < 3; ++i) square += (f64(color[i]) - entry[i]) * (f64(color[i]) - entry[i]);
      least_square = std::min(least_square, square);
    }
    error += least * weight;
    squares += least_square * weight;
    pixels += weight;
  }
  state.counters["error"] = 100 * error / pixels;
  state.counters["rms"] = std::sqrt(squares / pixels / 3);
}

#define DIORAMA_PALETTES(picture)                                                                                      \
  BENCHMARK_CAPTURE(palette, ours_##picture, ours, picture)->Arg(4)->Arg(16)->Arg(256)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(palette, median_cut_##picture, median_cut, picture)                                                \
      ->Arg(4)                                                                                                         \
      ->Arg(16)                                                                                                        \
      ->Arg(256)                                                                                                       \
      ->Unit(benchmark::kMillisecond);                                                                                 \
  BENCHMARK_CAPTURE(palette, popularity_##picture, popularity, picture)                                                \
      ->Arg(4)                                                                                                         \
      ->Arg(16)                                                                                                        \
      ->Arg(256)                                                                                                       \
      ->Unit(benchmark::kMillisecond)
DIORAMA_PALETTES(landscape);
DIORAMA_PALETTES(stones);
DIORAMA_PALETTES(sprite);

}  // namespace dio
