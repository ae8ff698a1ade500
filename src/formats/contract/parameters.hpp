// parameters.hpp: the arguments of named edits as data. They generate usage lines, "did you mean", the viewer's
// brushes, and the signatures in Python and JavaScript.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "core/value.hpp"

namespace dio {

enum class ParameterKind : u8 {
  integer,
  number,
  range,   // FROM..TO, or one integer
  vector,  // numbers separated by commas
  color,   // numbers separated by commas, or a name
  text,
  choice,   // one of `choices`
  element,  // a path
  part,     // a part of a game: land/12
  file      // a path of a file
};
std::string_view to_string(ParameterKind);

enum class Need : u8 {
  required,
  optional,
  operand,  // given without a name, in this order
};

/// An argument of an edit: by=UNITS.
struct Parameter {
  static constexpr size_t k_most_choices = 4;

  std::string_view name;   // by; for an operand, its text in usage lines
  std::string_view value;  // UNITS: its text in usage lines; empty: shown by its choices
  ParameterKind kind;
  Need need = Need::required;
  u8 alternative = 0;     // 1, 3, 5: excludes the arguments with the next number; 0: no alternative
  bool any_name = false;  // stands for any name: FIELD=VALUE
  bool repeats = false;   // may be given several times
  std::string_view choices[k_most_choices] = {};  // the first ones

  /// One of two alternatives: n is odd, or the even number after it.
  constexpr Parameter either(u8 n) const {
    Parameter p = *this;
    p.alternative = n;
    return p;
  }
  constexpr Parameter repeated() const {
    Parameter p = *this;
    p.repeats = true;
    return p;
  }
  constexpr Parameter with_any_name() const {
    Parameter p = *this;
    p.any_name = true;
    return p;
  }
};

constexpr Parameter required(std::string_view name, std::string_view value, ParameterKind kind) {
  return {name, value, kind};
}
constexpr Parameter optional(std::string_view name, std::string_view value, ParameterKind kind) {
  return {name, value, kind, Need::optional};
}
constexpr Parameter operand(std::string_view name, ParameterKind kind) { return {name, {}, kind, Need::operand}; }
constexpr Parameter one_of(std::string_view name, std::initializer_list<std::string_view> choices) {
  Parameter p{name, {}, ParameterKind::choice};
  std::copy(choices.begin(), choices.end(), p.choices);
  return p;
}
constexpr Parameter optional_one_of(std::string_view name, std::initializer_list<std::string_view> choices) {
  Parameter p = one_of(name, choices);
  p.need = Need::optional;
  return p;
}

/// The arguments as in a usage line: plate=N by=UNITS [mesh=follow].
std::string usage_line(std::span<const Parameter>);
/// The parameter that an argument NAME=VALUE belongs to: that of its name, or one for any name. Null if there is none.
const Parameter* find_parameter(std::span<const Parameter>, std::string_view name);
/// The number of operands.
size_t count_operands(std::span<const Parameter>);
/// [{"name", "value", "kind", "required", "operand", "choices", "repeats", "alternative"}]
Value describe_parameters(std::span<const Parameter>);

}  // namespace dio
