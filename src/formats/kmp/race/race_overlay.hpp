// race_overlay.hpp: draws race events on the course.
#pragma once
#include "formats/kmp/race/simulate.hpp"
#include "scene/plan.hpp"
#include "scene/scene.hpp"

namespace dio::kmp {

/// Adds a node for each event of find_race_events: ways are lines with an arrow at the end, roads in no sector are
/// filled areas.
void draw_race(scene::Scene&, const Kmp&, const kcl::Kcl* collision);
/// Adds the layer RACE above all others.
void draw_race(scene::Plan&, const Kmp&, const kcl::Kcl* collision);

}  // namespace dio::kmp
