#include "operations/scene_properties.hpp"

#include <algorithm>
#include <cmath>

#include "layout/write_value.hpp"

namespace dio {
namespace {

bool is_number(const Value& v) { return v.is(Value::Kind::integer) || v.is(Value::Kind::real); }

bool is_same_list(const Value& was, const Value& now) {
  if (was.size() != now.size()) return false;
  for (size_t i = 0; i < was.size(); ++i)
    if (!is_same_property(*was.at(i), *now.at(i))) return false;
  return true;
}
bool is_same_object(const Value& was, const Value& now) {
  for (const auto& [name, value] : was.members()) {
    const Value* other = now.find(name);
    if (other ? !is_same_property(value, *other) : !value.is(Value::Kind::null)) return false;
  }
  return std::ranges::all_of(now.members(), [&](const Value::Member& m) { return was.find(m.first) != nullptr; });
}

}  // namespace

Value property_as_before(const Value* was, const Value& now) {
  if (!was) return now;
  if (was->is(Value::Kind::boolean) && is_number(now)) return Value(now.number() != 0);
  if (is_number(*was) && now.is(Value::Kind::text))
    if (Value number = parse_typed(now.text()); is_number(number)) return property_as_before(was, number);
  const bool is_whole = was->is(Value::Kind::integer) || was->is(Value::Kind::text);
  if (is_whole && now.is(Value::Kind::boolean)) return Value(i64(now.boolean() ? 1 : 0));
  if (is_whole && now.is_whole_real()) return Value(i64(now.number()));
  return now;
}

bool is_same_property(const Value& was, const Value& stored) {
  const Value now = property_as_before(&was, stored);
  if (is_number(was) && is_number(now)) {
    const f64 x = was.number(), y = now.number();
    if (was.is(Value::Kind::integer)) return x == y || f64(f32(x)) == y;  // some programs store floats
    return std::fabs(x - y) <= 1e-5 * std::max(1.0, std::fabs(x));
  }
  const bool is_list = was.is(Value::Kind::list), is_object = was.is(Value::Kind::object);
  if ((is_list || is_object) && !was.size() && !now.size()) return true;
  if (is_list && now.is(Value::Kind::list)) return is_same_list(was, now);
  if (is_object && now.is(Value::Kind::object)) return is_same_object(was, now);
  return was == now;
}

}  // namespace dio
