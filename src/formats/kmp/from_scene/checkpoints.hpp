// checkpoints.hpp: checkpoints across a road, and the groups that they form.
#pragma once
#include "formats/kmp/from_scene/road.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

/// A checkpoint and the sample of the road that it crosses.
struct RoadCheckpoint {
  u32 section = 0;
  size_t sample = 0;
  f64 left = 0, right = 0;  // units from the sample to its ends
};

/// Places checkpoints so that the sectors between them cover the road: the first one of section 0 is the lap line. In
/// the order of sections, at most 255. `margin`: units beyond the edges of the road.
std::vector<RoadCheckpoint> place_checkpoints(const Road&, f64 margin);

/// How many sectors between consecutive checkpoints are not convex.
size_t count_concave_sectors(const Road&, const std::vector<RoadCheckpoint>&);

/// Writes CKPT and CKPH: the lap line, and keys that every lap passes, the last one at least `last_key` units before
/// the line.
void write_checkpoints(Kmp&, const Road&, const std::vector<RoadCheckpoint>&, f64 last_key);

/// Makes a checkpoint in the middle between two others a key, so that no kart can jump from one to the other; false if
/// there is none that every lap passes.
bool add_key_between(Kmp&, const Road&, const std::vector<RoadCheckpoint>&, size_t from, size_t to);

/// Links groups like the sections of the road; `first_group` and `last_group`: of each section.
void link_groups(std::vector<Group>&, const Road&, const std::vector<u32>& first_group,
                 const std::vector<u32>& last_group);

}  // namespace dio::kmp
