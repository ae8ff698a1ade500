// extent.hpp: the bounds of a model.
#pragma once
#include <optional>

#include "formats/nitro/layout/model.hpp"
#include "scene/affine.hpp"

namespace dio::nitro {

struct Extent {
  scene::Point low, high;
};
/// The bounds of everything drawn at rest, in model units. Nothing if nothing is drawn or a list cannot be read.
std::optional<Extent> compute_extent(const Model&);

}  // namespace dio::nitro
