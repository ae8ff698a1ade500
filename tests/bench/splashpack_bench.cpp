// splashpack_bench.cpp: pages of textures beside those of SplashEdit's way, and what sharing saves in palettes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <set>

#include "console/psx/palette_sharing.hpp"
#include "formats/contract/format.hpp"
#include "formats/splashpack/from_scene/texture_packing.hpp"

namespace dio::splashpack {

using RectSizes = std::vector<std::pair<u32, u32>>;

/// RectSizes that fill so many pages by nine tenths.
static RectSizes sizes_of(bool powers, u32 pages, u32 seed) {
  std::mt19937 random(seed);
  RectSizes sizes;
  for (u64 area = 0; area < u64(pages) * 65536 * 9 / 10;) {
    const auto side = [&] { return powers ? 8u << random() % 5 : 12 + random() % 100; };
    sizes.emplace_back(side(), side());
    area += u64(sizes.back().first) * sizes.back().second;
  }
  return sizes;
}

/// The largest area first, into the first place that is free, by rows; a full page is not looked at again. Source:
/// specification 4.
static size_t first_fit_pages(RectSizes sizes) {
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](auto& a, auto& b) { return a.first * a.second > b.first * b.second; });
  std::vector<Rect> page;
  size_t pages = 1;
  const auto put = [&](u32 width, u32 height) {
    for (u32 y = 0; y + height <= 256; ++y)
      for (u32 x = 0; x + width <= 256; ++x) {
        const Rect r{x, y, width, height};
        if (std::none_of(page.begin(), page.end(), [&](const Rect& o) { return o.overlaps(r); })) {
          page.push_back(r);
          return true;
        }
      }
    return false;
  };
  for (const auto& [width, height] : sizes) {
    if (put(width, height)) continue;
    page.clear();
    ++pages;
    put(width, height);
  }
  return pages;
}

static void texture_pages(benchmark::State& state) {
  constexpr u32 k_sets = 10;
  f64 ours = 0, theirs = 0, textures = 0;
  for (auto _ : state) {
    ours = theirs = textures = 0;
    for (u32 seed = 0; seed < k_sets; ++seed) {
      state.PauseTiming();
      const RectSizes sizes = sizes_of(state.range(0), 6, seed);
      theirs += f64(first_fit_pages(sizes));
      textures += f64(sizes.size());
      std::vector<scene::Image> images;
      for (const auto& [width, height] : sizes) {  // each of another colour, so that none is the same
        const auto n = u8(images.size());
        images.push_back({{}, width, height, 8, {{u8(n % 32 * 8), u8(n / 32 * 8), 80, 255}}, Bytes(width * height)});
      }
      std::vector<TextureRequest> wishes;
      for (const auto& i : images) wishes.push_back({&i, 4});
      state.ResumeTiming();
      const auto placed = place_textures(wishes, {.reserved = reserved_areas(Layout::d)});
      if (placed) ours += f64(placed->atlases.size());
    }
  }
  state.counters["textures"] = textures / k_sets;
  state.counters["pages"] = ours / k_sets;
  state.counters["first_fit"] = theirs / k_sets;
}
BENCHMARK(texture_pages)->ArgName("powers_of_two")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// Tiles that have a few colours each of those of their kind.
static void shared_palettes(benchmark::State& state) {
  std::mt19937 random(1);
  std::vector<std::vector<u16>> sets;
  for (u32 i = 0; i < 100; ++i) {
    std::set<u16> set;
    const u32 kind = random() % u32(state.range(0));
    for (u32 k = 3 + random() % 10; k; --k) set.insert(u16(1 + kind * 100 + random() % 24));
    sets.emplace_back(set.begin(), set.end());
  }
  psx::SharedPalettes shared;
  for (auto _ : state) benchmark::DoNotOptimize(shared = psx::share_palettes(sets, 16));
  state.counters["textures"] = f64(sets.size());
  state.counters["palettes"] = f64(shared.palettes.size());
}
BENCHMARK(shared_palettes)->ArgName("kinds")->Arg(1)->Arg(4)->Arg(16);

}  // namespace dio::splashpack
