// land_mesh.hpp: the mesh of a map follows its heights.
#pragma once
#include "core/result.hpp"
#include "formats/nitro/layout/model.hpp"
#include "formats/platinum/layout/heights.hpp"

namespace dio::platinum {

/// Raises the vertices that lie on a plate or above it, up to the next plate, by so many units; returns how many. The
/// list of a shape keeps its commands; a vertex that its own can no longer state gets another one. The box of the model
/// follows. `was`: the heights before the plate was raised. Ids: edit.argument (a shape is drawn in several places, or
/// a vertex would be out of range).
Result<u64> raise_mesh_on_plate(nitro::Model&, const Bdhc& was, size_t plate, f64 by);

}  // namespace dio::platinum
