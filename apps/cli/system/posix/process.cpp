#include "../process.hpp"

#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <sys/random.h>
#endif

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

extern char** environ;

namespace dio::cli::os {
namespace {

constexpr std::array k_signals = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};

sigset_t terminating_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int s : k_signals) ::sigaddset(&set, s);
  return set;
}

void (*before_termination)() = nullptr;

void run_and_raise(int signal) {
  before_termination();
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // as soon as this returns: whoever waits for the program learns how it ended
}

const char* time_message = "";
int time_exit_code = 0;

}  // namespace

std::vector<std::string> start_process(int argc, char** argv) {
  // What is opened must not get the number of a stream that was closed, or what is printed would go into it. Streams
  // that were closed stay unusable.
  for (const int stream : {0, 1, 2})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) (void)::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
  return argc > 1 ? std::vector<std::string>(argv + 1, argv + argc) : std::vector<std::string>();
}

std::string program_path() {
#ifdef __APPLE__
  std::array<char, 4096> path{};
  u32 size = path.size();
  return ::_NSGetExecutablePath(path.data(), &size) == 0 ? path.data() : "";
#else
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
#endif
}

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

u64 process_id() { return u64(::getpid()); }

bool fill_with_random_bytes(std::span<u8> to) { return ::getentropy(to.data(), to.size()) == 0; }

std::string quote_for_shell(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::optional<std::string> run_shell_command(const std::string& command) {
  FILE* pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
  if (!pipe) return {};
  std::string out;
  std::array<char, 512> part;
  for (size_t n; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;) out.append(part.data(), n);
  if (::pclose(pipe) != 0) return {};
  return out;
}

// ---- the desktop ----------------------------------------------------------------------------------------------------

bool has_display() {
#ifdef __APPLE__
  return true;
#else
  return !environment_variable("DISPLAY").empty() || !environment_variable("WAYLAND_DISPLAY").empty();
#endif
}

std::string open_on_desktop(const std::string& what) {
#ifdef __APPLE__
  std::string name = "open";
#else
  std::string name = "xdg-open";
#endif
  // Browsers write to the terminal, and Ctrl-C is meant for this program.
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string argument = what;
  char* const arguments[] = {name.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, name.c_str(), &actions, &attributes, arguments, environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return "xdg-open is not installed (Debian package: xdg-utils)";
  if (error) return std::strerror(error);
  // It ends when the browser has taken over, or, where it is the browser itself, when that ends.
  for (int i = 0; i < 100; ++i) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) return name + " failed";
    if (ended != 0) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return {};
}

// ---- the end of the process -----------------------------------------------------------------------------------------

void run_before_termination(void (*function)()) {
  before_termination = function;
  struct sigaction action{};
  action.sa_handler = run_and_raise;
  action.sa_mask = terminating_signals();
  for (const int s : k_signals) {
    struct sigaction before{};
    if (::sigaction(s, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) ::sigaction(s, &action, nullptr);
  }
}

TerminationBlock::TerminationBlock() {
  const sigset_t set = terminating_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, &before_);
}
TerminationBlock::~TerminationBlock() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void write_standard_error(std::string_view text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); }
void exit_immediately(int code) { ::_exit(code); }
void wait_for_exit() {
  for (;;) ::pause();
}
void yield_thread() { ::sched_yield(); }

// ---- limits ---------------------------------------------------------------------------------------------------------

void limit_time(u32 seconds, const char* message, int exit_code) {
  time_message = message, time_exit_code = exit_code;
  std::signal(SIGALRM, [](int) {
    write_standard_error(time_message);
    ::_exit(time_exit_code);
  });
  itimerval timer{{0, 0}, {time_t(seconds), 0}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}
void lift_time_limit() {
  itimerval none{};
  ::setitimer(ITIMER_REAL, &none, nullptr);
}
void limit_memory(u64 bytes) {
  rlimit memory{};
  if (::getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur <= rlim_t(bytes)) return;
  memory.rlim_cur = rlim_t(bytes);
  ::setrlimit(RLIMIT_AS, &memory);
}

}  // namespace dio::cli::os
