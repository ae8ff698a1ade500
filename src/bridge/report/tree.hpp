// tree.hpp: all values of a file as indented text, and as JSON with the position and meaning of each value.
#pragma once
#include <string>

#include "layout/spans.hpp"

namespace dio::report {

struct TreeOptions {
  int depth = -1;      // levels below the span; -1: all
  bool all = false;    // long lists in full; else their first elements
  bool color = false;  // ANSI colours
};

/// What is below a span, two spaces a level; a leaf gives its own line. Objects that fit on a line stand on one. Ends
/// with a newline.
std::string tree_text(const Spans&, u32 span = 0, const TreeOptions& = {});

/// A leaf as it is shown, an object with its first members, on one line of at most 80 columns.
std::string line_text(const Spans&, u32 span);

/// {name, type, offset, size, value, show, doc, unit, members}; empty members are left out. Lists are always
/// complete.
Value tree_json(const Spans&, u32 span = 0, int depth = -1);

/// One value and what is known of it: {path, type, offset?, size?, show, doc?, unit?, words?: [{value, word}]}.
Value value_json(const Spans&, const SpanRef&);

}  // namespace dio::report
