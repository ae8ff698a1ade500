#include "formats/kmp/race/simulate.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "formats/contract/reporter.hpp"
#include "formats/kmp/check/checks.hpp"
#include "formats/kmp/facts.hpp"
#include "formats/kmp/race/shortcuts.hpp"

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
    {"kmp.race-respawn", hint, "a lap counts after a fall",
     "Key checkpoints end the search for a kart. Where it comes back beyond one, the game believes that it is still "
     "where "
     "it fell, and the lap does not count.",
     "Let the checkpoint name a respawn point that lies before the next key.", "game code"},
    {"kmp.race-shortcut", hint, "a lap counts only if most of it is driven",
     "Where a kart can get from one part of the course to another, the game counts what it has not driven. Whether it "
     "can "
     "is not seen in a KMP: heights and walls are not in it.",
     "Put a key between the two places, or close the gap with walls.", "game code"},
};

std::string checkpoint(u16 i) { return entry("CKPT", i); }

/// Searches from each sector for a place that is in none.
void check_endless(Reporter& r, const Sectors& s) {
  constexpr Vec2 k_nowhere{1e7f, 1e7f};
  for (u16 i = 0; i < s.size(); ++i)
    if (s.is_endless(k_nowhere, i))
      return r.report("kmp.race-endless", checkpoint(i),
                      {.message = text("the search for a kart that leaves checkpoint ", i, " never ends")});
}

/// Ways from the lap line to itself, by the highest key on them.
void check_ways(Reporter& r, const Sectors& s, u16 line) {
  using At = std::pair<u16, int>;
  std::map<At, At> before;
  std::vector<At> open{{line, 0}};
  before[open[0]] = open[0];
  while (!open.empty()) {
    const At at = open.back();
    open.pop_back();
    for (const u16 n : s.next(at.first)) {
      const At next{n, std::max(at.second, int(s.point(n).type))};
      if (n != line) {
        if (before.try_emplace(next, at).second) open.push_back(next);
        continue;
      }
      if (at.second == s.last_key()) continue;
      return r.report("kmp.race-lap", checkpoint(at.first),
                      {.message = text("a way around the course over checkpoint ", at.first, " has ",
                                       at.second ? text("key ", at.second, " as its highest") : std::string("no key"),
                                       "; a lap counts only with key ", s.last_key())});
    }
  }
}

/// Falls in each sector, and drives on from where the kart comes back.
void check_respawns(Reporter& r, const Sectors& s, u16 line, const std::vector<Respawn>& respawns) {
  std::set<std::pair<u8, int>> said;  // by respawn point and key: neighbours would say the same
  for (u16 fall = 0; fall < s.size(); ++fall) {
    const auto to_fall = way_between(s, line, fall);
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
    const auto home = way_between(s, *sector, line);
    if (home.empty()) continue;
    const int laps = racer.lap();
    drive_along(racer, s, home);
    if (racer.lap() > laps || !said.insert({respawn, racer.highest_key()}).second) continue;
    r.report("kmp.race-respawn", entry("CKPT", fall, "respawn"),
             {.message = text("a kart that falls at checkpoint ", fall, " comes back at respawn point ", respawn,
                              ", at checkpoint ", *sector, is_found ? "" : ", where the game does not find it",
                              ": the lap does not count")});
  }
}

void check_shortcuts(Reporter& r, const Sectors& s) {
  for (const Shortcut& cut : shortcuts(s))
    r.report("kmp.race-shortcut", checkpoint(cut.from),
             {.message = text("from checkpoint ", cut.from, " to checkpoint ", cut.to, ", ", units(cut.gap),
                              " away: a lap counts after ", int(std::lround(100 * cut.length)), " % of its length")});
}

}  // namespace

std::span<const Rule> race_rules() { return k_rules; }

void simulate(const Kmp& course, Findings& findings) {
  const Sectors sectors(course);
  const auto line = lap_line(sectors);
  if (course_kind(course).arena || !line) return;  // no laps
  Reporter r(findings);
  check_endless(r, sectors);
  if (!findings.list.empty()) return;
  check_ways(r, sectors, *line);
  check_respawns(r, sectors, *line, entries(course.jgpt));
  check_shortcuts(r, sectors);
}

}  // namespace dio::kmp
