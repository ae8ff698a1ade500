// terminal.hpp: pictures for terminals: sixels, the kitty graphics protocol, coloured half blocks, letters.
#pragma once
#include <string>

#include "scene/image.hpp"

namespace dio::terminal {

/// The picture as sixels (DEC STD 070, chapter 9; the VT330/VT340 manual): a palette of at most `most_colors` (2 to
/// 256), dithered if there are more. Pixels with an alpha below 128 are not drawn. Colours are rounded to percent.
std::string encode_sixels(const scene::Image&, u32 most_colors = 256);

/// The picture as PNG in escape sequences of the kitty graphics protocol, which the terminal does not answer. With an
/// `id`, it replaces the earlier picture with that id, and the cursor stays.
std::string encode_kitty(const scene::Image&, u32 id = 0);

enum class Colors { millions, palette };  // 24 bits; the 256 colours of xterm

/// One line of text for two rows of pixels, with a column for each pixel: half blocks (U+2580, U+2584) in the colours
/// of both. Transparent pixels show the terminal's own background. Lines end with a colour reset and a newline.
std::string encode_half_blocks(const scene::Image&, Colors);

/// Same in ASCII, without colours: letters as dense as pixels are bright.
std::string ascii_art(const scene::Image&);

}  // namespace dio::terminal
