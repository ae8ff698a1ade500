// findings.hpp: collects the findings of checks.
#pragma once
#include <set>
#include <span>
#include <string>

#include "core/diagnostic.hpp"

namespace dio {

/// Collects the findings of checks. Locations are paths; offsets are looked up later, and only if there is a finding.
class Findings {
 public:
  explicit Findings(std::span<const Rule> rules) : rules_(rules) {}
  /// With the severity of the rule.
  void add(std::string_view id, Location, DiagnosticText);
  /// Takes one of the severities of the rule (Rule::also).
  void add(Severity, std::string_view id, Location, DiagnosticText);
  Diagnostics list;
  u64 file_size = 0;  // of the source file of the document; 0: none
  /// The paths of references to elements in another file; such elements are not missing here.
  std::set<std::string> references_elsewhere;

 private:
  std::span<const Rule> rules_;
};

}  // namespace dio
