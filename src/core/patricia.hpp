// patricia.hpp: trees that look up names bit by bit, as used in dictionaries of Nintendo's files. A name is a number
// with the first character as the lowest byte; bits are tested from the highest down.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"

namespace dio {

struct PatriciaTree {
  static constexpr i32 k_root = -1;
  /// One node for each name. If the bit of a child is not smaller, the child is the name to compare instead of a deeper
  /// node.
  struct Node {
    u32 bit;
    std::array<i32, 2> child;  // selected by the bit of the name
  };
  i32 top = k_root;
  std::vector<Node> nodes;
  bool is_child_link(i32 parent, i32 child) const;  // from the root, too
};

/// The tree that results from inserting the names in order; nothing if two names are equal or one is empty.
std::optional<PatriciaTree> build_patricia_tree(std::span<const std::string_view> names);

}  // namespace dio
