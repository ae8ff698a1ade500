// heights.hpp: heights of what has none in a course.
#pragma once
#include "formats/kmp/layout.hpp"
#include "scene/scene.hpp"

namespace dio::kmp {

/// That of the enemy point that is nearest to a place, as seen from above; 0 if there are none.
f32 nearest_path_height(const Kmp&, const scene::Vec3& place);

}  // namespace dio::kmp
