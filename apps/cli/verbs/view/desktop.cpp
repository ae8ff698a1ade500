#include "desktop.hpp"

#include "../../files/files.hpp"
#include "../../system/process.hpp"

namespace dio::cli {

Result<bool> open_on_desktop(const std::string& what) {
  const std::string problem = os::open_on_desktop(what);
  if (problem.empty()) return true;
  return refuse(io_error("io.read", what, "the page cannot be opened: " + problem, "open the page in a browser"));
}

}  // namespace dio::cli
