// diff.hpp: compares two documents by meaning: added, removed, changed and moved parts, independent of the layout of
// the bytes.
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
  std::string path_a, path_b;  // the position in the first and the second document; empty if missing there
  Value before, after;         // null if missing; both null for a move
  std::string was, is;         // the values for people: with words and units if the spans know them
};
using Changes = std::vector<Change>;

std::string_view to_string(Change::Kind);

/// Elements of lists are matched by content: equal ones first, then the most similar ones. An element that only shifted
/// because others were added or removed before it has not moved. Members of objects are matched by name; their order
/// does not count. Equal values have no changes. The time grows with the size of the lists, not with its square.
Changes diff(const Value& a, const Value& b);
/// Derived values (Key::placement) are ignored, and so are references that only follow renumbered targets. `matched`
/// (see Format::matched) first reorders the parts of `b` like those of `a`; paths are still those of both files.
Changes diff(const Spans& a, const Spans& b, const std::function<Value(const Value& a, const Value& b)>& matched = {});

/// One line per change: `~ changed`, `+ added`, `- removed`, `> moved`. Empty if there are none.
std::string diff_text(const Changes&, bool color = false);
/// {schema, changes: [{kind, a, b, old, new}]}.
Value diff_json(const Changes&);

}  // namespace dio::report
