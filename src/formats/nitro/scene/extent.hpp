// extent.hpp: how far a model reaches.
#pragma once
#include <optional>

#include "formats/nitro/layout/model.hpp"
#include "scene/affine.hpp"

namespace dio::nitro {

struct Extent {
  scene::Point low, high;
};
/// Of all that is drawn at rest, in model units. Nothing if nothing is, or not all of it can be read.
std::optional<Extent> compute_extent(const Model&);

}  // namespace dio::nitro
