// race_overlay.hpp: what a race shows, drawn on the course.
#pragma once
#include "formats/kmp/race/simulate.hpp"
#include "scene/plan.hpp"
#include "scene/scene.hpp"

namespace dio::kmp {

/// A node for each event of find_race_events: ways as lines with an arrow at the end, roads in no sector as fields.
void draw_race(scene::Scene&, const Kmp&, const kcl::Kcl* collision);
/// A layer, RACE, above all others.
void draw_race(scene::Plan&, const Kmp&, const kcl::Kcl* collision);

}  // namespace dio::kmp
