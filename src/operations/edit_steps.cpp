#include "operations/edit_steps.hpp"

#include <algorithm>

#include "core/command_text.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"

namespace dio {

constexpr Parameter k_add_parameters[] = {operand("LIST", ParameterKind::element),
                                          optional("before", "N", ParameterKind::integer),
                                          optional("after", "N", ParameterKind::integer),
                                          optional("FIELD", "VALUE", ParameterKind::text).with_any_name().repeated()};
constexpr Parameter k_remove_parameters[] = {operand("ELEMENTS", ParameterKind::element)};
constexpr Parameter k_duplicate_parameters[] = {operand("ELEMENTS", ParameterKind::element),
                                                optional("before", "N", ParameterKind::integer),
                                                optional("after", "N", ParameterKind::integer)};
constexpr Parameter k_move_parameters[] = {operand("ELEMENTS", ParameterKind::element),
                                           required("before", "N", ParameterKind::integer).either(1),
                                           required("after", "N", ParameterKind::integer).either(2)};
constexpr Parameter k_swap_parameters[] = {operand("ELEMENT", ParameterKind::element),
                                           operand("ELEMENT", ParameterKind::element)};
constexpr Parameter k_sort_parameters[] = {operand("LIST", ParameterKind::element),
                                           required("by", "FIELD", ParameterKind::text).repeated()};
constexpr Parameter k_place_parameters[] = {
    operand("ELEMENT", ParameterKind::element), optional("translation", "X,Y,Z", ParameterKind::vector),
    optional("rotation", "X,Y,Z,W", ParameterKind::vector), optional("scale", "X,Y,Z", ParameterKind::vector)};
constexpr Parameter k_set_parameters[] = {required("PATH", "VALUE", ParameterKind::text).with_any_name().repeated()};

constexpr Parameter k_set_part_parameters[] = {
    required("PART", "FILE", ParameterKind::file).with_any_name().repeated()};

std::span<const ListEdit> list_edits() {
  static constexpr ListEdit k_edits[] = {
      {"add", k_add_parameters,
       "Adds an element to a list. Omitted fields are 0, empty, or no reference. For an element without fields, use "
       "value=VALUE. The new element joins the group of the element next to it."},
      {"remove", k_remove_parameters,
       "Removes elements, such as GOBJ[3], POTI[2-4] or GOBJ[id=itembox]. References to later elements are renumbered. "
       "Elements that are still referred to are not removed unless {--unlink} or {--cascade} is given."},
      {"duplicate", k_duplicate_parameters,
       "Copies elements. By default, the copies are inserted after the last copied element."},
      {"move", k_move_parameters,
       "Moves elements within their list. References are updated. The elements join the group of the element next to "
       "them."},
      {"swap", k_swap_parameters, "Swaps two elements of a list. References are updated."},
      {"sort", k_sort_parameters,
       "Sorts a list by fields of its elements; by=-FIELD puts the largest values first. References are updated."},
      {"place", k_place_parameters,
       "Moves, rotates and scales an element as in a glTF scene: values are relative to the parent node, and rotation "
       "is a quaternion.",
       true},
      {"set", k_set_parameters, "Sets values, like {set}."},
      {"set-part", k_set_part_parameters,
       "Replaces parts of the file with files that other tools made. {unpack} extracts the parts.", false, true}};
  return k_edits;
}

bool ListEdit::is_of(const Format& f) const {
  return (!needs_places || (f.scenes && f.scenes->place)) && (!needs_parts || f.parts);
}

const ListEdit* find_list_edit(std::string_view name) {
  for (const ListEdit& e : list_edits())
    if (e.name == name) return &e;
  return nullptr;
}

const Edit* find_edit(const Format& format, std::string_view name) {
  const auto edits = edits_of(format);
  const auto found = std::ranges::find(edits, name, &Edit::name);
  return found == edits.end() ? nullptr : &*found;
}

std::string unknown_edit_message(const Format& format, std::string_view name) {
  std::vector<std::string> known;
  for (const Edit& e : edits_of(format)) known.emplace_back(e.name);
  for (const ListEdit& e : list_edits())
    if (e.is_of(format)) known.emplace_back(e.name);
  std::string out = "the format " + std::string(format.id) + " has no edit " + in_quotes(name);
  // remove-texture is no slip for rename-texture.
  constexpr std::string_view k_actions[] = {"add", "copy", "delete", "duplicate", "move", "remove", "rename", "set"};
  const auto action = [&](std::string_view n) {
    const auto found = std::ranges::find(k_actions, n.substr(0, n.find('-')));
    return found == std::end(k_actions) ? std::string_view() : *found;
  };
  std::vector<std::string> likely = known;
  if (const auto own = action(name); !own.empty() && name.find('-') != name.npos)
    std::erase_if(likely, [&](const std::string& k) { return action(k) != own; });
  if (const std::string like = closest_match(name, likely); !like.empty()) return out + "; did you mean " + like + "?";
  out += "; the edits are ";
  for (const std::string& k : known) out += (k == known.front() ? "" : ", ") + k;
  return out;
}

std::optional<Diagnostic> find_unknown_argument(std::span<const Parameter> parameters,
                                                std::span<const Argument> arguments) {
  if (std::ranges::any_of(parameters, &Parameter::any_name)) return {};
  std::vector<std::string> names;
  for (const Parameter& p : parameters)
    if (p.need != Need::operand) names.emplace_back(p.name);
  for (const Argument& a : arguments) {
    if (std::ranges::find(names, a.name) != names.end()) continue;
    const std::string like = a.name.size() < 2 ? std::string() : closest_match(a.name, names);
    return make_diagnostic("edit.argument", {},
                           {.message = "unknown argument " + a.name + "=" + a.value,
                            .hint = like.empty() ? "" : "did you mean " + like + "=...?"});
  }
  return {};
}

Value describe_edits(const Format& format, std::string_view format_id) {
  Value v = Value::object();
  v.add("schema", "diorama.edits/1");
  v.add("format", format_id);
  Value& edits = v.add("edits", Value::list());
  const auto add = [&](const auto& e) {
    Value& one = edits.push(Value::object());
    one.add("edit", e.name);
    one.add("usage", usage_line(e.parameters));
    one.add("about", word_commands(e.about));
    one.add("arguments", describe_parameters(e.parameters));
  };
  for (const ListEdit& e : list_edits())
    if (e.is_of(format)) add(e);
  for (const Edit& e : edits_of(format)) add(e);
  return v;
}

size_t find_equals(std::string_view word) {
  int depth = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    depth += word[i] == '[', depth -= word[i] == ']';
    if (word[i] == '=' && depth <= 0) return i;
  }
  return word.npos;
}

