// tree.hpp: all values of a file as indented text, and as JSON with the position and meaning of each value.
#pragma once
#include <string>

#include "layout/spans.hpp"

namespace dio::report {

struct TreeOptions {
  int depth = -1;      // levels below the span; -1: all
  bool all = false;    // show long lists in full; otherwise only their first elements
  bool color = false;  // ANSI colours
};

/// Everything below the span, indented by two spaces per level; a leaf gives its own line. Objects that fit on a line
/// are written on one. Ends with a newline.
std::string tree_text(const Spans&, u32 span = 0, const TreeOptions& = {});

/// A leaf as displayed, or an object with its first members, on one line of at most 80 columns.
std::string line_text(const Spans&, u32 span);

/// {name, type, offset, size, value, show, doc, unit, members}; empty members are left out. Lists are always
/// complete.
Value tree_json(const Spans&, u32 span = 0, int depth = -1);

/// One value and its description: {path, type, offset?, size?, show, doc?, unit?, words?: [{value, word}]}.
Value value_json(const Spans&, const SpanRef&);

}  // namespace dio::report
