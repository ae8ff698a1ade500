// path_steps.hpp: the steps of a path such as objects[3].triangles[5], one after another.
#pragma once
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace dio {

/// Removes `[12]` from the front; nothing if there is no index.
inline std::optional<u64> take_index(std::string_view& path) {
  if (!path.starts_with('[')) return {};
  u64 index = 0;
  const auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
  if (error != std::errc() || end == path.data() + path.size() || *end != ']') return {};
  path.remove_prefix(size_t(end - path.data()) + 1);
  return index;
}

/// Updates a path after lists changed: `now(list, index)` is the new index of an element of the list that had this
/// path. Returns nothing if the element was removed.
std::optional<std::string> remap_path(std::string_view path, auto&& now) {
  std::string was, is;
  while (!path.empty()) {
    const auto index = take_index(path);
    if (!index) {
      was += path.front(), is += path.front();
      path.remove_prefix(1);
      continue;
    }
    const std::optional<u64> to = now(was, *index);
    if (!to) return {};
    was += '[' + std::to_string(*index) + ']', is += '[' + std::to_string(*to) + ']';
  }
  return is;
}

/// Removes a name, and the dot before it, from the front; false if there is another name.
inline bool take_name(std::string_view& path, std::string_view name) {
  std::string_view rest = path;
  if (rest.starts_with('.')) rest.remove_prefix(1);
  if (!rest.starts_with(name)) return false;
  rest.remove_prefix(name.size());
  if (!rest.empty() && rest.front() != '.' && rest.front() != '[') return false;
  path = rest;
  return true;
}

/// Removes `name[12]` from the front; if there is another text, removes and returns nothing.
inline std::optional<u64> take_element(std::string_view& path, std::string_view name) {
  std::string_view rest = path;
  if (!take_name(rest, name)) return {};
  const auto index = take_index(rest);
  if (index) path = rest;
  return index;
}

}  // namespace dio
