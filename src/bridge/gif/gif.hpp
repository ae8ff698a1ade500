// gif.hpp: moving pictures as GIF files (GIF89a, CompuServe 1990), for programs that know no APNG.
#pragma once
#include <span>

#include "scene/image.hpp"

namespace dio::gif {

/// Pictures of one size, at most 65,535 pixels across, as a GIF with one palette of at most 256 colours; several repeat
/// for ever. `milliseconds`: how long each is shown, rounded so that all together take as long, and at least 20:
/// browsers take less for 100. Pixels with an alpha below 128 are transparent, the others opaque. The output is the
/// same on every platform. At least one picture.
Bytes write_gif(std::span<const scene::Image>, u16 milliseconds = 0);

}  // namespace dio::gif
