// point_index.hpp: numbers points; points that are nearer to each other than a tolerance have the same number.
#pragma once
#include <cmath>
#include <unordered_map>
#include <vector>

#include "scene/affine.hpp"

namespace dio::scene {

class PointIndex {
 public:
  static constexpr u32 k_unknown = ~u32(0);
  explicit PointIndex(f64 tolerance) : tolerance_(tolerance) {}

  /// Gives a point a number, unless there is one within the tolerance.
  void add(const Point& p) {
    if (find(p) != k_unknown) return;
    points_.push_back(p);
    cells_.emplace(hash(cell_of(p)), u32(points_.size() - 1));
  }
  /// The nearest point within the tolerance; k_unknown: there is none.
  u32 find(const Point& p) const {
    const Cell middle = cell_of(p);
    u32 best = k_unknown;
    f64 least = tolerance_ * tolerance_;
    // Cells are two tolerances wide: the neighbours on the nearer sides suffice.
    Cell step;
    for (size_t i = 0; i < 3; ++i) step[i] = p[i] / width() - f64(middle[i]) < 0.5 ? -1 : 1;
    for (u32 side = 0; side < 8; ++side) {
      Cell at = middle;
      for (size_t i = 0; i < 3; ++i)
        if (side >> i & 1) at[i] += step[i];
      const auto [from, to] = cells_.equal_range(hash(at));
      for (auto one = from; one != to; ++one) {
        const Point& other = points_[one->second];
        const Point d{other[0] - p[0], other[1] - p[1], other[2] - p[2]};
        if (const f64 far = dot(d, d); far < least || (far == least && one->second < best))
          least = far, best = one->second;
      }
    }
    return best;
  }

 private:
  using Cell = std::array<i64, 3>;
  f64 width() const { return 2 * tolerance_; }
  Cell cell_of(const Point& p) const {
    Cell out;
    for (size_t i = 0; i < 3; ++i) out[i] = i64(std::floor(p[i] / width()));
    return out;
  }
  static u64 hash(const Cell& c) {
    u64 h = 0;
    for (const i64 x : c) h = (h ^ u64(x)) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
    return h;
  }
  f64 tolerance_;
  std::vector<Point> points_;
  std::unordered_multimap<u64, u32> cells_;
};

}  // namespace dio::scene
