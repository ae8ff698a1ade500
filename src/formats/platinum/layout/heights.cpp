// heights.cpp: the search for heights.
#include "formats/platinum/layout/heights.hpp"

#include <algorithm>
#include <limits>

namespace dio::platinum {
namespace {

i32 wrapped(u64 x) { return i32(u32(x)); }
/// The product of two fx32, rounded, as the game's library has it.
i32 product(i32 a, i32 b) { return wrapped(u64((i64(a) * b + 0x800) >> 12)); }
/// Their quotient: 64 by 32 bits in the divider of the DS, then rounded.
i32 quotient(i32 a, i32 b) {
  if (b == 0) return 0;  // the divider answers 1 or -1, of 2^32
  const u64 wide = u64(i64(a)) << 32;
  const i64 q = b == -1 ? i64(0 - wide) : i64(wide) / b;
  return wrapped(u64((q + 0x80000) >> 20));
}
i32 difference(i32 a, i32 b) { return wrapped(u64(std::max(a, b)) - u64(std::min(a, b))); }

/// The strip where the game looks for a point; the last one has no end.
size_t strip_of(const std::vector<Strip>& strips, i32 z) {
  if (strips.size() < 2) return 0;
  size_t low = 0, high = strips.size() - 1;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    (strips[middle].scanline.raw > z ? high : low) = middle;
  }
  return strips[low].scanline.raw > z ? low : low + 1;
}

}  // namespace

i32 PlateShape::height(i32 x, i32 z) const {
  const u32 sum = u32(product(normal.x.raw, x)) + u32(product(normal.z.raw, z)) + u32(constant.raw);
  return quotient(i32(0 - sum), normal.y.raw);
}

std::optional<PlateShape> shape_of(const Bdhc& b, size_t plate) {
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

std::vector<Ground> candidates_at(const Bdhc& b, i32 x, i32 z) {
  std::vector<Ground> found;
  if (b.strips.empty()) return found;
  const Strip& strip = b.strips[strip_of(b.strips, z)];
  for (size_t i = 0; i < strip.count && strip.first + i < b.access_list.size(); ++i) {
    const u16 plate = b.access_list[strip.first + i];
    const auto shape = shape_of(b, plate);
    if (!shape || !shape->contains(x, z)) continue;
    found.push_back({plate, shape->height(x, z)});
    if (found.size() == k_most_candidates) break;
  }
  return found;
}

std::vector<Ground> grounds_at(const Bdhc& b, i32 x, i32 z) {
  i32 north = std::numeric_limits<i32>::max(), south = std::numeric_limits<i32>::min();
  for (size_t i = 0; i < b.plates.size(); ++i)
    if (const auto shape = shape_of(b, i)) {
      north = std::min(north, shape->low.z.raw);
      south = std::max(south, shape->high.z.raw);
    }
  std::vector<Ground> found;
  for (size_t i = 0; i < b.plates.size() && found.size() < k_most_candidates; ++i) {
    const auto shape = shape_of(b, i);
    if (!shape || !shape->contains(x, z)) continue;
    // The first strip has what touches the northern edge, the last one what touches the southern.
    if (shape->high.z.raw == z && z != north && z != south) continue;
    found.push_back({u16(i), shape->height(x, z)});
  }
  return found;
}

std::optional<i32> height_at(const Bdhc& b, i32 x, i32 z, i32 height) {
  std::optional<i32> nearest;
  for (const Ground& g : candidates_at(b, x, z))
    if (!nearest || difference(height, *nearest) > difference(height, g.height)) nearest = g.height;
  return nearest;
}

}  // namespace dio::platinum
