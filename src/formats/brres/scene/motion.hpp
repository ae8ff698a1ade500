// motion.hpp: animations of textures (SRT0) as animations of a scene.
#pragma once
#include "formats/brres/scene/scene_parts.hpp"

namespace dio::brres {

/// Adds an animation for each SRT0 that moves the texture of one of the materials. Returns the indices of the others.
std::vector<size_t> add_srt_animations(const Brres&, std::span<const SceneMaterial>, scene::Scene&);

}  // namespace dio::brres
