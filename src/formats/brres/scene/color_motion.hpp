// color_motion.hpp: animations of colours (CLR0) as animations of a scene.
#pragma once
#include "formats/brres/scene/scene_parts.hpp"

namespace dio::brres {

/// Adds an animation for each CLR0 that changes the colour of one of the materials. Returns the indices of the others.
std::vector<size_t> add_clr_animations(const Brres&, std::span<const SceneMaterial>, scene::Scene&);

}  // namespace dio::brres
