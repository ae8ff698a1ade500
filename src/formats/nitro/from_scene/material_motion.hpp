// material_motion.hpp: animations of materials and of visibility from those of a scene.
#pragma once
#include <span>

#include "formats/contract/building.hpp"
#include "formats/nitro/from_scene/nsbmd_materials.hpp"
#include "formats/nitro/from_scene/scene_clips.hpp"
#include "formats/nitro/from_scene/skeleton.hpp"

namespace dio::nitro {

/// How far a compressed texture animation may be from what was sampled, in widths of the texture.
inline constexpr f64 k_near_texture = 1.0 / 1024;

/// A material of the scene and what it became.
struct BuiltMaterial {
  scene::Index scene;
  const Material* material;
  bool lit;
};

/// Whether an animation changes the colour of a material, or transforms its texture.
bool is_material_animated(const scene::Scene&, scene::Index material, bool color);

/// Texture transforms as NSBTA files, colours and opacity as NSBMA files, visibility as NSBVA files. Ids: those of
/// saving. `mode`: Model::texture_matrix_mode.
Result<std::vector<BuiltFile>> build_nsbta(const scene::Scene&, std::span<const BuiltMaterial>, u8 mode, SceneClips&,
                                           Diagnostics& notes);
Result<std::vector<BuiltFile>> build_nsbma(const scene::Scene&, std::span<const BuiltMaterial>, SceneClips&);
Result<std::vector<BuiltFile>> build_nsbva(const scene::Scene&, const Skeleton&, SceneClips&);

}  // namespace dio::nitro
