#include "last_words.hpp"

#include <unistd.h>

#include <atomic>
#include <exception>
#include <new>

#include "temporaries.hpp"

namespace dio::cli {

namespace {

thread_local const std::string* at_work = nullptr;

std::string_view who() { return at_work ? std::string_view(*at_work) : "dio"; }

[[noreturn]] void end_without_memory() { say_and_end({"error: ", who(), ": out of memory\n"}, Exit::system); }

[[noreturn]] void end_for_a_bug() {
  constexpr std::string_view where = ": internal error: ", whose = "\n    this is a bug in dio, not in the file\n";
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    say_and_end({"error: ", who(), where, e.what(), whose}, Exit::fault);
  } catch (...) {
  }
  say_and_end({"error: ", who(), where, "unknown", whose}, Exit::fault);
}

}  // namespace

void speak_last_words() {
  std::set_new_handler(end_without_memory);
  std::set_terminate(end_for_a_bug);
}

AtWork::AtWork(const std::string& name) { at_work = &name; }
AtWork::~AtWork() { at_work = nullptr; }

void say_and_end(std::initializer_list<std::string_view> words, Exit exit) {
  static std::atomic<bool> is_said = false;
  if (is_said.exchange(true))
    for (;;) ::pause();  // another thread is at it
  for (const std::string_view text : words) (void)!::write(STDERR_FILENO, text.data(), text.size());
  remove_temporaries();
  ::_exit(int(exit));
}

}  // namespace dio::cli
