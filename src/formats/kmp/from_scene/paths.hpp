// paths.hpp: the sections of a course that follow from its road: enemy and item paths, respawn points.
#pragma once
#include "formats/kmp/from_scene/checkpoints.hpp"
#include "formats/kmp/from_scene/road.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

/// Writes ENPT, ENPH, ITPT and ITPH.
void write_paths(Kmp&, const Road&);
/// Writes JGPT, and the respawn points of the checkpoints: on the road, and not beyond the next key. Returns the given
/// respawn points that no checkpoint uses.
std::vector<size_t> write_respawns(Kmp&, const Road&, const std::vector<RoadCheckpoint>&);

/// A rotation about the vertical axis, in degrees, that faces a direction.
Vec3 rotation_towards(f64 x, f64 z);

}  // namespace dio::kmp
