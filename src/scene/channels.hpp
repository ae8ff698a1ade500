// channels.hpp: the values of animated properties at a time.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// Interpolates between two rotations on the shorter way; `t` is in 0..1.
Vec4 slerp(const Vec4& a, const Vec4& b, f64 t);

/// The value of a channel. A key at most `near` seconds away is used unchanged. Before the first key and after the
/// last, the value of that key.
Vec4 value_at(const Channel&, f64 time, f64 near = 0);

/// Same, for a property of a material: colours have four numbers, other properties fewer.
Vec4 value_at(const MaterialChannel&, f64 time, f64 near = 0);
bool value_at(const VisibilityChannel&, f64 time, bool at_first);

}  // namespace dio::scene
