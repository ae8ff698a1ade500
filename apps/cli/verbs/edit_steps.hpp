// edit_steps.hpp: the steps of `dio edit`, as they are typed or stand in a script.
#pragma once
#include <string>
#include <vector>

#include "../command_line/request.hpp"
#include "formats/contract/edits.hpp"

namespace dio::cli {

/// One edit: its name, what it is applied to, and its arguments.
struct EditStep {
  std::string name;
  std::vector<std::string> operands;  // paths, for the edits of lists
  std::vector<Argument> arguments;
};

/// The edits of lists that every format has.
struct ListEdit {
  std::string_view name, usage, about;
  size_t operands;
};
std::span<const ListEdit> list_edits();
const ListEdit* find_list_edit(std::string_view name);

/// `raise-plate plate=3 by=16 remove GOBJ[3]`: a word without `=` starts the next edit, but for the paths that edits of
/// lists take. Nothing, and a usage error in the report, if that cannot be.
std::vector<EditStep> edit_steps(const Request&, const std::vector<std::string>& words, Report&);

/// The words of a script: a line is one edit; what stands in quotes is one word; # begins a comment.
std::vector<std::string> words_of_script(std::string_view text);

/// Where `=` stands between a path and a value: not in brackets, as in GOBJ[id=itembox].presence=7.
size_t find_equals(std::string_view word);

}  // namespace dio::cli
