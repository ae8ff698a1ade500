// units.hpp: the same scene in other units.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// Scales nodes that hang on no other, and what moves them, by `factor`: so all that hangs on them is scaled, too.
void scale_roots(Scene&, const std::vector<Index>& roots, f64 factor);

/// Everything stays where it is and as large as it is in metres; meshes keep their numbers.
void to_units(Scene&, f32 metres_per_unit);

}  // namespace dio::scene
