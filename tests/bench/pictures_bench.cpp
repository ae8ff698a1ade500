// pictures_bench.cpp: textures of the DS as pictures and back: as many small ones, of the sizes and depths, as 590
// models of a game have. `bytes` is what comes out.
#include <benchmark/benchmark.h>

#include <random>

#include "bridge/png/png.hpp"
#include "formats/contract/format.hpp"
#include "formats/nitro/pictures/texels.hpp"

namespace dio {

struct BenchTexture {
  nitro::TexelFormat format;
  u32 width, height;
  Bytes texels;
  std::vector<u16> palette;
  operator nitro::TexelView() const { return {format, width, height, true, texels, {}, palette}; }
};

/// Patches of a few colours with some noise, of 8 x 8 to 64 x 128 texels.
static const std::vector<BenchTexture>& textures() {
  static const std::vector<BenchTexture> all = [] {
    std::vector<BenchTexture> made;
    std::mt19937 random(1);
    for (u32 i = 0; i < 1200; ++i) {
      const nitro::TexelFormat format = i % 3 ? nitro::TexelFormat::palette16 : nitro::TexelFormat::palette4;
      const u32 bits = bits_per_texel(format), width = 8u << (i / 3 % 4), height = 8u << (i / 12 % 5);
      BenchTexture t{format, width, height, Bytes(width * height * bits / 8), {}};
      for (u32 k = 0; k < max_palette_colors(format); ++k) t.palette.push_back(u16(random() & 0x7fff));
      for (u32 k = 0; k < width * height; ++k) {
        const u32 patch = (k % width / 6 * 5 + k / width / 4 * 3) % 7,
                  index = (patch + (random() % 5 == 0)) % max_palette_colors(format);
        t.texels[k * bits / 8] |= u8(index << (k * bits % 8));
      }
      made.push_back(std::move(t));
    }
    return made;
  }();
  return all;
}
static const std::vector<scene::Image>& images() {
  static const std::vector<scene::Image> all = [] {
    std::vector<scene::Image> made;
    for (const BenchTexture& t : textures()) made.push_back(nitro::decode_texels(t));
    return made;
  }();
  return all;
}

static void decode_1200_textures(benchmark::State& state) {
  for (auto _ : state)
    for (const BenchTexture& t : textures()) benchmark::DoNotOptimize(nitro::decode_texels(t));
}
static void write_1200_pictures(benchmark::State& state) {
  size_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    for (const scene::Image& image : images()) bytes += png::write_png(image).size();
  }
  state.counters["bytes"] = double(bytes);
}
static void read_1200_pictures(benchmark::State& state) {
  std::vector<Bytes> files;
  for (const scene::Image& image : images()) files.push_back(png::write_png(image));
  for (auto _ : state)
    for (const Bytes& file : files) benchmark::DoNotOptimize(png::read_png(file));
}
static void encode_1200_textures(benchmark::State& state) {
  for (auto _ : state)
    for (size_t i = 0; i < images().size(); ++i)
      benchmark::DoNotOptimize(
          nitro::encode_texels(images()[i], {.format = textures()[i].format, .color0_clear = true}));
}
/// A photograph's worth of colours in one texture of 128 x 128.
static void encode_many_colors(benchmark::State& state) {
  scene::Image image{{}, 128, 128, 8, {}, {}};
  std::mt19937 random(1);
  for (u32 i = 0; i < 128 * 128; ++i)
    image.pixels.insert(image.pixels.end(),
                        {u8(i % 128 * 2 + random() % 9), u8(i / 128 + random() % 9), u8(i / 64), 255});
  const auto format = nitro::TexelFormat(state.range(0));
  size_t bytes = 0;
  for (auto _ : state)
    if (const auto encoded = nitro::encode_texels(image, {.format = format}))
      bytes = encoded->texels.size() + encoded->blocks.size() + 2 * encoded->palette.size();
  state.counters["bytes"] = double(bytes);
}

BENCHMARK(decode_1200_textures)->Unit(benchmark::kMillisecond);
BENCHMARK(write_1200_pictures)->Unit(benchmark::kMillisecond);
BENCHMARK(read_1200_pictures)->Unit(benchmark::kMillisecond);
BENCHMARK(encode_1200_textures)->Unit(benchmark::kMillisecond);
BENCHMARK(encode_many_colors)->ArgName("format")->DenseRange(2, 5)->Unit(benchmark::kMillisecond);

}  // namespace dio
