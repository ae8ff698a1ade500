// kmp_test.cpp: tests specific to KMP. every_format_test.cpp covers the properties that all formats share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/broken_rules.hpp"
#include "formats/contract/findings.hpp"
#include "formats/kmp/course_kind.hpp"
#include "formats/kmp/objects.hpp"
#include "formats/kmp/semantics.hpp"
#include "kmp/damaged.hpp"
#include "operations/operations.hpp"
#include "samples/kmp/courses.hpp"
#include "samples/samples.hpp"

namespace dio::kmp {

namespace {

using testing::IsEmpty;

const Format& format() { return *find_format("kmp"); }

/// The findings, or the reason why there is no course to check.
Diagnostics findings_of(const Bytes& bytes) {
  auto o = open(bytes, "course.kmp", &format());
  if (!o) return {o.error()};
  return check(*o);
}
using test::listing;
std::set<std::string> ids_of(const Diagnostics& list) {
  std::set<std::string> ids;
  for (const Diagnostic& d : list) ids.insert(d.id);
  return ids;
}
template <class F>
Diagnostics findings_of_race_with(F edit) {
  return findings_of(broken::race_with(edit));
}
const Diagnostic* find(const Diagnostics& list, std::string_view id) {
  for (const Diagnostic& d : list)
    if (d.id == id) return &d;
  return nullptr;
}
std::optional<Severity> severity_in(const Diagnostics& list, std::string_view id) {
  const Diagnostic* d = find(list, id);
  return d ? std::optional(d->severity) : std::nullopt;
}

Bytes sample(std::string_view name) {
  for (Sample& s : samples_of(*find_format("kmp")))
    if (s.name == name) return std::move(s.bytes);
  ADD_FAILURE() << "there is no sample " << name;
  return {};
}
Document<Kmp> loaded(const Bytes& bytes) {
  auto d = load<Kmp>(bytes);
  EXPECT_TRUE(d) << format_one_line(d.error());
  return d ? std::move(d->document) : Document<Kmp>();
}
Bytes saved(const Document<Kmp>& d, SaveOptions options = {}) {
  auto bytes = save(d, options);
  EXPECT_TRUE(bytes) << format_one_line(bytes.error());
  return bytes ? std::move(*bytes) : Bytes();
}
template <class E>
std::vector<Vec3> positions(const std::vector<E>& entries) {
  std::vector<Vec3> all;
  for (const E& e : entries) all.push_back(e.position);
  return all;
}
std::vector<std::string> names_of(const Kmp& k) {
  std::vector<std::string> names;
  for (const Slot& s : k.sections) names.push_back(s.name ? std::string(s.name->view()) : "none");
  return names;
}
const std::vector<std::string> k_usual_order = {"KTPT", "ENPT", "ENPH", "ITPT", "ITPH", "CKPT", "CKPH", "GOBJ",
                                                "POTI", "AREA", "CAME", "JGPT", "CNPT", "MSPT", "STGI"};

// ---- rules ----

TEST(KmpRules, RuleTextsAreComplete) { test::expect_said_in_full(rules(), "kmp."); }
/// The rules of simulated races are tested in race_test.cpp.
TEST(KmpRules, EveryRuleHasABrokenFile) { test::expect_one_for_each(check_rules(), broken_files()); }
TEST(KmpRules, FindsEachFaultAtItsPath) { test::expect_found_where_broken(broken_files()); }

TEST(KmpRules, SamplesHaveNoFindings) {
  EXPECT_EQ(listing(findings_of(bytes_of(race()))), "");
  EXPECT_EQ(listing(findings_of(bytes_of(arena()))), "");
}

TEST(KmpRules, FindingsMatchTheRecordedText) { test::expect_said_as_before(broken_files(), "kmp/damaged.txt"); }

// ---- special cases of checks ----

TEST(KmpChecks, CountsMovingRoadRoutesAsUsed) {
  const Kmp k = race();
  ASSERT_EQ(k.area->entries[1].type, 3);
  ASSERT_EQ(k.area->entries[1].route, 3);  // used by nothing else
  const auto found = findings_of_race_with([](Kmp& r) { r.area->entries[1].type = 1; });
  ASSERT_TRUE(find(found, "kmp.poti-unused"));
  EXPECT_EQ(find(found, "kmp.poti-unused")->place.path, "POTI.entries[3]");
}

TEST(KmpChecks, DispatchPointLinksMayBeOneWay) {
  const Kmp k = arena();
  EXPECT_NE(k.enph->entries[2].next[0], 0);  // not back to group 0, which links to it
  EXPECT_THAT(findings_of(bytes_of(k)), IsEmpty());
}

TEST(KmpChecks, WarnsAboutDispatchPointsWithoutAChoice) {
  const auto found = findings_of(broken::arena_with([](Kmp& k) { k.enph->entries[0].next = broken::links({2}); }));
  EXPECT_EQ(severity_in(found, "kmp.grp-next"), Severity::warning);
}

TEST(KmpChecks, ReportsEachFaultOnce) {
  const auto count = [](const Diagnostics& found, std::string_view id) {
    return std::ranges::count(found, id, [](const Diagnostic& d) { return std::string_view(d.id); });
  };
  // No group is linked: one finding, not one per group.
  const auto unlinked = findings_of_race_with([](Kmp& k) {
    for (Group& g : k.enph->entries) g.next = broken::links({});
  });
  EXPECT_EQ(count(unlinked, "kmp.grp-next"), 1);
  // A group that no other group reaches and that has no previous group is reported once, for the latter.
  const auto lonely = findings_of_race_with([](Kmp& k) {
    k.enph->entries[3].previous = broken::links({});
    for (Group& g : k.enph->entries) std::ranges::replace(g.next, u8(3), k_no_link);
  });
  EXPECT_EQ(count(lonely, "kmp.grp-prev"), 1);
  EXPECT_EQ(count(lonely, "kmp.grp-reach"), 0);
  // Consecutive entries are merged into one finding.
  const auto thin = findings_of_race_with([](Kmp& k) {
    for (size_t i = 2; i < 6; ++i) k.enpt->entries[i].deviation = 0;
    k.enpt->entries[8].deviation = -1;
    for (size_t i = 1; i < 4; ++i) k.gobj->entries[i].presence = 0;
  });
  EXPECT_EQ(count(thin, "kmp.pt-dev"), 2);
  EXPECT_EQ(find(thin, "kmp.pt-dev")->message, "deviation is 0 or less at points 2 to 5; it should be above 0");
  EXPECT_EQ(count(thin, "kmp.gobj-presence"), 1);
  EXPECT_EQ(find(thin, "kmp.gobj-presence")->message, "objects 1 to 3 are switched off: they never appear");
}

TEST(KmpChecks, ArenasNeedNoLapsOrRaceCameras) {
  const auto found = findings_of(broken::arena_with([](Kmp& k) {
    for (Area& a : k.area->entries)
      if (a.type == 0) a.type = 1;
    for (Camera& a : k.came->entries)
      if (a.type == 0) a.type = 1;
    for (Group& g : k.enph->entries) std::ranges::replace(g.next, u8(3), u8(1));
  }));
  for (const char* id : {"kmp.area-none", "kmp.came-goal", "kmp.grp-reach"}) EXPECT_FALSE(find(found, id)) << id;
}

TEST(KmpChecks, HintGivesTheRightStartAngle) {
  const auto found = findings_of_race_with([](Kmp& k) { k.ktpt->entries[0].rotation.y += 30; });
  ASSERT_TRUE(find(found, "kmp.ktpt-line"));
  const std::string hint = find(found, "kmp.ktpt-line")->hint;
  ASSERT_TRUE(hint.starts_with("to face the lap line, set rotation.y to ")) << hint;
  const f32 angle = std::stof(hint.substr(40));
  EXPECT_FALSE(find(findings_of_race_with([&](Kmp& k) { k.ktpt->entries[0].rotation.y = angle; }), "kmp.ktpt-line"));
}

TEST(KmpChecks, OldFilesMayLackSections) {
  for (u32 version : {0u, 1600u})
    EXPECT_EQ(ids_of(findings_of(bytes_of(older(version)))), std::set<std::string>{"kmp.ver"}) << version;
}

TEST(KmpChecks, RespawnPointsMayBeAheadOfTheLine) {
  EXPECT_THAT(findings_of_race_with([](Kmp& k) { k.jgpt->entries[0].position.x += 2000; }), IsEmpty());
}

TEST(KmpChecks, AcceptsLeftoverPresenceBits) {
  EXPECT_THAT(findings_of_race_with([](Kmp& k) { k.gobj->entries[0].presence = 0x07; }), IsEmpty());
  EXPECT_THAT(findings_of_race_with([](Kmp& k) { k.gobj->entries[0].presence = 0x3B; }), IsEmpty());
  // a palm tree is also solid; a sound is not
  EXPECT_THAT(findings_of_race_with(
                  [](Kmp& k) { k.gobj->entries.push_back({0x002, 0, {}, {}, {1, 1, 1}, k_no_route, {}, 0x3D}); }),
              IsEmpty());
}

TEST(KmpChecks, SeverityDependsOnTheEffect) {
  const auto severity = [](std::string_view id, auto edit) { return severity_in(findings_of_race_with(edit), id); };
  using enum Severity;
  EXPECT_EQ(severity("kmp.ckpt-lap", [](Kmp& k) { k.ckpt->entries[0].type = -1; }), error);
  EXPECT_EQ(severity("kmp.ckpt-lap", [](Kmp& k) { k.ckpt->entries[1].type = 0; }), hint);
  EXPECT_EQ(severity("kmp.ckpt-key", [](Kmp& k) { k.ckpt->entries[12].type = -1; }), hint);
  EXPECT_EQ(severity("kmp.ckpt-key", [](Kmp& k) { k.ckpt->entries[5].type = 1; }), warning);
  EXPECT_EQ(severity("kmp.grp-contig", [](Kmp& k) { k.ckph->entries[0].count = 23; }), error);
  EXPECT_EQ(severity("kmp.grp-contig", [](Kmp& k) { k.enph->entries[3].count = 2; }), warning);
  EXPECT_EQ(severity("kmp.gobj-id", [](Kmp& k) { k.gobj->entries[4].id = 0; }), hint);
  EXPECT_EQ(severity("kmp.gobj-id", [](Kmp& k) { k.gobj->entries.resize(200, k.gobj->entries[0]); }), hint);
  EXPECT_EQ(severity("kmp.gobj-id", [](Kmp& k) { k.gobj->entries.resize(256, k.gobj->entries[0]); }), warning);
  EXPECT_EQ(severity("kmp.gobj-route", [](Kmp& k) { k.gobj->entries[5].route = k_no_route; }), warning);
  EXPECT_EQ(severity("kmp.gobj-route", [](Kmp& k) { k.gobj->entries[0].route = 0; }), hint);
  EXPECT_EQ(severity("kmp.gobj-presence", [](Kmp& k) { k.gobj->entries[0].presence = 0x38; }), hint);
  EXPECT_EQ(severity("kmp.came-route", [](Kmp& k) { k.came->entries[1].route = k_no_link; }), warning);
  EXPECT_EQ(
      severity("kmp.came-route", [](Kmp& k) { k.came->entries[2].type = 2, k.came->entries[2].route = k_no_link; }),
      hint);
  EXPECT_EQ(severity("kmp.pt-online", [](Kmp& k) { k.enpt->entries[0].position.x = 122000; }), hint);
  EXPECT_EQ(severity("kmp.pt-online", [](Kmp& k) { k.enpt->entries[0].position.x = -127000; }), warning);
  EXPECT_EQ(severity("kmp.pt-online", [](Kmp& k) { k.enpt->entries[0].position.x = 130000; }), error);
  EXPECT_EQ(severity("kmp.ktpt-line", [](Kmp& k) { k.ktpt->entries[0].position.x -= 600; }), hint);
  EXPECT_EQ(severity("kmp.ktpt-line", [](Kmp& k) { k.ktpt->entries[0].position.x += 600; }), hint);
  EXPECT_EQ(severity("kmp.ktpt-line", [](Kmp& k) { k.ktpt->entries[0].rotation.y = 92; }), hint);
  EXPECT_EQ(severity("kmp.ktpt-line", [](Kmp& k) { k.ktpt->entries[0].rotation.y = 90.5f; }), std::nullopt);
  EXPECT_EQ(severity("kmp.ckpt-near", [](Kmp& k) { k.ckpt->entries[7] = k.ckpt->entries[6]; }), warning);
  EXPECT_EQ(severity("kmp.came-type", [](Kmp& k) { k.came->entries[3].type = 7; }), hint);
  EXPECT_EQ(severity("kmp.came-goal", [](Kmp& k) { k.came->entries[0].type = 1; }), hint);
  EXPECT_EQ(severity("kmp.cnpt-effect", [](Kmp& k) { k.cnpt->entries[0].effect = -2; }), hint);
  EXPECT_EQ(severity("kmp.stgi", [](Kmp& k) { k.stgi->entries[0].laps = 5; }), hint);
  EXPECT_EQ(severity_in(findings_of(sample("length_zero.kmp")), "kmp.hdr-len"), warning);
  EXPECT_EQ(severity_in(findings_of(sample("truncated.kmp")), "kmp.hdr-len"), error);
}

TEST(KmpChecks, ReportsTruncatedSectionsOnce) {
  // The rest of the file is missing: references into it are not reported again.
  EXPECT_EQ(ids_of(findings_of(sample("truncated.kmp"))),
            (std::set<std::string>{"kmp.hdr-len", "kmp.sec-offset", "kmp.sec-count", "layout.raw"}));
}

TEST(KmpChecks, ChecksTheRoutePointTotal) {
  broken::File f;
  f.set(f.start(broken::k_poti) + 6, 2, 99);
  const auto found = findings_of(f.bytes);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].place.path, "POTI.point_total");
}

