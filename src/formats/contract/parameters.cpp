#include "formats/contract/parameters.hpp"

namespace dio {

std::string_view to_string(ParameterKind kind) {
  constexpr std::string_view k_names[] = {"integer", "number", "range",   "vector", "color",
                                          "text",    "choice", "element", "part",   "file"};
  return k_names[size_t(kind)];
}

namespace {

std::string show_value(const Parameter& p) {
  if (!p.value.empty()) return std::string(p.value);
  std::string out;
  for (const std::string_view choice : p.choices)
    if (!choice.empty()) out += (out.empty() ? "" : "|") + std::string(choice);
  return out;
}

std::string show_parameter(const Parameter& p) {
  std::string out(p.name);
  if (p.need != Need::operand) out += "=" + show_value(p) + (p.repeats ? "..." : "");
  return p.need == Need::optional ? "[" + out + "]" : out;
}

}  // namespace

std::string usage_line(std::span<const Parameter> parameters) {
  std::string out;
  u8 last = 0;
  for (const Parameter& p : parameters) {
    const bool continues = p.alternative && p.alternative == last;
    const bool is_other = p.alternative && p.alternative % 2 == 0 && !continues;
    if (last && !continues && !is_other) out += ")";
    if (!out.empty()) out += is_other ? " | " : " ";
    if (p.alternative && !continues && !is_other) out += "(";
    out += show_parameter(p);
    last = p.alternative;
  }
  return out + (last ? ")" : "");
}

const Parameter* find_parameter(std::span<const Parameter> parameters, std::string_view name) {
  const auto found = std::ranges::find_if(
      parameters, [&](const Parameter& p) { return p.need != Need::operand && (p.any_name || p.name == name); });
  return found == parameters.end() ? nullptr : &*found;
}

size_t count_operands(std::span<const Parameter> parameters) {
  return size_t(std::ranges::count(parameters, Need::operand, &Parameter::need));
}

Value describe_parameters(std::span<const Parameter> parameters) {
  Value list = Value::list();
  for (const Parameter& p : parameters) {
    Value& one = list.push(Value::object());
    one.add("name", p.name);
    one.add("kind", to_string(p.kind));
    if (!p.value.empty()) one.add("value", p.value);
    one.add("required", p.need != Need::optional);
    if (p.need == Need::operand) one.add("operand", true);
    if (!p.choices[0].empty()) {
      Value& choices = one.add("choices", Value::list());
      for (const std::string_view choice : p.choices)
        if (!choice.empty()) choices.push(choice);
    }
    if (p.repeats) one.add("repeats", true);
    if (p.any_name) one.add("any_name", true);
    if (p.alternative) one.add("alternative", u64(p.alternative));
  }
  return list;
}

}  // namespace dio
