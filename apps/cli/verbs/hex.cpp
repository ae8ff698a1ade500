// dio hex: the bytes of a file with their meaning.
#include "bridge/report/hex.hpp"

#include <charconv>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../output/results.hpp"
#include "../system/filesystem.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

std::optional<u64> parse_number(std::string_view s) {
  const bool hex = s.starts_with("0x") || s.starts_with("0X");
  if (hex) s.remove_prefix(2);
  u64 n = 0;
  const auto r = std::from_chars(s.data(), s.data() + s.size(), n, hex ? 16 : 10);
  if (s.empty() || r.ec != std::errc() || r.ptr != s.data() + s.size()) return {};
  return n;
}

/// `0x40-0x80`, `0x40+16`, `0x40`.
bool parse_range(std::string_view text, report::HexOptions& options) {
  const size_t at = text.find_first_of("-+:");
  const auto from = parse_number(text.substr(0, at));
  if (!from) return false;
  options.from = *from;
  options.to = *from + 1;
  if (at == text.npos) return true;
  const auto second = parse_number(text.substr(at + 1));
  if (!second) return false;
  options.to = text[at] == '+' ? *from + *second : *second;
  return options.to > options.from;
}

}  // namespace

ExitCode run_hex(const Request& request) {
  report::HexOptions options;
  options.path = request.path;
  options.unknown_only = request.unknown;
  options.full = request.all;
  options.color = request.output.empty() && detect_colors(request).out;
  Report wrong;
  if (!request.range.empty() && !parse_range(request.range, options))
    report_usage_error(wrong, request,
                       "invalid value " + in_quotes(request.range) +
                           " for --range: use START-END (0x40-0x80), START+SIZE (0x40+16) or one offset (0x40)");
  if (request.json && request.html) report_usage_error(wrong, request, "--json and --html cannot be combined");
  if (wrong.exit != ExitCode::done) return finish(wrong);

  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    const auto file = trace_input(request, input, report);
    if (!file) return report;
    const Spans& spans = file->traced.spans;
    const auto spot = resolve_path(request, *file, request.path, report);
    if (!spot) return report;
    if (!request.range.empty() && options.from >= spans.file.size()) {
      report_usage_error(report, request,
                         "--range starts at " + format_hex(options.from, 1) + ", after the end of the file (" +
                             format_count(spans.file.size(), "byte", "bytes") + ")");
      return report;
    }
    report::HexOptions shown = options;
    if (!request.path.empty()) shown.path = spans.path(*spot);
    std::string out;
    if (request.html) {
      Diagnostics findings;
      if (file->traced.stop)
        findings = {*file->traced.stop};
      else if (const auto opened = dio::open(file->file, file->name, file->format))
        findings = dio::check(*opened);
      auto page = report::hex_html(spans, fs::path(file->name).filename().string(), findings);
      if (!page) {
        report_error(report, request, in_file(page.error(), file->name));
        return report;
      }
      out = std::move(*page);
    } else if (request.json) {
      Value v = report::hex_json(spans, shown);
      v.add("file", file->name);
      v.add("format", file->format_id());
      out = json_text(v);
    } else {
      out = report::hex_text(spans, shown);
      if (out.empty() && request.unknown && !request.quiet) report.err += file->name + ": no unreferenced bytes\n";
    }
    write_output(request, {input}, request.output, as_bytes(out), report);
    return report;
  });
}

}  // namespace dio::cli