TEST(KmpChecks, ChangedBytesDoNotCrashTheChecks) {
  // Changes every byte of a course in turn and checks it without a crash; most files can still be read.
  for (const Kmp& k : {race(), arena()}) {
    Bytes bytes = bytes_of(k);
    for (size_t i = 0; i < bytes.size(); ++i)
      for (const u8 with : {u8(0xFF), u8(0x7F), u8(0x00)}) {
        const u8 before = std::exchange(bytes[i], with);
        if (auto d = load<Kmp>(bytes)) {
          Findings f(rules());
          f.file_size = bytes.size();
          check(d->document.value(), f);
        }
        bytes[i] = before;
      }
  }
}

TEST(KmpChecks, LimitsFindingsForHugeCourses) {
  Kmp k = race();
  k.ckpt->entries.resize(65535, k.ckpt->entries[3]);
  k.enpt->entries.resize(65535, k.enpt->entries[3]);
  k.enph->entries.resize(65535,
                         Group{0, 255, broken::links({1, 1, 1, 1, 1, 1}), broken::links({2, 2, 2, 2, 2, 2}), {}});
  k.ckph->entries.resize(65535,
                         Group{0, 255, broken::links({1, 1, 1, 1, 1, 1}), broken::links({2, 2, 2, 2, 2, 2}), {}});
  for (CheckPoint& c : k.ckpt->entries) c.left.x = std::numeric_limits<f32>::infinity();
  for (EnemyPoint& e : k.enpt->entries) e.position.z = std::numeric_limits<f32>::quiet_NaN();
  Findings f(rules());
  check(k, f);
  EXPECT_LE(f.list.size(), 10000u);
  EXPECT_TRUE(find(f.list, "kmp.pt-count"));
  EXPECT_TRUE(find(f.list, "kmp.float"));
}

