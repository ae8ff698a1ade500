// dio set: changes values.
#include <algorithm>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/files.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../output/byte_diff.hpp"
#include "../output/results.hpp"
#include "operations/edit_steps.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

/// The arguments behind the first file: more files, then what to set.
std::vector<Assignment> assignments_of(const Request& request, std::vector<std::string>& files, Report& wrong) {
  std::vector<Assignment> assignments;
  for (const std::string& a : request.assignments) {
    const size_t equals = find_equals(a);
    if (assignments.empty() && (equals == a.npos || file_state(a)))
      files.push_back(a);
    else if (equals == a.npos || equals == 0)
      fail_usage(wrong, request, in_quotes(a) + " is not PATH=VALUE");
    else
      assignments.push_back({a.substr(0, equals), a.substr(equals + 1)});
  }
  if (assignments.empty() && wrong.exit == Exit::done)
    fail_usage(wrong, request, in_quotes(request.assignments.back()) + " is not PATH=VALUE");
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
  fail_edit(report, request, d);
  return {};
}

/// A file with new values, before it is written.
struct ChangedFile {
  const Format* format;
  std::shared_ptr<const ByteSource> file;
  Draft draft;
  bool is_same;
};
/// One trace says whether the file can be read and where its values are; set_values reads the result again.
std::optional<ChangedFile> changed(const Request& request, const std::vector<Assignment>& assignments,
                                   const Input& input, Report& report) {
  const auto file = trace_input(request, input, report);
  if (!file || file->traced.stop) return {};
  if (request.strict && !file->traced.notes.empty()) {
    Diagnostic d = in_file(file->traced.notes.front(), file->name);
    d.severity = Severity::stop;
    fail(report, request, d, file->bytes);
    return {};
  }
  std::vector<Assignment> all;
  for (const Assignment& a : assignments) {
    const auto values = expanded(request, *file, a, report);
    if (!values) return {};
    all.insert(all.end(), values->begin(), values->end());
  }
  auto draft = set_values(ReadAs{file->format, file->options}, file->traced.spans, *file->file, all);
  if (!draft) {
    fail_edit(report, request, in_file(draft.error(), file->name), file->bytes);
    return {};
  }
  const bool is_same = draft->is_same_as(file->bytes);
  if (request.verbose)
    report.err += byte_diff_text(report::value_diff(file->bytes, draft->bytes(), file->traced.spans));
  if (is_same && !request.quiet) report.err += file->name + ": no change; the file already has these values\n";
  return ChangedFile{file->format, file->file, std::move(*draft), is_same};
}

/// Several files: if one of them cannot be changed, none is.
Exit set_in_all(const Request& request, const std::vector<Assignment>& assignments, const std::vector<Input>& inputs) {
  Report report;
  std::optional<Outputs> outputs;
  if (!request.in_place && !request.output.empty()) {
    outputs = outputs_of(request, inputs, "", report);
    if (!outputs) return finish(report);
  }
  std::vector<std::optional<ChangedFile>> files;
  for (const Input& input : inputs) {
    Report one;
    files.push_back(changed(request, assignments, input, one));
    report.err += one.err;
    report.raise(one.exit);
  }
  if (report.exit != Exit::done) {
    report.err += "nothing was written: all files are changed, or none\n";
    return finish(report);
  }
  for (size_t i = 0; i < inputs.size() && report.exit == Exit::done; ++i) {
    const ChangedFile& f = *files[i];
    if (f.is_same && (request.in_place || !outputs)) continue;
    const Contents contents(inputs[i].name, f.draft);
    if (outputs)
      write_output(request, inputs, outputs->names[i], contents, report);
    else
      write_changed(request, inputs[i], *f.format, contents, report);
  }
  return finish(report);
}

}  // namespace

Exit run_set(const Request& request) {
  Report wrong;
  std::vector<std::string> names{request.inputs[0]};
  const auto assignments = assignments_of(request, names, wrong);
  if (has_one_place(request, wrong, names.size() > 1 ? "the files themselves" : "the file itself") &&
      request.in_place && std::ranges::find(names, "-") != names.end())
    fail_usage(wrong, request, "standard input cannot be changed in place");
  if (wrong.exit != Exit::done) return finish(wrong);
  const std::vector<Input> inputs = inputs_named(names);
  if (inputs.size() > 1) return set_in_all(request, assignments, inputs);
  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    const auto file = changed(request, assignments, input, report);
    if (file && (!file->is_same || !request.in_place))
      write_changed(request, input, *file->format, Contents(input.name, file->draft), report);
    return report;
  });
}

}  // namespace dio::cli
