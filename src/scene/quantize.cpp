#include "scene/quantize.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace dio::scene {
namespace {

constexpr size_t k_most_points = 1u << 11;  // more colours than these are merged before the search
constexpr int k_most_rounds = 12, k_most_snapped_rounds = 6;

/// Colours added up. All sums are whole and fit: 2^26 pixels have sums below 2^39.
struct Sum {
  u64 weight = 0;
  std::array<i64, 3> color{}, look{};

  void add(const Rgb& rgb, const Look& at, u32 n) {
    weight += n;
    for (size_t i = 0; i < 3; ++i) {
      color[i] += i64(rgb[i]) * n;
      look[i] += i64(at[i]) * n;
    }
  }
  /// What the squares of all distances from zero are less those from the mean; the higher, the closer all are to it.
  f64 closeness() const {
    f64 sum = 0;
    for (const i64 c : look) sum += f64(c) * f64(c);
    return weight ? sum / f64(weight) : 0;
  }
};
Sum operator-(const Sum& a, const Sum& b) {
  Sum rest = a;
  rest.weight -= b.weight;
  for (size_t i = 0; i < 3; ++i) {
    rest.color[i] -= b.color[i];
    rest.look[i] -= b.look[i];
  }
  return rest;
}

struct Point {
  Rgb color;
  u32 weight;
  Look at;
};

/// Points of the colours, those of one 15-bit colour merged if there are too many.
std::vector<Point> points_of(std::span<const WeightedColor> colors) {
  std::vector<Point> points;
  if (colors.size() <= k_most_points) {
    for (const auto& [color, weight] : colors)
      if (weight) points.push_back({color, weight, look_of(color)});
    return points;
  }
  std::vector<Sum> cells(1u << 15);
  for (const auto& [color, weight] : colors)
    cells[size_t(color[0] >> 3) << 10 | size_t(color[1] >> 3) << 5 | color[2] >> 3].add(color, {}, weight);
  for (const Sum& cell : cells) {
    if (!cell.weight) continue;
    Rgb mean;
    for (size_t i = 0; i < 3; ++i) mean[i] = u8((u64(cell.color[i]) + cell.weight / 2) / cell.weight);
    points.push_back({mean, u32(cell.weight), look_of(mean)});
  }
  return points;
}

// ---- start: a box of all colours, cut where it helps most, until there are enough boxes -----------------------------

struct Box {
  size_t first, end;
  Sum sum;
  size_t cut = 0;  // the best place to cut it along `axis`; the gain is 0 if there is none
  size_t axis = 0;
  f64 gain = 0;
};

void sort_along(std::span<Point> points, size_t axis) {
  std::sort(points.begin(), points.end(), [axis](const Point& a, const Point& b) {
    return a.at[axis] != b.at[axis] ? a.at[axis] < b.at[axis] : a.color < b.color;
  });
}

void find_cut(std::vector<Point>& points, Box& box) {
  const std::span<Point> inside = std::span(points).subspan(box.first, box.end - box.first);
  const f64 whole = box.sum.closeness();
  for (size_t axis = 0; axis < 3; ++axis) {
    sort_along(inside, axis);
    Sum before;
    for (size_t i = 0; i + 1 < inside.size(); ++i) {
      before.add(inside[i].color, inside[i].at, inside[i].weight);
      const f64 gain = before.closeness() + (box.sum - before).closeness() - whole;
      if (gain > box.gain) {
        box.gain = gain;
        box.axis = axis;
        box.cut = box.first + i + 1;
      }
    }
  }
}

std::vector<Sum> cut_boxes(std::vector<Point>& points, size_t most) {
  std::vector<Box> boxes{{0, points.size(), {}}};
  for (const Point& p : points) boxes[0].sum.add(p.color, p.at, p.weight);
  find_cut(points, boxes[0]);
  while (boxes.size() < most) {
    const auto best = std::max_element(boxes.begin(), boxes.end(), [](auto& a, auto& b) { return a.gain < b.gain; });
    if (best->gain <= 0) break;
    const Box whole = *best;
    sort_along(std::span(points).subspan(whole.first, whole.end - whole.first), whole.axis);
    Box low{whole.first, whole.cut, {}}, high{whole.cut, whole.end, {}};
    for (size_t i = low.first; i < low.end; ++i) low.sum.add(points[i].color, points[i].at, points[i].weight);
    high.sum = whole.sum - low.sum;
    find_cut(points, low);
    find_cut(points, high);
    *best = low;
    boxes.push_back(high);
  }
  std::vector<Sum> sums;
  for (const Box& box : boxes) sums.push_back(box.sum);
  return sums;
}

// ---- refinement: each colour to its nearest centre, each centre to the middle of its colours ------------------------

/// The centres as three rows, which compilers turn into vector code.
class Centers {
 public:
  void clear() {
    for (auto& row : rows_) row.clear();
  }
  void add(const Look& at) {
    for (size_t i = 0; i < 3; ++i) rows_[i].push_back(at[i]);
    distances_.resize(rows_[0].size());
  }
  size_t nearest(const Look& at, u32& least) {
    const size_t n = rows_[0].size();
    const i32 *x = rows_[0].data(), *y = rows_[1].data(), *z = rows_[2].data();
    u32* to = distances_.data();
    for (size_t i = 0; i < n; ++i) {
      const i32 a = x[i] - at[0], b = y[i] - at[1], c = z[i] - at[2];
      to[i] = u32(a * a + b * b + c * c);
    }
    const auto found = std::min_element(distances_.begin(), distances_.end());
    least = *found;
    return size_t(found - distances_.begin());
  }

