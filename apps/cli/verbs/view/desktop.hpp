// desktop.hpp: the browser of the user's desktop.
#pragma once
#include <string>

#include "core/result.hpp"

namespace dio::cli {

/// Opens a file or an address as the desktop does, and waits a moment for that to fail. Id: io.read.
Result<bool> open_on_desktop(const std::string& what);

}  // namespace dio::cli
