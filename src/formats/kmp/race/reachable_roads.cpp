#include "formats/kmp/race/reachable_roads.hpp"

#include <algorithm>
#include <limits>

#include "formats/kmp/race/connected_prisms.hpp"

namespace dio::kmp {

namespace {

constexpr f64 k_jump = 3000, k_rise = 500;  // units; higher than karts fly

/// The greatest height of reachable roads, in square cells seen from above.
class HeightCells {
 public:
  explicit HeightCells(const std::vector<RoadTriangle>& all) {
    f64 widest = 0;
    for (const RoadTriangle& t : all)
      for (const kcl::Point& p : t.corners) widest = std::max({widest, std::abs(p[0]), std::abs(p[2])});
    constexpr f64 k_most_cells = 600;  // along an axis
    size_ = std::max(k_jump, 2 * widest / k_most_cells);
  }

  void add(const kcl::Triangle& t) {
    const f64 top = std::max({t[0][1], t[1][1], t[2][1]});
    for_each_cell(t, 0, [&](Cell c) {
      const auto [cell, is_new] = heights_.try_emplace(c, top);
      if (!is_new) cell->second = std::max(cell->second, top);
      return false;
    });
  }
  bool is_near(const kcl::Triangle& t, i64 cells) const {
    const f64 bottom = std::min({t[0][1], t[1][1], t[2][1]});
    return for_each_cell(t, cells, [&](Cell c) {
      const auto cell = heights_.find(c);
      return cell != heights_.end() && bottom <= cell->second + k_rise;
    });
  }

 private:
  using Cell = std::pair<i64, i64>;
  /// Calls `f` for the cells of a triangle, and `around` more on each side, until it returns true.
  template <class F>
  bool for_each_cell(const kcl::Triangle& t, i64 around, F f) const {
    const auto [west, east] = std::minmax({t[0][0], t[1][0], t[2][0]});
    const auto [north, south] = std::minmax({t[0][2], t[1][2], t[2][2]});
    const auto index = [&](f64 x) { return i64(std::floor(x / size_)); };
    for (i64 x = index(west) - around; x <= index(east) + around; ++x)
      for (i64 z = index(north) - around; z <= index(south) + around; ++z)
        if (f(Cell{x, z})) return true;
    return false;
  }

  f64 size_;
  std::map<Cell, f64> heights_;
};

}  // namespace

std::vector<bool> find_reachable_roads(const std::vector<RoadTriangle>& all) {
  PrismUnionFind together;
  std::vector<u32> sets;
  for (const RoadTriangle& t : all) sets.push_back(together.add_triangle(t.corners));
  std::map<u32, std::vector<u32>> roads;  // triangles of each connected road
  std::map<u32, f64> covered;
  for (u32 i = 0; i < all.size(); ++i) {
    const u32 root = together.find_root(sets[i]);
    roads[root].push_back(i), covered[root] += all[i].covered;
  }
  std::vector<bool> out(all.size());
  if (roads.empty()) return out;
  HeightCells cells(all);
  const auto reach = [&](u32 root) {
    for (const u32 i : roads[root]) out[i] = true, cells.add(all[i].corners);
    roads.erase(root);
  };
  reach(std::ranges::max_element(covered, {}, &std::pair<const u32, f64>::second)->first);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    std::vector<u32> near;
    for (const auto& [root, triangles] : roads) {
      const i64 around = covered[root] > 0 ? 8 : 1;
      if (std::ranges::any_of(triangles, [&](u32 i) { return cells.is_near(all[i].corners, around); }))
        near.push_back(root);
    }
    for (const u32 root : near) reach(root), has_changed = true;
  }
  return out;
}

}  // namespace dio::kmp
