// json.hpp: converts JSON text to values and back.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/dom.hpp"
#include "core/result.hpp"

namespace dio::json {

struct Style {
  int indent = 2;   // 0: all on one line
  int width = 100;  // lists and objects that fit in this many columns are written on one line (with indent > 0)
  // Alternative: lists and objects with few values are written on one line of any length, so that a line of the text
  // changes only if one of its values does.
  bool by_count = false;
  bool spaces = true;  // after commas and colons
};

/// Floats that came from 32 bits are written with the digits they need and read back unchanged; -0.0 keeps its sign.
/// Non-finite values must already be texts (see Spans::value). The text does not end with a newline.
std::string write(const Value&, Style = {});
std::string write(const Dom&, Style = {});

/// Writes one line that is safe inside a script element of a page: nothing in it can end the element.
std::string write_script_safe(const Value&);

/// Ids: json.syntax, json.duplicate-key, json.depth (more than 128 levels), json.utf8. Values know their line and
/// column.
Result<Value> read(std::string_view text);
/// Same, as views of the text, which must outlive them.
Result<Dom> read_dom(std::string_view text);

/// Long byte runs of values, such as those of discs and archives, which are never converted to text as a whole.
class LongRuns {
 public:
  /// The text contains an empty text in place of each run.
  std::string write_without_long_runs(const Dom&, Style);
  /// Converts each run to text in pieces and checks that it reads back as the same bytes. The values parsed from the
  /// remaining text then refer to the bytes of the document. The diagnostic has the id json.syntax.
  Result<bool> restore_runs(Dom& others, std::string_view text) const;

 private:
  struct Run {
    size_t at;  // in the text
    ByteView bytes;
  };
  std::vector<Run> runs_;
  const ByteSource* file_ = nullptr;  // that they lie in
};

/// Converts values to JSON text and back: `verify` and `lean` (operations/) use it to check that this works.
inline auto round_trip_as_json(Style style = {}) {
  return [style](const Dom& dom, const auto& parsed) -> decltype(parsed(dom)) {
    LongRuns runs;
    const std::string text = runs.write_without_long_runs(dom, style);
    auto again = read_dom(text);
    if (!again) return refuse(std::move(again.error()));
    if (auto back = runs.restore_runs(*again, text); !back) return refuse(std::move(back.error()));
    return parsed(*again);
  };
}

}  // namespace dio::json
