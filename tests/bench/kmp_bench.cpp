// kmp_bench.cpp: a course of 15 kB, in process, beside a reader and writer made by hand.
// Every pair first proves that both sides do the same work: the same bytes come out.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "bench/handwritten_kmp.hpp"
#include "bridge/gltf/gltf.hpp"
#include "core/json.hpp"
#include "formats/contract/findings.hpp"
#include "operations/operations.hpp"
#include "samples/kmp/courses.hpp"
#include "scene/scene.hpp"

// ---- live bytes, for the peak ----

static size_t live = 0, peak = 0;
void* operator new(size_t n) {
  void* p = std::malloc(n + 16);
  if (!p) std::abort();
  *static_cast<size_t*>(p) = n;
  peak = std::max(peak, live += n);
  return static_cast<char*>(p) + 16;
}
void operator delete(void* p) noexcept {
  if (!p) return;
  char* at = static_cast<char*>(p) - 16;
  live -= *reinterpret_cast<size_t*>(at);
  std::free(at);
}
void operator delete(void* p, size_t) noexcept { operator delete(p); }

namespace dio {

/// The sample race with as many objects, points and cameras as a real course of 15 kB has.
static const Bytes& course() {
  static const Bytes bytes = [] {
    kmp::Kmp k = kmp::race();
    const auto grow = [](auto& list, size_t n) {
      const auto pattern = list;
      while (list.size() < n) list.push_back(pattern[list.size() % pattern.size()]);
    };
    grow(k.gobj->entries, 90);
    grow(k.area->entries, 16);
    grow(k.came->entries, 16);
    grow(k.jgpt->entries, 20);
    grow(k.poti->entries, 20);
    for (auto& r : k.poti->entries) grow(r.points, 10);
    return bytes_of(k);
  }();
  return bytes;
}

static void require(bool same, const char* what) {
  if (same) return;
  std::fprintf(stderr, "bench: %s gives other bytes\n", what);
  std::exit(1);
}
static void report(benchmark::State& state) {
  state.SetBytesProcessed(int64_t(state.iterations()) * int64_t(course().size()));
  state.counters["file"] = double(course().size());
}

static void parse_handwritten(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(handwritten::read(course()));
  report(state);
}
static void parse(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(load<kmp::Kmp>(course()));
  report(state);
}
static void parse_write_handwritten(benchmark::State& state) {
  require(handwritten::write(*handwritten::read(course()), 0) == course(), "the reader and writer made by hand");
  for (auto _ : state) benchmark::DoNotOptimize(handwritten::write(*handwritten::read(course()), course().size()));
  report(state);
}
static void parse_write(benchmark::State& state) {
  require(*save(load<kmp::Kmp>(course())->document) == course(), "load and save");
  for (auto _ : state) benchmark::DoNotOptimize(save(load<kmp::Kmp>(course())->document));
  report(state);
}
static void parse_place_write(benchmark::State& state) {
  require(*save(load<kmp::Kmp>(course())->document, {.canonical = true}) == course(), "load, place and save");
  for (auto _ : state) benchmark::DoNotOptimize(save(load<kmp::Kmp>(course())->document, {.canonical = true}));
  report(state);
}
static void parse_write_check(benchmark::State& state) {
  size_t findings = 0;
  for (auto _ : state) {
    auto d = load<kmp::Kmp>(course());
    Findings f(kmp::rules());
    kmp::check(d->document.value(), f);
    findings = f.list.size();
    benchmark::DoNotOptimize(save(d->document));
  }
  report(state);
  state.counters["findings"] = double(findings);
}
static void parse_write_check_memory(benchmark::State& state) {
  size_t most = 0;
  for (auto _ : state) {
    const size_t before = live;
    peak = live;
    auto d = load<kmp::Kmp>(course());
    Findings f(kmp::rules());
    kmp::check(d->document.value(), f);
    benchmark::DoNotOptimize(save(d->document));
    most = std::max(most, peak - before);
  }
  report(state);
  state.counters["peak_per_file_byte"] = double(most) / double(course().size());
}
static void trace_spans(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(trace<kmp::Kmp>(course()));
  report(state);
}
static void decode_to_text(benchmark::State& state) {
  const auto opened = open(course(), "course.kmp");
  for (auto _ : state) benchmark::DoNotOptimize(json::write(decode(*opened)));
  report(state);
}
static void encode_from_text(benchmark::State& state) {
  const std::string text = json::write(decode(*open(course(), "course.kmp")));
  require(*encode(*json::read(text)) == course(), "decode and encode");
  for (auto _ : state) benchmark::DoNotOptimize(encode(*json::read(text)));
  report(state);
}
static void to_glb(benchmark::State& state) {
  const auto opened = open(course(), "course.kmp");
  for (auto _ : state) benchmark::DoNotOptimize(gltf::write_glb(to_scene(*opened)->scene));
  report(state);
}

BENCHMARK(parse_handwritten)->Unit(benchmark::kMicrosecond);
BENCHMARK(parse)->Unit(benchmark::kMicrosecond);
BENCHMARK(parse_write_handwritten)->Unit(benchmark::kMicrosecond);
BENCHMARK(parse_write)->Unit(benchmark::kMicrosecond);
BENCHMARK(parse_place_write)->Unit(benchmark::kMicrosecond);
BENCHMARK(parse_write_check)->Unit(benchmark::kMicrosecond);
BENCHMARK(parse_write_check_memory)->Unit(benchmark::kMicrosecond);
BENCHMARK(trace_spans)->Unit(benchmark::kMicrosecond);
BENCHMARK(decode_to_text)->Unit(benchmark::kMicrosecond);
BENCHMARK(encode_from_text)->Unit(benchmark::kMicrosecond);
BENCHMARK(to_glb)->Unit(benchmark::kMicrosecond);

}  // namespace dio
