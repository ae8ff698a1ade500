// gif.hpp: animated pictures as GIF files (GIF89a, CompuServe 1990), for programs without APNG support.
#pragma once
#include <span>

#include "scene/image.hpp"

namespace dio::gif {

/// Writes pictures of one size, at most 65,535 pixels wide, as a GIF with one palette of at most 256 colours; several
/// pictures repeat for ever. `milliseconds`: the duration of each picture, at least 20 (browsers show shorter ones for
/// 100), rounded so that the total is right. Pixels with an alpha below 128 are transparent, the others opaque. The
/// output is the same on every platform. Needs at least one picture.
Bytes write_gif(std::span<const scene::Image>, u16 milliseconds = 0);

}  // namespace dio::gif
