// archive_merging_test.cpp: edits of members of archives are merged member by member. Each member has the content that
// one side gave it, and no other member is touched.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "containers/nitro_fs/narc.hpp"
#include "core/byte_source.hpp"
#include "engine/seeds.hpp"
#include "formats/contract/archive.hpp"
#include "formats/contract/format.hpp"
#include "operations/editing.hpp"
#include "operations/merging.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio::test {
namespace {

using Contents = std::map<std::string, Bytes>;

Contents contents_of(const Bytes& archive, const Format& format) {
  Contents out;
  const BorrowedByteSource source(archive);
  const auto members = format.archive->members(source);
  EXPECT_TRUE(members);
  if (!members) return out;
  for (const Member& member : *members) {
    if (member.is_structure) continue;
    auto content = format.archive->content(source, member);
    EXPECT_TRUE(content);
    if (content) EXPECT_TRUE(out.emplace(member.path, std::move(*content)).second);
  }
  return out;
}

Bytes random_bytes(std::mt19937_64& random, size_t size) {
  Bytes out(size);
  for (u8& b : out) b = u8(random());
  return out;
}

/// An archive with new content of random size in one of its members.
std::optional<Bytes> with_new_content(const Bytes& archive, const Format& format, size_t member,
                                      std::mt19937_64& random) {
  const NewContent content{member, random_bytes(random, 1 + random() % 3000), true};
  auto replaced = format.archive->replace(archive, {&content, 1});
  return replaced ? std::optional(std::move(*replaced)) : std::nullopt;
}

/// Two sides that each replace another member.
int merge_replaced_members(const Bytes& base, const Format& format, u64 seed) {
  std::mt19937_64 random(seed);
  const Contents before = contents_of(base, format);
  if (before.size() < 2) return 0;
  const size_t count = format.archive->members(BorrowedByteSource(base))->size();
  const size_t first = random() % count, second = (first + 1 + random() % (count - 1)) % count;
  const auto ours = with_new_content(base, format, first, random),
             theirs = with_new_content(base, format, second, random);
  if (!ours || !theirs) return 0;
  const auto merged = merge(base, *ours, *theirs, "file", &format);
  EXPECT_TRUE(merged) << (merged ? "" : merged.error().message);
  if (!merged) return 0;
  for (const MergeConflict& c : merged->collisions) ADD_FAILURE() << c.path << ": " << c.what;
  if (!merged->collisions.empty()) return 0;
  Contents expected = contents_of(*ours, format);
  for (const auto& [path, content] : contents_of(*theirs, format))
    if (content != before.at(path)) expected[path] = content;
  EXPECT_TRUE(contents_of(merged->bytes, format) == expected);
  return 1;
}

Bytes numbered_archive(const std::vector<Bytes>& files) { return bytes_of(make_narc(files)); }

/// 40 members, many of which are equal.
std::vector<Bytes> similar_members() {
  std::vector<Bytes> files;
  for (u8 i = 0; i < 40; ++i) files.push_back(Bytes(size_t(13 + i % 3), u8(i % 3 ? 0 : i)));
  return files;
}

TEST(ArchiveMerging, KeepsTheMembersThatEachSideReplaced) {
  int merged = 0;
  for (const Format* format : formats()) {
    if (!format->archive || format->archive->is_wrapping) continue;
    for (const Sample& sample : samples_of(*format))
      each_seed(6, [&](u64 seed) {
        SCOPED_TRACE(std::string(format->id) + " " + sample.name);
        merged += merge_replaced_members(sample.bytes, *format, seed);
      });
  }
  EXPECT_GT(merged, 30);
}

TEST(ArchiveMerging, KeepsMembersWithoutNamesApart) {
  const Format& format = *find_format("narc");
  std::vector<Bytes> files = similar_members();
  const Bytes base = numbered_archive(files);
  each_seed(40, [&](u64 seed) { merge_replaced_members(base, format, seed); });
}

TEST(ArchiveMerging, RemovesAMemberThatOnlyOneSideRemoved) {
  const Format& format = *find_format("narc");
  std::vector<Bytes> files = similar_members();
  const Bytes base = numbered_archive(files);
  for (const size_t removed : {size_t(0), size_t(7), files.size() - 1}) {
    auto editing = Editing::begin(base, &format);
    ASSERT_TRUE(editing);
    ASSERT_TRUE(editing->remove("files[" + std::to_string(removed) + "]"));
    std::vector<Bytes> grown = files;
    grown[20] = Bytes(500, 77);
    const auto merged = merge(base, editing->bytes(), numbered_archive(grown), "file", &format);
    ASSERT_TRUE(merged);
    ASSERT_TRUE(merged->collisions.empty());
    grown.erase(grown.begin() + ptrdiff_t(removed));
    EXPECT_TRUE(contents_of(merged->bytes, format) == contents_of(numbered_archive(grown), format)) << removed;
  }
}

TEST(ArchiveMerging, ReportsAMemberThatOneSideRemovedAndTheOtherChanged) {
  const Format& format = *find_format("narc");
  std::vector<Bytes> files = similar_members();
  const Bytes base = numbered_archive(files);
  auto editing = Editing::begin(base, &format);
  ASSERT_TRUE(editing && editing->remove("files[39]"));
  files[39] = Bytes(500, 77);
  const auto merged = merge(base, editing->bytes(), numbered_archive(files), "file", &format);
  ASSERT_TRUE(merged);
  EXPECT_FALSE(merged->collisions.empty());
  EXPECT_TRUE(merged->bytes.empty());
}

TEST(ArchiveMerging, NamesAMemberThatBothSidesReplaced) {
  const Format& format = *find_format("narc");
  std::vector<Bytes> ours = similar_members(), theirs = ours;
  const Bytes base = numbered_archive(ours);
  ours[5] = Bytes(40, 1), theirs[5] = Bytes(60, 2);
  const auto merged = merge(base, numbered_archive(ours), numbered_archive(theirs), "file", &format);
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->collisions.size(), 1u);
  EXPECT_EQ(merged->collisions[0].path, "5");
  EXPECT_TRUE(merged->bytes.empty());
  const auto favored =
      merge(base, numbered_archive(ours), numbered_archive(theirs), "file", &format, ConflictPreference::theirs);
  ASSERT_TRUE(favored);
  EXPECT_EQ(contents_of(favored->bytes, format), contents_of(numbered_archive(theirs), format));
}

}  // namespace
}  // namespace dio::test
