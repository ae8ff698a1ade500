#include "progress.hpp"

#include <cstdio>

#include "../system/terminal.hpp"

namespace dio::cli {

Progress::Progress(const Request& request, bool wanted)
    : on_(wanted && !request.quiet && os::is_terminal(os::Stream::err)) {}

void Progress::show(const std::string& text) {
  using namespace std::chrono;
  if (!on_) return;
  const auto now = steady_clock::now();
  if (now - start_ < milliseconds(500) || now - last_ < milliseconds(100)) return;
  last_ = now;
  std::fprintf(stderr, "\r\x1b[K%s", text.substr(0, 79).c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace dio::cli
