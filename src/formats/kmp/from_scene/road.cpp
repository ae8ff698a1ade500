#include "formats/kmp/from_scene/road.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/elementary.hpp"
#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::kmp {

namespace {

constexpr f64 k_step = 100;           // units between samples
constexpr f64 k_most_samples = 4000;  // of the main curve; longer courses have longer steps
constexpr f64 k_smoothing = 400;      // units before and after a sample that give its direction
constexpr f64 k_above = 400;          // a curve may be this far below its road
constexpr f64 k_widest = 25000;       // units to either side
constexpr f64 k_side_step = 50, k_side_rise = 150;
constexpr f64 k_apart = 1200;           // branches have checkpoints of their own from this distance on
constexpr f64 k_longest_branch = 2;     // laps
constexpr size_t k_most_branches = 20;  // checkpoints and points of paths are numbered with 8 bits
constexpr size_t k_most_links = 6;      // of a group
constexpr f64 k_height_weight = 3;      // roads above each other are far apart

f64 flat_distance(const Point& a, const Point& b) { return elementary::hypot(a[0] - b[0], a[2] - b[2]); }

size_t nearest(const std::vector<RoadSample>& samples, const Point& p) {
  size_t best = 0;
  f64 least = std::numeric_limits<f64>::infinity();
  for (size_t i = 0; i < samples.size(); ++i) {
    const Point& q = samples[i].position;
    const f64 d = elementary::hypot(q[0] - p[0], k_height_weight * (q[1] - p[1]), q[2] - p[2]);
    if (d < least) least = d, best = i;
  }
  return best;
}

/// All samples of the course in cells, to find those around a place.
class SampleGrid {
 public:
  explicit SampleGrid(const std::vector<RoadSection>& sections) {
    for (const RoadSection& section : sections)
      for (const RoadSample& s : section.samples) cells_[cell(s.position)].push_back(s.position);
  }
  /// Whether a sample is less than `radius` away.
  bool has_within(const Point& p, f64 radius) const {
    const auto [x0, z0] = cell({p[0] - radius, 0, p[2] - radius});
    const auto [x1, z1] = cell({p[0] + radius, 0, p[2] + radius});
    for (i64 x = x0; x <= x1; ++x)
      for (i64 z = z0; z <= z1; ++z) {
        const auto found = cells_.find({x, z});
        if (found == cells_.end()) continue;
        for (const Point& q : found->second)
          if (elementary::hypot(q[0] - p[0], k_height_weight * (q[1] - p[1]), q[2] - p[2]) < radius) return true;
      }
    return false;
  }

