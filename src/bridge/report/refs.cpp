#include "bridge/report/refs.hpp"

namespace dio::report {

std::vector<NamedSpanRef> find_shared_name_uses(const SharedName& name, const Spans& its_file,
                                                std::span<const NamedSpans> files) {
  std::vector<NamedSpanRef> out;
  for (const NamedSpans& file : files)
    for (SharedName& other : shared_names(*file.spans, *file.spans->find("")))
      if (other.kind == name.kind && other.name == name.name && (file.spans != &its_file || other.span != name.span))
        out.push_back({file.name, file.spans->path(other.span), other.defines});
  return out;
}

Value collect_references(const Spans& spans, const References& references, const SpanRef& part,
                         std::span<const NamedSpans> files) {
  const auto found = references.of(part);
  Value v = Value::object();
  v.add("path", spans.path(part));
  const auto add = [&](const char* name, const std::vector<const ResolvedReference*>& list) {
    Value& all = v.add(name, Value::list());
    for (const ResolvedReference* r : list) {
      Value& one = all.push(Value::object());
      one.add("from", spans.path(r->from));
      one.add("to", references.target(*r));
      one.add("exists", references.exists(*r));
      if (r->is_part()) one.add("part", true);
    }
  };
  add("refers_to", found.out);
  add("referred_by", found.in);
  const auto names = shared_names(spans, part);
  if (names.empty()) return v;
  Value& all = v.add("names", Value::list());
  for (const SharedName& name : names) {
    Value& one = all.push(Value::object());
    one.add("from", spans.path(name.span));
    one.add("kind", name.kind);
    one.add("name", name.name);
    one.add("defines", name.defines);
    Value& others = one.add("others", Value::list());
    for (const NamedSpanRef& other : find_shared_name_uses(name, spans, files)) {
      Value& at = others.push(Value::object());
      at.add("file", other.file);
      at.add("path", other.path);
      at.add("defines", other.defines);
    }
  }
  return v;
}

}  // namespace dio::report
