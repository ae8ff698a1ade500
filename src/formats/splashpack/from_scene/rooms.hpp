// rooms.hpp: rooms of an interior and the portals between them, from a scene.
#pragma once
#include "formats/splashpack/from_scene/sections.hpp"

namespace dio::splashpack {

/// Adds rooms with their triangles and cells, portals, and the room of each floor region. `pack` has its objects and
/// its floor; regions from a pack (not `is_floor_made`) keep their rooms. Returns the error, if any. Ids:
/// splashpack.make-rooms, splashpack.make-range.
std::optional<Diagnostic> add_rooms(const MakeSource&, bool is_floor_made, Pack& pack, Diagnostics& notes);

}  // namespace dio::splashpack
