// terminal.hpp: what the terminal on standard output can draw, and how large it is.
#pragma once
#include <termios.h>

#include <chrono>
#include <optional>

#include "../../command_line/request.hpp"

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

/// What is typed, letter by letter and unseen, as long as this lives: keys, and answers to questions. Ctrl+C is a
/// letter like others meanwhile: nothing ends the program before the settings of the terminal are restored.
class Keys {
 public:
  Keys();
  ~Keys();
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;
  /// Standard input and output are a terminal, in which this program is not in the background.
  bool can_be_read() const { return can_be_read_; }
  /// Nothing if none comes in this time.
  std::optional<char> read_key(std::chrono::milliseconds within) const;

 private:
  bool can_be_read_ = false;
  termios before_{};
};

/// Writes all of it to standard output. False if that cannot be.
bool write_to_terminal(std::string_view);

}  // namespace dio::cli
