// windows.hpp: parts of the trace of a large file, for programs that show one screen at a time.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/spans.hpp"

namespace dio::report {

/// A trace, indexed once: a query takes time proportional to its answer and to the logarithm of the file size. The
/// bytes of the file must outlive it.
class Windows {
 public:
  explicit Windows(Spans);

  /// A value and some of its children, starting at the child number `from`: {path, name, type, offset, size, value,
  /// show, doc, unit, count, total, members}. `members` have no members; `count`, `total`: the number of children;
  /// `value`: only for numbers and texts; an element has the name `[3]`. Empty members are left out, except `count`,
  /// `total` and `members`. Paths are as people type them (layout/selector.hpp). Nothing if a path selects no value, or
  /// several.
  std::optional<Value> branch_json(std::string_view path, u64 from, u64 count) const;
  /// The spans and gaps that have bytes in [offset, offset + size), in the form of hex_json. For a long run of numbers
  /// or bytes, the value contains only this part; `from` is then the index of its first element or byte in the run, and
  /// a gap has the bytes from `from` on.
  Value spans_json(u64 offset, u64 size) const;
  struct Range {
    u64 offset, size;
  };
  /// The location of a value, by its path as for `branch`.
  std::optional<Range> find_byte_range(std::string_view path) const;
  /// The path of the innermost value with bytes at an offset; for bits that share a unit, the first. Nothing in a gap.
  std::optional<std::string> path_at(u64 offset) const;

 private:
  std::optional<SpanRef> find_spot(std::string_view path) const;
  Value value_summary_json(const SpanRef&) const;
  u64 child_count(u32 span) const;
  /// Calls f(index in entries_) for those that overlap [from, to), in order.
  template <class F>
  void for_each_overlapping(u64 from, u64 to, F&& f) const;

  Spans spans_;
  std::vector<u32> children_;     // child values, span after span
  std::vector<u32> first_child_;  // for each span, and for the end
  std::vector<u32> entries_;      // spans with bytes, and inferred ones, in file order
  std::vector<u64> reach_;        // a tree over entries_: the furthest end below each node
  size_t leaves_ = 1;             // of this tree: a power of two
  std::vector<Gap> gaps_;
};

}  // namespace dio::report
