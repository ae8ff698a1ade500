// edit_steps.hpp: edits as words: what is typed after `dio edit FILE`, stands in a script, and is passed to the C
// interface.
#pragma once
#include <string>
#include <vector>

#include "core/value.hpp"
#include "formats/contract/edits.hpp"

namespace dio {

/// One edit: its name, what it is applied to, and its arguments.
struct EditStep {
  std::string name;
  std::vector<std::string> operands = {};  // paths, for the edits of lists
  std::vector<Argument> arguments = {};
  u64 line = 0;  // of its script, from 1; 0: it is of none
};

/// The edits of lists that every format has, of things that have places, for formats that know places, and of parts.
struct ListEdit {
  std::string_view name;
  std::span<const Parameter> parameters;
  std::string_view about;
  bool needs_places = false;
  bool needs_parts = false;

  bool is_of(const Format&) const;
};
std::span<const ListEdit> list_edits();
const ListEdit* find_list_edit(std::string_view name);
/// An edit that a format has by this name; null if it has none.
const Edit* find_edit(const Format&, std::string_view name);
/// Why a format has no edit of this name, with the names it has.
std::string unknown_edit_message(const Format&, std::string_view name);

/// The first argument that an edit does not have, with the name that was probably meant.
std::optional<Diagnostic> find_unknown_argument(std::span<const Parameter>, std::span<const Argument>);

/// {"schema": "diorama.edits/1", "format", "edits": [{"edit", "usage", "about", "arguments"}]}
Value describe_edits(const Format&, std::string_view format_id);

/// `raise-plate plate=3 by=16 remove GOBJ[3]`: a word without `=` starts the next edit, but for the paths that edits of
/// lists take. `lines`: of a script, where each word is. Ids: edit.argument.
Result<std::vector<EditStep>> parse_edit_steps(std::span<const std::string> words, std::span<const u64> lines = {});

/// The words of a script: a line is one edit; what stands in quotes is one word; # begins a comment. `lines`, if given,
/// gets the line of each, from 1.
std::vector<std::string> tokenize_edit_script(std::string_view text, std::vector<u64>* lines = nullptr);

/// Where `=` stands between a path and a value: not in brackets, as in GOBJ[id=itembox].presence=7.
size_t find_equals(std::string_view word);

}  // namespace dio
