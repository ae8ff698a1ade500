// dio decode: files as JSON.
#include "../command_line/print.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../output/results.hpp"
#include "bridge/report/json.hpp"
#include "verbs.hpp"

namespace dio::cli {

Exit run_decode(const Request& request) {
  const std::vector<Input> inputs = inputs_of(request);
  Report wrong;
  const auto outputs = outputs_of(request, inputs, ".json", wrong);
  if (!outputs) return finish(wrong);
  return for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    const auto o = open_input(request, input, report);
    if (!o) return report;
    const Traced traced = o->trace();
    const std::string text = json::write_document(document_head(traced.spans, *o->format), traced.spans) + '\n';
    write_output(request, inputs, outputs->name(index, ".json"), as_bytes(text), report);
    return report;
  });
}

}  // namespace dio::cli
