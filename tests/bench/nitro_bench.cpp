// nitro_bench.cpp: from the bytes of models to those of GLB files, stage by stage, and what copying those bytes costs.
// The models are the samples; with DIORAMA_BENCH_MODELS=folder, all NSBMD files in that folder.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "bridge/gltf/gltf.hpp"
#include "formats/contract/format.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio {

static const Format& models() { return *find_format("nsbmd"); }

static const std::vector<Bytes>& files() {
  static const std::vector<Bytes> all = [] {
    std::vector<Bytes> list;
    if (const char* folder = std::getenv("DIORAMA_BENCH_MODELS")) {
      for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".nsbmd") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        list.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
      }
    } else
      for (const Sample& s : samples_of(models())) list.push_back(s.bytes);
    return list;
  }();
  return all;
}
static const std::vector<OpenedFile>& opened() {
  static const std::vector<OpenedFile> all = [] {
    std::vector<OpenedFile> list;
    for (const Bytes& b : files())
      if (auto o = open(b, "model.nsbmd", &models())) list.push_back(std::move(*o));
    return list;
  }();
  return all;
}
static void count(benchmark::State& state) {
  size_t bytes = 0;
  for (const Bytes& b : files()) bytes += b.size();
  state.SetBytesProcessed(i64(state.iterations()) * i64(bytes));
  state.counters["models"] = double(files().size());
}

static void copy_models(benchmark::State& state) {
  Bytes to;
  for (auto _ : state)
    for (const Bytes& b : files()) {
      to.resize(b.size());
      std::memcpy(to.data(), b.data(), b.size());
      benchmark::DoNotOptimize(to.data());
    }
  count(state);
}
static void read_models(benchmark::State& state) {
  for (auto _ : state)
    for (const Bytes& b : files()) benchmark::DoNotOptimize(models().load(b, {}));
  count(state);
}
static void models_to_scenes(benchmark::State& state) {
  for (auto _ : state)
    for (const OpenedFile& o : opened()) benchmark::DoNotOptimize(to_scene(o));
  count(state);
}
static void models_to_scenes_to_glb(benchmark::State& state) {
  for (auto _ : state)
    for (const OpenedFile& o : opened()) benchmark::DoNotOptimize(gltf::write_glb(to_scene(o)->scene));
  count(state);
}

BENCHMARK(copy_models)->Unit(benchmark::kMillisecond);
BENCHMARK(read_models)->Unit(benchmark::kMillisecond);
BENCHMARK(models_to_scenes)->Unit(benchmark::kMillisecond);
BENCHMARK(models_to_scenes_to_glb)->Unit(benchmark::kMillisecond);

}  // namespace dio
