// main.cpp: a command line in, an exit code out.
#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "command_line/parse.hpp"
#include "command_line/print.hpp"
#include "core/parallel.hpp"
#include "files/fatal_error.hpp"
#include "files/temporaries.hpp"
#include "verbs/verbs.hpp"

namespace dio::cli {

static ExitCode run(const Request& r) {
  constexpr struct {
    std::string_view verb;
    ExitCode (*run)(const Request&);
  } k_verbs[] = {{"info", run_info},
                 {"ls", run_ls},
                 {"tree", run_tree},
                 {"get", run_get},
                 {"refs", run_refs},
                 {"hex", run_hex},
                 {"explain", run_explain},
                 {"check", run_check},
                 {"simulate", run_check},
                 {"budget", run_budget},
                 {"verify", run_verify},
                 {"diff", run_diff},
                 {"merge", run_merge},
                 {"git", run_git},
                 {"set", run_set},
                 {"edit", run_edit},
                 {"decode", run_decode},
                 {"encode", run_encode},
                 {"convert", run_convert},
                 {"textures", run_textures},
                 {"unpack", run_unpack},
                 {"pack", run_pack},
                 {"find", run_find},
                 {"maps", run_maps},
                 {"world", run_world},
                 {"render", run_render},
                 {"show", run_show},
                 {"view", run_view},
                 {"thumbnail", run_thumbnail},
                 {"formats", run_formats},
                 {"schema", run_schema},
                 {"completion", run_completion},
                 {"help", run_help}};
  for (const auto& v : k_verbs)
    if (v.verb == r.verb) return v.run(r);
  return ExitCode::fault;
}

}  // namespace dio::cli

/// What is opened must not get the number of a stream that was closed, or what is printed would go into it. Streams
/// that were closed stay unusable.
static void reserve_standard_descriptors() {
  for (const int stream : {0, 1, 2})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) (void)::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}

/// How many threads share work inside of one file: -j, or one per processor.
static size_t worker_count = 1;

static void run_on_threads(size_t count, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  const auto take_turns = [&] {
    for (size_t i; (i = next++) < count;) work(i);
  };
  std::vector<std::jthread> others;
  for (size_t i = 1; i < std::min(worker_count, count); ++i) others.emplace_back(take_turns);
  take_turns();
}

int main(int argc, char** argv) {
  using namespace dio::cli;
  reserve_standard_descriptors();
#ifdef __GLIBC__
  // One file after another needs about the same memory: giving it back in between takes a third of the time.
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
  remove_temporaries_on_signals();
  report_fatal_and_exit();
  const Parsed parsed = parse(argc, argv);
  worker_count = parsed.request.jobs ? parsed.request.jobs : std::max(1u, std::thread::hardware_concurrency());
  dio::set_parallel_for(run_on_threads);
  ExitCode exit = parsed.run ? run(parsed.request) : parsed.report.exit;
  if (!parsed.run && !print_report(parsed.report)) exit = ExitCode::system;
  return int(exit);
}
