#include "temporaries.hpp"

#include <array>
#include <atomic>
#include <set>

#include "../system/files.hpp"
#include "../system/filesystem.hpp"

namespace dio::cli {

namespace {

// A handler may neither lock nor allocate: it finds the paths in a table that never moves. Where it is full, which
// takes more files at once than there are jobs, a signal leaves what has no place in it.
constexpr size_t k_places = 1024;
using Paths = std::vector<std::string>;
std::array<std::atomic<const Paths*>, k_places> table;
std::atomic<int> busy = 0;
thread_local int busy_here = 0;  // of them, on this thread
std::atomic<bool> ending = false;
static_assert(std::atomic<const Paths*>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

std::string temporary_name_template(const std::string& folder) { return (fs::path(folder) / ".dio-XXXXXX").string(); }

}  // namespace

SignalBlocker::SignalBlocker() {
  ++busy, ++busy_here;
  if (!ending) return;
  --busy, --busy_here;
  os::wait_for_exit();
}
SignalBlocker::~SignalBlocker() { --busy, --busy_here; }

void Temporary::register_paths(std::vector<std::string> paths) {
  paths_ = std::move(paths);
  for (place_ = 0; place_ < k_places; ++place_) {
    const Paths* none = nullptr;
    if (table[place_].compare_exchange_strong(none, &paths_)) return;
  }
}

int Temporary::make_file(const std::string& folder, bool nameless) {
  if (nameless)
    if (const int descriptor = os::open_nameless_file(folder); descriptor >= 0) return descriptor;
  std::string name = temporary_name_template(folder);
  const SignalBlocker now;
  const int descriptor = os::create_temporary_file(name);
  if (descriptor < 0) return descriptor;
  name_ = name;
  register_paths({std::move(name)});
  return descriptor;
}

bool Temporary::name_file(int descriptor, const std::string& name, bool replace) {
  if (name_.empty()) return os::name_nameless_file(descriptor, name);
  if (!(replace ? os::rename_over(name_, name) : os::rename_without_replacing(name_, name))) return false;
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
  if (!os::create_temporary_folder(name)) return false;
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
    os::remove_file(name_);
  unregister_paths();
}

void remove_temporaries() {
  if (ending.exchange(true)) os::wait_for_exit();  // another thread is at it
  while (busy > busy_here) os::yield_thread();     // what this thread began does not go on
  for (size_t i = k_places; i-- > 0;)              // files before the folders that were made for them
    if (const Paths* paths = table[i])
      for (const std::string& p : *paths) os::remove_file_or_folder(p);
}

void remove_temporaries_on_signals() { os::run_before_termination(remove_temporaries); }

}  // namespace dio::cli
