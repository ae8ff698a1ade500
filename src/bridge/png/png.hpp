// png.hpp: reads and writes PNG files (PNG specification, third edition).
#pragma once
#include <span>

#include "core/result.hpp"
#include "scene/image.hpp"

namespace dio::png {

/// Writes the picture as a PNG file: with its palette and depth if it has a palette, otherwise as 8-bit RGB or, if any
/// pixel is not opaque, RGBA. The output is the same on every platform. The picture has at least 1 x 1 pixels; a
/// palette has at most 2^depth colours, and all indices are valid. The name is not stored.
Bytes write_png(const scene::Image&);

/// Writes frames of one size as an animated PNG that repeats (PNG specification, third edition, 13.2): four bytes per
/// pixel, or three if all pixels are opaque. `milliseconds`: the duration of each frame. Programs without support for
/// animation show the first frame. Needs at least one picture; none may have a palette.
Bytes write_apng(std::span<const scene::Image>, u16 milliseconds);

/// Reads the picture of a PNG file. A palette picture keeps indices and depth; greyscale and true colour of any depth
/// become four bytes per pixel (16 bits are rounded to 8). Colour spaces are not converted. Ids: png.syntax (damaged or
/// truncated), png.size (more than 2^26 pixels).
Result<scene::Image> read_png(ByteView);

}  // namespace dio::png
