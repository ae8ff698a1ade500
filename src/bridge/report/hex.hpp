// hex.hpp: a file with every byte annotated: as text for terminals, as JSON, and as a page for browsers.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/diagnostic.hpp"
#include "core/result.hpp"
#include "layout/spans.hpp"

namespace dio::report {

struct HexOptions {
  u64 from = 0, to = ~u64(0);  // only lines of 16 bytes that contain an offset in [from, to)
  std::string path = {};       // only values below this path
  bool unknown_only = false;   // only unreferenced bytes
  bool full = false;           // all lines of long runs; otherwise only the first ones
  bool color = false;          // ANSI colours (text only)
};

/// One line for each field, with its bytes in their columns: offset, hex, characters, `path = value (type)`. Bit fields
/// follow their unit. Ends with a newline; empty if the path has no value.
std::string hex_text(const Spans&, const HexOptions& = {});

/// Same, as a value: {schema, size, spans: [{path, offset, size, type, value, show, doc, bits}], gaps: [{offset, size,
/// hex}]}. Empty members are left out.
Value hex_json(const Spans&, const HexOptions& = {});

/// Whether a span is listed there: it has bytes of its own, or is inferred.
bool is_hex_row(const Span&);
/// One listed span, with the bit fields of a unit: all, or `only_bits`. `part`: only these elements of a number list,
/// or bytes of a byte run, with `from`, the index of the first.
struct SpanPart {
  u64 first, count;
};
Value span_json(const Spans&, const SpanRef&, u32 only_bits = 0, std::optional<SpanPart> part = {});

/// The largest page, in bytes: browsers keep several copies of a page in memory. Small fields need up to 100 bytes
/// each.
inline constexpr u64 k_most_hex_page = 64 << 20;

/// A self-contained page: bytes coloured by field, the tree, the selected field and the findings, all linked. Id:
/// view.size (the page would be larger than `most` bytes).
Result<std::string> hex_html(const Spans&, std::string_view title, const Diagnostics& findings,
                             u64 most = k_most_hex_page);

}  // namespace dio::report
