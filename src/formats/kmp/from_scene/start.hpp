// start.hpp: where a course starts.
#pragma once
#include "formats/kmp/from_scene/checkpoints.hpp"
#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

/// A place for the start on a closed curve.
struct StartPlace {
  StartPose pose;
  f64 along = 0;  // units from the first point of the curve, negative against the driving direction
};
/// Where the 12 places of the start grid are over the road: the place nearest to the first point of the curve. Nothing
/// if they are at that point, or nowhere.
std::optional<StartPlace> choose_start(const Curve& main, f64 line_ahead, const Ground&, const GridShape&);

/// Writes KTPT: the start, `line_ahead` units before the lap line, which is the first checkpoint, or else at a given
/// place.
void write_start(Kmp&, const Road&, const std::vector<RoadCheckpoint>&, const std::optional<Point>& at, f64 line_ahead);

}  // namespace dio::kmp