 private:
  using Cell = std::pair<i64, i64>;
  static constexpr f64 k_size = 1000;
  static Cell cell(const Point& p) {
    static constexpr f64 k_most = 1e9;  // cells
    const auto index = [](f64 x) { return i64(std::floor(std::clamp(x / k_size, -k_most, k_most))); };
    return {index(p[0]), index(p[2])};
  }
  std::map<Cell, std::vector<Point>> cells_;
};

/// The distance to one side up to which no other sample is nearer. The places nearest to a sample form a convex region,
/// so bisection finds its border.
f64 find_border(const SampleGrid& grid, const RoadSample& s, f64 side) {
  const auto is_own = [&](f64 d) { return !grid.has_within(s.beside(side * d), d * 0.97 - 30); };
  if (is_own(k_widest)) return k_widest;
  f64 low = 0, high = k_widest;
  for (int i = 0; i < 10; ++i) {
    const f64 middle = (low + high) / 2;
    (is_own(middle) ? low : high) = middle;
  }
  return low;
}

/// The width of the road to one side, at most `most`.
f64 find_edge(const Ground& ground, const RoadSample& s, f64 side, f64 most) {
  if (!s.has_road) return 0;
  f64 height = s.position[1], d = 0;
  while (d + k_side_step <= most) {
    Point p = s.beside(side * (d + k_side_step));
    p[1] = height;
    const auto hit = ground.find_surface_below(p, k_side_rise);
    if (!hit || hit->height < height - k_side_rise || !kcl::is_drivable(hit->type)) break;
    height = hit->height;
    d += k_side_step;
  }
  return d;
}

void measure_widths(std::vector<RoadSection>& sections, const Ground& ground) {
  const SampleGrid grid(sections);
  for (RoadSection& section : sections)
    for (RoadSample& s : section.samples) {
      s.most_left = find_border(grid, s, 1), s.most_right = find_border(grid, s, -1);
      s.left = find_edge(ground, s, 1, s.most_left), s.right = find_edge(ground, s, -1, s.most_right);
    }
}

/// A branch, and where its road is separate from the main road.
struct Branch {
  std::vector<RoadSample> samples;
  size_t leaves, returns;          // samples of the main road, where the curves meet
  size_t first_apart, last_apart;  // samples of the main road next to the ends of `samples`
};

/// Nothing if the branch does not leave the main road and come back further ahead; `why` says so.
std::optional<Branch> make_branch(const Curve& curve, const std::vector<RoadSample>& main, f64 step,
                                  const Ground& ground, std::string& why) {
  Curve c = curve;
  Branch b;
  if (c.length() > k_longest_branch * step * f64(main.size())) {
    why = "it is more than twice as long as a lap";
    return {};
  }
  b.leaves = nearest(main, c.points.front()), b.returns = nearest(main, c.points.back());
  constexpr f64 k_farthest_end = 3000;  // wide roads have branches that begin at their edge
  const f64 away = std::max(flat_distance(c.points.front(), main[b.leaves].position),
                            flat_distance(c.points.back(), main[b.returns].position));
  if (away > k_farthest_end) {
    why = "one of its ends is " + std::to_string(std::llround(away)) + " units away from the course path";
    return {};
  }
  if (b.leaves > b.returns) reverse(c), std::swap(b.leaves, b.returns);
  b.samples = sample_curve(c, step, ground);
  std::vector<f64> apart;
  for (const RoadSample& s : b.samples)
    apart.push_back(flat_distance(s.position, main[nearest(main, s.position)].position));
  const f64 least = std::min(k_apart, 0.6 * *std::ranges::max_element(apart));
  if (least < 300) {
    why = "it is nowhere 500 units away from the course path";
    return {};
  }
  size_t first = 0, last = apart.size() - 1;
  while (apart[first] < least) ++first;
  while (apart[last] < least) --last;
  if (last < first + 8) {
    why = "it is too short";
    return {};
  }
  b.samples = {b.samples.begin() + i64(first), b.samples.begin() + i64(last) + 1};
  b.first_apart = std::max(b.leaves, nearest(main, b.samples.front().position));
  b.last_apart = std::min(b.returns, nearest(main, b.samples.back().position));
  const size_t margin = size_t(1500 / step);
  if (b.leaves < margin || b.returns + margin > main.size()) {
    why = "it crosses the lap line, or leaves or meets the course path too close to it";
    return {};
  }
  if (b.first_apart + 8 > b.last_apart) {
    why = "it does not come back to the course path further ahead";
    return {};
  }
  return b;
}

/// Splits the main road where branches leave and return.
void build_sections(Road& road, const std::vector<RoadSample>& main, std::vector<Branch> branches) {
  // Sections of the main road: between the branches, and parallel to each of them.
  struct Cut {
    size_t end, begin;  // the road before ends at `end`, the one after begins at `begin`
  };
  std::map<size_t, Cut> cuts;
  const auto add_cut = [&](size_t at, Cut c) {
    const size_t close = size_t(2000 / road.step);
    for (auto& [known, cut] : cuts)
      if (at < known + close && known < at + close) {
        cut.end = std::min(cut.end, c.end), cut.begin = std::max(cut.begin, c.begin);
        return known;
      }
    cuts.emplace(at, c);
    return at;
  };
  std::vector<std::pair<size_t, size_t>> ends;  // the cuts of each branch
  for (const Branch& b : branches)
    ends.push_back({add_cut(b.leaves, {b.leaves, b.first_apart}), add_cut(b.returns, {b.last_apart, b.returns})});
  std::map<size_t, u32> section_after;
  size_t begin = 0;
  for (const auto& [at, cut] : cuts) {
    road.sections.push_back({{main.begin() + i64(begin), main.begin() + i64(std::max(cut.end, begin + 2))}, {}, {}});
    section_after[at] = u32(road.sections.size());
    begin = std::min(cut.begin, main.size() - 2);
  }
  road.sections.push_back({{main.begin() + i64(begin), main.end()}, {}, {}});
  const u32 count = u32(road.sections.size());
  for (u32 i = 0; i < count; ++i) {
    road.sections[i].next.push_back((i + 1) % count);
    road.sections[(i + 1) % count].previous.push_back(i);
  }
  for (size_t i = 0; i < branches.size(); ++i) {
    const u32 own = u32(road.sections.size()), from = section_after[ends[i].first] - 1,
              to = section_after[ends[i].second];
    if (road.sections[from].next.size() == k_most_links || road.sections[to].previous.size() == k_most_links) {
      road.unused.push_back("more than six ways meet there");
      continue;
    }
    road.sections.push_back({std::move(branches[i].samples), {from}, {to}, false});
    road.sections[from].next.push_back(own);
    road.sections[to].previous.push_back(own);
    for (u32 k = from + 1; k < to; ++k) road.sections[k].is_on_every_lap = false;
  }
}

}  // namespace

