// spans.hpp: the samples of a row that a triangle covers, and values that are linear on the screen.
#pragma once
#include <algorithm>
#include <cstdlib>

#include "bridge/raster/triangles.hpp"

namespace dio::raster {

inline constexpr i64 k_one = 1 << k_subpixel_bits;

/// A value that is linear on the screen, evaluated at samples of the tile relative to its upper left sample.
struct Plane {
  f64 at = 0;
  f32 dx = 0;
  f64 dy = 0;
  /// At the first sample of a row.
  f32 row(i32 y) const { return f32(at + dy * y); }
};

/// Creates planes from values at the three vertices.
struct Gradients {
  Gradients(const Vertex& a, const Vertex& b, const Vertex& c, const Area& area_drawn) {
    const auto samples = [](i64 fixed) { return f64(fixed) / f64(k_one); };
    x1 = samples(i64(b.x) - a.x), y1 = samples(i64(b.y) - a.y);
    x2 = samples(i64(c.x) - a.x), y2 = samples(i64(c.y) - a.y);
    area = x1 * y2 - x2 * y1;
    // From the first vertex to the middle of the tile's first sample.
    x = area_drawn.left + 0.5 - samples(a.x), y = area_drawn.top + 0.5 - samples(a.y);
  }
  Plane of(f64 a, f64 b, f64 c) const {
    const f64 dx = ((b - a) * y2 - (c - a) * y1) / area, dy = ((c - a) * x1 - (b - a) * x2) / area;
    return {a + dx * x + dy * y, f32(dx), dy};
  }
  f64 x1, y1, x2, y2, area, x, y;
};

inline i64 floor_div(i64 a, i64 b) {  // b > 0
  const i64 q = a / b;
  return q - (a % b < 0);
}

/// The samples of a row inside an edge: those where a x + r >= 0.
struct Edge {
  i64 a, b, r;  // r: at the first sample of the tile's first row
  Edge(const Vertex& from, const Vertex& to, const Area& area_drawn) {
    a = -(i64(to.y) - from.y), b = i64(to.x) - from.x;
    const i64 x = (i64(area_drawn.left) << k_subpixel_bits) + k_one / 2 - from.x;
    const i64 y = (i64(area_drawn.top) << k_subpixel_bits) + k_one / 2 - from.y;
    // A sample on an edge belongs to the triangle for which it is an upper or left edge.
    const bool top_or_left = a > 0 || (a == 0 && b > 0);
    r = a * x + b * y - (top_or_left ? 0 : 1);
    a *= k_one, b *= k_one;
  }
  /// `wider`: how far outside the edge samples may be, in edge units.
  void clip_row_to_edge(i32 row, i64& from, i64& to, i64 wider = 0) const {
    const i64 at = r + b * row + wider;
    if (a > 0)
      from = std::max(from, -floor_div(at, a));
    else if (a < 0)
      to = std::min(to, floor_div(at, -a));
    else if (at < 0)
      to = -1;
  }
  /// Half a sample to the side, along the axis with the greater distance.
  i64 reach() const { return (std::abs(a) + std::abs(b)) / 2; }
  /// The covered part of a sample, 0 to 31, rounded up: a neighbouring polygon covers the rest.
  u8 coverage(i32 x, i32 y) const {
    const i64 at = r + a * x + b * y, whole = 2 * reach();
    return whole ? u8(std::clamp(-floor_div(-(at + reach()) * 31, whole), i64(0), i64(31))) : 31;
  }
};

/// Calls each(y, from, to) for the rows of a tile that a triangle covers, from the top, with the first and last sample.
/// `wider`: includes partly covered samples.
template <class F>
void for_each_span(const Vertex& a, const Vertex& b, const Vertex& c, const Area& tile, const Edge (&edges)[3],
                   bool wider, F&& each) {
  const auto row_of = [&](i32 y) { return i32(y >> k_subpixel_bits) - tile.top; };
  const i32 top = std::max(row_of(std::min({a.y, b.y, c.y})) - wider, 0);
  const i32 bottom = std::min(row_of(std::max({a.y, b.y, c.y})) + wider, tile.height - 1);
  for (i32 y = top; y <= bottom; ++y) {
    i64 from = 0, to = tile.width - 1;
    for (const Edge& e : edges) e.clip_row_to_edge(y, from, to, wider ? e.reach() : 0);
    if (from <= to) each(y, i32(from), i32(to));
  }
}

}  // namespace dio::raster
