// drive.hpp: karts that drive along a course, from the middle of one checkpoint to the middle of the next.
#pragma once
#include <vector>

#include "formats/kmp/race/lap.hpp"

namespace dio::kmp {

/// A place between a checkpoint and the next: `along` from 0 to 1, `across` from 0 (left) to 1.
Vec2 point_in_sector(const Sectors&, u16 sector, u16 next, f32 along, f32 across = 0.5f);
f32 distance(Vec2, Vec2);
/// The place of a sector, one with each next checkpoint, that is nearest.
Vec2 nearest_point_in_sector(const Sectors&, u16 sector, u16 next, Vec2 to);

/// Moves in small steps; a kart that drives finds the sectors between.
void drive_to(Racer&, Vec2 from, Vec2 to);
/// Along checkpoints, each of which leads to the next one.
void drive_along(Racer&, const Sectors&, std::span<const u16> way);

/// The shortest way that leads from a checkpoint to another, over at least one link; both included. Empty: none.
std::vector<u16> find_sector_path(const Sectors&, u16 from, u16 to);
/// The checkpoint of the lap line; nothing without one.
std::optional<u16> find_lap_line(const Sectors&);

}  // namespace dio::kmp
