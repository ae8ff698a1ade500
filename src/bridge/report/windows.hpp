// windows.hpp: parts of the trace of a large file, for programs that show a screenful at a time.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/spans.hpp"

namespace dio::report {

/// A trace, indexed once: each question takes time for its answer, and the logarithm of the size of the file. The bytes
/// of the file must outlive it.
class Windows {
 public:
  explicit Windows(Spans);

  /// A value and some of its children, from the one with the number `from` on: {path, name, type, offset, size, value,
  /// show, doc, unit, count, total, members}. `members` have no members; `count`, `total`: how many children there are;
  /// `value`: of numbers and texts only; an element has the name `[3]`. Empty members are left out, but not `count`,
  /// `total` and `members`. Paths are as people type them (layout/selector.hpp). Nothing if one means no value, or
  /// several.
  std::optional<Value> branch_json(std::string_view path, u64 from, u64 count) const;
  /// The spans and gaps that have bytes in [offset, offset + size), as hex_json has them. Of a long run of numbers or
  /// bytes only what lies there is the value; `from` is then the number of its first element or byte in the run, and a
  /// gap has the bytes from `from` on.
  Value spans_json(u64 offset, u64 size) const;
  struct Range {
    u64 offset, size;
  };
  /// Where a value is, by its path as for `branch`.
  std::optional<Range> find_byte_range(std::string_view path) const;
  /// The path of the innermost value with bytes at an offset; of bits that share a unit, the first. Nothing in a gap.
  std::optional<std::string> path_at(u64 offset) const;

 private:
  std::optional<SpanRef> find_spot(std::string_view path) const;
  Value value_summary_json(const SpanRef&) const;
  u64 child_count(u32 span) const;
  /// Calls f(number in entries_) for those that reach into [from, to), in their order.
  template <class F>
  void for_each_overlapping(u64 from, u64 to, F&& f) const;

  Spans spans_;
  std::vector<u32> children_;     // values, of one span after the other
  std::vector<u32> first_child_;  // of each span, and the end
  std::vector<u32> entries_;      // spans with bytes, and inferred ones, in the order of the file
  std::vector<u64> reach_;        // a tree over entries_: the furthest end below each of its nodes
  size_t leaves_ = 1;             // of this tree: a power of two
  std::vector<Gap> gaps_;
};

}  // namespace dio::report
