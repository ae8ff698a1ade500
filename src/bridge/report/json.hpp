// json.hpp: text of JSON to values and back.
#pragma once
#include <string>

#include "core/dom.hpp"
#include "core/result.hpp"

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
std::string write(const Dom&, Style = {});

/// On one line, and so that it may stand in a script element of a page: nothing in it can end the element.
std::string write_for_script(const Value&);

/// Ids: json.syntax, json.duplicate-key, json.depth (more than 128 levels), json.utf8. Values know their line and
/// column.
Result<Value> read(std::string_view text);
/// The same, as views of the text, which must outlive them.
Result<Dom> read_dom(std::string_view text);

/// Values through text of JSON: what `verify` and `lean` (operations/) want to know whether it works.
inline auto through_text(Style style = {}) {
  return [style](const Dom& dom, const auto& parsed) -> decltype(parsed(dom)) {
    const std::string text = write(dom, style);
    const auto again = read_dom(text);
    if (!again) return refuse(std::move(again.error()));
    return parsed(*again);
  };
}

}  // namespace dio::json
