// dio encode: files from JSON.
#include "../encode.hpp"

#include "../text.hpp"
#include "../verbs.hpp"
#include "bridge/report/json.hpp"

namespace dio::cli {

std::optional<Encoded> encode_input(const Request& request, const Input& input, const Bytes& text, Report& report) {
  const auto refused = [&](Diagnostic d) {
    d.place.file = input.name;
    // The places of a document from JSON are lines; bytes of the file it becomes would mislead.
    fail(report, request, d);
    return std::nullopt;
  };
  auto value = json::read(std::string_view(reinterpret_cast<const char*>(text.data()), text.size()));
  if (!value) {
    fail(
        report, request,
        [&] {
          Diagnostic d = value.error();
          d.place.file = input.name;
          return d;
        }(),
        text);
    return {};
  }
  auto bytes = dio::encode(*value, request.save);
  if (!bytes) return refused(std::move(bytes.error()));
  return Encoded{find_format(value->find("format")->text()), std::move(*bytes)};
}

std::string extension_of(const Format& format) {
  return std::string(format.extensions.substr(0, format.extensions.find(' ')));
}

Exit run_encode(const Request& request) {
  const std::vector<Input> inputs = expand(request.inputs, request.recursive);
  Report wrong;
  if (request.output.empty())
    fail_usage(wrong, request, "say where the file goes: -o OUT, or -o - for standard output");
  const auto outputs = wrong.exit == Exit::done ? outputs_of(request, inputs, wrong) : std::nullopt;
  if (!outputs) {
    print(wrong);
    return wrong.exit;
  }
  return for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    if (input.walked && !input.name.ends_with(".json")) {
      report.skipped = true;
      return report;
    }
    const auto text = read_input(input);
    if (!text) {
      fail(report, request, text.error());
      return report;
    }
    const auto encoded = encode_input(request, input, *text, report);
    if (encoded)
      write_output(request, inputs, outputs->name(index, extension_of(*encoded->format)), encoded->bytes, report);
    return report;
  });
}

}  // namespace dio::cli
