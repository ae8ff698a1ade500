#include "formats/contract/findings.hpp"

#include "formats/contract/reporter.hpp"

namespace dio {

void Findings::add(std::string_view id, Location place, DiagnosticText said) {
  Severity severity = Severity::error;
  for (const Rule& r : rules_)
    if (r.id == id) severity = r.severity;
  add(severity, id, std::move(place), std::move(said));
}

void Findings::add(Severity severity, std::string_view id, Location place, DiagnosticText said) {
  list.push_back(make_diagnostic(severity, id, std::move(place), std::move(said)));
}

void Reporter::report(std::string_view id, Location place, DiagnosticText said) {
  if (count_finding(id)) findings.add(id, std::move(place), std::move(said));
}

void Reporter::report(Severity severity, std::string_view id, Location place, DiagnosticText said) {
  if (count_finding(id)) findings.add(severity, id, std::move(place), std::move(said));
}

bool Reporter::count_finding(std::string_view id) {
  constexpr size_t k_most_of_a_rule = 1000;  // more than any file of a game has
  for (auto& [counted, n] : counts_)
    if (counted == id) return n++ < k_most_of_a_rule;
  counts_.emplace_back(id, 1);
  return true;
}

}  // namespace dio
