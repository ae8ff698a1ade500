#include "formats/kmp/race/simulate.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "formats/contract/reporter.hpp"
#include "formats/kmp/check/checks.hpp"
#include "formats/kmp/ground/ground.hpp"
#include "formats/kmp/race/barriers.hpp"
#include "formats/kmp/race/shortcuts.hpp"
#include "formats/kmp/race/uncovered.hpp"
#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_rules[] = {
    {"kmp.race-endless", error, "every loop of checkpoints contains a key checkpoint or the lap line",
     "When the game searches for a kart, it follows checkpoints until it reaches a key. In a loop without a key, the "
     "search never terminates and the game hangs.",
     "Make one of the checkpoints in the loop a key.", "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.race-lap", warning, "a lap counts on every route around the course",
     "A lap counts only if the kart passes the last key. A lap on a route that avoids the last key does not count.",
     "Put the last key where all routes meet, or put the same key on each route.",
     "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.race-none", hint, "a race course has laps",
     "No lap was simulated. The game counts no laps in arenas, and none on a course without checkpoints or without a "
     "lap line.",
     "If the course is a race course, add checkpoints around it and make the first checkpoint the lap line (type 0).",
     "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.race-respawn", hint, "a lap still counts after a fall",
     "The game's search for a kart stops at key checkpoints. If a kart respawns beyond a key, the game still assumes "
     "that the kart is where it fell, and the lap does not count.",
     "Set `respawn` of the checkpoint to a respawn point that comes before the next key.",
     "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.race-shortcut", hint, "a lap counts only if most of it is driven",
     "If a kart can jump from one part of the course to another, the game counts the skipped part as driven. A KMP "
     "file does not show whether the jump is possible: heights and walls are in the collision file.",
     "Put a key checkpoint on the skipped part of the course, or block the shortcut with walls.",
     "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.race-uncovered", hint, "every road is in a checkpoint sector",
     "On a road outside all sectors, the kart stays assigned to its last sector, and its race position does not "
     "change. If the kart then reaches a sector far from its last sector, the game does not find the kart.",
     "Widen the checkpoints around the road, or add checkpoints.", "decompiled game (riidefi/mkw, Kinoko)"},
};

std::string checkpoint(u16 i) { return entry("CKPT", i); }

using Events = std::vector<RaceEvent>;
using Kind = RaceEvent::Way::Kind;

/// A way along the middles of checkpoints.
RaceEvent::Way driven(const Sectors& s, std::span<const u16> way) {
  RaceEvent::Way out{Kind::driven, {}};
  for (const u16 i : way) out.places.push_back(s.middle(i));
  return out;
}

/// Searches from each sector for a place that is in no sector.
void add_endless_search_event(Events& events, const Sectors& s) {
  constexpr Vec2 k_nowhere{1e7f, 1e7f};
  for (u16 i = 0; i < s.size(); ++i) {
    if (!s.is_endless(k_nowhere, i)) continue;
    events.push_back({.rule = "kmp.race-endless",
                      .path = checkpoint(i),
                      .message = text("the game hangs when a kart leaves checkpoint ", i,
                                      ": the search for the next checkpoint never terminates"),
                      .name = text("endless search after checkpoint ", i),
                      .ways = {driven(s, find_sector_path(s, i, i))}});
    return;
  }
}

/// Laps that do not count, by the highest key on them.
void add_uncounted_lap_event(Events& events, const Sectors& s, u16 line) {
  using SearchKey = std::pair<u16, int>;
  std::map<SearchKey, SearchKey> before;
  std::vector<SearchKey> open{{line, 0}};
  before[open[0]] = open[0];
  while (!open.empty()) {
    const SearchKey at = open.back();
    open.pop_back();
    for (const u16 n : s.next(at.first)) {
      const SearchKey next{n, std::max(at.second, int(s.point(n).type))};
      if (n != line) {
        if (before.try_emplace(next, at).second) open.push_back(next);
        continue;
      }
      if (at.second == s.last_key()) continue;
      std::vector<u16> way{line, at.first};
      for (SearchKey here = at; before.at(here) != here; here = before.at(here)) way.push_back(before.at(here).first);
      std::ranges::reverse(way);
      events.push_back({.rule = "kmp.race-lap",
                        .path = checkpoint(at.first),
                        .message = text("a lap through checkpoint ", at.first, " does not count: ",
                                        at.second ? text("the highest key on the way is ", at.second)
                                                  : std::string("there is no key on the way"),
                                        ", but a lap needs key ", s.last_key()),
                        .name = "a lap that does not count",
                        .ways = {driven(s, way)}});
      return;
    }
  }
}

