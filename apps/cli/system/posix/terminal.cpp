#include "../terminal.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "../process.hpp"

namespace dio::cli::os {

struct Keys::Settings {
  termios before;
};

bool is_terminal(Stream stream) { return ::isatty(int(stream)) == 1; }

bool shows_colors() {
  const std::string terminal = environment_variable("TERM");
  return !terminal.empty() && terminal != "dumb";
}

std::optional<TerminalSize> terminal_size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return {};
  return TerminalSize{size.ws_col, size.ws_row, size.ws_xpixel, size.ws_ypixel};
}

Keys::Keys() {
  termios before{};
  if (!is_terminal(Stream::in) || !is_terminal(Stream::out)) return;
  if (::tcgetpgrp(STDIN_FILENO) != ::getpgrp()) return;  // in the background, reading would stop the program
  if (::tcgetattr(STDIN_FILENO, &before) != 0) return;
  termios raw = before;
  raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG);
  raw.c_cc[VMIN] = 0, raw.c_cc[VTIME] = 0;
  if (::tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0) settings_ = std::make_unique<Settings>(before);
}
Keys::~Keys() {
  if (settings_) ::tcsetattr(STDIN_FILENO, TCSANOW, &settings_->before);
}

std::optional<char> Keys::read_key(std::chrono::milliseconds within) const {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (within.count() < 0 || ::poll(&input, 1, int(within.count())) <= 0) return {};
  char c = 0;
  if (::read(STDIN_FILENO, &c, 1) != 1) return {};
  return c;
}

bool write_to_terminal(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n <= 0) return false;
    text.remove_prefix(size_t(n));
  }
  return true;
}

}  // namespace dio::cli::os
