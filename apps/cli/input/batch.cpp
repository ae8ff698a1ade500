#include "batch.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "../command_line/print.hpp"
#include "../command_line/progress.hpp"
#include "../command_line/text.hpp"
#include "../files/fatal_error.hpp"
#include "../files/mapped_file.hpp"
#include "manifest.hpp"

namespace dio::cli {

namespace {

/// A mapped file is read when it is looked at: what was found is true only if nobody wrote into it meanwhile.
void report_if_changed(const Request& request, const Input& input, Report& report) {
  if (request.in_place || !input.state || input.state->size < k_large || file_state(input.name) == input.state) return;
  report_error(report, request,
               io_error("io.read", input.name, "another program has changed the file while it was read",
                        "run the command again"));
}

Report done(const Request& request, const Job& one, const Input& input, size_t index) {
  const CurrentFileScope now(input.name);
  Input same = input;
  // The state when work begins: of files that this batch changes, or that take long to read, not the one before.
  const bool is_fresh = input.state && !request.in_place && input.state->size < k_large;
  if (!is_fresh && !input.is_stdin && !input.archive) same.state = file_state(input.name);
  Report report = one(same, index);
  report_if_changed(request, same, report);
  return report;
}

void count_exit(ExitCode exit, Summary& summary) {
  summary.negative += exit == ExitCode::no;
  summary.failed += exit > ExitCode::no;
  summary.exit = std::max(summary.exit, exit);
}

/// Null without one, and where it cannot be used: then the reason is printed, and the summary says so.
std::unique_ptr<Manifest> open_manifest(const Request& request, Summary& summary) {
  if (request.manifest.empty()) return nullptr;
  auto opened = Manifest::open(request.manifest, request.command);
  if (opened) return std::move(*opened);
  Report wrong;
  report_error(wrong, request, opened.error());
  summary.exit = wrong.exit;
  if (!print_report(wrong)) summary.exit = ExitCode::system;
  return nullptr;
}

/// False: the manifest cannot be written, which is printed.
bool record_input(const Request& request, Manifest& manifest, const Input& input, ExitCode exit) {
  if (manifest.add(input, exit)) return true;
  Report wrong;
  report_error(
      wrong, request,
      make_diagnostic("io.write", Location::in_file(request.manifest), {.message = "the manifest cannot be written"}));
  print_report(wrong);
  return false;
}

/// Runs `job` for the numbers below `count` on several threads, and calls `print` in order, on this one. Workers wait
/// where they would be more than 8 jobs each ahead of the printer: results take memory.
void run_in_parallel(size_t count, size_t workers, const std::function<Report(size_t)>& job,
                     const std::function<void(Report, size_t)>& print) {
  std::vector<std::optional<Report>> reports(count);
  std::mutex mutex;
  std::condition_variable printable, capacity;
  size_t next = 0, printed = 0;
  std::vector<std::jthread> threads;
  for (size_t t = 0; t < workers; ++t)
    threads.emplace_back([&] {
      for (;;) {
        size_t mine;
        {
          // Results wait for their turn to be printed: not too many of them.
          std::unique_lock lock(mutex);
          capacity.wait(lock, [&] { return next >= count || next < printed + 8 * workers; });
          if (next >= count) return;
          mine = next++;
        }
        Report report = job(mine);
        bool is_next;
        {
          std::lock_guard lock(mutex);
          reports[mine] = std::move(report);
          is_next = mine == printed;
        }
        if (is_next) printable.notify_one();
      }
    });
  for (size_t i = 0; i < count; ++i) {
    Report report;
    bool was_full;
    {
      std::unique_lock lock(mutex);
      printable.wait(lock, [&] { return reports[i].has_value(); });
      report = std::move(*reports[i]);
      reports[i].reset();
      was_full = next >= printed + 8 * workers;
      ++printed;
    }
    if (was_full) capacity.notify_all();
    print(std::move(report), i);
  }
}

}  // namespace

void escape_line_breaks(Report& report, const std::string& name) {
  if (name.find_first_of("\n\r") == name.npos) return;
  for (size_t start = 0; start < name.size();) {
    const size_t end = std::min(name.find('/', start), name.size());
    std::string part = name.substr(start, end - start);
    start = end + 1;
    const size_t last = part.find_last_of("\n\r"), dot = part.rfind('.');
    if (last == part.npos) continue;
    if (dot != part.npos && dot > last) part.resize(dot);  // the result has this name with another extension
    const std::string shown = escape_control_chars(part);
    for (std::string* text : {&report.out, &report.err})
      for (size_t at = 0; (at = text->find(part, at)) != text->npos; at += shown.size())
        text->replace(at, part.size(), shown);
  }
}

void record_inputs(const Request& request, const Summary& summary, ExitCode& exit) {
  for (const auto& [input, code] : summary.unrecorded)
    if (!record_input(request, *summary.manifest, *input, code)) {
      exit = std::max(exit, ExitCode::system);
      return;
    }
}

Summary process_inputs(const Request& request, const std::vector<Input>& inputs, const Job& one, ManifestTime records) {
  constexpr size_t k_most_notes = 20;
  Summary summary;
  const std::shared_ptr<Manifest> manifest = open_manifest(request, summary);
  if (!request.manifest.empty() && !manifest) return summary;
  std::vector<size_t> left;  // indices of inputs
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto before = manifest ? manifest->previous_exit(inputs[i]) : std::nullopt;
    if (!before) {
      left.push_back(i);
      continue;
    }
    ++summary.files, ++summary.before;
    count_exit(*before, summary);
  }
  size_t notes = 0;
  std::string unsearched;  // the first such archive
  bool is_manifest_full = false, is_begun = false;
  Progress progress(request, left.size() > 1);
  const auto finish = [&](Report report, size_t turn) {
    const size_t i = left[turn];
    progress.clear();
    if (!request.quiet) {
      std::string told;
      for (const std::string& note : report.notes)
        if (notes++ < k_most_notes) told += note;
      report.err.insert(0, told);
    }
    escape_line_breaks(report, inputs[i].name);
    if (!report.out.empty() && std::exchange(is_begun, true) && report.is_block) report.out.insert(0, 1, '\n');
    if (report.skipped)
      ++summary.skipped;
    else
      ++summary.files;
    count_exit(report.exit, summary);
    if (report.unsearched && !summary.unsearched++) unsearched = inputs[i].name;
    const bool is_printed = print_report(report);
    if (!is_printed) summary.exit = std::max(summary.exit, ExitCode::system);
    if (manifest && is_printed && !report.skipped) {
      if (records == ManifestTime::at_end) {
        summary.manifest = manifest;
        summary.unrecorded.push_back({&inputs[i], report.exit});
      } else if (!is_manifest_full && !record_input(request, *manifest, inputs[i], report.exit)) {
        is_manifest_full = true;
        summary.exit = std::max(summary.exit, ExitCode::system);
      }
    }
    if (turn + 1 < left.size())
      progress.show(std::to_string(turn + 1) + '/' + std::to_string(left.size()) + ' ' + inputs[left[turn + 1]].name);
  };
  const auto print_summary = [&] {
    Report rest;
    if (notes > k_most_notes)
      rest.err = format_count(notes - k_most_notes, "more note", "more notes") + "; -v shows all\n";
    if (summary.before && !request.quiet)
      rest.err +=
          format_count(summary.before, "file", "files") + " finished in an earlier run (" + request.manifest + ")\n";
    if (summary.unsearched && summary.files && !request.quiet)  // without files, report_no_inputs says it
      rest.err += format_skipped_members(unsearched, summary.unsearched);
    escape_line_breaks(rest, unsearched);
    if (!print_report(rest)) summary.exit = std::max(summary.exit, ExitCode::system);
    return summary;
  };
  // Archives take memory: the last of their members gives it back.
  std::unordered_map<const ArchiveFile*, size_t> last_turns;
  for (size_t turn = 0; turn < left.size(); ++turn)
    if (const ArchiveFile* archive = inputs[left[turn]].archive.get()) last_turns[archive] = turn;
  const auto finish_and_release = [&](Report report, size_t turn) {
    finish(std::move(report), turn);
    if (const auto& archive = inputs[left[turn]].archive; archive && last_turns[archive.get()] == turn)
      archive->release();
  };
  const size_t processors = request.jobs ? request.jobs : std::max(1u, std::thread::hardware_concurrency());
  const size_t workers = std::min(processors, left.size());
  if (workers <= 1) {
    for (size_t i = 0; i < left.size(); ++i) finish_and_release(done(request, one, inputs[left[i]], left[i]), i);
    return print_summary();
  }