// ---- objects, races and arenas ----

TEST(KmpObjects, ListsEveryObjectOnce) {
  const auto kinds = object_kinds();
  EXPECT_EQ(kinds.size(), 316u);
  EXPECT_TRUE(std::is_sorted(kinds.begin(), kinds.end(), [](auto& a, auto& b) { return a.id < b.id; }));
  EXPECT_EQ(std::adjacent_find(kinds.begin(), kinds.end(), [](auto& a, auto& b) { return a.id == b.id; }), kinds.end());
  size_t always = 0, never = 0, optional = 0;
  std::set<std::string_view> names;
  for (const ObjectKind& k : kinds) {
    EXPECT_FALSE(k.name.empty());
    EXPECT_TRUE(names.insert(k.name).second) << k.name << " twice";
    EXPECT_EQ(object_kind(k.id), &k);
    EXPECT_EQ(k_object_names.of(k.id), k.name);
    always += k.route == RouteNeed::always;
    never += k.route == RouteNeed::never;
    optional += k.route == RouteNeed::optional;
  }
  EXPECT_EQ(always, 51u);
  EXPECT_EQ(never, 201u);
  EXPECT_EQ(optional, 1u);
  EXPECT_EQ(object_kind(0x0DB)->route, RouteNeed::optional);
}

