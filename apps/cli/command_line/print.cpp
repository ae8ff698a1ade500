#include "print.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "../system/process.hpp"
#include "../system/terminal.hpp"
#include "bridge/report/findings.hpp"
#include "core/command_text.hpp"
#include "core/json.hpp"
#include "core/text_format.hpp"
#include "formats/registry.hpp"
#include "text.hpp"

namespace dio::cli {

ExitCode exit_code_for(const Diagnostic& d) {
  const Rule* rule = find_rule(d.id);
  switch (rule ? rule->cause : Cause::input) {
    case Cause::input:
      return ExitCode::unreadable;
    case Cause::request:
      return ExitCode::usage;
    case Cause::absent:
      return ExitCode::no;
    case Cause::limit:
      return ExitCode::refused;
    case Cause::system:
      return ExitCode::system;
    case Cause::fault:
      return ExitCode::fault;
  }
  return ExitCode::fault;
}

/// Asked once: it takes a call of the system.
static bool has_terminal(os::Stream stream) {
  static const bool k_out = os::is_terminal(os::Stream::out), k_err = os::is_terminal(os::Stream::err);
  return stream == os::Stream::out ? k_out : k_err;
}

Colors detect_colors(const Request& request) {
  if (request.color == "always") return {true, true};
  if (request.color == "never" || !os::environment_variable("NO_COLOR").empty() || !os::shows_colors()) return {};
  return {has_terminal(os::Stream::out), has_terminal(os::Stream::err)};
}

std::string styled(bool color, AnsiStyle paint, std::string_view text) {
  if (!color || text.empty()) return std::string(text);
  constexpr std::string_view k_codes[] = {"1", "2", "31", "33", "32", "36"};
  return "\x1b[" + std::string(k_codes[size_t(paint)]) + "m" + std::string(text) + "\x1b[0m";
}

std::string format_error(const Diagnostic& d, ByteView file, bool color) {
  Diagnostic error = d;
  if (error.severity == Severity::stop) error.severity = Severity::error;
  return report::finding_text(error, file, color);
}

Diagnostic in_file(Diagnostic d, const std::string& name) {
  if (d.place.file.empty()) d.place.file = name;
  return d;
}

std::string format_note_line(const Diagnostic& d) {
  return format_one_line(d) + (d.hint.empty() ? "" : "; " + escape_control_chars(word_commands(d.hint, d.place.file))) +
         "\n";
}

void report_losses(Report& report, const Request& request, u64 lost, const std::string& scene) {
  if (!lost || request.partly) return;
  report.raise(ExitCode::no);
  if (!request.quiet)
    report.err += scene + ": " + format_count(lost, "loss", "losses") +
                  ", listed above; the exit code is therefore 1, unless --partly is given\n";
}

void report_notes(Report& report, const Request& request, const Diagnostics& notes, const std::string& file) {
  if (request.quiet) return;
  for (const Diagnostic& d : notes) report.err += format_note_line(in_file(d, file));
}

void report_result_notes(Report& report, const Request& request, const Diagnostics& notes, const std::string& file) {
  if (request.quiet) return;
  std::map<std::string_view, size_t> by_id;
  for (const Diagnostic& d : notes) ++by_id[d.id];
  for (const Diagnostic& d : notes) {
    if (d.severity != Severity::error) {
      report.err += format_one_line(in_file(d, file)) + " [" + d.id + "]\n";
      continue;
    }
    const size_t count = std::exchange(by_id[d.id], 0);
    if (!count) continue;
    report.err += format_one_line(in_file(d, file)) + " [" + d.id + "]" +
                  (count > 1 ? ", and " + std::to_string(count - 1) + " more like this" : "") +
                  "; `dio check` reports this only since the edit\n";
  }
}

static std::atomic<bool> g_other_command_is_likely = false;
bool is_other_command_likely() { return g_other_command_is_likely; }

void note_error(std::string_view id) {
  constexpr std::string_view k_ids[] = {"path.unknown",  "path.syntax",      "io.read",    "file.missing",
                                        "archive.none",  "archive.pack",     "game.part",  "detect.unknown",
                                        "edit.argument", "edit.unknown",     "scene.none", "layout.magic",
                                        "layout.type",   "question.argument"};
  if (std::ranges::find(k_ids, id) != std::end(k_ids)) g_other_command_is_likely = true;
}

void report_error(Report& report, const Request& request, const Diagnostic& d, ByteView file) {
  note_error(d.id);
  report.err += format_error(d, file, detect_colors(request).err);
  report.raise(exit_code_for(d));
}

void report_edit_error(Report& report, const Request& request, const Diagnostic& d, ByteView file) {
  note_error(d.id);
  report.err += format_error(d, file, detect_colors(request).err);
  const bool is_slip = d.id == "layout.type" || d.id == "layout.derived";
  const ExitCode exit = exit_code_for(d);
  report.raise(is_slip ? ExitCode::usage : exit == ExitCode::unreadable ? ExitCode::refused : exit);
}

void report_usage_error(Report& report, const Request& request, std::string_view problem) {
  g_other_command_is_likely = true;
  report.err +=
      "dio " + request.verb + ": " + std::string(problem) + "\n    `dio help " + request.verb + "` shows the usage\n";
  report.raise(ExitCode::usage);
}

/// Names of files, and in files, may hold what moves the cursor or renames the window. Of escape sequences only colours
/// are left.
static std::string sanitize_for_terminal(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t plain = std::min(text.find_first_of("\n\t\x1b", i), text.size());
    out += escape_control_chars(text.substr(i, plain - i));
    if (plain == text.size()) break;
    const size_t end = text[plain] == '\x1b' && text.substr(plain + 1, 1) == "["
                           ? text.find_first_not_of("0123456789;", plain + 2)
                           : std::string_view::npos;
    const bool is_color = end != text.npos && text[end] == 'm';
    const std::string_view piece = text.substr(plain, is_color ? end + 1 - plain : 1);
    out += is_color || piece != "\x1b" ? std::string(piece) : escape_control_chars(piece);
    i = plain + piece.size();
  }
  return out;
}

bool print_report(const Report& report) {
  const bool is_guarded = has_terminal(os::Stream::out) && !report.is_picture;
  const std::string shown = is_guarded ? sanitize_for_terminal(report.out) : std::string();
  const std::string_view out = is_guarded ? std::string_view(shown) : std::string_view(report.out);
  const bool written = std::fwrite(out.data(), 1, out.size(), stdout) == out.size() && std::fflush(stdout) == 0;
  const int reason = errno;
  const std::string err = has_terminal(os::Stream::err) ? sanitize_for_terminal(report.err) : report.err;
  std::fwrite(err.data(), 1, err.size(), stderr);
  if (!written) std::fprintf(stderr, "error: standard output cannot be written: %s\n", std::strerror(reason));
  return written;
}

ExitCode finish(const Report& report) {
  return print_report(report) ? report.exit : std::max(report.exit, ExitCode::system);
}

Value json_with_schema(std::string_view schema) {
  Value v = Value::object();
  v.add("schema", schema);
  return v;
}

std::string json_text(const Value& v, bool one_line) {
  json::Style style;
  if (one_line) style.indent = 0;
  return json::write(v, style) + '\n';
}

}  // namespace dio::cli
