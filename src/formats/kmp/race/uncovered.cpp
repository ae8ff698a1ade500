#include "formats/kmp/race/uncovered.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/sorting.hpp"
#include "formats/kmp/race/connected_prisms.hpp"
#include "formats/kmp/race/reachable_roads.hpp"

namespace dio::kmp {

namespace {

/// Seen from above.
struct Box {
  f64 west, north, east, south;
  bool meets(const Box& o) const { return west <= o.east && o.west <= east && north <= o.south && o.north <= south; }
};

Box bounding_box(const kcl::Triangle& t) {
  const auto [west, east] = std::minmax({t[0][0], t[1][0], t[2][0]});
  const auto [north, south] = std::minmax({t[0][2], t[1][2], t[2][2]});
  return {west, north, east, south};
}

f64 triangle_area(const kcl::Triangle& t) {
  const auto &a = t[0], &b = t[1], &c = t[2];
  return std::abs((b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2])) / 2;
}

kcl::Point middle_point(const kcl::Point& a, const kcl::Point& b) {
  return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
}
kcl::Point middle_point(const kcl::Triangle& t) {
  kcl::Point out{};
  for (size_t i = 0; i < 3; ++i) out[i] = (t[0][i] + t[1][i] + t[2][i]) / 3;
  return out;
}

class Coverage {
 public:
  explicit Coverage(const Sectors& s) : sectors_(s) {
    for (u16 i = 0; i < s.size(); ++i) {
      const CheckPoint& p = s.point(i);
      for (const u16 n : s.next(i)) {
        const CheckPoint& q = s.point(n);
        const auto [west, east] = std::minmax({p.left.x, p.right.x, q.left.x, q.right.x});
        const auto [north, south] = std::minmax({p.left.z, p.right.z, q.left.z, q.right.z});
        boxes_.push_back({{west, north, east, south}, i});
      }
    }
    all_.resize(boxes_.size());
    std::iota(all_.begin(), all_.end(), u32(0));
  }

  /// Finds the pieces of a triangle that are in no sector.
  std::vector<kcl::Triangle> find_uncovered_parts(const kcl::Triangle& t) {
    std::vector<kcl::Triangle> out;
    if (subdivide_and_test(t, all_, 0, out)) return {t};
    return out;
  }

 private:
  static constexpr f64 k_side = 300;  // units: a kart is about as long
  static constexpr int k_most_splits = 9;
  /// The most pieces of all triangles together; files that need more are cut more coarsely.
  u64 splits_left_ = u64(1) << 17;

  /// Whether the whole triangle is in no sector; otherwise `out` receives the pieces that are in none.
  bool subdivide_and_test(const kcl::Triangle& t, const std::vector<u32>& around, int splits,
                          std::vector<kcl::Triangle>& out) {
    const Box box = bounding_box(t);
    std::vector<u32> near;
    for (const u32 i : around)
      if (boxes_[i].first.meets(box)) near.push_back(i);
    const bool is_small =
        std::max(box.east - box.west, box.south - box.north) <= k_side || splits == k_most_splits || !splits_left_;
    if (near.empty() || is_small) {
      const kcl::Point middle = middle_point(t);
      const Vec2 place{f32(middle[0]), f32(middle[2])};
      return std::ranges::none_of(near, [&](u32 i) { return sectors_.has(boxes_[i].second, place); });
    }
    // Sectors are convex.
    const auto is_covered_by = [&](u32 i) {
      return std::ranges::all_of(
          t, [&](const kcl::Point& p) { return sectors_.has(boxes_[i].second, {f32(p[0]), f32(p[2])}); });
    };
    if (std::ranges::any_of(near, is_covered_by)) return false;
    --splits_left_;
    const kcl::Point ab = middle_point(t[0], t[1]), bc = middle_point(t[1], t[2]), ca = middle_point(t[2], t[0]);
    const kcl::Triangle quarters[] = {{t[0], ab, ca}, {ab, t[1], bc}, {ca, bc, t[2]}, {ab, bc, ca}};
    std::array<bool, 4> is_out;
    for (size_t i = 0; i < 4; ++i) is_out[i] = subdivide_and_test(quarters[i], near, splits + 1, out);
    if (is_out == std::array{true, true, true, true}) return true;
    for (size_t i = 0; i < 4; ++i)
      if (is_out[i]) out.push_back(quarters[i]);
    return false;
  }

