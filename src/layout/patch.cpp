#include "layout/patch.hpp"

#include <charconv>

#include "core/printing.hpp"

namespace dio {

bool Patch::whole(Part p, const Value& v, i64& n) {
  if (!v.is(Value::Kind::integer)) return refuse("layout.type", "a whole number", describe(v), p, &v), false;
  if (!v.negative() && v.bits() > u64(INT64_MAX))
    return refuse("layout.overflow", "a number that fits its field", describe(v), p, &v), false;
  n = i64(v.bits());
  return true;
}

void Patch::from_hex(Part p, const Value& v, Bytes& out) {
  auto bytes = v.is(Value::Kind::text) ? from_hex_digits(v.text()) : std::nullopt;
  if (!bytes) return refuse("layout.type", "bytes as a text of hex digits, two each", describe(v), p, &v);
  out = std::move(*bytes);
}

bool Patch::pattern(const Value& v, size_t digits, u64& bits) {
  if (!v.is(Value::Kind::text)) return false;
  const std::string& s = v.text();
  if (s.size() != digits + 2 || s.compare(0, 2, "0x")) return false;
  const auto r = std::from_chars(s.data() + 2, s.data() + s.size(), bits, 16);
  return r.ec == std::errc() && r.ptr == s.data() + s.size();
}

void Patch::out_of_range(Part p, const Value& v, i64 low, i64 high) {
  refuse("layout.overflow", std::to_string(low) + " to " + std::to_string(high), describe(v), p, &v);
}

std::string Patch::describe(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return v.boolean() ? "true" : "false";
    case Value::Kind::integer:
      return v.negative() ? std::to_string(i64(v.bits())) : std::to_string(v.bits());
    case Value::Kind::real:
      return "the number " + std::to_string(v.number());
    case Value::Kind::text:
      return "the text \"" + (v.text().size() > 40 ? v.text().substr(0, 40) + "..." : v.text()) + "\"";
    case Value::Kind::list:
      return "a list";
    case Value::Kind::object:
      return "an object";
  }
  return {};
}

static void append(std::string& path, std::string_view name, u64 index) {
  if (!name.empty())
    path += (path.empty() ? "" : ".") + std::string(name);
  else if (index != ~u64(0))
    path += "[" + std::to_string(index) + "]";
}

void Patch::refuse(const char* id, std::string expected, std::string found, Part part, const Value* v) {
  if (!good()) return;
  stop.id = id;
  stop.expected = std::move(expected);
  stop.found = std::move(found);
  for (const Level& l : stack_) append(stop.place.path, l.part.name, l.part.index);
  append(stop.place.path, part.name, part.index);
  if (v && v->line)
    stop.hint = "line " + std::to_string(v->line) + ", column " + std::to_string(v->column) + " of the JSON";
}

void Patch::report_unused(const Value& v, const std::string& path) {
  const auto seen = used_.find(&v);
  if (seen == used_.end()) return;
  for (size_t i = 0; i < v.size() && good(); ++i) {
    const auto& [name, member] = v.members()[i];
    std::string p = path;
    append(p, name, i);
    if (v.is(Value::Kind::object) && !seen->second[i]) {
      stop.id = "layout.unknown-key";
      stop.expected = "a name the format has";
      stop.found = "\"" + name + "\"";
      stop.place.path = p;
      if (member.line)
        stop.hint =
            "line " + std::to_string(member.line) + ", column " + std::to_string(member.column) + " of the JSON";
      return;
    }
    report_unused(member, p);
  }
}

}  // namespace dio
