// temporaries.hpp: files and folders that a run makes on the way to its results, and does not leave behind.
#pragma once
#include <string>
#include <vector>

#include "../system/process.hpp"

namespace dio::cli {

/// A file or a folder under a name of its own (`.dio-` and six letters), which is removed in the end, also where a
/// signal ends the program: SIGINT, SIGTERM, SIGHUP and the like, once `remove_temporaries_on_signals` was called. What
/// has taken another name by then stays.
///
/// A file that only has to be new can do without a name until it is whole (O_TMPFILE), where the system can: then there
/// is nothing to remove, and it costs one change of the folder instead of two.
class Temporary {
 public:
  Temporary() = default;
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();

  /// A new, empty file in a folder, with the usual mode. Its descriptor, which is the caller's; -1 and `errno` where
  /// there is none. `nameless`: it will not replace another one, and needs no name where it can do without.
  int make_file(const std::string& folder, bool nameless = false);
  /// Gives the file that was made its name: in place of what has it, or, without `replace`, unless something has (false
  /// and EEXIST).
  bool name_file(int descriptor, const std::string& name, bool replace);
  /// A new folder in another one. `files`: paths in it that will be written. False and `errno` where there is none.
  bool make_folder(const std::string& folder, const std::vector<std::string>& files);

  const std::string& name() const { return name_; }

 private:
  void register_paths(std::vector<std::string> paths);
  void unregister_paths();

  std::string name_;  // empty: nothing was made
  bool is_folder_ = false;
  std::vector<std::string> paths_;  // what a signal removes, in this order
  size_t place_ = 0;                // in the table of all
};

/// While one lives, signals that end the program wait: this thread gets none, and a handler on another thread does
/// nothing yet. If one is at work already the program is about to end, and this thread makes nothing more.
class SignalBlocker {
 public:
  SignalBlocker();
  SignalBlocker(const SignalBlocker&) = delete;
  SignalBlocker& operator=(const SignalBlocker&) = delete;
  ~SignalBlocker();

 private:
  os::TerminationBlock block_;
};

/// Removes what temporaries there are when a signal ends the program, which then ends by that signal. Signals that are
/// ignored (nohup) stay so.
void remove_temporaries_on_signals();
/// The same at once, in a handler of another signal that ends the program.
void remove_temporaries();

}  // namespace dio::cli
