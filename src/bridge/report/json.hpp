// json.hpp: text of JSON to values and back.
#pragma once
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/value.hpp"

namespace dio {
class Spans;
}

namespace dio::json {

struct Style {
  int indent = 2;   // 0: all on one line
  int width = 100;  // lists and objects that fit in this many columns are written on one line (with indent > 0)
  // Instead: lists and objects of few values are written on one line, however long, so that a line of the text changes
  // only if a value in it does.
  bool by_count = false;
};

/// Floats that came from 32 bits are written with the digits those need and read back the same; -0.0 keeps its sign.
/// Non-finite values must be texts already (see Spans::value). Ends without a newline.
std::string write(const Value&, Style = {});
/// `head` followed by the member `document`, written from the spans: the same text as for the values, without building
/// them. Without the spans in `left_out`, if there are any.
std::string write_document(const Value& head, const Spans&, Style = {}, const std::vector<bool>& left_out = {});

/// On one line, and so that it may stand in a script element of a page: nothing in it can end the element.
std::string write_for_script(const Value&);

/// Ids: json.syntax, json.duplicate-key, json.depth (more than 128 levels), json.utf8. Values know their line and
/// column.
Result<Value> read(std::string_view text);

}  // namespace dio::json
