// heights.cpp: looks up ground heights like the game.
#include "formats/platinum/layout/heights.hpp"

#include <algorithm>
#include <limits>

namespace dio::platinum {
namespace {

i32 wrap_i32(u64 x) { return i32(u32(x)); }
/// The rounded product of two fx32, as in the game's library.
i32 multiply_fx32(i32 a, i32 b) { return wrap_i32(u64((i64(a) * b + 0x800) >> 12)); }
/// The quotient of two fx32: 64 by 32 bits in the DS divider, then rounded.
i32 divide_fx32(i32 a, i32 b) {
  if (b == 0) return 0;  // the divider returns 1 or -1 in 2^32
  const u64 wide = u64(i64(a)) << 32;
  const i64 q = b == -1 ? i64(0 - wide) : i64(wide) / b;
  return wrap_i32(u64((q + 0x80000) >> 20));
}
i32 absolute_difference(i32 a, i32 b) { return wrap_i32(u64(std::max(a, b)) - u64(std::min(a, b))); }

/// The strip where the game looks for a point; the last one has no end.
template <class Strips>
size_t find_strip(const Strips& strips, i32 z) {
  if (strips.size() < 2) return 0;
  size_t low = 0, high = strips.size() - 1;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    (strips[middle].scanline.raw > z ? high : low) = middle;
  }
  return strips[low].scanline.raw > z ? low : low + 1;
}

/// The plates of a strip over a point, in the order of the game.
std::vector<Ground> find_grounds_in_list(const Bdhc& b, std::span<const u16> list, i32 x, i32 z) {
  std::vector<Ground> found;
  for (const u16 plate : list) {
    const auto shape = find_plate_shape(b, plate);
    if (!shape || !shape->contains(x, z)) continue;
    found.push_back({plate, shape->height(x, z)});
    if (found.size() == k_most_candidates) break;
  }
  return found;
}
/// A part of a list, cut off at its end.
template <class T>
std::span<const T> clamped_subspan(const std::vector<T>& list, u64 first, u64 count) {
  if (first >= list.size()) return {};
  return std::span(list).subspan(size_t(first), std::min<size_t>(size_t(count), list.size() - size_t(first)));
}

/// The access list part for a point, found like the game, which multiplies the row by the number of rows.
std::span<const u16> access_list_at(const BdhcDp& b, i32 x, i32 z) {
  const DpGrid& g = b.grid;
  const auto cell_index = [](i32 at, fx32 low, fx32 size, u16 count) {
    const u32 i = u32(divide_fx32(std::max(wrap_i32(u64(at) - u64(low.raw)), 0), size.raw) >> 12);
    return i < count ? i : u32(count) - 1;
  };
  const u64 cell = u64(cell_index(z, g.north, g.depth, g.rows)) * g.rows + cell_index(x, g.west, g.width, g.columns);
  if (!g.rows || !g.columns || cell >= b.cells.size()) return {};
  const auto strips = clamped_subspan(b.strips, b.cells[size_t(cell)].first, b.cells[size_t(cell)].count);
  if (strips.empty()) return {};
  const DpStrip& strip = strips[find_strip(strips, z)];
  return clamped_subspan(b.access_list, strip.first, strip.count);
}

/// Whether a point is in a triangle, seen from above, by the areas it spans with the edges, computed like the game.
bool triangle_contains(const std::array<BdhcPoint, 3>& t, i32 x, i32 z) {
  const auto sum = [](i32 a, i32 b, i32 c) { return wrap_i32(u64(u32(a)) + u64(u32(b)) + u64(u32(c))); };
  const auto less = [](i32 a, i32 b) { return wrap_i32(u64(u32(a)) - u64(u32(b))); };
  const auto signed_area = [&](const BdhcPoint& a, const BdhcPoint& b, const BdhcPoint& c) {
    return sum(multiply_fx32(a.z.raw, less(b.x.raw, c.x.raw)), multiply_fx32(b.z.raw, less(c.x.raw, a.x.raw)),
               multiply_fx32(c.z.raw, less(a.x.raw, b.x.raw)));
  };
  const BdhcPoint p{{x}, {z}};
  if (signed_area(t[0], t[1], t[2]) < 0) return false;
  for (size_t i = 0; i < 3; ++i)
    if (signed_area(t[i], t[(i + 1) % 3], p) < 0) return false;
  return true;
}

}  // namespace

