// text.hpp: names in UTF-8, as the functions of Windows take them.
#pragma once
#include <string>
#include <string_view>

namespace dio::cli::os {

/// Invalid UTF-8 becomes U+FFFD.
std::wstring to_utf16(std::string_view utf8);
std::string to_utf8(std::wstring_view utf16);
/// The name of a file; a long one has the prefix that allows more than 260 characters.
std::wstring to_system_path(const std::string& name);

}  // namespace dio::cli::os
