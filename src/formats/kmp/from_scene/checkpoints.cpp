#include "formats/kmp/from_scene/checkpoints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "core/elementary.hpp"
#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

namespace {

constexpr size_t k_most_checkpoints = 250;
constexpr f64 k_usual_distance = 1500;
constexpr f64 k_turn =
    30 * std::numbers::pi / 180;  // as many checkpoints for a turn of this angle as for that distance

/// The checkpoints of a section, by the length and the turns of its road.
std::vector<size_t> spread_over_section(const Road& road, u32 section, f64 spacing) {
  const RoadSection& s = road.sections[section];
  std::vector<f64> cost{0};
  for (size_t i = 1; i < s.samples.size(); ++i) {
    const RoadSample &a = s.samples[i - 1], &b = s.samples[i];
    const f64 turn = std::abs(elementary::atan2(a.ahead_x * b.ahead_z - a.ahead_z * b.ahead_x,
                                                a.ahead_x * b.ahead_x + a.ahead_z * b.ahead_z));
    cost.push_back(cost.back() + road.step / spacing + turn / k_turn * (k_usual_distance / spacing));
  }
  // A gap follows where branches leave or return; otherwise the next section begins one distance after the last.
  const Point& end = s.samples.back().position;
  f64 gap = std::numeric_limits<f64>::infinity();
  for (const u32 n : s.next) {
    const Point& p = road.sections[n].samples.front().position;
    gap = std::min(gap, elementary::hypot(p[0] - end[0], p[2] - end[2]));
  }
  const bool ends_with_one = gap > spacing * 0.5;
  const size_t pieces = std::max<size_t>(2, size_t(std::llround(cost.back())));
  std::vector<size_t> out;
  size_t at = 0;
  for (size_t k = 0; k < pieces + ends_with_one; ++k) {
    const f64 target = cost.back() * f64(k) / f64(pieces);
    while (at + 1 < cost.size() && cost[at] < target - 1e-9) ++at;
    if (out.empty() || at > out.back()) out.push_back(at);
  }
  return out;
}

struct Line {
  Point left, right;
};
Line line_of(const Road& road, const RoadCheckpoint& c) {
  const RoadSample& s = road.sections[c.section].samples[c.sample];
  return {s.beside(c.left), s.beside(-c.right)};
}
f64 turn_at(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
}
/// Whether two consecutive checkpoints are opposite sides of a convex quad, left on the left, and not too close.
bool is_convex(const Line& a, const Line& b) {
  constexpr f64 k_closest = 15;
  if (elementary::hypot(a.left[0] - b.left[0], a.left[2] - b.left[2]) < k_closest ||
      elementary::hypot(a.right[0] - b.right[0], a.right[2] - b.right[2]) < k_closest)
    return false;
  const Point corners[] = {a.left, a.right, b.right, b.left};
  for (size_t i = 0; i < 4; ++i)
    if (turn_at(corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]) > -1) return false;
  return true;
}

/// The pairs of consecutive checkpoints.
std::vector<std::pair<size_t, size_t>> consecutive_pairs(const Road& road, const std::vector<RoadCheckpoint>& all) {
  std::vector<size_t> first(road.sections.size(), all.size()), last(road.sections.size());
  for (size_t i = 0; i < all.size(); ++i) {
    first[all[i].section] = std::min(first[all[i].section], i);
    last[all[i].section] = i;
  }
  std::vector<std::pair<size_t, size_t>> out;
  for (size_t i = 0; i + 1 < all.size(); ++i)
    if (all[i].section == all[i + 1].section) out.push_back({i, i + 1});
  for (u32 s = 0; s < road.sections.size(); ++s)
    for (const u32 n : road.sections[s].next) out.push_back({last[s], first[n]});
  return out;
}

/// Shortens lines that cross their neighbours, on the side where they do.
void untangle(const Road& road, std::vector<RoadCheckpoint>& all) {
  constexpr int k_most_rounds = 60;
  constexpr f64 k_shortest = 150, k_factor = 0.93;
  const auto pairs = consecutive_pairs(road, all);
  for (int round = 0; round < k_most_rounds; ++round) {
    bool is_done = true;
    for (const auto& [a, b] : pairs) {
      const Line from = line_of(road, all[a]), to = line_of(road, all[b]);
      if (is_convex(from, to)) continue;
      is_done = false;
      const RoadSample& s = road.sections[all[a].section].samples[all[a].sample];
      const auto is_ahead = [&](const Point& p, const Point& q) {
        return (q[0] - p[0]) * s.ahead_x + (q[2] - p[2]) * s.ahead_z > 30;
      };
      const auto shorten = [&](f64 RoadCheckpoint::* side) {
        for (const size_t i : {a, b})
          all[i].*side = std::max(std::min(k_shortest, all[i].*side), all[i].*side * k_factor);
      };
      const bool left_is_ahead = is_ahead(from.left, to.left), right_is_ahead = is_ahead(from.right, to.right);
      if (!left_is_ahead || right_is_ahead) shorten(&RoadCheckpoint::left);
      if (!right_is_ahead || left_is_ahead) shorten(&RoadCheckpoint::right);
    }
    if (is_done) return;
  }
}

