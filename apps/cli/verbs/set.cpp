// dio set: changes values.
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../output/byte_diff.hpp"
#include "../output/results.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

std::vector<Assignment> assignments_of(const Request& request, Report& wrong) {
  std::vector<Assignment> assignments;
  for (const std::string& a : request.assignments) {
    const size_t equals = a.find('=');
    if (equals == a.npos || equals == 0)
      fail_usage(wrong, request, in_quotes(a) + " is not PATH=VALUE");
    else
      assignments.push_back({a.substr(0, equals), a.substr(equals + 1)});
  }
  return assignments;
}

/// Whether a path leads to one value. If not, the report says what to do.
bool is_one_value(const Request& request, const TracedFile& file, const std::string& path, Report& report) {
  const Spans& spans = file.traced.spans;
  const auto spot = find_path(request, file, path, report);
  if (!spot) return false;
  const Span& s = spans[spot->span];
  const bool is_list = s.kind == Span::Kind::list || (s.kind == Span::Kind::numbers && !spot->element);
  if (!is_list && s.kind != Span::Kind::object) return true;
  fail(report, request,
       make_diagnostic(
           "layout.type", Place::in_file(file.name, path),
           {.message = std::string(is_list ? "a list" : "an object") + " cannot be set, only the values in it",
            .hint = "`dio ls " + file.name + " " + path + "` lists them"}));
  report.exit = Exit::usage;
  return false;
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
    for (const Assignment& a : assignments)
      if (!is_one_value(request, *file, a.path, report)) return report;
    const auto changed = set_values(ReadAs{file->format, file->options}, file->traced.spans, assignments);
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
