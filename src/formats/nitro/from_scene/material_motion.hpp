// material_motion.hpp: builds material and visibility animations from a scene.
#pragma once
#include <span>

#include "formats/contract/building.hpp"
#include "formats/nitro/from_scene/nsbmd_materials.hpp"
#include "formats/nitro/from_scene/scene_clips.hpp"
#include "formats/nitro/from_scene/skeleton.hpp"

namespace dio::nitro {

/// The greatest deviation of a compressed texture animation from its samples, in texture widths.
inline constexpr f64 k_near_texture = 1.0 / 1024;

/// A scene material and the model material built from it.
struct BuiltMaterial {
  scene::Index scene;
  const Material* material;
  bool lit;
};

/// Whether an animation changes the colour of a material, or transforms its texture.
bool is_material_animated(const scene::Scene&, scene::Index material, bool color);

/// Build texture transforms as NSBTA files, colours and opacity as NSBMA files, visibility as NSBVA files. Error ids:
/// those of saving. `mode`: Model::texture_matrix_mode.
Result<std::vector<BuiltFile>> build_nsbta(const scene::Scene&, std::span<const BuiltMaterial>, u8 mode, SceneClips&,
                                           Diagnostics& notes);
Result<std::vector<BuiltFile>> build_nsbma(const scene::Scene&, std::span<const BuiltMaterial>, SceneClips&);
Result<std::vector<BuiltFile>> build_nsbva(const scene::Scene&, const Skeleton&, SceneClips&);

}  // namespace dio::nitro
