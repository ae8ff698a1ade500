#include "layout/patch.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/printing.hpp"
#include "layout/poke.hpp"

namespace dio {

/// Of whole numbers up to 32 bits, and of 64 with a sign.
static std::pair<i64, i64> range_of(Wire wire) {
  const unsigned bits = unsigned(8 * size_of(wire));
  if (!is_signed(wire)) return {0, bits >= 63 ? INT64_MAX : (i64(1) << bits) - 1};
  const i64 high = bits == 64 ? INT64_MAX : (i64(1) << (bits - 1)) - 1;
  return {-high - 1, high};
}

void Patch::open(const Key& k, Span::Kind kind) {
  if (!k.name) return push(k, kind, may_miss(false));
  each_segment(k.name, [&](std::string_view part, bool last) {
    push(part, last ? kind : Span::Kind::object, may_miss(last && k.is_derived));
  });
}
void Patch::close(const Key& k) {
  if (!k.name) return stack_.pop_back();
  each_segment(k.name, [&](std::string_view, bool) { stack_.pop_back(); });
}
void Patch::fit_list(List xs) {
  const size_t n = top().value->size();
  if (xs.type->resize)
    xs.type->resize(xs.at, n);
  else if (good() && xs.size() != n && top().value != &none_)
    refuse("layout.count", std::to_string(xs.size()) + " elements", std::to_string(n), {}, top().value);
}
void Patch::number(const Key& k, Number n) {
  if (const Value* v = need(k))
    set(k, *v, n);
  else if (missing_ == Missing::any && good())
    n.set(nowhere(k));
}
bool Patch::numbers(const Key& k, List xs, Wire wire, u8) {
  if (missing_ != Missing::any || !good() || find(k)) return false;
  // Only those of a list of fixed length are there to be set.
  u8* at = static_cast<u8*>(xs.type->data(xs.at));
  for (size_t i = 0; !xs.type->resize && i < xs.size(); ++i, at += size_of(wire)) Number{at, wire}.set(nowhere(k));
  left_out_ = true;
  return true;
}
void Patch::bytes(const Key& k, Bytes& x) {
  if (const Value* v = need(k)) from_hex(k, *v, x);
}
void Patch::characters(const Key& k, std::string& x, TextForm, u64) {
  const Value* v = need(k);
  if (!v) return;
  if (v->is(Value::Kind::text)) {
    x = v->text();
    return;
  }
  const Value* hex = v->is(Value::Kind::object) ? v->find("hex") : nullptr;
  if (!hex) return refuse("layout.type", "text, or {\"hex\": \"...\"}", describe(*v), k, v);
  Bytes b;
  from_hex(k, *hex, b);
  x.assign(b.begin(), b.end());
}
bool Patch::bits_field(BitsField& f) {
  const Value* v = need(f.key);
  if (!v) {
    f.value = missing_ == Missing::any ? nowhere(f.key) : f.value;
    return missing_ == Missing::any;
  }
  i64 n = 0;
  if (!whole(f.key, *v, n, f.key.vocabulary)) return false;
  const i64 low = f.is_signed ? -(i64(1) << (f.width - 1)) : 0;
  const i64 high = f.width >= 63 ? INT64_MAX : f.is_signed ? (i64(1) << (f.width - 1)) - 1 : (i64(1) << f.width) - 1;
  if (n < low || n > high) return out_of_range(f.key, *v, low, high), false;
  f.value = u64(n);
  return true;
}
bool Patch::is_there(const Key& k, bool) {
  const Value* v = good() ? find(k) : nullptr;
  return v && !v->is(Value::Kind::null);
}
bool Patch::is_object(const Key& k) {
  const Value* v = good() ? find(k) : nullptr;
  return v && v->is(Value::Kind::object);
}
void Patch::refuse_coded(const Key& k, const char* expected) { refuse("layout.requires", expected, "", k, find(k)); }
void Patch::fail(const char* expected) {
  // What was left out is not what was required yet. Placing asks again.
  if (good() && !left_out_) refuse("layout.requires", expected, "", {}, top().value);
}

void Patch::descend(Part part, const Value& v) {
  v.mark |= k_entered;
  stack_.push_back({part, &v});
}
const Value* Patch::find(Part p) {
  const size_t dot = p.name.find('.');
  if (dot == p.name.npos) return find_here(p);
  const Value* around = find_here(p.name.substr(0, dot));
  if (!around) return nullptr;
  descend(p.name.substr(0, dot), *around);
  const Value* v = find(p.name.substr(dot + 1));
  stack_.pop_back();
  return v;
}
const Value* Patch::find_here(Part p) {
  Level& l = top();
  if (p.name.empty()) return l.value->is(Value::Kind::list) ? l.value->at(size_t(p.index)) : nullptr;
  if (!l.value->is(Value::Kind::object)) return nullptr;
  const auto& members = l.value->members();
  for (size_t n = members.size(), i = 0; i < n; ++i) {
    const size_t j = l.next + i < n ? l.next + i : l.next + i - n;
    if (members[j].first != p.name) continue;
    members[j].second.mark |= k_asked_for;
    l.next = j + 1 < n ? j + 1 : 0;
    return &members[j].second;
  }
  return nullptr;
}
const Value* Patch::need(Part p) {
  if (!good() || top().value == &none_) return nullptr;
  const Value* v = find(p);
  if (!v) refuse("layout.missing-key", {.message = "the member is missing"}, p, top().value);
  return v;
}
const Value* Patch::need(Part p, bool may_be_missing) {
  if (!may_be_missing) return need(p);
  if (top().value == &none_) return nullptr;
  const Value* v = good() ? find(p) : nullptr;
  left_out_ |= !v;
  return v;
}
const Value* Patch::need(const Key& k) { return need(Part(k), may_miss(k.is_derived)); }
/// The value of a field that is not given: a reference leads nowhere.
u64 Patch::nowhere(const Key& k) {
  const Words* w = k.vocabulary;
  return w && w->refers && !w->words.empty() ? u64(w->words.front().value) : 0;
}
void Patch::push(Part p, Span::Kind kind, bool may_be_missing) {
  const Value* v = need(p, may_be_missing);
  const bool list = kind == Span::Kind::list;
  if (v && !v->is(list ? Value::Kind::list : Value::Kind::object)) {
    refuse("layout.type", list ? "a list" : "an object", describe(*v), p, v);
    v = nullptr;
  }
  descend(p, v ? *v : none_);
}
void Patch::set(const Key& k, const Value& v, Number x) {
  if (x.wire == Wire::fourcc) {
    u64 bits = 0;
    if (v.is(Value::Kind::text) && v.text().size() == 4)
      std::memcpy(x.at, v.text().data(), 4);
    else if (pattern(v, 8, bits))
      x.set(bits);
    else
      refuse("layout.type", "a text of four characters", describe(v), k, &v);
    return;
  }
  if (x.wire == Wire::f32 || x.wire == Wire::f64 || x.fraction) return set_real(k, v, x);
  i64 n = 0;
  if (x.wire == Wire::u64) {
    if (v.is(Value::Kind::integer) && !v.negative()) return x.set(v.bits());
    if (v.is_whole_real() && i64(v.number()) >= 0) return x.set(u64(v.number()));
    return refuse("layout.type", "a whole number of 0 or more", describe(v), k, &v);
  }
  if (!whole(k, v, n, k.vocabulary)) return;
  const auto [low, high] = range_of(x.wire);
  if (n < low || n > high) return out_of_range(k, v, low, high);
  x.set(u64(n));
}

void Patch::set_real(const Key& k, const Value& v, Number x) {
  const bool is_number = v.is(Value::Kind::integer) || v.is(Value::Kind::real);
  if (x.fraction) {
    if (!is_number) return refuse("layout.type", "a number", describe(v), k, &v);
    const f64 scaled = std::round(v.number() * f64(u64(1) << x.fraction));
    const auto [low, high] = range_of(x.wire);
    if (!(scaled >= f64(low) && scaled <= f64(high)))
      return refuse("layout.overflow", {.message = describe(v) + " does not fit its field"}, k, &v);
    return x.set(u64(i64(scaled)));
  }
  const bool single = x.wire == Wire::f32;
  u64 bits = 0;
  if (v.is(Value::Kind::text) && pattern(v, 2 * x.size(), bits)) return x.set(bits);
  if (!is_number) return refuse("layout.type", "a number, or its bits as \"0x7fc00000\"", describe(v), k, &v);
  const f64 number = single ? f64(f32(v.number())) : v.number();
  x.set(single ? u64(std::bit_cast<u32>(f32(v.number()))) : std::bit_cast<u64>(number));
  if (!std::isfinite(number))
    refuse("layout.type", "a number that fits in 32 bits, or its bits as \"0x7fc00000\"", describe(v), k, &v);
}

bool Patch::whole(Part p, const Value& v, i64& n, const Words* words) {
  if (v.is_whole_real()) return n = i64(v.number()), true;
  if (words && v.is(Value::Kind::text))
    if (const auto meant = from_words(*words, v.text())) return n = *meant, true;
  if (!v.is(Value::Kind::integer))
    return refuse("layout.type", words ? "a whole number, or a word for it" : "a whole number", describe(v), p, &v),
           false;
  if (!v.negative() && v.bits() > u64(INT64_MAX))
    return refuse("layout.overflow", {.message = describe(v) + " does not fit its field"}, p, &v), false;
  n = i64(v.bits());
  return true;
}

void Patch::from_hex(Part p, const Value& v, Bytes& out) {
  auto bytes = v.is(Value::Kind::text) ? from_hex_digits(v.text()) : std::nullopt;
  if (!bytes) return refuse("layout.type", "a text of hex digits, two for each byte", describe(v), p, &v);
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
  const std::string range = std::to_string(low) + " to " + std::to_string(high);
  refuse("layout.overflow", {.message = describe(v) + " is out of range (" + range + ")"}, p, &v);
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

static std::string line_of(const Value& v) {
  if (!v.line) return {};
  return "line " + std::to_string(v.line) + ", column " + std::to_string(v.column) + " of the JSON";
}
static void append(std::string& path, std::string_view name, u64 index) {
  if (!name.empty())
    path += (path.empty() ? "" : ".") + std::string(name);
  else if (index != ~u64(0))
    path += "[" + std::to_string(index) + "]";
}

void Patch::refuse(const char* id, std::string expected, std::string found, Part part, const Value* v) {
  refuse(id, {.expected = std::move(expected), .found = std::move(found)}, part, v);
}

void Patch::refuse(const char* id, Said said, Part part, const Value* v) {
  if (!good()) return;
  std::string path;
  for (const Level& l : stack_) append(path, l.part.name, l.part.index);
  append(path, part.name, part.index);
  if (v) said.hint = line_of(*v);
  stop = make_diagnostic(id, std::move(path), std::move(said));
}

bool Patch::find_unused(const Value& v, Unused& out) {
  if (!(v.mark & k_entered)) return false;
  const bool object = v.is(Value::Kind::object);
  const auto& members = v.members();
  for (size_t i = 0; i < members.size(); ++i) {
    const auto& [name, member] = members[i];
    const bool asked_for = !object || member.mark & k_asked_for;
    if (asked_for && !find_unused(member, out)) continue;
    if (!asked_for) out.value = &member;
    Part part{std::string_view(name)};
    part.index = i;
    out.path.push_back(part);
    return true;
  }
  return false;
}

void Patch::finish() {
  if (!good()) return;
  Unused unused;
  if (!find_unused(*stack_.front().value, unused)) return;
  std::string path;
  for (size_t i = unused.path.size(); i-- > 0;) append(path, unused.path[i].name, unused.path[i].index);
  stop = make_diagnostic("layout.unknown-key", std::move(path),
                         {.expected = "a member that the format knows",
                          .found = "\"" + std::string(unused.path.front().name) + "\"",
                          .hint = line_of(*unused.value)});
}

void Patch::unmark(const Value& v) {
  if (!v.mark) return;
  v.mark = 0;
  for (const Value::Member& m : v.members()) unmark(m.second);
}
Patch::~Patch() { unmark(*stack_.front().value); }

}  // namespace dio
