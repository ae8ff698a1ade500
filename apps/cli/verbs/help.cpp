// dio help: all verbs, one verb, or the manual page.
#include <algorithm>

#include "../command_line/parse.hpp"
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "formats/contract/format.hpp"
#include "formats/registry.hpp"
#include "verbs.hpp"

namespace dio::cli {

ExitCode run_help(const Request& request) {
  Report report;
  const Manual m = build_manual();
  const VerbText* verb = m.find(request.topic);
  if (request.man)
    report.out = man_page(m);
  else if (request.topic.empty())
    report.out = help_overview(m);
  else if (verb)
    report.out = help_of(m, *verb);
  else {
    const std::string like = closest_match(request.topic, m.names());
    const bool is_format = std::ranges::any_of(formats(), [&](const Format* f) { return f->id == request.topic; });
    report_usage_error(
        report, request,
        "unknown verb " + in_quotes(request.topic) +
            (is_format      ? "; " + request.topic + " is a format, which `dio explain " + request.topic + "` describes"
             : like.empty() ? ""
                            : "; did you mean " + like + "?"));
  }
  return finish(report);
}

}  // namespace dio::cli
