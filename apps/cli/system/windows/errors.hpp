// errors.hpp: errors of Windows as those of C.
#pragma once

namespace dio::cli::os {

/// Sets `errno` to the last error of Windows. Returns false.
bool set_errno();
/// To an error of Windows.
bool set_errno(unsigned long error);

}  // namespace dio::cli::os
