// dictionary.hpp: an invented format around the dictionary of Nitro files: a Patricia tree for looking names up,
// entries, and the names behind them, an array beside an array.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

struct TreeNode {
  u8 bit, left, right, entry;
  static constexpr void layout(auto& v, auto& s) {
    v("bit", s.bit);
    v("left", s.left);
    v("right", s.right);
    v("entry", s.entry);
  }
  bool operator==(const TreeNode&) const = default;
};

/// The tree over some names of 16 bytes; nothing if two are the same.
class Patricia {
 public:
  static std::optional<std::vector<TreeNode>> of(const auto& entries) {
    Patricia p;
    for (const auto& e : entries)
      if (!p.insert(e.name)) return {};
    std::vector<TreeNode> tree{{0x7f, 0, 0, 0}};
    if (!p.nodes_.empty()) p.number(p.root_, tree), tree[0].left = 1;
    return tree;
  }
  static bool bit_of(const std::string& name, int bit) {
    const size_t byte = size_t(bit) / 8;
    return byte < name.size() && u8(name[byte]) >> bit % 8 & 1;
  }

 private:
  struct Node {
    int bit;
    int child[2];  // 0 and more: a node; below: the leaf of entry -2 - child, or of none (-1)
    u8 number = 0;
  };
  std::vector<Node> nodes_;  // the node an entry makes has the entry's number
  std::vector<std::string> names_;
  int root_ = -1;

  const std::string& leaf_name(int leaf) const {
    static const std::string none;
    return leaf == -1 ? none : names_[size_t(-2 - leaf)];
  }
  bool insert(const std::string& name) {
    int leaf = root_;
    while (leaf >= 0) leaf = nodes_[size_t(leaf)].child[bit_of(name, nodes_[size_t(leaf)].bit)];
    int differs = 127;
    while (differs >= 0 && bit_of(name, differs) == bit_of(leaf_name(leaf), differs)) --differs;
    if (differs < 0) return false;
    const int made = int(nodes_.size());
    names_.push_back(name);
    nodes_.push_back({differs, {}, {}});
    int* link = &root_;
    while (*link >= 0 && nodes_[size_t(*link)].bit > differs)
      link = &nodes_[size_t(*link)].child[bit_of(name, nodes_[size_t(*link)].bit)];
    const bool side = bit_of(name, differs);
    nodes_[size_t(made)].child[side] = -2 - made;
    nodes_[size_t(made)].child[!side] = *link;
    *link = made;
    return true;
  }
  void number(int node, std::vector<TreeNode>& tree) {  // node, left, right
    Node& n = nodes_[size_t(node)];
    n.number = u8(tree.size());
    tree.push_back({u8(n.bit), 0, 0, u8(node)});
    for (const int child : n.child)
      if (child >= 0) number(child, tree);
    if (node == root_) link(tree);
  }
  void link(std::vector<TreeNode>& tree) {
    const auto place = [&](int child) {
      return child >= 0 ? nodes_[size_t(child)].number : child == -1 ? u8(0) : nodes_[size_t(-2 - child)].number;
    };
    for (const Node& n : nodes_) tree[n.number].left = place(n.child[0]), tree[n.number].right = place(n.child[1]);
  }
};

/// `Entry` has a `name` and a layout for the few bytes that the dictionary itself keeps of it.
template <class Entry>
struct Dictionary {
  u8 revision;
  u16 size, tree_offset, entries_offset, unit, names_offset;
  std::vector<TreeNode> tree;
  std::vector<Entry> entries;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v("revision", s.revision);
    v.count(u8{}, "count", s.entries);
    v("size", s.size);
    v.derive(s.tree_offset, 8);
    v("tree_offset", s.tree_offset);
    v("entries_offset", s.entries_offset);
    v.derive(s.tree, [&] { return Patricia::of(s.entries); }, "entries of different names");
    v.implied(s.entries.size() + 1, s.tree);
    v("tree", s.tree);
    v.at(start, s.entries_offset, [&] {
      const u64 header = v.here();
      v.derive(s.unit, Entry::k_unit);
      v("unit", s.unit);
      v("names_offset", s.names_offset);
      v("entries", s.entries);
      v.at(header, s.names_offset, [&] { v.each("entries", s.entries, [&](auto& e) { v.text(16, "name", e.name); }); });
    });
    v.derive(s.size, v.end() - start);
  }
};

struct Creature {
  u32 offset;  // of its data, from the start of the dictionary's block
  std::string name;
  u16 legs;
  Bytes sound;
  static constexpr u64 k_unit = 4, k_least_size = 4;
  static constexpr void layout(auto& v, auto& s) { v("offset", s.offset); }
};

struct Zoo {
  static constexpr std::endian k_order = std::endian::little;
  u32 size;
  Dictionary<Creature> creatures;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v.magic("ZOO0");
    v("size", s.size);
    v("creatures", s.creatures);
    v.each("creatures.entries", s.creatures.entries, [&](auto& c) {
      v.at(start, to(c.offset).align(4), [&] {
        v("legs", c.legs);
        v.count(u16{}, "sound_size", c.sound);
        v("sound", c.sound);
      });
    });
    v.derive(s.size, v.end());
  }
};

}  // namespace dio::test