  const Sectors& sectors_;
  std::vector<std::pair<Box, u16>> boxes_;
  std::vector<u32> all_;
};

}  // namespace

namespace {

/// A prism that is a road, and the parts of it that are in no sector.
struct RoadFragment {
  u32 prism;
  RoadTriangle triangle;
  std::vector<kcl::Triangle> uncovered;
};
std::vector<RoadFragment> measure_roads(const Sectors& sectors, const kcl::Kcl& file) {
  const auto is_in_reach = [](const kcl::Point& p) {
    return std::ranges::all_of(p, [](f64 x) { return std::abs(x) <= kcl::k_farthest; });
  };
  Coverage coverage(sectors);
  std::vector<RoadFragment> out;
  for (u32 i = 0; i < file.prisms.size(); ++i) {
    if (!kcl::is_drivable(file.prisms[i].type)) continue;
    const auto corners = kcl::compute_prism_triangle(file, file.prisms[i]);
    if (!corners || !std::ranges::all_of(*corners, is_in_reach)) continue;
    RoadFragment f{i, {*corners, triangle_area(*corners)}, coverage.find_uncovered_parts(*corners)};
    for (const kcl::Triangle& t : f.uncovered) f.triangle.covered -= triangle_area(t);
    out.push_back(std::move(f));
  }
  return out;
}
std::vector<bool> find_reachable(const std::vector<RoadFragment>& roads) {
  std::vector<RoadTriangle> all;
  for (const RoadFragment& f : roads) all.push_back(f.triangle);
  return find_reachable_roads(all);
}

}  // namespace

std::vector<bool> find_reachable_prisms(const Sectors& sectors, const kcl::Kcl& file) {
  if (!sectors.size()) return std::vector<bool>(file.prisms.size(), true);
  std::vector<bool> out(file.prisms.size());
  const std::vector<RoadFragment> roads = measure_roads(sectors, file);
  const std::vector<bool> is_reachable = find_reachable(roads);
  for (size_t i = 0; i < roads.size(); ++i) out[roads[i].prism] = is_reachable[i];
  return out;
}

std::vector<UncoveredRoad> find_uncovered_roads(const Sectors& sectors, const kcl::Kcl& file, f64 area) {
  const std::vector<RoadFragment> pieces = measure_roads(sectors, file);
  const std::vector<bool> is_reachable = find_reachable(pieces);
  PrismUnionFind together;
  std::vector<std::pair<const RoadFragment*, u32>> uncovered;
  for (size_t i = 0; i < pieces.size(); ++i)
    if (is_reachable[i] && !pieces[i].uncovered.empty())
      uncovered.push_back({&pieces[i], together.add_triangle(pieces[i].triangle.corners)});
  std::map<u32, UncoveredRoad> roads;
  std::map<u32, f64> largest;
  for (const auto& [piece, at] : uncovered) {
    const u32 root = together.find_root(at);
    UncoveredRoad& road = roads[root];
    f64& largest_part = largest[root];
    for (const kcl::Triangle& t : piece->uncovered) {
      const f64 size = triangle_area(t);
      road.area += size;
      if (size > largest_part) largest_part = size, road.prism = piece->prism, road.place = middle_point(t);
      road.parts.push_back(t);
    }
  }
  std::vector<UncoveredRoad> out;
  for (auto& [unused, road] : roads)
    if (road.area >= area) out.push_back(std::move(road));
  sort_stably(out, std::greater<>(), &UncoveredRoad::area);
  return out;
}

}  // namespace dio::kmp
