#include "formats/platinum/sources/source_text.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::platinum {

namespace {

constexpr size_t k_indent = 4;

std::string_view kind_name(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return "true or false";
    case Value::Kind::integer:
      return "a whole number";
    case Value::Kind::real:
      return "a number";
    case Value::Kind::text:
      return "a string";
    case Value::Kind::list:
      return "a list";
    case Value::Kind::object:
      return "an object";
  }
  return {};
}

}  // namespace

std::string quote_json(std::string_view content) {
  std::string out;
  append_json_string(out, content);
  return out;
}

Result<SourceText> SourceText::read(std::string text, std::string path) {
  SourceText out;
  out.text_ = std::make_unique<const std::string>(std::move(text));
  out.path_ = std::move(path);
  auto dom = json::read_dom(*out.text_);
  if (!dom) {
    dom.error().place.file = out.path_;
    return refuse(std::move(dom.error()));
  }
  out.dom_ = std::move(*dom);
  return out;
}

bool SourceText::find_path(Id at, Id wanted, std::string& path) const {
  if (at == wanted) return true;
  size_t i = 0;
  for (Id child = dom_.first(at); child; child = dom_.next(child), ++i) {
    const size_t size = path.size();
    if (dom_.is(at, Value::Kind::object))
      (path += path.empty() ? "" : ".") += dom_.name(child);
    else
      path += '[' + std::to_string(i) + ']';
    if (find_path(child, wanted, path)) return true;
    path.resize(size);
  }
  return false;
}

std::string SourceText::json_path_of(Id id) const {
  std::string path;
  find_path(0, id, path);
  return path;
}

bool SourceText::report_expected(Id id, std::string expected) const {
  if (problem) return false;
  const Dom::TextPosition at = dom_.place(id);
  std::string found = dom_.is_tree(id)                 ? std::string(kind_name(dom_.kind(id)))
                      : dom_.is(id, Value::Kind::text) ? in_quotes(escape_control_chars(dom_.text(id)))
                                                       : std::string(dom_.token(id));
  found = truncate_utf8(std::move(found), 60);
  problem = make_diagnostic("layout.type", Location(json_path_of(id)),
                            {.expected = std::move(expected), .found = text(found, " in line ", at.line)});
  problem->place.file = path_;
  return false;
}

SourceText::Id SourceText::member(Id object, std::string_view name, Value::Kind kind) const {
  if (!dom_.is(object, Value::Kind::object)) {
    report_expected(object, "an object");
    return 0;
  }
  const Id found = dom_.find(object, name);
  // The converters treat true and false as 1 and 0.
  const bool is_number = kind == Value::Kind::integer && found && dom_.is(found, Value::Kind::boolean);
  if (!found)
    report_expected(object, text("the member ", in_quotes(name)));
  else if (!dom_.is(found, kind) && !is_number)
    report_expected(found, std::string(kind_name(kind)));
  else
    return found;
  return 0;
}

i64 SourceText::read_integer(Id id, i64 least, i64 most) const {
  Value n = dom_.is(id, Value::Kind::integer) || dom_.is(id, Value::Kind::boolean) ? dom_.number(id) : Value();
  if (n.is(Value::Kind::boolean)) n = Value(n.bits());
  // The JSON reader refuses numbers that do not fit in 64 bits.
  const bool fits = n.is(Value::Kind::integer) && (n.negative() || n.bits() <= u64(most));
  if (fits && i64(n.bits()) >= least) return i64(n.bits());
  report_expected(id, text("a whole number from ", least, " to ", most));
  return least;
}
i64 SourceText::read_integer(Id object, std::string_view name, i64 least, i64 most) const {
  const Id id = member(object, name, Value::Kind::integer);
  return id ? read_integer(id, least, most) : least;
}

i64 SourceText::read_named_number(Id id, const SourceNames& names, Space space) const {
  const auto number = dom_.is(id, Value::Kind::text) ? names.table_of(space).number(dom_.text(id)) : std::nullopt;
  if (number) return *number;
  report_expected(id, text("a name from ", SourceNames::file_of(space)));
  return 0;
}
i64 SourceText::read_named_number(Id object, std::string_view name, const SourceNames& names, Space space) const {
  const Id id = member(object, name, Value::Kind::text);
  return id ? read_named_number(id, names, space) : 0;
}

// ---- editing ----

size_t SourceText::value_end_offset(Id id) const {
  const std::string& s = *text_;
  size_t depth = 0;
  for (size_t i = dom_.text_offset_of(id); i < s.size(); ++i) {
    switch (s[i]) {
      case '"':
        for (++i; i < s.size() && s[i] != '"'; ++i) i += s[i] == '\\';
        if (!depth) return std::min(i + 1, s.size());
        break;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (depth <= 1) return depth ? i + 1 : i;
        --depth;
        break;
      case ',':
      case ' ':
      case '\t':
      case '\r':
      case '\n':
        if (!depth) return i;
        break;
      default:
        break;
    }
  }
  return s.size();
}

std::string SourceText::with_edits(size_t begin, size_t end) const {
  std::string out;
  size_t at = begin;
  for (auto it = edits_.lower_bound({begin, 0}); it != edits_.end() && it->first.first < end; ++it) {
    if (it->first.first < at) continue;
    out.append(*text_, at, it->first.first - at);
    out += it->second.text;
    at = it->second.end;
  }
  return out.append(*text_, at, end - at);
}

void SourceText::replace(Id id, std::string text) {
  const size_t begin = dom_.text_offset_of(id);
  edits_.insert_or_assign({begin, 0}, Edit{value_end_offset(id), std::move(text)});
}

void SourceText::add_member(Id after, std::string_view name, std::string text) {
  const size_t at = value_end_offset(after);
  edits_.insert_or_assign({at, edits_.size() + 1},
                          Edit{at, ",\n" + std::string(line_indent_of(after), ' ') + quote_json(name) + ": " + text});
}

size_t SourceText::line_indent_of(Id id) const {
  const size_t at = dom_.text_offset_of(id);
  const size_t line = at ? text_->rfind('\n', at - 1) + 1 : 0;  // npos + 1 is 0
  const size_t first = text_->find_first_not_of(' ', line);
  return std::min(first, at) - line;
}

void SourceText::replace_elements(Id list, const std::vector<std::pair<Id, std::string>>& elements) {
  const size_t begin = dom_.text_offset_of(list), end = value_end_offset(list), indent = line_indent_of(list);
  std::string out = "[";
  for (const auto& [id, fresh] : elements) {
    if (out.size() > 1) out += ',';
    out += '\n' + std::string(indent + k_indent, ' ');
    out += id ? with_edits(dom_.text_offset_of(id), value_end_offset(id)) : fresh;
  }
  if (!elements.empty()) out += '\n' + std::string(indent, ' ');
  out += ']';
  edits_.erase(edits_.lower_bound({begin, 0}), edits_.lower_bound({end, 0}));
  edits_.insert_or_assign({begin, 0}, Edit{end, std::move(out)});
}

std::string SourceText::format_json_indented(const Value& v, size_t indent) {
  // No width limit: one line each.
  const std::string plain = json::write(v, {.indent = int(k_indent), .width = 0});
  std::string out;
  for (const char c : plain) {
    out += c;
    if (c == '\n') out.append(indent, ' ');
  }
  return out;
}

}  // namespace dio::platinum
