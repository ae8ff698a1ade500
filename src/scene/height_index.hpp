// height_index.hpp: the heights of surfaces over points of the ground.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "core/sorting.hpp"
#include "scene/affine.hpp"

namespace dio::scene {

// Triangles have `corners` (three points) and `normal` (unit length, not horizontal where heights are asked).

/// The height of a triangle's plane.
f64 plane_height_at(const auto& triangle, f64 x, f64 z) {
  const Point& a = triangle.corners[0];
  return a[1] - (triangle.normal[0] * (x - a[0]) + triangle.normal[2] * (z - a[2])) / triangle.normal[1];
}
/// Whether a triangle is over or under a point; its edges belong to it.
bool covers_point(const auto& triangle, f64 x, f64 z) {
  bool left = false, right = false;
  for (size_t k = 0; k < 3; ++k) {
    const Point &a = triangle.corners[k], &b = triangle.corners[(k + 1) % 3];
    const f64 side = (b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0]);
    left |= side > 1e-6, right |= side < -1e-6;
  }
  return !(left && right);
}
/// The smallest and largest coordinate along an axis: x (0), y (1) or z (2).
std::pair<f64, f64> triangle_extent(const auto& triangle, size_t axis) {
  return std::minmax({triangle.corners[0][axis], triangle.corners[1][axis], triangle.corners[2][axis]});
}

/// Square cells of the ground, from the corner with the smallest x and z on.
struct GroundCells {
  f64 low_x = 0, low_z = 0, width = 1;  // of a cell
  u32 across = 0, down = 0;             // cells along x and z
  size_t count() const { return size_t(across) * down; }
  /// The column or row of a coordinate; negative or too large outside.
  i64 column(f64 x) const { return to_cell(x - low_x); }
  i64 row(f64 z) const { return to_cell(z - low_z); }

 private:
  i64 to_cell(f64 distance) const {
    constexpr f64 k_far = 1e9;  // farther coordinates are clamped
    return i64(std::clamp(std::floor(distance / width), -k_far, k_far));
  }
};

/// For each cell, row by row, the triangles whose boxes touch it.
std::vector<std::vector<u32>> bin_triangles(const auto& triangles, const GroundCells& cells) {
  std::vector<std::vector<u32>> out(cells.count());
  for (u32 i = 0; i < triangles.size(); ++i) {
    const auto [west, east] = triangle_extent(triangles[i], 0);
    const auto [north, south] = triangle_extent(triangles[i], 2);
    const i64 last_row = std::min<i64>(i64(cells.down) - 1, cells.row(south)),
              last_column = std::min<i64>(i64(cells.across) - 1, cells.column(east));
    for (i64 z = std::max<i64>(0, cells.row(north)); z <= last_row; ++z)
      for (i64 x = std::max<i64>(0, cells.column(west)); x <= last_column; ++x)
        out[size_t(z * cells.across + x)].push_back(i);
  }
  return out;
}

struct HeightHit {
  f64 height;
  u32 triangle;
};

/// A fast lookup of triangles over points. The triangles must outlive it.
template <class Triangle>
class HeightIndex {
 public:
  using Hit = HeightHit;
  HeightIndex(std::span<const Triangle> all, const GroundCells& cells)
      : all_(all), cells_(cells), of_cells_(bin_triangles(all, cells)) {}
  /// All triangles over a point, the lowest first; a point on a shared edge finds all its triangles.
  std::vector<Hit> find_heights_at(f64 x, f64 z) const {
    std::vector<Hit> out;
    const i64 column = cells_.column(x), row = cells_.row(z);
    if (column < 0 || row < 0 || column >= i64(cells_.across) || row >= i64(cells_.down)) return out;
    for (const u32 i : of_cells_[size_t(row * cells_.across + column)])
      if (covers_point(all_[i], x, z)) out.push_back({plane_height_at(all_[i], x, z), i});
    sort_stably(out, {}, &Hit::height);
    return out;
  }

 private:
  std::span<const Triangle> all_;
  GroundCells cells_;
  std::vector<std::vector<u32>> of_cells_;
};

/// The size of a figure that stands on floors, in the units of the heights.
struct Headroom {
  f64 least;     // between a floor and the next surface above
  f64 same = 2;  // closer floors count as one
  f64 slab = 4;  // the smallest thickness of a ceiling
};
/// The floors over a point that a figure can stand on, as indices into `over` (rising). Excludes floors inside
/// something (the next surface above is visible only from above, and `is_enclosed` says so of the floor) and floors
/// with too little room above them.
inline std::vector<size_t> find_open_floors(
    std::span<const HeightHit> over, std::span<const HeightHit> ceilings, const Headroom& room,
    const std::function<bool(const HeightHit&)>& is_enclosed = [](const HeightHit&) { return true; }) {
  std::vector<size_t> out;
  for (size_t i = 0; i < over.size(); ++i) {
    const f64 here = over[i].height;
    size_t next = i + 1;
    while (next < over.size() && over[next].height - here < room.same) ++next;
    const auto has_headroom = [&] {
      const f64 above = over[next].height;
      const bool has_ceiling = std::ranges::any_of(
          ceilings, [&](const HeightHit& c) { return c.height > here + room.slab && c.height <= above + room.slab; });
      return above - here >= room.least && (has_ceiling || !is_enclosed(over[i]));
    };
    if (next == over.size() || has_headroom()) out.push_back(i);
  }
  return out;
}

}  // namespace dio::scene
