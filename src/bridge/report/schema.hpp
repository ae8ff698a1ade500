// schema.hpp: the possible content of files of a format, learned from files: a JSON Schema for `dio decode`, and tables
// for people.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/contract/any_document.hpp"
#include "layout/spans.hpp"

namespace dio::report {

/// The trees of any number of files merged into one. Elements of lists are merged as well.
class Shape {
 public:
  /// A field, merged from all its occurrences.
  struct Field {
    std::string name;  // empty: an element
    const char* doc = nullptr;
    const char* unit = nullptr;
    const EnumNames* words = nullptr;
    std::vector<Span> kinds;        // one for each kind and wire type; key and offsets have no meaning
    u64 seen = 0;                   // how often
    bool optional = false;          // the containing object is valid without it
    bool derived = false;           // encoding computes it, so lean JSON omits it
    bool confirmed = false;         // confirmed by the format itself
    bool is_target = false;         // an element that numbers refer to, so JSON with ids gives it an "@id"
    bool is_run_length = false;     // the length of a run of elements, which JSON with ids omits
    u64 least = ~u64(0), most = 0;  // the number of elements of a list or bytes of a text
    bool in_place = true;           // it always had this `offset` from the start of the containing object
    u64 offset = 0;
    bool same_size = true;  // it always had this `size`
    u64 size = 0;
    std::vector<std::unique_ptr<Field>> parts;  // members; for a list: its element
    const Field* find(std::string_view member) const;
  };

  void add(const Spans&);
  /// Finds the members that the format does not require although all files have them, by leaving them out one by one.
  void detect_optional_members(Value& document, const Format&);
  /// Finds the elements that numbers refer to, and the lengths of runs. Call it after the last file.
  void mark_referenced_elements();
  const Field& root() const { return root_; }
  /// The field of a path such as `KTPT.entries[0].player` or `KTPT.entries.player`; null if there is none.
  const Field* find(std::string_view path) const;

 private:
  void detect_optional_members(Field&, Value&, Value& document, const Format&);
  void mark_referenced_elements(Field&, std::vector<Field*>& around);
  void merge_span(Field&, const Spans&, u32 span, u64 base);
  Field root_;
};

/// `u16`, `f32`, `list of u8`, `text`; several joined by "or" if the field had several.
std::string format_type(const Shape::Field&);

/// JSON Schema (2020-12) of decoded files of the format, in each form: complete, lean, or with ids. Objects whose
/// members differ between files may have further members.
Value schema_json(const Shape&, std::string_view format, std::string_view title);
/// A table for each structure: offset, field, type, meaning. Headings start at level 2.
std::string schema_markdown(const Shape&);

}  // namespace dio::report
