// dio encode: files from JSON.
#include "../input/encode.hpp"

#include "../command_line/print.hpp"
#include "../input/batch.hpp"
#include "../output/results.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

/// course.arc of course.arc.json; where there is no other extension in the name, it is that of the format.
std::string encoded_file_name(const Outputs& outputs, const Input& input, size_t index, const Format& format) {
  if (!outputs.is_folder) return outputs.names[index];
  const std::string bare = with_extension(input.inside, "");
  const bool has_own_extension = !file_extension(bare).empty() || has_numeric_extension(bare);
  return has_own_extension ? with_extension(outputs.names[index], "") : outputs.name(index, primary_extension(format));
}

}  // namespace

ExitCode run_encode(const Request& request) {
  const std::vector<Input> inputs = resolve_request_inputs(request);
  Report wrong;
  if (request.output.empty())
    report_usage_error(wrong, request, "no output given: use -o OUT, or -o - for standard output");
  const auto outputs = wrong.exit == ExitCode::done ? resolve_outputs(request, inputs, "", wrong) : std::nullopt;
  if (!outputs) return finish(wrong);
  return for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    if (input.walked && file_extension(input.name) != ".json") {
      report.skipped = true;
      return report;
    }
    const auto text = read_input(request, input, report);
    if (!text) return report;
    const auto encoded = encode_input(request, input, *text, report);
    if (!encoded) return report;
    const std::string name = encoded_file_name(*outputs, input, index, *encoded->format);
    write_output(request, inputs, name, encoded->bytes, report);
    report_uncopied_companions(request, input, *encoded->format, name, report);
    return report;
  });
}

}  // namespace dio::cli