TEST(KmpObjects, FindsObjectsById) {
  EXPECT_EQ(object_kind(0x001)->name, "airblock");
  EXPECT_EQ(object_kind(0x065)->name, "itembox");
  EXPECT_EQ(object_kind(0x191)->name, "kuribo");
  EXPECT_EQ(object_kind(0x2F3)->name, "DKfalls");
  for (const u16 id : {0x000, 0x064, 0x190, 0x2F4, 0xFFFF}) EXPECT_EQ(object_kind(id), nullptr) << id;
}

TEST(KmpCourseKind, DistinguishesRacesFromArenas) {
  EXPECT_FALSE(guess_course_kind(race()).arena);
  EXPECT_EQ(guess_course_kind(race()).score, 0);
  EXPECT_EQ(guess_course_kind(race()).dispatch_points, 0);
  const CourseKind a = guess_course_kind(arena());
  EXPECT_TRUE(a.arena);
  EXPECT_EQ(a.score, 3 + 3 + 4 + 4);
  EXPECT_EQ(a.dispatch_points, 2);
  EXPECT_TRUE(a.dispatch_arena());
}

TEST(KmpCourseKind, NeedsSeveralSignsForAnArena) {
  Kmp k = race();
  k.ckpt->entries.clear();
  k.itpt->entries.clear();
  EXPECT_EQ(guess_course_kind(k).score, 6);
  EXPECT_FALSE(guess_course_kind(k).arena);
  k.mspt->entries.resize(3);
  EXPECT_TRUE(guess_course_kind(k).arena);  // 9
  Kmp empty{};
  EXPECT_EQ(guess_course_kind(empty).score, 6);
  EXPECT_FALSE(guess_course_kind(empty).arena);
}

