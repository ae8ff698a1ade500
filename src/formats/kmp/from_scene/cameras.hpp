// cameras.hpp: the cameras of a course: the opening pan, the replay and the goal.
#pragma once
#include "formats/kmp/from_scene/road.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

/// Writes CAME, and adds the routes of the cameras and a camera area around the whole course. Values as in courses of
/// the game.
void write_cameras(Kmp&, const Road&);

}  // namespace dio::kmp
