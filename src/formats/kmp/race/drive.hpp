// drive.hpp: drives karts along a course, from the middle of one checkpoint to the middle of the next.
#pragma once
#include <vector>

#include "formats/kmp/race/lap.hpp"

namespace dio::kmp {

/// A position between two consecutive checkpoints: `along` from 0 to 1, `across` from 0 (left) to 1 (right).
Vec2 point_in_sector(const Sectors&, u16 sector, u16 next, f32 along, f32 across = 0.5f);
f32 distance(Vec2, Vec2);
/// The position in a sector that is nearest to `to`. A sector exists for each next checkpoint.
Vec2 nearest_point_in_sector(const Sectors&, u16 sector, u16 next, Vec2 to);

/// Moves in small steps, so that the kart finds the sectors in between.
void drive_to(Racer&, Vec2 from, Vec2 to);
/// Drives along checkpoints, each of which leads to the next one.
void drive_along(Racer&, const Sectors&, std::span<const u16> way);

/// The shortest path from one checkpoint to another over at least one link, including both; empty if there is none.
std::vector<u16> find_sector_path(const Sectors&, u16 from, u16 to);
/// The checkpoint that is the lap line, if there is one.
std::optional<u16> find_lap_line(const Sectors&);

}  // namespace dio::kmp
