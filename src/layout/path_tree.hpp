// path_tree.hpp: some paths of a document, so that a walk knows of each part whether one of them leads there.
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

  /// `KTPT.entries[1].position.x`; what is no path leads nowhere.
  void add(std::string_view path);
  bool is_empty() const { return nodes_.size() == 2; }
  /// The member of that name, or the element at that place, of a node; k_none: no path leads there.
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
