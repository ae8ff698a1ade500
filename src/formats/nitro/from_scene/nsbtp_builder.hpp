// nsbtp_builder.hpp: builds texture pattern animations. glTF cannot animate pictures, so exports store the pattern in
// extras (scene/animations.cpp), and authors list pictures in a material property.
#pragma once
#include <span>

#include "core/result.hpp"
#include "formats/nitro/from_scene/material_motion.hpp"
#include "formats/nitro/from_scene/nsbmd_materials.hpp"

namespace dio::nitro {

/// Builds NSBTP files and encodes their pictures. Error ids: nitro.make-many, and those of encoding and saving.
Result<std::vector<BuiltFile>> build_nsbtp(const scene::Scene&, std::span<const BuiltMaterial>, NsbmdMaterialBuilder&,
                                           std::string_view name, u32 frames_per_second, SceneClips&,
                                           Diagnostics& notes);

}  // namespace dio::nitro
