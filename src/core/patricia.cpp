#include "core/patricia.hpp"

#include <algorithm>

namespace dio {

static bool test_bit(std::string_view name, i64 bit) {
  const size_t byte = size_t(bit) / 8;
  return byte < name.size() && u8(name[byte]) >> bit % 8 & 1;
}

bool PatriciaTree::is_child_link(i32 parent, i32 child) const {
  return child != k_root && (parent == k_root || nodes[size_t(child)].bit < nodes[size_t(parent)].bit);
}

std::optional<PatriciaTree> build_patricia_tree(std::span<const std::string_view> names) {
  PatriciaTree tree;
  for (size_t made = 0; made < names.size(); ++made) {
    const std::string_view name = names[made];
    i32 above = PatriciaTree::k_root, at = tree.top;
    while (tree.is_child_link(above, at)) {
      above = at;
      at = tree.nodes[size_t(at)].child[test_bit(name, tree.nodes[size_t(at)].bit)];
    }
    const std::string_view other = at == PatriciaTree::k_root ? std::string_view() : names[size_t(at)];
    i64 differs = 8 * i64(std::max(name.size(), other.size())) - 1;
    while (differs >= 0 && test_bit(name, differs) == test_bit(other, differs)) --differs;
    if (differs < 0) return {};
    // descend again from the top to the place where that bit is tested
    i32* link = &tree.top;
    above = PatriciaTree::k_root;
    while (tree.is_child_link(above, *link) && tree.nodes[size_t(*link)].bit > differs) {
      above = *link;
      link = &tree.nodes[size_t(above)].child[test_bit(name, tree.nodes[size_t(above)].bit)];
    }
    const bool side = test_bit(name, differs);
    PatriciaTree::Node node{u32(differs), {}};
    node.child[side] = i32(made);
    node.child[!side] = *link;
    *link = i32(made);
    tree.nodes.push_back(node);
  }
  return tree;
}

}  // namespace dio
