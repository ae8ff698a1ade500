// start_grid.hpp: rotations of entries, and the start grid.
#pragma once
#include "formats/kmp/scene/route.hpp"

namespace dio::kmp {

bool is_finite(const Vec3&);
/// The rotation of an entry; the identity if one of its angles is not finite.
scene::Vec4 rotation_from_degrees(const Vec3& degrees);

/// The 12 places of the grid, behind the pole position. Source: README.md, "Start grid".
std::vector<scene::Vec3> start_grid(const StartPoint& pole, bool right, bool narrow);

}  // namespace dio::kmp
