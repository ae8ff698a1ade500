// files_test.cpp: the files that an archive needs for its course.
#include "formats/kmp/check/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/brres/parts.hpp"
#include "formats/kmp/objects.hpp"
#include "formats/kmp/parts.hpp"
#include "formats/registry.hpp"
#include "samples/kmp/courses.hpp"

namespace dio::kmp {

namespace {

using Files = std::vector<std::string>;

Files files_of_object(u16 id) { return object_file_names(*object_kind(id)); }

/// All files that the race needs.
Files whole() {
  Files all{"course.kmp", "course.kcl", "course_model.brres", "vrcorn_model.brres", "map_model.brres"};
  const Kmp course = race();
  for (const Object& o : course.gobj->entries)
    for (std::string& file : files_of_object(o.id)) all.push_back(std::move(file));
  return all;
}
Files found_in(const Files& files, const kcl::Kcl* collision = nullptr) {
  Findings findings(rules());
  MemoryTree folder;
  for (const std::string& file : files) folder.files[file];
  check_files(race(), collision, folder, findings);
  Files out;
  for (const Diagnostic& d : findings.list) out.push_back(d.id + " " + d.place.path + ": " + d.message);
  return out;
}
Files without(Files files, std::string_view file) {
  std::erase(files, file);
  return files;
}

}  // namespace

TEST(KmpFiles, ListsTheFilesOfObjects) {
  EXPECT_EQ(files_of_object(0x065), Files{"itembox.brres"});
  EXPECT_EQ(files_of_object(0x191), (Files{"kuribo.brres", "brasd/kuribo/walk_l.brasd", "brasd/kuribo/walk_r.brasd"}));
  EXPECT_EQ(files_of_object(0x20c),
            (Files{"quicksand.brres", "effect/quicksand/rk_qsandDossun.breff", "effect/quicksand/rk_qsandDossun.breft",
                   "dossun.brres", "effect/dossun/rk_dossun.breff", "effect/dossun/rk_dossun.breft"}));
  EXPECT_EQ(files_of_object(0x1f5),
            (Files{"kinoko.brres", "kinoko_d_g.kcl", "kinoko_d_r.kcl", "kinoko_g.kcl", "kinoko_r.kcl"}));
  EXPECT_EQ(files_of_object(0x20d), Files{"bblock1.brres"});  // the settings determine the collision file
  EXPECT_EQ(files_of_object(0x067), Files{});
}

TEST(KmpFiles, CompleteArchiveHasNoFindings) { EXPECT_EQ(found_in(whole()), Files{}); }

TEST(KmpFiles, ReportsMissingAndUnusedFiles) {
  EXPECT_EQ(found_in(without(whole(), "map_model.brres")),
            Files{"kmp.file-missing : the archive has no map_model.brres (the minimap model)"});
  Files other = without(whole(), "course_model.brres");
  other.push_back("course_d_model.brres");  // for two players
  EXPECT_EQ(found_in(other), Files{});
  EXPECT_EQ(found_in(without(whole(), "brasd/kuribo/walk_l.brasd")),
            Files{"kmp.gobj-file GOBJ.entries[5]: object kuribo needs brasd/kuribo/walk_l.brasd, which is not in the "
                  "archive"});
  Files more = whole();
  more.insert(more.end(), {"cow.brres", "hello.txt", "ice.brres"});
  EXPECT_EQ(found_in(more), Files{"kmp.file-unused GOBJ: cow.brres is in the archive, but no object needs it"});
}

TEST(KmpFiles, IceFallBoundariesNeedTheirModel) {
  auto triangles = ground_of_race();
  for (kcl::FlaggedTriangle& t : triangles)
    if (t.flags == 0x10) t.flags = 0x70;
  const auto built = kcl::build_collision(triangles);
  ASSERT_TRUE(built);
  const Files found = found_in(whole(), &built->kcl);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with("kmp.kcl-ice : prism "));
  Files with_ice = whole();
  with_ice.push_back("ice.brres");
  EXPECT_EQ(found_in(with_ice, &built->kcl), Files{});
}

TEST(KmpFiles, IgnoresOtherArchives) { EXPECT_EQ(found_in({"other.kmp", "cow.brres"}), Files{}); }

