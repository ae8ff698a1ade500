// minimap.hpp: the model of the minimap: the roads of a course, seen from above.
#pragma once
#include "formats/kcl/layout.hpp"
#include "formats/kmp/layout.hpp"
#include "scene/scene.hpp"

namespace dio::kmp {

/// The drivable roads of a collision file that karts can reach, without off-road if there are others. In game units.
/// Roads with too many vertices for a minimap are simplified by vertex clustering.
scene::Scene build_minimap(const kcl::Kcl&, const Kmp& course);
/// Adds the nodes posLD and posRU, unless the scene has them: the lower left and upper right corners of what the game
/// shows.
void add_minimap_corners(scene::Scene&);

}  // namespace dio::kmp
