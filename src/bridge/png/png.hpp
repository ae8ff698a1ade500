// png.hpp: pictures as PNG files (PNG specification, third edition).
#pragma once
#include <span>

#include "core/result.hpp"
#include "scene/image.hpp"

namespace dio::png {

/// The picture as a PNG file: with its palette and depth if it has a palette, else as RGB or, where a pixel is not
/// opaque, RGBA of 8 bits. The same bytes with every compiler. The picture is at least 1 by 1; a palette has at most
/// 2^depth colours, and every index is one of them. The name is not in the file.
Bytes write_png(const scene::Image&);

/// Pictures of one size as a moving one, over and over (PNG specification, third edition, 13.2): four bytes a pixel, or
/// three where all are opaque. `milliseconds`: how long each is shown. Programs that know no motion show the first. At
/// least one picture; none has a palette.
Bytes write_apng(std::span<const scene::Image>, u16 milliseconds);

/// The picture in a PNG file. With a palette it keeps indices and depth; grey and true colours, of any depth, become
/// four bytes a pixel (of 16 bits the nearest 8). Colour spaces are not converted. Refuses (png.syntax) what is damaged
/// or cut off, and (png.size) more than 2^26 pixels.
Result<scene::Image> read_png(ByteView);

}  // namespace dio::png
