#include "layout/to_value.hpp"

#include "core/printing.hpp"

namespace dio {

size_t ToValue::place_of(const Key& k, std::string_view name) {
  Level& around = open_.back();
  auto& members = around.value.members();
  if (!k.name) {
    while (members.size() <= k.index) around.value.push(Value());
    return size_t(k.index);
  }
  for (size_t n = members.size(), i = 0; i < n; ++i) {  // a second pass has them in the same order
    const size_t j = around.next + i < n ? around.next + i : around.next + i - n;
    if (members[j].first != name) continue;
    around.next = j + 1;
    return j;
  }
  around.value.add(std::string(name), Value());
  return members.size() - 1;
}

void ToValue::enter(const Key& k, std::string_view name, Span::Kind kind) {
  const size_t at = place_of(k, name);
  Value& there = open_.back().value.members()[at].second;
  // What a layout went inside before it came to the part itself may turn out to be a list.
  const Value::Kind is = kind == Span::Kind::list ? Value::Kind::list : Value::Kind::object;
  if (!there.is(is) && !there.size()) there = is == Value::Kind::list ? Value::list() : Value::object();
  Value inner = std::move(there);
  open_.push_back({std::move(inner), at});
}

void ToValue::leave() {
  Level inner = std::move(open_.back());
  open_.pop_back();
  open_.back().value.members()[inner.at].second = std::move(inner.value);
}

void ToValue::add(const Key& k, Value v) {
  unsigned around = 0;
  std::string_view name;
  if (k.name)
    each_segment(k.name, [&](std::string_view part, bool last) {
      if (last)
        name = part;
      else
        enter(k, part, Span::Kind::object), ++around;
    });
  open_.back().value.members()[place_of(k, name)].second = std::move(v);
  while (around--) leave();
}

void ToValue::open(const Key& k, Span::Kind kind) {
  if (!k.name) return enter(k, {}, kind);
  each_segment(k.name, [&](std::string_view part, bool last) { enter(k, part, last ? kind : Span::Kind::object); });
}
void ToValue::close(const Key& k) {
  if (!k.name) return leave();
  each_segment(k.name, [&](std::string_view, bool) { leave(); });
}
void ToValue::number(const Key& k, Number n) { add(k, number_value(n.wire, n.fraction, n.raw())); }
void ToValue::bytes(const Key& k, Bytes& x) { add(k, Value(hex_digits(x))); }
void ToValue::characters(const Key& k, std::string& x, TextForm, u64) {
  add(k, text_value({reinterpret_cast<const u8*>(x.data()), x.size()}));
}
bool ToValue::bits_field(BitsField& f) {
  add(f.key, f.is_signed ? Value(i64(f.value)) : Value(f.value));
  return false;
}
bool ToValue::numbers(const Key& k, List xs, Wire wire, u8 fraction) {
  Value list = Value::list();
  u8* at = static_cast<u8*>(xs.type->data(xs.at));
  for (size_t i = 0; i < xs.size(); ++i, at += size_of(wire))
    list.push(number_value(wire, fraction, Number{at, wire}.raw()));
  add(k, std::move(list));
  return true;
}

}  // namespace dio
