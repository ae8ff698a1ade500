// land.hpp: parts of the scene of a map.
#pragma once
#include "formats/platinum/layout/land_data.hpp"
#include "scene/shapes.hpp"

namespace dio::platinum {

/// Adds the plates as a hidden node with a translucent mesh, floors blue and slopes orange; k_none if there are none.
scene::Index add_height_plates(scene::Scene&, const Bdhc&, scene::Index parent, bool sources);

/// Sets the source of the vertices added since the last call to one tile or plate.
void set_vertex_sources(scene::Primitive&, size_t number);
/// The extras of a prop node.
Value make_prop_extras(const Prop&, size_t index);

}  // namespace dio::platinum