std::vector<RoadSample> sample_curve(const Curve& curve, f64 step, const Ground& ground) {
  const Curve c = resample(curve, step);
  const size_t n = c.points.size(), around = std::max<size_t>(1, size_t(k_smoothing / step));
  const auto at = [&](i64 i) -> const Point& {
    return c.is_closed ? c.points[size_t((i % i64(n) + i64(n)) % i64(n))]
                       : c.points[size_t(std::clamp<i64>(i, 0, i64(n) - 1))];
  };
  std::vector<RoadSample> out(n);
  for (size_t i = 0; i < n; ++i) {
    RoadSample& s = out[i];
    s.position = c.points[i];
    const Point &before = at(i64(i) - i64(around)), &after = at(i64(i + around));
    const f64 x = after[0] - before[0], z = after[2] - before[2], size = elementary::hypot(x, z);
    if (size > 0)
      s.ahead_x = x / size, s.ahead_z = z / size;
    else if (i)
      s.ahead_x = out[i - 1].ahead_x, s.ahead_z = out[i - 1].ahead_z;
    else
      s.ahead_z = 1;
    for (const f64 above : {k_above, 5 * k_above})
      if (!s.has_road)
        if (const auto hit = ground.find_surface_below(s.position, above);
            hit && kcl::is_drivable(hit->type) && s.position[1] - hit->height < 10 * k_above) {
          s.has_road = true, s.type = hit->type;
          s.position[1] = hit->height;
        }
  }
  return out;
}

Road build_road(Curve main, const std::vector<Curve>& branches, const std::optional<StartPose>& start, f64 line_ahead,
                const Ground& ground) {
  Road road;
  road.length = main.length();
  road.step = std::max(k_step, road.length / k_most_samples);
  main = resample(main, road.step);
  if (start) {
    std::vector<RoadSample> samples = sample_curve(main, road.step, ground);
    size_t at = nearest(samples, start->position);
    if (start->ahead && (*start->ahead)[0] * samples[at].ahead_x + (*start->ahead)[1] * samples[at].ahead_z < 0) {
      reverse(main);
      at = main.points.size() - 1 - at;
    }
    rotate_start(main, (at + size_t(std::lround(line_ahead / road.step))) % main.points.size());
  }
  const std::vector<RoadSample> samples = sample_curve(main, road.step, ground);
  std::vector<Branch> used;
  for (const Curve& c : branches) {
    std::string why;
    if (c.is_closed) why = "it is closed";
    if (used.size() == k_most_branches) why = text("there are more than ", k_most_branches);
    if (why.empty())
      if (auto branch = make_branch(c, samples, road.step, ground, why)) {
        used.push_back(std::move(*branch));
        continue;
      }
    road.unused.push_back(std::move(why));
  }
  build_sections(road, samples, std::move(used));
  measure_widths(road.sections, ground);
  return road;
}

}  // namespace dio::kmp
