// material_motion.hpp: animations of materials and of visibility from those of a scene.
#pragma once
#include <span>

#include "core/result.hpp"
#include "formats/nitro/from_scene/looks.hpp"
#include "formats/nitro/from_scene/skeleton.hpp"

namespace dio::nitro {

/// How far a compressed texture animation may be from what was sampled, in widths of the texture.
inline constexpr f64 k_near_texture = 1.0 / 1024;

/// A material of the scene and what it became.
struct MadeMaterial {
  scene::Index scene;
  const Material* material;
  bool lit;
};

/// Whether an animation changes the colour of a material, or transforms its texture.
bool moves(const scene::Scene&, scene::Index material, bool color);

/// Texture transforms as the bytes of an NSBTA file, colours and opacity as those of an NSBMA file, visibility as those
/// of an NSBVA file; none if there are none. Ids: those of saving.
/// `mode`: Model::texture_matrix_mode.
Result<Bytes> texture_animations_of(const scene::Scene&, std::span<const MadeMaterial>, u8 mode, u32 frames_per_second,
                                    Diagnostics& notes);
Result<Bytes> color_animations_of(const scene::Scene&, std::span<const MadeMaterial>, u32 frames_per_second);
Result<Bytes> visibility_animations_of(const scene::Scene&, const Skeleton&, u32 frames_per_second);

}  // namespace dio::nitro
