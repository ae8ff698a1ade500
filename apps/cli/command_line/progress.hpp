// progress.hpp: a progress line for long work.
#pragma once
#include <chrono>
#include <string>

#include "request.hpp"

namespace dio::cli {

/// `12/300 course.kmp` on standard error, if that is a terminal and the work has taken a while. The line is overwritten
/// by the next one and erased at the end.
class Progress {
 public:
  Progress(const Request&, bool wanted);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(const std::string& text);
  /// Before anything else is printed.
  void clear();

 private:
  bool on_, shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_ = start_;
};

}  // namespace dio::cli
