// packed_bench.cpp: Yaz0 beside memcpy, and the size of its output beside that of simpler ways to choose copies: the
// longest at each byte (greedy), and the longest unless there is a longer one at the next byte (lazy). Of the contents
// of the file that DIORAMA_PACKED names, else of all samples.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "containers/packed/matcher.hpp"
#include "containers/packed/yaz0.hpp"
#include "formats/registry.hpp"
#include "samples/samples.hpp"

namespace dio {

constexpr u32 k_window = 0x1000, k_longest = 0x111;

static const Bytes& contents() {
  static const Bytes all = [] {
    Bytes bytes;
    if (const char* path = std::getenv("DIORAMA_PACKED")) {
      std::ifstream file(path, std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(file), {});
    } else
      for (const Format* format : formats())
        for (const Sample& s : samples_of(*format)) bytes.insert(bytes.end(), s.bytes.begin(), s.bytes.end());
    return bytes;
  }();
  return all;
}

static void done(benchmark::State& state, u64 size) {
  state.SetBytesProcessed(i64(state.iterations() * contents().size()));
  state.counters["size"] = f64(size);
}
static u64 copy_bits(u32 length) { return length < 18 ? 17 : 25; }

static void yaz0_pack(benchmark::State& state) {
  u64 size = 0;
  for (auto _ : state) size = yaz0_encode(contents())->size();
  done(state, size);
}
static void yaz0_pack_lazy(benchmark::State& state) {
  u64 bits = 0;
  for (auto _ : state) {
    bits = 0;
    for_each_lz_step(
        contents(), 1, k_window, k_longest, [&](size_t) { bits += 9; },
        [&](size_t, Match m) { bits += copy_bits(m.length); });
  }
  done(state, 16 + (bits + 7) / 8);
}
static void yaz0_pack_greedy(benchmark::State& state) {
  u64 bits = 0;
  for (auto _ : state) {
    bits = 0;
    Matcher matcher(contents(), 1, k_window);
    for (size_t at = 0; at < contents().size();) {
      const u32 length = matcher.find(at, k_longest).length;
      bits += length ? copy_bits(length) : 9;
      for (u32 i = 0; i < std::max(length, 1u); ++i) matcher.add(at++);
    }
  }
  done(state, 16 + (bits + 7) / 8);
}
static void yaz0_unpack(benchmark::State& state) {
  const auto packed = yaz0_encode(contents());
  for (auto _ : state) benchmark::DoNotOptimize(yaz0_decode(*packed));
  done(state, packed->size());
}
static void yaz0_memcpy(benchmark::State& state) {
  for (auto _ : state) {
    Bytes copy(contents().size());
    std::memcpy(copy.data(), contents().data(), copy.size());
    benchmark::DoNotOptimize(copy.data());
  }
  done(state, contents().size());
}
BENCHMARK(yaz0_pack)->Unit(benchmark::kMillisecond);
BENCHMARK(yaz0_pack_lazy)->Unit(benchmark::kMillisecond);
BENCHMARK(yaz0_pack_greedy)->Unit(benchmark::kMillisecond);
BENCHMARK(yaz0_unpack)->Unit(benchmark::kMillisecond);
BENCHMARK(yaz0_memcpy)->Unit(benchmark::kMillisecond);

}  // namespace dio
