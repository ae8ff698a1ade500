#include "formats/kmp/ground/ground.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dio::kmp {

Ground::Ground(const kcl::Kcl& file) : cells_(k_cells * k_cells) {
  for (u32 i = 0; i < file.prisms.size(); ++i) {
    const u8 type = file.prisms[i].type;
    if (kcl::use_of(type) != kcl::SurfaceUse::road && !kcl::is_fall(type)) continue;
    if (const auto corners = kcl::compute_prism_triangle(file, file.prisms[i]))
      triangles_.push_back({*corners, i, type});
  }
  if (triangles_.empty()) return;
  f64 east = -std::numeric_limits<f64>::infinity(), south = east;
  west_ = north_ = std::numeric_limits<f64>::infinity();
  for (const Triangle& t : triangles_)
    for (const kcl::Point& p : t.corners) {
      west_ = std::min(west_, p[0]), east = std::max(east, p[0]);
      north_ = std::min(north_, p[2]), south = std::max(south, p[2]);
    }
  wide_ = std::max(1.0, east - west_) / f64(k_cells), deep_ = std::max(1.0, south - north_) / f64(k_cells);
  const auto index = [](f64 at, f64 start, f64 size) {
    return size_t(std::clamp((at - start) / size, 0.0, f64(k_cells - 1)));
  };
  for (u32 i = 0; i < triangles_.size(); ++i) {
    const auto& c = triangles_[i].corners;
    const auto [x0, x1] = std::minmax({c[0][0], c[1][0], c[2][0]});
    const auto [z0, z1] = std::minmax({c[0][2], c[1][2], c[2][2]});
    for (size_t row = index(z0, north_, deep_); row <= index(z1, north_, deep_); ++row)
      for (size_t column = index(x0, west_, wide_); column <= index(x1, west_, wide_); ++column)
        cells_[row * k_cells + column].push_back(i);
  }
}

std::optional<size_t> Ground::cell_index_at(f64 x, f64 z) const {
  const f64 column = std::floor((x - west_) / wide_), row = std::floor((z - north_) / deep_), last = f64(k_cells);
  if (!(column >= 0 && column <= last && row >= 0 && row <= last)) return {};
  return std::min(size_t(row), k_cells - 1) * k_cells + std::min(size_t(column), k_cells - 1);
}

std::optional<Ground::Hit> Ground::find_surface_below(const kcl::Point& p, f64 above) const {
  std::optional<Hit> best;
  const auto at = triangles_.empty() ? std::nullopt : cell_index_at(p[0], p[2]);
  if (!at) return best;
  for (const u32 i : cells_[*at]) {
    const auto& [a, b, c] = triangles_[i].corners;
    // The corners' shares of the place, seen from above.
    const f64 area = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
    if (area == 0) continue;
    const f64 of_b = ((p[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (p[2] - a[2])) / area;
    const f64 of_c = ((b[0] - a[0]) * (p[2] - a[2]) - (p[0] - a[0]) * (b[2] - a[2])) / area;
    constexpr f64 k_edge = -1e-6;  // places on an edge belong to both sides
    if (of_b < k_edge || of_c < k_edge || of_b + of_c > 1 - k_edge) continue;
    const f64 height = a[1] + of_b * (b[1] - a[1]) + of_c * (c[1] - a[1]);
    if (height > p[1] + above || (best && best->height >= height)) continue;
    best = Hit{triangles_[i].prism, height, triangles_[i].type};
  }
  return best;
}

std::vector<size_t> find_grid_places_off_road(const Ground& ground, const std::vector<scene::Vec3>& grid) {
  constexpr f64 k_under = 500;  // the grid is flat, even where the road rises behind it
  std::vector<size_t> off;
  for (size_t i = 0; i < grid.size(); ++i) {
    const auto hit = ground.find_surface_below({grid[i][0], grid[i][1], grid[i][2]}, k_under);
    if (!hit || kcl::is_fall(hit->type)) off.push_back(i + 1);
  }
  return off;
}

}  // namespace dio::kmp
