// sky.hpp: a plain sky for courses whose scene has none.
#pragma once
#include "formats/kcl/layout.hpp"
#include "scene/scene.hpp"

namespace dio::kmp {

/// A dome around the course with a gradient, in game units.
scene::Scene build_sky(const kcl::Kcl&);

}  // namespace dio::kmp
