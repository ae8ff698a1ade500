// edit_words.cpp: assignments of set, and the arguments of edits.
#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "layout/selector.hpp"
#include "operations/edit_steps.hpp"
#include "repairs.hpp"

namespace dio::cli::suggest {

namespace {

bool is_number(std::string_view s) {
  return !s.empty() && s.find_first_of("0123456789") != s.npos && s.find_first_not_of("0123456789.-") == s.npos;
}

/// P:V, P++, P--, P+5, P/=2, P=(1,2,3) as PATH=VALUE.
std::string respell_assignment(std::string word) {
  for (const char* sign : {" =", "= "})  // PATH = VALUE in quotes
    for (size_t at = word.find(sign); at != word.npos; at = word.find(sign)) word.replace(at, 2, "=");
  if (word.ends_with("++") || word.ends_with("--"))
    return word.substr(0, word.size() - 2) + (word.ends_with("+") ? "+=1" : "-=1");
  if (const size_t at = word.find("/="); at != word.npos) {
    const f64 by = std::atof(word.c_str() + at + 2);
    if (by != 0) {
      std::string factor = std::to_string(1 / by);
      factor.erase(factor.find_last_not_of('0') + 1);
      if (factor.ends_with('.')) factor.pop_back();
      return word.substr(0, at) + "*=" + factor;
    }
  }
  size_t equals = find_equals(word);
  if (equals == word.npos) {
    int depth = 0;
    for (size_t i = 1; i < word.size(); ++i) {
      depth += word[i - 1] == '[', depth -= word[i - 1] == ']';
      if (depth) continue;
      if (word[i] == ':') return word.substr(0, i) + "=" + word.substr(i + 1);
      if ((word[i] == '+' || word[i] == '-' || word[i] == '*') && is_number(word.substr(i + 1)))
        return word.substr(0, i + 1) + "=" + word.substr(i + 1);
    }
    return word;
  }
  std::string value = word.substr(equals + 1);
  if (value.starts_with('+') && word[equals - 1] != '+') return word.substr(0, equals) + "+=" + value.substr(1);
  if (value.starts_with('(') && value.ends_with(')')) value = value.substr(1, value.size() - 2);
  if (value.starts_with('[') && value.ends_with(']')) value = value.substr(1, value.size() - 2);
  return word.substr(0, equals + 1) + value;
}

/// `P = V` and `P V` as one word each.
void join_assignments(CommandLine& c) {
  for (size_t n = 1; n < c.count_operands(); ++n) {
    const std::string word = c.operand(n), next = c.operand(n + 1), third = c.operand(n + 2);
    if ((next == "=" || next == ":") && !third.empty()) {
      c.set_operand(n, word + "=" + third);
      c.remove_operand(n + 1), c.remove_operand(n + 1);
    } else if (find_equals(word) == word.npos && is_number(next) && !exists(word)) {
      c.set_operand(n, word + "=" + next);
      c.remove_operand(n + 1);
    } else if (find_equals(word) != word.npos && is_number(next) && is_number(word.substr(find_equals(word) + 1))) {
      c.set_operand(n, word + "," + next);  // position=1 2 3
      c.remove_operand(n + 1);
      --n;
    } else if (word.ends_with('=') && !next.empty()) {
      c.set_operand(n, word + next);
      c.remove_operand(n + 1);
    }
  }
}

/// color=1,2,3 where there is color_red, color_green and color_blue: one assignment each.
std::vector<std::string> split_assignment(const TracedFile& file, const std::string& word) {
  const size_t equals = find_equals(word);
  if (equals == word.npos || equals == 0 || select(file.traced.spans, word.substr(0, equals))) return {word};
  const std::string stem = word.substr(0, std::min(word.rfind('_', equals), equals)) + "_";
  std::vector<std::string> names, values, out;
  file.traced.spans.for_each_child(0, [&](u32 i) {
    const Span& s = file.traced.spans[i];
    if (s.key.name && std::string_view(s.key.name).starts_with(stem) && s.is_value()) names.emplace_back(s.key.name);
  });
  for (size_t at = equals + 1; at <= word.size();) {
    const size_t end = std::min(word.find(',', at), word.size());
    values.push_back(word.substr(at, end - at));
    at = end + 1;
  }
  if (values.size() < 2 || names.size() < values.size()) return {word};
  const char* ends[] = {"red", "green", "blue"};
  for (size_t i = 0; i < values.size() && i < 3; ++i) {
    const auto found = std::ranges::find_if(names, [&](const std::string& n) { return n.ends_with(ends[i]); });
    if (found == names.end()) return {word};
    out.push_back(*found + "=" + values[i]);
  }
  return out;
}

/// The path on the left of an assignment, as it exists.
std::string repair_assignment(const TracedFile& file, const std::string& word) {
  size_t equals = find_equals(word);
  if (equals == word.npos || equals == 0) return word;
  size_t end = equals;
  if (end && (word[end - 1] == '+' || word[end - 1] == '-' || word[end - 1] == '*')) --end;
  const std::string path = find_path_like(file, word.substr(0, end));
  return path.empty() ? word : path + word.substr(end);
}

void repair_set(CommandLine& c) {
  const std::string second = c.operand(1);
  const auto file = trace(c.operand(0));
  if (file && find_equals(second) == second.npos && find_edit(*file->format, second)) {
    c.verb = "edit";
    return;
  }
  join_assignments(c);
  for (size_t n = 1; n < c.count_operands(); ++n) {
    const std::string word = respell_assignment(c.operand(n));
    if (!file) {
      c.set_operand(n, word);
      continue;
    }
    const auto parts = split_assignment(*file, word);
    c.set_operand(n, repair_assignment(*file, parts[0]));
    for (size_t i = 1; i < parts.size(); ++i) c.insert_operand(++n, parts[i]);
  }
  if (!file || c.count_operands() != 2 || !file->format->archive) return;
  // An archive, of which one file is meant.
  const std::string word = c.operand(1);
  CommandLine inside{"get", {Word{c.operand(0)}, Word{word.substr(0, std::min(find_equals(word), word.size()))}}};
  repair_paths(inside, {});
  if (inside.operand(0) != c.operand(0)) c.set_operand(0, inside.operand(0));
}

/// The value of an argument that was typed without its name: props[0] for prop=0.
std::string argument_value(const Parameter& p, const std::string& word) {
  if (p.kind != ParameterKind::integer) return word;
  const size_t bracket = word.find('[');
  return bracket == word.npos ? word : word.substr(bracket + 1, word.find(']') - bracket - 1);
}

std::span<const Parameter> parameters_of(const Format& f, const std::string& name) {
  if (const ListEdit* e = find_list_edit(name)) return e->parameters;
  if (const Edit* e = find_edit(f, name)) return e->parameters;
  return {};
}

bool is_edit(const Format& f, const std::string& word) { return find_list_edit(word) || find_edit(f, word); }

/// Words behind an edit that are no edits: the arguments that are missing, in their order.
void name_arguments(CommandLine& c, const Format& f) {
  std::span<const Parameter> parameters;
  std::vector<std::string> given;
  size_t operands = 0;
  for (size_t n = 1; n < c.count_operands(); ++n) {
    const std::string word = c.operand(n);
    const size_t equals = find_equals(word);
    if (equals != word.npos) {
      const std::string name = word.substr(0, equals);
      if (is_edit(f, name) && n == 1) {  // scale=2
        const auto of = parameters_of(f, name);
        c.set_operand(n, name);
        c.insert_operand(n + 1, word.substr(equals + 1));
        parameters = of, operands = count_operands(of), given.clear();
      } else if (parameters.empty() && n == 1) {  // PATH=VALUE
        c.insert_operand(n, "set");
        return;
      } else {
        given.push_back(name);
      }
      continue;
    }
    if (operands) {
      --operands;
      continue;
    }
    if (is_edit(f, word) || parameters.empty()) {
      parameters = parameters_of(f, word);
      operands = count_operands(parameters);
      given.clear();
      continue;
    }
    // of the alternatives, the last one: after=3
    const Parameter* missing = nullptr;
    for (const Parameter& p : parameters) {
      if (p.need == Need::operand || p.any_name || std::ranges::find(given, p.name) != given.end()) continue;
      const auto is_partner = [&](const Parameter& other) {
        return p.alternative && other.alternative && other.alternative != p.alternative &&
               (other.alternative - 1) / 2 == (p.alternative - 1) / 2 &&
               std::ranges::find(given, other.name) != given.end();
      };
      if (std::ranges::any_of(parameters, is_partner)) continue;
      if (p.need == Need::optional && missing) continue;
      if (!missing || (p.alternative && p.alternative == missing->alternative + 1 && p.name == "after")) missing = &p;
      if (missing->need != Need::optional && !missing->alternative) break;
    }
    if (!missing) continue;
    given.emplace_back(missing->name);
    c.set_operand(n, std::string(missing->name) + "=" + argument_value(*missing, word));
  }
}

/// An argument by another name, for the one that is missing: height=2 for by=2; numbers without their units: 90deg.
void rename_arguments(CommandLine& c, const Format& f) {
  const auto parameters = parameters_of(f, c.operand(1));
  if (parameters.empty() || std::ranges::any_of(parameters, &Parameter::any_name)) return;
  const auto has = [&](std::string_view name) {
    for (size_t n = 2; n < c.count_operands(); ++n)
      if (c.operand(n).starts_with(std::string(name) + "=")) return true;
    return false;
  };
  for (size_t n = 2; n < c.count_operands(); ++n) {
    const std::string word = c.operand(n);
    const size_t equals = find_equals(word);
    if (equals == word.npos) continue;
    const std::string name = word.substr(0, equals);
    std::string value = word.substr(equals + 1);
    const auto own = std::ranges::find(parameters, name, &Parameter::name);
    if (own == parameters.end()) {
      const auto missing = std::ranges::find_if(parameters, [&](const Parameter& p) {
        return p.need == Need::required && p.kind != ParameterKind::vector && !has(p.name);
      });
      if (missing != parameters.end()) c.set_operand(n, std::string(missing->name) + "=" + value);
    } else if (own->kind == ParameterKind::number || own->kind == ParameterKind::integer) {
      const size_t end = value.find_first_not_of("0123456789.-");
      if (end != value.npos && end > 0 && own->value.find('|') == own->value.npos)
        c.set_operand(n, name + "=" + value.substr(0, end));
    }
  }
}

/// x=, y= and z= as one vector: by=0,500,0, position=0,0,0.
void join_axes(CommandLine& c, std::string_view vector) {
  std::string axes[3] = {"0", "0", "0"};
  size_t first = 0;
  for (size_t n = 1; n < c.count_operands();) {
    const std::string word = c.operand(n);
    if (word.size() > 2 && word[1] == '=' && word[0] >= 'x' && word[0] <= 'z') {
      axes[word[0] - 'x'] = word.substr(2);
      if (!first) first = n;
      c.remove_operand(n);
    } else {
      ++n;
    }
  }
  if (first) c.insert_operand(first, std::string(vector) + "=" + axes[0] + "," + axes[1] + "," + axes[2]);
}

bool has_axis(const CommandLine& c) {
  for (size_t n = 1; n < c.count_operands(); ++n) {
    const std::string word = c.operand(n);
    if (word.size() > 2 && word[1] == '=' && word[0] >= 'x' && word[0] <= 'z') return true;
  }
  return false;
}

/// remove-object object=0 as remove objects[0]; rename-texture A B as set ...name=B.
void repair_edit_name(CommandLine& c, const TracedFile& file) {
  const std::string name = c.operand(1);
  const size_t hyphen = name.find('-');
  if (hyphen == name.npos || is_edit(*file.format, name)) return;
  const std::string verb = name.substr(0, hyphen), thing = name.substr(hyphen + 1);
  const auto value = [&](size_t n) {
    const std::string word = c.operand(n);
    const size_t equals = find_equals(word);
    return equals == word.npos ? word : word.substr(equals + 1);
  };
  if (verb == "rename") {
    const std::string path = find_path_like(file, value(2));
    if (path.empty() || value(3).empty()) return;
    const std::string to = value(3);
    while (c.count_operands() > 1) c.remove_operand(1);
    c.insert_operand(1, "set");
    c.insert_operand(2, path + ".name=" + to);
    return;
  }
  static constexpr const char* k_verbs[][2] = {
      {"remove", "remove"}, {"delete", "remove"}, {"copy", "duplicate"}, {"duplicate", "duplicate"}, {"add", "add"}};
  for (const auto& [typed, here] : k_verbs) {
    if (verb != typed) continue;
    const std::string list = find_path_like(file, thing + "s");
    if (list.empty()) return;
    const std::string which = value(2);
    if (!which.empty()) c.remove_operand(2);
    c.set_operand(1, here);
    c.insert_operand(2, list + (verb == "add" ? ""
                                              : "[" +
                                                    (which.empty()      ? "0"
                                                     : is_number(which) ? which
                                                                        : "name=" + which) +
                                                    "]"));
    return;
  }
}

/// A verb that was typed as an edit.
bool repair_verb_as_edit(CommandLine& c, const Manual& m, const Format& f) {
  const std::string name = c.operand(1);
  if (name.empty() || !m.find(name) || is_edit(f, name)) return false;
  c.verb = name;
  c.remove_operand(1);
  return true;
}

/// A name of a thing as the operand of a list edit: remove PalmTree, add itembox.
void repair_list_operand(CommandLine& c, const TracedFile& file) {
  const std::string edit = c.operand(1), word = c.operand(2);
  if (!find_list_edit(edit) || word.empty() || find_equals(word) != word.npos) return;
  const Spans& spans = file.traced.spans;
  const std::string number = c.operand(3);
  if (!number.empty() && number.find_first_not_of("0123456789") == number.npos && edit != "move" && edit != "swap") {
    c.set_operand(2, word + "[" + number + "]");  // GOBJ 0
    c.remove_operand(3);
  }
  if (select(spans, c.operand(2))) return;
  const std::string path = find_path_like(file, c.operand(2));
  if (path.empty()) return;
  const size_t bracket = path.rfind('[');
  if (edit == "add" && path.ends_with(']') && bracket != path.npos) {
    c.set_operand(2, path.substr(0, bracket));
    c.insert_operand(3, path.substr(bracket + 1, path.size() - bracket - 2));
  } else {
    c.set_operand(2, path);
  }
}

/// Edits by the names that other programs have for them.
void rename_edit(CommandLine& c, const Format& f) {
  static constexpr const char* k_names[][2] = {{"rotate", "turn"},
                                               {"translate", "shift"},
                                               {"offset", "shift"},
                                               {"move-all", "shift"},
                                               {"flip", "mirror"},
                                               {"invert", "mirror"},
                                               {"resize", "scale"},
                                               {"delete", "remove"},
                                               {"del", "remove"},
                                               {"rm", "remove"},
                                               {"erase", "remove"},
                                               {"copy", "duplicate"},
                                               {"clone", "duplicate"},
                                               {"dup", "duplicate"},
                                               {"insert", "add"},
                                               {"create", "add"},
                                               {"new", "add"},
                                               {"append", "add"},
                                               {"exchange", "swap"},
                                               {"order", "sort"},
                                               {"change", "set"},
                                               {"assign", "set"},
                                               {"rebuild", "rebuild-octree"},
                                               {"reverse", "reverse-path"},
                                               {"raise", "raise-tiles"},
                                               {"raise", "raise-plate"},
                                               {"paint", "set-tiles"}};
  for (const auto& [typed, here] : k_names)
    if (c.operand(1) == typed && !is_edit(f, typed) && is_edit(f, here)) c.set_operand(1, here);
}

bool is_vector(const std::string& word) {
  return std::ranges::count(word, ',') == 2 && word.find_first_not_of("0123456789.,-") == word.npos;
}

/// move ELEMENT X,Y,Z: the elements of lists have places in them, things have places in the world.
void repair_move(CommandLine& c, const TracedFile& file) {
  const std::string typed = c.operand(3).starts_with("by=") ? c.operand(3).substr(3) : c.operand(3);
  if (c.operand(1) != "move" || !is_vector(typed)) return;
  const std::string path = find_path_like(file, c.operand(2)), by = typed;
  if (path.empty()) return;
  for (const Edit& e : edits_of(*file.format)) {
    const std::string thing = e.name.starts_with("move-") ? std::string(e.name.substr(5)) : "";
    if (thing.empty() || !path.starts_with(thing)) continue;
    const size_t bracket = path.rfind('['), equals = path.find('=', bracket);
    const size_t from = equals == path.npos ? bracket + 1 : equals + 1;
    c.set_operand(1, std::string(e.name));
    c.set_operand(2, thing + "=" + path.substr(from, path.find(']', from) - from));
    c.set_operand(3, "by=" + by);
    return;
  }
  c.set_operand(1, "set");
  c.remove_operand(3);
  c.remove_operand(2);
  size_t at = 0;
  for (const char axis : {'x', 'y', 'z'}) {
    const size_t end = std::min(by.find(',', at), by.size());
    const std::string n = by.substr(at, end - at);
    if (std::atof(n.c_str()) != 0) c.insert_operand(c.count_operands(), path + ".position." + axis + "+=" + n);
    at = end + 1;
  }
}

/// rename A B: the thing with this name gets another.
void repair_rename(CommandLine& c, const TracedFile& file) {
  if (c.operand(1) != "rename" || c.operand(3).empty()) return;
  const std::string path = find_path_like(file, c.operand(2)), to = c.operand(3);
  if (path.empty()) return;
  while (c.count_operands() > 1) c.remove_operand(1);
  c.insert_operand(1, "set");
  c.insert_operand(2, path + ".name=" + to);
}

void repair_edit(CommandLine& c, const Manual& m) {
  const auto file = trace(c.operand(0));
  if (!file) return;
  rename_edit(c, *file->format);
  repair_rename(c, *file);
  repair_move(c, *file);
  if (repair_verb_as_edit(c, m, *file->format)) return;
  if (find_list_edit(c.operand(2)) && !is_edit(*file->format, c.operand(1))) {  // GOBJ[0] remove
    const std::string name = c.operand(2);
    c.remove_operand(2);
    c.insert_operand(1, name);
  }
  repair_edit_name(c, *file);
  name_arguments(c, *file->format);
  repair_list_operand(c, *file);
  if (!has_axis(c)) return rename_arguments(c, *file->format);
  const auto parameters = parameters_of(*file->format, c.operand(1));
  const auto is_axis_of = [](const Parameter& p) { return p.name == "x" || p.name == "y" || p.name == "z"; };
  if (std::ranges::any_of(parameters, is_axis_of)) return;
  const auto vector = std::ranges::find(parameters, std::string_view("X,Y,Z"), &Parameter::value);
  if (vector != parameters.end())
    join_axes(c, vector->name);
  else if (c.operand(1) == "add")
    join_axes(c, "position");
}

}  // namespace

void repair_edits(CommandLine& c, const Manual& m) {
  if (c.verb == "set") repair_set(c);
  if (c.verb == "edit") repair_edit(c, m);
}

}  // namespace dio::cli::suggest
