#include "fatal_error.hpp"

#include <atomic>
#include <exception>
#include <new>

#include "../system/process.hpp"
#include "temporaries.hpp"

namespace dio::cli {

namespace {

thread_local const std::string* at_work = nullptr;

std::string_view error_prefix() { return at_work ? std::string_view(*at_work) : "dio"; }

[[noreturn]] void exit_out_of_memory() {
  print_and_exit({"error: ", error_prefix(), ": out of memory\n"}, ExitCode::system);
}

[[noreturn]] void exit_with_internal_error() {
  constexpr std::string_view where = ": internal error: ", whose = "\n    this is a bug in dio, not in the file\n";
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    print_and_exit({"error: ", error_prefix(), where, e.what(), whose}, ExitCode::fault);
  } catch (...) {
  }
  print_and_exit({"error: ", error_prefix(), where, "unknown", whose}, ExitCode::fault);
}

}  // namespace

void report_fatal_and_exit() {
  std::set_new_handler(exit_out_of_memory);
  std::set_terminate(exit_with_internal_error);
}

CurrentFileScope::CurrentFileScope(const std::string& name) { at_work = &name; }
CurrentFileScope::~CurrentFileScope() { at_work = nullptr; }

void print_and_exit(std::initializer_list<std::string_view> words, ExitCode exit) {
  static std::atomic<bool> is_said = false;
  if (is_said.exchange(true)) os::wait_for_exit();  // another thread is at it
  for (const std::string_view text : words) os::write_standard_error(text);
  remove_temporaries();
  os::exit_immediately(int(exit));
}

}  // namespace dio::cli