// ---- versions ----

TEST(KmpVersions, EntrySizesDependOnTheVersion) {
  EXPECT_EQ(wire_size<StartPoint>(0), 0x18u);
  EXPECT_EQ(wire_size<StartPoint>(1), 0x1Cu);
  EXPECT_EQ(wire_size<StartPoint>(k_final), 0x1Cu);
  EXPECT_EQ(wire_size<EnemyPoint>(0), 0x0Cu);
  EXPECT_EQ(wire_size<EnemyPoint>(1), 0x14u);
  EXPECT_EQ(wire_size<Camera>(0x640), 0x44u);
  EXPECT_EQ(wire_size<Camera>(0x641), 0x48u);
  EXPECT_EQ(wire_size<Area>(2199), 0x2Cu);
  EXPECT_EQ(wire_size<Area>(2200), 0x30u);
  EXPECT_EQ(wire_size<Stage>(2319), 0x08u);
  EXPECT_EQ(wire_size<Stage>(2320), 0x0Cu);
}

TEST(KmpVersions, StartPointsHaveACountSince1831) {
  for (const auto& [version, size] : {std::pair{1830u, 0x20u}, {1831u, 0x24u}, {2520u, 0x24u}}) {
    const Document<Kmp> d = loaded(bytes_of(older(version)));
    EXPECT_EQ(d.value().version, version);
    EXPECT_EQ(d.value().sections[0].offset, 0u);
    EXPECT_EQ(d.value().sections[1].offset, size) << version;
    ASSERT_EQ(d.value().ktpt->entries.size(), 1u) << version;
    EXPECT_EQ(d.value().ktpt->entries[0].position, race().ktpt->entries[0].position) << version;
  }
}

TEST(KmpVersions, UnversionedFilesHaveAShorterHeader) {
  const Bytes bytes = bytes_of(older(0));
  const Document<Kmp> d = loaded(bytes);
  EXPECT_FALSE(d.value().version);
  EXPECT_EQ(d.value().header_size, 0x0C + 4 * d.value().sections.size());
  EXPECT_FALSE(d.value().enph);
  EXPECT_EQ(d.value().enpt->entries[5].position, race().enpt->entries[5].position);
  EXPECT_EQ(d.value().enpt->entries[5].deviation, 0);  // not in the file
}

TEST(KmpVersions, SectionSizeOverridesTheVersion) {
  struct Case {
    u32 version;
    size_t slot;
    u16 entry_size;
    const char* name;
  };
  // the sections are written with the entry size of another version
  for (const Case& c : {Case{1600, 0, 0x18, "KTPT"},
                        {1700, 10, 0x44, "CAME"},
                        {1600, 10, 0x48, "CAME"},
                        {2000, 9, 0x30, "AREA"},
                        {2300, 9, 0x2C, "AREA"},
                        {2000, 14, 0x0C, "STGI"},
                        {2320, 14, 0x08, "STGI"},
                        {2000, 1, 0x0C, "ENPT"}}) {
    Kmp k = race();
    k.version = c.version;
    k.settle();
    k.sections[c.slot].entry_size = c.entry_size;
    const Bytes bytes = bytes_of(k);
    const Document<Kmp> d = loaded(bytes);
    EXPECT_EQ(d.value().sections[c.slot].name->view(), c.name);
    EXPECT_EQ(d.value().sections[c.slot].entry_size, c.entry_size) << c.name << " in version " << c.version;
    EXPECT_FALSE(d.value().sections[c.slot].raw) << c.name;
    EXPECT_EQ(std::count_if(d.value().sections.begin(), d.value().sections.end(),
                            [](const Slot& s) { return s.entry_size.has_value(); }),
              1);
    EXPECT_EQ(saved(d), bytes) << c.name;
    EXPECT_FALSE(find(findings_of(bytes), "kmp.sec-count")) << c.name;
    EXPECT_FALSE(find(findings_of(bytes), "kmp.sec-overlap")) << c.name;
  }
}

