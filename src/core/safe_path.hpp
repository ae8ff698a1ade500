// safe_path.hpp: paths in archives as paths of files, which may not lead outside their folder.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace dio {

/// The folder of the files that record how an archive was laid out; no member has a path that starts with it.
inline constexpr std::string_view k_system_folder = "_system";

/// A path for each path of an archive, in the same order: every part is a valid file name on any system.
/// Everything else becomes %XX: control characters, \ : * ? " < > | % and bytes above 0x7E, dots and spaces at the end,
/// `..`, names such as CON, and a letter of names that differ from an earlier one by case alone. Id: archives.names
/// (one path twice, or the path of a file that is also a folder).
Result<std::vector<std::string>> escape_archive_paths(const std::vector<std::string>& paths);

/// The path by which a file refers to another one, without `.` and `..`: below the folder of the file. Nothing if it
/// leads elsewhere, on any system.
std::optional<std::string> resolve_relative_path(std::string_view name);

/// The inverse of escape_archive_paths: the path in the archive.
std::string unescape_path(std::string_view safe_path);

}  // namespace dio
