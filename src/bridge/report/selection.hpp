// selection.hpp: selects the displayed findings: without ignored ones and those of an earlier run.
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
  /// Reads the output of `findings_json`. Ids: check.baseline (the file is something else).
  static Result<Baseline> parse(const Value&);

  /// Removes the findings of the baseline from the list: those with the same file, id and message, and the same path
  /// except for indices. An insertion moves later locations, so offsets and indices are unreliable. If there are more
  /// such findings than in the baseline, those at new paths stay.
  Diagnostics extract_known(Diagnostics&) const;

 private:
  std::map<std::string, std::multiset<std::string>> paths_;  // by diagnostic_key
};

struct Selection {
  std::vector<std::string> ignored;  // ids; wildcards as in core/glob.hpp
  Baseline baseline;
};
/// `ignored`, `known`: the number of findings left out for these reasons.
struct Selected {
  FindingList findings;
  u64 ignored = 0, known = 0;
};
/// The displayed findings, arranged.
Selected filter_findings(Diagnostics, const Selection&);

}  // namespace dio::report
