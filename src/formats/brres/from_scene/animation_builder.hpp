// animation_builder.hpp: the animation files of a model, from the animations of a scene.
#pragma once
#include <span>

#include "formats/brres/from_scene/skeleton_builder.hpp"
#include "formats/brres/from_scene/srt_builder.hpp"
#include "formats/brres/layout/file.hpp"

namespace dio::brres {

struct BuiltAnimations {
  Diagnostics notes;
  u32 lost = 0;  // notes about animations that the file does not have
};

/// Adds files for the animations of a scene, one for each kind of movement in it.
BuiltAnimations add_animations(const scene::Scene&, std::span<const MadeMaterial>, std::span<const MadeBone>, Brres&);

}  // namespace dio::brres
