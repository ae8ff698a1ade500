// scene.cpp: a course as things one can look at.
#include "scene/scene.hpp"

#include "formats/kmp/parts.hpp"

namespace dio::kmp {

Result<scene::Scene> to_scene(const Kmp&) { return scene::Scene{}; }

}  // namespace dio::kmp
