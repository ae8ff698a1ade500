// quantize_bench.cpp: the palettes of the quantiser beside those of other methods, on pictures made from nothing (128 x
// 128). All palettes are of 15-bit colours. `ciede2000` and `oklab` are the mean errors of a pixel by eye (100 is from
// black to white), `light` the root of the mean square as light (100 is all of it). Rows `all` are the means of all
// pictures.
#include <benchmark/benchmark.h>

#include <string>

#include "scene/palette_rivals.hpp"

namespace dio {

struct Method {
  const char* name;
  test::Palette (*find)(const test::Colors&, u32);
};
constexpr Method k_methods[] = {{"ours", test::ours},
                                {"median_cut", test::median_cut},
                                {"k_means", test::k_means},
                                {"splashedit", test::splashedit},
                                {"k_means_in_oklab", test::k_means_in_oklab}};

static void palettes(benchmark::State& state, const Method& method, std::span<const test::Picture> pictures, u32 most) {
  std::vector<test::Colors> all;
  for (const test::Picture& p : pictures) all.push_back(test::colors_of(test::pixels_of(p, 128)));
  std::vector<test::Palette> found(all.size());
  for (auto _ : state)
    for (size_t i = 0; i < all.size(); ++i) benchmark::DoNotOptimize(found[i] = method.find(all[i], most));
  test::Errors sum;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool is_ours = method.find == test::ours;
    const test::Errors e = is_ours ? test::errors_of_ours(all[i], found[i]) : test::errors_of_rival(all[i], found[i]);
    sum.ciede2000 += e.ciede2000;
    sum.oklab += e.oklab;
    sum.light += e.light;
  }
  state.counters["ciede2000"] = sum.ciede2000 / f64(all.size());
  state.counters["oklab"] = sum.oklab / f64(all.size());
  state.counters["light"] = sum.light / f64(all.size());
}

static const int k_registered = [] {
  for (const u32 most : {4, 16, 256})
    for (const Method& m : k_methods) {
      const auto add = [&](const char* name, std::span<const test::Picture> pictures) {
        benchmark::RegisterBenchmark(
            (std::string("palettes/") + name + "/" + std::to_string(most) + "/" + m.name).c_str(),
            [&m, pictures, most](benchmark::State& s) { palettes(s, m, pictures, most); })
            ->Unit(benchmark::kMillisecond);
      };
      add("all", test::k_pictures);
      if (most > 4)
        for (const test::Picture& p : test::k_pictures) add(p.name, {&p, 1});
    }
  return 0;
}();

}  // namespace dio
