// path_tree.hpp: a set of paths, so that a walk knows whether a part contains one of them.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"

namespace dio {

class PathTree {
 public:
  static constexpr u32 k_none = 0, k_root = 1;

  /// A path such as `KTPT.entries[1].position.x`; an invalid path matches nothing.
  void add(std::string_view path);
  bool is_empty() const { return nodes_.size() == 2; }
  /// The member with that name, or the element with that index, of a node; k_none if no path goes there.
  u32 child(u32 node, std::string_view name) const;
  u32 child(u32 node, u64 index) const;

 private:
  struct Node {
    std::map<std::string, u32, std::less<>> members;
    std::map<u64, u32> elements;
  };
  std::vector<Node> nodes_{2};
  u32 find_or_add_child(auto& children, const auto& key);
};

}  // namespace dio
