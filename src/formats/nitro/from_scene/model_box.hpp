// model_box.hpp: the bounding box of a model, which games use to decide whether it is in view.
#pragma once
#include <optional>

#include "formats/nitro/scene/extent.hpp"

namespace dio::nitro {

/// Sets the box to the extent of the model at rest.
void set_model_box(Model&, const Extent&);
/// Enlarges the box if an edited model now reaches out of it. `before`: the extent before the edit.
void enlarge_model_box(Model&, const std::optional<Extent>& before);

}  // namespace dio::nitro
