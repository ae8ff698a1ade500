// simulate.hpp: finds problems that only a race shows: laps that do not count, and jumps that complete a lap.
#pragma once
#include "formats/contract/findings.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

/// A problem that occurs in a race, as a finding and as a picture.
struct RaceEvent {
  std::string_view rule;  // its id
  std::string path;       // of a value in the course
  std::string message;
  std::string name;  // in pictures: shortcut from 12 to 25
  struct Way {
    enum class Kind : u8 { driven, flown, respawned } kind;
    std::vector<Vec2> places;  // seen from above
  };
  std::vector<Way> ways = {};
  std::vector<kcl::Triangle> roads = {};  // parts of the collision
};

std::span<const Rule> race_rules();
/// Simulates every way around the course, falls everywhere, and jumps to every place within reach. `collision`: the
/// roads and walls, if known.
std::vector<RaceEvent> find_race_events(const Kmp&, const kcl::Kcl* collision);
/// Reports these events as findings.
void simulate(const Kmp&, const kcl::Kcl* collision, Findings&);

}  // namespace dio::kmp
