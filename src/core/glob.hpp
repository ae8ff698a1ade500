// glob.hpp: names with wildcards, as shells know them.
#pragma once
#include <string_view>

namespace dio {

/// Whether a name matches a pattern of `*`, `?` and `[a-z]`. None of them matches a '/'.
bool matches_wildcard(std::string_view pattern, std::string_view name);
bool has_wildcard(std::string_view);

}  // namespace dio
