// dio get: one value, or a column of values.
#include <algorithm>

#include "../command_line/print.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "layout/selector.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

/// A value as a cell of a table: texts and numbers as they are, the rest as JSON on one line.
std::string cell_text(const Spans& spans, const SpanRef& spot) {
  const Value value = spans.value(spot);
  std::string text = value.is(Value::Kind::text) ? std::string(value.text()) : json_text(value, true);
  while (text.ends_with('\n')) text.pop_back();
  std::string out;
  for (const char c : text) out += c == '\t' ? "\\t" : c == '\n' ? "\\n" : std::string(1, c);
  return out;
}

std::vector<std::string> split_fields(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// A field of an element; nothing if it has none of this name.
std::optional<SpanRef> find_field(const Spans& spans, const SpanRef& element, const std::string& field) {
  const auto found = select(spans, spans.path(element) + (field.starts_with('[') ? "" : ".") + field);
  return found && found->size() == 1 ? std::optional(found->front()) : std::nullopt;
}

/// --each and --columns: a line for each value that the path selects.
void print_rows(const Request& request, const TracedFile& file, Report& report) {
  const Spans& spans = file.traced.spans;
  const auto refuse_path = [&](Diagnostic d) {
    d.place.file = file.name;
    report_error(report, request, d);
  };
  const auto found = select(spans, request.path);
  if (!found)
    return refuse_path(found.error().id == "path.syntax" ? found.error() : explain_unknown_path(spans, request.path));
  const std::vector<std::string> columns = split_fields(request.columns);
  for (const std::string& column : columns) {
    const auto has = [&](const SpanRef& element) { return find_field(spans, element, column).has_value(); };
    if (std::ranges::none_of(*found, has))
      return refuse_path(explain_unknown_path(spans, spans.path(found->front()) + "." + column));
  }
  Value rows = Value::list();
  std::string text;
  if (!columns.empty()) {
    text = "path";
    for (const std::string& column : columns) text += "\t" + column;
    text += "\n";
  }
  for (const SpanRef& spot : *found) {
    Value& row = rows.push(Value::object());
    row.add("path", spans.path(spot));
    text += spans.path(spot);
    if (columns.empty()) {
      row.add("value", spans.value(spot));
      text += "\t" + cell_text(spans, spot);
    }
    for (const std::string& column : columns) {
      const auto field = find_field(spans, spot, column);
      row.add(column, field ? spans.value(*field) : Value());
      text += "\t" + (field ? cell_text(spans, *field) : "");
    }
    text += "\n";
  }
  if (!request.json) {
    report.out = text;
    return;
  }
  Value v = json_with_schema("diorama.get-rows/1");
  v.add("file", file.name);
  v.add("rows", std::move(rows));
  report.out = json_text(v);
}

/// One value.
void print_value(const Request& request, const TracedFile& file, Report& report) {
  const Spans& spans = file.traced.spans;
  const auto spot = resolve_path(request, file, request.path, report);
  if (!spot) return;
  const Value value = spans.value(*spot);
  const Span& s = spans[spot->span];
  if (request.json) {
    Value v = json_with_schema("diorama.get/1");
    v.add("file", file.name);
    v.add("path", spans.path(*spot));
    v.add("type", spot->element ? std::string(to_string(s.wire)) : spans.type(spot->span));
    if (s.kind != Span::Kind::inferred) {
      v.add("offset", spot->offset);
      v.add("size", spot->size);
    }
    if (s.key.about) v.add("doc", s.key.about);
    v.add("show", spans.show(*spot));
    v.add("value", value);
    report.out = json_text(v);
  } else if (value.is(Value::Kind::text)) {
    report.out = value.text() + "\n";
  } else if (request.verbose && !value.is(Value::Kind::list) && !value.is(Value::Kind::object)) {
    report.out = spans.show(*spot) + "\n";
  } else {
    report.out = json_text(value);
  }
}

}  // namespace

ExitCode run_get(const Request& request) {
  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    const auto file = trace_input(request, input, report);
    if (!file) return report;
    if (request.each || !request.columns.empty())
      print_rows(request, *file, report);
    else
      print_value(request, *file, report);
    return report;
  });
}

}  // namespace dio::cli
