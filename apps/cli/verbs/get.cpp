// dio get: one value.
#include "../command_line/print.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "verbs.hpp"

namespace dio::cli {

ExitCode run_get(const Request& request) {
  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    const auto file = trace_input(request, input, report);
    if (!file) return report;
    const Spans& spans = file->traced.spans;
    const auto spot = resolve_path(request, *file, request.path, report);
    if (!spot) return report;
    const Value value = spans.value(*spot);
    const Span& s = spans[spot->span];
    if (request.json) {
      Value v = json_with_schema("diorama.get/1");
      v.add("file", file->name);
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
    return report;
  });
}

}  // namespace dio::cli
