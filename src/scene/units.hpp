// units.hpp: changes the units and the height of a scene.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// Scales the root nodes, and the channels that animate them, by `factor`, which also scales all their descendants.
void scale_roots(Scene&, const std::vector<Index>& roots, f64 factor);

/// Moves all root nodes up, with the channels that animate them.
void raise_roots(Scene&, f32 height);

/// Converts the scene to other units: positions and sizes in metres stay the same, and so do the numbers in meshes.
void convert_units(Scene&, f32 metres_per_unit);

}  // namespace dio::scene
