#include "formats/nitro/layout/dictionary.hpp"

#include "core/patricia.hpp"

namespace dio::nitro {

std::optional<std::vector<TreeNode>> build_tree_nodes(const std::vector<std::string_view>& names) {
  const auto made = build_patricia_tree(names);
  if (!made) return {};
  std::vector<TreeNode> tree{{0x7F, u8(names.empty() ? 0 : 1), 0, 0}};
  // depth first: a node, its left side, its right side
  std::vector<u8> numbers(names.size());
  std::vector<std::pair<i32, i32>> open{{PatriciaTree::k_root, made->top}};
  while (!open.empty()) {
    const auto [parent, at] = open.back();
    open.pop_back();
    if (!made->is_child_link(parent, at)) continue;
    const PatriciaTree::Node& n = made->nodes[size_t(at)];
    numbers[size_t(at)] = u8(tree.size());
    tree.push_back({u8(n.bit), 0, 0, u8(at)});
    open.push_back({at, n.child[1]});
    open.push_back({at, n.child[0]});
  }
  const auto number_of = [&](i32 child) { return child == PatriciaTree::k_root ? u8(0) : numbers[size_t(child)]; };
  for (size_t i = 0; i < names.size(); ++i) {
    tree[numbers[i]].left = number_of(made->nodes[i].child[0]);
    tree[numbers[i]].right = number_of(made->nodes[i].child[1]);
  }
  return tree;
}

}  // namespace dio::nitro
