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
    {"kmp.race-endless", error, "no checkpoints lead in a circle without a key or the lap line",
     "The game looks for a kart along checkpoints until it comes to a key: it never ends, and the game hangs.",
     "Make one of the checkpoints a key.", "game code"},
    {"kmp.race-lap", warning, "a lap counts whichever way it is driven",
     "A lap counts only with the last key. Who takes a way around it drives the lap in vain.",
     "Put the last key where all ways lead, or the same key on each of them.", "game code"},
    {"kmp.race-none", hint, "a race has laps",
     "Arenas have none, and without checkpoints or a lap line the game counts none: nothing was driven, so nothing can "
     "be said of a race.",
     "In a course for races, lay checkpoints around it and make the first one the lap line (type 0).", "game code"},
    {"kmp.race-respawn", hint, "a lap counts after a fall",
     "Key checkpoints end the search for a kart. Where it comes back beyond one, the game believes that it is still "
     "where it fell, and the lap does not count.",
     "Let the checkpoint name a respawn point that lies before the next key.", "game code"},
    {"kmp.race-shortcut", hint, "a lap counts only if most of it is driven",
     "Where a kart can get from one part of the course to another, the game counts what it has not driven. Whether it "
     "can is not seen in a KMP: heights and walls are in the collision file beside it.",
     "Put a key between the two places, or close the gap with walls.", "game code"},
    {"kmp.race-uncovered", hint, "roads lie in sectors",
     "Where a kart is in no sector, the game leaves it in its last one: its place in the race stands still, and from a "
     "sector that is far from there it is not found again.",
     "Make the checkpoints around it wider, or add some.", "game code"},
};

std::string checkpoint(u16 i) { return entry("CKPT", i); }

using Events = std::vector<RaceEvent>;
using Kind = RaceEvent::Way::Kind;

/// Along the middles of checkpoints.
RaceEvent::Way driven(const Sectors& s, std::span<const u16> way) {
  RaceEvent::Way out{Kind::driven, {}};
  for (const u16 i : way) out.places.push_back(s.middle(i));
  return out;
}

/// Searches from each sector for a place that is in none.
void add_endless_search_event(Events& events, const Sectors& s) {
  constexpr Vec2 k_nowhere{1e7f, 1e7f};
  for (u16 i = 0; i < s.size(); ++i) {
    if (!s.is_endless(k_nowhere, i)) continue;
    events.push_back({.rule = "kmp.race-endless",
                      .path = checkpoint(i),
                      .message = text("the search for a kart that leaves checkpoint ", i, " never ends"),
                      .name = text("the search never ends: ", i),
                      .ways = {driven(s, find_sector_path(s, i, i))}});
    return;
  }
}

/// Ways from the lap line to itself, by the highest key on them.
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
                        .message = text("a way around the course over checkpoint ", at.first, " has ",
                                        at.second ? text("key ", at.second, " as its highest") : std::string("no key"),
                                        "; a lap counts only with key ", s.last_key()),
                        .name = "a lap that does not count",
                        .ways = {driven(s, way)}});
      return;
    }
  }
}

/// Falls in each sector, and drives on from where the kart comes back.
void add_respawn_events(Events& events, const Sectors& s, u16 line, const std::vector<Respawn>& respawns) {
  std::set<std::pair<u8, int>> said;  // by respawn point and key: neighbours would say the same
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
    // Where it really is: what the game has found, or another sector around the place.
    std::optional<u16> sector;
    if (is_found)
      sector = racer.sector();
    else
      for (u16 i = 0; i < s.size() && !sector; ++i)
        if (s.has(i, place)) sector = i;
    if (!sector) continue;  // between no checkpoints: which way it will take cannot be said
    // Behind the lap line, but for the game still before the fall: the lap begins again when it drives over the line.
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
                      .message = text("a kart that falls at checkpoint ", fall, " comes back at respawn point ",
                                      respawn, ", at checkpoint ", *sector,
                                      is_found ? "" : ", where the game does not find it", ": the lap does not count"),
                      .name = text("a fall at ", fall, " that costs the lap"),
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
        .message = text("from checkpoint ", cut.from, " to checkpoint ", cut.to, ", ", units(cut.gap),
                        " away: a lap counts after ", int(std::lround(100 * cut.length)), " % of its length"),
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
         .message = text("near checkpoint ", nearest, ", ", std::llround(road.area * k_metres * k_metres),
                         " square metres of road, as at x ", std::llround(road.place[0]), ", z ",
                         std::llround(road.place[2]), " (prism ", road.prism, " of the collision), lie in no sector"),
         .name = text("in no sector, near ", nearest),
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
    r.report(
        "kmp.race-none", {},
        {.message = text("no laps can be driven: ", is_arena                          ? "it seems to be an arena"
                                                    : sectors.size()                  ? "no checkpoint is a lap line"
                                                    : has_damaged_checkpoints(course) ? "its checkpoints cannot be read"
                                                                                      : "there are no checkpoints")});
  for (RaceEvent& e : find_race_events(course, collision)) r.report(e.rule, e.path, {.message = std::move(e.message)});
}

}  // namespace dio::kmp
