// thumbnail.hpp: small pictures for file managers: content fitted into a square, with limits on the cost.
#pragma once
#include <span>

#include "bridge/raster/pictures.hpp"

namespace dio::raster {

/// A scene from the right and above. Ids: render.size (more than 2,000,000 triangles), scene.none (nothing is drawn).
Result<scene::Image> make_thumbnail(const scene::Scene&, u32 size);
/// The first sixteen pictures in rows, without names, which would be unreadable.
scene::Image make_thumbnail(std::span<const LabelledImage>, u32 size);

}  // namespace dio::raster
