#include "scene/quantize.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "scene/srgb_tables.hpp"

namespace dio::scene {
namespace {

constexpr size_t k_most_points = 1u << 12;  // with more colours, similar ones are merged before the search
constexpr int k_most_rounds = 12, k_most_snapped_rounds = 6, k_most_changes = 24;

// ---- Oklab ----------------------------------------------------------------------------------------------------------

/// The response of the eye's cones to light: the cube root, as in Oklab, but a straight line near black, as in CIE L*
/// (otherwise no two blacks would look alike). 0 to 2^14.
class CubeRootTable {
 public:
  constexpr CubeRootTable() {
    u64 root = 0;  // of light, 0 to 2^15, rounded down
    for (u32 i = 0; i < answers_.size(); ++i) {
      const u64 light = std::min(u64(i) * 16, u64(65535));
      while ((root + 1) * (root + 1) * (root + 1) * 65535 <= light << 45) ++root;
      answers_[i] = u16(root * 116 > (16u << 15) ? (root * 116 - (16u << 15) + 100) / 200 : 0);
    }
  }
  /// Converts to light from 0 to 65535, times 65536.
  constexpr i64 to(i64 light) const {
    constexpr i64 k_line_end = 580,
                  k_slope = 147998;  // 0.008856 of all light; 24389 / 2700 * 2^14 / 65535, 65536 times
    if (light <= k_line_end << 16) return (light * k_slope + (i64(1) << 31)) >> 32;
    const i64 step = light >> 20, rest = light - (step << 20);
    const i64 low = answers_[size_t(step)], high = answers_[size_t(step) + 1];
    return low + ((high - low) * rest + (1 << 19)) / (1 << 20);
  }

 private:
  std::array<u16, (1u << 12) + 1> answers_{};  // to each 16th light
};
constexpr CubeRootTable k_answers;

/// Sums of colours. All sums are integers that fit: 2^26 pixels have sums below 2^39.
struct ColorSum {
  u64 weight = 0;
  std::array<i64, 3> color{}, look{};

