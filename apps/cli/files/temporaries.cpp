#include "temporaries.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

namespace dio::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::array k_signals = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};

// A handler may neither lock nor allocate: it finds the paths in a table that never moves. Where it is full, which
// takes more files at once than there are jobs, a signal leaves what has no place in it.
constexpr size_t k_places = 1024;
using Paths = std::vector<std::string>;
std::array<std::atomic<const Paths*>, k_places> table;
std::atomic<int> busy = 0;
thread_local int busy_here = 0;  // of them, on this thread
std::atomic<bool> ending = false;
static_assert(std::atomic<const Paths*>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

sigset_t terminating_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int s : k_signals) ::sigaddset(&set, s);
  return set;
}

void remove_temporaries_and_reraise(int signal) {
  remove_temporaries();
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // as soon as this returns: whoever waits for the program learns how it ended
}

std::string temporary_name_template(const std::string& folder) { return (fs::path(folder) / ".dio-XXXXXX").string(); }

mode_t default_file_mode() {
  static const mode_t mode = [] {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return mode_t(0666 & ~mask);
  }();
  return mode;
}

/// A new file that has no name yet; -1 where there can be none.
int open_unnamed_file(const std::string& folder) {
#ifdef O_TMPFILE
  static const bool k_nameable = ::access("/proc/self/fd", X_OK) == 0;
  if (k_nameable) return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#endif
  return -1;
}

/// Gives a nameless file a name that is free.
bool link_unnamed_file(int descriptor, const std::string& to) {
#ifdef O_TMPFILE
  if (::linkat(descriptor, "", AT_FDCWD, to.c_str(), AT_EMPTY_PATH) == 0) return true;
  if (errno != ENOENT) return false;  // not permitted to everyone: the long way
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  return ::linkat(AT_FDCWD, path.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0;
#else
  return false;
#endif
}

/// Gives a file another name, unless there is a file of that name by now (EEXIST).
bool rename_without_replacing(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  if (::link(from.c_str(), to.c_str()) == 0) return ::unlink(from.c_str()) == 0;
  // A file system that can do neither: two programs may meet between the look at what is there and here.
  return errno != EEXIST && ::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

SignalBlocker::SignalBlocker() {
  const sigset_t set = terminating_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, &before_);
  ++busy, ++busy_here;
  if (!ending) return;
  --busy, --busy_here;
  for (;;) ::pause();
}
SignalBlocker::~SignalBlocker() {
  --busy, --busy_here;
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Temporary::register_paths(std::vector<std::string> paths) {
  paths_ = std::move(paths);
  for (place_ = 0; place_ < k_places; ++place_) {
    const Paths* none = nullptr;
    if (table[place_].compare_exchange_strong(none, &paths_)) return;
  }
}

int Temporary::make_file(const std::string& folder, bool nameless) {
  if (nameless)
    if (const int descriptor = open_unnamed_file(folder); descriptor >= 0) return descriptor;
  std::string name = temporary_name_template(folder);
  const SignalBlocker now;
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) return descriptor;
  name_ = name;
  register_paths({std::move(name)});
  ::fchmod(descriptor, default_file_mode());
  return descriptor;
}

bool Temporary::name_file(int descriptor, const std::string& name, bool replace) {
  if (name_.empty()) return link_unnamed_file(descriptor, name);
  if (!(replace ? ::rename(name_.c_str(), name.c_str()) == 0 : rename_without_replacing(name_, name))) return false;
  unregister_paths();
  return true;
}

void Temporary::unregister_paths() {
  const SignalBlocker now;
  if (place_ < k_places) table[place_] = nullptr;
  name_.clear();
}

bool Temporary::make_folder(const std::string& folder, const std::vector<std::string>& files) {
  std::string name = temporary_name_template(folder);
  const SignalBlocker now;
  if (!::mkdtemp(name.data())) return false;
  name_ = name;
  is_folder_ = true;
  Paths paths;
  std::set<std::string> folders = {name};
  for (const std::string& f : files) {
    const fs::path path = fs::path(name) / f;
    paths.push_back(path.string());
    for (fs::path in = path.parent_path(); folders.insert(in.string()).second;) in = in.parent_path();
  }
  paths.insert(paths.end(), folders.rbegin(), folders.rend());  // each before the one around it
  register_paths(std::move(paths));
  return true;
}

Temporary::~Temporary() {
  if (name_.empty()) return;
  std::error_code error;
  if (is_folder_)
    fs::remove_all(name_, error);
  else
    ::unlink(name_.c_str());
  unregister_paths();
}

void remove_temporaries() {
  if (ending.exchange(true))
    for (;;) ::pause();                      // another thread is at it
  while (busy > busy_here) ::sched_yield();  // what this thread began does not go on
  for (size_t i = k_places; i-- > 0;)        // files before the folders that were made for them
    if (const Paths* paths = table[i])
      for (const std::string& p : *paths)
        if (::unlink(p.c_str()) != 0) ::rmdir(p.c_str());
}

void remove_temporaries_on_signals() {
  struct sigaction action{};
  action.sa_handler = remove_temporaries_and_reraise;
  action.sa_mask = terminating_signals();
  for (const int s : k_signals) {
    struct sigaction before{};
    if (::sigaction(s, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) ::sigaction(s, &action, nullptr);
  }
}

}  // namespace dio::cli
