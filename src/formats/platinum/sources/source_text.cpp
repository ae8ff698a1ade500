#include "formats/platinum/sources/source_text.hpp"

#include <algorithm>

#include "core/printing.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::platinum {

namespace {

constexpr size_t k_indent = 4;

std::string_view name_of(Value::Kind kind) {
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
      return "a text";
    case Value::Kind::list:
      return "a list";
    case Value::Kind::object:
      return "an object";
  }
  return {};
}

}  // namespace

std::string quoted(std::string_view content) {
  std::string out;
  quote(out, content);
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

std::string SourceText::path_of(Id id) const {
  std::string path;
  find_path(0, id, path);
  return path;
}

bool SourceText::stop(Id id, std::string expected) const {
  if (problem) return false;
  const Dom::Place at = dom_.place(id);
  std::string found = dom_.is_tree(id)                 ? std::string(name_of(dom_.kind(id)))
                      : dom_.is(id, Value::Kind::text) ? in_quotes(printable(dom_.text(id)))
                                                       : std::string(dom_.token(id));
  found = shortened(std::move(found), 60);
  problem = make_diagnostic("layout.type", Place(path_of(id)),
                            {.expected = std::move(expected), .found = text(found, " in line ", at.line)});
  problem->place.file = path_;
  return false;
}

SourceText::Id SourceText::member(Id object, std::string_view name, Value::Kind kind) const {
  if (!dom_.is(object, Value::Kind::object)) {
    stop(object, "an object");
    return 0;
  }
  const Id found = dom_.find(object, name);
  // To the converters, true and false are 1 and 0.
  const bool is_number = kind == Value::Kind::integer && found && dom_.is(found, Value::Kind::boolean);
  if (!found)
    stop(object, text("the member ", in_quotes(name)));
  else if (!dom_.is(found, kind) && !is_number)
    stop(found, std::string(name_of(kind)));
  else
    return found;
  return 0;
}

i64 SourceText::whole(Id id, i64 least, i64 most) const {
  Value n = dom_.is(id, Value::Kind::integer) || dom_.is(id, Value::Kind::boolean) ? dom_.number(id) : Value();
  if (n.is(Value::Kind::boolean)) n = Value(n.bits());
  // What does not fit 64 bits is refused by the reader of JSON.
  const bool fits = n.is(Value::Kind::integer) && (n.negative() || n.bits() <= u64(most));
  if (fits && i64(n.bits()) >= least) return i64(n.bits());
  stop(id, text("a whole number, ", least, " to ", most));
  return least;
}
i64 SourceText::whole(Id object, std::string_view name, i64 least, i64 most) const {
  const Id id = member(object, name, Value::Kind::integer);
  return id ? whole(id, least, most) : least;
}

i64 SourceText::named(Id id, const SourceNames& names, Space space) const {
  const auto number = dom_.is(id, Value::Kind::text) ? names.of(space).number(dom_.text(id)) : std::nullopt;
  if (number) return *number;
  stop(id, text("a name of ", SourceNames::file_of(space)));
  return 0;
}
i64 SourceText::named(Id object, std::string_view name, const SourceNames& names, Space space) const {
  const Id id = member(object, name, Value::Kind::text);
  return id ? named(id, names, space) : 0;
}

// ---- editing ----

size_t SourceText::end_of(Id id) const {
  const std::string& s = *text_;
  size_t depth = 0;
  for (size_t i = dom_.byte_of(id); i < s.size(); ++i) {
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
  const size_t begin = dom_.byte_of(id);
  edits_.insert_or_assign({begin, 0}, Edit{end_of(id), std::move(text)});
}

void SourceText::add_member(Id after, std::string_view name, std::string text) {
  const size_t at = end_of(after);
  edits_.insert_or_assign({at, edits_.size() + 1},
                          Edit{at, ",\n" + std::string(indent_of(after), ' ') + quoted(name) + ": " + text});
}

size_t SourceText::indent_of(Id id) const {
  const size_t at = dom_.byte_of(id);
  const size_t line = at ? text_->rfind('\n', at - 1) + 1 : 0;  // npos + 1 is 0
  const size_t first = text_->find_first_not_of(' ', line);
  return std::min(first, at) - line;
}

void SourceText::replace_elements(Id list, const std::vector<std::pair<Id, std::string>>& elements) {
  const size_t begin = dom_.byte_of(list), end = end_of(list), indent = indent_of(list);
  std::string out = "[";
  for (const auto& [id, fresh] : elements) {
    if (out.size() > 1) out += ',';
    out += '\n' + std::string(indent + k_indent, ' ');
    out += id ? with_edits(dom_.byte_of(id), end_of(id)) : fresh;
  }
  if (!elements.empty()) out += '\n' + std::string(indent, ' ');
  out += ']';
  edits_.erase(edits_.lower_bound({begin, 0}), edits_.lower_bound({end, 0}));
  edits_.insert_or_assign({begin, 0}, Edit{end, std::move(out)});
}

std::string SourceText::printed(const Value& v, size_t indent) {
  // No width: a line each.
  const std::string plain = json::write(v, {.indent = int(k_indent), .width = 0});
  std::string out;
  for (const char c : plain) {
    out += c;
    if (c == '\n') out.append(indent, ' ');
  }
  return out;
}

}  // namespace dio::platinum
