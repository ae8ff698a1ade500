#include "terminal.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace dio::cli {
namespace {

std::string_view environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// What a terminal answers to a question, up to the letter that ends it; as much as comes within a second, which is
/// long only where nothing is answered at all. Answers are not shown, nor taken for what the user types next.
std::string query_terminal(std::string_view question, char last) {
  const Keys keys;
  std::string answer;
  if (!keys.can_be_read() || !write_to_terminal(question)) return answer;
  using namespace std::chrono;
  const auto end = steady_clock::now() + milliseconds(1000);
  while (answer.size() < 256) {
    const auto letter = keys.read_key(duration_cast<milliseconds>(end - steady_clock::now()));
    if (!letter) break;
    answer += *letter;
    if (*letter == last) break;
  }
  return answer;
}

/// The numbers of `ESC [ ? 1 ; 2 ; 3 c`, whichever letter ends it.
std::vector<unsigned> parse_csi_numbers(std::string_view text, char last) {
  const size_t end = text.rfind(last);
  const size_t start = end == text.npos ? end : text.rfind("\x1b[?", end);
  std::vector<unsigned> out;
  if (start == text.npos) return out;
  for (size_t i = start + 3; i <= end;) {
    unsigned n = 0;
    for (; i < end && text[i] >= '0' && text[i] <= '9'; ++i) n = std::min(n, 100000u) * 10 + unsigned(text[i] - '0');
    out.push_back(n);
    if (i >= end || text[i] != ';') break;
    ++i;
  }
  return out;
}

/// By its answers: sixels are attribute 4; how many colours they have is asked with XTSMGRAPHICS, which xterm and
/// others know and the rest ignores.
bool query_sixel_support(Terminal& t) {
  const std::string answer = query_terminal("\x1b[?1;1;0S\x1b[c", 'c');
  const auto colors = parse_csi_numbers(answer, 'S');
  if (colors.size() >= 3 && colors[0] == 1 && colors[1] == 0 && colors[2] >= 2)
    t.sixel_colors = std::min(colors[2], 256u);
  const auto attributes = parse_csi_numbers(answer, 'c');
  return std::find(attributes.begin() + !attributes.empty(), attributes.end(), 4u) != attributes.end();
}

Graphics detect_graphics(Terminal& t) {
  const std::string_view term = environment_variable("TERM"), program = environment_variable("TERM_PROGRAM");
  if (term.empty() || term == "dumb") return Graphics::ascii_art;
  // Inside tmux and screen the variables of the terminal around them are still set, but it is they who draw.
  const bool is_inside =
      term.starts_with("tmux") || term.starts_with("screen") || !environment_variable("TMUX").empty();
  if (!is_inside) {
    if (term == "xterm-kitty" || term == "xterm-ghostty" || !environment_variable("KITTY_WINDOW_ID").empty() ||
        program == "WezTerm" || program == "ghostty")
      return Graphics::kitty;
    for (const std::string_view known : {"foot", "mlterm", "contour", "yaft"})
      if (term.starts_with(known)) return Graphics::sixel;
  }
  return query_sixel_support(t) ? Graphics::sixel : Graphics::blocks;
}

}  // namespace

Keys::Keys() {
  if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) return;
  if (tcgetpgrp(STDIN_FILENO) != getpgrp()) return;  // in the background, reading would stop the program
  if (tcgetattr(STDIN_FILENO, &before_) != 0) return;
  termios raw = before_;
  raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG);
  raw.c_cc[VMIN] = 0, raw.c_cc[VTIME] = 0;
  can_be_read_ = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

Keys::~Keys() {
  if (can_be_read_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
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

Terminal detect_terminal(const Request& request, const std::string& wanted) {
  Terminal t;
  const std::string_view term = environment_variable("TERM"), colors = environment_variable("COLORTERM");
  t.has_millions = colors == "truecolor" || colors == "24bit" || term.ends_with("-direct") || term == "xterm-kitty";
  const bool is_terminal = t.is_terminal = isatty(STDOUT_FILENO) == 1;
  winsize size{};
  if (is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row) {
    t.columns = std::min<u32>(size.ws_col, 1000), t.rows = std::min<u32>(size.ws_row, 1000);
    if (size.ws_xpixel >= size.ws_col && size.ws_ypixel >= size.ws_row)
      t.cell_width = size.ws_xpixel / size.ws_col, t.cell_height = size.ws_ypixel / size.ws_row;
  }
  if (wanted == "kitty") t.graphics = Graphics::kitty;
  if (wanted == "sixel") t.graphics = Graphics::sixel;
  if (wanted == "blocks") t.graphics = Graphics::blocks;
  if (wanted == "ascii") t.graphics = Graphics::ascii_art;
  if (wanted == "auto" && is_terminal) {
    const bool is_plain =
        request.color == "never" || (request.color == "auto" && !environment_variable("NO_COLOR").empty());
    t.graphics = is_plain ? Graphics::ascii_art : detect_graphics(t);
  } else if (wanted == "sixel" && is_terminal) {
    query_sixel_support(t);  // how many colours
  }
  if (t.graphics == Graphics::blocks && request.color == "never") t.graphics = Graphics::ascii_art;
  return t;
}

}  // namespace dio::cli
