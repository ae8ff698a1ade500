#include "formats/nitro/layout/dictionary.hpp"

#include <array>

namespace dio::nitro {
namespace {

// Names are numbers of 128 bits, their first byte the lowest.
bool bit_of(std::string_view name, int bit) {
  const size_t byte = size_t(bit) / 8;
  return byte < name.size() && u8(name[byte]) >> bit % 8 & 1;
}

/// Entries are inserted in order; each adds one inner node. A leaf stands for an entry, or for the name of all zeros
/// that the tree starts with.
class Patricia {
 public:
  bool insert(std::string_view name) {
    int leaf = root_;
    while (leaf >= 0) leaf = nodes_[size_t(leaf)].child[bit_of(name, nodes_[size_t(leaf)].bit)];
    int differs = int(8 * k_name_size) - 1;
    while (differs >= 0 && bit_of(name, differs) == bit_of(name_of(leaf), differs)) --differs;
    if (differs < 0) return false;
    const int made = int(nodes_.size());
    names_.push_back(name);
    nodes_.push_back({differs, {}, 0});
    int* link = &root_;
    while (*link >= 0 && nodes_[size_t(*link)].bit > differs)
      link = &nodes_[size_t(*link)].child[bit_of(name, nodes_[size_t(*link)].bit)];
    const bool side = bit_of(name, differs);
    nodes_[size_t(made)].child[side] = leaf_of(made);
    nodes_[size_t(made)].child[!side] = *link;
    *link = made;
    return true;
  }

  std::vector<TreeNode> written() {
    std::vector<TreeNode> tree{{0x7F, u8(nodes_.empty() ? 0 : 1), 0, 0}};
    number(tree);
    for (const Node& n : nodes_) {
      tree[n.number].left = number_of(n.child[0]);
      tree[n.number].right = number_of(n.child[1]);
    }
    return tree;
  }

 private:
  struct Node {
    int bit;
    std::array<int, 2> child;  // a node; negative: a leaf
    u8 number;                 // in the file
  };
  static constexpr int k_no_entry = -1;
  static int leaf_of(int entry) { return -2 - entry; }
  static int entry_of(int leaf) { return -2 - leaf; }
  std::string_view name_of(int leaf) const {
    return leaf == k_no_entry ? std::string_view() : names_[size_t(entry_of(leaf))];
  }
  u8 number_of(int child) const {
    if (child == k_no_entry) return 0;
    return nodes_[size_t(child >= 0 ? child : entry_of(child))].number;
  }
  /// Depth first: a node, its left side, its right side.
  void number(std::vector<TreeNode>& tree) {
    std::vector<int> open{root_};
    while (!open.empty()) {
      const int i = open.back();
      open.pop_back();
      if (i < 0) continue;
      Node& n = nodes_[size_t(i)];
      n.number = u8(tree.size());
      tree.push_back({u8(n.bit), 0, 0, u8(i)});
      open.push_back(n.child[1]);
      open.push_back(n.child[0]);
    }
  }

  std::vector<Node> nodes_;
  std::vector<std::string_view> names_;
  int root_ = k_no_entry;
};

}  // namespace

std::optional<std::vector<TreeNode>> patricia(const std::vector<std::string_view>& names) {
  Patricia tree;
  for (const auto name : names)
    if (!tree.insert(name)) return {};
  return tree.written();
}

}  // namespace dio::nitro
