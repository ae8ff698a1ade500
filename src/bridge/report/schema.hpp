// schema.hpp: what files of a format can hold, learned from files: a JSON Schema of `dio decode`, and tables for
// people.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/contract/any_document.hpp"
#include "layout/spans.hpp"

namespace dio::report {

/// The trees of any number of files laid over each other. Elements of lists are laid over each other, too.
class Shape {
 public:
  /// A field, as it was in all places together.
  struct Field {
    std::string name;  // empty: an element
    const char* doc = nullptr;
    const char* unit = nullptr;
    const EnumNames* words = nullptr;
    std::vector<Span> kinds;        // one of each kind and wire it had; key and places mean nothing
    u64 seen = 0;                   // how often
    bool optional = false;          // what holds it can do without it
    bool derived = false;           // encoding computes it: lean JSON does without it
    bool confirmed = false;         // so says the format itself
    u64 least = ~u64(0), most = 0;  // elements of a list, bytes of a text
    bool in_place = true;           // it always lay at `offset` from the start of what holds it
    u64 offset = 0;
    bool same_size = true;  // it always had `size` bytes
    u64 size = 0;
    std::vector<std::unique_ptr<Field>> parts;  // members; of a list: one, the element
    const Field* find(std::string_view member) const;
  };

  void add(const Spans&);
  /// Finds out which members of a document the format can do without, though they were in all files: by leaving them
  /// out, one by one.
  void detect_optional_members(Value& document, const Format&);
  const Field& root() const { return root_; }
  /// The field of a path such as `KTPT.entries[0].player` or `KTPT.entries.player`; null if there is none.
  const Field* find(std::string_view path) const;

 private:
  void detect_optional_members(Field&, Value&, Value& document, const Format&);
  void merge_span(Field&, const Spans&, u32 span, u64 base);
  Field root_;
};

/// `u16`, `f32`, `list of u8`, `text`; several joined by "or" if the field had several.
std::string format_type(const Shape::Field&);

/// JSON Schema (2020-12) of what `dio decode` writes for the format.
Value schema_json(const Shape&, std::string_view format, std::string_view title);
/// A table for each structure: offset, field, type, meaning. Headings start at level 2.
std::string schema_markdown(const Shape&);

}  // namespace dio::report
