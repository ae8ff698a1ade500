#include "terminal.hpp"

#include <algorithm>
#include <string_view>

#include "../../system/process.hpp"

namespace dio::cli {
namespace {

/// What a terminal answers to a question, up to the letter that ends it; as much as comes within a second, which is
/// long only where nothing is answered at all. Answers are not shown, nor taken for what the user types next.
std::string query_terminal(std::string_view question, char last) {
  const os::Keys keys;
  std::string answer;
  if (!keys.can_be_read() || !os::write_to_terminal(question)) return answer;
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
  const std::string term = os::environment_variable("TERM"), program = os::environment_variable("TERM_PROGRAM");
  if (!os::shows_colors()) return Graphics::ascii_art;
  // Inside tmux and screen the variables of the terminal around them are still set, but it is they who draw.
  const bool is_inside =
      term.starts_with("tmux") || term.starts_with("screen") || !os::environment_variable("TMUX").empty();
  if (!is_inside) {
    if (term == "xterm-kitty" || term == "xterm-ghostty" || !os::environment_variable("KITTY_WINDOW_ID").empty() ||
        program == "WezTerm" || program == "ghostty")
      return Graphics::kitty;
    for (const std::string_view known : {"foot", "mlterm", "contour", "yaft"})
      if (term.starts_with(known)) return Graphics::sixel;
  }
  return query_sixel_support(t) ? Graphics::sixel : Graphics::blocks;
}

}  // namespace

Terminal detect_terminal(const Request& request, const std::string& wanted) {
  Terminal t;
  const std::string term = os::environment_variable("TERM"), colors = os::environment_variable("COLORTERM");
  t.has_millions = colors == "truecolor" || colors == "24bit" || term.ends_with("-direct") || term == "xterm-kitty";
  const bool is_terminal = t.is_terminal = os::is_terminal(os::Stream::out);
  const auto size = is_terminal ? os::terminal_size() : std::nullopt;
  if (size && size->columns && size->rows) {
    t.columns = std::min<u32>(size->columns, 1000), t.rows = std::min<u32>(size->rows, 1000);
    if (size->width >= size->columns && size->height >= size->rows)
      t.cell_width = size->width / size->columns, t.cell_height = size->height / size->rows;
  }
  if (wanted == "kitty") t.graphics = Graphics::kitty;
  if (wanted == "sixel") t.graphics = Graphics::sixel;
  if (wanted == "blocks") t.graphics = Graphics::blocks;
  if (wanted == "ascii") t.graphics = Graphics::ascii_art;
  if (wanted == "auto" && is_terminal) {
    const bool is_plain =
        request.color == "never" || (request.color == "auto" && !os::environment_variable("NO_COLOR").empty());
    t.graphics = is_plain ? Graphics::ascii_art : detect_graphics(t);
  } else if (wanted == "sixel" && is_terminal) {
    query_sixel_support(t);  // how many colours
  }
  if (t.graphics == Graphics::blocks && request.color == "never") t.graphics = Graphics::ascii_art;
  return t;
}

}  // namespace dio::cli
