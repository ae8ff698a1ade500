#include "layout/patch.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/text_format.hpp"
#include "layout/write_value.hpp"

namespace dio {

/// Only whole numbers up to 32 bits, and signed 64-bit numbers.
static std::pair<i64, i64> value_range(Wire wire) {
  const unsigned bits = unsigned(8 * size_of(wire));
  if (!is_signed(wire)) return {0, bits >= 63 ? INT64_MAX : (i64(1) << bits) - 1};
  const i64 high = bits == 64 ? INT64_MAX : (i64(1) << (bits - 1)) - 1;
  return {-high - 1, high};
}

void Patch::open(const Key& k, Span::Kind kind) {
  if (!k.name) return enter_required(k, kind, may_miss(false));
  for_each_segment(k.name, [&](std::string_view part, bool last) {
    enter_required(part, last ? kind : Span::Kind::object, may_miss(last && k.is_derived));
  });
}
void Patch::close(const Key& k) {
  if (!k.name) return stack_.pop_back();
  for_each_segment(k.name, [&](std::string_view, bool) { stack_.pop_back(); });
}
void Patch::resize_list(List xs) {
  const Id v = top().value;
  const size_t n = v == k_missing ? 0 : dom_.size(v);
  if (xs.type->resize)
    xs.type->resize(xs.at, n);
  else if (good() && xs.size() != n && v != k_missing)
    refuse("layout.count", std::to_string(xs.size()) + " elements", std::to_string(n), {}, v);
}
void Patch::number(const Key& k, Number n) {
  if (const Id v = find_required(k))
    set(k, v, n);
  else if (missing_ == MissingValues::any && good())
    if (const auto none = none_value(k)) n.set(*none);
}
bool Patch::numbers(const Key& k, List xs, Wire wire, u8 fraction) {
  open(k, Span::Kind::list);
  resize_list(xs);
  u8* at = static_cast<u8*>(xs.type->data(xs.at));
  const Id list = top().value;
  Id v = list == k_missing ? 0 : dom_.first(list);
  for (size_t i = 0, n = xs.size(); i < n && good(); ++i, at += size_of(wire)) {
    Key e = Key::element(i);
    e.vocabulary = k.vocabulary;
    if (v) {
      set(e, v, {at, wire, fraction});
      v = dom_.next(v);
    } else
      number(e, {at, wire, fraction});
  }
  close(k);
  return true;
}
void Patch::bytes(const Key& k, Raw x) {
  if (const Id v = find_required(k)) set_from_hex(k, v, x);
}
void Patch::characters(const Key& k, std::string& x, TextForm, u64) {
  const Id v = find_required(k);
  if (!v) return;
  if (dom_.is(v, Kind::text)) {
    if (const TextEncoding* e = encoding_of(k)) {
      auto stored = e->stored(dom_.text(v));
      if (!stored) return refuse("layout.type", e->expected, describe(v), k, v);
      x = std::move(*stored);
      return;
    }
    x = dom_.text(v);
    return;
  }
  const Id hex = dom_.find(v, "hex");
  if (!hex) return refuse("layout.type", "text, or {\"hex\": \"...\"}", describe(v), k, v);
  Bytes b;
  set_from_hex(k, hex, b);
  x.assign(b.begin(), b.end());
}
bool Patch::bits_field(BitsField& f) {
  const Id v = find_required(f.key);
  if (!v) {
    const auto none = missing_ == MissingValues::any ? none_value(f.key) : std::nullopt;
    if (none) f.value = *none;
    return none && good();
  }
  i64 n = 0;
  if (!parse_integer(f.key, v, n, f.key.vocabulary)) return false;
  const i64 low = f.is_signed ? -(i64(1) << (f.width - 1)) : 0;
  const i64 high = f.width >= 63 ? INT64_MAX : f.is_signed ? (i64(1) << (f.width - 1)) - 1 : (i64(1) << f.width) - 1;
  if (n < low || n > high) return refuse_out_of_range(f.key, v, low, high), false;
  f.value = u64(n);
  return true;
}
bool Patch::is_present(const Key& k, bool) {
  const Id v = good() ? find(k) : 0;
  return v && !dom_.is(v, Kind::null);
}
bool Patch::is_object(const Key& k) {
  const Id v = good() ? find(k) : 0;
  return v && dom_.is(v, Kind::object);
}
void Patch::refuse_coded(const Key& k, const char* expected) {
  const Id v = find(k);
  refuse("layout.requires", expected, "", k, v ? v : k_missing);
}
void Patch::fail(const char* expected) {
  // Omitted values were not required yet. Placement asks for them again.
  if (good() && !left_out_) refuse("layout.requires", expected, "", {}, top().value);
}

void Patch::enter_value(Part part, Id v) {
  if (v != k_missing) seen_[v] |= k_entered;
  stack_.push_back({part, v});
}
Dom::Id Patch::find(Part p) {
  const size_t dot = p.name.find('.');
  if (dot == p.name.npos) return find_child(p);
  const Id around = find_child(p.name.substr(0, dot));
  if (!around) return 0;
  enter_value(p.name.substr(0, dot), around);
  const Id v = find(p.name.substr(dot + 1));
  stack_.pop_back();
  return v;
}
Dom::Id Patch::find_child(Part p) {
  Level& l = top();
  if (l.value == k_missing || !dom_.is(l.value, p.name.empty() ? Kind::list : Kind::object)) return 0;
  const Id first = dom_.first(l.value);
  if (p.name.empty()) {
    if (!l.last || p.index < l.index) l.last = first, l.index = 0;
    while (l.last && l.index < p.index) l.last = dom_.next(l.last), ++l.index;
    return l.last;
  }
  const Id next = l.last ? dom_.next(l.last) : first;
  Id i = next;
  while (i && dom_.name(i) != p.name) i = dom_.next(i);
  if (!i)
    for (i = first; i != next && dom_.name(i) != p.name;) i = dom_.next(i);
  if (!i || (i == next && dom_.name(i) != p.name)) return 0;
  seen_[i] |= k_asked_for;
  return l.last = i;
}
Dom::Id Patch::find_required(Part p) {
  if (!good() || top().value == k_missing) return 0;
  const Id v = find(p);
  if (!v) refuse("layout.missing-key", {.message = "the member is missing"}, p, top().value);
  return v;
}
Dom::Id Patch::find_required(Part p, bool may_be_missing) {
  if (!may_be_missing) return find_required(p);
  const Id v = good() ? find(p) : 0;
  left_out_ |= !v;
  return v;
}
/// Whether the segment is the whole name and contains no dot.
static bool equals_undotted_name(const char* name, std::string_view all) {
  for (const char c : all)
    if (*name++ != c || c == '.') return false;
  return !*name;
}
Dom::Id Patch::find_required(const Key& k) {
  Level& l = top();  // usually the next member
  if (k.name && Patch::good() && l.value != k_missing && dom_.is(l.value, Kind::object)) {
    const Id next = l.last ? dom_.next(l.last) : dom_.first(l.value);
    if (next && equals_undotted_name(k.name, dom_.name(next))) {
      seen_[next] |= k_asked_for;
      return l.last = next;
    }
  }
  return find_required(Part(k), may_miss(k.is_derived));
}
/// The value of a missing field that refers to elements: no reference. Other fields keep the value of a new structure.
std::optional<u64> Patch::none_value(const Key& k) {
  const EnumNames* w = k.vocabulary;
  return w && w->refers && !w->words.empty() ? std::optional(u64(w->words.front().value)) : std::nullopt;
}
void Patch::enter_required(Part p, Span::Kind kind, bool may_be_missing) {
  Id v = find_required(p, may_be_missing);
  const bool list = kind == Span::Kind::list;
  if (v && !dom_.is(v, list ? Kind::list : Kind::object)) {
    refuse("layout.type", list ? "a list" : "an object", describe(v), p, v);
    v = 0;
  }
  enter_value(p, v ? v : k_missing);
}
void Patch::set(const Key& k, Id i, Number x) {
  if (x.wire == Wire::fourcc) {
    u64 bits = 0;
    const std::string_view text = dom_.text(i);
    if (text.size() == 4)
      std::memcpy(x.at, text.data(), 4);
    else if (parse_hex_pattern(text, 8, bits))
      x.set(bits);
    else
      refuse("layout.type", "a text of four characters", describe(i), k, i);
    return;
  }
  if (x.wire == Wire::f32 || x.wire == Wire::f64 || x.fraction) return set_real(k, i, x);
  i64 n = 0;
  if (x.wire == Wire::u64) {
    const Value v = dom_.number(i);
    if (v.is(Kind::integer) && !v.negative()) return x.set(v.bits());
    if (v.is_whole_real() && i64(v.number()) >= 0) return x.set(u64(v.number()));
    return refuse("layout.type", "a whole number of 0 or more", describe(i), k, i);
  }
  if (!parse_integer(k, i, n, k.vocabulary)) return;
  const auto [low, high] = value_range(x.wire);
  if (n < low || n > high) return refuse_out_of_range(k, i, low, high);
  x.set(u64(n));
}

void Patch::set_real(const Key& k, Id i, Number x) {
  const bool is_number = dom_.is_number(i);
  const f64 given = dom_.is(i, Kind::real) ? parse_real(dom_.token(i)) : is_number ? dom_.number(i).number() : 0;
  if (x.fraction) {
    if (!is_number) return refuse("layout.type", "a number", describe(i), k, i);
    const f64 scaled = std::round(given * f64(u64(1) << x.fraction));
    const auto [low, high] = value_range(x.wire);
    if (!(scaled >= f64(low) && scaled <= f64(high)))
      return refuse("layout.overflow", {.message = describe(i) + " does not fit in its field"}, k, i);
    return x.set(u64(i64(scaled)));
  }
  const bool single = x.wire == Wire::f32;
  u64 bits = 0;
  if (parse_hex_pattern(dom_.text(i), 2 * x.size(), bits)) return x.set(bits);
  if (!is_number) return refuse("layout.type", "a number, or its bits as \"0x7fc00000\"", describe(i), k, i);
  const f64 number = single ? f64(f32(given)) : given;
  x.set(single ? u64(std::bit_cast<u32>(f32(given))) : std::bit_cast<u64>(number));
  if (!std::isfinite(number))
    refuse("layout.type", "a number that fits in 32 bits, or its bits as \"0x7fc00000\"", describe(i), k, i);
}

bool Patch::parse_integer(Part p, Id i, i64& n, const EnumNames* words) {
  constexpr size_t k_always_fits = 18;
  if (const std::string_view digits = dom_.token(i); dom_.is(i, Kind::integer) && digits.size() <= k_always_fits) {
    std::from_chars(digits.data(), digits.data() + digits.size(), n);
    return true;
  }
  if (words && dom_.is(i, Kind::text))
    if (const auto meant = parse_vocabulary_words(*words, dom_.text(i))) return n = *meant, true;
  const Value v = dom_.is_number(i) ? dom_.number(i) : Value();
  if (v.is_whole_real()) return n = i64(v.number()), true;
  if (!v.is(Kind::integer))
    return refuse("layout.type", words ? "a whole number or a known word" : "a whole number", describe(i), p, i), false;
  if (!v.negative() && v.bits() > u64(INT64_MAX))
    return refuse("layout.overflow", {.message = describe(i) + " does not fit in its field"}, p, i), false;
  n = i64(v.bits());
  return true;
}

void Patch::set_from_hex(Part p, Id i, Raw out) {
  if (dom_.is_bytes(i)) return out.set(dom_.bytes(i), dom_.are_bytes_persistent());
  auto bytes = dom_.is(i, Kind::text) ? decode_hex(dom_.text(i)) : std::nullopt;
  if (!bytes) return refuse("layout.type", "a text of hex digits, two for each byte", describe(i), p, i);
  out.set(std::move(*bytes));
}

bool Patch::parse_hex_pattern(std::string_view s, size_t digits, u64& bits) {
  if (s.size() != digits + 2 || !s.starts_with("0x")) return false;
  const auto r = std::from_chars(s.data() + 2, s.data() + s.size(), bits, 16);
  return r.ec == std::errc() && r.ptr == s.data() + s.size();
}

void Patch::refuse_out_of_range(Part p, Id i, i64 low, i64 high) {
  const std::string range = std::to_string(low) + " to " + std::to_string(high);
  refuse("layout.overflow", {.message = describe(i) + " is out of range (" + range + ")"}, p, i);
}

std::string Patch::describe(Id i) const {
  switch (dom_.kind(i)) {
    case Kind::null:
      return "null";
    case Kind::boolean:
    case Kind::integer:
      return std::string(dom_.token(i));
    case Kind::real:
      return "the number " + std::to_string(dom_.number(i).number());
    case Kind::text: {
      const std::string text = dom_.is_bytes(i) ? encode_hex(dom_.bytes(i)) : std::string(dom_.text(i));
      return "the text \"" + (text.size() > 40 ? text.substr(0, 40) + "..." : text) + "\"";
    }
    case Kind::list:
      return "a list";
    case Kind::object:
      return "an object";
  }
  return {};
}

std::string Patch::describe_text_position(Id i) const {
  const Dom::TextPosition p = dom_.place(i);
  if (!p.line) return {};
  return "line " + std::to_string(p.line) + ", column " + std::to_string(p.column) + " of the JSON";
}
static void append_path_part(std::string& path, std::string_view name, u64 index) {
  if (!name.empty())
    path += (path.empty() ? "" : ".") + std::string(name);
  else if (index != ~u64(0))
    path += "[" + std::to_string(index) + "]";
}

void Patch::refuse(const char* id, std::string expected, std::string found, Part part, Id v) {
  refuse(id, {.expected = std::move(expected), .found = std::move(found)}, part, v);
}

void Patch::refuse(const char* id, DiagnosticText said, Part part, Id v) {
  if (!good()) return;
  std::string path;
  for (const Level& l : stack_) append_path_part(path, l.part.name, l.part.index);
  append_path_part(path, part.name, part.index);
  if (v != k_missing) said.hint = describe_text_position(v);
  stop = make_diagnostic(id, std::move(path), std::move(said));
}

bool Patch::find_unused(Id tree, Unused& out) const {
  if (!(seen_[tree] & k_entered)) return false;
  const bool object = dom_.is(tree, Kind::object);
  u64 index = 0;
  for (Id i = dom_.first(tree); i; i = dom_.next(i), ++index) {
    const bool asked_for = !object || seen_[i] & k_asked_for;
    if (asked_for && !find_unused(i, out)) continue;
    if (!asked_for) out.value = i;
    Part part{dom_.name(i)};
    part.index = index;
    out.path.push_back(part);
    return true;
  }
  return false;
}

void Patch::refuse_unused_members() {
  if (!good()) return;
  Unused unused;
  if (!find_unused(stack_.front().value, unused)) return;
  std::string path;
  for (size_t i = unused.path.size(); i-- > 0;) append_path_part(path, unused.path[i].name, unused.path[i].index);
  stop = make_diagnostic("layout.unknown-key", std::move(path),
                         {.message = "the format defines no member " + in_quotes(unused.path.front().name),
                          .hint = describe_text_position(unused.value)});
}

}  // namespace dio
