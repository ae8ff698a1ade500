// affine_fit.hpp: the affine transform between two lists of points.
#pragma once
#include <span>
#include <utility>

#include "scene/affine.hpp"

namespace dio::scene {

/// The affine transform from the first points of pairs to the second with the least squared distances. Directions in
/// which the points do not differ keep their length.
inline Affine fit_affine(std::span<const std::pair<Point, Point>> pairs) {
  if (pairs.empty()) return {};
  Point from{}, to{};
  for (const auto& [a, b] : pairs)
    for (size_t i = 0; i < 3; ++i) from[i] += a[i] / f64(pairs.size()), to[i] += b[i] / f64(pairs.size());
  Mat3d own{{Point{}, Point{}, Point{}}}, both = own;  // sums of products of coordinates
  for (const auto& [a, b] : pairs)
    for (size_t column = 0; column < 3; ++column)
      for (size_t row = 0; row < 3; ++row) {
        own.columns[column][row] += (a[row] - from[row]) * (a[column] - from[column]);
        both.columns[column][row] += (b[row] - to[row]) * (a[column] - from[column]);
      }
  const f64 size = own.columns[0][0] + own.columns[1][1] + own.columns[2][2];
  if (!(size > 0) || !std::isfinite(size)) return shift({to[0] - from[0], to[1] - from[1], to[2] - from[2]});
  constexpr f64 k_kept = 1e-9;
  for (Mat3d* m : {&own, &both})
    for (size_t column = 0; column < 3; ++column) {
      for (f64& x : m->columns[column]) x /= size;
      m->columns[column][column] += k_kept;
    }
  Affine out;
  if (const auto back = inverse(own)) out.linear = both * *back;
  const Point moved = out.linear * from;
  for (size_t i = 0; i < 3; ++i) out.origin[i] = to[i] - moved[i];
  return out;
}

}  // namespace dio::scene
