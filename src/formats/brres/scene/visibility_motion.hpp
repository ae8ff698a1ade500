// visibility_motion.hpp: animations of the visibility of bones (VIS0) and of textures (PAT0) as animations of a scene.
#pragma once
#include <functional>

#include "formats/brres/scene/scene_parts.hpp"

namespace dio::brres {

/// Adds an animation for each VIS0 that has the bone of one of the shapes. Returns the indices of the others.
std::vector<size_t> add_vis_animations(const Brres&, std::span<const SceneShape>, scene::Scene&);

/// Adds a texture to the scene, as a sampler has it; k_none if the file does not have the picture.
using AddTexture = std::function<scene::Index(const Sampler&)>;

/// Adds an animation for each PAT0 that changes the texture of one of the materials. Returns the indices of the others.
/// glTF cannot animate textures, so each shape gets a node with another material for each other texture, of which one
/// is visible at a time.
std::vector<size_t> add_pat_animations(const Brres&, std::span<const SceneMaterial>, std::span<const SceneShape>,
                                       const AddTexture&, scene::Scene&);

}  // namespace dio::brres
