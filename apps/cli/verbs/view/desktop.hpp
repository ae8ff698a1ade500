// desktop.hpp: the browser of the user's desktop.
#pragma once
#include <string>

#include "core/result.hpp"

namespace dio::cli {

/// Whether there is a screen to open something on (DISPLAY, WAYLAND_DISPLAY).
bool has_display();
/// Opens a file or an address with `xdg-open`, and waits a moment for it to fail. Id: io.read.
Result<bool> open_on_desktop(const std::string& what);

}  // namespace dio::cli
