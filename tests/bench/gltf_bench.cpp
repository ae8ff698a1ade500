// gltf_bench.cpp: scenes to GLB, as many and as large as the models and maps of a game, beside copying as many bytes.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "bridge/png/png.hpp"
#include "formats/contract/format.hpp"
#include "scene/scene.hpp"

namespace dio {

/// A strip of triangles with as many vertices; every number is another one, as in a real mesh.
static scene::Primitive strip(u32 vertices, u32 material, u32 seed) {
  scene::Primitive p{.material = material};
  for (u32 i = 0; i < vertices; ++i) {
    const f32 a = f32(i * 7 + seed) * 0.37f, x = std::sin(a), z = std::cos(a);
    p.positions.push_back({x * 512, f32(i) / 16, z * 512});
    p.normals.push_back({x, 0, z});
    p.colors.push_back({f32(i % 32) / 31, f32(seed % 32) / 31, 0.5f, 1});
    p.uvs.push_back({x, z});
    if (i >= 2) p.indices.insert(p.indices.end(), {i - 2, i - 1, i});
  }
  return p;
}

/// One mesh of so many primitives, each with its material and, if there are to be pictures, its texture.
static scene::Scene model(u32 vertices, u32 parts, bool pictures, u32 seed) {
  scene::Scene scene;
  scene.name = "model";
  scene.metres_per_unit = 0.0625f;
  scene.meshes.resize(1);
  scene.nodes = {{.name = "root"}, {.name = "mesh", .parent = 0, .translation = {0.5f, f32(seed) / 8, 0}, .mesh = 0}};
  for (u32 i = 0; i < parts; ++i) {
    const std::string name = "part_" + std::to_string(seed) + "_" + std::to_string(i);
    scene.materials.push_back({.name = name, .color = {1, 1, 1, 1}, .texture = pictures ? i : scene::k_none});
    scene.meshes[0].primitives.push_back(strip(vertices / parts, i, seed + i));
    if (!pictures) continue;
    scene::Image image{name, 32, 32, 4, {}, {}};
    for (u32 c = 0; c < 16; ++c) image.palette.push_back({u8(c * 17), u8(seed), u8(i * 40), 255});
    for (u32 k = 0; k < 32 * 32; ++k) image.pixels.push_back(u8((k * k / 64 + k / 32 * seed) % 16));
    scene.images.push_back(std::move(image));
    scene.textures.push_back({.name = name, .image = i});
  }
  return scene;
}

/// So many scenes, of which a few differ: what is converted was built just before, so it should come out of the cache.
struct Work {
  std::vector<scene::Scene> different;
  u32 count;
  const scene::Scene& at(u32 i) const { return different[i % different.size()]; }
};

/// 590 models: 150 vertices, 2.3 materials and textures each.
static Work make_models(bool pictures) {
  Work work{{}, 590};
  for (u32 i = 0; i < 59; ++i) work.different.push_back(model(53 + i * 197 % 200, i % 10 < 7 ? 2 : 3, pictures, i));
  return work;
}
static const Work& models() {
  static const Work work = make_models(false);
  return work;
}
static const Work& models_with_pictures() {
  static const Work work = make_models(true);
  return work;
}
/// 666 maps: 1,600 vertices, 11 materials each.
static const Work& maps() {
  static const Work work = [] {
    Work maps{{}, 666};
    for (u32 i = 0; i < 9; ++i) maps.different.push_back(model(800 + i * 200, 11, false, i));
    return maps;
  }();
  return work;
}

static void write(benchmark::State& state, const Work& work) {
  size_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    for (u32 i = 0; i < work.count; ++i) {
      const auto glb = gltf::write_glb(work.at(i));
      if (!glb) std::fprintf(stderr, "bench: %s\n", glb.error().found.c_str()), std::exit(1);
      bytes += glb->size();
    }
  }
  state.SetBytesProcessed(i64(state.iterations() * bytes));
}
static void copy(benchmark::State& state, const Work& work) {
  std::vector<Bytes> files;
  for (const auto& scene : work.different) files.push_back(*gltf::write_glb(scene));
  size_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    for (u32 i = 0; i < work.count; ++i) {
      const Bytes copied = files[i % files.size()];
      benchmark::DoNotOptimize(copied.data());
      bytes += copied.size();
    }
  }
  state.SetBytesProcessed(i64(state.iterations() * bytes));
}
static void read(benchmark::State& state, const Work& work) {
  std::vector<Bytes> files;
  for (const auto& scene : work.different) files.push_back(*gltf::write_glb(scene));
  size_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    for (u32 i = 0; i < work.count; ++i) {
      const auto scene = gltf::read(files[i % files.size()]);
      if (!scene) std::fprintf(stderr, "bench: %s\n", scene.error().found.c_str()), std::exit(1);
      bytes += files[i % files.size()].size();
    }
  }
  state.SetBytesProcessed(i64(state.iterations() * bytes));
}
static void check(benchmark::State& state, const Work& work) {
  for (auto _ : state)
    for (u32 i = 0; i < work.count; ++i) benchmark::DoNotOptimize(scene::verify(work.at(i)));
}

static void models_copied(benchmark::State& state) { copy(state, models()); }
static void models_checked(benchmark::State& state) { check(state, models_with_pictures()); }
static void models_to_glb(benchmark::State& state) { write(state, models()); }
static void models_with_pictures_to_glb(benchmark::State& state) { write(state, models_with_pictures()); }
static void pictures_of_models_to_png(benchmark::State& state) {
  for (auto _ : state)
    for (u32 i = 0; i < models_with_pictures().count; ++i)
      for (const auto& image : models_with_pictures().at(i).images) benchmark::DoNotOptimize(png::write_png(image));
}
static void models_with_pictures_from_glb(benchmark::State& state) { read(state, models_with_pictures()); }
static void maps_copied(benchmark::State& state) { copy(state, maps()); }
static void maps_checked(benchmark::State& state) { check(state, maps()); }
static void maps_to_glb(benchmark::State& state) { write(state, maps()); }
static void maps_from_glb(benchmark::State& state) { read(state, maps()); }

BENCHMARK(models_copied)->Unit(benchmark::kMillisecond);
BENCHMARK(models_checked)->Unit(benchmark::kMillisecond);
BENCHMARK(models_to_glb)->Unit(benchmark::kMillisecond);
BENCHMARK(pictures_of_models_to_png)->Unit(benchmark::kMillisecond);
BENCHMARK(models_with_pictures_to_glb)->Unit(benchmark::kMillisecond);
BENCHMARK(models_with_pictures_from_glb)->Unit(benchmark::kMillisecond);
BENCHMARK(maps_copied)->Unit(benchmark::kMillisecond);
BENCHMARK(maps_checked)->Unit(benchmark::kMillisecond);
BENCHMARK(maps_to_glb)->Unit(benchmark::kMillisecond);
BENCHMARK(maps_from_glb)->Unit(benchmark::kMillisecond);

}  // namespace dio
