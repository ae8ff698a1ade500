// placement.hpp: moves parts of a pack together with the boxes that the engine keeps about them.
#pragma once
#include <array>

#include "formats/splashpack/layout/pack.hpp"

namespace dio::splashpack {

/// Whether objects have no names and boxes yet, and there is no BVH.
inline bool is_old(const Pack& p) { return u32(p.form) < k_sections; }
/// Whether the triangles of an object are in the .geo file.
bool is_streamed(const Pack&, size_t object);

/// Adds raw numbers; false if one is then out of range.
bool translate(Vec32&, const std::array<i32, 3>& by);
bool translate(Vec16&, const std::array<i32, 3>& by);
bool translate_box(Box&, const std::array<i32, 3>& by);

/// Moves an object and its box; false if it cannot be there.
bool move_object_by(Pack&, size_t object, const std::array<i32, 3>& by);
/// Computes the box of an object again; not of streamed objects.
void update_object_box(Pack&, size_t object);
/// Resizes the boxes around triangles of an object: nodes of the BVH with their children, and cells of rooms. Other
/// boxes stay.
void update_boxes_around(Pack&, size_t object);

}  // namespace dio::splashpack
