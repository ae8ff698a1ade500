// dio decode: files as JSON.
#include "../command_line/print.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../output/results.hpp"
#include "core/json.hpp"
#include "core/printing.hpp"
#include "operations/id_references.hpp"
#include "operations/lean.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

std::string document_text(const Request& request, const Opened& o, const Dom& dom, const json::Style& style = {}) {
  if (!request.by_id) return json::write(dom, style);
  Value whole = dom.value();
  refer_by_id(whole, o.trace().spans);
  return json::write(Dom(whole), style);
}

std::string lean_text(const Request& request, const Opened& o, Report& report) {
  const json::Style style{.indent = 1, .by_count = true};
  const auto note = [&](std::string message, std::string hint) {
    tell(report, request,
         {make_diagnostic(Severity::hint, "layout.not-canonical", Place::in_file(o.name),
                          {.message = std::move(message), .hint = std::move(hint)})},
         o.name);
  };
  const auto small = lean(o, json::through_text(style));
  if (!small) {
    note("the parts of the file have gaps between them or an unusual order, so the JSON keeps all offsets and sizes",
         "for lean JSON, first rewrite the file: dio convert FILE -o NEW --canonical");
    return document_text(request, o, decoded(o));
  }
  if (!small->kept.empty()) {
    std::string paths;
    for (const std::string& path : small->kept) paths += (paths.empty() ? "" : ", ") + path;
    note("the JSON keeps these values, because `dio encode` would compute others: " + paths, "");
  }
  return document_text(request, o, small->dom, style);
}

}  // namespace

Exit run_decode(const Request& request) {
  const std::vector<Input> inputs = inputs_of(request);
  Report wrong;
  const auto outputs = outputs_of(request, inputs, ".json", wrong);
  if (!outputs) return finish(wrong);
  return for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    const auto o = open_input(request, input, report);
    if (!o) return report;
    const std::string text =
        (request.lean ? lean_text(request, *o, report) : document_text(request, *o, decoded(*o))) + '\n';
    write_output(request, inputs, outputs->name(index, ".json"), as_bytes(text), report);
    return report;
  });
}

}  // namespace dio::cli
