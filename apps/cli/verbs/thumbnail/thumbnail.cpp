// dio thumbnail: a small picture of one file, for file managers: quickly, and with limits on what a file can cost.
#include "bridge/raster/thumbnail.hpp"

#include <charconv>

#include "../../command_line/print.hpp"
#include "../../input/batch.hpp"
#include "../../output/results.hpp"
#include "../../system/filesystem.hpp"
#include "../../system/process.hpp"
#include "../render/render.hpp"
#include "../verbs.hpp"
#include "bridge/png/png.hpp"

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
constexpr u64 k_most_memory = u64(1) << 30;
constexpr u32 k_most_seconds = 5;

/// From here to the end of its life, the program may not take longer or need more memory than a thumbnail is worth.
/// What a hostile file makes of that: a message and Exit::refused, or Exit::system where memory ran out.
class Limits {
 public:
  Limits() {
    os::limit_time(k_most_seconds, "error: the thumbnail takes longer than 5 seconds; nothing was written\n",
                   int(ExitCode::refused));
    static_assert(k_most_seconds == 5);
#if !defined(DIORAMA_ADDRESS_SANITIZER)  // its shadow alone is larger
    os::limit_memory(k_most_memory);
#endif
  }
  ~Limits() { disarm_timer(); }
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;
  /// Before something is written: that is not to stop halfway.
  void disarm_timer() { os::lift_time_limit(); }
};

tl::unexpected<Diagnostic> limit_error(std::string message) {
  return refuse("render.size", {}, {.message = std::move(message), .hint = "`dio render` has no such limit"});
}

std::optional<scene::Image> draw_thumbnail(const Request& request, const std::string& name, const RenderSubject& shown,
                                           u32 size, Report& report) {
  if (!shown.scene) return raster::make_thumbnail(shown.textures, size);
  auto picture = raster::make_thumbnail(*shown.scene, size);
  if (picture) return std::move(*picture);
  if (picture.error().id == "scene.none") {
    report.err += name + ": this file has nothing to draw\n";
    report.raise(ExitCode::no);
    return {};
  }
  report_error(report, request, in_file(picture.error(), name));
  return {};
}

}  // namespace

ExitCode run_thumbnail(const Request& given) {
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
      report_usage_error(report, request, "--size: " + request.size + " is not a number from 1 to 1024");
      return finish(report);
    }
  const auto input = resolve_single_input(request, request.inputs[0], report);
  if (!input) return finish(report);
  std::error_code error;
  if (!input->archive && !input->is_stdin) {
    const auto bytes = fs::file_size(input->name, error);
    if (!error && bytes > k_most_bytes) {
      report_error(report, request,
                   in_file(limit_error("the file is too large for a thumbnail (at most 64 MiB)").value(), input->name));
      return finish(report);
    }
  }
  Limits limits;
  const auto shown = load_render_subject(request, *input, {}, report);
  const auto picture = shown ? draw_thumbnail(request, input->name, *shown, size, report) : std::nullopt;
  if (!picture) return finish(report);
  const Bytes file = png::write_png(*picture);
  limits.disarm_timer();
  write_output(request, {*input}, request.output, file, report);
  return finish(report);
}

}  // namespace dio::cli
