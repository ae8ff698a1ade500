// selection.hpp: which findings are shown: not those that are ignored, nor those that an earlier run has shown.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bridge/report/findings.hpp"
#include "core/result.hpp"

namespace dio::report {

/// Findings of an earlier run.
class Baseline {
 public:
  Baseline() = default;
  /// Of what `findings_json` made. Ids: check.baseline (it is something else).
  static Result<Baseline> parse(const Value&);

  /// Takes those that the baseline has out of the list. The file, the id and the words are the same, and the path but
  /// for its indices: what is inserted before a place moves it, so that offsets and indices say little. Where there are
  /// more of a kind than in the baseline, those at new paths stay.
  Diagnostics extract_known(Diagnostics&) const;

 private:
  std::map<std::string, std::multiset<std::string>> paths_;  // by diagnostic_key
};

struct Selection {
  std::vector<std::string> ignored;  // ids; wildcards as in core/glob.hpp
  Baseline baseline;
};
/// `ignored`, `known`: how many findings are left out for these reasons.
struct Selected {
  FindingList findings;
  u64 ignored = 0, known = 0;
};
/// The findings that are shown, arranged.
Selected filter_findings(Diagnostics, const Selection&);

}  // namespace dio::report
