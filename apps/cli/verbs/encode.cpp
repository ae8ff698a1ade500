// dio encode: files from JSON.
#include "../input/encode.hpp"

#include "../command_line/print.hpp"
#include "../input/batch.hpp"
#include "../output/results.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

/// MAP001.8 of MAP001.8.json; where there is no number in the name, the extension is that of the format.
std::string name_of(const Outputs& outputs, size_t index, const Format& format) {
  if (!outputs.is_folder) return outputs.names[index];
  const std::string bare = with_extension(outputs.names[index], "");
  return has_number(bare) ? bare : outputs.name(index, extension_of(format));
}

}  // namespace

Exit run_encode(const Request& request) {
  const std::vector<Input> inputs = inputs_of(request);
  Report wrong;
  if (request.output.empty()) fail_usage(wrong, request, "no output given: use -o OUT, or -o - for standard output");
  const auto outputs = wrong.exit == Exit::done ? outputs_of(request, inputs, "", wrong) : std::nullopt;
  if (!outputs) return finish(wrong);
  return for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    if (input.walked && extension_in(input.name) != ".json") {
      report.skipped = true;
      return report;
    }
    const auto text = read_input(request, input, report);
    if (!text) return report;
    const auto encoded = encode_input(request, input, *text, report);
    if (!encoded) return report;
    const std::string name = name_of(*outputs, index, *encoded->format);
    write_output(request, inputs, name, encoded->bytes, report);
    say_what_stays(request, input, *encoded->format, name, report);
    return report;
  });
}

}  // namespace dio::cli
