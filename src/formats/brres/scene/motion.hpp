// motion.hpp: animations of textures (SRT0) as animations of a scene.
#pragma once
#include <span>

#include "formats/brres/layout/file.hpp"
#include "scene/scene.hpp"

namespace dio::brres {

/// A material of a scene whose texture can move.
struct SceneMaterial {
  const Model* model = nullptr;
  const Material* material = nullptr;
  scene::Index in_scene = scene::k_none;
  u32 coordinate = 0;  // the texture transform of its texture
};

/// Adds an animation for each SRT0 that moves the texture of one of the materials. Returns the indices of the others.
std::vector<size_t> add_srt_animations(const Brres&, std::span<const SceneMaterial>, scene::Scene&);

}  // namespace dio::brres
