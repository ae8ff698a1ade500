// dio set: changes values.
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../output/byte_diff.hpp"
#include "../output/results.hpp"
#include "edit_steps.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

std::vector<Assignment> assignments_of(const Request& request, Report& wrong) {
  std::vector<Assignment> assignments;
  for (const std::string& a : request.assignments) {
    const size_t equals = find_equals(a);
    if (equals == a.npos || equals == 0)
      fail_usage(wrong, request, in_quotes(a) + " is not PATH=VALUE");
    else
      assignments.push_back({a.substr(0, equals), a.substr(equals + 1)});
  }
  return assignments;
}

/// What was typed, value by value. If it leads nowhere, the report says what to do.
std::optional<std::vector<Assignment>> expanded(const Request& request, const TracedFile& file, const Assignment& typed,
                                                Report& report) {
  auto all = expand(file.traced.spans, typed);
  if (all) return std::move(*all);
  if (all.error().id == "path.unknown" && typed.path.find_first_of("*=<>!") == typed.path.npos) {
    // A single path: what is there, and what was probably meant.
    if (!find_path(request, file, typed.path, report)) return {};
  }
  Diagnostic d = in_file(all.error(), file.name);
  if (d.id == "layout.type" && d.hint.empty()) d.hint = "`dio ls " + file.name + " " + typed.path + "` lists them";
  fail(report, request, d);
  report.exit = Exit::usage;
  return {};
}

}  // namespace

Exit run_set(const Request& request) {
  Report wrong;
  const auto assignments = assignments_of(request, wrong);
  if (has_one_place(request, wrong) && request.in_place && request.inputs[0] == "-")
    fail_usage(wrong, request, "standard input cannot be changed in place");
  if (wrong.exit != Exit::done) return finish(wrong);

  // One trace says whether the file can be read and where its values are; set_values reads the result again.
  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    const auto file = trace_input(request, input, report);
    if (!file || file->traced.stop) return report;
    if (request.strict && !file->traced.notes.empty()) {
      Diagnostic d = in_file(file->traced.notes.front(), file->name);
      d.severity = Severity::stop;
      fail(report, request, d, file->bytes);
      return report;
    }
    std::vector<Assignment> all;
    for (const Assignment& a : assignments) {
      const auto values = expanded(request, *file, a, report);
      if (!values) return report;
      all.insert(all.end(), values->begin(), values->end());
    }
    const auto changed = set_values(ReadAs{file->format, file->options}, file->traced.spans, all);
    if (!changed) {
      fail(report, request, in_file(changed.error(), file->name), file->bytes);
      // a value that is no value of the field is a slip on the command line
      if (changed.error().id == "layout.type" || changed.error().id == "layout.derived") report.exit = Exit::usage;
      return report;
    }
    const bool is_same = *changed == file->bytes;
    if (request.verbose) report.err += byte_diff_text(value_diff(file->bytes, *changed, file->traced.spans));
    if (is_same && !request.quiet) report.err += file->name + ": no change; the file already has these values\n";
    if (!is_same || !request.in_place) write_changed(request, input, *file->format, *changed, report);
    return report;
  });
}

}  // namespace dio::cli
