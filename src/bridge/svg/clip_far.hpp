// clip_far.hpp: clips shapes that extend far beyond the page. Programs that draw SVG calculate with about 24 bits:
// parts a million pixels away are cut off, and the rest of a line keeps its direction.
#pragma once
#include <vector>

#include "scene/plan.hpp"

namespace dio::svg {

/// The maximum distance of points from the origin of the page, along each axis.
constexpr f64 k_far = 1e6;

/// The near pieces of an open line. A coordinate that is not a number counts as 0.
std::vector<std::vector<scene::PlanPoint>> clip_polyline(std::vector<scene::PlanPoint>);
/// The near part of an area, one piece or none; its outline may follow the border of the near area.
std::vector<std::vector<scene::PlanPoint>> clip_polygon(std::vector<scene::PlanPoint>);

}  // namespace dio::svg
