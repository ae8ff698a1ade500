#include "layout/walks.hpp"

namespace dio {

std::vector<Gap> merged_runs(Reader& r) {
  std::sort(r.described.begin(), r.described.end());
  std::vector<Gap> out;
  for (const auto& [from, to] : r.described) {
    if (!out.empty() && from <= out.back().offset + out.back().size) {
      const u64 end = std::max(to, out.back().offset + out.back().size);
      out.back().size = end - out.back().offset;
    } else
      out.push_back({from, to - from});
  }
  return out;
}

std::vector<Residue> residue_between(const std::vector<Gap>& runs, ByteView file) {
  std::vector<Residue> out;
  u64 at = 0;
  const auto gap = [&](u64 to) {
    if (to > at) out.push_back({at, Bytes(file.begin() + std::ptrdiff_t(at), file.begin() + std::ptrdiff_t(to))});
  };
  for (const Gap& run : runs) {
    gap(run.offset);
    at = run.offset + run.size;
  }
  gap(file.size());
  return out;
}

std::optional<Diagnostic> would_lose(const std::vector<Residue>& residue, u64 size, u8 fill) {
  for (const Residue& r : residue) {
    if (r.offset + r.bytes.size() == size) continue;  // stays behind the end
    if (std::all_of(r.bytes.begin(), r.bytes.end(), [&](u8 b) { return b == 0 || b == fill; })) continue;
    return make_diagnostic("layout.loses", Place::of_bytes(r.offset, r.bytes.size()),
                           {.expected = "only padding between the parts of an edited file",
                            .found = std::to_string(r.bytes.size()) + " bytes that belong to no part",
                            .hint = "--lossy drops them"});
  }
  return {};
}

Diagnostic refusal_of(const Trail& t) {
  return make_diagnostic(t.id, t.path, {.expected = t.expected, .found = "a document that holds something else"});
}

}  // namespace dio
