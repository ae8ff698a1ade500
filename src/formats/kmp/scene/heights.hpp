// heights.hpp: heights for parts of a course that have none.
#pragma once
#include "formats/kmp/layout.hpp"
#include "scene/scene.hpp"

namespace dio::kmp {

/// The height of the enemy point nearest to a place, as seen from above; 0 without enemy points.
f32 nearest_path_height(const Kmp&, const scene::Vec3& place);

}  // namespace dio::kmp
