#include "bridge/report/findings.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/json.hpp"
#include "core/text_format.hpp"

namespace {

using dio::Bytes;
using dio::Diagnostic;
using dio::Diagnostics;
using dio::Location;
using dio::make_diagnostic;
using dio::Rule;
using dio::Severity;
using dio::u8;
using dio::Value;
namespace report = dio::report;

Bytes file_of(size_t size) {
  Bytes file;
  for (size_t i = 0; i < size; ++i) file.push_back(u8(0x40 + i));
  return file;
}

Diagnostic truncated() {
  Diagnostic d;
  d.id = "layout.truncated";
  d.place.file = "course.kmp";
  d.place.offset = 0x24;
  d.place.size = 4;
  d.place.path = "KTPT.entries[1].position.x";
  d.expected = "4 more bytes";
  d.found = "the end of the file at 0x26";
  return d;
}

// ------------------------------------------------------------------------------------------------------- diagnostic

TEST(DiagnosticLine, ShowsLocationAndMessage) {
  Diagnostic d = truncated();
  const std::string what = "KTPT.entries[1].position.x: expected 4 more bytes, found the end of the file at 0x26";
  EXPECT_EQ(format_one_line(d), "course.kmp: 0x24 " + what);
  d.place.bit = 3;
  d.place.bits = 5;
  EXPECT_EQ(format_one_line(d), "course.kmp: 0x24 bits 3-7 " + what);
  d.place.bits = 1;
  d.expected.clear();
  EXPECT_EQ(format_one_line(d), "course.kmp: 0x24 bit 3 KTPT.entries[1].position.x: found the end of the file at 0x26");
}

TEST(DiagnosticLine, LabelsExpectedAndFoundValues) {
  EXPECT_EQ(format_one_line(make_diagnostic("a", "KTPT", {.expected = "1", .found = "2"})),
            "KTPT: expected 1, found 2");
  EXPECT_EQ(format_one_line(make_diagnostic("a", "KTPT", {.expected = "1"})), "KTPT: expected 1");
  EXPECT_EQ(format_one_line(make_diagnostic("a", "KTPT", {.found = "2"})), "KTPT: found 2");
  EXPECT_EQ(format_one_line(make_diagnostic("a", "KTPT", {.message = "0 is too small", .expected = "1", .found = "2"})),
            "KTPT: 0 is too small");
}

TEST(DiagnosticLine, PrintsMessagesUnchanged) {
  const Diagnostic d = make_diagnostic(
      Severity::warning, "kmp.key", Location::in_file("course.kmp", "CKPT.entries[5]"),
      {.message = "key checkpoint 4 is missing: key 5 follows key 3", .hint = "number them one after the other"});
  EXPECT_EQ(format_one_line(d), "course.kmp: CKPT.entries[5]: key checkpoint 4 is missing: key 5 follows key 3");
  EXPECT_EQ(report::finding_text(d, {}, false),
            "warning: course.kmp: CKPT.entries[5]: key checkpoint 4 is missing: key 5 follows key 3 [kmp.key]\n"
            "  help: number them one after the other\n");
  const Value json = report::finding_json(d);
  EXPECT_EQ(json.find("message")->text(), "key checkpoint 4 is missing: key 5 follows key 3");
  EXPECT_EQ(json.find("expected"), nullptr);
  const Value sarif = report::findings_sarif({d}, {}, {}, {});
  const Value& result = *sarif.find("runs")->at(0)->find("results")->at(0);
  EXPECT_EQ(result.find("message")->find("text")->text(),
            "key checkpoint 4 is missing: key 5 follows key 3\nnumber them one after the other");
}

TEST(MakeDiagnostic, AcceptsPathsAndByteRanges) {
  EXPECT_EQ(format_one_line(make_diagnostic("a", "KTPT", {.message = "2"})), "KTPT: 2");
  EXPECT_EQ(format_one_line(make_diagnostic("a", {}, {.message = "2"})), "2");
  const Diagnostic d = make_diagnostic("a", Location::of_bytes(16, 4), {.message = "2"});
  EXPECT_EQ(format_one_line(d), "0x10: 2");
  EXPECT_EQ(d.place.size, 4u);
  EXPECT_EQ(d.severity, Severity::stop);
}

TEST(DiagnosticLine, OmitsUnknownParts) {
  Diagnostic d;
  EXPECT_EQ(format_one_line(d), "");
  d.message = "nothing there";
  EXPECT_EQ(format_one_line(d), "nothing there");
  d.place.path = "KTPT";
  EXPECT_EQ(format_one_line(d), "KTPT: nothing there");
  d.place.file = "a.kmp";
  EXPECT_EQ(format_one_line(d), "a.kmp: KTPT: nothing there");
  d.place.path.clear();
  d.place.offset = 0;
  EXPECT_EQ(format_one_line(d), "a.kmp: 0x0: nothing there");
  d.place.file.clear();
  EXPECT_EQ(format_one_line(d), "0x0: nothing there");
}

TEST(DiagnosticLine, EscapesControlCharacters) {
  Diagnostic d;
  d.message = "\"a\n\x1b[31m\xff\xc2\x9b\xc3\xa9\"";
  EXPECT_EQ(format_one_line(d), "\"a\\x0a\\x1b[31m\\xff\\x9b\xc3\xa9\"");
}

TEST(DiagnosticLine, EscapesMisleadingCharacters) {
  Diagnostic d;
  d.message = "a\u202egnp.exe \u2066b\u2069 \u200e\u200f\u061c \u2028\u2029 \u200b\u2060\ufeff\U000e0041";
  EXPECT_EQ(format_one_line(d),
            "a\\u202egnp.exe \\u2066b\\u2069 \\u200e\\u200f\\u061c \\u2028\\u2029 "
            "\\u200b\\u2060\\ufeff\\u{e0041}");
  // Joiners belong to the spelling of words and emoji; text from right to left is displayed as it is.
  d.message = "\u0645\u06cc\u200c\u062e \u0915\u094d\u200d\u0937 \u05e9\u05dc\u05d5\u05dd";
  EXPECT_EQ(format_one_line(d), d.message);
}

TEST(DiagnosticExcerpt, MarksTheReportedBytes) {
  const Bytes file = file_of(0x26);
  Diagnostic d = truncated();
  EXPECT_EQ(format_hex_excerpt(d, file),
            "0x0020  60 61 62 63 64 65                                 `abcde\n"
            "                    ^^ ^^ ^^ ^^");
  d.place.offset = 6;
  EXPECT_EQ(format_hex_excerpt(d, file),
            "0x0000  40 41 42 43 44 45 46 47  48 49 4a 4b 4c 4d 4e 4f  @ABCDEFGHIJKLMNO\n"
            "                          ^^ ^^  ^^ ^^");
  d.place.size = 0;
  d.place.bit = 4;
  d.place.bits = 2;
  EXPECT_EQ(format_hex_excerpt(d, file),
            "0x0000  40 41 42 43 44 45 46 47  48 49 4a 4b 4c 4d 4e 4f  @ABCDEFGHIJKLMNO\n"
            "                          ^^  bits 4-5");
}

TEST(DiagnosticExcerpt, ShiftsTheLineToShowWholeFields) {
  const Bytes file = file_of(0x30);
  Diagnostic d = truncated();
  d.place.offset = 0xe;
  EXPECT_TRUE(format_hex_excerpt(d, file).starts_with("0x0008  48"));
  EXPECT_TRUE(format_hex_excerpt(d, file).ends_with("\n                          ^^ ^^  ^^ ^^"));
  d.place.offset = 9;
  d.place.size = 16;
  EXPECT_TRUE(format_hex_excerpt(d, file).starts_with("0x0009  49"));
  d.place.size = 17;
  EXPECT_TRUE(format_hex_excerpt(d, file).starts_with("0x0000  40"));
  EXPECT_TRUE(format_hex_excerpt(d, file).ends_with("^^ ... 17 bytes"));
}

TEST(DiagnosticExcerpt, MarksBytesPastTheEndOfFile) {
  Diagnostic d = truncated();
  EXPECT_EQ(format_hex_excerpt(d, file_of(0x24)),
            "0x0020  60 61 62 63                                       `abc\n"
            "                    ^^ ^^ ^^ ^^");
  d.place.offset = 0x20;
  EXPECT_EQ(format_hex_excerpt(d, file_of(0x20)),
            "0x0018  58 59 5a 5b 5c 5d 5e 5f                           XYZ[\\]^_\n"
            "                                 ^^ ^^ ^^ ^^");
}

TEST(DiagnosticExcerpt, NeverReadsOutsideTheFile) {
  Diagnostic d = truncated();
  EXPECT_EQ(format_hex_excerpt(d, {}), "");
  EXPECT_EQ(format_hex_excerpt(d, file_of(0x23)), "");
  EXPECT_NE(format_hex_excerpt(d, file_of(0x25)), "");
  d.place.size = ~dio::u64(0);
  EXPECT_NE(format_hex_excerpt(d, file_of(0x25)), "");
  d.place.offset = dio::Location::k_nowhere;
  EXPECT_EQ(format_hex_excerpt(d, file_of(0x25)), "");
  d.place.offset = dio::Location::k_nowhere - 1;
  EXPECT_EQ(format_hex_excerpt(d, file_of(0x25)), "");
}

TEST(LibraryRules, RulesHaveUniqueIdsAndCompleteTexts) {
  std::set<std::string_view> ids;
  for (const Rule& r : dio::library_rules()) {
    EXPECT_TRUE(ids.insert(r.id).second) << r.id;
    EXPECT_NE(r.id.find('.'), r.id.npos) << r.id;
    EXPECT_FALSE(r.sentence.empty()) << r.id;
    EXPECT_FALSE(r.sentence.ends_with('.')) << r.id;
    EXPECT_TRUE(r.why.ends_with('.')) << r.id;
    EXPECT_FALSE(r.source.empty()) << r.id;
  }
  for (const char* id :
       {"layout.truncated", "layout.magic",       "layout.offset",      "layout.count",    "layout.requires",
        "layout.depth",     "layout.budget",      "layout.overlap",     "layout.overflow", "layout.text-too-long",
        "layout.raw",       "layout.unknown-key", "layout.missing-key", "layout.type",     "layout.loses",
        "json.syntax",      "json.duplicate-key", "json.depth",         "json.utf8",       "scene.invalid",
        "gltf.size",        "gltf.syntax",        "gltf.extension",     "gltf.resource",   "gltf.budget",
        "gltf.partly",      "jpeg.syntax",        "jpeg.size",          "io.read",         "io.write",
        "io.exists",        "detect.unknown",     "detect.tie",         "path.unknown",    "png.syntax",
        "png.size"}) {
    EXPECT_TRUE(ids.contains(id)) << id;
  }
}

// --------------------------------------------------------------------------------------------------------- findings

TEST(FindingsText, ShowsLineBytesAndHelp) {
  Diagnostic d = truncated();
  d.severity = Severity::error;
  d.hint = "is the download complete?";
  EXPECT_EQ(
      report::finding_text(d, file_of(0x26)),
      "error: course.kmp: 0x24 KTPT.entries[1].position.x: expected 4 more bytes, found the end of the file at 0x26 "
      "[layout.truncated]\n"
      "  0x0020  60 61 62 63 64 65                                 `abcde\n"
      "                      ^^ ^^ ^^ ^^\n"
      "  help: is the download complete?\n");
  EXPECT_EQ(
      report::finding_text(d, {}),
      "error: course.kmp: 0x24 KTPT.entries[1].position.x: expected 4 more bytes, found the end of the file at 0x26 "
      "[layout.truncated]\n"
      "  help: is the download complete?\n");
}

TEST(FindingsText, AddsColorsOnRequest) {
  const Diagnostic d = truncated();
  const std::string colored = report::finding_text(d, {}, true);
  EXPECT_TRUE(colored.starts_with("\033[31merror\033[0m: course.kmp"));
  EXPECT_TRUE(colored.ends_with(" \033[2m[layout.truncated]\033[0m\n"));
}

TEST(FindingsText, PutsBlankLinesAroundLongFindings) {
  Diagnostic brief;
  brief.severity = Severity::hint;
  brief.id = "a.b";
  brief.message = "x";
  EXPECT_EQ(report::findings_text({brief, brief, truncated(), brief}, file_of(0x26)),
            "hint: x [a.b]\n"
            "hint: x [a.b]\n"
            "\n" +
                report::finding_text(truncated(), file_of(0x26)) +
                "\n"
                "hint: x [a.b]\n");
  EXPECT_EQ(report::findings_text({}, {}), "");
}

TEST(FindingsText, SummaryCountsEachSeverity) {
  const auto of = [](Severity s) {
    Diagnostic d;
    d.severity = s;
    return d;
  };
  EXPECT_EQ(report::findings_summary({}), "no problems found");
  EXPECT_EQ(
      report::findings_summary({of(Severity::hint), of(Severity::error), of(Severity::warning), of(Severity::stop)}),
      "2 errors, 1 warning, 1 hint");
}

TEST(FindingsJson, OmitsUnknownFields) {
  Diagnostic d = truncated();
  d.place.bit = 3;
  d.place.bits = 5;
  Diagnostic bare;
  bare.id = "x.y";
  EXPECT_EQ(
      dio::json::write(report::findings_json({d, bare}, {.with_findings = 1, .known = 2}), {.indent = 0}),
      R"({"schema": "diorama.check/1", "findings": [{"severity": "stop", "id": "layout.truncated", )"
      R"("file": "course.kmp", "offset": 36, "size": 4, "bit": 3, "bits": 5, "path": "KTPT.entries[1].position.x", )"
      R"("expected": "4 more bytes", "found": "the end of the file at 0x26"}, {"severity": "stop", "id": "x.y"}], )"
      R"("summary": {"stop": 2, "error": 0, "warning": 0, "hint": 0, "files": 1, "ignored": 0, "baseline": 2}, )"
      R"("files": 1})");
}

TEST(FindingsSarif, ListsRulesArtifactsAndRegions) {
  static constexpr Rule k_rules[] = {{"kmp.lap", Severity::warning, "the lap line is in group 0",
                                      "The lap would never count.", "Move the lap line there.", "spec, section 4"}};
  Diagnostic lap;
  lap.severity = Severity::warning;
  lap.id = "kmp.lap";
  lap.place.file = "my tracks/caf\xc3\xa9 #1.kmp";
  lap.place.path = "CKPT";
  lap.message = "group 2";
  lap.hint = "move it";
  Diagnostic unknown;
  unknown.severity = Severity::hint;
  unknown.id = "z.z";
  const Value v = report::findings_sarif({truncated(), lap, truncated(), unknown}, {}, k_rules, "1.2.3");

  EXPECT_EQ(v.find("version")->text(), "2.1.0");
  ASSERT_EQ(v.find("runs")->size(), 1u);
  const Value& run = *v.find("runs")->at(0);
  const Value& driver = *run.find("tool")->find("driver");
  EXPECT_EQ(driver.find("name")->text(), "diorama");
  EXPECT_EQ(driver.find("version")->text(), "1.2.3");

  const Value& rules = *driver.find("rules");
  ASSERT_EQ(rules.size(), 3u);
  EXPECT_EQ(rules.at(1)->find("id")->text(), "kmp.lap");
  EXPECT_EQ(rules.at(1)->find("shortDescription")->find("text")->text(), "the lap line is in group 0");
  EXPECT_EQ(rules.at(1)->find("fullDescription")->find("text")->text(), "The lap would never count.");
  EXPECT_EQ(rules.at(1)->find("defaultConfiguration")->find("level")->text(), "warning");
  EXPECT_EQ(rules.at(1)->find("properties")->find("source")->text(), "spec, section 4");
  EXPECT_EQ(rules.at(0)->find("defaultConfiguration")->find("level")->text(), "error");
  EXPECT_EQ(rules.at(2)->size(), 1u);  // for an id without a rule, only the id is known

  const Value& artifacts = *run.find("artifacts");
  ASSERT_EQ(artifacts.size(), 2u);
  EXPECT_EQ(artifacts.at(0)->find("location")->find("uri")->text(), "course.kmp");
  EXPECT_EQ(artifacts.at(1)->find("location")->find("uri")->text(), "my%20tracks/caf%c3%a9%20%231.kmp");

  const Value& results = *run.find("results");
  ASSERT_EQ(results.size(), 4u);
  const Value& first = *results.at(0);
  EXPECT_EQ(first.find("ruleId")->text(), "layout.truncated");
  EXPECT_EQ(first.find("ruleIndex")->bits(), 0u);
  EXPECT_EQ(first.find("level")->text(), "error");
  EXPECT_EQ(first.find("message")->find("text")->text(), "expected 4 more bytes, found the end of the file at 0x26");
  const Value& place = *first.find("locations")->at(0);
  EXPECT_EQ(place.find("physicalLocation")->find("artifactLocation")->find("index")->bits(), 0u);
  EXPECT_EQ(place.find("physicalLocation")->find("region")->find("byteOffset")->bits(), 0x24u);
  EXPECT_EQ(place.find("physicalLocation")->find("region")->find("byteLength")->bits(), 4u);
  EXPECT_EQ(place.find("logicalLocations")->at(0)->find("fullyQualifiedName")->text(), "KTPT.entries[1].position.x");
  EXPECT_EQ(results.at(1)->find("message")->find("text")->text(), "group 2\nmove it");
  EXPECT_EQ(results.at(1)->find("locations")->at(0)->find("physicalLocation")->find("region"), nullptr);
  EXPECT_EQ(results.at(2)->find("ruleIndex")->bits(), 0u);
  EXPECT_EQ(results.at(3)->find("level")->text(), "note");
  EXPECT_EQ(results.at(3)->find("message")->find("text")->text(), "z.z");
  EXPECT_EQ(results.at(3)->find("locations"), nullptr);
  EXPECT_EQ(run.find("properties")->find("summary")->find("hint")->bits(), 1u);
}

TEST(FindingsSarif, WritesPathsAsUris) {
  const auto uri = [](const char* path) {
    Diagnostic d;
    d.id = "a.b";
    d.place.file = path;
    return report::findings_sarif({d}, {}, {}, "")
        .find("runs")
        ->at(0)
        ->find("artifacts")
        ->at(0)
        ->find("location")
        ->find("uri")
        ->text();
  };
  EXPECT_EQ(uri("/home/me/a b.kmp"), "file:///home/me/a%20b.kmp");
  EXPECT_EQ(uri("C:\\maps\\a.kmp"), "file:///C:/maps/a.kmp");
  EXPECT_EQ(uri("game.nds/fielddata/12"), "game.nds/fielddata/12");
  EXPECT_EQ(uri("a:b?c"), "a%3ab%3fc");
}

TEST(FindingsSarif, WritesAnEmptyLogWithoutFindings) {
  const Value v = report::findings_sarif({}, {}, {}, "");
  EXPECT_EQ(v.find("runs")->at(0)->find("results")->size(), 0u);
}

}  // namespace
