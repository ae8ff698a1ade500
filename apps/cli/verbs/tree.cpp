// dio tree: all values of a file.
#include "bridge/report/tree.hpp"

#include "../command_line/print.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "verbs.hpp"

namespace dio::cli {

Exit run_tree(const Request& request) {
  if (request.maps) return tree_of_game(request);
  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    const auto file = trace_input(request, input, report);
    if (!file) return report;
    const Spans& spans = file->traced.spans;
    const auto spot = find_path(request, *file, request.path, report);
    if (!spot) return report;
    if (!request.json) {
      if (spot->element)
        report.out = spans.show(*spot) + "\n";
      else
        report.out = report::tree_text(spans, spot->span, {request.depth, request.all, colors_of(request).out});
      return report;
    }
    Value v = described_by("diorama.tree/1");
    v.add("file", file->name);
    v.add("format", file->format_id());
    v.add("path", request.path.empty() ? request.path : spans.path(*spot));
    v.add("tree", report::tree_json(spans, spot->span, request.depth));
    report.out = json_text(v);
    return report;
  });
}

}  // namespace dio::cli
