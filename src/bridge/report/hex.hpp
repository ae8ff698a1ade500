// hex.hpp: a file with every byte annotated: as text for terminals, as JSON, and as a page for a browser.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/diagnostic.hpp"
#include "layout/spans.hpp"

namespace dio::report {

struct HexOptions {
  u64 from = 0, to = ~u64(0);  // only the lines of 16 bytes that hold an offset in [from, to)
  std::string path = {};       // only what lies below this path
  bool unknown_only = false;   // only unreferenced bytes
  bool full = false;           // every line of long runs; else their first ones
  bool color = false;          // ANSI colours (text only)
};

/// One line a field, its bytes in their columns: offset, hex, characters, `path = value (type)`. Bit fields stand below
/// their unit. Ends with a newline; empty if the path names nothing.
std::string hex_text(const Spans&, const HexOptions& = {});

/// The same as a value: {schema, size, spans: [{path, offset, size, type, value, show, doc, bits}], gaps: [{offset,
/// size, hex}]}. Empty members are left out.
Value hex_json(const Spans&, const HexOptions& = {});

/// Whether a span is one of those: it has bytes of its own, or is inferred.
bool is_hex_row(const Span&);
/// One span of it, with the bit fields of a unit: all, or `only_bits`. `part`: only these elements of a run of numbers,
/// or bytes of a run of bytes, with `from`, the number of the first.
struct SpanPart {
  u64 first, count;
};
Value span_json(const Spans&, const SpanRef&, u32 only_bits = 0, std::optional<SpanPart> part = {});

/// A self-contained page: bytes coloured by field, the tree, the selected field and the findings, all linked.
std::string hex_html(const Spans&, std::string_view title, const Diagnostics& findings);

}  // namespace dio::report