TEST(KmpVersions, OldVersionsRoundTripUnchanged) {
  for (u32 version : {0u, 1u, 1600u, 1601u, 1830u, 1831u, 2199u, 2200u, 2319u, 2320u, 2510u, 2520u}) {
    const Bytes bytes = bytes_of(older(version));
    const Document<Kmp> d = loaded(bytes);
    EXPECT_EQ(saved(d), bytes) << version;
    EXPECT_EQ(saved(d, {.canonical = true}), bytes) << version;
  }
}

// ---- irregular files ----

TEST(KmpIrregular, RoundTripsByteForByte) {
  for (const Sample& s : samples_of(*find_format("kmp"))) EXPECT_EQ(saved(loaded(s.bytes)), s.bytes) << s.name;
  for (const test::BrokenFile& b : broken_files()) {
    auto d = load<Kmp>(b.bytes);
    EXPECT_TRUE(!d || saved(d->document) == b.bytes) << b.id;
  }
}

TEST(KmpIrregular, ReportsEveryIrregularity) {
  const auto ids = [](std::string_view name) { return ids_of(findings_of(sample(name))); };
  using Ids = std::set<std::string>;
  EXPECT_EQ(ids("trailing_zeros.kmp"), Ids{});
  EXPECT_EQ(ids("trailing_text.kmp"), Ids{"kmp.trailing"});
  EXPECT_EQ(ids("length_zero.kmp"), Ids{"kmp.hdr-len"});
  EXPECT_EQ(ids("reordered.kmp"), Ids{"kmp.sec-order"});
  EXPECT_EQ(ids("unknown_section.kmp"), Ids{"kmp.sec-unknown"});
  EXPECT_EQ(ids("double_section.kmp"), Ids{"kmp.sec-double"});
  EXPECT_EQ(ids("shared_section.kmp"), (Ids{"kmp.sec-double", "kmp.sec-missing", "kmp.sec-overlap"}));
  EXPECT_EQ(ids("strange_floats.kmp"), Ids{"kmp.float"});
  EXPECT_TRUE(ids("few_sections.kmp").contains("kmp.sec-missing"));
}

TEST(KmpIrregular, EditsKeepTrailingBytes) {
  const Bytes bytes = sample("trailing_text.kmp");
  Document<Kmp> d = loaded(bytes);
  d.edit().jgpt->entries.push_back({{1, 2, 3}, {0, 90, 0}, 3, -1});
  const Bytes after = saved(d);
  EXPECT_EQ(after.size(), bytes.size() + 0x1C);
  EXPECT_EQ(std::string(after.end() - 16, after.end()), "made by hand 1.0");
  EXPECT_EQ(loaded(after).value().length, after.size());
}

TEST(KmpIrregular, FirstDuplicateSectionWins) {
  const Document<Kmp> d = loaded(sample("double_section.kmp"));
  EXPECT_EQ(d.value().stgi->entries[0].laps, 3);
  ASSERT_EQ(d.value().sections.size(), 16u);
  ASSERT_TRUE(d.value().sections[15].raw);
  EXPECT_EQ((*d.value().sections[15].raw)[8], 5);  // laps of the second section, which the game ignores
  EXPECT_FALSE(d.value().sections[14].raw);
}

TEST(KmpIrregular, KeepsUnknownSections) {
  const Document<Kmp> d = loaded(sample("unknown_section.kmp"));
  EXPECT_EQ(d.value().sections[15].name->view(), "XPND");
  EXPECT_EQ(d.value().sections[15].raw, (Bytes{'X', 'P', 'N', 'D', 0, 1, 0, 0, 1, 2, 3, 4}));
}

