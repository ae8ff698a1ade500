// temporaries.hpp: files and folders that a run makes on the way to its results, and does not leave behind.
#pragma once
#include <string>
#include <vector>

namespace dio::cli {

/// A file or a folder under a name of its own (`.dio-` and six letters), which is removed in the end, also where a
/// signal ends the program: SIGINT, SIGTERM, SIGHUP and the like, once `remove_temporaries_on_signals` was called. What
/// has taken another name by then stays.
class Temporary {
 public:
  Temporary() = default;
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();

  /// A new, empty file in a folder. Its descriptor, which is the caller's; -1 and `errno` where there is none.
  int make_file(const std::string& folder);
  /// A new folder in another one. `files`: paths in it that will be written. False and `errno` where there is none.
  bool make_folder(const std::string& folder, const std::vector<std::string>& files);

  const std::string& name() const { return name_; }

 private:
  void enlist(std::vector<std::string> paths);

  std::string name_;  // empty: nothing was made
  bool is_folder_ = false;
  std::vector<std::string> paths_;  // what a signal removes, in this order
  size_t place_ = 0;                // in the table of all
};

/// Removes what temporaries there are when a signal ends the program, which then ends by that signal. Signals that are
/// ignored (nohup) stay so.
void remove_temporaries_on_signals();

}  // namespace dio::cli
