// nsbtp_builder.hpp: materials that show one picture after another. glTF has no animation of pictures: the export of a
// model says in extras what the game shows (scene/animations.cpp), and authors list pictures in a property of a
// material.
#pragma once
#include <span>

#include "core/result.hpp"
#include "formats/nitro/from_scene/material_motion.hpp"
#include "formats/nitro/from_scene/nsbmd_materials.hpp"

namespace dio::nitro {

/// NSBTP files. Encodes the pictures. Ids: nitro.make-many, those of encoding and of saving.
Result<std::vector<BuiltFile>> build_nsbtp(const scene::Scene&, std::span<const BuiltMaterial>, NsbmdMaterialBuilder&,
                                           std::string_view name, u32 frames_per_second, SceneClips&,
                                           Diagnostics& notes);

}  // namespace dio::nitro
