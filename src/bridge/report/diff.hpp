// diff.hpp: how two documents differ in meaning: what was added, removed, changed or moved, whatever the layout of the
// bytes.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/value.hpp"
#include "layout/spans.hpp"

namespace dio::report {

struct Change {
  enum class Kind : u8 { added, removed, changed, moved };
  Kind kind = Kind::changed;
  std::string path_a, path_b;  // where it is in the first and in the second; empty where it is not
  Value before, after;         // null where it is not; both null for what only moved
  std::string was, is;         // the same for people: with words and units where the spans know them
};
using Changes = std::vector<Change>;

std::string_view to_string(Change::Kind);

/// Elements of lists are matched by content: equal ones first, then the most similar ones; an element that only shifted
/// because others were added or removed before it has not moved. Members of objects are matched by name; their order
/// does not count. Of equal values there are no changes. The time grows with the size of the lists, not with its
/// square.
Changes diff(const Value& a, const Value& b);
/// Derived values (Key::placement) are ignored, and so are references that only follow: they lead to the same elements,
/// which have other numbers now. `matched` (see Format::matched) brings the parts of
/// `b` into the order of `a` first; paths are those of both files nevertheless.
Changes diff(const Spans& a, const Spans& b, const std::function<Value(const Value& a, const Value& b)>& matched = {});

/// One line a change: `~ changed`, `+ added`, `- removed`, `> moved`. Empty if there are none.
std::string diff_text(const Changes&, bool color = false);
/// {schema, changes: [{kind, a, b, old, new}]}.
Value diff_json(const Changes&);

}  // namespace dio::report
