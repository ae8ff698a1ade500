// source_text.hpp: a JSON source whose edits change only the text of values and leave everything else unchanged.
#pragma once
#include <map>
#include <memory>

#include "core/json.hpp"
#include "core/result.hpp"
#include "formats/platinum/sources/names.hpp"

namespace dio::platinum {

class SourceText {
 public:
  using Id = Dom::Id;
  /// Error ids: those of JSON.
  static Result<SourceText> read(std::string text, std::string path);
  const Dom& dom() const { return dom_; }

  // ---- reading; the first error is kept in `problem` ----

  mutable std::optional<Diagnostic> problem;
  /// A required member; 0 if it is missing or of another kind.
  Id member(Id object, std::string_view name, Value::Kind) const;
  /// Reads a member with a number.
  i64 read_integer(Id object, std::string_view name, i64 least, i64 most) const;
  i64 read_integer(Id value, i64 least, i64 most) const;
  /// Reads a value that is the name of a number.
  i64 read_named_number(Id value, const SourceNames&, Space) const;
  i64 read_named_number(Id object, std::string_view name, const SourceNames&, Space) const;
  /// Records an error and returns false.
  bool report_expected(Id, std::string expected) const;
  /// A path such as object_events[3].graphics_id.
  std::string json_path_of(Id) const;
  const std::string& path() const { return path_; }
  Diagnostic take_problem() const { return std::move(*problem); }

  // ---- editing ----

  /// Replaces the text of a value.
  void replace(Id, std::string text);
  /// Adds a member after another one.
  void add_member(Id after, std::string_view name, std::string text);
  /// Replaces the elements of a list: old ones with their edits, and new ones as text. Each element starts on its own
  /// line.
  void replace_elements(Id list, const std::vector<std::pair<Id, std::string>>& elements);
  /// Formats a value over several lines in the style of the file, at an indentation.
  static std::string format_json_indented(const Value&, size_t indent);
  /// The indentation of the line in which a value begins.
  size_t line_indent_of(Id) const;
  /// The text with all edits.
  std::string edited() const { return with_edits(0, text_->size()); }

 private:
  struct Edit {
    size_t end;
    std::string text;
  };
  size_t value_end_offset(Id) const;
  std::string with_edits(size_t begin, size_t end) const;
  bool find_path(Id at, Id wanted, std::string& path) const;
  std::unique_ptr<const std::string> text_;
  std::string path_;
  Dom dom_;
  std::map<std::pair<size_t, size_t>, Edit> edits_;  // by start position, then in order of arrival
};

/// A JSON string in quotes.
std::string quote_json(std::string_view);

}  // namespace dio::platinum
