// footprint.hpp: the outlines of course parts, seen from above.
#pragma once
#include "formats/kmp/layout.hpp"
#include "scene/plan.hpp"

namespace dio::kmp {

/// x and z of a position, as `drawable` gives them.
scene::PlanPoint plan_point(const Vec3&);
/// The direction of an entry's +Z axis, seen from above; nothing if it points straight up or down.
std::optional<scene::PlanPoint> plan_heading(const Vec3& rotation);

/// The outline of an area's box or cylinder. Source: README.md, "Picture".
std::vector<scene::PlanPoint> area_outline(const Area&);

/// The area within some distance of a line; the distance changes linearly between points. Convex polygons, which
/// overlap and have the same winding.
std::vector<std::vector<scene::PlanPoint>> make_ribbon_polygons(
    const std::vector<std::pair<scene::PlanPoint, f64>>& points);

}  // namespace dio::kmp
