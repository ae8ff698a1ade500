// fatal_error.hpp: the last message of a program that cannot go on: memory is exhausted, or the program itself is
// wrong.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "../command_line/request.hpp"

namespace dio::cli {

/// From now on, the program ends with a message where there is no memory left (Exit::system), and where the standard
/// library would throw, which is a bug in dio (Exit::fault). Temporaries are removed. Nothing else is possible there:
/// the code that was at work has no tables by which it could be left (docs/adr/0004).
void report_fatal_and_exit();

/// The file that this thread is at work on while this lives: last words begin with its name, which must outlive it.
class CurrentFileScope {
 public:
  explicit CurrentFileScope(const std::string& name);
  CurrentFileScope(const CurrentFileScope&) = delete;
  CurrentFileScope& operator=(const CurrentFileScope&) = delete;
  ~CurrentFileScope();
};

/// Says that, removes temporaries, and ends the program; only for the first thread that has something to say. A handler
/// of signals may call it.
[[noreturn]] void print_and_exit(std::initializer_list<std::string_view> words, ExitCode);

}  // namespace dio::cli
