// dio completion: a script for the shell.
#include "../command_line/parse.hpp"
#include "../command_line/print.hpp"
#include "verbs.hpp"

namespace dio::cli {

ExitCode run_completion(const Request& request) {
  Report report;
  report.out = completion_script(build_manual(), request.topic);
  return finish(report);
}

}  // namespace dio::cli
