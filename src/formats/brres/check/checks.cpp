// checks.cpp: what a reader of the file would trip over.
#include "formats/brres/parts.hpp"
#include "formats/contract/findings.hpp"

namespace dio::brres {

std::span<const Rule> rules() {
  static constexpr Rule k_rules[] = {
      {"brres.empty", Severity::hint, "there is at least one entry", "A file without entries does nothing.", "Add an entry.",
       "made up"},
  };
  return k_rules;
}

void check(const Brres&, Findings&) {}

}  // namespace dio::brres
