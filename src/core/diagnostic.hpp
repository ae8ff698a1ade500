// diagnostic.hpp: the single type for parse errors, check findings, rejected writes and import problems.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.hpp"

namespace dio {

enum class Severity : u8 {
  hint,     // worth knowing
  warning,  // misbehaves, or probably a mistake
  error,    // breaks: the game crashes, freezes or reads outside
  stop      // the bytes cannot be read, or the document cannot be written: there is no result
};
std::string_view to_string(Severity);
/// The severity as shown to people, who see `stop` as an error.
std::string_view shown(Severity);

/// A set of severities.
class Severities {
 public:
  constexpr Severities() = default;
  constexpr Severities(std::initializer_list<Severity> list) {
    for (const Severity s : list) bits_ = u8(bits_ | 1u << u8(s));
  }
  constexpr bool has(Severity s) const { return bits_ >> u8(s) & 1; }
  constexpr bool empty() const { return bits_ == 0; }

 private:
  u8 bits_ = 0;
};

/// A location in a file. `offset` and `size` count bytes from the start of the file; `bit` counts from the least
/// significant bit of the unit at `offset`. A location without bytes (a missing section, a JSON document) has the
/// offset `k_nowhere`.
struct Location {
  static constexpr u64 k_nowhere = ~u64(0);
  std::string file;
  u64 offset = k_nowhere, size = 0;
  int bit = -1, bits = 0;  // -1: the whole of `size` bytes
  std::string path;        // KTPT.entries[1].position.x
  bool known() const { return offset != k_nowhere; }

  Location() = default;
  Location(std::string_view a_path) : path(a_path) {}
  Location(std::string a_path) : path(std::move(a_path)) {}
  Location(const char* a_path) : path(a_path) {}
  // Nearly every source file creates, moves and destroys these, so they are compiled once, in diagnostic.cpp.
  Location(const Location&);
  Location(Location&&) noexcept;
  Location& operator=(const Location&);
  Location& operator=(Location&&) noexcept;
  ~Location();
  static Location in_file(std::string_view file, std::string path = {});
  static Location of_bytes(u64 offset, u64 size, std::string path = {});
};

struct Diagnostic {
  Severity severity = Severity::stop;
  std::string id;  // stable: layout.truncated, kmp.ckpt-lap
  Location place;
  std::string message;   // a sentence; empty for parse errors, which use `expected` and `found` instead
  std::string expected;  // "4 more bytes"
  std::string found;     // "the end of the file at 0x26"
  std::string hint;      // how to solve the problem; may be empty

  // As those of Place.
  Diagnostic();
  Diagnostic(const Diagnostic&);
  Diagnostic(Diagnostic&&) noexcept;
  Diagnostic& operator=(const Diagnostic&);
  Diagnostic& operator=(Diagnostic&&) noexcept;
  ~Diagnostic();
};

using Diagnostics = std::vector<Diagnostic>;

/// The texts of a diagnostic, by name: {.expected = "4 more bytes", .found = "the end of the file at 0x26"}.
struct DiagnosticText {
  std::string message = {}, expected = {}, found = {}, hint = {};  // as in Diagnostic
};
/// The only way to make a diagnostic.
Diagnostic make_diagnostic(Severity, std::string_view id, Location, DiagnosticText);
/// Same, with the severity `stop`.
Diagnostic make_diagnostic(std::string_view id, Location, DiagnosticText);

/// Formats one line: `course.kmp: 0x24 KTPT.entries[1].position.x: expected 4 more bytes, found the end of the file at
/// 0x26`. Empty parts are omitted together with their label. A message replaces `expected` and `found`.
std::string format_one_line(const Diagnostic&);

/// Returns the hex line that contains the location, with a line of carets below it. At the end of the file, this is the
/// last line with a caret after it. Empty if the diagnostic has no location in the file.
std::string format_hex_excerpt(const Diagnostic&, ByteView file);

/// The cause of a `stop`.
enum class Cause : u8 {
  input,    // the input is damaged or has no known format
  request,  // an argument is invalid
  absent,   // the requested part does not exist
  limit,    // the result would exceed a limit or lose something
  system,   // a file cannot be read, written or found
  fault     // a bug in diorama
};
std::string_view name_of(Cause);

/// The meaning of an id: a sentence about a good file, the consequence of breaking the rule, the fix, and the source.
struct Rule {
  std::string_view id;
  Severity severity;          // the usual severity of its findings
  Cause cause;                // if its severity is `stop`
  std::string_view sentence;  // "the lap line is the first point of group 0"
  std::string_view why;       // the consequence of breaking the rule
  std::string_view fix;       // what to do about it
  std::string_view source;
  Severities also;  // other severities of its findings, for more or less important cases

  constexpr Rule(std::string_view an_id, Severity usual, std::string_view the_sentence, std::string_view reason,
                 std::string_view remedy, std::string_view the_source, Severities others = {})
      : Rule(an_id, usual, Cause::input, the_sentence, reason, remedy, the_source, others) {}
  /// A rule of severity `stop`.
  constexpr Rule(std::string_view an_id, Cause its_cause, std::string_view the_sentence, std::string_view reason,
                 std::string_view remedy, std::string_view the_source)
      : Rule(an_id, Severity::stop, its_cause, the_sentence, reason, remedy, the_source, {}) {}

  constexpr bool can_be(Severity s) const { return s == severity || also.has(s); }

 private:
  constexpr Rule(std::string_view an_id, Severity usual, Cause its_cause, std::string_view the_sentence,
                 std::string_view reason, std::string_view remedy, std::string_view the_source, Severities others)
      : id(an_id),
        severity(usual),
        cause(its_cause),
        sentence(the_sentence),
        why(reason),
        fix(remedy),
        source(the_source),
        also(others) {}
};
/// The severities as shown to people: `error`; `error, also hint`.
std::string describe_severities(const Rule&);

/// The rules of the library itself (layout.*, json.*, gltf.*, io.*); the rules of a format are in its `Format::rules`.
std::span<const Rule> library_rules();

}  // namespace dio
