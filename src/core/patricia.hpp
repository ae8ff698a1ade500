// patricia.hpp: trees to look names up bit by bit, as dictionaries of Nintendo's files have them. A name is a number,
// its first character the lowest byte; bits are tested from the highest on.
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
  /// One for each name. A child with a bit that is not smaller is the name to compare, not a node further down.
  struct Node {
    u32 bit;
    std::array<i32, 2> child;  // by the bit of the name
  };
  i32 top = k_root;
  std::vector<Node> nodes;
  bool is_child_link(i32 parent, i32 child) const;  // from the root, too
};

/// The tree that results from inserting the names in order; nothing if two are equal or one is empty.
std::optional<PatriciaTree> build_patricia_tree(std::span<const std::string_view> names);

}  // namespace dio
