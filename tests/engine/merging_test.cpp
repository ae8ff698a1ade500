// merging_test.cpp: two random edits of files of every format are merged. Every reference has the target that one side
// gave it, and nothing is lost without a collision.
#include "operations/merging.hpp"

#include <gtest/gtest.h>

#include <random>

#include "engine/meanings.hpp"
#include "engine/random_edits.hpp"
#include "engine/seeds.hpp"
#include "formats/contract/format.hpp"
#include "kmp/generator.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio::test {
namespace {

/// Merges two random edits of a file. Returns 1 if they were merged, 0 if they collided.
int merge_at_random(const Bytes& base, const ReadAs& as, u64 seed) {
  const Bytes ours = edited_at_random(base, as, 2 * seed + 1, 2), theirs = edited_at_random(base, as, 2 * seed + 2, 2);
  const auto merged = merge(base, ours, theirs, "file", as), other = merge(base, theirs, ours, "file", as);
  EXPECT_EQ(bool(merged), bool(other));
  if (!merged || !other) return 0;
  const auto list = [](const MergeResult& m) {
    std::string out;
    for (const MergeConflict& c : m.collisions) out += c.path + ": " + c.what + "\n";
    return out;
  };
  if (!is_made_again(list(*merged) + list(*other)))
    EXPECT_EQ(merged->collisions.empty(), other->collisions.empty()) << list(*merged) << list(*other);
  if (!merged->collisions.empty()) EXPECT_TRUE(merged->bytes.empty());
  if (!merged->collisions.empty()) return 0;
  const auto trace = [&](const Bytes& bytes) { return as.format->trace(bytes, as.options); };
  const TraceResult of_ours = trace(ours), of_theirs = trace(theirs), now = trace(merged->bytes);
  EXPECT_FALSE(now.stop);
  EXPECT_LE(outside(now.spans), outside(of_ours.spans) + outside(of_theirs.spans));
  // A side that has both elements defined each reference; the other side may have changed either element.
  std::vector<Meanings> sides{meanings(of_ours.spans, false), meanings(of_theirs.spans, false)};
  for (const auto& m : meanings(now.spans, false)) {
    bool is_known = false, is_meant = false;
    for (const Meanings& side : sides) {
      bool has_holder = false, has_target = false;
      for (const auto& [from, to] : side) has_holder |= from == m.first, has_target |= to == m.second;
      is_known |= has_holder && has_target;
      is_meant |= side.contains(m);
    }
    if (is_known) EXPECT_TRUE(is_meant) << m.first << " leads to " << m.second;
  }
  // The preferred side does not affect edits that do not collide.
  for (const ConflictPreference favor : {ConflictPreference::ours, ConflictPreference::theirs}) {
    const auto again = merge(base, ours, theirs, "file", as, favor);
    EXPECT_TRUE(again && again->bytes == merged->bytes);
  }
  return 1;
}

class FormatMerges : public testing::TestWithParam<const Format*> {};
INSTANTIATE_TEST_SUITE_P(Formats, FormatMerges, testing::ValuesIn(formats()), [](const auto& p) {
  std::string name(p.param->id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(FormatMerges, MergesKeepTheEditsOfBothSides) {
  const u64 first = from_environment("DIORAMA_SEED", 0), count = from_environment("DIORAMA_EDITS", 3);
  for (const Sample& s : samples_of(*GetParam()))
    for (u64 seed = first; seed < first + count; ++seed) {
      SCOPED_TRACE(s.name + ", seed " + std::to_string(seed));
      merge_at_random(s.bytes, GetParam(), seed);
      if (HasFailure()) return;
    }
}

TEST_P(FormatMerges, MergingASingleEditGivesThatEdit) {
  for (const Sample& s : samples_of(*GetParam())) {
    SCOPED_TRACE(s.name);
    const Bytes edit = edited_at_random(s.bytes, GetParam(), 7, 3);
    for (const auto& merged :
         {merge(s.bytes, edit, s.bytes, "file", GetParam()), merge(s.bytes, s.bytes, edit, "file", GetParam()),
          merge(s.bytes, edit, edit, "file", GetParam())}) {
      ASSERT_TRUE(merged);
      EXPECT_EQ(merged->bytes, edit);
      EXPECT_TRUE(merged->collisions.empty());
    }
  }
}

TEST(Merging, MergesGeneratedCourses) {
  const ReadAs kmp = find_format_and_layout("kmp");
  int joined = 0;
  each_seed(60, [&](u64 seed) {
    const auto opened = open(KmpGenerator(seed).file(), "course.kmp", kmp);
    const auto clean = opened ? opened->document->save({.canonical = true, .lossy = true}) : refuse(opened.error());
    if (clean) joined += merge_at_random(*clean, kmp, seed);
  });
  EXPECT_GT(joined, 15);
}

/// Damaged files are edited, undone and merged, or rejected, without any other outcome. DIORAMA_DAMAGES sets the number
/// per sample.
TEST_P(FormatMerges, DamagedFilesAreMergedOrRejected) {
  const u64 seed = from_environment("DIORAMA_SEED", 0), count = from_environment("DIORAMA_DAMAGES", 2);
  for (const Sample& s : samples_of(*GetParam())) {
    if (s.bytes.size() > 65536) continue;  // each takes seconds
    std::mt19937_64 random(seed + s.bytes.size());
    for (u64 i = 0; i < count && !HasFailure(); ++i) {
      Bytes file = s.bytes;
      for (u64 n = 1 + random() % 4; n-- && !file.empty();) file[size_t(random() % file.size())] = u8(random());
      if (random() % 4 == 0) file.resize(size_t(random() % (file.size() + 1)));
      SCOPED_TRACE(s.name + ", damage " + std::to_string(i));
      auto begun = Editing::begin(file, GetParam());
      if (!begun) {
        EXPECT_FALSE(begun.error().id.empty());
        continue;
      }
      random_edits(*begun, random(), 3);
      const Bytes ours = begun->bytes();
      while (begun->can_undo()) begun->undo();
      EXPECT_EQ(begun->bytes(), file);
      while (begun->can_redo()) begun->redo();
      EXPECT_EQ(begun->bytes(), ours);
      const auto merged = merge(file, ours, edited_at_random(file, GetParam(), random(), 2), "file", GetParam());
      if (merged && merged->collisions.empty()) EXPECT_TRUE(open(Bytes(merged->bytes), "file", GetParam()));
    }
  }
}

/// Texts that look like the placeholders for references used while merging.
TEST(Merging, DoesNotMistakeTextsForReferences) {
  const Format* nsbtx = find_format("nsbtx");
  const std::vector<Sample> samples = samples_of(*nsbtx);
  const Sample& s = samples.front();
  auto begun = Editing::begin(s.bytes, nsbtx);
  ASSERT_TRUE(begun);
  const auto named = [&](const char* name) {
    auto e = std::move(*Editing::begin(s.bytes, nsbtx));
    EXPECT_TRUE(e.set({{"textures.textures[0].name", name}}));
    return e.bytes();
  };
  for (const char* name : {"\x01-0", "\x02", "\x05\x01"}) {
    const Bytes ours = named(name);
    Bytes theirs = s.bytes;
    theirs.push_back(1);  // after the end
    const auto merged = merge(s.bytes, ours, theirs, "file", nsbtx);
    ASSERT_TRUE(merged) << format_one_line(merged.error());
    ASSERT_TRUE(merged->collisions.empty()) << merged->collisions[0].path;
    Bytes both = ours;
    both.push_back(1);
    EXPECT_EQ(merged->bytes, both);
  }
}

}  // namespace
}  // namespace dio::test
