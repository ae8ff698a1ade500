// png.hpp: pictures as PNG files (PNG specification, third edition).
#pragma once
#include <span>

#include "core/result.hpp"
#include "scene/image.hpp"

namespace dio::png {

/// The picture as a PNG file: with its palette and depth if it has a palette, else as RGB or, where a pixel is not
/// opaque, RGBA of 8 bits. The output is the same on every platform. The picture is at least 1 by 1; a palette has at
/// most 2^depth colours, and every index is one of them. The name is not stored.
Bytes write_png(const scene::Image&);

/// Frames of one size as an animated PNG that repeats (PNG specification, third edition, 13.2): four bytes a pixel, or
/// three where all are opaque. `milliseconds`: how long each is shown. Programs without support for animation show the
/// first frame. At least one picture; none has a palette.
Bytes write_apng(std::span<const scene::Image>, u16 milliseconds);

/// The picture in a PNG file. With a palette it keeps indices and depth; grey and true colour, of any depth, become
/// four bytes a pixel (16 bits are rounded to 8). Colour spaces are not converted. Ids: png.syntax (damaged or
/// truncated), png.size (more than 2^26 pixels).
Result<scene::Image> read_png(ByteView);

}  // namespace dio::png
