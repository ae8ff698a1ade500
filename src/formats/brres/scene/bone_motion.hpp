// bone_motion.hpp: animations of bones (CHR0) as animations of a scene.
#pragma once
#include "formats/brres/scene/scene_parts.hpp"

namespace dio::brres {

/// Adds an animation for each CHR0 that has a bone of one of the models. Returns the indices of the others.
std::vector<size_t> add_chr_animations(const Brres&, std::span<const SceneModel>, scene::Scene&);

}  // namespace dio::brres
