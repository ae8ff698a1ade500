// findings.hpp: diagnostics for people, for programs, and for the tools that show findings beside code (SARIF).
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.hpp"
#include "core/value.hpp"

namespace dio::report {

/// What is found, and everywhere it is: diagnostics of a file that say the same of places whose paths differ in one
/// index are one finding.
struct Finding {
  Diagnostic said;               // its place is the first one
  std::vector<Location> places;  // all of them, in the order of the file
  std::string path;              // of all of them: POTI.entries[3].points[2,5-7].setting

  Finding(Diagnostic);
};
using FindingList = std::vector<Finding>;

/// The order in which findings are shown, with equal ones merged: file by file as they come in the list, errors before
/// warnings before hints, and each of these in the order of the file.
FindingList group_findings(Diagnostics);

/// What a run has looked at, and what of it is not in its findings.
struct Run {
  const char* things = "files";  // or games
  u64 all = 1, with_findings = 0;
  u64 ignored = 0, known = 0;  // findings that are not shown (selection.hpp)
};

/// Severity, place, what is wrong, id, on one line without its end. Of a finding in many places, how many they are.
std::string finding_line(const Finding&, bool color = false);
/// The line; below it the bytes of the first place with carets, and what to do about it. Ends with a newline.
/// `file`: the bytes it is about; empty if there are none.
std::string finding_text(const Finding&, ByteView file, bool color = false);
/// All of them, with an empty line between those that have more than one line.
std::string findings_text(const FindingList&, ByteView file, bool color = false);
/// A line each: what to do about it stands in parentheses behind it.
std::string findings_lines(const FindingList&, bool color = false);
/// `2 errors, 1 warning`; `nothing found` if there are none.
std::string findings_summary(const FindingList&);

/// {severity, id, file, offset, size, bit, bits, path, message, expected, found, hint}; unknown members are left out.
Value finding_json(const Diagnostic&);
/// The same with the first place, and {places: [{path, offset, size}]} if there are several.
Value finding_json(const Finding&);
/// {schema, findings: [...], summary: {stop, error, warning, hint, files, ignored, baseline}, files}. `summary` counts
/// findings; its `files` are those that have some, `baseline` are `Run::known`. For games, `games` stands for `files`.
Value findings_json(const FindingList&, const Run&);

/// A SARIF 2.1.0 log of one run. `rules`: those of the formats; the library's own are known. `summary` is in the
/// properties of the run.
Value findings_sarif(const FindingList&, const Run&, std::span<const Rule> rules, std::string_view version);

/// How often a rule was broken. A rule that was reported with two severities is counted for each.
struct RuleCount {
  std::string id;
  Severity severity;
  u64 findings = 0, places = 0, files = 0;
};
/// Worst first, then the most frequent.
std::vector<RuleCount> rule_counts(const FindingList&);
/// {schema, rules: [{id, severity, count, places, files}], summary, files}, as in `findings_json`.
Value rule_counts_json(const FindingList&, const Run&);

/// Adds `severity`, and `also`: a list of the other severities that its findings may have, if there are any.
void add_rule_severities(Value&, const Rule&);
/// {schema, rule, severity, also, sentence, why, source}.
Value rule_json(const Rule&);

}  // namespace dio::report
