#include "core/glob.hpp"

namespace dio {

bool has_wildcard(std::string_view s) { return s.find_first_of("*?[") != s.npos; }

bool matches_wildcard(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  const char c = pattern[0];
  if (c == '*') {
    for (size_t i = 0; i <= name.size(); ++i) {
      if (matches_wildcard(pattern.substr(1), name.substr(i))) return true;
      if (i < name.size() && name[i] == '/') return false;
    }
    return false;
  }
  if (name.empty() || (name[0] == '/' && c != '/')) return false;
  if (c == '[') {
    const size_t end = pattern.find(']', 2);
    if (end != pattern.npos) {
      std::string_view set = pattern.substr(1, end - 1);
      const bool inverted = set[0] == '!' || set[0] == '^';
      if (inverted) set.remove_prefix(1);
      bool in = false;
      for (size_t i = 0; i < set.size(); ++i) {
        if (i + 2 < set.size() && set[i + 1] == '-') {
          in = in || (set[i] <= name[0] && name[0] <= set[i + 2]);
          i += 2;
        } else {
          in = in || set[i] == name[0];
        }
      }
      return in != inverted && matches_wildcard(pattern.substr(end + 1), name.substr(1));
    }
  }
  return (c == '?' || c == name[0]) && matches_wildcard(pattern.substr(1), name.substr(1));
}

}  // namespace dio