 private:
  std::array<std::vector<i32>, 3> rows_;
  std::vector<u32> distances_;
};

struct Assignment {
  std::vector<Sum> sums;    // of each centre
  std::vector<u32> center;  // of each point
  std::vector<u32> distance;
  u64 error = 0;
};

Assignment assign(std::span<const Point> points, Centers& centers, size_t count) {
  Assignment all{std::vector<Sum>(count), std::vector<u32>(points.size()), std::vector<u32>(points.size())};
  for (size_t i = 0; i < points.size(); ++i) {
    const size_t center = centers.nearest(points[i].at, all.distance[i]);
    all.center[i] = u32(center);
    all.sums[center].add(points[i].color, points[i].at, points[i].weight);
    all.error += u64(all.distance[i]) * points[i].weight;
  }
  return all;
}

/// Takes the point that weighs most on the error, so that a centre without colours gets one.
const Point& take_worst(std::span<const Point> points, Assignment& all) {
  size_t worst = 0;
  u64 most = 0;
  for (size_t i = 0; i < points.size(); ++i)
    if (const u64 error = u64(all.distance[i]) * points[i].weight; error > most) {
      most = error;
      worst = i;
    }
  all.distance[worst] = 0;
  return points[worst];
}

Look mean_of(const Sum& sum) {
  Look mean;
  const i64 weight = i64(sum.weight);
  for (size_t i = 0; i < 3; ++i) {  // rounded down, also below 0
    const i64 twice = 2 * sum.look[i] + weight;
    mean[i] = i32((twice - (twice < 0 ? 2 * weight - 1 : 0)) / (2 * weight));
  }
  return mean;
}

/// The levels of all three channels that together look most like the mean.
Rgb snap(const Sum& sum, std::span<const u8> levels) {
  std::array<std::array<u8, 2>, 3> around;
  for (size_t i = 0; i < 3; ++i) {
    const auto above =
        std::find_if(levels.begin(), levels.end(), [&](u8 level) { return level * i64(sum.weight) >= sum.color[i]; });
    const size_t high = std::min(size_t(above - levels.begin()), levels.size() - 1);
    around[i] = {levels[high ? high - 1 : 0], levels[high]};
  }
  const Look mean = mean_of(sum);
  Rgb best{};
  u32 least = std::numeric_limits<u32>::max();
  for (size_t i = 0; i < 8; ++i) {
    const Rgb candidate{around[0][i & 1], around[1][i >> 1 & 1], around[2][i >> 2]};
    if (const u32 distance = difference(look_of(candidate), mean); distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}
Rgb snap(const Point& p, std::span<const u8> levels) {
  Sum one;
  one.add(p.color, p.at, 1);
  return snap(one, levels);
}

}  // namespace

size_t NearestColor::of(const Rgb& color) const {
  const Look look = look_of(color);
  size_t nearest = 0;
  u32 least = std::numeric_limits<u32>::max();
  for (size_t i = 0; i < looks_.size(); ++i)
    if (const u32 far = difference(looks_[i], look); far < least) {
      least = far;
      nearest = i;
    }
  return nearest;
}

size_t nearest_color(std::span<const Rgb> palette, const Rgb& color) { return NearestColor(palette).of(color); }

std::vector<Rgb> quantize(std::span<const WeightedColor> colors, const QuantizeOptions& options) {
  std::array<u8, 256> all_levels;
  std::iota(all_levels.begin(), all_levels.end(), u8(0));
  const std::span<const u8> levels = options.levels.empty() ? std::span<const u8>(all_levels) : options.levels;
  std::vector<Point> points = points_of(colors);
  const auto finish = [](std::vector<Rgb> palette) {
    std::sort(palette.begin(), palette.end(), [](const Rgb& a, const Rgb& b) {
      const i32 dark = look_of(a)[0], bright = look_of(b)[0];
      return dark != bright ? dark < bright : a < b;
    });
    palette.erase(std::unique(palette.begin(), palette.end()), palette.end());
    return palette;
  };
  if (points.size() <= options.most_colors) {
    std::vector<Rgb> palette;
    for (const Point& p : points) palette.push_back(snap(p, levels));
    return finish(std::move(palette));
  }

  std::vector<Sum> sums = cut_boxes(points, options.most_colors);
  const size_t count = sums.size();
  Centers centers;
  Assignment now;
  u64 least = std::numeric_limits<u64>::max();
  for (int round = 0; round < k_most_rounds; ++round) {
    centers.clear();
    for (const Sum& sum : sums) centers.add(sum.weight ? mean_of(sum) : take_worst(points, now).at);
    now = assign(points, centers, count);
    if (now.error >= least) break;
    least = now.error;
    sums = now.sums;
  }

  // The same with centres that the target can show; the best of all rounds wins.
  least = std::numeric_limits<u64>::max();
  std::vector<Rgb> best;
  for (int round = 0; round < k_most_snapped_rounds; ++round) {
    std::vector<Rgb> palette;
    for (const Sum& sum : sums) {
      Rgb color = sum.weight ? snap(sum, levels) : snap(take_worst(points, now), levels);
      if (std::find(palette.begin(), palette.end(), color) != palette.end())
        color = snap(take_worst(points, now), levels);
      palette.push_back(color);
    }
    centers.clear();
    for (const Rgb& color : palette) centers.add(look_of(color));
    now = assign(points, centers, count);
    if (now.error >= least) break;
    least = now.error;
    best = std::move(palette);
    sums = now.sums;
  }
  return finish(std::move(best));
}

}  // namespace dio::scene
