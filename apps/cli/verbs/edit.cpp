// dio edit: changes that have a name, besides setting values.
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../output/results.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

/// One edit with its arguments, as they stand on the command line.
struct Step {
  std::string name;
  std::vector<Argument> arguments;
};

/// `raise-plate plate=3 by=16 remove-prop prop=0`: what has no `=` starts the next one.
std::vector<Step> steps_of(const Request& request, Report& wrong) {
  std::vector<Step> steps;
  for (const std::string& word : request.assignments) {
    const size_t equals = word.find('=');
    if (equals == word.npos)
      steps.push_back({word, {}});
    else if (equals == 0 || steps.empty())
      fail_usage(wrong, request, "unknown edit or argument " + in_quotes(word));
    else
      steps.back().arguments.push_back({word.substr(0, equals), word.substr(equals + 1)});
  }
  return steps;
}

void list_edits(const Request& request, const Opened& o, Report& report) {
  if (request.json) {
    Value v = described_by("diorama.edits/1");
    v.add("format", o.format_id());
    Value& edits = v.add("edits", Value::list());
    for (const Edit& e : edits_of(*o.format)) {
      Value& one = edits.push(Value::object());
      one.add("edit", e.name);
      one.add("usage", e.usage);
      one.add("about", e.about);
    }
    report.out = json_text(v);
    return;
  }
  if (edits_of(*o.format).empty()) report.out = o.format_id() + " has no named edits; use `dio set`\n";
  for (const Edit& e : edits_of(*o.format))
    report.out += std::string(e.name) + " " + std::string(e.usage) + "\n" + wrapped(e.about, "    ");
}

const Edit* find_edit(const Request& request, const Format& format, const std::string& name, Report& report) {
  std::vector<std::string> known;
  for (const Edit& e : edits_of(format)) {
    if (e.name == name) return &e;
    known.emplace_back(e.name);
  }
  const std::string like = nearest(name, known);
  fail_usage(report, request,
             "the format " + std::string(format.id) + " has no edit " + in_quotes(name) +
                 (like.empty() ? known.empty() ? "" : "; the edits are " + joined(known, ", ")
                               : "; did you mean " + like + "?"));
  return nullptr;
}

}  // namespace

Exit run_edit(const Request& request) {
  Report wrong;
  const std::vector<Step> steps = steps_of(request, wrong);
  const bool writes = !request.output.empty() || request.in_place || !request.backup.empty();
  if (wrong.exit == Exit::done && steps.empty() && writes)
    fail_usage(wrong, request, "no edit given; `dio edit " + request.inputs[0] + "` lists the edits");
  else if (!steps.empty() && has_one_place(request, wrong) && request.in_place && request.inputs[0] == "-")
    fail_usage(wrong, request, "standard input cannot be changed in place");
  if (wrong.exit != Exit::done) return finish(wrong);
  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    const auto o = open_input(request, input, report);
    if (!o) return report;
    if (steps.empty()) {
      list_edits(request, *o, report);
      return report;
    }
    for (const Step& step : steps) {
      const Edit* edit = find_edit(request, *o->format, step.name, report);
      if (!edit) return report;
      const auto done = edit->apply(*o->document, step.arguments);
      if (!done) {
        Diagnostic d = done.error();
        d.place.file = o->name;
        d.place.path = step.name;
        if (d.hint.empty()) d.hint = step.name + " " + std::string(edit->usage);
        fail(report, request, d);
        return report;
      }
      if (!request.quiet) report.err += *done + "\n";
    }
    const auto bytes = o->document->save(request.save);
    if (bytes)
      write_changed(request, input, *o->format, *bytes, report);
    else
      fail(report, request, in_file(bytes.error(), o->name));
    return report;
  });
}

}  // namespace dio::cli
