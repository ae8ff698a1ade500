// spans.hpp: the result of tracing a file: a tree of spans {offset, size or bits, path, type, value}. JSON, annotated
// hex, diff, docs tables, byte coverage and the positions in error messages are functions over it.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/value.hpp"
#include "layout/key.hpp"
#include "layout/wire.hpp"

namespace dio {

struct Span {
  enum class Kind : u8 {
    object,   // members
    list,     // elements
    numbers,  // plain numbers of one wire type, which have no spans of their own
    number,   // a leaf
    text,     // a text of `raw` bytes at `offset`; NULs that fill its field up to `size` are not part of the value
    bytes,    // raw bytes
    bits,     // some bits of a unit
    unit,     // the unit whose bits follow; not a value of the document
    count,    // the number of elements of a list; not a value of the document, because the list determines it
    magic,    // bytes that are always the same; not a value of the document
    inferred  // a value without its own bytes, determined by the geometry of the file
  };
  Key key{nullptr};
  u64 offset = 0, size = 0;  // from the start of the file
  u64 raw = 0;  // number, bits, inferred: the value; signed values extended to 64 bits, floats as their bits
  u32 parent = 0, first = 0, last = 0, next = 0;  // 0: none (span 0 is the root)
  Kind kind = Kind::object;
  Wire wire = Wire::none;
  u8 fraction = 0;              // fixed point: the number of fraction bits
  u8 bit = 0, bits = 0;         // Kind::bits: lowest bit, counted from the least significant, and the number of bits
                                // Wire::decimal: the number of bits that the number may have, including its sign
  bool big = false;             // most significant byte first
  bool two_complement = false;  // Kind::bits: stored as a signed number
  bool padded = false;          // Kind::text: the field is padded with NULs, so a text may be shorter
  bool is_value() const { return kind != Kind::unit && kind != Kind::count && kind != Kind::magic; }
};

/// A number as in JSON; `raw` as in `Span::raw`.
Value number_value(Wire, u8 fraction, u64 raw);
/// A text, or {"hex": "..."} if the bytes are no valid text.
Value text_value(const Key&, ByteView);

/// A range of unreferenced bytes.
struct Gap {
  u64 offset, size;
};

/// One value of a file: a span, or an element of a number list.
struct SpanRef {
  u32 span = 0;
  std::optional<u64> element;  // of Kind::numbers
  u64 offset = 0, size = 0;
};

/// The tree of spans over a file. The bytes of the file must outlive it.
class Spans {
 public:
  std::vector<Span> all{Span{}};  // all[0] is the root object
  ByteView file;

  const Span& operator[](u32 i) const { return all[i]; }
  Span& operator[](u32 i) { return all[i]; }

  /// `KTPT.entries[1].position.x`; empty for the root.
  std::string path(u32 span) const;
  std::string path(const SpanRef&) const;
  /// The value at a path below a span; nothing if there is none.
  std::optional<SpanRef> find(std::string_view path, u32 from = 0) const;
  /// The innermost value at an offset; nothing in a gap.
  std::optional<SpanRef> at(u64 offset) const;
  /// The number of elements of a list, of a number list or of bytes.
  u64 length(u32 list) const;
  u64 count(const Span& numbers) const { return numbers.size / size_of(numbers.wire); }

  /// The value as in JSON: numbers, texts, {"hex": "..."} for texts that are not UTF-8, "0x7fc00000" for non-finite
  /// floats, lowercase hex text for bytes, lists and objects. Includes everything below the span.
  Value value(u32 span) const;
  Value value(const SpanRef&) const;
  /// An element of a number list.
  Value element(const Span& numbers, u64 index) const;
  /// For display, one line: `3 (moving road)`, `1.5`, `"abc"`, `12 elements`, `64 bytes`.
  std::string show(u32 span) const;
  std::string show(const SpanRef&) const;
  /// `u16`, `f32`, `fx16.12` (1.3.12 fixed point), `5 bits`, `text`, `bytes`, `list`, `object`.
  std::string type(u32 span) const;

  /// The byte ranges outside all spans, in order. Spans and gaps add up to the file.
  std::vector<Gap> gaps() const;
  /// Every span with bytes of its own (no objects, lists or bits), in file order.
  std::vector<u32> leaves() const;
  /// A name that is part of a dotted name, kept alive with the spans.
  const char* intern(std::string_view name) { return names_->emplace_back(name).c_str(); }
  /// Reads span values again after their bytes have changed in place: all spans with bytes in these ranges (sizes by
  /// offset). Positions that depend on such numbers are not updated.
  void refresh(u32 span);
  void refresh(const std::map<u64, u64>& runs);
  /// Call when all spans exist: makes `find` fast for long lists.
  void index_lists();
  /// The children of a span, in order.
  template <class F>
  void for_each_child(u32 span, F&& f) const {
    for (u32 i = all[span].first; i; i = all[i].next) f(i);
  }

 private:
  u32 element(u32 list, u64 index) const;

  struct LongList {
    u32 list;   // a span
    u32 first;  // of elements_
    u32 length;
  };
  std::vector<LongList> long_lists_;  // by span
  std::vector<u32> elements_;         // spans
  std::shared_ptr<std::deque<std::string>> names_ = std::make_shared<std::deque<std::string>>();
};

}  // namespace dio
