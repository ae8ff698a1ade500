// dio set: changes values.
#include <algorithm>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/files.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../output/results.hpp"
#include "edited_file.hpp"
#include "operations/edit_steps.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

/// The arguments behind the first file: more files, then what to set.
EditStep parse_set_step(const Request& request, std::vector<std::string>& files, Report& wrong) {
  EditStep step{"set"};
  for (const std::string& a : request.assignments) {
    const size_t equals = find_equals(a);
    if (step.arguments.empty() && (equals == a.npos || file_state(a)))
      files.push_back(a);
    else if (equals == a.npos || equals == 0)
      report_usage_error(wrong, request, in_quotes(a) + " does not have the form PATH=VALUE");
    else if (a.size() > equals + 2 && a[equals + 1] == '+' && a[equals - 1] != '+')
      report_usage_error(wrong, request,
                         in_quotes(a) + " is ambiguous: PATH+=VALUE adds, PATH=VALUE without the sign sets");
    else
      step.arguments.push_back({a.substr(0, equals), a.substr(equals + 1)});
  }
  if (step.arguments.empty() && wrong.exit == ExitCode::done)
    report_usage_error(wrong, request, in_quotes(request.assignments.back()) + " does not have the form PATH=VALUE");
  return step;
}

/// The file with new values. Nothing if they cannot be set; the report says why.
std::optional<EditedFile> apply_set_step(const Request& request, const EditStep& step, const Input& input,
                                         Report& report) {
  auto o = open_input(request, input, report);
  if (!o) return {};
  SharedNames names;
  auto file = apply_edit_steps(request, std::move(*o), {&step, 1}, names, report);
  if (file && file->is_same() && !request.quiet)
    report.err += file->opened.name + ": no change; the file already has these values\n";
  return file;
}

/// Several files: if one of them cannot be changed, none is.
ExitCode set_values_in_files(const Request& request, const EditStep& step, const std::vector<Input>& inputs) {
  Report report;
  std::optional<Outputs> outputs;
  if (!request.in_place && !request.output.empty()) {
    outputs = resolve_outputs(request, inputs, "", report);
    if (!outputs) return finish(report);
  }
  std::vector<std::optional<EditedFile>> files;
  for (const Input& input : inputs) {
    Report one;
    files.push_back(apply_set_step(request, step, input, one));
    report.err += one.err;
    report.raise(one.exit);
  }
  if (report.exit != ExitCode::done) {
    report.err += "nothing was written: either all files change, or none\n";
    return finish(report);
  }
  write_transaction(report, [&](Report& report, size_t i) {
    if (i >= inputs.size()) return false;
    const EditedFile& f = *files[i];
    if (f.is_same() && (request.in_place || !outputs)) return true;
    const Contents contents = f.contents(inputs[i].name);
    if (outputs)
      write_output(request, inputs, outputs->names[i], contents, report);
    else
      write_edited_input(request, inputs[i], *f.opened.format, contents, report);
    return true;
  });
  return finish(report);
}

}  // namespace

ExitCode run_set(const Request& request) {
  Report wrong;
  std::vector<std::string> names{request.inputs[0]};
  const EditStep step = parse_set_step(request, names, wrong);
  if (check_single_output(request, wrong, names.size() > 1 ? "the files themselves" : "the file itself") &&
      request.in_place && std::ranges::find(names, "-") != names.end())
    report_usage_error(wrong, request, "standard input cannot be changed in place");
  if (wrong.exit != ExitCode::done) return finish(wrong);
  const std::vector<Input> inputs = resolve_input_names(names);
  if (inputs.size() > 1) return set_values_in_files(request, step, inputs);
  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    const auto file = apply_set_step(request, step, input, report);
    if (file && (!file->is_same() || !request.in_place))
      write_edited_input(request, input, *file->opened.format, file->contents(input.name), report);
    return report;
  });
}

}  // namespace dio::cli
