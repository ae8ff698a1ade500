// families.cpp: what a program does with files of each family, in process, in megabytes a second: one line of JSON for
// each family and operation, for tests/bench/table. Beside it memcpy of the same bytes and, for courses, a reader and
// writer made by hand. The least of several rounds counts.
//
//   families [SECONDS]     for each figure (0.2)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>

#include "bench/handwritten_kmp.hpp"
#include "bridge/gltf/gltf.hpp"
#include "bridge/png/png.hpp"
#include "bridge/raster/pictures.hpp"
#include "core/json.hpp"
#include "formats/contract/format.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

// ---- live bytes, for the peak ----

static size_t live = 0, peak = 0;
[[gnu::noinline]] void* operator new(size_t n) {
  void* p = std::malloc(n + 16);
  if (!p) std::abort();
  *static_cast<size_t*>(p) = n;
  peak = std::max(peak, live += n);
  return static_cast<char*>(p) + 16;
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  if (!p) return;
  char* at = static_cast<char*>(p) - 16;
  live -= *reinterpret_cast<size_t*>(at);
  std::free(at);
}
void operator delete(void* p, size_t) noexcept { operator delete(p); }

namespace {

using namespace dio;

/// What must not be optimised away.
volatile u64 sink = 0;
void use(const auto& bytes) { sink = sink + bytes.size(); }

struct Measured {
  f64 seconds = 1e9;
  size_t peak = 0;  // bytes beyond those that were there before
};
Measured measure(f64 budget, const std::function<void()>& work) {
  Measured out;
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < 3 || std::chrono::steady_clock::now() - begin < std::chrono::duration<f64>(budget);
       ++round) {
    const size_t before = live;
    peak = live;
    const auto start = std::chrono::steady_clock::now();
    work();
    out.seconds = std::min(out.seconds, std::chrono::duration<f64>(std::chrono::steady_clock::now() - start).count());
    out.peak = std::max(out.peak, peak - before);
  }
  return out;
}

/// Files of a family.
struct Family {
  std::string_view name;
  std::vector<std::string_view> formats;
};
const Family k_families[] = {
    {"courses (KMP)", {"kmp"}},
    {"Nitro", {"nsbmd", "nsbtx", "nsbca", "nsbtp", "nsbta", "nsbma", "nsbva"}},
    {"maps of Platinum", {"land-data", "bdhc", "area-data", "map-matrix", "zone-event", "area-build"}},
    {"maps of FFT", {"fft-mesh", "fft-texture", "fft-gns"}},
    {"SPLASHPACK", {"splashpack", "splashpack-vram"}},
    {"models of the Wii (BRRES)", {"brres"}},
    {"collision (KCL)", {"kcl"}},
};

void print(std::string_view family, std::string_view what, u64 bytes, const Measured& m) {
  std::printf("{\"family\": \"%s\", \"what\": \"%s\", \"bytes\": %llu, \"seconds\": %.9f, \"peak\": %zu}\n",
              std::string(family).c_str(), std::string(what).c_str(), static_cast<unsigned long long>(bytes), m.seconds,
              m.peak);
}

void measure_family(const Family& family, f64 budget) {
  std::vector<OpenedFile> files;
  u64 size = 0;
  for (const std::string_view id : family.formats) {
    const Format* format = find_format(id);
    if (!format) std::fprintf(stderr, "bench: there is no format %s\n", std::string(id).c_str()), std::exit(1);
    for (Sample& s : samples_of(*format)) {
      auto opened = open(s.bytes, s.name, ReadAs(format));
      if (opened) size += s.bytes.size(), files.push_back(std::move(*opened));
    }
  }
  const auto each = [&](std::string_view what, u64 bytes, const std::function<void(const OpenedFile&)>& work) {
    print(family.name, what, bytes, measure(budget, [&] {
            for (const OpenedFile& o : files) work(o);
          }));
  };
  each("memcpy", size, [](const OpenedFile& o) { use(Bytes(o.bytes.begin(), o.bytes.end())); });
  each("read", size, [](const OpenedFile& o) { use(o.format->load(o.bytes, o.options)->notes); });
  each("write", size, [](const OpenedFile& o) { use(*o.document->save({})); });
  each("check", size, [](const OpenedFile& o) { use(check(o, false)); });
  each("to JSON", size, [](const OpenedFile& o) { use(json::write(decode_to_dom(o))); });
  std::vector<std::string> texts;
  for (const OpenedFile& o : files) texts.push_back(json::write(decode_to_dom(o)));
  print(family.name, "from JSON", size, measure(budget, [&] {
          for (const std::string& text : texts) use(*encode(*json::read_dom(text)));
        }));
  const auto has_scene = [](const OpenedFile& o) { return o.format->scenes && to_scene(o).has_value(); };
  u64 shown = 0;
  std::vector<SceneResult> scenes;
  for (const OpenedFile& o : files)
    if (has_scene(o)) shown += o.bytes.size(), scenes.push_back(*to_scene(o));
  if (scenes.empty()) return;
  each("to glTF", shown, [&](const OpenedFile& o) {
    if (o.format->scenes)
      if (const auto staged = to_scene(o)) use(*gltf::write_glb(staged->scene));
  });
  raster::RenderOptions shot;
  shot.options.width = 256, shot.options.height = 192, shot.options.samples = 1;
  print(family.name, "draw 256x192", shown, measure(budget, [&] {
          for (const SceneResult& s : scenes)
            if (const auto taken = raster::render_picture(s.scene, shot)) use(taken->image.pixels);
        }));
}

/// The reader and writer made by hand, and ours on the same courses.
void measure_by_hand(f64 budget) {
  std::vector<Bytes> files;
  u64 size = 0;
  for (Sample& s : samples_of(*find_format("kmp")))
    if (const auto read = handwritten::read(s.bytes); read && handwritten::write(*read, 0) == s.bytes)
      size += s.bytes.size(), files.push_back(std::move(s.bytes));
  const Format& format = *find_format("kmp");
  const auto each = [&](std::string_view what, const std::function<void(const Bytes&)>& work) {
    print("courses, beside code by hand", what, size, measure(budget, [&] {
            for (const Bytes& f : files) work(f);
          }));
  };
  each("read by hand", [](const Bytes& f) { use(handwritten::read(f)->gobj); });
  each("read", [&](const Bytes& f) { use(format.load(f, {})->notes); });
  each("read and write by hand", [](const Bytes& f) { use(handwritten::write(*handwritten::read(f), f.size())); });
  each("read and write", [&](const Bytes& f) { use(*format.load(f, {})->document->save({})); });
}

}  // namespace

int main(int argc, char** argv) {
  const f64 budget = argc > 1 ? std::atof(argv[1]) : 0.2;
  for (const Family& family : k_families) measure_family(family, budget);
  measure_by_hand(budget);
}
