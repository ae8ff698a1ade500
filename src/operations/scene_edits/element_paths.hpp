// element_paths.hpp: paths of list elements, and how they change when elements are removed.
#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "layout/path_steps.hpp"

namespace dio {

inline bool is_element(std::string_view path) { return path.ends_with(']'); }
/// The list of an element, and its index in it.
inline std::pair<std::string, u64> split_element_path(std::string_view path) {
  const size_t open = path.find_last_of('[');
  std::string_view index = path.substr(open);
  return {std::string(path.substr(0, open)), take_index(index).value_or(0)};
}

/// Paths as they are when elements before them are gone.
class RenumberedPaths {
 public:
  explicit RenumberedPaths(const std::vector<std::string>& removed) {
    for (const std::string& path : removed) {
      const auto [list, index] = split_element_path(path);
      gone_[list].push_back(index);
    }
  }
  std::string path_after_removal(std::string_view path) const {
    return *remap_path(path, [&](const std::string& list, u64 index) -> std::optional<u64> {
      const auto gone = gone_.find(list);
      if (gone == gone_.end()) return index;
      return index - u64(std::ranges::count_if(gone->second, [&](u64 g) { return g < index; }));
    });
  }

 private:
  std::map<std::string, std::vector<u64>> gone_;  // by list, as it was
};

/// Elements that stand later come first, and what is inside an element comes before the element.
inline bool is_later_or_nested_in(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const auto i = take_index(a), j = take_index(b);
    if (i && j) {
      if (*i != *j) return *i > *j;
      continue;
    }
    if (a.front() != b.front()) return a.front() > b.front();
    a.remove_prefix(1), b.remove_prefix(1);
  }
  return a.size() > b.size();
}

}  // namespace dio
