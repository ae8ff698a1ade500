// findings.hpp: where checks put what they find.
#pragma once
#include <span>

#include "core/diagnostic.hpp"

namespace dio {

/// Collects what checks find. Places are paths; offsets are looked up afterwards, and only if there is a finding.
class Findings {
 public:
  explicit Findings(std::span<const Rule> rules) : rules_(rules) {}
  /// The severity is the rule's.
  void add(std::string_view id, Place, Said);
  /// One of the severities that the rule states (Rule::also).
  void add(Severity, std::string_view id, Place, Said);
  Diagnostics list;
  u64 file_size = 0;  // of the file the document was read from; 0: there is none

 private:
  std::span<const Rule> rules_;
};

}  // namespace dio
