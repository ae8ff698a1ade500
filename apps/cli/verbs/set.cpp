// dio set: changes values.
#include "../byte_diff.hpp"
#include "../text.hpp"
#include "../verbs.hpp"
#include "../work.hpp"

namespace dio::cli {

Exit run_set(const Request& request) {
  Report wrong;
  std::vector<Assignment> assignments;
  for (const std::string& a : request.assignments) {
    const size_t equals = a.find('=');
    if (equals == a.npos || equals == 0)
      fail_usage(wrong, request, a + " is no PATH=VALUE");
    else
      assignments.push_back({a.substr(0, equals), a.substr(equals + 1)});
  }
  if (request.output.empty() == !request.in_place)
    fail_usage(wrong, request, "say where the result goes: -o OUT, or -i to change the file itself");
  else if (request.in_place && request.inputs[0] == "-")
    fail_usage(wrong, request, "standard input cannot be changed in place");
  else if (!request.backup.empty() && !request.in_place)
    fail_usage(wrong, request, "--backup goes with -i");
  if (wrong.exit != Exit::done) {
    print(wrong);
    return wrong.exit;
  }

  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    const auto o = open_input(request, input, report);
    if (!o) return report;
    const Traced before = o->trace();
    for (const Assignment& a : assignments) {
      const auto spot = find_path(request, before.spans, o->name, a.path, report);
      if (!spot) return report;
      const Span& s = before.spans[spot->span];
      const bool is_list = s.kind == Span::Kind::list || (s.kind == Span::Kind::numbers && !spot->element);
      if (!is_list && s.kind != Span::Kind::object) continue;
      Diagnostic d;
      d.id = "layout.type";
      d.place.file = o->name;
      d.place.path = a.path;
      d.expected = "one value";
      d.found = is_list ? "a list" : "an object";
      d.hint = "change what is in it: `dio ls " + o->name + " " + a.path + "`";
      fail(report, request, d);
      report.exit = Exit::usage;
      return report;
    }
    const auto changed = set_values(*o, assignments);
    if (!changed) {
      fail(report, request, changed.error(), o->bytes);
      // a value that is no value of the field is a slip on the command line
      if (changed.error().id == "layout.type") report.exit = Exit::usage;
      return report;
    }
    const auto runs = value_diff(o->bytes, *changed, before.spans);
    if (request.verbose) report.err += byte_diff_text(runs);
    if (runs.empty() && !request.quiet) report.err += o->name + ": nothing changes, the values are these already\n";
    if (!request.in_place) {
      write_output(request, {input}, request.output, *changed, report);
      say_what_stays(request, input, *o->format, request.output, report);
    } else if (!runs.empty())
      write_in_place(request, input, *changed, report);
    return report;
  });
}

}  // namespace dio::cli
