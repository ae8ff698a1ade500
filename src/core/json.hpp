// json.hpp: text of JSON to values and back.
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
  // Instead: lists and objects of few values are written on one line, however long, so that a line of the text changes
  // only if a value in it does.
  bool by_count = false;
  bool spaces = true;  // after commas and colons
};

/// Floats that came from 32 bits are written with the digits those need and read back the same; -0.0 keeps its sign.
/// Non-finite values must be texts already (see Spans::value). Ends without a newline.
std::string write(const Value&, Style = {});
std::string write(const Dom&, Style = {});

/// On one line, and so that it may stand in a script element of a page: nothing in it can end the element.
std::string write_script_safe(const Value&);

/// Ids: json.syntax, json.duplicate-key, json.depth (more than 128 levels), json.utf8. Values know their line and
/// column.
Result<Value> read(std::string_view text);
/// The same, as views of the text, which must outlive them.
Result<Dom> read_dom(std::string_view text);

/// Long runs of bytes of values: of discs and archives, there is never text of all.
class LongRuns {
 public:
  /// The text has an empty text in the place of each.
  std::string write_without_long_runs(const Dom&, Style);
  /// Takes each through text in pieces, and puts what it has become into the values that were read from the text of the
  /// others: the bytes of the document, if they are the same. The id of the diagnostic is json.syntax.
  Result<bool> restore_runs(Dom& others, std::string_view text) const;

 private:
  struct Run {
    size_t at;  // in the text
    ByteView bytes;
  };
  std::vector<Run> runs_;
  const ByteSource* file_ = nullptr;  // that they lie in
};

/// Values through text of JSON: what `verify` and `lean` (operations/) want to know whether it works.
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
