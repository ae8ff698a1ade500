#include "formats/kmp/race/shortcuts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>

namespace dio::kmp {

namespace {

constexpr f32 k_worth = 0.75f;  // of a lap
constexpr size_t k_most_found = 8, k_most_tries = 64;
constexpr f32 k_same_place = 0.15f;  // of a lap: the same jump, a little later, or back

/// A jump from one sector to another. On the way, the game finds no sector but these two.
struct Jump {
  u16 from, to;
  Vec2 off, on;
  f32 gap;
};

/// The relevant state of a kart: the sector, the end of it, and what the game remembers.
struct State {
  u16 sector;
  bool at_end;
  i8 key;
  i8 lap;
  auto operator<=>(const State&) const = default;
};
struct SearchNode {
  f32 length;
  State before;
  const Jump* jump;  // null: driven
};

class Laps {
 public:
  Laps(const Sectors& s, u16 line) : s_(s), line_(line) {}

  /// The last state of the shortest lap, if there is one. `jumps` are indexed by the sector they start from.
  std::optional<State> find_shortest_lap(const std::multimap<u16, Jump>& jumps) {
    reached_.clear();
    const State start{line_, false, 0, 0};
    using SearchQueueEntry = std::pair<f32, State>;
    std::priority_queue<SearchQueueEntry, std::vector<SearchQueueEntry>, std::greater<>> open;
    const auto reach = [&](const State& from, const State& to, f32 length, const Jump* jump) {
      if (to.lap < -1) return;
      const auto [at, is_new] = reached_.try_emplace(to, SearchNode{length, from, jump});
      if (!is_new && at->second.length <= length) return;
      at->second = {length, from, jump};
      open.push({length, to});
    };
    reach(start, start, 0, nullptr);
    while (!open.empty()) {
      const auto [length, state] = open.top();
      open.pop();
      if (length > reached_.at(state).length) continue;
      if (state.lap > 0) return state;
      const Vec2 here = at(state);
      for (const u16 n : s_.next(state.sector))
        try_move(state, s_.middle(n), point_past_line(n, k_near), length, here, nullptr, reach);
      for (const u16 p : s_.previous(state.sector))
        try_move(state, s_.middle(state.sector), point_in_sector(s_, p, state.sector, 1 - k_near), length, here,
                 nullptr, reach);
      const auto [first, last] = jumps.equal_range(state.sector);
      for (auto j = first; j != last; ++j)
        try_move(state, j->second.off, j->second.on, length, here, &j->second, reach);
    }
    return {};
  }
  f32 length(const State& s) const { return reached_.at(s).length; }

  /// The states of a lap, from its start.
  std::vector<State> path_to(State s) const {
    std::vector<State> way{s};
    while (reached_.at(way.back()).before != way.back()) way.push_back(reached_.at(way.back()).before);
    std::ranges::reverse(way);
    return way;
  }
  const Jump* jump_to(const State& s) const { return reached_.at(s).jump; }

  /// The segments of a lap, beginning just past the lap line.
  std::vector<Shortcut::LapSegment> build_lap_segments(const std::vector<State>& way) const {
    std::vector<Shortcut::LapSegment> legs{{point_past_line(line_, k_near), false}};
    for (size_t i = 1; i < way.size(); ++i) {
      if (const Jump* jump = jump_to(way[i])) {
        legs.push_back({jump->off, false});
        legs.push_back({jump->on, true});
      } else if (way[i].at_end) {
        legs.push_back({point_in_sector(s_, way[i].sector, way[i - 1].sector, 1 - k_near), false});
      } else {
        legs.push_back({s_.middle(way[i].sector), false});
        legs.push_back({point_past_line(way[i].sector, k_near), false});
      }
    }
    return legs;
  }

  /// Whether the game counts the lap of a kart that drives this way.
  bool is_lap_counted(std::span<const Shortcut::LapSegment> lap) const {
    Racer racer(s_, {line_, k_near}, 0);
    for (size_t i = 1; i < lap.size(); ++i) drive_to(racer, lap[i - 1].to, lap[i].to);
    return racer.lap() == 1;
  }

 private:
  static constexpr f32 k_near = 0.05f;  // past a line
  Vec2 point_past_line(u16 sector, f32 along) const {
    return s_.next(sector).empty() ? s_.middle(sector) : point_in_sector(s_, sector, s_.next(sector)[0], along);
  }
  Vec2 at(const State& s) const { return point_past_line(s.sector, s.at_end ? 1 - k_near : k_near); }

  void try_move(const State& from, Vec2 over, Vec2 to, f32 length, Vec2 here, const Jump* jump, auto reach) const {
    Racer racer(s_, {from.sector, from.at_end ? 1.0f : 0.0f}, from.key);
    racer.move_to(to);
    const auto found = s_.find(to, from.sector);
    if (!found || racer.sector() == from.sector) return;
    const State next{racer.sector(), found->ratio > 0.5f, i8(racer.highest_key()), i8(from.lap + racer.lap())};
    reach(from, next, length + distance(here, over) + distance(over, to), jump);
  }

