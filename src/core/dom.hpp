// dom.hpp: JSON-like values in one array. JSON text is parsed into it and written from it, and documents are converted
// to and from it. core/json handles the text.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "core/value.hpp"

namespace dio {

class ByteSource;  // byte_source.hpp

/// A tree of tokens with 32 bytes per value. Nothing is copied: names and texts are views of the parsed text, of the
/// values or of the document, which must outlive the tree. Use Value for trees that programs inspect and change. A file
/// can become up to a million nodes, so creating a node allocates nothing.
class Dom {
 public:
  using Id = u32;  // index of a value; 0 is the root, which is nobody's member, so as a member it means none
  using Kind = Value::Kind;

  /// The root is null until it is set.
  Dom() { nodes_.emplace_back(); }
  explicit Dom(const Value& v) : Dom() { set(0, v); }
  /// A copy; values know the line and column of their text.
  Value value(Id = 0) const;
  size_t count() const { return nodes_.size(); }

  // ---- looking ----

  Kind kind(Id i) const { return nodes_[i].kind; }
  bool is(Id i, Kind k) const { return kind(i) == k; }
  bool is_tree(Id i) const { return kind(i) >= Kind::list; }
  bool is_number(Id i) const { return is(i, Kind::integer) || is(i, Kind::real); }
  /// The name of a member; empty for an element.
  std::string_view name(Id i) const { return {nodes_[i].name, nodes_[i].name_size}; }
  /// The first element or member, and the next one; omitted values are skipped.
  Id first(Id i) const { return is_tree(i) ? skip_omitted(nodes_[i].children.first) : 0; }
  Id next(Id i) const { return skip_omitted(nodes_[i].next); }
  size_t size(Id) const;
  Id find(Id object, std::string_view name) const;
  /// The digits of a number, or the content of a text that is not a byte run. Empty for trees.
  std::string_view token(Id i) const {
    return is_tree(i) ? std::string_view() : std::string_view(nodes_[i].token, nodes_[i].size);
  }
  /// The content of a text; empty for other kinds.
  std::string_view text(Id i) const { return is(i, Kind::text) ? token(i) : std::string_view(); }
  /// Whether the text is a byte run, which is written as hex digits.
  bool is_bytes(Id i) const { return nodes_[i].is_bytes; }
  ByteView bytes(Id i) const { return {reinterpret_cast<const u8*>(nodes_[i].token), nodes_[i].size}; }
  /// A number, or a boolean.
  Value number(Id) const;
  /// A value that placement computes again: `Key::is_derived`.
  bool is_derived(Id i) const { return nodes_[i].is_derived; }
  bool is_omitted(Id i) const { return nodes_[i].is_omitted; }

  /// Line and column in the parsed text, counted from 1; 0 if there is none.
  struct TextPosition {
    u32 line = 0, column = 0;
  };
  TextPosition place(Id) const;
  /// The offset in that text where the value starts.
  size_t text_offset_of(Id) const;
  /// Same, for values with rising ids, in one pass over the text.
  class TextPositionScanner {
   public:
    explicit TextPositionScanner(std::string_view text) : text_(text) {}
    TextPosition of(size_t byte);

   private:
    std::string_view text_;
    size_t at_ = 0;
    TextPosition here_{1, 1};
  };

  // ---- making ----

  void expect(size_t values) { nodes_.reserve(values); }
  /// Appends a null. Names are not copied.
  Id add(Id parent, std::string_view name = {});
  /// An empty list or object.
  void set_tree(Id i, Kind k) {
    nodes_[i].kind = k;
    nodes_[i].children = {};
    nodes_[i].size = 0;
  }
  /// A value with everything inside it; its texts and names are not copied.
  void set(Id, const Value&);
  /// A whole number; if `negative`, `bits` are those of an i64.
  void set_integer(Id, u64 bits, bool negative = false);
  void set_text(Id i, std::string_view text) { set_token(i, Kind::text, text); }
  void set_token(Id i, Kind k, std::string_view token) {
    nodes_[i].kind = k;
    nodes_[i].token = token.data();
    nodes_[i].size = u32(token.size());
  }
  void set_bytes(Id i, ByteView bytes) {
    set_token(i, Kind::text, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    nodes_[i].is_bytes = true;
  }
  void set_derived(Id i) { nodes_[i].is_derived = true; }
  void leave_out(Id i, bool out) { nodes_[i].is_omitted = out; }
  /// A copy that lives as long as this tree.
  std::string_view keep(std::string_view);
  ByteView keep(ByteView bytes) {
    const std::string_view kept = keep(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    return {reinterpret_cast<const u8*>(kept.data()), kept.size()};
  }
  /// Declares that byte runs also outlive everything made from this tree.
  void set_bytes_persistent() { bytes_stay_ = true; }
  bool are_bytes_persistent() const { return bytes_stay_; }
  /// The file that contains the byte runs, for callers that visit all of them; it must outlive this tree. Null if
  /// unknown.
  void set_source_file(const ByteSource& file) { file_ = &file; }
  const ByteSource* file() const { return file_; }

  /// Parsed from text: token positions give the positions of values, except for trees and copied texts.
  void set_source_text(std::string_view text) { text_ = text; }
  void set_place(Id, size_t byte);

 private:
  struct Children {
    Id first, last;
  };
  struct Node {
    const char* name = nullptr;
    union {
      const char* token = nullptr;
      Children children;
    };
    u32 name_size = 0;
    u32 size = 0;  // of the token; for a tree, its start in the text
    Id next = 0;
    Kind kind = Kind::null;
    bool is_bytes = false, is_derived = false, is_omitted = false;
  };
  static_assert(sizeof(Node) <= 32);

  std::vector<Node> nodes_;
  std::string_view text_;
  struct Copied {
    Id text;
    u32 byte;  // where it begins
  };
  std::vector<Copied> copied_;  // by id
  std::vector<std::unique_ptr<char[]>> kept_;
  char *free_ = nullptr, *end_of_free_ = nullptr;
  bool bytes_stay_ = false;
  const ByteSource* file_ = nullptr;

  Id skip_omitted(Id i) const {
    while (i && nodes_[i].is_omitted) i = nodes_[i].next;
    return i;
  }
  char* ensure_capacity(size_t);
  Value value(Id, TextPositionScanner&) const;
};

}  // namespace dio
