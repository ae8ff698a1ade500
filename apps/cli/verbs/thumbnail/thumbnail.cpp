// dio thumbnail: a small picture of one file, for file managers: quickly, and with limits on what a file can cost.
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "../../command_line/print.hpp"
#include "../../input/batch.hpp"
#include "../../output/results.hpp"
#include "../render/render.hpp"
#include "../verbs.hpp"
#include "bridge/png/png.hpp"
#include "scene/scaling.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define DIORAMA_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DIORAMA_ADDRESS_SANITIZER
#endif
#endif

namespace dio::cli {
namespace {

constexpr u32 k_size = 128, k_most_size = 1024;
constexpr u64 k_most_bytes = u64(64) << 20;  // of a file
constexpr u64 k_most_triangles = 2'000'000;
constexpr rlim_t k_most_memory = rlim_t(1) << 30;
constexpr long k_most_seconds = 5;
constexpr size_t k_most_textures = 16;

/// From here to the end of its life, the program may not take longer or need more memory than a thumbnail is worth.
/// What a hostile file makes of that: a message and Exit::refused, or Exit::system where memory ran out.
class Limits {
 public:
  Limits() {
    std::signal(SIGALRM, [](int) {
      constexpr char k_message[] = "error: the thumbnail takes longer than 5 seconds; nothing was written\n";
      static_assert(k_most_seconds == 5);
      (void)!::write(STDERR_FILENO, k_message, sizeof k_message - 1);
      ::_exit(int(Exit::refused));
    });
    itimerval timer{{0, 0}, {k_most_seconds, 0}};
    ::setitimer(ITIMER_REAL, &timer, nullptr);
#if !defined(DIORAMA_ADDRESS_SANITIZER)  // its shadow alone is larger
    rlimit memory{};
    if (::getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur > k_most_memory) {
      memory.rlim_cur = k_most_memory;
      ::setrlimit(RLIMIT_AS, &memory);
    }
#endif
  }
  ~Limits() { end(); }
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;
  /// Before something is written: that is not to stop halfway.
  void end() {
    itimerval none{};
    ::setitimer(ITIMER_REAL, &none, nullptr);
  }
};

tl::unexpected<Diagnostic> too_much(std::string message) {
  return refuse("render.size", {}, {.message = std::move(message), .hint = "`dio render` has no such limit"});
}

u64 triangles_in(const scene::Scene& s) {
  std::vector<u64> of_mesh;
  for (const auto& m : s.meshes) {
    u64 n = 0;
    for (const auto& p : m.primitives) n += (p.indices.empty() ? p.positions.size() : p.indices.size()) / 3;
    of_mesh.push_back(n);
  }
  u64 all = 0;
  for (const auto& n : s.nodes)
    if (n.mesh != scene::k_none) all += of_mesh[n.mesh];
  return all;
}

/// As large as possible in a square, in its own proportions.
scene::Image in_square(const scene::Image& image, u32 side) {
  const u32 longer = std::max({image.width, image.height, 1u});
  return scene::scaled(image, std::max(u32(u64(image.width) * side / longer), 1u),
                       std::max(u32(u64(image.height) * side / longer), 1u));
}

/// The first textures in rows, without names: those could not be read.
scene::Image grid_of(const std::vector<raster::Labelled>& textures, u32 size) {
  const u32 across = std::min(u32(std::ceil(std::sqrt(f64(std::min(textures.size(), k_most_textures))))), size);
  const size_t count = std::min({textures.size(), k_most_textures, size_t(across) * across});
  const u32 cell = std::max(size / across, 1u), rows = u32((count + across - 1) / across);
  scene::Image out;
  out.width = cell * across, out.height = cell * rows;
  out.pixels.resize(size_t(out.width) * out.height * 4);
  for (size_t i = 0; i < count; ++i) {
    const scene::Image picture = in_square(textures[i].image, cell > 4 ? cell - 2 : cell);
    const u32 left = u32(i) % across * cell + (cell - picture.width) / 2;
    const u32 top = u32(i) / across * cell + (cell - picture.height) / 2;
    for (u32 y = 0; y < picture.height; ++y)
      std::memcpy(out.pixels.data() + (size_t(top + y) * out.width + left) * 4,
                  picture.pixels.data() + size_t(y) * picture.width * 4, size_t(picture.width) * 4);
  }
  return out;
}

std::optional<scene::Image> picture_of(const Request& request, const std::string& name, const Shown& shown, u32 size,
                                       Report& report) {
  const auto stop = [&](const Diagnostic& d) {
    fail(report, request, in_file(d, name));
    return std::nullopt;
  };
  if (!shown.scene) return grid_of(shown.textures, size);
  if (triangles_in(*shown.scene) > k_most_triangles)
    return stop(too_much("too many triangles for a thumbnail (at most 2,000,000)").value());
  raster::Shot shot;
  shot.options.width = shot.options.height = size;
  shot.options.samples = 2;
  if (!raster::bounds_of(*shown.scene, raster::pose_of(*shown.scene, {}))) {
    report.err += name + ": this file has nothing to draw\n";
    report.raise(Exit::no);
    return {};
  }
  auto taken = raster::picture_of(*shown.scene, shot);
  if (!taken) return stop(taken.error());
  return std::move(taken->image);
}

}  // namespace

Exit run_thumbnail(const Request& given) {
  Report report;
  Request request = given;
  request.quiet = true;      // notes of what cannot be shown exactly are of no use here
  request.overwrite = true;  // file managers make the file before they call
  request.output = request.other;
  u32 size = k_size;
  const char* const end = request.size.data() + request.size.size();
  if (!request.size.empty())
    if (const auto [at, error] = std::from_chars(request.size.data(), end, size);
        error != std::errc() || at != end || !size || size > k_most_size) {
      fail_usage(report, request, "--size: " + request.size + " is not a number from 1 to 1024");
      return finish(report);
    }
  const auto input = one_input(request, request.inputs[0], report);
  if (!input) return finish(report);
  std::error_code error;
  if (!input->archive && !input->is_stdin) {
    const auto bytes = std::filesystem::file_size(input->name, error);
    if (!error && bytes > k_most_bytes) {
      fail(report, request,
           in_file(too_much("the file is too large for a thumbnail (at most 64 MiB)").value(), input->name));
      return finish(report);
    }
  }
  Limits limits;
  const auto shown = shown_of(request, *input, {}, report);
  const auto picture = shown ? picture_of(request, input->name, *shown, size, report) : std::nullopt;
  if (!picture) return finish(report);
  const Bytes file = png::write_png(*picture);
  limits.end();
  write_output(request, {*input}, request.output, file, report);
  return finish(report);
}

}  // namespace dio::cli
