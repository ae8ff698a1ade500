// findings.hpp: collects the findings of checks.
#pragma once
#include <set>
#include <span>
#include <string>

#include "core/diagnostic.hpp"

namespace dio {

/// The findings of checks. Places are paths; offsets are looked up afterwards, and only if there is a finding.
class Findings {
 public:
  explicit Findings(std::span<const Rule> rules) : rules_(rules) {}
  /// With the severity of the rule.
  void add(std::string_view id, Location, DiagnosticText);
  /// One of the severities that the rule states (Rule::also).
  void add(Severity, std::string_view id, Location, DiagnosticText);
  Diagnostics list;
  u64 file_size = 0;  // of the file the document was read from; 0: none
  /// The paths of references that lead to elements in another file, so that the elements are not missing here.
  std::set<std::string> references_elsewhere;

 private:
  std::span<const Rule> rules_;
};

}  // namespace dio
