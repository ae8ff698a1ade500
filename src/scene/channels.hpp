// channels.hpp: the values of animated properties at a time.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// On the shorter way from one rotation to another; `t` in 0..1.
Vec4 slerp(const Vec4& a, const Vec4& b, f64 t);

/// The value of a channel; a key at most `near` seconds away is used unchanged. Before the first key its value, after
/// the last that of the last.
Vec4 value_at(const Channel&, f64 time, f64 near = 0);

/// The same of a property of a material: colours have four numbers, the others fewer.
Vec4 value_at(const MaterialChannel&, f64 time, f64 near = 0);
bool value_at(const VisibilityChannel&, f64 time, bool at_first);

}  // namespace dio::scene
