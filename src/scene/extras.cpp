#include "scene/extras.hpp"

#include <cmath>

#include "core/text_format.hpp"

namespace dio::scene {

std::optional<std::string_view> read_text_extra(const Value& extras, std::string_view name) {
  const Value* v = extras.find(name);
  if (!v || !v->is(Value::Kind::text)) return {};
  return v->text();
}
std::optional<f64> read_number_extra(const Value& extras, std::string_view name) {
  const Value* v = extras.find(name);
  if (!v || !(v->is(Value::Kind::integer) || v->is(Value::Kind::real)) || !std::isfinite(v->number())) return {};
  return v->number();
}
std::optional<bool> read_flag_extra(const Value& extras, std::string_view name) {
  const Value* v = extras.find(name);
  if (v && v->is(Value::Kind::boolean)) return v->boolean();
  if (const auto n = read_number_extra(extras, name)) return *n != 0;
  return {};
}
std::optional<std::vector<f64>> parse_number_list(const Value& list, size_t count) {
  if (!list.is(Value::Kind::list) || list.size() != count) return {};
  std::vector<f64> out;
  for (const auto& [unused, x] : list.members()) {
    if (!(x.is(Value::Kind::integer) || x.is(Value::Kind::real)) || !std::isfinite(x.number())) return {};
    out.push_back(x.number());
  }
  return out;
}
std::optional<std::vector<f64>> read_number_list_extra(const Value& extras, std::string_view name, size_t count) {
  const Value* v = extras.find(name);
  return v ? parse_number_list(*v, count) : std::nullopt;
}
std::vector<u16> read_u16_list_extra(const Value& extras, std::string_view name) {
  const auto digits = read_text_extra(extras, name);
  const auto bytes = digits ? decode_hex(*digits) : std::nullopt;
  std::vector<u16> out;
  for (size_t i = 0; bytes && i + 2 <= bytes->size(); i += 2) out.push_back(u16((*bytes)[i] << 8 | (*bytes)[i + 1]));
  return out;
}

}  // namespace dio::scene
