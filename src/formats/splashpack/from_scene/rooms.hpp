// rooms.hpp: rooms of an interior and the portals between them, from a scene: what is drawn where.
#pragma once
#include "formats/splashpack/from_scene/sections.hpp"

namespace dio::splashpack {

/// Rooms with the triangles that are drawn in them and their cells, portals, and the room of each region of the floor.
/// `pack` has its objects and its floor; regions of one that a pack had (not `is_floor_made`) keep their rooms. Returns
/// the refusal, if any. Ids: splashpack.make-rooms, splashpack.make-range.
std::optional<Diagnostic> add_rooms(const MakeSource&, bool is_floor_made, Pack& pack, Diagnostics& notes);

}  // namespace dio::splashpack
