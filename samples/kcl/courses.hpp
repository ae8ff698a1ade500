// courses.hpp: collision files made from nothing, as triangles: for tests that change them.
#pragma once
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

/// A road with a wall around it, seen from inside.
std::vector<FlaggedTriangle> box();
/// Off-road hills with a road through them, and a boundary below.
std::vector<FlaggedTriangle> hills();
/// A square of each type, walls upright.
std::vector<FlaggedTriangle> types();

/// The file for them; empty if there is none.
Kcl built(const std::vector<FlaggedTriangle>&, const OctreeOptions& = {});
/// As one of the DS: its types are other ones.
DsKcl on_ds(const Kcl&);

}  // namespace dio::kcl
