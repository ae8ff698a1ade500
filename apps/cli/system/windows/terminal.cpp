#include "../terminal.hpp"

#include <io.h>

#include "../process.hpp"
#include "api.hpp"

namespace dio::cli::os {
namespace {

HANDLE handle_of(Stream stream) {
  constexpr DWORD k_handles[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
  return ::GetStdHandle(k_handles[size_t(stream)]);
}

}  // namespace

struct Keys::Settings {
  DWORD before;
};

bool is_terminal(Stream stream) {
  DWORD mode = 0;
  return ::GetConsoleMode(handle_of(stream), &mode) != 0;
}

bool shows_colors() {
  // Consoles since Windows 10, 1607; terminals from other systems state a name.
  DWORD mode = 0;
  const bool is_console =
      ::GetConsoleMode(handle_of(Stream::out), &mode) || ::GetConsoleMode(handle_of(Stream::err), &mode);
  if (is_console) return mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING;
  const std::string terminal = environment_variable("TERM");
  return !terminal.empty() && terminal != "dumb";
}

std::optional<TerminalSize> terminal_size() {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (!::GetConsoleScreenBufferInfo(handle_of(Stream::out), &info)) return {};
  return TerminalSize{u32(info.srWindow.Right - info.srWindow.Left + 1),
                      u32(info.srWindow.Bottom - info.srWindow.Top + 1), 0, 0};
}

Keys::Keys() {
  DWORD before = 0;
  if (!is_terminal(Stream::out) || !::GetConsoleMode(handle_of(Stream::in), &before)) return;
  const DWORD raw =
      (before & ~DWORD(ENABLE_LINE_INPUT | ENABLE_ECHO_INPUT | ENABLE_PROCESSED_INPUT)) | ENABLE_VIRTUAL_TERMINAL_INPUT;
  if (::SetConsoleMode(handle_of(Stream::in), raw)) settings_ = std::make_unique<Settings>(before);
}
Keys::~Keys() {
  if (settings_) ::SetConsoleMode(handle_of(Stream::in), settings_->before);
}

std::optional<char> Keys::read_key(std::chrono::milliseconds within) const {
  using namespace std::chrono;
  const auto end = steady_clock::now() + within;
  for (auto left = within; left.count() >= 0; left = duration_cast<milliseconds>(end - steady_clock::now())) {
    if (::WaitForSingleObject(handle_of(Stream::in), DWORD(left.count())) != WAIT_OBJECT_0) return {};
    INPUT_RECORD record{};
    DWORD count = 0;
    if (!::ReadConsoleInputW(handle_of(Stream::in), &record, 1, &count) || !count) return {};
    const auto& key = record.Event.KeyEvent;
    const bool is_letter = record.EventType == KEY_EVENT && key.bKeyDown && key.uChar.UnicodeChar;
    if (is_letter) return key.uChar.UnicodeChar < 0x80 ? char(key.uChar.UnicodeChar) : '?';
  }
  return {};
}

bool write_to_terminal(std::string_view text) {
  while (!text.empty()) {
    const int n = ::_write(1, text.data(), unsigned(text.size()));
    if (n <= 0) return false;
    text.remove_prefix(size_t(n));
  }
  return true;
}

}  // namespace dio::cli::os
