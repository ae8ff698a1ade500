// findings.hpp: diagnostics for people, for programs, and for tools that show findings next to code (SARIF).
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.hpp"
#include "core/value.hpp"

namespace dio::report {

/// A finding with all its locations: diagnostics of a file with the same message, whose paths differ in one index, are
/// merged.
struct Finding {
  Diagnostic said;               // with the first location
  std::vector<Location> places;  // all locations, in file order
  std::string path;              // common to all locations: POTI.entries[3].points[2,5-7].setting

  Finding(Diagnostic);
};
using FindingList = std::vector<Finding>;

/// Arranges findings for display and merges equal ones: file by file in list order, errors before warnings before
/// hints, and each of these in file order.
FindingList group_findings(Diagnostics);

/// What a run has checked, and what its findings leave out.
struct Run {
  const char* things = "files";  // or games
  u64 all = 1, with_findings = 0;
  u64 ignored = 0, known = 0;  // hidden findings (selection.hpp)
  u64 milder = 0;              // findings hidden because others are more severe
};

/// Severity, location, message and id on one line, without the line end. For a finding in many places, their number.
std::string finding_line(const Finding&, bool color = false);
/// The line; below it the bytes of the first location with carets, and the hint. Ends with a newline. `file`: the bytes
/// that the finding is about; empty if there are none.
std::string finding_text(const Finding&, ByteView file, bool color = false);
/// All findings, separated by an empty line if they have more than one line.
std::string findings_text(const FindingList&, ByteView file, bool color = false);
/// One line for each; the hint follows in parentheses.
std::string findings_lines(const FindingList&, bool color = false);
/// `2 errors, 1 warning`; `no problems found` if there are none.
std::string findings_summary(const FindingList&);

/// {severity, id, file, offset, size, bit, bits, path, message, expected, found, hint}; unknown members are left out.
Value finding_json(const Diagnostic&);
/// Same, with the first location, and {places: [{path, offset, size}]} if there are several.
Value finding_json(const Finding&);
/// {schema, findings: [...], summary: {stop, error, warning, hint, files, ignored, baseline}, files}. `summary` counts
/// findings; its `files` counts files with findings, `baseline` is `Run::known`. For games, `games` replaces `files`.
Value findings_json(const FindingList&, const Run&);

/// A SARIF 2.1.0 log of one run. `rules`: those of the formats; the rules of the library are added. `summary` is in the
/// properties of the run.
Value findings_sarif(const FindingList&, const Run&, std::span<const Rule> rules, std::string_view version);

/// How often a rule was broken. A rule reported with two severities is counted for each.
struct RuleCount {
  std::string id;
  Severity severity;
  u64 findings = 0, places = 0, files = 0;
};
/// Worst first, then the most frequent.
std::vector<RuleCount> rule_counts(const FindingList&);
/// {schema, rules: [{id, severity, count, places, files}], summary, files}, as in `findings_json`.
Value rule_counts_json(const FindingList&, const Run&);

/// Adds `severity`, and `also`, a list of the other severities that its findings may have, if there are any.
void add_rule_severities(Value&, const Rule&);
/// {schema, rule, severity, also, sentence, why, source}.
Value rule_json(const Rule&);

}  // namespace dio::report
