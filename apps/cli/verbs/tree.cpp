// dio tree: all values of a file.
#include "bridge/report/tree.hpp"

#include "../command_line/print.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "verbs.hpp"

namespace dio::cli {

ExitCode run_tree(const Request& request) {
  if (request.maps) return print_game_tree(request);
  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    const auto file = trace_input(request, input, report);
    if (!file) return report;
    const Spans& spans = file->traced.spans;
    const auto spot = resolve_path(request, *file, request.path, report);
    if (!spot) return report;
    if (!request.json) {
      if (spot->element)
        report.out = spans.show(*spot) + "\n";
      else
        report.out = report::tree_text(spans, spot->span, {request.depth, request.all, detect_colors(request).out});
      return report;
    }
    Value v = json_with_schema("diorama.tree/1");
    v.add("file", file->name);
    v.add("format", file->format_id());
    v.add("path", request.path.empty() ? request.path : spans.path(*spot));
    v.add("tree", report::tree_json(spans, spot->span, request.depth));
    report.out = json_text(v);
    return report;
  });
}

}  // namespace dio::cli
