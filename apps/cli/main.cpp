// main.cpp: a command line in, an exit code out.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "command_line/parse.hpp"
#include "command_line/print.hpp"
#include "core/command_text.hpp"
#include "core/parallel.hpp"
#include "files/fatal_error.hpp"
#include "files/temporaries.hpp"
#include "suggest/suggest.hpp"
#include "system/process.hpp"
#include "verbs/verbs.hpp"

namespace dio::cli {

static ExitCode run(const Request& r) {
  constexpr struct {
    std::string_view verb;
    ExitCode (*run)(const Request&);
  } k_verbs[] = {
      {"info", run_info},           {"ls", run_ls},           {"tree", run_tree},       {"get", run_get},
      {"refs", run_refs},           {"hex", run_hex},         {"explain", run_explain}, {"check", run_check},
      {"simulate", run_check},      {"budget", run_budget},   {"verify", run_verify},   {"diff", run_diff},
      {"merge", run_merge},         {"git", run_git},         {"set", run_set},         {"edit", run_edit},
      {"decode", run_decode},       {"encode", run_encode},   {"convert", run_convert}, {"textures", run_textures},
      {"unpack", run_unpack},       {"pack", run_pack},       {"find", run_find},       {"maps", run_maps},
      {"world", run_world},         {"render", run_render},   {"show", run_show},       {"view", run_view},
      {"thumbnail", run_thumbnail}, {"formats", run_formats}, {"schema", run_schema},   {"completion", run_completion},
      {"licences", run_licences},   {"help", run_help}};
  for (const auto& v : k_verbs)
    if (v.verb == r.verb) return v.run(r);
  return ExitCode::fault;
}

}  // namespace dio::cli

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

/// A command or an option as people type it.
static std::string word_command(std::string_view name, std::string_view words) {
  std::string out = name.starts_with("--") ? "" : "`dio ";
  out += name;
  if (!words.empty()) out += " " + std::string(words);
  return out + (name.starts_with("--") ? "" : "`");
}

/// A line with the command that was probably meant, after a failure; empty if there is none.
static std::string suggest_after(dio::cli::ExitCode exit, const dio::cli::Parsed& parsed,
                                 const std::vector<std::string>& arguments) {
  using namespace dio::cli;
  // These verbs print on one line that a file has nothing for them.
  constexpr std::string_view k_verbs[] = {"budget", "textures", "simulate", "explain",
                                          "render", "world",    "maps",     "convert"};
  const bool has_nothing = exit == ExitCode::no && std::ranges::find(k_verbs, parsed.request.verb) != std::end(k_verbs);
  const bool is_usage = exit == ExitCode::usage && !arguments.empty();
  if (!is_usage && !has_nothing && !is_other_command_likely()) return {};
  if (const std::string command = suggest_command(arguments); !command.empty()) return "  try: " + command + "\n";
  const std::string word = explain_misplaced_word(arguments);
  return word.empty() ? "" : "  " + word + "\n";
}

int main(int argc, char** argv) {
  using namespace dio::cli;
  const std::vector<std::string> arguments = os::start_process(argc, argv);
#ifdef __GLIBC__
  // One file after another needs about the same memory: giving it back in between takes a third of the time.
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
  remove_temporaries_on_signals();
  report_fatal_and_exit();
  dio::set_command_wording(word_command);
  const Parsed parsed = parse(arguments);
  worker_count = parsed.request.jobs ? parsed.request.jobs : std::max(1u, std::thread::hardware_concurrency());
  dio::set_parallel_for(run_on_threads);
  ExitCode exit = parsed.run ? run(parsed.request) : parsed.report.exit;
  const std::string suggestion = exit == ExitCode::done ? "" : suggest_after(exit, parsed, arguments);
  if (!parsed.run) {
    Report report = parsed.report;
    // A whole command is better than the usage.
    if (!suggestion.empty() && report.exit == ExitCode::usage) report.err.resize(report.err.find('\n') + 1);
    if (!print_report(report)) exit = ExitCode::system;
  }
  std::fputs(suggestion.c_str(), stderr);
  return int(exit);
}
