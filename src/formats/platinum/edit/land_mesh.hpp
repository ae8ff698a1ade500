// land_mesh.hpp: moves the mesh of a map along with its heights.
#pragma once
#include "core/result.hpp"
#include "formats/nitro/layout/model.hpp"
#include "formats/platinum/layout/heights.hpp"

namespace dio::platinum {

/// Raises the vertices from a plate up to the next plate above it; returns their number. Display lists keep their
/// commands, except where a command can no longer express its vertex. The bounding box is updated. `was`: the heights
/// before the plate was raised. Error ids: edit.argument (a shape is drawn in several places, or a vertex would be out
/// of range).
Result<u64> raise_mesh_on_plate(nitro::Model&, const Bdhc& was, size_t plate, f64 by);

}  // namespace dio::platinum
