// land.hpp: parts of the scene of a map.
#pragma once
#include "formats/platinum/layout/land_data.hpp"
#include "scene/shapes.hpp"

namespace dio::platinum {

/// The plates as a hidden node with a see-through mesh, floors blue and slopes orange; k_none: there is nothing to
/// show.
scene::Index add_heights(scene::Scene&, const Bdhc&, scene::Index parent);

/// What a node that stands for a prop says of it.
Value prop_extras(const Prop&, size_t index);

}  // namespace dio::platinum
