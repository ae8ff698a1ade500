#include "layout/patch.hpp"

#include <charconv>

namespace dio {

bool Patch::whole(Part p, const Value& v, i64& n) {
  if (!v.is(Value::Kind::integer)) return refuse("layout.type", "a whole number", describe(v), p, &v), false;
  if (!v.negative() && v.bits() > u64(INT64_MAX)) return refuse("layout.overflow", "a number that fits its field", describe(v), p, &v), false;
  n = i64(v.bits());
  return true;
}

void Patch::from_hex(Part p, const Value& v, Bytes& out) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; };
  if (!v.is(Value::Kind::text)) return refuse("layout.type", "bytes as a text of hex digits", describe(v), p, &v);
  const std::string& s = v.text();
  if (s.size() % 2) return refuse("layout.type", "an even number of hex digits", std::to_string(s.size()), p, &v);
  out.resize(s.size() / 2);
  for (size_t i = 0; i < out.size(); ++i) {
    const int high = digit(s[2 * i]), low = digit(s[2 * i + 1]);
    if (high < 0 || low < 0) return refuse("layout.type", "hex digits only", "\"" + s.substr(2 * i, 2) + "\" at digit " + std::to_string(2 * i), p, &v);
    out[i] = u8(high << 4 | low);
  }
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
    case Value::Kind::null: return "null";
    case Value::Kind::boolean: return v.boolean() ? "true" : "false";
    case Value::Kind::integer: return v.negative() ? std::to_string(i64(v.bits())) : std::to_string(v.bits());
    case Value::Kind::real: return "the number " + std::to_string(v.number());
    case Value::Kind::text: return "the text \"" + (v.text().size() > 40 ? v.text().substr(0, 40) + "..." : v.text()) + "\"";
    case Value::Kind::list: return "a list";
    case Value::Kind::object: return "an object";
  }
  return {};
}

static void append(std::string& path, std::string_view name, u64 index) {
  if (!name.empty()) path += (path.empty() ? "" : ".") + std::string(name);
  else if (index != ~u64(0)) path += "[" + std::to_string(index) + "]";
}

void Patch::refuse(const char* id, std::string expected, std::string found, Part part, const Value* v) {
  if (!good()) return;
  stop.id = id;
  stop.expected = std::move(expected);
  stop.found = std::move(found);
  for (const Level& l : stack_) append(stop.place.path, l.part.name, l.part.index);
  append(stop.place.path, part.name, part.index);
  if (v && v->line) stop.hint = "line " + std::to_string(v->line) + ", column " + std::to_string(v->column) + " of the JSON";
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
      if (member.line) stop.hint = "line " + std::to_string(member.line) + ", column " + std::to_string(member.column) + " of the JSON";
      return;
    }
    report_unused(member, p);
  }
}

}  // namespace dio
