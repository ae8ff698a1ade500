#include "encode.hpp"

#include <algorithm>
#include <cstdio>

#include "../command_line/print.hpp"
#include "core/json.hpp"
#include "core/memory_budget.hpp"
#include "formats/contract/format.hpp"

namespace dio::cli {

namespace {

/// The line a diagnostic speaks of, and a caret below its column; a line that is long is cut around it.
std::string line_excerpt(const Diagnostic& d, std::string_view text) {
  unsigned line = 0, column = 0;
  for (const std::string& s : {d.place.path, d.hint})
    if (std::sscanf(s.c_str(), "line %u, column %u", &line, &column) == 2) break;
  if (!line || !column) return {};
  const std::string gutter = "  " + std::to_string(line) + " | ";
  for (; line > 1; --line) {
    const size_t end = text.find('\n');
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  constexpr size_t k_before = 40, k_columns = 76;
  size_t at = column - 1;
  if (at > text.size()) return {};
  if (at > k_before) {
    text.remove_prefix(at - k_before);
    at = k_before;
  }
  std::string out(text.substr(0, k_columns));
  for (char& c : out)
    if (u8(c) < 0x20 || u8(c) > 0x7e) c = ' ';  // tabs would move the caret
  if (out.find_first_not_of(' ') == out.npos) return {};
  return gutter + out + "\n" + std::string(gutter.size() + at, ' ') + "^\n";
}

}  // namespace

std::optional<Encoded> encode_input(const Request& request, const Input& input, const Bytes& bytes, Report& report) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto report_diagnostic = [&](Diagnostic d) {
    d.place.file = input.name;
    d.place.offset = Location::k_nowhere;  // of the file it would become: here, lines count
    std::string excerpt = line_excerpt(d, text);
    if (!excerpt.empty() && d.hint.starts_with("line ")) d.hint.clear();
    if (const auto known = detect(bytes, input.name); d.id.starts_with("json.") && known) {
      excerpt.clear();
      d.hint =
          "the file is not JSON, but a " + std::string(known->format->title) + "; `dio decode` converts it to JSON";
    }
    report_error(report, request, d);
    report.err += excerpt;
    return std::nullopt;
  };
  auto dom = json::read_dom(text);
  if (!dom) return report_diagnostic(std::move(dom.error()));
  auto made = dio::encode(*dom, request.save, request.limit.value_or(default_memory_budget(bytes.size())));
  if (!made && made.error().id == "layout.limit") made.error().hint = "raise the limit with --limit SIZE";
  if (!made) return report_diagnostic(std::move(made.error()));
  return Encoded{find_format_and_layout(dom->text(dom->find(0, "format"))).format, std::move(*made)};
}

}  // namespace dio::cli
