// print.hpp: colours, the text of errors, and printing to standard output and standard error.
#pragma once
#include <string>
#include <string_view>

#include "core/diagnostic.hpp"
#include "request.hpp"

namespace dio::cli {

/// Whether texts get colours: --color, NO_COLOR, TERM and whether it is a terminal.
struct Colors {
  bool out = false, err = false;
};
Colors detect_colors(const Request&);

enum class AnsiStyle { bold, faint, red, yellow, green, cyan };
/// The text in a colour, if there are colours.
std::string styled(bool color, AnsiStyle, std::string_view text);

/// The text of a finding: the line, the bytes with carets, and the hint.
std::string format_error(const Diagnostic&, ByteView file, bool color);
/// The diagnostic, with this file unless it names one.
Diagnostic in_file(Diagnostic, const std::string& name);
/// A note on one line: `scene.glb: textures[0]: the picture was scaled from 300 x 500 to 154 x 256; HINT`.
std::string format_note_line(const Diagnostic&);
/// Adds notes to the report, unless the request is quiet. `file`: for those that name none.
void report_notes(Report&, const Request&, const Diagnostics& notes, const std::string& file);
/// Exits with 1 if parts of a scene are missing from the result, unless --partly accepts that; says so in a line.
void report_losses(Report&, const Request&, u64 lost, const std::string& scene);
/// The same of notes on a result. Of errors that its rules find, the first of each kind is named, with its id.
void report_result_notes(Report&, const Request&, const Diagnostics& notes, const std::string& file);
/// Adds it to the report and raises the report's exit code.
void report_error(Report&, const Request&, const Diagnostic&, ByteView file = {});
/// For an edit: a value that is none of its field is a slip in the command line; what else the layout does not allow is
/// refused. Where there is no edit, the input would be damaged.
void report_edit_error(Report&, const Request&, const Diagnostic&, ByteView file = {});
/// Whether an error was reported that another command may avoid: a word that does not exist, in a place where others
/// do.
bool is_other_command_likely();
/// Notes an error that is reported in another way. `id`: of the diagnostic.
void note_error(std::string_view id);
/// For errors in the command line itself: Exit::usage.
void report_usage_error(Report&, const Request&, std::string_view problem);

/// Prints a report. False if standard output cannot be written.
bool print_report(const Report&);
/// The same for the last report of a verb; returns the exit code of the program.
ExitCode finish(const Report&);
/// A JSON object that starts with its schema: {"schema": "diorama.get/1"}.
Value json_with_schema(std::string_view schema);
/// One JSON text on its own lines, or on one line.
std::string json_text(const Value&, bool one_line = false);

}  // namespace dio::cli
