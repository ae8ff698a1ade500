// edits.hpp: named edits and questions, and their arguments.
#pragma once
#include <memory>
#include <string>

#include "formats/contract/any_document.hpp"
#include "formats/contract/parameters.hpp"

namespace dio {

/// An argument of an edit, as typed: plate=3.
struct Argument {
  std::string name, value;
  std::shared_ptr<const Bytes> content = {};  // of the file that `value` names, for ParameterKind::file
};
/// A named edit: `dio edit FILE raise-plate plate=3 by=16`.
struct Edit {
  std::string_view name;  // raise-plate
  std::span<const Parameter> parameters;
  std::string_view about;  // one line
  /// Edits the document and returns a description of the change. Ids: edit.argument, and those of the format.
  Result<std::string> (*apply)(AnyDocument&, std::span<const Argument>);
  /// For an edit that generates parts of a file from other parts: whether list and value edits that changed `was` to
  /// `is` have changed its sources. The edit then runs after them, with its last arguments.
  bool (*is_stale)(const AnyDocument& was, const AnyDocument& is) = nullptr;
  /// The members of the document that it generates.
  std::span<const std::string_view> makes = {};
  /// Whether a path is one of the generated members, or inside one.
  bool is_generated_path(std::string_view path) const;
};
/// A question about a position in a file: `dio explain land.bin#height@8,24`.
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
