// model_box.hpp: the bounding box of a model, by which games decide whether it is in view.
#pragma once
#include <optional>

#include "formats/nitro/scene/extent.hpp"

namespace dio::nitro {

/// Sets the box to all that is drawn at rest.
void set_model_box(Model&, const Extent&);
/// Enlarges the box if a model that was in it reaches out of it after an edit. `before`: how far it reached.
void enlarge_model_box(Model&, const std::optional<Extent>& before);

}  // namespace dio::nitro
