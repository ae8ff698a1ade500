// dio decode: files as JSON.

#include "../command_line/print.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../output/results.hpp"
#include "../system/filesystem.hpp"
#include "core/json.hpp"
#include "core/text_format.hpp"
#include "operations/id_references.hpp"
#include "operations/omit_derived.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

std::string document_text(const Request& request, const OpenedFile& o, const Dom& dom, const json::Style& style = {}) {
  if (!request.by_id) return json::write(dom, style);
  Value whole = dom.value();
  replace_indices_with_ids(whole, o.trace().spans);
  return json::write(Dom(whole), style);
}

std::string lean_text(const Request& request, const OpenedFile& o, Report& report) {
  const json::Style style{.indent = 1, .by_count = true};
  const auto report_hint = [&](std::string message, std::string hint) {
    report_notes(report, request,
                 {make_diagnostic(Severity::hint, "layout.not-canonical", Location::in_file(o.name),
                                  {.message = std::move(message), .hint = std::move(hint)})},
                 o.name);
  };
  const auto small = omit_derived(o, json::round_trip_as_json(style));
  if (!small) {
    report_hint(
        "the parts of the file have gaps between them or an unusual order, so the JSON keeps all offsets and sizes",
        "to get lean JSON, first rewrite the file: dio convert FILE -o NEW --canonical");
    return document_text(request, o, decode_to_dom(o));
  }
  if (!small->kept.empty()) {
    std::string paths;
    for (const std::string& path : small->kept) paths += (paths.empty() ? "" : ", ") + path;
    report_hint("the JSON keeps these values, because `dio encode` would compute different values: " + paths, "");
  }
  return document_text(request, o, small->dom, style);
}

/// course.json; course.arc.json where `encode` would not give the file its extension back.
std::string decoded_file_name(const Outputs& outputs, const Input& input, size_t index, const Format& format) {
  const std::string extension = fs::path(input.inside).extension().string();
  const bool is_usual = extension.empty() || extension == primary_extension(format);
  return outputs.is_folder && !is_usual && !outputs.names[index].ends_with(".of") ? outputs.names[index] + ".json"
                                                                                  : outputs.name(index, ".json");
}

}  // namespace

ExitCode run_decode(const Request& request) {
  const std::vector<Input> inputs = resolve_request_inputs(request);
  Report wrong;
  const auto outputs = resolve_outputs(request, inputs, ".json", wrong);
  if (!outputs) return finish(wrong);
  return for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    const auto o = open_input(request, input, report);
    if (!o) return report;
    const std::string text =
        (request.omit_derived ? lean_text(request, *o, report) : document_text(request, *o, decode_to_dom(*o))) + '\n';
    write_output(request, inputs, decoded_file_name(*outputs, input, index, *o->format), as_bytes(text), report);
    return report;
  });
}

}  // namespace dio::cli
