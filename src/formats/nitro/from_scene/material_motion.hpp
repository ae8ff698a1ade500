// material_motion.hpp: animations of materials and of visibility from those of a scene.
#pragma once
#include <span>

#include "core/result.hpp"
#include "formats/nitro/from_scene/nsbmd_materials.hpp"
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

/// Texture transforms as the bytes of an NSBTA file, colours and opacity as those of an NSBMA file, visibility as those
/// of an NSBVA file; none if there are none. Ids: those of saving.
/// `mode`: Model::texture_matrix_mode.
Result<Bytes> build_nsbta(const scene::Scene&, std::span<const BuiltMaterial>, u8 mode, u32 frames_per_second,
                          Diagnostics& notes);
Result<Bytes> build_nsbma(const scene::Scene&, std::span<const BuiltMaterial>, u32 frames_per_second);
Result<Bytes> build_nsbva(const scene::Scene&, const Skeleton&, u32 frames_per_second);

}  // namespace dio::nitro
