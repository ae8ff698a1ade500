#include "core/diagnostic.hpp"

#include <algorithm>

#include "core/command_text.hpp"
#include "core/text_format.hpp"

namespace dio {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::hint:
      return "hint";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
    case Severity::stop:
      return "stop";
  }
  return "stop";
}

std::string_view shown(Severity severity) { return to_string(severity == Severity::stop ? Severity::error : severity); }

std::string_view name_of(Cause cause) {
  constexpr std::string_view k_names[] = {"input", "request", "absent", "limit", "system", "fault"};
  return k_names[size_t(cause)];
}

std::string describe_severities(const Rule& rule) {
  std::string out(shown(rule.severity)), between = ", also ";
  for (const Severity s : {Severity::stop, Severity::error, Severity::warning, Severity::hint}) {
    if (!rule.also.has(s) || shown(s) == shown(rule.severity)) continue;
    out += between;
    out += shown(s);
    between = ", ";
  }
  return out;
}

Location::Location(const Location&) = default;
Location::Location(Location&&) noexcept = default;
Location& Location::operator=(const Location&) = default;
Location& Location::operator=(Location&&) noexcept = default;
Location::~Location() = default;

Diagnostic::Diagnostic() = default;
Diagnostic::Diagnostic(const Diagnostic&) = default;
Diagnostic::Diagnostic(Diagnostic&&) noexcept = default;
Diagnostic& Diagnostic::operator=(const Diagnostic&) = default;
Diagnostic& Diagnostic::operator=(Diagnostic&&) noexcept = default;
Diagnostic::~Diagnostic() = default;

Location Location::in_file(std::string_view file, std::string path) {
  Location p(std::move(path));
  p.file = file;
  return p;
}

Location Location::of_bytes(u64 offset, u64 size, std::string path) {
  Location p(std::move(path));
  p.offset = offset;
  p.size = size;
  return p;
}

Diagnostic make_diagnostic(Severity severity, std::string_view id, Location place, DiagnosticText said) {
  Diagnostic d;
  d.severity = severity;
  d.id = id;
  d.place = std::move(place);
  d.message = std::move(said.message);
  d.expected = std::move(said.expected);
  d.found = std::move(said.found);
  d.hint = std::move(said.hint);
  return d;
}

Diagnostic make_diagnostic(std::string_view id, Location place, DiagnosticText said) {
  return make_diagnostic(Severity::stop, id, std::move(place), std::move(said));
}

namespace {

std::string format_bit_range(const Location& place) {
  if (place.bit < 0) return {};
  const int last = place.bit + std::max(place.bits, 1) - 1;
  if (last == place.bit) return "bit " + std::to_string(place.bit);
  return "bits " + std::to_string(place.bit) + "-" + std::to_string(last);
}

}  // namespace

std::string format_one_line(const Diagnostic& d) {
  std::string line;
  const auto append_part = [&line](std::string_view text, std::string_view before) {
    if (text.empty()) return;
    if (!line.empty()) line += before;
    line += text;
  };
  append_part(d.place.file, "");
  if (d.place.known()) {
    append_part(format_hex(d.place.offset), ": ");
    append_part(format_bit_range(d.place), " ");
  }
  append_part(d.place.path, d.place.known() ? " " : ": ");
  if (!d.message.empty()) {
    append_part(d.message, ": ");
  } else {
    append_part(d.expected.empty() ? "" : "expected " + d.expected, ": ");
    append_part(d.found.empty() ? "" : "found " + d.found, d.expected.empty() ? ": " : ", ");
  }
  return escape_control_chars(word_commands(line, d.place.file));  // names and values may come from the file
}

std::string format_hex_excerpt(const Diagnostic& d, ByteView file) {
  constexpr u64 k_width = 16;
  const Location& place = d.place;
  if (!place.known() || place.offset > file.size() || file.empty()) return {};

  // Missing bytes also get carets, so a size may extend beyond the file, but must not overflow.
  const u64 size = std::min(std::max<u64>(place.size, 1), ~u64(0) - place.offset);
  const u64 end = place.offset + size;

  // Lines start at multiples of 16. The start moves if that keeps the marked bytes on one line.
  u64 start = place.offset - place.offset % k_width;
  if (end - start > k_width && size <= k_width) start = place.offset - place.offset % 8;
  if (end - start > k_width && size <= k_width) start = place.offset;
  if (place.offset == file.size()) start = place.offset - (place.offset - 1) % k_width - 1;  // the end of the last line
  if (place.offset == file.size() && place.offset - start == k_width) start += k_width / 2;

  std::string line = format_hex(start, 4) + "  ";
  const size_t margin = line.size();
  std::string letters, carets(margin, ' ');
  for (u64 i = 0; i < k_width; ++i) {
    const u64 at = start + i;
    const bool is_there = at < file.size(), is_meant = at >= place.offset && at < end;
    if (i == 8) {
      line += ' ';
      carets += ' ';
    }
    line += is_there ? encode_hex(file.subspan(size_t(at), 1)) + ' ' : std::string("   ");
    carets += is_meant ? "^^ " : "   ";
    if (is_there) {
      const u8 c = file[size_t(at)];
      letters += c >= 0x20 && c < 0x7f ? char(c) : '.';
    }
  }
  carets.erase(carets.find_last_not_of(' ') + 1);
  if (end - start > k_width) carets += " ... " + format_count(size, "byte");
  if (place.bit >= 0) carets += "  " + format_bit_range(place);
  return line + ' ' + letters + '\n' + carets;
}

}  // namespace dio