/// Falls in each sector, and drives on from the respawn point.
void add_respawn_events(Events& events, const Sectors& s, u16 line, const std::vector<Respawn>& respawns) {
  std::set<std::pair<u8, int>> said;  // by respawn point and key: neighbours would give the same finding
  for (u16 fall = 0; fall < s.size(); ++fall) {
    const auto to_fall = find_sector_path(s, line, fall);
    if (to_fall.empty() || fall == line) continue;
    Racer racer(s, {line, 0}, 0);
    drive_along(racer, s, to_fall);
    if (racer.sector() != fall || !racer.respawn() || *racer.respawn() >= respawns.size()) continue;
    const u8 respawn = *racer.respawn();
    const Vec3 at = respawns[respawn].position;
    const Vec2 place{at.x, at.z};
    racer.move_to(place);
    const bool is_found = racer.is_on_course();
    // The real sector: the one the game found, or another one that contains the place.
    std::optional<u16> sector;
    if (is_found)
      sector = racer.sector();
    else
      for (u16 i = 0; i < s.size() && !sector; ++i)
        if (s.has(i, place)) sector = i;
    if (!sector) continue;  // between no checkpoints: the further way is unknown
    // Behind the lap line, while the game still has the kart before the fall: crossing the line starts the lap again.
    if (!is_found && s.part(*sector).before - s.part(fall).before > 0.5f) continue;
    const auto home = find_sector_path(s, *sector, line);
    if (home.empty()) continue;
    const int laps = racer.lap();
    drive_along(racer, s, home);
    if (racer.lap() > laps || !said.insert({respawn, racer.highest_key()}).second) continue;
    RaceEvent::Way on = driven(s, home);
    on.places.front() = place;
    events.push_back({.rule = "kmp.race-respawn",
                      .path = entry("CKPT", fall, "respawn"),
                      .message = text("a kart that falls at checkpoint ", fall, " respawns at respawn point ", respawn,
                                      ", near checkpoint ", *sector,
                                      is_found ? "; the lap does not count"
                                               : "; the game does not find the kart there, and the lap does not count"),
                      .name = text("fall at checkpoint ", fall, " that costs the lap"),
                      .ways = {{Kind::respawned, {s.middle(fall), place}}, std::move(on)}});
  }
}

void add_shortcut_events(Events& events, const Sectors& s, const kcl::Kcl* collision) {
  const std::optional<Barriers> barriers = collision ? std::optional<Barriers>(*collision) : std::nullopt;
  std::function<bool(Vec2)> has_road;
  if (barriers) has_road = [&](Vec2 place) { return barriers->has_road(place); };
  for (const Shortcut& cut : find_lap_shortcuts(s, k_usual_jump, has_road)) {
    RaceEvent event{
        .rule = "kmp.race-shortcut",
        .path = checkpoint(cut.from),
        .message = text("shortcut: jumping from checkpoint ", cut.from, " to checkpoint ", cut.to, " (", units(cut.gap),
                        ") completes a lap after ", int(std::lround(100 * cut.length)), " % of its length"),
        .name = text("shortcut ", cut.from, " to ", cut.to)};
    if (barriers) event.message += barriers->describe_obstacles(cut.off, cut.on);
    for (size_t i = 1; i < cut.lap.size(); ++i) {
      const Kind kind = cut.lap[i].is_flown ? Kind::flown : Kind::driven;
      if (event.ways.empty() || event.ways.back().kind != kind) event.ways.push_back({kind, {cut.lap[i - 1].to}});
      event.ways.back().places.push_back(cut.lap[i].to);
    }
    events.push_back(std::move(event));
  }
}

void add_uncovered_road_events(Events& events, const Sectors& s, const kcl::Kcl& collision) {
  constexpr size_t k_most_found = 8;
  const auto roads = find_uncovered_roads(s, collision);
  for (size_t i = 0; i < std::min(roads.size(), k_most_found); ++i) {
    const UncoveredRoad& road = roads[i];
    const Vec2 middle{f32(road.place[0]), f32(road.place[2])};
    u16 nearest = 0;
    for (u16 c = 1; c < s.size(); ++c)
      if (distance(s.middle(c), middle) < distance(s.middle(nearest), middle)) nearest = c;
    events.push_back(
        {.rule = "kmp.race-uncovered",
         .path = checkpoint(nearest),
         .message = text(std::llround(road.area * k_metres * k_metres), " square metres of road near checkpoint ",
                         nearest, " are in no checkpoint sector, for example at x ", std::llround(road.place[0]),
                         ", z ", std::llround(road.place[2]), " (prism ", road.prism, " of the collision)"),
         .name = text("road in no sector near checkpoint ", nearest),
         .ways = {},
         .roads = road.parts});
  }
}

}  // namespace

std::span<const Rule> race_rules() { return k_rules; }

std::vector<RaceEvent> find_race_events(const Kmp& course, const kcl::Kcl* collision) {
  const Sectors sectors(course);
  const auto line = find_lap_line(sectors);
  Events events;
  if (guess_course_kind(course).arena || !line) return events;
  add_endless_search_event(events, sectors);
  if (!events.empty()) return events;
  add_uncounted_lap_event(events, sectors, *line);
  add_respawn_events(events, sectors, *line, entries(course.jgpt));
  add_shortcut_events(events, sectors, collision);
  if (collision) add_uncovered_road_events(events, sectors, *collision);
  return events;
}

static bool has_damaged_checkpoints(const Kmp& course) {
  return std::ranges::any_of(course.sections, [](const Slot& s) { return s.raw && s.name == fourcc("CKPT"); });
}

void simulate(const Kmp& course, const kcl::Kcl* collision, Findings& findings) {
  Reporter r(findings);
  const Sectors sectors(course);
  if (const bool is_arena = guess_course_kind(course).arena; is_arena || !find_lap_line(sectors))
    r.report("kmp.race-none", {},
             {.message = text("no laps can be driven: ", is_arena         ? "the course seems to be an arena"
                                                         : sectors.size() ? "no checkpoint is a lap line"
                                                         : has_damaged_checkpoints(course)
                                                             ? "the checkpoints cannot be read"
                                                             : "the course has no checkpoints")});
  for (RaceEvent& e : find_race_events(course, collision)) r.report(e.rule, e.path, {.message = std::move(e.message)});
}

}  // namespace dio::kmp
