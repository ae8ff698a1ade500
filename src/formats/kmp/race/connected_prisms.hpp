// connected_prisms.hpp: which prisms of a collision share corners.
#pragma once
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "formats/kcl/geometry.hpp"

namespace dio::kmp {

/// Sets of prisms that share corners.
class PrismUnionFind {
 public:
  u32 add_triangle(const kcl::Triangle& t) {
    const u32 a = vertex_set(t[0]);
    join(a, vertex_set(t[1]));
    join(a, vertex_set(t[2]));
    return a;
  }
  u32 find_root(u32 i) {
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
  }

 private:
  u32 vertex_set(const kcl::Point& p) {
    std::array<i64, 3> at;  // a unit is a centimetre
    for (size_t i = 0; i < 3; ++i) at[i] = std::llround(p[i]);
    const auto [found, is_new] = corners_.try_emplace(at, u32(above_.size()));
    if (is_new) above_.push_back(found->second);
    return found->second;
  }
  void join(u32 a, u32 b) { above_[find_root(b)] = find_root(a); }
  std::map<std::array<i64, 3>, u32> corners_;
  std::vector<u32> above_;
};

}  // namespace dio::kmp
