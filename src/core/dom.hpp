// dom.hpp: values as JSON text has them, in one array: what such text is read into and written from, and what documents
// become and are made of. core/json knows the text.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "core/value.hpp"

namespace dio {

class ByteSource;  // byte_source.hpp

/// A tree of tokens: 32 bytes a value, and nothing is copied that lies elsewhere: names and texts are views of the text
/// that was read, of the values, or of the document, which must outlive it. Value is for trees that programs look into
/// and change. A file becomes up to a million nodes, so making one allocates nothing.
class Dom {
 public:
  using Id = u32;  // of a value; 0 is the root, which is no one's member: there, it means none
  using Kind = Value::Kind;

  /// The root is null, until something is set.
  Dom() { nodes_.emplace_back(); }
  explicit Dom(const Value& v) : Dom() { set(0, v); }
  /// A copy; values of text know their line and column.
  Value value(Id = 0) const;
  size_t count() const { return nodes_.size(); }

  // ---- looking ----

  Kind kind(Id i) const { return nodes_[i].kind; }
  bool is(Id i, Kind k) const { return kind(i) == k; }
  bool is_tree(Id i) const { return kind(i) >= Kind::list; }
  bool is_number(Id i) const { return is(i, Kind::integer) || is(i, Kind::real); }
  /// Of a member; empty of an element.
  std::string_view name(Id i) const { return {nodes_[i].name, nodes_[i].name_size}; }
  /// The first element or member, the one after it; those that are left out are passed over.
  Id first(Id i) const { return is_tree(i) ? skip_omitted(nodes_[i].children.first) : 0; }
  Id next(Id i) const { return skip_omitted(nodes_[i].next); }
  size_t size(Id) const;
  Id find(Id object, std::string_view name) const;
  /// The digits of a number; the content of a text that is no run of bytes. Empty for trees.
  std::string_view token(Id i) const {
    return is_tree(i) ? std::string_view() : std::string_view(nodes_[i].token, nodes_[i].size);
  }
  /// The content of a text; empty for other kinds.
  std::string_view text(Id i) const { return is(i, Kind::text) ? token(i) : std::string_view(); }
  /// Whether it is the text of a run of bytes, which is written as hex digits.
  bool is_bytes(Id i) const { return nodes_[i].is_bytes; }
  ByteView bytes(Id i) const { return {reinterpret_cast<const u8*>(nodes_[i].token), nodes_[i].size}; }
  /// A number, or a boolean.
  Value number(Id) const;
  /// A value that placing computes again: `Key::is_derived`.
  bool is_derived(Id i) const { return nodes_[i].is_derived; }
  bool is_omitted(Id i) const { return nodes_[i].is_omitted; }

  /// Line and column in the text it was read from, counted from 1; 0 if there is none.
  struct TextPosition {
    u32 line = 0, column = 0;
  };
  TextPosition place(Id) const;
  /// The byte of that text where it begins.
  size_t text_offset_of(Id) const;
  /// The same for values with rising ids, in one pass over the text.
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
  /// A value and all in it; its texts and names are not copied.
  void set(Id, const Value&);
  /// A whole number; `negative`: `bits` are those of an i64.
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
  /// A copy that lives as long as this.
  std::string_view keep(std::string_view);
  ByteView keep(ByteView bytes) {
    const std::string_view kept = keep(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    return {reinterpret_cast<const u8*>(kept.data()), kept.size()};
  }
  /// That runs of bytes outlive also what is made of this.
  void set_bytes_persistent() { bytes_stay_ = true; }
  bool are_bytes_persistent() const { return bytes_stay_; }
  /// The file in which runs of bytes lie, for those who pass over all of them; it must outlive this. Null: not known.
  void set_source_file(const ByteSource& file) { file_ = &file; }
  const ByteSource* file() const { return file_; }

  /// Made of text: where the values stand is known by their tokens, but for trees and for texts that were copied.
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
    u32 size = 0;  // of the token; of a tree: where it begins in the text
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
