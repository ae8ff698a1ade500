// dio completion: a script for the shell.
#include "../cli.hpp"
#include "../print.hpp"
#include "../verbs.hpp"

namespace dio::cli {

Exit run_completion(const Request& request) {
  Report report;
  report.out = completion_script(manual(), request.topic);
  if (!print(report)) report.raise(Exit::system);
  return report.exit;
}

}  // namespace dio::cli
