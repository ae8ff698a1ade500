// dio diff: how two files differ.
#include "bridge/report/diff.hpp"

#include "../byte_diff.hpp"
#include "../verbs.hpp"
#include "../work.hpp"

namespace dio::cli {

namespace {

void by_bytes(const Request& request, const std::vector<Input>& inputs, Report& report) {
  Bytes bytes[2];
  for (size_t i = 0; i < 2; ++i) {
    auto b = read_input(inputs[i]);
    if (!b) return fail(report, request, b.error());
    bytes[i] = std::move(*b);
  }
  // Paths help, but bytes of no known format can be compared as well.
  std::optional<Traced> traced;
  const Format* format = request.as;
  if (!format)
    if (const auto d = detect(bytes[0], inputs[0].name)) format = d->format;
  if (format) traced = format->trace(bytes[0]);
  const auto runs = byte_diff(bytes[0], bytes[1], traced ? &traced->spans : nullptr);
  report.out = request.json ? json_text(byte_diff_json(runs)) : byte_diff_text(runs);
  if (!runs.empty()) report.raise(Exit::no);
}

void by_meaning(const Request& request, const std::vector<Input>& inputs, Report& report) {
  const auto a = trace_input(request, inputs[0], report), b = trace_input(request, inputs[1], report);
  if (report.exit != Exit::done) return;
  if (a->format != b->format) {
    report.err = "they are of different formats: " + std::string(a->format->title) + " and " +
                 std::string(b->format->title) + "\n";
    return report.raise(Exit::no);
  }
  const auto changes = report::diff(a->traced.spans, b->traced.spans);
  report.out =
      request.json ? json_text(report::diff_json(changes)) : report::diff_text(changes, colors_of(request).out);
  if (!changes.empty())
    report.raise(Exit::no);
  else if (a->bytes != b->bytes && !request.quiet)
    report.err = "they mean the same, but their bytes differ: --bytes shows where\n";
}

}  // namespace

Exit run_diff(const Request& request) {
  Report report;
  const std::vector<Input> inputs = expand({request.inputs[0], request.other}, false);
  if (inputs.size() != 2)
    fail_usage(report, request, "two files are compared, not folders or patterns");
  else if (request.bytes)
    by_bytes(request, inputs, report);
  else
    by_meaning(request, inputs, report);
  if (!print(report)) report.raise(Exit::system);
  return report.exit;
}

}  // namespace dio::cli