  const Sectors& s_;
  u16 line_;
  std::map<State, SearchNode> reached_;
};

/// Whether the game finds a kart in no other sector while it flies from one sector to another.
bool is_direct_flight(const Sectors& s, const Jump& j) {
  constexpr int k_steps = 12;
  for (int i = 1; i < k_steps; ++i) {
    const f32 part = f32(i) / k_steps;
    const auto found = s.find({j.off.x + (j.on.x - j.off.x) * part, j.off.z + (j.on.z - j.off.z) * part}, j.from);
    if (found && found->sector != j.from && found->sector != j.to) return false;
  }
  return true;
}

std::multimap<u16, Jump> find_jumps(const Sectors& s, f32 reach, const std::function<bool(Vec2)>& has_road) {
  constexpr f32 k_least_gain = 0.03f;  // of a lap, in either direction
  std::multimap<u16, Jump> jumps;
  for (u16 to = 0; to < s.size(); ++to)
    for (const u16 after : s.next(to))
      for (u16 from = 0; from < s.size(); ++from) {
        if (from == to || s.leads_to(from, to) || s.leads_to(to, from)) continue;
        if (std::abs(s.part(from).before - s.part(to).before) < k_least_gain) continue;
        std::optional<Jump> best, best_to_road;
        for (const u16 beside : s.next(from)) {
          const f32 size = distance(s.middle(from), s.middle(beside)) + distance(s.middle(to), s.middle(after)) +
                           distance(s.point(from).left, s.point(from).right) +
                           distance(s.point(to).left, s.point(to).right);
          if (distance(s.middle(from), s.middle(to)) > reach + size) continue;
          for (const f32 along : {0.1f, 0.5f, 0.9f})
            for (const f32 across : {0.05f, 0.275f, 0.5f, 0.725f, 0.95f}) {
              const Vec2 on = point_in_sector(s, to, after, along, across),
                         off = nearest_point_in_sector(s, from, beside, on);
              const f32 gap = distance(off, on);
              std::optional<Jump>& shortest = has_road && has_road(on) ? best_to_road : best;
              if (gap > reach || (shortest && gap >= shortest->gap)) continue;
              const auto found = s.find(on, from);
              if (!found || found->sector != to) continue;
              const Jump jump{from, to, off, on, gap};
              if (is_direct_flight(s, jump)) shortest = jump;
            }
        }
        for (const auto& jump : {best_to_road, best})
          if (jump) jumps.emplace(from, *jump);
      }
  return jumps;
}

/// Whether two sectors are practically the same place of the lap.
bool are_near_on_lap(const Sectors& s, u16 a, u16 b) {
  const f32 apart = std::abs(s.part(a).before - s.part(b).before);
  return std::min(apart, std::abs(1 - apart)) <= k_same_place;
}

}  // namespace

std::vector<Shortcut> find_lap_shortcuts(const Sectors& s, f32 reach, const std::function<bool(Vec2)>& has_road) {
  const auto line = find_lap_line(s);
  if (!line) return {};
  Laps laps(s, *line);
  const auto usual = laps.find_shortest_lap({});
  if (!usual) return {};
  const f32 whole = laps.length(*usual);
  if (!(whole > 0)) return {};
  auto jumps = find_jumps(s, reach, has_road);
  std::vector<Shortcut> found;
  for (size_t tries = 0; tries < k_most_tries && found.size() < k_most_found; ++tries) {
    const auto lap = laps.find_shortest_lap(jumps);
    if (!lap || laps.length(*lap) > k_worth * whole) break;
    const auto way = laps.path_to(*lap);
    const Jump* jump = nullptr;  // the longest of the way
    for (const State& state : way)
      if (const Jump* j = laps.jump_to(state); j && (!jump || j->gap > jump->gap)) jump = j;
    if (!jump) break;
    const Jump taken = *jump;
    auto legs = laps.build_lap_segments(way);
    const bool counts = laps.is_lap_counted(legs);
    if (counts)
      found.push_back(
          {taken.from, taken.to, taken.gap, laps.length(*lap) / whole, taken.off, taken.on, std::move(legs)});
    std::erase_if(jumps, [&](const auto& j) {
      const u16 from = j.first, to = j.second.to;
      if (!counts) return from == taken.from && to == taken.to && j.second.gap == taken.gap;
      return (are_near_on_lap(s, from, taken.from) && are_near_on_lap(s, to, taken.to)) ||
             (are_near_on_lap(s, from, taken.to) && are_near_on_lap(s, to, taken.from));
    });
  }
  return found;
}

}  // namespace dio::kmp
