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
    Diagnostic d;
    d.id = "layout.loses";
    d.place.offset = r.offset;
    d.place.size = r.bytes.size();
    d.expected = "only padding between the parts of an edited file";
    d.found = std::to_string(r.bytes.size()) + " bytes that belong to no part";
    d.hint = "--lossy drops them";
    return d;
  }
  return {};
}

Diagnostic refusal_of(const Trail& t) {
  Diagnostic d;
  d.id = t.id;
  d.place.path = t.path;
  d.expected = t.expected;
  d.found = "a document that holds something else";
  return d;
}

}  // namespace dio
