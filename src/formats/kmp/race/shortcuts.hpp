// shortcuts.hpp: jumps from one part of a course to another that the game lets count.
#pragma once
#include <functional>

#include "formats/kmp/race/drive.hpp"

namespace dio::kmp {

/// A lap with a jump from a sector to one that does not follow it.
struct Shortcut {
  u16 from, to;
  f32 gap;     // units between the two, seen from above
  f32 length;  // of the lap, as a part of the shortest one without jumps
  Vec2 off, on;
  /// The lap, from place to place.
  struct LapSegment {
    Vec2 to;
    bool is_flown;
  };
  std::vector<LapSegment> lap;
};
/// How far a kart may jump, in units, seen from above: about a second in the air.
inline constexpr f32 k_usual_jump = 6000;
/// The jumps that shorten a lap most, one for each pair of places, each driven and counted. Laps that they do not
/// shorten by at least a quarter are left out. `has_road`: where one can land, if that is known; between two sectors,
/// jumps to a road come first.
std::vector<Shortcut> find_lap_shortcuts(const Sectors&, f32 jump = k_usual_jump,
                                         const std::function<bool(Vec2)>& has_road = {});

}  // namespace dio::kmp
