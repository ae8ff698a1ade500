// arranged_test.cpp: how findings are sorted, merged and filtered.
#include <gtest/gtest.h>

#include "bridge/report/selection.hpp"
#include "core/json.hpp"

namespace {

using dio::Diagnostic;
using dio::Diagnostics;
using dio::Location;
using dio::Rule;
using dio::Severity;
using dio::Value;
namespace report = dio::report;
using enum Severity;

Diagnostic at(std::string path, dio::u64 offset = Location::k_nowhere, Severity severity = warning,
              std::string_view id = "a.b", std::string file = "x.kmp") {
  Location place = Location::in_file(file, std::move(path));
  place.offset = offset;
  place.size = place.known() ? 2 : 0;
  return make_diagnostic(severity, id, place, {.message = "too large"});
}
Diagnostic saying(Diagnostic d, std::string message) {
  d.message = std::move(message);
  return d;
}
std::vector<std::string> paths(const report::FindingList& list) {
  std::vector<std::string> out;
  for (const report::Finding& f : list) out.push_back(f.path);
  return out;
}
std::vector<std::string> merged(const std::vector<std::string>& all) {
  Diagnostics list;
  for (const std::string& path : all) list.push_back(at(path));
  return paths(report::group_findings(list));
}
using Texts = std::vector<std::string>;

TEST(GroupedFindings, SortsBySeverityWithinEachFile) {
  EXPECT_EQ(
      paths(report::group_findings({at("late", 9, hint), at("b", 8, error), at("a", 4, error), at("none"),
                                    at("c", 2, warning), at("d", 1, stop, "a.b", "y.kmp"), at("early", 1, hint)})),
      (Texts{"a", "b", "none", "c", "early", "late", "d"}));
}

TEST(GroupedFindings, MergesPathsThatDifferInOneIndex) {
  EXPECT_EQ(merged({"a[3].p[17].s", "a[3].p[18].s", "a[3].p[19].s"}), Texts{"a[3].p[17-19].s"});
  EXPECT_EQ(merged({"a[7]", "a[2]", "a[5]", "a[6]"}), Texts{"a[2,5-7]"});
  EXPECT_EQ(merged({"a[0].p", "a[1].p", "a[2].q"}), (Texts{"a[0-1].p", "a[2].q"}));
  EXPECT_EQ(merged({"a[1]", "a[1].p", "a[x]", "a[]", "b[1]"}), (Texts{"a[1]", "a[1].p", "a[x]", "a[]", "b[1]"}));
}

TEST(GroupedFindings, MergesPathsToLeaveTheFewestFindings) {
  EXPECT_EQ(merged({"a[0].p[4]", "a[1].p[4]", "a[1].p[5]", "a[2].p[4]"}), (Texts{"a[0-2].p[4]", "a[1].p[5]"}));
  EXPECT_EQ(merged({"a[0].p[0]", "a[0].p[1]", "a[1].p[0]", "a[1].p[1]"}), (Texts{"a[0].p[0-1]", "a[1].p[0-1]"}));
}

TEST(GroupedFindings, ShortensLongIndexLists) {
  Texts odd;
  for (int i = 0; i < 50; ++i) odd.push_back("a[" + std::to_string(2 * i) + "]");
  EXPECT_EQ(merged(odd), Texts{"a[0,2,4,6,8,10,12,14,...]"});
}

TEST(GroupedFindings, DoesNotMergeDifferentFindings) {
  EXPECT_EQ(report::group_findings({at("a[0]"), at("a[1]", Location::k_nowhere, error), at("a[2]", 1, warning, "a.c"),
                                    at("a[3]", 1, warning, "a.b", "y.kmp"), saying(at("a[4]"), "too small")})
                .size(),
            5u);
  // Paths without an index merge only if everything is equal.
  EXPECT_EQ(report::group_findings({at("a", 1), at("a", 2), at("a", 2)}).size(), 2u);
}

TEST(GroupedFindings, KeepsEveryMergedLocation) {
  const report::FindingList one = report::group_findings({at("a[1].s", 8), at("a[0].s", 4), at("a[2].s", 12)});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(report::finding_line(one[0]), "warning: x.kmp: 0x4 a[0-2].s: too large (in 3 places) [a.b]");
  const dio::Bytes file(16);
  EXPECT_EQ(report::finding_text(one[0], file),
            "warning: x.kmp: 0x4 a[0-2].s: too large (in 3 places) [a.b]\n"
            "  0x0000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  ................\n"
            "                      ^^ ^^\n");
  EXPECT_EQ(dio::json::write(report::finding_json(one[0]), {.indent = 0}),
            R"({"severity": "warning", "id": "a.b", "file": "x.kmp", "offset": 4, "size": 2, "path": "a[0].s", )"
            R"("message": "too large", "places": [{"path": "a[0].s", "offset": 4, "size": 2}, )"
            R"({"path": "a[1].s", "offset": 8, "size": 2}, {"path": "a[2].s", "offset": 12, "size": 2}]})");
  const Value sarif = report::findings_sarif(one, {}, {}, "");
  const Value& result = *sarif.find("runs")->at(0)->find("results")->at(0);
  EXPECT_EQ(result.find("message")->find("text")->text(), "too large (in 3 places)");
  ASSERT_EQ(result.find("locations")->size(), 3u);
  const Value& last = *result.find("locations")->at(2);
  EXPECT_EQ(last.find("physicalLocation")->find("region")->find("byteOffset")->bits(), 12u);
  EXPECT_EQ(last.find("logicalLocations")->at(0)->find("fullyQualifiedName")->text(), "a[2].s");
}

TEST(GroupedFindings, ShowsPlaceCountAfterExpectedValue) {
  Diagnostic a = make_diagnostic(hint, "a.b", "p[0]", {.expected = "1", .hint = "use 1"}), b = a;
  b.place.path = "p[1]";
  EXPECT_EQ(report::findings_lines(report::group_findings({a, b})),
            "hint: p[0-1]: expected 1 (in 2 places) [a.b] (use 1)\n");
}

TEST(RuleCounts, SortsBySeverityThenFrequency) {
  const report::FindingList all =
      report::group_findings({at("a[0]"), at("a[1]"), at("b"), at("a", 1, warning, "a.b", "y.kmp"),
                              at("a", 1, error, "a.z"), at("x", 1, warning, "a.a"), at("x", 1, hint)});
  std::string text;
  for (const report::RuleCount& c : report::rule_counts(all))
    text += c.id + " " + std::string(to_string(c.severity)) + " " + std::to_string(c.findings) + " " +
            std::to_string(c.places) + " " + std::to_string(c.files) + "\n";
  EXPECT_EQ(text,
            "a.z error 1 1 1\n"
            "a.b warning 3 4 2\n"
            "a.a warning 1 1 1\n"
            "a.b hint 1 1 1\n");
}

// --------------------------------------------------------------------------------------------------------- selection

report::Selection with_baseline(const Diagnostics& before) {
  const Value json = report::findings_json(report::group_findings(before), {});
  const auto read = dio::json::read(dio::json::write(json));
  EXPECT_TRUE(read);
  auto baseline = report::Baseline::parse(*read);
  EXPECT_TRUE(baseline) << format_one_line(baseline.error());
  return {.ignored = {}, .baseline = std::move(*baseline)};
}

TEST(FindingFilter, HidesFindingsOfIgnoredRules) {
  const report::Selected s = report::filter_findings(
      {at("a", 1, error, "k.pt-x"), at("a[0]", 1, error, "k.pt-y"), at("a[1]", 1, error, "k.pt-y"), at("b")},
      {.ignored = {"k.pt-*", "a.bb"}, .baseline = {}});
  EXPECT_EQ(paths(s.findings), Texts{"b"});
  EXPECT_EQ(s.ignored, 2u);  // counted as shown: after merging
  EXPECT_EQ(s.known, 0u);
}

TEST(FindingFilter, HidesFindingsInTheBaseline) {
  const Diagnostics before = {at("a[3].s", 4), at("a[4].s", 8), at("b", 2, error)};
  const report::Selection selection = with_baseline(before);
  report::Selected s = report::filter_findings(before, selection);
  EXPECT_TRUE(s.findings.empty());
  EXPECT_EQ(s.known, 2u);
  // Two inserted entries shift the offsets and indices.
  EXPECT_TRUE(
      report::filter_findings({at("a[5].s", 12), at("a[6].s", 16), at("b", 10, error)}, selection).findings.empty());
}

TEST(FindingFilter, ShowsFindingsMissingFromTheBaseline) {
  const report::Selection selection = with_baseline({at("a[3].s"), at("a[4].s"), at("b")});
  const auto shown = [&](Diagnostic d) { return !report::filter_findings({std::move(d)}, selection).findings.empty(); };
  EXPECT_FALSE(shown(at("b")));
  EXPECT_TRUE(shown(at("c")));
  EXPECT_TRUE(shown(at("b", 1, warning, "a.c")));
  EXPECT_TRUE(shown(at("b", 1, warning, "a.b", "y.kmp")));
  EXPECT_TRUE(shown(saying(at("b"), "too small")));
  // One additional finding: those at the old paths are the known ones.
  EXPECT_EQ(paths(report::filter_findings({at("a[2].s"), at("a[3].s"), at("a[4].s")}, selection).findings),
            Texts{"a[2].s"});
}

TEST(FindingFilter, BaselineMatchesTextThatIsNotUtf8) {
  const Diagnostics odd = {saying(at("b\xff", 1, warning, "a.b", "x\xff.kmp"), "\xfe is odd")};
  EXPECT_TRUE(report::filter_findings(odd, with_baseline(odd)).findings.empty());
}

TEST(FindingFilter, RejectsJsonThatIsNotABaseline) {
  for (const char* text :
       {"{}", "[]", "3", R"({"schema": "diorama.info/1", "findings": []})", R"({"schema": "diorama.check/1"})",
        R"({"schema": "diorama.check/1", "findings": [1]})", R"({"schema": "diorama.check/1", "findings": [{}]})",
        R"({"schema": "diorama.check/1", "findings": [{"id": "a.b", "path": 3}]})",
        R"({"schema": "diorama.check/1", "findings": [{"id": "a.b", "places": [{}]}]})"}) {
    const auto baseline = report::Baseline::parse(*dio::json::read(text));
    ASSERT_FALSE(baseline) << text;
    EXPECT_EQ(baseline.error().id, "check.baseline") << text;
  }
  EXPECT_TRUE(report::Baseline::parse(*dio::json::read(R"({"schema": "diorama.check/1", "findings": []})")));
}

TEST(RuleSeverities, ListsEverySeverityOfARule) {
  EXPECT_EQ(dio::describe_severities({"a.b", error, "", "", "", ""}), "error");
  EXPECT_EQ(dio::describe_severities({"a.b", stop, "", "", "", ""}), "error");
  EXPECT_EQ(dio::describe_severities({"a.b", warning, "", "", "", "", {hint, error}}), "warning, also error, hint");
  const Rule rule = {"a.b", warning, "s", "w", "f", "x", {hint}};
  EXPECT_TRUE(rule.can_be(warning) && rule.can_be(hint) && !rule.can_be(error));
  EXPECT_EQ(dio::json::write(report::rule_json(rule), {.indent = 0}),
            R"({"schema": "diorama.explain/1", "rule": "a.b", "severity": "warning", "also": ["hint"], )"
            R"("sentence": "s", "why": "w", "fix": "f", "source": "x"})");
}

}  // namespace
