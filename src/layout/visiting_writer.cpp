#include "layout/visiting_writer.hpp"

#include <algorithm>
#include <array>

namespace dio {

/// The number as stored in the file.
static void store_number(Number n, bool swap, u8* to) {
  const auto* from = static_cast<const u8*>(n.at);
  if (swap && n.wire != Wire::fourcc)
    std::reverse_copy(from, from + n.size(), to);
  else
    std::copy(from, from + n.size(), to);
}

void VisitingWriter::put(Number n, const Key& k) {
  std::array<u8, 8> bytes{};
  store_number(n, w.swap, bytes.data());
  w.put(bytes.data(), n.size(), k);
}

bool VisitingWriter::numbers(const Key& k, List xs, Wire wire, u8) {
  const size_t n = xs.size(), each = size_of(wire);
  Bytes block(n * each);
  auto* from = static_cast<u8*>(xs.type->data(xs.at));
  for (size_t i = 0; i < n; ++i) store_number({from + i * each, wire}, w.swap, &block[i * each]);
  open(k, Span::Kind::list);
  w.put(block.data(), block.size(), k_the_structure);
  close(k);
  return true;
}

void VisitingWriter::decimal_number(const Key& k, Number n, const char* end) {
  if (is_signed(n.wire))
    w.decimal(k, i64(n.raw()), end);
  else
    w.decimal(k, n.raw(), end);
}

void VisitingWriter::visit_implied_length(u64 n, List xs, u64) {
  if (xs.size() != n) w.trail.refuse_length(n, xs.size());
}

void VisitingWriter::leave_file() {
  w.leave(files_.back());
  files_.pop_back();
}

}  // namespace dio
