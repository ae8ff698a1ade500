// group_findings.cpp: arranges findings for display and merges equal ones.
#include <map>
#include <set>

#include "bridge/report/findings.hpp"
#include "bridge/report/path_shape.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"

namespace dio::report {

namespace {

/// `2,5-7`. With very many separate indices, only the first.
std::string format_index_ranges(const std::vector<u64>& sorted) {
  constexpr size_t k_most = 8;
  std::string out;
  for (size_t i = 0, n = 0; i < sorted.size(); ++i, ++n) {
    const size_t first = i;
    while (i + 1 < sorted.size() && sorted[i + 1] == sorted[i] + 1) ++i;
    if (n) out += ',';
    if (n == k_most) return out + "...";
    out += std::to_string(sorted[first]);
    if (i > first) out += '-' + std::to_string(sorted[i]);
  }
  return out;
}

/// Merges diagnostics whose paths differ in this index, in their order, into one finding.
Finding merge_diagnostics(Diagnostics those, size_t index) {
  Finding one(std::move(those.front()));
  const auto is_same_as_last_place = [&](const Location& p) {
    const Location& last = one.places.back();
    return last.path == p.path && last.offset == p.offset && last.size == p.size && last.bit == p.bit;
  };
  for (size_t i = 1; i < those.size(); ++i)
    if (!is_same_as_last_place(those[i].place)) one.places.push_back(std::move(those[i].place));
  if (one.places.size() == 1) return one;
  std::set<u64> numbers;
  for (const Location& p : one.places) numbers.insert(PathShape(p.path).index_value(index));
  one.path = PathShape(one.path).replace_index(index, format_index_ranges({numbers.begin(), numbers.end()}));
  return one;
}

/// Groups diagnostics with the same message and the same path shape: each is a finding, or those that differ in one
/// index are merged. Uses the index with the fewest resulting findings; of two equal ones, the inner one.
void merge_similar_diagnostics(const Diagnostics& all, const std::vector<size_t>& alike,
                               std::map<size_t, Finding>& out) {
  const size_t indices = PathShape(all[alike[0]].place.path).size();
  const auto group_ignoring_index = [&](size_t index) {
    std::map<std::string, std::vector<size_t>> parts;
    for (const size_t i : alike) {
      const Location& p = all[i].place;
      // Without an index, only identical diagnostics are merged.
      const std::string rest = indices ? PathShape(p.path).replace_index(index, "") : format_hex(p.offset);
      parts[rest].push_back(i);
    }
    return parts;
  };
  size_t index = indices ? indices - 1 : 0;
  auto parts = group_ignoring_index(index);
  for (size_t other = index; alike.size() > 1 && other-- > 0;)
    if (auto fewer = group_ignoring_index(other); fewer.size() < parts.size()) parts = std::move(fewer), index = other;
  for (const auto& [rest, part] : parts) {
    Diagnostics those;
    for (const size_t i : part) those.push_back(all[i]);
    out.emplace(part.front(), merge_diagnostics(std::move(those), index));
  }
}

}  // namespace

Finding::Finding(Diagnostic d) : said(std::move(d)), places{said.place}, path(said.place.path) {}

FindingList group_findings(Diagnostics all) {
  std::map<std::string, size_t> ranks;  // of files
  for (const Diagnostic& d : all) ranks.try_emplace(d.place.file, ranks.size());
  sort_stably(all, [&](const Diagnostic& a, const Diagnostic& b) {
    if (a.place.file != b.place.file) return ranks.at(a.place.file) < ranks.at(b.place.file);
    if (a.severity != b.severity) return a.severity > b.severity;
    return a.place.offset + 1 < b.place.offset + 1;  // diagnostics without an offset come first
  });
  std::map<std::string, std::vector<size_t>> alike;
  for (size_t i = 0; i < all.size(); ++i)
    alike[diagnostic_key(all[i]) + std::string(to_string(all[i].severity))].push_back(i);
  std::map<size_t, Finding> findings;  // by the first of its diagnostics
  for (const auto& [words, those] : alike) merge_similar_diagnostics(all, those, findings);
  FindingList out;
  for (auto& [first, finding] : findings) out.push_back(std::move(finding));
  return out;
}

}  // namespace dio::report
