// authored_motion.hpp: hand-written cutscenes and animations in JSON, with names, metres and degrees.
#pragma once
#include "formats/splashpack/from_scene/parts.hpp"

namespace dio::splashpack {

/// Whether an entry of `cutscenes` or `animations` is written by hand: it has no `frame_count`.
bool is_authored_motion(const Value& entry);

/// Adds the hand-written entries of `cutscenes` and `animations` in the extras: README.md, From glTF. `pack` already
/// has the objects, canvases, sounds, skins and lights named by tracks and events. Tracks and keyframes that cannot be
/// stored are left out. Id of notes: splashpack.make-lost.
void add_authored_motion(const scene::Scene&, const MakeSettings&, Pack&, Diagnostics& notes);

}  // namespace dio::splashpack
