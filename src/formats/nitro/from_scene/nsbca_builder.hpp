// nsbca_builder.hpp: builds joint animations from a scene.
#pragma once
#include "core/result.hpp"
#include "formats/contract/building.hpp"
#include "formats/nitro/from_scene/scene_clips.hpp"
#include "formats/nitro/from_scene/skeleton.hpp"
#include "formats/nitro/layout/joints.hpp"

namespace dio::nitro {

/// The greatest deviation of a compressed curve from its samples.
inline constexpr f64 k_near_translation = 1.0 / 256, k_near_rotation = 1.0 / 512, k_near_scale = 1.0 / 1024;

/// Builds NSBCA files from the animations that move bones. `units`: model units per scene unit. Error ids: those of
/// saving.
Result<std::vector<BuiltFile>> build_nsbca(const scene::Scene&, const Skeleton&, f64 units, SceneClips&,
                                           Diagnostics& notes);

}  // namespace dio::nitro
