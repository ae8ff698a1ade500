// print.hpp: colours, errors as people read them, and the way to standard output and standard error.
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
Colors colors_of(const Request&);

enum class Paint { bold, faint, red, yellow, green, cyan };
/// The text in a colour, if there are colours.
std::string painted(bool color, Paint, std::string_view text);

/// As findings are shown: the line, the bytes it means with carets, and what to do about it.
std::string error_text(const Diagnostic&, ByteView file, bool color);
/// The diagnostic, in a file if it names none.
Diagnostic in_file(Diagnostic, const std::string& name);
/// What was not done as one might expect, on a line: `scene.glb: expected 256 x 256, 300 x 500; it became 154 x 256`.
std::string note_line(const Diagnostic&);
/// Adds them to the report, unless the request is for quiet. `file`: of those that name none.
void tell(Report&, const Request&, const Diagnostics& notes, const std::string& file);
/// Adds it to the report and raises the report's exit code.
void fail(Report&, const Request&, const Diagnostic&, ByteView file = {});
/// For what is wrong with the command line itself. Exit::usage.
void fail_usage(Report&, const Request&, std::string_view problem);

/// Prints what a report says. False if standard output does not take it.
bool print(const Report&);
/// The same for the last report of a verb; gives the exit code of the program.
Exit finish(const Report&);
/// An object for JSON that begins with what it is described by: {"schema": "diorama.get/1"}.
Value described_by(std::string_view schema);
/// One JSON text on its own lines, or on one line.
std::string json_text(const Value&, bool one_line = false);

}  // namespace dio::cli