  run_in_parallel(
      left.size(), workers, [&](size_t i) { return done(request, one, inputs[left[i]], left[i]); }, finish_and_release);
  return print_summary();
}

void report_unknown_formats(const Request& request, const Summary& s, Report& report) {
  if (s.skipped && !request.quiet)
    report.err += format_count(s.skipped, "file", "files") + " of unknown format skipped\n";
}

void report_no_inputs(const Request& request, const Summary& s, Report& report) {
  if (s.files || s.exit != ExitCode::done) return;
  report.err +=
      "no files found that `dio " + request.verb + "` can use" +
      std::string(request.recursive || request.verb == "view" ? "" : "; -r also searches subfolders and archives") +
      "\n";
  report.raise(ExitCode::unreadable);
}

ExitCode for_each_input(const Request& request, const Job& one) {
  return for_each_input(request, resolve_request_inputs(request), one);
}

ExitCode for_each_input(const Request& request, const std::vector<Input>& inputs, const Job& one,
                        const std::function<void(const Summary&)>& at_end) {
  const Summary s = process_inputs(request, inputs, one);
  if (at_end) at_end(s);
  Report end;
  end.exit = s.exit;
  report_no_inputs(request, s, end);
  if (inputs.size() > 1 && s.failed)
    end.err += format_with_commas(s.failed) + " of " + format_count(s.files, "file", "files") + " failed\n";
  if (request.verbose && s.skipped)
    end.err += format_count(s.skipped, "file", "files") + " skipped: `dio " + request.verb + "` cannot use " +
               (s.skipped == 1 ? "it" : "them") + "\n";
  return finish(end);
}

std::optional<Input> resolve_single_input(const Request& request, const std::string& name, Report& report) {
  std::vector<Input> inputs = resolve_input_names({name});
  if (inputs.size() == 1 && !inputs[0].walked) return std::move(inputs[0]);
  report_usage_error(
      report, request,
      "only one file is allowed; " + name + (is_folder(name) ? " is a folder" : " matches several files"));
  return {};
}

ExitCode for_one_input(const Request& request, const Job& one) {
  Report wrong;
  const auto input = resolve_single_input(request, request.inputs[0], wrong);
  return input ? for_each_input(request, {*input}, one) : finish(wrong);
}

}  // namespace dio::cli
