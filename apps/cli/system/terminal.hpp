// terminal.hpp: the terminal of the standard streams.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "core/bytes.hpp"

namespace dio::cli::os {

enum class Stream : u8 { in, out, err };
bool is_terminal(Stream);
/// Whether the terminal shows colours, as far as the environment says so.
bool shows_colors();

struct TerminalSize {
  u32 columns, rows;
  u32 width, height;  // pixels; 0: unknown
};
/// Of the terminal on standard output.
std::optional<TerminalSize> terminal_size();

/// What is typed, letter by letter and unseen, as long as this lives: keys, and answers to questions. Ctrl+C is a
/// letter like others meanwhile: nothing ends the program before the settings of the terminal are restored.
class Keys {
 public:
  Keys();
  ~Keys();
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;
  /// Standard input and output are a terminal, in which this program is not in the background.
  bool can_be_read() const { return settings_ != nullptr; }
  /// Nothing if none comes in this time.
  std::optional<char> read_key(std::chrono::milliseconds within) const;

 private:
  struct Settings;
  std::unique_ptr<Settings> settings_;  // those to restore
};

/// Writes all of it to standard output. False if that cannot be.
bool write_to_terminal(std::string_view);

}  // namespace dio::cli::os
