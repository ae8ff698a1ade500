// nsbca_builder.hpp: joint animations from those of a scene.
#pragma once
#include "core/result.hpp"
#include "formats/contract/building.hpp"
#include "formats/nitro/from_scene/scene_clips.hpp"
#include "formats/nitro/from_scene/skeleton.hpp"
#include "formats/nitro/layout/joints.hpp"

namespace dio::nitro {

/// How far a compressed curve may be from the one that was sampled.
inline constexpr f64 k_near_translation = 1.0 / 256, k_near_rotation = 1.0 / 512, k_near_scale = 1.0 / 1024;

/// NSBCA files of the animations that move bones. `units`: model units in a unit of the scene. Ids: those of saving.
Result<std::vector<BuiltFile>> build_nsbca(const scene::Scene&, const Skeleton&, f64 units, SceneClips&,
                                           Diagnostics& notes);

}  // namespace dio::nitro
