// units.hpp: changes the units of a scene.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// Scales the root nodes, and the channels that animate them, by `factor`, which also scales all their descendants.
void scale_roots(Scene&, const std::vector<Index>& roots, f64 factor);

/// Converts the scene to other units: positions and sizes in metres stay the same, and so do the numbers in meshes.
void convert_units(Scene&, f32 metres_per_unit);

}  // namespace dio::scene