namespace {

/// A model called `course` with these materials and that many vertices.
brres::Brres find_course_model(const std::vector<std::string>& materials, u16 vertices,
                               const std::string& model_name = "course") {
  brres::Brres file;
  brres::Folder& folder = file.folders.emplace_back();
  folder.kind = brres::Kind::models;
  folder.dictionary.entries.emplace_back().name = model_name;
  brres::Model& m = file.models.emplace_back();
  m.name = model_name;
  m.positions.emplace_back().count = vertices;
  for (const std::string& name : materials) m.materials.emplace_back().name = name;
  return file;
}
Files found_in_models(const Kmp& course, brres::Brres model, std::string_view name = "course_model.brres") {
  const Format* format = find_format("brres");
  Document<brres::Brres> document;
  document.edit() = std::move(model);
  const DocumentOf<brres::Brres> any(std::move(document));
  const Companion companion{std::string(name), format, &any};
  Findings findings(rules());
  check_models(course, {&companion, 1}, MemoryTree(), findings);
  Files out;
  for (const Diagnostic& d : findings.list)
    out.push_back(std::string(to_string(d.severity)) + " " + d.id + " " + d.place.path + ": " + d.message);
  return out;
}

}  // namespace

TEST(KmpFiles, CountsVerticesPerModelAndInTotal) {
  EXPECT_EQ(found_in_models(race(), find_course_model({}, 19'999)), Files{});
  EXPECT_EQ(
      found_in_models(race(), find_course_model({}, 20'000)),
      Files{"hint kmp.model-vertices : the course model has 20,000 vertices; with 20,000 or more, the game may slow "
            "down"});
  EXPECT_EQ(
      found_in_models(race(), find_course_model({}, 60'000)),
      (Files{
          "warning kmp.model-vertices : the course model has 60,000 vertices; with 50,000 or more, the game may slow "
          "down",
          "warning kmp.model-vertices : all models in the archive together have 60,000 vertices; with 60,000 or more, "
          "the game may slow down"}));
}

TEST(KmpFiles, CarsAndTrucksNeedTheirSlotMaterials) {
  const std::vector<std::string> all{"Goal_Merg",   "Iwa",  "Iwa_alfa", "Nuki_Ryoumen", "WallMerg00", "moon_kabe0000",
                                     "moon_road00", "ROAD", "road01",   "road02",       "road03",     "siba00"};
  Kmp course = race();
  EXPECT_EQ(found_in_models(course, find_course_model({}, 1)), Files{});
  const size_t truck = course.gobj->entries.size();
  course.gobj->entries.emplace_back().id = 0x0D0;
  EXPECT_EQ(found_in_models(course, find_course_model({}, 1)), Files{});
  course.gobj->entries.emplace_back().id = 0x0D1;
  EXPECT_EQ(found_in_models(course, find_course_model(all, 1)), Files{});
  auto some = all;
  std::erase(some, "road02");
  EXPECT_EQ(found_in_models(course, find_course_model(some, 1)),
            Files{"hint kmp.slot42-materials GOBJ.entries[" + std::to_string(truck) +
                  "].id: the objects car_body and kart_truck need materials that are missing from course_model.brres: "
                  "road02"});
}

TEST(KmpFiles, ModelsHaveTheNamesThatTheGameLooksFor) {
  EXPECT_EQ(found_in_models(race(), find_course_model({}, 1, "Track")),
            Files{"error kmp.model-name : course_model.brres has no model \"course\", only \"Track\""});
  EXPECT_EQ(found_in_models(race(), find_course_model({}, 1), "vrcorn_model.brres"),
            Files{"error kmp.model-name : vrcorn_model.brres has no model \"vrcorn\", only \"course\""});
  const Files minimap = found_in_models(race(), find_course_model({}, 1, "Map"), "map_model.brres");
  ASSERT_FALSE(minimap.empty());
  EXPECT_EQ(minimap[0], "warning kmp.model-name : map_model.brres has no model \"map\", only \"Map\"");
  EXPECT_EQ(found_in_models(race(), brres::Brres()),
            Files{"error kmp.model-name : course_model.brres has no model \"course\""});
}

TEST(KmpFiles, CourseModelHasAtMostEightAnimationsOfAKind) {
  brres::Brres model = find_course_model({}, 1);
  model.srt_files.resize(8);
  model.clr_files.resize(8);
  model.vis_files.resize(9);  // not bound by the game
  EXPECT_EQ(found_in_models(race(), model), Files{});
  model.srt_files.resize(9);
  EXPECT_EQ(
      found_in_models(race(), std::move(model)),
      Files{"warning kmp.model-animations : course_model.brres has 9 SRT0 animations; the game supports at most 8 "
            "of a kind"});
}

}  // namespace dio::kmp