  void add(const Rgb& rgb, const OklabColor& at, u32 n) {
    weight += n;
    for (size_t i = 0; i < 3; ++i) {
      color[i] += i64(rgb[i]) * n;
      look[i] += i64(at[i]) * n;
    }
  }
  /// The sum of squared distances from zero minus the sum from the mean; the higher, the closer all colours are to the
  /// mean.
  f64 closeness() const {
    f64 sum = 0;
    for (const i64 c : look) sum += f64(c) * f64(c);
    return weight ? sum / f64(weight) : 0;
  }
};
ColorSum operator-(const ColorSum& a, const ColorSum& b) {
  ColorSum rest = a;
  rest.weight -= b.weight;
  for (size_t i = 0; i < 3; ++i) {
    rest.color[i] -= b.color[i];
    rest.look[i] -= b.look[i];
  }
  return rest;
}

struct Weighted {
  Rgb color;
  u32 weight;
  OklabColor at;
};

/// The points of the colours; with too many, points of one 15-bit colour are merged.
std::vector<Weighted> make_color_points(std::span<const WeightedColor> colors) {
  std::vector<Weighted> points;
  if (colors.size() <= k_most_points) {
    for (const auto& [color, weight] : colors)
      if (weight) points.push_back({color, weight, to_oklab(color)});
    return points;
  }
  std::vector<ColorSum> cells(1u << 15);
  for (const auto& [color, weight] : colors)
    cells[size_t(color[0] >> 3) << 10 | size_t(color[1] >> 3) << 5 | color[2] >> 3].add(color, {}, weight);
  for (const ColorSum& cell : cells) {
    if (!cell.weight) continue;
    Rgb mean;
    for (size_t i = 0; i < 3; ++i) mean[i] = u8((u64(cell.color[i]) + cell.weight / 2) / cell.weight);
    points.push_back({mean, u32(cell.weight), to_oklab(mean)});
  }
  return points;
}

// ---- start: a box of all colours, split where it helps most, until there are enough boxes ---------------------------

struct Box {
  size_t first, end;
  ColorSum sum;
  size_t cut = 0;  // the best position to split along `axis`; the gain is 0 if there is none
  size_t axis = 0;
  f64 gain = 0;
};

void sort_along(std::span<Weighted> points, size_t axis) {
  std::sort(points.begin(), points.end(), [axis](const Weighted& a, const Weighted& b) {
    return a.at[axis] != b.at[axis] ? a.at[axis] < b.at[axis] : a.color < b.color;
  });
}

void find_best_cut(std::vector<Weighted>& points, Box& box) {
  const std::span<Weighted> inside = std::span(points).subspan(box.first, box.end - box.first);
  const f64 whole = box.sum.closeness();
  for (size_t axis = 0; axis < 3; ++axis) {
    sort_along(inside, axis);
    ColorSum before;
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

std::vector<ColorSum> cut_boxes(std::vector<Weighted>& points, size_t most) {
  std::vector<Box> boxes{{0, points.size(), {}}};
  for (const Weighted& p : points) boxes[0].sum.add(p.color, p.at, p.weight);
  find_best_cut(points, boxes[0]);
  while (boxes.size() < most) {
    const auto best = std::max_element(boxes.begin(), boxes.end(), [](auto& a, auto& b) { return a.gain < b.gain; });
    if (best->gain <= 0) break;
    const Box whole = *best;
    sort_along(std::span(points).subspan(whole.first, whole.end - whole.first), whole.axis);
    Box low{whole.first, whole.cut, {}}, high{whole.cut, whole.end, {}};
    for (size_t i = low.first; i < low.end; ++i) low.sum.add(points[i].color, points[i].at, points[i].weight);
    high.sum = whole.sum - low.sum;
    find_best_cut(points, low);
    find_best_cut(points, high);
    *best = low;
    boxes.push_back(high);
  }
  std::vector<ColorSum> sums;
  for (const Box& box : boxes) sums.push_back(box.sum);
  return sums;
}

// ---- refinement: each colour goes to its nearest centre, each centre to the mean of its colours ---------------------

/// The centres as three rows, so that compilers generate vector code.
class Centers {
 public:
  void clear() {
    for (auto& row : rows_) row.clear();
  }
  void add(const OklabColor& at) {
    for (size_t i = 0; i < 3; ++i) rows_[i].push_back(at[i]);
    distances_.resize(rows_[0].size());
  }
  size_t nearest(const OklabColor& at, u32& least) {
    compute_distances(at);
    const auto found = std::min_element(distances_.begin(), distances_.end());
    least = *found;
    return size_t(found - distances_.begin());
  }
  /// The distance to the nearest centre other than that one.
  u32 nearest_distance_except(const OklabColor& at, size_t without) {
    compute_distances(at);
    distances_[without] = std::numeric_limits<u32>::max();
    return *std::min_element(distances_.begin(), distances_.end());
  }

 private:
  void compute_distances(const OklabColor& at) {
    const size_t n = rows_[0].size();
    const i32 *x = rows_[0].data(), *y = rows_[1].data(), *z = rows_[2].data();
    u32* to = distances_.data();
    for (size_t i = 0; i < n; ++i) {
      const i32 a = x[i] - at[0], b = y[i] - at[1], c = z[i] - at[2];
      to[i] = u32(a * a + b * b + c * c);
    }
  }
  std::array<std::vector<i32>, 3> rows_;
  std::vector<u32> distances_;
};

struct Assignment {
  std::vector<ColorSum> sums;  // of each centre
  std::vector<u32> center;     // of each point
  std::vector<u32> distance;
  u64 error = 0;
};

Assignment assign_points(std::span<const Weighted> points, Centers& centers, size_t count) {
  Assignment all{std::vector<ColorSum>(count), std::vector<u32>(points.size()), std::vector<u32>(points.size())};
  for (size_t i = 0; i < points.size(); ++i) {
    const size_t center = centers.nearest(points[i].at, all.distance[i]);
    all.center[i] = u32(center);
    all.sums[center].add(points[i].color, points[i].at, points[i].weight);
    all.error += u64(all.distance[i]) * points[i].weight;
  }
  return all;
}

/// Returns the point that contributes most to the error, to move an unused centre there.
const Weighted& take_worst_point(std::span<const Weighted> points, Assignment& all) {
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

OklabColor mean_color(const ColorSum& sum) {
  OklabColor mean;
  const i64 weight = i64(sum.weight);
  for (size_t i = 0; i < 3; ++i) {  // rounded down, also below 0
    const i64 twice = 2 * sum.look[i] + weight;
    mean[i] = i32((twice - (twice < 0 ? 2 * weight - 1 : 0)) / (2 * weight));
  }
  return mean;
}

/// The target colour most similar to the mean: starts from the nearest value of each channel and tries one step of any
/// channels at a time.
Rgb snap_to_levels(const ColorSum& sum, std::span<const u8> levels) {
  std::array<size_t, 3> at;  // of `levels`
  for (size_t i = 0; i < 3; ++i) {
    const i64 weight = i64(sum.weight);
    const auto above = std::find_if(levels.begin(), levels.end(), [&](u8 l) { return l * weight >= sum.color[i]; });
    at[i] = std::min(size_t(above - levels.begin()), levels.size() - 1);
    if (at[i] && 2 * sum.color[i] < (i64(levels[at[i]]) + levels[at[i] - 1]) * weight) --at[i];
  }
  const OklabColor mean = mean_color(sum);
  const auto color_of = [&](const std::array<size_t, 3>& of) {
    return Rgb{levels[of[0]], levels[of[1]], levels[of[2]]};
  };
  u32 least = difference(to_oklab(color_of(at)), mean);
  for (bool is_better = true; is_better;) {
    is_better = false;
    const auto from = at;
    for (size_t step = 0; step < 27; ++step) {
      std::array<size_t, 3> to;
      bool exists = true;
      for (size_t i = 0, rest = step; i < 3; ++i, rest /= 3) {
        to[i] = from[i] + rest % 3 - 1;  // below 0 is above all
        exists &= to[i] < levels.size();
      }
      if (!exists) continue;
      if (const u32 far = difference(to_oklab(color_of(to)), mean); far < least) {
        least = far;
        at = to;
        is_better = true;
      }
    }
  }
  return color_of(at);
}
Rgb snap_to_levels(const Weighted& p, std::span<const u8> levels) {
  ColorSum one;
  one.add(p.color, p.at, 1);
  return snap_to_levels(one, levels);
}

/// A palette and its assignment to points.
struct PaletteAssignment {
  std::vector<Rgb> palette;
  Assignment all;
};

/// Moves each centre to a target colour, as long as that helps. `before` is the assignment of the sums.
PaletteAssignment refine_snapped_palette(std::span<const Weighted> points, std::vector<ColorSum> sums,
                                         Assignment before, std::span<const u8> levels) {
  PaletteAssignment best;
  best.all.error = std::numeric_limits<u64>::max();
  for (int round = 0; round < k_most_snapped_rounds; ++round) {
    std::vector<Rgb> palette;
    Centers centers;
    for (const ColorSum& sum : sums) {
      Rgb color = sum.weight ? snap_to_levels(sum, levels) : snap_to_levels(take_worst_point(points, before), levels);
      if (std::find(palette.begin(), palette.end(), color) != palette.end())
        color = snap_to_levels(take_worst_point(points, before), levels);
      palette.push_back(color);
      centers.add(to_oklab(color));
    }
    Assignment now = assign_points(points, centers, palette.size());
    if (now.error >= best.all.error) break;
    sums = now.sums;
    before = now;
    best = {std::move(palette), std::move(now)};
  }
  return best;
}

/// The sums without the most dispensable centre: `show` moves it to the point that contributes most to the error.
std::vector<ColorSum> remove_least_useful_center(std::span<const Weighted> points, const PaletteAssignment& shown) {
  Centers centers;
  for (const Rgb& color : shown.palette) centers.add(to_oklab(color));
  std::vector<u64> losses(shown.palette.size());
  for (size_t i = 0; i < points.size(); ++i) {
    const u32 center = shown.all.center[i];
    losses[center] +=
        u64(centers.nearest_distance_except(points[i].at, center) - shown.all.distance[i]) * points[i].weight;
  }
  std::vector<ColorSum> sums = shown.all.sums;
  sums[size_t(std::min_element(losses.begin(), losses.end()) - losses.begin())] = {};
  return sums;
}

}  // namespace

OklabColor to_oklab(const Rgb& color) {
  const i64 r = srgb_to_light(color[0]), g = srgb_to_light(color[1]), b = srgb_to_light(color[2]);
  // The matrices, times 65536, rounded so that gray is exactly gray.
  const i64 l = k_answers.to(27015 * r + 35149 * g + 3372 * b);
  const i64 m = k_answers.to(13887 * r + 44610 * g + 7039 * b);
  const i64 s = k_answers.to(5787 * r + 18463 * g + 41286 * b);
  const auto scaled = [](i64 sum, i64 scale) { return i32((sum * scale + (i64(1) << 29)) >> 30); };
  return {scaled(13792 * l + 52011 * m - 267 * s, 4080), scaled(129630 * l - 159160 * m + 29530 * s, 5100),
          scaled(1698 * l + 51300 * m - 52998 * s, 5100)};
}

size_t NearestColor::of(const Rgb& color) const {
  const OklabColor look = to_oklab(color);
  size_t nearest = 0;
  u32 least = std::numeric_limits<u32>::max();
  for (size_t i = 0; i < looks_.size(); ++i)
    if (const u32 far = difference(looks_[i], look); far < least) {
      least = far;
      nearest = i;
    }
  return nearest;
}

std::vector<Rgb> quantize(std::span<const WeightedColor> colors, const QuantizeOptions& options) {
  std::array<u8, 256> all_levels;
  std::iota(all_levels.begin(), all_levels.end(), u8(0));
  const std::span<const u8> levels = options.levels.empty() ? std::span<const u8>(all_levels) : options.levels;
  std::vector<Weighted> points = make_color_points(colors);
  const auto sort_palette = [](std::vector<Rgb> palette) {
    std::sort(palette.begin(), palette.end(), [](const Rgb& a, const Rgb& b) {
      const i32 dark = to_oklab(a)[0], bright = to_oklab(b)[0];
      return dark != bright ? dark < bright : a < b;
    });
    palette.erase(std::unique(palette.begin(), palette.end()), palette.end());
    return palette;
  };
  if (points.size() <= options.most_colors) {
    std::vector<Rgb> palette;
    for (const Weighted& p : points) palette.push_back(snap_to_levels(p, levels));
    return sort_palette(std::move(palette));
  }

  std::vector<ColorSum> sums = cut_boxes(points, options.most_colors);
  const size_t count = sums.size();
  Centers centers;
  Assignment now;
  u64 least = std::numeric_limits<u64>::max();
  for (int round = 0; round < k_most_rounds; ++round) {
    centers.clear();
    for (const ColorSum& sum : sums) centers.add(sum.weight ? mean_color(sum) : take_worst_point(points, now).at);
    now = assign_points(points, centers, count);
    if (now.error >= least) break;
    least = now.error;
    sums = now.sums;
  }

  // Same, with centres restricted to target colours; the best of all rounds wins.
  PaletteAssignment best = refine_snapped_palette(points, std::move(sums), now, levels);
  for (int change = 0; change < k_most_changes; ++change) {
    PaletteAssignment other =
        refine_snapped_palette(points, remove_least_useful_center(points, best), best.all, levels);
    if (other.all.error >= best.all.error) break;
    const bool is_small = best.all.error - other.all.error < best.all.error / 256;
    best = std::move(other);
    if (is_small) break;
  }
  return sort_palette(std::move(best.palette));
}

}  // namespace dio::scene
