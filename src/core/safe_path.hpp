// safe_path.hpp: converts paths in archives to file paths that cannot leave their folder.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace dio {

/// The folder of the files that record the layout of an archive; no member path starts with it.
inline constexpr std::string_view k_system_folder = "_system";

/// A file path for each path of an archive, in the same order: every part is a valid file name on any system. These
/// become %XX: control characters, \ : * ? " < > | % and bytes above 0x7E, dots and spaces at the end, `..`, names such
/// as CON, and one letter of names that differ from an earlier name only in case. Id: archives.names (a path occurs
/// twice, or is both a file and a folder).
Result<std::vector<std::string>> escape_archive_paths(const std::vector<std::string>& paths);

/// The path of a file that another file refers to, without `.` and `..`, below the folder of that file. Nothing if the
/// path leaves the folder on any system.
std::optional<std::string> resolve_relative_path(std::string_view name);

/// The inverse of escape_archive_paths: returns the path in the archive.
std::string unescape_path(std::string_view safe_path);

}  // namespace dio
