// glob.hpp: shell wildcards for names.
#pragma once
#include <string_view>

namespace dio {

/// Whether a name matches a pattern with `*`, `?` and `[a-z]`. None of these matches a '/'.
bool matches_wildcard(std::string_view pattern, std::string_view name);
bool has_wildcard(std::string_view);

}  // namespace dio
