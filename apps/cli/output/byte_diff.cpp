#include "byte_diff.hpp"

#include "../command_line/text.hpp"
#include "core/printing.hpp"

namespace dio::cli {

static std::string some(const Bytes& bytes) {
  constexpr size_t k_shown = 16;
  if (bytes.empty()) return "(end of file)";
  if (bytes.size() <= k_shown) return hex_digits(bytes);
  return hex_digits(ByteView(bytes).first(k_shown)) + "... (" + counted(bytes.size(), "byte", "bytes") + ")";
}

std::string byte_diff_text(const std::vector<report::ByteRun>& runs) {
  Table t;
  for (const report::ByteRun& r : runs)
    t.row({hex_number(r.offset, 4), some(r.before) + " -> " + some(r.after), r.path});
  return t.text();
}

}  // namespace dio::cli
