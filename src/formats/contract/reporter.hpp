// reporter.hpp: shared by the checks of all formats: collects findings and words them.
#pragma once
#include <string>
#include <type_traits>
#include <vector>

#include "core/text_format.hpp"
#include "formats/contract/findings.hpp"

namespace dio {

/// Concatenates numbers, texts and characters.
template <class... Part>
std::string text(const Part&... parts) {
  std::string out;
  const auto add = [&out](const auto& part) {
    using T = std::remove_cvref_t<decltype(part)>;
    if constexpr (std::is_floating_point_v<T>)
      out += format_real(part, sizeof part == 4);
    else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char>)
      out += std::to_string(part);
    else
      out += part;
  };
  (add(parts), ...);
  return out;
}

/// Findings, at most 1000 per rule, so that malicious files can neither fill the memory nor hide other findings.
struct Reporter {
  explicit Reporter(Findings& f) : findings(f) {}
  Findings& findings;

  /// With the severity of the rule.
  void report(std::string_view id, Location, DiagnosticText);
  void report(Severity, std::string_view id, Location, DiagnosticText);

 private:
  std::vector<std::pair<std::string, size_t>> counts_;  // may contain ids of removed findings
  bool count_finding(std::string_view id);
};

}  // namespace dio
