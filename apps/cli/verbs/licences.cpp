// dio licences: the licence of the program, and the notices of the software in it.
#include "../command_line/print.hpp"
#include "verbs.hpp"

namespace dio::cli {

extern const char k_license[], k_third_party[];  // LICENSE and THIRD_PARTY.md

ExitCode run_licences(const Request&) {
  Report report;
  report.out = std::string(k_license) + "\n" + k_third_party;
  return finish(report);
}

}  // namespace dio::cli
