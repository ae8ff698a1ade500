// simulate.hpp: what only a race shows: ways around a course that count no lap, and jumps that count one.
#pragma once
#include "formats/contract/findings.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

/// Something that happens in a race and should not, as a finding and as a picture.
struct RaceEvent {
  std::string_view rule;  // its id
  std::string path;       // of the value of the course
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
/// Drives every way around the course, falls off it everywhere, and jumps from everywhere to where a kart may land.
/// `collision`: its roads and walls, if they are known.
std::vector<RaceEvent> find_race_events(const Kmp&, const kcl::Kcl* collision);
/// The same as findings.
void simulate(const Kmp&, const kcl::Kcl* collision, Findings&);

}  // namespace dio::kmp
