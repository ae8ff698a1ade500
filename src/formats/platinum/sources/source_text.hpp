// source_text.hpp: a source in JSON, with its values in the text: edits change the text of values and leave the rest as
// it is.
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
  /// Ids: those of JSON.
  static Result<SourceText> read(std::string text, std::string path);
  const Dom& dom() const { return dom_; }

  // ---- looking; what is wrong first is kept in `problem` ----

  mutable std::optional<Diagnostic> problem;
  /// A member that has to be there; 0 if it is missing or not of that kind.
  Id member(Id object, std::string_view name, Value::Kind) const;
  /// A member with a number.
  i64 read_integer(Id object, std::string_view name, i64 least, i64 most) const;
  i64 read_integer(Id value, i64 least, i64 most) const;
  /// A value that is the name of a number.
  i64 read_named_number(Id value, const SourceNames&, Space) const;
  i64 read_named_number(Id object, std::string_view name, const SourceNames&, Space) const;
  /// Notes what is wrong, and returns false.
  bool report_expected(Id, std::string expected) const;
  /// object_events[3].graphics_id
  std::string json_path_of(Id) const;
  const std::string& path() const { return path_; }
  Diagnostic take_problem() const { return std::move(*problem); }

  // ---- editing ----

  /// Gives a value another text.
  void replace(Id, std::string text);
  /// Puts a member after another one.
  void add_member(Id after, std::string_view name, std::string text);
  /// Gives a list other elements: those that it has, with their edits, and new ones as text. Each is in a line of its
  /// own, or begins in one.
  void replace_elements(Id list, const std::vector<std::pair<Id, std::string>>& elements);
  /// A value in several lines, as the others of the file are, for a place where the line is indented so far.
  static std::string format_json_indented(const Value&, size_t indent);
  /// How far the line is indented in which a value begins.
  size_t line_indent_of(Id) const;
  /// With all edits.
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
  std::map<std::pair<size_t, size_t>, Edit> edits_;  // by where they begin, and in the order they came in
};

/// A text in quotes.
std::string quote_json(std::string_view);

}  // namespace dio::platinum
