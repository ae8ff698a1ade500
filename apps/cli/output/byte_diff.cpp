#include "byte_diff.hpp"

#include "../command_line/text.hpp"
#include "core/text_format.hpp"

namespace dio::cli {

static std::string hex_preview(const Bytes& bytes) {
  constexpr size_t k_shown = 16;
  if (bytes.empty()) return "(end of file)";
  if (bytes.size() <= k_shown) return encode_hex(bytes);
  return encode_hex(ByteView(bytes).first(k_shown)) + "... (" + format_count(bytes.size(), "byte", "bytes") + ")";
}

std::string byte_diff_text(const std::vector<report::ByteRun>& runs) {
  Table t;
  for (const report::ByteRun& r : runs)
    t.add_row({format_hex(r.offset, 4), hex_preview(r.before) + " -> " + hex_preview(r.after), r.path});
  return t.text();
}

}  // namespace dio::cli
