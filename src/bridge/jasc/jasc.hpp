// jasc.hpp: palettes of Paint Shop Pro (.pal), which most editors of game graphics read and write. A line "JASC-PAL",
// one "0100", the number of colours, and a line "RED GREEN BLUE" for each.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "scene/image.hpp"

namespace dio::jasc {

/// The colours, without their alpha. Lines end in CR LF, as the editors write them.
std::string write_palette(std::span<const scene::Rgba>);
/// 1 to 256 opaque colours. Lines may end in LF alone; a fourth number of a colour (alpha, which some editors write) is
/// ignored. Id: jasc.syntax, with the line.
Result<std::vector<scene::Rgba>> read_palette(std::string_view text);

}  // namespace dio::jasc
