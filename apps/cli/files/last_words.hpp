// last_words.hpp: what is said where the program cannot go on: memory is exhausted, or something is wrong with it.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "../command_line/request.hpp"

namespace dio::cli {

/// From now on, the program ends with a message where there is no memory left (Exit::system), and where the standard
/// library would throw, which is a bug in dio (Exit::fault). Temporaries are removed. Nothing else is possible there:
/// the code that was at work has no tables by which it could be left (docs/adr/0004).
void speak_last_words();

/// The file that this thread is at work on while this lives: last words begin with its name, which must outlive it.
class AtWork {
 public:
  explicit AtWork(const std::string& name);
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;
  ~AtWork();
};

/// Says that, removes temporaries, and ends the program; only for the first thread that has something to say. A handler
/// of signals may call it.
[[noreturn]] void say_and_end(std::initializer_list<std::string_view> words, Exit);

}  // namespace dio::cli
