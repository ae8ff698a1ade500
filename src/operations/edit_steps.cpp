#include "operations/edit_steps.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"

namespace dio {

std::span<const ListEdit> list_edits() {
  static constexpr ListEdit k_edits[] = {
      {"add", "LIST [before=N|after=N] [FIELD=VALUE...]",
       "Adds an element to a list. Fields that are not given are 0, empty, or refer to nothing; an element without "
       "fields "
       "is given as value=... An element that is added beside another joins its group.",
       1},
      {"remove", "ELEMENTS",
       "Removes elements: GOBJ[3], POTI[2-4], GOBJ[id=itembox]. References to later ones follow. What is still "
       "referred to "
       "is not removed, unless --unlink or --cascade is given.",
       1},
      {"duplicate", "ELEMENTS [before=N|after=N]", "Copies elements. The copies go after the last of them.", 1},
      {"move", "ELEMENTS before=N|after=N",
       "Moves elements in their list. References to them follow. They join the group of the element beside them.", 1},
      {"swap", "ELEMENT ELEMENT", "Two elements of a list change places. References to them follow.", 2},
      {"sort", "LIST by=FIELD [by=FIELD...]",
       "Sorts a list by fields of its elements; by=-FIELD sorts the largest first. References follow.", 1},
      {"place", "ELEMENT [translation=X,Y,Z] [rotation=X,Y,Z,W] [scale=X,Y,Z]",
       "Puts what a scene shows for an element elsewhere, as glTF says where: in its parent, turned by a quaternion.",
       1, true},
      {"set", "PATH=VALUE...", "Sets values, as `dio set` does.", 0}};
  return k_edits;
}

bool ListEdit::is_of(const Format& f) const { return !needs_places || (f.scenes && f.scenes->place); }

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
  if (const std::string like = closest_match(name, known); !like.empty()) return out + "; did you mean " + like + "?";
  out += "; the edits are ";
  for (const std::string& k : known) out += (k == known.front() ? "" : ", ") + k;
  return out;
}

std::optional<Diagnostic> find_unknown_argument(std::string_view usage, std::span<const Argument> arguments) {
  std::vector<std::string> names;  // plate=N by=UNITS: a word before each equals sign
  for (size_t at = usage.find('='); at != usage.npos; at = usage.find('=', at + 1)) {
    const size_t before = usage.find_last_of(" [|,", at);
    names.emplace_back(usage.substr(before + 1, at - before - 1));
  }
  for (const Argument& a : arguments) {
    if (std::ranges::find(names, a.name) != names.end()) continue;
    const std::string like = closest_match(a.name, names);
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
    one.add("usage", e.usage);
    one.add("about", e.about);
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
    return argument_error(name + " is incomplete: write " + name + " " + std::string(find_list_edit(name)->usage));
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
      operands_left = list_edit ? list_edit->operands : 0;
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
