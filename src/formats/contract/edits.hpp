// edits.hpp: named edits and questions, and their arguments.
#pragma once
#include <string>

#include "formats/contract/any_document.hpp"

namespace dio {

/// An argument of an edit, as typed: plate=3.
struct Argument {
  std::string name, value;
};
/// A named edit: `dio edit FILE raise-plate plate=3 by=16`.
struct Edit {
  std::string_view name;   // raise-plate
  std::string_view usage;  // "plate=N by=UNITS"
  std::string_view about;  // one line
  /// Edits the document and returns what was done. Ids: edit.argument, and those of the format.
  Result<std::string> (*apply)(AnyDocument&, std::span<const Argument>);
  /// If it makes parts of a file from others: whether edits of lists and values that made `is` of `was` have changed
  /// what it makes them from. Then it is applied after them, with the arguments it had last.
  bool (*is_stale)(const AnyDocument& was, const AnyDocument& is) = nullptr;
  /// And the members of the document that it makes.
  std::span<const std::string_view> makes = {};
  /// Whether a path leads to what it makes, or into it.
  bool is_generated_path(std::string_view path) const;
};
/// A question about a position in what a file describes: `dio explain land.bin#height@8,24`.
struct Question {
  std::string_view name;   // height
  std::string_view usage;  // "X,Z"
  std::string_view about;  // one line
  /// Ids: question.argument.
  Result<Value> (*answer)(const AnyDocument&, std::string_view argument);
};
std::span<const Edit> edits_of(const Format&);
std::span<const Question> questions_of(const Format&);

/// A repair that was applied.
struct Repair {
  std::string id;     // of the rule that found it
  std::string path;   // what was repaired
  std::string about;  // "17 colours became 18"
};

}  // namespace dio
