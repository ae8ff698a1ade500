// light.hpp: the light of an area at a time of day. Specification: README.md, "The world".
#pragma once
#include <span>

#include "formats/nitro/scene/builder.hpp"
#include "formats/platinum/layout/tables.hpp"

namespace dio::platinum {

/// The index of the active block of a light file: the first that ends later, or else the first. Seconds since midnight;
/// `blocks` is not empty.
size_t light_block_at(std::span<const LightBlock> blocks, u32 seconds);

/// The colours that the game gives all materials under open sky.
struct MaterialPaint {
  u16 diffuse, ambient, specular, emission;  // RGB555
};

/// The light that the game sets for the maps of an area.
struct MapLight {
  nitro::Lighting lighting;
  std::optional<MaterialPaint> paint;  // of light sets 0 and 3
};
/// `pitch`: of the camera, in degrees below the horizon.
MapLight map_light(const LightBlock&, u32 light_set, f64 pitch);

void paint(nitro::Model&, const MaterialPaint&);

}  // namespace dio::platinum
