// dio verify: whether files come back byte for byte.
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "core/json.hpp"
#include "formats/contract/format.hpp"
#include "operations/describe_json.hpp"
#include "verbs.hpp"

namespace dio::cli {

ExitCode run_verify(const Request& request) {
  const std::vector<Input> inputs = resolve_request_inputs(request);
  size_t widest = 6;
  for (const Format* f : formats()) widest = std::max(widest, f->id.size());
  const auto format_row = [widest](std::string_view result, std::string_view format, const std::string& size,
                                   const std::string& file) {
    const auto padded = [](std::string_view s, size_t n) {
      return std::string(s) + std::string(n - std::min(n, s.size()), ' ');
    };
    return padded(result, 9) + "  " + padded(format, widest) + "  " +
           std::string(9 - std::min<size_t>(9, size.size()), ' ') + size + "  " + file + "\n";
  };
  if (inputs.size() > 1 && !request.json) {
    Report head;
    head.out = format_row("result", "format", "size", "file");
    print_report(head);
  }
  const Summary summary = process_inputs(request, inputs, [&](const Input& input, size_t) {
    Report report;
    const auto o = open_input(request, input, report);
    if (!o) {
      if (!report.skipped && !request.json) report.out = format_row("unread", "", "", input.name);
      return report;
    }
    const RoundTripResult v = dio::verify(*o, json::round_trip_as_json());
    if (!v.identical()) report.raise(ExitCode::no);
    if (request.json) {
      report.out = json_text(verified_json(*o, v), true);
    } else {
      report.out = format_row(v.identical() ? "identical"
                              : v.decodes   ? "DIFFERS"
                                            : "DAMAGED",
                              o->format_id(), std::to_string(o->bytes.size()), o->name);
      if (!v.problem.empty()) report.out += "           " + v.problem + "\n";
    }
    return report;
  });
  Report end;
  end.exit = summary.exit;
  if (inputs.size() > 1 && summary.files && !request.json)
    end.out = format_with_commas(summary.files - summary.negative - summary.failed) + " of " +
              format_count(summary.files, "file", "files") + " identical\n";
  report_unknown_formats(request, summary, end);
  report_no_inputs(request, summary, end);
  return finish(end);
}

}  // namespace dio::cli
