// shortcuts.hpp: finds jumps from one part of a course to another after which the game counts the lap.
#pragma once
#include <functional>

#include "formats/kmp/race/drive.hpp"

namespace dio::kmp {

/// A lap with a jump to a sector that does not follow directly.
struct Shortcut {
  u16 from, to;
  f32 gap;     // units between the two, seen from above
  f32 length;  // of the lap, as a part of the shortest one without jumps
  Vec2 off, on;
  /// A piece of the lap: driven or flown to a place.
  struct LapSegment {
    Vec2 to;
    bool is_flown;
  };
  std::vector<LapSegment> lap;
};
/// The longest jump in units, seen from above: about a second in the air.
inline constexpr f32 k_usual_jump = 6000;
/// The jumps that shorten a lap most, one for each pair of places; each was simulated, and its lap counts. Jumps that
/// shorten a lap by less than a quarter are left out. `has_road`: whether a kart can land at a place, if known; between
/// two sectors, jumps to a road come first.
std::vector<Shortcut> find_lap_shortcuts(const Sectors&, f32 jump = k_usual_jump,
                                         const std::function<bool(Vec2)>& has_road = {});

}  // namespace dio::kmp
