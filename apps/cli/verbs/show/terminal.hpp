// terminal.hpp: what the terminal on standard output can draw, and how large it is.
#pragma once
#include "../../command_line/request.hpp"
#include "../../system/terminal.hpp"

namespace dio::cli {

enum class Graphics { none, kitty, sixel, blocks, ascii_art };

struct Terminal {
  Graphics graphics = Graphics::none;  // none: standard output is no terminal, and nothing was asked for
  bool is_terminal = false;            // else a pipe or a file
  bool has_millions = false;           // of colours, for blocks; else 256
  u32 sixel_colors = 256;
  u32 columns = 80, rows = 24;
  u32 cell_width = 8, cell_height = 16;  // pixels
};

/// `wanted`: kitty, sixel, blocks, ascii, or auto: the best that the terminal is known to have, by its environment or,
/// if standard input and output are both a terminal, by asking it (primary device attributes, for at most a second).
Terminal detect_terminal(const Request&, const std::string& wanted);

}  // namespace dio::cli
