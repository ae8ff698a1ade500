// dio verify: whether files come back byte for byte.
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "core/json.hpp"
#include "formats/contract/format.hpp"
#include "operations/described.hpp"
#include "verbs.hpp"

namespace dio::cli {

Exit run_verify(const Request& request) {
  const std::vector<Input> inputs = inputs_of(request);
  size_t widest = 6;
  for (const Format* f : formats()) widest = std::max(widest, f->id.size());
  const auto row = [widest](std::string_view result, std::string_view format, const std::string& size,
                            const std::string& file) {
    const auto padded = [](std::string_view s, size_t n) {
      return std::string(s) + std::string(n - std::min(n, s.size()), ' ');
    };
    return padded(result, 9) + "  " + padded(format, widest) + "  " +
           std::string(9 - std::min<size_t>(9, size.size()), ' ') + size + "  " + file + "\n";
  };
  if (inputs.size() > 1 && !request.json) {
    Report head;
    head.out = row("result", "format", "size", "file");
    print(head);
  }
  const Summary summary = for_each(request, inputs, [&](const Input& input, size_t) {
    Report report;
    const auto o = open_input(request, input, report);
    if (!o) {
      if (!report.skipped && !request.json) report.out = row("unread", "", "", input.name);
      return report;
    }
    const Verified v = dio::verify(*o, json::through_text());
    if (!v.identical()) report.raise(Exit::no);
    if (request.json) {
      report.out = json_text(verified_json(*o, v), true);
    } else {
      report.out =
          row(v.identical() ? "identical" : "DIFFERS", o->format_id(), std::to_string(o->bytes.size()), o->name);
      if (!v.problem.empty()) report.out += "           " + v.problem + "\n";
    }
    return report;
  });
  Report end;
  end.exit = summary.exit;
  if (inputs.size() > 1 && summary.files && !request.json)
    end.out = grouped(summary.files - summary.negative - summary.failed) + " of " +
              counted(summary.files, "file", "files") + " identical\n";
  if (summary.skipped && !request.quiet)
    end.err = counted(summary.skipped, "file", "files") + " of unknown format skipped\n";
  say_if_none(request, summary, end);
  return finish(end);
}

}  // namespace dio::cli
