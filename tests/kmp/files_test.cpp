// files_test.cpp: which files an archive needs for its course.
#include "formats/kmp/check/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/kmp/objects.hpp"
#include "formats/kmp/parts.hpp"
#include "samples/kmp/courses.hpp"

namespace dio::kmp {

namespace {

using Files = std::vector<std::string>;

Files files_of_object(u16 id) { return files_of(*object_kind(id)); }

/// All that the race needs.
Files whole() {
  Files all{"course.kmp", "course.kcl", "course_model.brres", "vrcorn_model.brres", "map_model.brres"};
  const Kmp course = race();
  for (const Object& o : course.gobj->entries)
    for (std::string& file : files_of_object(o.id)) all.push_back(std::move(file));
  return all;
}
Files found_in(const Files& files, const kcl::Kcl* collision = nullptr) {
  Findings findings(rules());
  check_files(race(), collision, files, findings);
  Files out;
  for (const Diagnostic& d : findings.list) out.push_back(d.id + " " + d.place.path + ": " + d.message);
  return out;
}
Files without(Files files, std::string_view file) {
  std::erase(files, file);
  return files;
}

}  // namespace

TEST(KmpFiles, OfObjects) {
  EXPECT_EQ(files_of_object(0x065), Files{"itembox.brres"});
  EXPECT_EQ(files_of_object(0x191), (Files{"kuribo.brres", "brasd/kuribo/walk_l.brasd", "brasd/kuribo/walk_r.brasd"}));
  EXPECT_EQ(files_of_object(0x20c),
            (Files{"quicksand.brres", "effect/quicksand/rk_qsandDossun.breff", "effect/quicksand/rk_qsandDossun.breft",
                   "dossun.brres", "effect/dossun/rk_dossun.breff", "effect/dossun/rk_dossun.breft"}));
  EXPECT_EQ(files_of_object(0x1f5),
            (Files{"kinoko.brres", "kinoko_d_g.kcl", "kinoko_d_r.kcl", "kinoko_g.kcl", "kinoko_r.kcl"}));
  EXPECT_EQ(files_of_object(0x20d), Files{"bblock1.brres"});  // which collision, the settings say
  EXPECT_EQ(files_of_object(0x067), Files{});
}

TEST(KmpFiles, AWholeArchiveHasNoFindings) { EXPECT_EQ(found_in(whole()), Files{}); }

TEST(KmpFiles, WhatIsMissingOrForNothingIsFound) {
  EXPECT_EQ(found_in(without(whole(), "map_model.brres")),
            Files{"kmp.file-missing : the archive has no map_model.brres: the small map"});
  Files other = without(whole(), "course_model.brres");
  other.push_back("course_d_model.brres");  // of two players
  EXPECT_EQ(found_in(other), Files{});
  EXPECT_EQ(
      found_in(without(whole(), "brasd/kuribo/walk_l.brasd")),
      Files{"kmp.gobj-file GOBJ.entries[5]: the object kuribo needs brasd/kuribo/walk_l.brasd, which is not in the "
            "archive"});
  Files more = whole();
  more.insert(more.end(), {"cow.brres", "hello.txt", "ice.brres"});
  EXPECT_EQ(found_in(more), Files{"kmp.file-unused GOBJ: cow.brres is in the archive, but no object needs it"});
}

TEST(KmpFiles, FallsIntoIceNeedAFile) {
  auto triangles = ground_of_race();
  for (kcl::FlaggedTriangle& t : triangles)
    if (t.flags == 0x10) t.flags = 0x70;
  const auto built = kcl::build(triangles);
  ASSERT_TRUE(built);
  const Files found = found_in(whole(), &built->kcl);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with("kmp.kcl-ice : prism "));
  Files with_ice = whole();
  with_ice.push_back("ice.brres");
  EXPECT_EQ(found_in(with_ice, &built->kcl), Files{});
}

TEST(KmpFiles, OtherArchivesAreNotLookedAt) { EXPECT_EQ(found_in({"other.kmp", "cow.brres"}), Files{}); }

}  // namespace dio::kmp
