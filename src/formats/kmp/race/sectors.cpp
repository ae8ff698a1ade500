#include "formats/kmp/race/sectors.hpp"

#include <algorithm>
#include <limits>

#include "console/wii/frsqrte.hpp"

namespace dio::kmp {

namespace {

Vec2 minus(Vec2 a, Vec2 b) { return {a.x - b.x, a.z - b.z}; }
f32 dot(Vec2 a, Vec2 b) { return a.x * b.x + a.z * b.z; }

Vec2 forward_direction(const CheckPoint& p) {
  const Vec2 ahead{p.right.z - p.left.z, p.left.x - p.right.x};
  const f32 squared = dot(ahead, ahead);
  if (!(squared > std::numeric_limits<f32>::epsilon())) return ahead;
  const f32 factor = 1 / wii::wii_sqrt(squared);
  return {ahead.x * factor, ahead.z * factor};
}

}  // namespace

Sectors::Sectors(const Kmp& course) {
  const auto& points = entries(course.ckpt);
  const auto& groups = entries(course.ckph);
  const auto last_point_of = [&](u8 group) -> std::optional<size_t> {
    if (group >= groups.size() || !groups[group].count) return {};
    const size_t last = size_t(groups[group].first) + groups[group].count - 1;
    return last < points.size() ? std::optional(last) : std::nullopt;
  };
  for (size_t i = 0; i < points.size(); ++i) {
    Sector& s = sectors_.emplace_back();
    s.point = points[i];
    s.ahead = forward_direction(points[i]);
    last_key_ = std::max(last_key_, int(points[i].type));
    const auto own = find_group_of_point(groups, i);
    const Group* const group = own ? &groups[*own] : nullptr;
    if (points[i].previous != k_no_link) {
      if (points[i].previous < points.size()) s.previous.push_back(points[i].previous);
    } else if (group)
      for (const u8 before : group->previous)
        if (const auto end = last_point_of(before)) s.previous.push_back(u16(*end));
    if (points[i].next != k_no_link) {
      if (points[i].next < points.size()) s.next.push_back(points[i].next);
    } else if (group)
      for (const u8 after : group->next)
        if (const auto start = find_group_entrance(groups, after, points.size())) s.next.push_back(u16(*start));
  }
  const auto parts = compute_lap_parts(course);
  for (size_t i = 0; i < sectors_.size(); ++i) sectors_[i].part = parts[i];
}

Vec2 Sectors::middle(u16 sector) const {
  const CheckPoint& p = point(sector);
  return {0.5f * (p.left.x + p.right.x), 0.5f * (p.left.z + p.right.z)};
}

bool Sectors::leads_to(u16 from, u16 to) const { return std::ranges::find(next(from), to) != next(from).end(); }

Sectors::SectorSide Sectors::classify_point(u16 sector, Vec2 place, f32& ratio) const {
  const Sector& s = sectors_[sector];
  const Vec2 from_right = minus(place, s.point.right);
  SectorSide found = SectorSide::outside;
  for (const u16 n : s.next) {
    const Sector& after = sectors_[n];
    const Vec2 from_left = minus(place, after.point.left);
    const Vec2 left_side = minus(after.point.left, s.point.left), right_side = minus(after.point.right, s.point.right);
    if (-left_side.z * from_left.x + left_side.x * from_left.z < 0) continue;
    if (right_side.z * from_right.x - right_side.x * from_right.z < 0) continue;
    const f32 here = dot(s.ahead, from_right), there = -dot(after.ahead, from_left);
    ratio = here / (here + there);
    if (ratio >= 0 && ratio <= 1) return SectorSide::inside;
    found = SectorSide::between_sides;
  }
  return found;
}

bool Sectors::has(u16 sector, Vec2 place) const {
  f32 ratio = 0;
  return classify_point(sector, place, ratio) == SectorSide::inside;
}

/// One search for a sector. As in the game, the ratio is that of the last sector whose sides enclosed the place. Each
/// sector is tested once, but passed every time the search reaches it.
struct Sectors::Search {
  const Sectors& all;
  Vec2 place;
  f32 ratio = 0;
  std::vector<bool> seen;
  u32 steps = 0, nested = 0;
  bool is_endless = false;
  static constexpr int k_no_limit = -1, k_most_depth = 6;
  // A search that reaches a sector a third time in one go never ends.
  static constexpr u32 k_most_nested = 3 * 2 * 256, k_most_steps = 200'000;