std::vector<std::pair<size_t, size_t>> find_concave_pairs(const Road& road, const std::vector<RoadCheckpoint>& all) {
  auto pairs = consecutive_pairs(road, all);
  std::erase_if(pairs,
                [&](const auto& p) { return is_convex(line_of(road, all[p.first]), line_of(road, all[p.second])); });
  return pairs;
}

/// Drops checkpoints that still make no convex quad, such as in a hairpin; not the first ones of sections.
void drop_concave(const Road& road, std::vector<RoadCheckpoint>& all) {
  auto concave = find_concave_pairs(road, all);
  for (size_t n = 0; n < concave.size();) {
    bool is_better = false;
    for (const size_t i : {concave[n].second, concave[n].first}) {
      if (!i || all[i - 1].section != all[i].section) continue;
      std::vector<RoadCheckpoint> attempt = all;
      attempt.erase(attempt.begin() + i64(i));
      untangle(road, attempt);
      auto left = find_concave_pairs(road, attempt);
      if (left.size() >= concave.size()) continue;
      all = std::move(attempt), concave = std::move(left);
      is_better = true;
      break;
    }
    n = is_better ? 0 : n + 1;
  }
}

}  // namespace

std::vector<RoadCheckpoint> place_checkpoints(const Road& road, f64 margin) {
  std::vector<RoadCheckpoint> all;
  for (f64 spacing = std::max(k_usual_distance, road.length / 120);; spacing *= 1.2) {
    all.clear();
    for (u32 s = 0; s < road.sections.size(); ++s)
      for (const size_t i : spread_over_section(road, s, spacing)) all.push_back({s, i, 0, 0});
    if (all.size() <= k_most_checkpoints) break;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    RoadCheckpoint& c = all[i];
    const std::vector<RoadSample>& samples = road.sections[c.section].samples;
    // As wide as the road from the checkpoint before to the one after. In bends, the outer edge of a sector is the
    // chord between the ends of two lines, which must be outside the road.
    const size_t from = i && all[i - 1].section == c.section ? all[i - 1].sample : c.sample;
    const size_t to = i + 1 < all.size() && all[i + 1].section == c.section ? all[i + 1].sample : samples.size() - 1;
    const RoadSample& s = samples[c.sample];
    for (size_t k = from; k <= to; ++k) {
      const RoadSample& near = samples[k];
      const f64 chord = std::max(0.5, s.ahead_x * near.ahead_x + s.ahead_z * near.ahead_z);
      c.left = std::max(c.left, near.left / chord), c.right = std::max(c.right, near.right / chord);
    }
    c.left = std::max(100.0, std::min(c.left + margin, s.most_left));
    c.right = std::max(100.0, std::min(c.right + margin, s.most_right));
  }
  untangle(road, all);
  drop_concave(road, all);
  return all;
}

size_t count_concave_sectors(const Road& road, const std::vector<RoadCheckpoint>& all) {
  return find_concave_pairs(road, all).size();
}

void link_groups(std::vector<Group>& groups, const Road& road, const std::vector<u32>& first_group,
                 const std::vector<u32>& last_group) {
  for (Group& g : groups) g.previous.fill(k_no_link), g.next.fill(k_no_link);
  const auto add = [](std::array<u8, 6>& links, u32 group) {
    const auto free = std::ranges::find(links, k_no_link);
    if (free != links.end()) *free = u8(group);
  };
  const auto link = [&](u32 from, u32 to) { add(groups[from].next, to), add(groups[to].previous, from); };
  for (u32 s = 0; s < road.sections.size(); ++s) {
    for (u32 g = first_group[s]; g < last_group[s]; ++g) link(g, g + 1);
    for (const u32 n : road.sections[s].next) link(last_group[s], first_group[n]);
  }
}

