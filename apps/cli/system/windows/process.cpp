#include "../process.hpp"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "api.hpp"
#include "errors.hpp"
#include "text.hpp"

namespace dio::cli::os {
namespace {

void (*before_termination)() = nullptr;

BOOL WINAPI end_process(DWORD) {
  before_termination();
  constexpr UINT k_ended_by_ctrl_c = 0xC000013A;  // as the default handler does
  ::ExitProcess(k_ended_by_ctrl_c);
  return TRUE;
}

/// UTF-8, and colours by escape sequences.
void prepare_console() {
  ::SetConsoleOutputCP(CP_UTF8);
  for (const DWORD stream : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {
    DWORD mode = 0;
    const HANDLE handle = ::GetStdHandle(stream);
    if (::GetConsoleMode(handle, &mode)) ::SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

/// Whether a part of the word up to one of its backslashes is a file or a folder.
bool names_file(const std::wstring& word) {
  for (size_t at = word.find(L'\\'); at != word.npos; at = word.find(L'\\', at + 1)) {
    const std::wstring start = word.substr(0, std::max<size_t>(at, 1)) + (at == 2 && word[1] == L':' ? L"\\" : L"");
    if (::GetFileAttributesW(start.c_str()) != INVALID_FILE_ATTRIBUTES) return true;
  }
  return ::GetFileAttributesW(word.c_str()) != INVALID_FILE_ATTRIBUTES;
}

/// Names of files are written with slashes.
std::string argument_from(std::wstring word) {
  const size_t equals = word.starts_with(L"-") ? word.find(L'=') : word.npos;  // --option=NAME
  const size_t start = equals == word.npos ? 0 : equals + 1;
  if (names_file(word.substr(start))) std::replace(word.begin() + std::ptrdiff_t(start), word.end(), L'\\', L'/');
  return to_utf8(word);
}

std::atomic<bool> has_time_limit = false;

}  // namespace

std::vector<std::string> start_process(int, char**) {
  // Closed streams become unusable, instead of the next file that is opened.
  for (const int stream : {0, 1, 2})
    if (::_get_osfhandle(stream) == -1 || ::_get_osfhandle(stream) == -2)
      if (const int null = ::_open("NUL", stream == 0 ? _O_WRONLY : _O_RDONLY); null >= 0 && null != stream) {
        ::_dup2(null, stream);
        ::_close(null);
      }
  for (FILE* stream : {stdin, stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
  std::setvbuf(stderr, nullptr, _IONBF, 0);  // messages come in the order in which they are printed
  prepare_console();
  std::vector<std::string> out;
  int count = 0;
  if (wchar_t** words = ::CommandLineToArgvW(::GetCommandLineW(), &count)) {
    for (int i = 1; i < count; ++i) out.push_back(argument_from(words[i]));
    ::LocalFree(words);
  }
  return out;
}

std::string program_path() {
  std::wstring path(32768, L'\0');
  path.resize(::GetModuleFileNameW(nullptr, path.data(), DWORD(path.size())));
  return to_utf8(path);
}

std::string environment_variable(const char* name) {
  const wchar_t* value = ::_wgetenv(to_utf16(name).c_str());
  return value ? to_utf8(value) : "";
}

u64 process_id() { return ::GetCurrentProcessId(); }

bool fill_with_random_bytes(std::span<u8> to) { return ::RtlGenRandom(to.data(), ULONG(to.size())) || set_errno(); }

std::string quote_for_shell(const std::string& word) {
  std::string out = "\"";
  for (const char c : word) out += c == '"' ? std::string("\\\"") : std::string(1, c);
  return out + "\"";
}

std::optional<std::string> run_shell_command(const std::string& command) {
  FILE* pipe = ::_wpopen(to_utf16(command + " 2>NUL").c_str(), L"rb");
  if (!pipe) return {};
  std::string out;
  std::array<char, 512> part;
  for (size_t n; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;) out.append(part.data(), n);
  if (::_pclose(pipe) != 0) return {};
  return out;
}

// ---- the desktop ----------------------------------------------------------------------------------------------------

bool has_display() { return true; }

std::string open_on_desktop(const std::string& what) {
  constexpr INT_PTR k_least_success = 33;
  const auto done = reinterpret_cast<INT_PTR>(
      ::ShellExecuteW(nullptr, L"open", to_utf16(what).c_str(), nullptr, nullptr, SW_SHOWNORMAL));
  return done >= k_least_success ? "" : "no program opens it (error " + std::to_string(done) + " of Windows)";
}

// ---- the end of the process -----------------------------------------------------------------------------------------

void run_before_termination(void (*function)()) {
  before_termination = function;
  ::SetConsoleCtrlHandler(end_process, TRUE);
}
TerminationBlock::TerminationBlock() = default;  // the handler runs on a thread of its own
TerminationBlock::~TerminationBlock() = default;

void write_standard_error(std::string_view text) { (void)!::_write(2, text.data(), unsigned(text.size())); }
void exit_immediately(int code) { ::_exit(code); }
void wait_for_exit() {
  for (;;) ::Sleep(INFINITE);
}
void yield_thread() { ::SwitchToThread(); }

// ---- limits ---------------------------------------------------------------------------------------------------------

void limit_time(u32 seconds, const char* message, int exit_code) {
  has_time_limit = true;
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
    if (!has_time_limit) return;
    write_standard_error(message);
    ::_exit(exit_code);
  }).detach();
}
void lift_time_limit() { has_time_limit = false; }
void limit_memory(u64 bytes) {
  const HANDLE job = ::CreateJobObjectW(nullptr, nullptr);
  if (!job) return;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
  limits.ProcessMemoryLimit = SIZE_T(bytes);
  if (::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits))
    ::AssignProcessToJobObject(job, ::GetCurrentProcess());
}

}  // namespace dio::cli::os