Result<std::vector<EditStep>> parse_edit_steps(std::span<const std::string> words, std::span<const u64> lines) {
  std::vector<EditStep> steps;
  size_t operands_left = 0, at = 0;
  const auto line = [&] { return lines.empty() ? 0 : lines[std::min(at, lines.size() - 1)]; };
  const auto argument_error = [&](std::string message) {
    if (line()) message = "line " + std::to_string(line()) + ": " + message;
    return refuse("edit.argument", {}, {.message = std::move(message)});
  };
  const auto incomplete_edit_error = [&] {
    const std::string& name = steps.back().name;
    return argument_error(name + " is incomplete: write " + name + " " + usage_line(find_list_edit(name)->parameters));
  };
  for (; at < words.size(); ++at) {
    const std::string& word = words[at];
    const size_t equals = find_equals(word);
    if (equals == word.npos && operands_left) {
      steps.back().operands.push_back(word);
      --operands_left;
    } else if (operands_left) {
      return incomplete_edit_error();
    } else if (equals == word.npos) {
      steps.push_back({.name = word, .line = line()});
      const ListEdit* list_edit = find_list_edit(word);
      operands_left = list_edit ? count_operands(list_edit->parameters) : 0;
    } else if (equals == 0 || steps.empty()) {
      return argument_error("unknown edit or argument " + in_quotes(word));
    } else {
      steps.back().arguments.push_back({word.substr(0, equals), word.substr(equals + 1)});
    }
  }
  if (operands_left) return incomplete_edit_error();
  return steps;
}

std::vector<std::string> tokenize_edit_script(std::string_view text, std::vector<u64>* lines) {
  std::vector<std::string> out;
  bool in_word = false, in_comment = false;
  char quote = 0;
  u64 line = 1;
  for (const char c : text) {
    line += c == '\n';
    if (in_comment) {
      in_comment = c != '\n';
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        out.back() += c;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      in_word = false;
    } else if (c == '#' && !in_word) {
      in_comment = true;
    } else {
      if (!in_word && lines) lines->push_back(line);
      if (!in_word) out.emplace_back();
      in_word = true;
      if (c == '"' || c == '\'')
        quote = c;
      else
        out.back() += c;
    }
  }
  return out;
}

}  // namespace dio