namespace {

/// The checkpoints that every lap passes, in the order of a lap, without the lap line.
struct LapCheckpoint {
  size_t index;
  f64 to_line;  // units up to the lap line
};
std::vector<LapCheckpoint> find_lap_checkpoints(const Road& road, const std::vector<RoadCheckpoint>& all) {
  std::vector<LapCheckpoint> out;
  f64 before = 0;
  u32 section = 0;
  do {
    for (size_t i = 1; i < all.size(); ++i)
      if (all[i].section == section && road.sections[section].is_on_every_lap)
        out.push_back({i, before + road.step * f64(all[i].sample)});
    before += road.step * f64(road.sections[section].samples.size());
    section = road.sections[section].next[0];
  } while (section);
  for (LapCheckpoint& c : out) c.to_line = before - c.to_line;
  return out;
}

/// Keys divide a lap, so that no part of it can be skipped.
void write_keys(Kmp& k, const Road& road, const std::vector<RoadCheckpoint>& all, f64 last_key) {
  std::vector<LapCheckpoint> places = find_lap_checkpoints(road, all);
  if (places.size() < 3) return;
  places.pop_back();  // karts that start behind it would lose a lap
  while (places.size() > 1 && places.back().to_line < last_key) places.pop_back();
  const size_t keys = std::min<size_t>(places.size(), std::clamp<size_t>(size_t(road.length / 6000), 3, 16));
  i8 key = 0;
  for (size_t n = 1; n <= keys; ++n) k.ckpt->entries[places[places.size() * n / keys - 1].index].type = ++key;
}

}  // namespace

void write_checkpoints(Kmp& k, const Road& road, const std::vector<RoadCheckpoint>& all, f64 last_key) {
  k.ckpt.emplace(), k.ckph.emplace();
  // The game gives each group on the way the same part of a lap, so long sections have more groups.
  const size_t group_size = road.sections.size() > 1 ? std::max<size_t>(4, all.size() / 8) : all.size();
  std::vector<u32> first_group(road.sections.size()), last_group(road.sections.size());
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    const u32 section = all[begin].section;
    while (end < all.size() && all[end].section == section) ++end;
    const size_t count = end - begin, groups = std::max<size_t>(1, (count + group_size / 2) / group_size);
    first_group[section] = u32(k.ckph->entries.size());
    for (size_t g = 0; g < groups; ++g) {
      const size_t from = begin + count * g / groups, to = begin + count * (g + 1) / groups;
      for (size_t i = from; i < to; ++i) {
        const Line line = line_of(road, all[i]);
        CheckPoint c{};
        c.left = {f32(line.left[0]), f32(line.left[2])}, c.right = {f32(line.right[0]), f32(line.right[2])};
        c.type = i ? -1 : 0;
        c.respawn = k_no_link;
        c.previous = i == from ? k_no_link : u8(i - 1), c.next = i + 1 == to ? k_no_link : u8(i + 1);
        k.ckpt->entries.push_back(c);
      }
      Group group{};
      group.first = u8(from), group.count = u8(to - from);
      k.ckph->entries.push_back(group);
    }
    last_group[section] = u32(k.ckph->entries.size() - 1);
  }
  link_groups(k.ckph->entries, road, first_group, last_group);
  write_keys(k, road, all, last_key);
}

bool add_key_between(Kmp& k, const Road& road, const std::vector<RoadCheckpoint>& all, size_t from, size_t to) {
  std::vector<CheckPoint>& points = k.ckpt->entries;
  const std::vector<LapCheckpoint> lap = find_lap_checkpoints(road, all);
  const auto place_of = [&](size_t i) {
    return size_t(std::ranges::find(lap, i, &LapCheckpoint::index) - lap.begin());
  };
  const size_t a = std::min(place_of(from), place_of(to)), b = std::max(place_of(from), place_of(to));
  const auto is_key = [&](const LapCheckpoint& c) { return points[c.index].type > 0; };
  size_t last_key = 0;
  for (size_t i = 0; i < lap.size(); ++i)
    if (is_key(lap[i])) last_key = i;
  if (a >= lap.size() || b >= lap.size() || b < a + 2) return false;
  const size_t middle = (a + b) / 2;
  if (is_key(lap[middle]) || middle >= last_key) return false;
  points[lap[middle].index].type = 1;
  i8 key = 0;
  for (const LapCheckpoint& c : lap)
    if (is_key(c)) points[c.index].type = ++key;
  return true;
}

}  // namespace dio::kmp
