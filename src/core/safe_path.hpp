// safe_path.hpp: names from archives as names of files, which may not lead anywhere else.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace dio {

/// Where files are kept that tell how an archive was made; no member has a path that begins so.
inline constexpr std::string_view k_system_folder = "_system";

/// A path for each path of an archive, in the same order: every part is the name of a file on any system. What is not
/// becomes %XX: control characters, \ : * ? " < > | % and bytes above 0x7E, dots and spaces at the end, `..`, names
/// such as CON, and a letter of names that differ from an earlier one by case alone. Id: archives.names (one path
/// twice, or the path of a file that is also a folder).
Result<std::vector<std::string>> safe_paths(const std::vector<std::string>& paths);

/// A path that a file names another one by, without `.` and with no `..`: below the folder of the file. Nothing if it
/// leads elsewhere, on any system.
std::optional<std::string> path_below(std::string_view name);

/// The path in the archive again.
std::string unescaped(std::string_view safe_path);

}  // namespace dio
