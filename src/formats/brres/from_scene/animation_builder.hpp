// animation_builder.hpp: the animation files of a model, from the animations of a scene.
#pragma once
#include "formats/brres/from_scene/skeleton_builder.hpp"
#include "formats/brres/from_scene/srt_builder.hpp"
#include "formats/brres/from_scene/visibility_builder.hpp"
#include "formats/brres/layout/file.hpp"

namespace dio::brres {

/// The parts of made models that animations move.
struct MadeParts {
  std::vector<MadeMaterial> materials;
  std::vector<MadeBone> bones;
  std::vector<MadeShape> shapes;
};

struct AnimationNotes {
  Diagnostics notes;
  u32 lost = 0;  // notes about animations that the file does not have
};

/// Adds files for the animations of a scene, one for each kind of movement in it. `texture_name`: of an image, in the
/// file.
AnimationNotes add_animations(const scene::Scene&, const MadeParts&,
                              const std::function<std::string(scene::Index image)>& texture_name, Brres&);

}  // namespace dio::brres
