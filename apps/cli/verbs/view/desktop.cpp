#include "desktop.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "../../files/files.hpp"

namespace dio::cli {

bool has_display() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"})
    if (const char* value = std::getenv(name); value && *value) return true;
  return false;
}

Result<bool> open_on_desktop(const std::string& what) {
  const auto failed = [&](const std::string& why) {
    return refuse(io_error("io.read", what, "the page cannot be opened: " + why, "open the page in a browser"));
  };
  // Browsers write to the terminal, and Ctrl-C is meant for this program.
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string name = "xdg-open", argument = what;
  char* const arguments[] = {name.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, name.c_str(), &actions, &attributes, arguments, environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return failed("xdg-open is not installed (Debian package: xdg-utils)");
  if (error) return failed(std::strerror(error));
  // It ends when the browser has taken over, or, where it is the browser itself, when that ends.
  for (int i = 0; i < 100; ++i) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) return failed("xdg-open failed");
    if (ended != 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace dio::cli