TEST(KmpIrregular, ReadsIntactSectionsOfTruncatedFiles) {
  auto r = load<Kmp>(sample("truncated.kmp"));
  ASSERT_TRUE(r);
  const Kmp& k = r->document.value();
  EXPECT_EQ(positions(k.enpt->entries), positions(race().enpt->entries));
  EXPECT_FALSE(k.gobj);
  EXPECT_TRUE(k.sections[7].raw);
  EXPECT_FALSE(k.sections[8].name);  // outside the file
  ASSERT_EQ(r->notes.size(), 1u);
  EXPECT_EQ(r->notes[0].severity, Severity::warning);
}

TEST(KmpIrregular, KeepsFloatBitPatterns) {
  const Document<Kmp> d = loaded(sample("strange_floats.kmp"));
  const Vec3& r = d.value().ktpt->entries[0].rotation;
  EXPECT_EQ(std::bit_cast<u32>(r.x), 0x80000000u);
  EXPECT_EQ(std::bit_cast<u32>(r.y), 0x7FC12345u);
  EXPECT_EQ(std::bit_cast<u32>(r.z), 0xFF800000u);
}

TEST(KmpIrregular, ReadsFilesWithFewSections) {
  const Document<Kmp> d = loaded(sample("few_sections.kmp"));
  EXPECT_EQ(names_of(d.value()), (std::vector<std::string>{"KTPT", "JGPT", "STGI"}));
  EXPECT_EQ(d.value().header_size, 0x10 + 4 * 3);
  EXPECT_FALSE(d.value().ckpt);
}

// ---- editing ----

TEST(KmpEdit, AddsAnEnemyPoint) {
  Document<Kmp> d = loaded(bytes_of(race()));
  Kmp& k = d.edit();
  k.enpt->entries.push_back({{1, 40, 3}, 7, 1, 2, 0x80});
  k.enph->entries[3].count += 1;
  const Bytes bytes = saved(d);
  EXPECT_EQ(bytes.size(), bytes_of(race()).size() + 0x14);
  const Document<Kmp> again = loaded(bytes);
  EXPECT_EQ(positions(again.value().enpt->entries), positions(k.enpt->entries));
  EXPECT_EQ(again.value().enpt->entries.back().mode, 1);
  EXPECT_EQ(again.value().enpt->entries.back().flags, 0x80);
  EXPECT_EQ(again.value().length, bytes.size());
  EXPECT_EQ(again.value().sections[2].offset, loaded(bytes_of(race())).value().sections[2].offset + 0x14);
  EXPECT_EQ(again.value().stgi->entries.size(), 1u);
  EXPECT_EQ(saved(again), bytes);
}

TEST(KmpEdit, UpdatesTheRoutePointTotal) {
  Document<Kmp> d = loaded(bytes_of(race()));
  const u16 before = d.value().poti->header.point_total;
  d.edit().poti->entries[0].points.push_back({{0, 0, 0}, 30, 0});
  EXPECT_EQ(loaded(saved(d)).value().poti->header.point_total, before + 1);
}

TEST(KmpEdit, UpdatesTheSectionTable) {
  Document<Kmp> d = loaded(bytes_of(race()));
  d.edit().cnpt.reset();
  const Document<Kmp> without = loaded(saved(d));
  auto names = k_usual_order;
  names.erase(std::find(names.begin(), names.end(), "CNPT"));
  EXPECT_EQ(names_of(without.value()), names);
  EXPECT_EQ(without.value().header_size, 0x10 + 4 * 14);

  Document<Kmp> back = loaded(saved(without));
  back.edit().cnpt = race().cnpt;
  EXPECT_EQ(saved(back), bytes_of(race()));
}

TEST(KmpEdit, PutsNewSectionsInTheUsualOrder) {
  Kmp k{};
  k.stgi.emplace();
  k.settle();
  EXPECT_EQ(names_of(k), std::vector<std::string>{"STGI"});
  k.poti.emplace();
  k.ktpt.emplace();
  k.settle();
  EXPECT_EQ(names_of(k), (std::vector<std::string>{"KTPT", "POTI", "STGI"}));
  k.poti.reset();
  k.settle();
  EXPECT_EQ(names_of(k), (std::vector<std::string>{"KTPT", "STGI"}));
  k.sections.push_back({0, fourcc("XPND"), {}, Bytes{'X', 'P', 'N', 'D'}});  // an unknown section stays, and stays last
  k.enpt.emplace();
  k.settle();
  EXPECT_EQ(names_of(k), (std::vector<std::string>{"KTPT", "ENPT", "STGI", "XPND"}));
  k.settle();
  EXPECT_EQ(names_of(k), (std::vector<std::string>{"KTPT", "ENPT", "STGI", "XPND"}));
}

