// jasc.hpp: Paint Shop Pro palettes (.pal), which most editors of game graphics read and write: a line "JASC-PAL", a
// line "0100", the number of colours, and a line "RED GREEN BLUE" for each colour.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "scene/image.hpp"

namespace dio::jasc {

/// Writes the colours without their alpha. Lines end in CR LF, as in other programs.
std::string write_palette(std::span<const scene::Rgba>);
/// Reads 1 to 256 opaque colours. Lines may also end in LF alone; a fourth number of a colour (alpha, which some
/// editors write) is ignored. Id: jasc.syntax, with the line.
Result<std::vector<scene::Rgba>> read_palette(std::string_view text);

}  // namespace dio::jasc
