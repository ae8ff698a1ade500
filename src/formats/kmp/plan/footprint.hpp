// footprint.hpp: what parts of a course cover, seen from above.
#pragma once
#include "formats/kmp/layout.hpp"
#include "scene/plan.hpp"

namespace dio::kmp {

/// x and z of a position, as `drawable` gives them.
scene::PlanPoint plan_point(const Vec3&);
/// Which way +Z of an entry leads, seen from above; nothing if it leads straight up or down.
std::optional<scene::PlanPoint> plan_heading(const Vec3& rotation);

/// The outline of an area's box or cylinder. Source: README.md, "Picture".
std::vector<scene::PlanPoint> area_outline(const Area&);

/// All that lies no further from a line than so many units, which change evenly from point to point: convex fields,
/// which overlap and turn the same way.
std::vector<std::vector<scene::PlanPoint>> make_ribbon_polygons(
    const std::vector<std::pair<scene::PlanPoint, f64>>& points);

}  // namespace dio::kmp
