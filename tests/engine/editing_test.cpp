// editing_test.cpp: random edits of lists in every format. References keep their targets, none newly points outside its
// list, and undo restores the same bytes. Elements are identified by their content without references, not by index.
#include "operations/editing.hpp"

#include <gtest/gtest.h>

#include <random>

#include "bridge/report/diff.hpp"
#include "core/text_format.hpp"
#include "engine/meanings.hpp"
#include "engine/random_edits.hpp"
#include "engine/seeds.hpp"
#include "formats/contract/format.hpp"
#include "kmp/generator.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio::test {
namespace {

/// Edits a file at random and checks the invariants. Returns the number of edits made. `is_sound`: no parts overlap and
/// all can be read; otherwise a new layout changes the content.
u64 edit_at_random(const Bytes& file, const ReadAs& as, u64 seed, int edits, bool is_sound = true) {
  auto begun = Editing::begin(file, as);
  if (!begun) return 0;
  Editing& e = *begun;
  std::mt19937_64 random(seed);
  const auto below = [&](u64 n) { return n ? random() % n : 0; };
  u64 made = 0;
  for (int k = 0; k < edits; ++k) {
    const auto lists = lists_of(e.spans());
    if (lists.empty()) break;
    const u32 list = lists[size_t(below(lists.size()))];
    const u64 n = e.spans().length(list);
    const std::string path = e.spans().path(list);
    if (path == "sections" || is_made_again(path))
      continue;  // the first section of a name wins, so their order is content
    const auto element = [&] { return path + "[" + std::to_string(below(n)) + "]"; };
    const u64 kind = below(6);
    const Bytes before = e.bytes();
    const Meanings meant = meanings(e.spans(), kind == 3 || kind == 4);
    const u64 wrong = outside(e.spans());
    const size_t done = e.done();
    Destination to;
    if (below(2)) (below(2) ? to.before : to.after) = below(n);
    Destination there = to;
    if (!there.before && !there.after) there.after = below(n);
    std::string what;
    const auto result = [&]() -> Result<std::string> {
      switch (kind) {
        case 0:
          return e.duplicate(what = element(), to);
        case 1:
          return e.move(what = element(), there);
        case 2:
          return e.swap(what = element(), element());
        case 3:
          return e.remove(what = element(), Referrers::refuse);
        case 4:
          return e.add(what = path, {}, to);
        default:
          return e.remove(what = element(), below(2) ? Referrers::unlink : Referrers::cascade);
      }
    }();
    SCOPED_TRACE(std::to_string(kind) + " " + what + ": " + (result ? *result : format_one_line(result.error())));
    if (!result) {
      EXPECT_EQ(e.bytes(), before);
      EXPECT_EQ(e.done(), done);
      continue;
    }
    ++made;
    if (is_sound) {
      // copies keep the references of their originals
      EXPECT_LE(outside(e.spans()), wrong + (kind == 0 || kind == 4 ? 16 : 0));
    }
    const auto edited = e.spans().find(path);
    const u64 left = edited ? e.spans().length(edited->span) : 0, wanted = kind == 0 || kind == 4 ? n + 1
                                                                           : kind == 3            ? n - 1
                                                                                                  : n;
    // Some formats derive some of their lists.
    const Meanings now = is_sound && left == wanted ? meanings(e.spans(), kind == 3 || kind == 4) : meant;
    if (kind == 1 || kind == 2) {
      EXPECT_EQ(now, meant);
    }
    if (kind == 0) {
      EXPECT_TRUE(std::ranges::includes(now, meant));
    }
    if (kind == 3 && !testing::Test::HasFailure()) {
      // The removed element had no references to it: only its own references disappear, and groups shrink.
      u64 kept = 0;
      for (const auto& m : now) kept += meant.contains(m);
      const References references(e.spans());
      const u64 runs =
          u64(std::ranges::count_if(references.all(), [](const ResolvedReference& r) { return r.is_run(); }));
      EXPECT_GE(kept + runs, now.size());
      if (kept + runs < now.size()) {
        EXPECT_EQ(now, meant);
      }
    }
    const Bytes after = e.bytes();
    e.undo();
    EXPECT_EQ(e.bytes(), before);
    e.redo();
    EXPECT_EQ(e.bytes(), after);
    if (testing::Test::HasFailure()) return made;
  }
  while (e.can_undo()) e.undo();
  EXPECT_EQ(e.bytes(), file);
  return made;
}

class FormatEdits : public testing::TestWithParam<const Format*> {};
INSTANTIATE_TEST_SUITE_P(Formats, FormatEdits, testing::ValuesIn(formats()), [](const auto& p) {
  std::string name(p.param->id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(FormatEdits, EditsKeepReferencesAndCanBeUndone) {
  for (const Sample& s : samples_of(*GetParam())) {
    SCOPED_TRACE(s.name);
    edit_at_random(s.bytes, GetParam(), from_environment("DIORAMA_SEED", 0), int(from_environment("DIORAMA_EDITS", 8)));
    if (HasFailure()) return;
  }
}

TEST_P(FormatEdits, EditsMakeExactlyTheRequestedChange) {
  const u64 seeds = from_environment("DIORAMA_EDITS", 8);
  for (const Sample& s : samples_of(*GetParam()))
    for (u64 seed = 0; seed < seeds; ++seed) {
      auto begun = Editing::begin(s.bytes, ReadAs{GetParam()}, {.name = s.name});
      if (!begun) break;
      for (u64 step = 0; step < 3; ++step)
        ASSERT_EQ(broken_promise(*begun, 31 * seed + step), "") << s.name << ", seed " << seed << ", step " << step;
    }
}

TEST(Editing, KeepsReferencesInGeneratedCourses) {
  const ReadAs kmp = find_format_and_layout("kmp");
  u64 made = 0;
  each_seed(150, [&](u64 seed) {
    const Bytes file = KmpGenerator(seed).file();
    made += edit_at_random(file, kmp, seed, 10, false);
    // The same course in a layout without gaps and overlaps.
    const auto opened = open(file, "course.kmp", kmp);
    const auto clean = opened ? opened->document->save({.canonical = true, .lossy = true}) : refuse(opened.error());
    if (clean) made += edit_at_random(*clean, kmp, seed, 10);
  });
  EXPECT_GT(made, 100u);
}

/// A course with routes, objects and cameras.
Editing race() {
  const Format* kmp = find_format("kmp");
  for (const Sample& s : samples_of(*kmp))
    if (s.name == "race.kmp") return std::move(*Editing::begin(s.bytes, kmp));
  ADD_FAILURE();
  return std::move(*Editing::begin(Bytes(), kmp));
}
std::string get(const Editing& e, std::string_view path) {
  const auto spot = e.spans().find(path);
  return spot ? e.spans().show(*spot) : "no such value";
}
std::string problem(const Result<std::string>& r) { return r ? "none" : format_one_line(r.error()); }

TEST(Editing, RejectsRemovingReferencedParts) {
  Editing e = race();
  const Bytes before = e.bytes();
  const auto refused = e.remove("POTI[0]");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "edit.referred");
  EXPECT_EQ(e.bytes(), before);
}

TEST(Editing, RejectedEditsKeepTheRedoHistory) {
  Editing e = race();
  EXPECT_EQ(problem(e.duplicate("GOBJ[0]")), "none");
  EXPECT_EQ(problem(e.duplicate("GOBJ[1]")), "none");
  const Bytes after = e.bytes();
  e.undo();
  const Bytes before = e.bytes();
  const std::vector<std::string> words = {"duplicate", "GOBJ[0]", "remove", "POTI[0]"};  // only the first edit succeeds
  ASSERT_FALSE(e.run(*parse_edit_steps(words)));
  EXPECT_EQ(e.bytes(), before);
  ASSERT_TRUE(e.can_redo());
  e.redo();
  EXPECT_EQ(e.bytes(), after);
  ASSERT_TRUE(e.run(*parse_edit_steps(std::span(words).first(2))));
  EXPECT_FALSE(e.can_redo());
}

TEST(Editing, KeepsCheckpointLinksConsistent) {
  Editing e = race();
  const auto is_linked = [&] {
    const References references(e.spans());
    for (u64 i = 0; i + 1 < e.spans().length(e.spans().find("CKPT.entries")->span); ++i) {
      const std::string at = "CKPT.entries[" + std::to_string(i) + "].next";
      const std::string next = get(e, at);
      if (next != "255 (none)") {
        EXPECT_EQ(next, std::to_string(i + 1)) << at;
      }
      const std::string previous = get(e, "CKPT.entries[" + std::to_string(i + 1) + "].previous");
      EXPECT_EQ(previous, next == "255 (none)" ? "255 (none)" : std::to_string(i)) << at;
    }
  };
  is_linked();
  EXPECT_EQ(problem(e.duplicate("CKPT[2]")), "none");
  is_linked();
  EXPECT_EQ(problem(e.add("CKPT", {{"left", "1,2"}, {"right", "3,4"}}, {.before = 4, .after = {}})), "none");
  is_linked();
  EXPECT_EQ(get(e, "CKPT.entries[4].right.z"), "4.0 units");
  EXPECT_EQ(problem(e.remove("CKPT[1]")), "none");
  is_linked();
  EXPECT_EQ(problem(e.move("CKPT[4]", {.before = 1, .after = {}})), "none");
  is_linked();
  EXPECT_EQ(problem(e.swap("CKPT[1]", "CKPT[3]")), "none");
  is_linked();
}

// A reference to the same element has not changed, whatever index the element has now.
TEST(Editing, DiffAfterRenumberingShowsOnlyMoves) {
  const Editing original = race();
  std::mt19937_64 random(from_environment("DIORAMA_SEED", 0));
  const auto below = [&](u64 n) { return n ? random() % n : 0; };
  u64 moves = 0;
  for (int k = 0; k < 60; ++k) {
    Editing e = race();
    for (u64 times = 1 + below(3); times > 0; --times) {
      const auto lists = lists_of(e.spans());
      const u32 list = lists[size_t(below(lists.size()))];
      const std::string path = e.spans().path(list);
      const u64 n = e.spans().length(list);
      if (path == "sections" || n < 2) continue;
      const std::string element = path + "[" + std::to_string(below(n)) + "]";
      if (below(2))
        (void)e.move(element, {.before = below(n), .after = {}});
      else
        (void)e.swap(element, path + "[" + std::to_string(below(n)) + "]");
    }
    for (const report::Change& c : report::diff(original.spans(), e.spans())) {
      moves += c.kind == report::Change::Kind::moved;
      // A point that moves to another group changes both groups.
      const bool is_of_group =
          c.path_a.find("PH.entries") != c.path_a.npos || c.path_a.ends_with("previous") || c.path_a.ends_with("next");
      EXPECT_TRUE(c.kind == report::Change::Kind::moved || is_of_group)
          << report::diff_text({c}) << " after " << format_one_line(e.last()[0]);
    }
  }
  EXPECT_GT(moves, 30u);
}

TEST(Editing, DiffShowsChangedReferences) {
  const Editing before = race();
  Editing e = race();
  ASSERT_TRUE(e.remove("POTI[0]", Referrers::unlink));
  std::string text = report::diff_text(report::diff(before.spans(), e.spans()));
  EXPECT_EQ(std::ranges::count(text, '\n'), 2) << text;  // the route and the camera that followed it
  EXPECT_NE(text.find("CAME.entries[1].route"), text.npos) << text;
  // A changed reference is not mistaken for renumbering.
  Editing both = race();
  ASSERT_TRUE(both.move("POTI[0]", {.before = {}, .after = 2}));
  ASSERT_TRUE(both.set({{"GOBJ.entries[5].route", "3"}}));
  text = report::diff_text(report::diff(before.spans(), both.spans()));
  EXPECT_NE(text.find("~ GOBJ.entries[5].route"), text.npos) << text;
}

}  // namespace
}  // namespace dio::test
