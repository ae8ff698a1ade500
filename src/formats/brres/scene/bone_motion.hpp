// bone_motion.hpp: animations of bones (CHR0) as animations of a scene.
#pragma once
#include <span>

#include "formats/brres/layout/file.hpp"
#include "scene/scene.hpp"

namespace dio::brres {

/// A model of a scene, with the node of each bone.
struct SceneModel {
  const Model* model = nullptr;
  std::vector<scene::Index> bones = {};
};

/// Adds an animation for each CHR0 that has a bone of one of the models. Returns the indices of the others.
std::vector<size_t> add_chr_animations(const Brres&, std::span<const SceneModel>, scene::Scene&);

}  // namespace dio::brres