  using Result = std::optional<u16>;

  Search(const Sectors& sectors, Vec2 at) : all(sectors), place(at), seen(sectors.size()) {}

  Result search_links(bool forwards, int depth, u16 sector, bool past_end, bool only_new) {
    const int deeper = depth == k_no_limit ? k_no_limit : depth + 1;
    for (const u16 n : forwards ? all.next(sector) : all.previous(sector))
      if (!only_new || !seen[n])
        if (const Result found = visit(forwards, deeper, n, past_end)) return found;
    return {};
  }

  /// `past_end`: the search left the previous sector at the end that leads here.
  Result visit(bool forwards, int depth, u16 sector, bool past_end) {
    is_endless |= nested == k_most_nested || ++steps == k_most_steps;
    if (depth > k_most_depth || is_endless) return {};
    ++nested;
    const Result found = search_sector(forwards, depth, sector, past_end);
    --nested;
    return found;
  }
  Result search_sector(bool forwards, int depth, u16 sector, bool past_end) {
    SectorSide w = SectorSide::outside;
    if (!seen[sector]) {
      w = all.classify_point(sector, place, ratio);
      seen[sector] = true;
    }
    if (w == SectorSide::inside) return sector;
    const bool is_between = w == SectorSide::between_sides;
    // Past the end of one sector, but not yet in the next: their lines cross here. It counts as the edge of the next.
    if (past_end && is_between && (forwards ? ratio < 0 : ratio > 1)) {
      ratio = forwards ? 0 : 1;
      return sector;
    }
    if (all.point(sector).type >= 0) return {};
    const bool leaves = is_between && (forwards ? ratio > 0 : ratio < 0);
    if (const Result found = search_links(forwards, depth, sector, leaves, false)) return found;
    return search_links(!forwards, depth, sector, leaves, true);
  }

  /// Searches parallel sectors: those before the next sectors, or those after the previous sectors.
  Result search_sibling_sectors(bool forwards, u16 sector) {
    for (const u16 around : forwards ? all.previous(sector) : all.next(sector))
      for (const u16 other : forwards ? all.next(around) : all.previous(around))
        if (other != sector)
          if (const Result found = visit(forwards, 1, other, false)) return found;
    return {};
  }
  Result search_neighbours(bool forwards, int depth, u16 sector) {
    for (const u16 n : forwards ? all.next(sector) : all.previous(sector))
      if (const Result found = visit(forwards, depth, n, false)) return found;
    return {};
  }

  Result search_nearby(u16 from, SectorSide w) {
    if (w == SectorSide::between_sides) {
      const bool first = ratio > 0.5f;  // forwards if the place is nearer to the next checkpoint
      if (const Result found = search_links(first, 0, from, false, false)) return found;
      if (const Result found = search_sibling_sectors(!first, from)) return found;
      if (const Result found = search_sibling_sectors(first, from)) return found;
      return search_links(!first, 0, from, false, false);
    }
    if (const Result found = search_sibling_sectors(false, from)) return found;
    if (const Result found = search_sibling_sectors(true, from)) return found;
    if (const Result found = search_neighbours(true, 1, from)) return found;
    return search_neighbours(false, 1, from);
  }

  Result run(u16 from) {
    const SectorSide w = all.classify_point(from, place, ratio);
    seen[from] = true;
    if (w == SectorSide::inside) return from;
    if (const Result found = search_nearby(from, w)) return found;
    if (const Result found = search_neighbours(true, k_no_limit, from)) return found;
    return search_neighbours(false, k_no_limit, from);
  }
};

std::optional<Sectors::Found> Sectors::find(Vec2 place, u16 from) const {
  if (from >= sectors_.size()) return {};
  Search search(*this, place);
  const auto found = search.run(from);
  return found && !search.is_endless ? std::optional(Found{*found, search.ratio}) : std::nullopt;
}

bool Sectors::is_endless(Vec2 place, u16 from) const {
  if (from >= sectors_.size()) return false;
  Search search(*this, place);
  (void)search.run(from);
  return search.is_endless;
}

}  // namespace dio::kmp
