// findings.hpp: diagnostics for people, for programs, and for the tools that show findings beside code (SARIF).
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "core/diagnostic.hpp"
#include "core/value.hpp"

namespace dio::report {

/// Severity, place, message and id; below it the bytes with carets, and the hint. Ends with a newline.
/// `file`: the bytes it is about; empty if there are none.
std::string finding_text(const Diagnostic&, ByteView file, bool color = false);
/// All of them, with an empty line between those that have more than one line.
std::string findings_text(const Diagnostics&, ByteView file, bool color = false);
/// `2 errors, 1 warning`; `nothing found` if there are none.
std::string findings_summary(const Diagnostics&);

/// {severity, id, file, offset, size, bit, bits, path, message, expected, found, hint}; unknown members are left out.
Value finding_json(const Diagnostic&);
/// {schema, findings: [...]}.
Value findings_json(const Diagnostics&);

/// A SARIF 2.1.0 log of one run. `rules`: those of the formats; the library's own are known.
Value findings_sarif(const Diagnostics&, std::span<const Rule> rules, std::string_view version);

}  // namespace dio::report
