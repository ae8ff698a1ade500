// process.hpp: this process, and the desktop of its user. Texts are in UTF-8.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#ifndef _WIN32
#include <csignal>
#endif

namespace dio::cli::os {

/// Before anything else: prepares the standard streams, so that bytes pass through them unchanged and no file gets the
/// number of a closed one. Returns the arguments after the name of the program.
std::vector<std::string> start_process(int argc, char** argv);
/// Of the running program; empty if unknown.
std::string program_path();
/// Empty if it is not set.
std::string environment_variable(const char* name);
u64 process_id();
/// False and `errno` if the system has none.
bool fill_with_random_bytes(std::span<u8>);
/// A word of a command for the shell.
std::string quote_for_shell(const std::string& word);
/// The standard output of a shell command; nothing if it fails. Its error messages are not shown.
std::optional<std::string> run_shell_command(const std::string& command);

/// Whether there is a screen on which something can be opened.
bool has_display();
/// Opens a file or an address, and waits a moment for that to fail. Returns the reason, or an empty text.
std::string open_on_desktop(const std::string& what);

// ---- the end of the process -----------------------------------------------------------------------------------------

/// Runs a function where a signal, or the closing of the console, ends the program. Ignored signals stay ignored.
void run_before_termination(void (*function)());
/// While one lives, this thread gets none of these signals.
class TerminationBlock {
 public:
  TerminationBlock();
  ~TerminationBlock();
  TerminationBlock(const TerminationBlock&) = delete;
  TerminationBlock& operator=(const TerminationBlock&) = delete;

 private:
#ifndef _WIN32
  sigset_t before_{};
#endif
};
/// May be called where signals are handled.
void write_standard_error(std::string_view);
[[noreturn]] void exit_immediately(int code);
/// For a thread whose program another thread is ending.
[[noreturn]] void wait_for_exit();
void yield_thread();

// ---- limits ---------------------------------------------------------------------------------------------------------

/// After so many seconds, the program prints a message and exits. `message` must be a literal.
void limit_time(u32 seconds, const char* message, int exit_code);
void lift_time_limit();
/// Beyond this, memory runs out.
void limit_memory(u64 bytes);

}  // namespace dio::cli::os
