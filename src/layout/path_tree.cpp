#include "layout/path_tree.hpp"

#include <charconv>

namespace dio {

u32 PathTree::find_or_add_child(auto& children, const auto& key) {
  const u32 id = u32(nodes_.size());
  return children.try_emplace(key, id).first->second;
}

void PathTree::add(std::string_view path) {
  u32 node = k_root;
  while (!path.empty()) {
    u32 next = k_none;
    if (path.starts_with('[')) {
      u64 index = 0;
      const auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
      if (error != std::errc() || end == path.data() + path.size() || *end != ']') return;
      path.remove_prefix(size_t(end - path.data()) + 1);
      next = find_or_add_child(nodes_[node].elements, index);
    } else {
      const std::string_view name = path.substr(0, path.find_first_of(".["));
      path.remove_prefix(name.size());
      next = find_or_add_child(nodes_[node].members, std::string(name));
    }
    if (path.starts_with('.')) path.remove_prefix(1);
    if (next == nodes_.size()) nodes_.emplace_back();
    node = next;
  }
}

u32 PathTree::child(u32 node, std::string_view name) const {
  const auto& members = nodes_[node].members;
  const auto it = members.find(name);
  return it == members.end() ? k_none : it->second;
}
u32 PathTree::child(u32 node, u64 index) const {
  const auto& elements = nodes_[node].elements;
  const auto it = elements.find(index);
  return it == elements.end() ? k_none : it->second;
}

}  // namespace dio