TEST(KmpEdit, KeepsTheOrderOfTheTable) {
  Document<Kmp> d = loaded(sample("reordered.kmp"));
  auto names = names_of(d.value());
  ASSERT_EQ(names.front(), "STGI");
  d.edit().ktpt->entries[0].position.x += 1;
  EXPECT_EQ(names_of(loaded(saved(d)).value()), names);
}

// ---- canonical ----

TEST(KmpCanonical, SortsSectionsAndDropsTrailingBytes) {
  const Bytes plain = bytes_of(race());
  for (const char* name : {"race.kmp", "reordered.kmp", "trailing_zeros.kmp", "trailing_text.kmp", "length_zero.kmp"}) {
    const Bytes once = saved(loaded(sample(name)), {.canonical = true});
    EXPECT_EQ(once, plain) << name;
    EXPECT_EQ(names_of(loaded(once).value()), k_usual_order) << name;
  }
}

TEST(KmpCanonical, CanonicalFormIsStable) {
  for (const Sample& s : samples_of(*find_format("kmp"))) {
    if (s.name == "truncated.kmp") continue;  // one part is known only by its size
    const Bytes once = saved(loaded(s.bytes), {.canonical = true});
    EXPECT_EQ(saved(loaded(once), {.canonical = true}), once) << s.name;
    EXPECT_EQ(saved(loaded(once)), once) << s.name;
  }
}

TEST(KmpCanonical, PutsUnknownSectionsLast) {
  const Bytes bytes = broken::race_with([](Kmp& k) {
    k.settle();
    k.sections.insert(k.sections.begin(), Slot{0, fourcc("XPND"), {}, Bytes{'X', 'P', 'N', 'D', 0, 0, 0, 0}});
  });
  const Document<Kmp> d = loaded(bytes);
  ASSERT_EQ(names_of(d.value()).front(), "XPND");
  auto names = k_usual_order;
  names.push_back("XPND");
  EXPECT_EQ(names_of(loaded(saved(d, {.canonical = true})).value()), names);
}

// Other programs append numbers to duplicate names, and "camera 0.001" is hard to find.
TEST(KmpScene, AllNodeNamesAreUnique) {
  for (const Sample& sample : samples_of(format())) {
    const auto o = open(sample.bytes, sample.name, &format());
    if (!o) continue;
    const auto staged = to_scene(*o);
    if (!staged) continue;
    std::set<std::string> names;
    for (const scene::Node& n : staged->scene.nodes)
      EXPECT_TRUE(names.insert(n.name).second) << sample.name << ": " << n.name;
  }
}

}  // namespace

TEST(Kmp, NamesWhatLeCodeAdds) {
  EXPECT_EQ(object_label(0x065), "itembox");
  EXPECT_EQ(object_label(0x1065), "itembox (LE-CODE)");
  EXPECT_EQ(object_label(0x2001), "LE-CODE definition (bits)");
  EXPECT_EQ(object_label(0x5FFF), "LE-CODE definition (any condition)");
  EXPECT_EQ(object_label(0x6000), "LE-CODE definition (all conditions)");
  EXPECT_EQ(object_label(0x8000), "object 0x8000");
  Area a{};
  a.type = 10, a.route = 255;
  EXPECT_EQ(fall_condition(a), "");
  a.setting_1 = 3, a.setting_2 = 8;
  EXPECT_EQ(fall_condition(a), "at checkpoints 3 to 7");
  std::swap(a.setting_1, a.setting_2);
  EXPECT_EQ(fall_condition(a), "except at checkpoints 3 to 7");
  a.setting_2 = 7;
  EXPECT_EQ(fall_condition(a), "except at checkpoint 7");
  a.setting_2 = 8;
  EXPECT_EQ(fall_condition(a), "never");
  a.route = 1, a.setting_1 = 1, a.setting_2 = 2;
  EXPECT_EQ(fall_condition(a), "except at key 2");
  a.setting_1 = 0;
  EXPECT_EQ(fall_condition(a), "at key 2");
  a.type = 9;
  EXPECT_EQ(fall_condition(a), "");
}

}  // namespace dio::kmp
