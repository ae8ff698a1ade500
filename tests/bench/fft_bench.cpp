// fft_bench.cpp: all map files of a disc, made from nothing in the sizes of the real ones: copied, read, checked, and
// each map as a GLB; with a reader of polygons written by hand beside. DIORAMA_FFT_INDEX=table takes the sizes from a
// table with the columns lba, bytes, sectors, file.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstring>

#include "bench/fft_disc.hpp"
#include "bridge/gltf/gltf.hpp"
#include "core/file_tree.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/game.hpp"
#include "operations/operations.hpp"

namespace dio {
namespace {

const MemoryTree& disc() {
  static const MemoryTree tree = [] {
    MemoryTree t;
    t.files = bench::made_disc(bench::disc_index(std::getenv("DIORAMA_FFT_INDEX")));
    return t;
  }();
  return tree;
}
void count(benchmark::State& state) {
  size_t bytes = 0;
  for (const auto& [name, b] : disc().files) bytes += b.size();
  state.SetBytesProcessed(i64(state.iterations()) * i64(bytes));
  state.counters["files"] = double(disc().files.size());
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  state.counters["peak_MB"] = double(used.ru_maxrss) / 1024;
  state.counters["disc_MB"] = double(bytes) / 1e6;  // of which the disc itself is in memory
}

void copy_disc(benchmark::State& state) {
  Bytes to;
  for (auto _ : state)
    for (const auto& [name, b] : disc().files) {
      to.resize(b.size());
      std::memcpy(to.data(), b.data(), b.size());
      benchmark::DoNotOptimize(to.data());
    }
  count(state);
}

void read_disc(benchmark::State& state) {
  for (auto _ : state)
    for (const auto& [name, b] : disc().files) {
      auto o = open(b, name);
      if (!o) return state.SkipWithError(name.c_str());
      benchmark::DoNotOptimize(o);
    }
  count(state);
}
void read_and_check_disc(benchmark::State& state) {
  size_t findings = 0;
  for (auto _ : state)
    for (const auto& [name, b] : disc().files) {
      auto o = open(b, name);
      if (!o) return state.SkipWithError(name.c_str());
      findings += check(*o).size();
    }
  count(state);
  state.counters["findings"] = double(findings) / double(state.iterations());
}
void check_maps(benchmark::State& state) {
  for (auto _ : state) {
    auto game = open_game(disc());
    if (!game) return state.SkipWithError("no game");
    benchmark::DoNotOptimize(game->game->check(true));
  }
  count(state);
}
void convert_maps(benchmark::State& state) {
  size_t bytes = 0, maps = 0;
  for (auto _ : state) {
    auto game = open_game(disc());
    if (!game) return state.SkipWithError("no game");
    for (const GamePart& p : game->game->graph().parts) {
      if (p.kind != "map") continue;
      auto staged = game->game->world(p.id(), {});
      if (!staged) return state.SkipWithError(p.id().c_str());
      const auto glb = gltf::write_glb(staged->scene);
      if (!glb) return state.SkipWithError(p.id().c_str());
      bytes += glb->size();
      ++maps;
    }
  }
  count(state);
  state.counters["maps"] = double(maps) / double(state.iterations());
  state.counters["glb_MB"] = double(bytes) / double(state.iterations()) / 1e6;
}

/// The polygons of the largest mesh, as somebody would read them who needs no more than positions.
const Bytes& largest_mesh() {
  static const Bytes bytes = [] {
    const Bytes* largest = nullptr;
    for (const auto& [name, b] : disc().files)
      if (b.size() != fft::k_texture_size && (!largest || b.size() > largest->size())) largest = &b;
    return *largest;
  }();
  return bytes;
}
void read_mesh_by_hand(benchmark::State& state) {
  struct Vector {
    i16 x, y, z;
  };
  for (auto _ : state) {
    const Bytes& b = largest_mesh();
    const auto half = [&](size_t at) { return u16(b[at] | b[at + 1] << 8); };
    size_t at = half(0x40) | size_t(half(0x42)) << 16;
    const size_t n = half(at), p = half(at + 2), q = half(at + 4), r = half(at + 6);
    const size_t corners = 3 * n + 4 * p + 3 * q + 4 * r, textured = 3 * n + 4 * p;
    if (at + 8 + 6 * (corners + textured) + 10 * n + 12 * p + 4 * (q + r) + 2 * (n + p) > b.size())
      return state.SkipWithError("short");
    at += 8;
    std::vector<Vector> positions(corners), normals(textured);
    for (auto* list : {&positions, &normals})
      for (Vector& v : *list) v = {i16(half(at)), i16(half(at + 2)), i16(half(at + 4))}, at += 6;
    benchmark::DoNotOptimize(positions.data());
    benchmark::DoNotOptimize(normals.data());
  }
  state.SetBytesProcessed(i64(state.iterations()) * i64(largest_mesh().size()));
}
void read_mesh(benchmark::State& state) {
  const Format& format = *find_format("fft-mesh");
  for (auto _ : state) {
    auto d = format.load(largest_mesh(), {});
    if (!d) return state.SkipWithError("no mesh");
    benchmark::DoNotOptimize(d);
  }
  state.SetBytesProcessed(i64(state.iterations()) * i64(largest_mesh().size()));
}
void write_mesh(benchmark::State& state) {
  auto d = find_format("fft-mesh")->load(largest_mesh(), {});
  for (auto _ : state) benchmark::DoNotOptimize(d->document->save({}));
  state.SetBytesProcessed(i64(state.iterations()) * i64(largest_mesh().size()));
}

BENCHMARK(read_mesh_by_hand);
BENCHMARK(read_mesh);
BENCHMARK(write_mesh);
BENCHMARK(copy_disc)->Unit(benchmark::kMillisecond);
BENCHMARK(read_disc)->Unit(benchmark::kMillisecond);
BENCHMARK(read_and_check_disc)->Unit(benchmark::kMillisecond);
BENCHMARK(check_maps)->Unit(benchmark::kMillisecond);
BENCHMARK(convert_maps)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dio
