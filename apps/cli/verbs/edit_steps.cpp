#include "edit_steps.hpp"

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"

namespace dio::cli {

std::span<const ListEdit> list_edits() {
  static constexpr ListEdit k_edits[] = {
      {"add", "LIST [before=N|after=N] [FIELD=VALUE...]",
       "Adds an element to a list. Fields that are not given are 0, empty, or refer to nothing. An element that is "
       "added beside another joins its group.",
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
      {"set", "PATH=VALUE...", "Sets values, as `dio set` does.", 0}};
  return k_edits;
}

const ListEdit* find_list_edit(std::string_view name) {
  for (const ListEdit& e : list_edits())
    if (e.name == name) return &e;
  return nullptr;
}

size_t find_equals(std::string_view word) {
  int depth = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    depth += word[i] == '[', depth -= word[i] == ']';
    if (word[i] == '=' && depth <= 0) return i;
  }
  return word.npos;
}

std::vector<EditStep> edit_steps(const Request& request, const std::vector<std::string>& words, Report& wrong) {
  std::vector<EditStep> steps;
  size_t operands_left = 0;
  const auto incomplete = [&] {
    if (!operands_left) return false;
    const ListEdit& e = *find_list_edit(steps.back().name);
    fail_usage(wrong, request, steps.back().name + " needs " + std::string(e.usage));
    return true;
  };
  for (const std::string& word : words) {
    const size_t equals = find_equals(word);
    if (equals == word.npos && operands_left) {
      steps.back().operands.push_back(word);
      --operands_left;
    } else if (incomplete()) {
      return {};
    } else if (equals == word.npos) {
      steps.push_back({word, {}, {}});
      const ListEdit* list_edit = find_list_edit(word);
      operands_left = list_edit ? list_edit->operands : 0;
    } else if (equals == 0 || steps.empty()) {
      fail_usage(wrong, request, "unknown edit or argument " + in_quotes(word));
    } else {
      steps.back().arguments.push_back({word.substr(0, equals), word.substr(equals + 1)});
    }
  }
  incomplete();
  return steps;
}

std::vector<std::string> words_of_script(std::string_view text) {
  std::vector<std::string> out;
  bool in_word = false, in_comment = false;
  char quote = 0;
  for (const char c : text) {
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

}  // namespace dio::cli