bool PlateShape::contains(i32 x, i32 z) const {
  if (corners) return triangle_contains(*corners, x, z);
  return low.x.raw <= x && x <= high.x.raw && low.z.raw <= z && z <= high.z.raw;
}

i32 PlateShape::height(i32 x, i32 z) const {
  const u32 sum = u32(multiply_fx32(normal.x.raw, x)) + u32(multiply_fx32(normal.z.raw, z)) + u32(constant.raw);
  return divide_fx32(i32(0 - sum), normal.y.raw);
}

static std::optional<PlateShape> find_plate_shape(const BdhcDp& b, size_t triangle) {
  if (triangle >= b.triangles.size()) return {};
  const DpTriangle& t = b.triangles[triangle];
  if (t.normal >= b.normals.size()) return {};
  PlateShape out{{}, {}, b.normals[t.normal], t.constant, std::array<BdhcPoint, 3>{}};
  for (size_t i = 0; i < 3; ++i) {
    if (t.corners[i] >= b.points.size()) return {};
    const DpPoint& p = b.points[t.corners[i]];
    (*out.corners)[i] = {p.x, p.z};
    if (i == 0) out.low = out.high = {p.x, p.z};
    out.low = {{std::min(out.low.x.raw, p.x.raw)}, {std::min(out.low.z.raw, p.z.raw)}};
    out.high = {{std::max(out.high.x.raw, p.x.raw)}, {std::max(out.high.z.raw, p.z.raw)}};
  }
  return out;
}

size_t plate_count(const Bdhc& b) { return b.dp ? b.dp->triangles.size() : b.plates.size(); }

std::vector<BdhcPoint> plate_outline(const PlateShape& p) {
  if (p.corners) return {p.corners->begin(), p.corners->end()};
  return {{p.low.x, p.high.z}, p.high, {p.high.x, p.low.z}, p.low};
}

std::optional<PlateShape> find_plate_shape(const Bdhc& b, size_t plate) {
  if (b.dp) return find_plate_shape(*b.dp, plate);
  if (plate >= b.plates.size()) return {};
  const Plate& p = b.plates[plate];
  if (p.first_point >= b.points.size() || p.second_point >= b.points.size() || p.normal >= b.normals.size() ||
      p.constant >= b.constants.size())
    return {};
  const BdhcPoint &one = b.points[p.first_point], &two = b.points[p.second_point];
  const auto [west, east] = std::minmax(one.x.raw, two.x.raw);
  const auto [north, south] = std::minmax(one.z.raw, two.z.raw);
  return PlateShape{{{west}, {north}}, {{east}, {south}}, b.normals[p.normal], b.constants[p.constant]};
}

std::vector<Ground> find_listed_grounds(const Bdhc& b, i32 x, i32 z) {
  if (b.dp) return find_grounds_in_list(b, access_list_at(*b.dp, x, z), x, z);
  if (b.strips.empty()) return {};
  const Strip& strip = b.strips[find_strip(b.strips, z)];
  return find_grounds_in_list(b, clamped_subspan(b.access_list, strip.first, strip.count), x, z);
}

std::vector<Ground> find_all_grounds(const Bdhc& b, i32 x, i32 z) {
  i32 north = std::numeric_limits<i32>::max(), south = std::numeric_limits<i32>::min();
  for (size_t i = 0; i < b.plates.size(); ++i)
    if (const auto shape = find_plate_shape(b, i)) {
      north = std::min(north, shape->low.z.raw);
      south = std::max(south, shape->high.z.raw);
    }
  std::vector<Ground> found;
  for (size_t i = 0; i < b.plates.size() && found.size() < k_most_candidates; ++i) {
    const auto shape = find_plate_shape(b, i);
    if (!shape || !shape->contains(x, z)) continue;
    // The first strip lists plates that touch the northern edge, the last strip plates that touch the southern edge.
    if (shape->high.z.raw == z && z != north && z != south) continue;
    found.push_back({u16(i), shape->height(x, z)});
  }
  return found;
}

std::optional<i32> ground_height_at(const Bdhc& b, i32 x, i32 z, i32 height) {
  std::optional<i32> nearest;
  for (const Ground& g : find_listed_grounds(b, x, z))
    if (!nearest || absolute_difference(height, *nearest) > absolute_difference(height, g.height)) nearest = g.height;
  return nearest;
}

}  // namespace dio::platinum
