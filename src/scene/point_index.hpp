// point_index.hpp: numbers points and finds the nearest point within a tolerance.
#pragma once
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "scene/affine.hpp"

namespace dio::scene {

inline f64 distance(const Point& a, const Point& b) { return length(Point{b[0] - a[0], b[1] - a[1], b[2] - a[2]}); }

class PointIndex {
 public:
  static constexpr u32 k_unknown = ~u32(0);
  explicit PointIndex(f64 tolerance) : tolerance_(tolerance) {}

  /// Numbers a point unless it is known: points are equal if they differ by much less than the tolerance.
  void add(const Point& p) {
    constexpr f64 k_same = 1.0 / 256;
    if (const u32 known = find(p); known != k_unknown && distance(points_[known], p) <= k_same * tolerance_) return;
    points_.push_back(p);
    cells_.emplace(hash(cell_of(p)), u32(points_.size() - 1));
  }
  /// The nearest point within the tolerance; k_unknown if there is none.
  u32 find(const Point& p) const {
    u32 best = k_unknown;
    f64 least = tolerance_ * tolerance_;
    for_each_near(p, [&](u32 number, f64 squared) {
      if (squared < least || (squared == least && number < best)) least = squared, best = number;
    });
    return best;
  }
  /// All points within the tolerance, the nearest first.
  std::vector<u32> find_all(const Point& p) const {
    std::vector<std::pair<f64, u32>> found;
    for_each_near(p, [&](u32 number, f64 squared) {
      if (squared <= tolerance_ * tolerance_) found.emplace_back(squared, number);
    });
    std::ranges::sort(found);
    std::vector<u32> out;
    for (const auto& [squared, number] : found) out.push_back(number);
    return out;
  }
  const Point& operator[](u32 number) const { return points_[number]; }
  f64 tolerance() const { return tolerance_; }

 private:
  using Cell = std::array<i64, 3>;
  /// Calls the function with each point that may be within the tolerance, and the square of its distance.
  template <class F>
  void for_each_near(const Point& p, F visit) const {
    const Cell middle = cell_of(p);
    // Cells are two tolerances wide, so the neighbours on the nearer sides suffice.
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
        visit(one->second, dot(d, d));
      }
    }
  }
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
