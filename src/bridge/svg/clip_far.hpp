// clip_far.hpp: shapes that reach far beyond the page. Programs that draw SVG count with 24 bits or so: what is a
// million pixels away is cut off, and what is left of a line has the direction that the whole has.
#pragma once
#include <vector>

#include "scene/plan.hpp"

namespace dio::svg {

/// How far from the origin of the page points may be, along each axis.
constexpr f64 k_far = 1e6;

/// The pieces of an open line that are near. A coordinate that is no number counts as 0.
std::vector<std::vector<scene::PlanPoint>> clip_polyline(std::vector<scene::PlanPoint>);
/// The part of an area that is near, one piece or none; its border may run along that of what is near.
std::vector<std::vector<scene::PlanPoint>> clip_polygon(std::vector<scene::PlanPoint>);

}  // namespace dio::svg
