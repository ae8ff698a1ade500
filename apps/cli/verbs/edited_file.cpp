#include "edited_file.hpp"

#include <set>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/inputs.hpp"
#include "../output/byte_diff.hpp"
#include "formats/contract/format.hpp"

namespace dio::cli {

namespace {

Referrers referrer_policy(const Request& request) {
  return request.cascade ? Referrers::cascade : request.unlink ? Referrers::unlink : Referrers::refuse;
}

std::string script_name(const Request& request) { return request.script == "-" ? "standard input" : request.script; }

/// The line of an edit in its script, to begin an error message with.
std::string script_line_prefix(const Request& request, const EditStep& step) {
  return step.line ? script_name(request) + ": line " + std::to_string(step.line) + ": " : "";
}

void report_edit_refusal(const Request& request, const OpenedFile& o, std::span<const EditStep> steps, size_t made,
                         Diagnostic why, Report& report) {
  why = in_file(std::move(why), o.name);
  const bool is_set = made < steps.size() && steps[made].name == "set";
  if (is_set && why.id == "layout.type" && why.hint.empty() && why.message.ends_with("only the values in it"))
    why.hint = "`dio ls " + o.name + " " + why.place.path + "` lists them";
  if (made < steps.size()) add_script_line(request, steps[made], why);
  report_edit_error(report, request, why, is_set ? o.bytes : ByteView());
}

}  // namespace

bool read_file_arguments(const Request& request, std::span<const Parameter> parameters, EditStep& step,
                         Report& report) {
  for (Argument& argument : step.arguments) {
    const Parameter* parameter = find_parameter(parameters, argument.name);
    if (!parameter || parameter->kind != ParameterKind::file) continue;
    auto bytes = read_input(resolve_input_names({argument.value}).front());
    if (!bytes) return report_error(report, request, bytes.error()), false;
    argument.content = std::make_shared<const Bytes>(std::move(*bytes));
  }
  return true;
}

void add_script_line(const Request& request, const EditStep& step, Diagnostic& why) {
  if (step.line)
    why.hint =
        "line " + std::to_string(step.line) + " of " + script_name(request) + (why.hint.empty() ? "" : ": ") + why.hint;
}

std::optional<EditedFile> apply_edit_steps(const Request& request, OpenedFile opened,
                                           std::span<const EditStep> given_steps, SharedNames& names, Report& report) {
  std::vector<EditStep> steps(given_steps.begin(), given_steps.end());
  EditedFile file{std::move(opened), {}};
  const OpenedFile& o = file.opened;
  auto begun = Editing::begin(o, {.lossy = request.save.lossy, .may_be_unknown = bool(request.as)});
  if (!begun) {
    report_error(report, request, in_file(begun.error(), o.name));
    return {};
  }
  file.editing = std::make_unique<Editing>(std::move(*begun));
  Editing& editing = *file.editing;
  const auto is_known = [&](const EditStep& step) {
    const ListEdit* list_edit = find_list_edit(step.name);
    return list_edit ? !list_edit->needs_parts || o.format->parts : find_edit(*o.format, step.name) != nullptr;
  };
  for (const EditStep& step : steps)
    if (!is_known(step)) {
      report_usage_error(report, request,
                         script_line_prefix(request, step) + unknown_edit_message(*o.format, step.name));
      return {};
    }
  for (EditStep& step : steps) {
    const ListEdit* list_edit = find_list_edit(step.name);
    const auto parameters = list_edit ? list_edit->parameters : find_edit(*o.format, step.name)->parameters;
    if (!read_file_arguments(request, parameters, step, report)) return {};
  }
  size_t made = 0;
  std::string said;
  const bool is_set = request.verb == "set", shows = request.verbose || (request.dry_run && !request.quiet);
  const auto done = editing.run(steps, referrer_policy(request), [&](const std::string& line) {
    // `set` reports only edits that became due: the user typed the rest.
    const bool is_typed = made++ < steps.size();
    names.record_renames(editing);
    if (!request.quiet && !(is_set && is_typed)) said += line + "\n";
    if (shows && !is_set)
      for (const Change& c : editing.last()) said += "  " + format_one_line(c) + "\n";
  });
  if (!done) {
    report_edit_refusal(request, o, steps, made, done.error(), report);
    return {};
  }
  report.err += said;
  if (is_set && shows) {
    std::set<std::string> named;
    if (editing.view().size() == o.bytes.size() && editing.draft()) {
      const auto runs = report::value_diff(o.bytes, editing.view(), editing.spans());
      for (const report::ByteRun& r : runs) named.insert(r.path);
      report.err += byte_diff_text(runs);
    }
    const auto is_in_named_bits = [&](const std::string& path) {
      const auto spot = editing.spans().find(path);
      return spot && editing.spans()[spot->span].kind == Span::Kind::bits &&
             named.contains(path.substr(0, path.rfind('.') + 1) + "(bits)");
    };
    for (const Change& c : editing.last())  // also what means something else now, with the same bytes
      if (!named.contains(c.path) && !is_in_named_bits(c.path)) report.err += "  " + format_one_line(c) + "\n";
  }
  report_result_notes(report, request, editing.notes(), o.name);
  return file;
}

}  // namespace dio::cli
