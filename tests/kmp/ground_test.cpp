// ground_test.cpp: courses with collision made for them.
#include "formats/kmp/ground/ground.hpp"

#include <gtest/gtest.h>

#include "formats/contract/findings.hpp"
#include "formats/kcl/parts.hpp"
#include "formats/kmp/ground/checks.hpp"
#include "formats/kmp/parts.hpp"
#include "samples/kmp/courses.hpp"

namespace dio::kmp {

namespace {

using Triangles = std::vector<kcl::FlaggedTriangle>;

/// Two triangles that face up.
void add_floor(Triangles& to, f32 west, f32 north, f32 east, f32 south, f32 y, u16 flags = 0) {
  const kcl::Vec3 nw{west, y, north}, sw{west, y, south}, se{east, y, south}, ne{east, y, north};
  to.push_back({{nw, sw, se}, flags});
  to.push_back({{nw, se, ne}, flags});
}
void add_wall(Triangles& to, f32 x, u16 flags) {
  to.push_back({{kcl::Vec3{x, 0, 0}, kcl::Vec3{x, 0, 1000}, kcl::Vec3{x, 1000, 0}}, flags});
}
kcl::Kcl collision(const Triangles& triangles) {
  auto built = kcl::build_collision(triangles);
  EXPECT_TRUE(built);
  return built ? std::move(built->kcl) : kcl::Kcl{};
}
std::vector<std::string> found_in(const Kmp& course, const kcl::Kcl& on) {
  Findings findings(rules());
  check_ground(course, on, findings);
  std::vector<std::string> out;
  for (const Diagnostic& d : findings.list) out.push_back(d.id + " " + d.place.path + ": " + d.message);
  return out;
}
Triangles wide_road() {
  Triangles all;
  add_floor(all, -30000, -30000, 30000, 30000, 0);
  return all;
}

}  // namespace

TEST(KmpGround, FindsTheSurfaceBelow) {
  Triangles all = wide_road();
  add_floor(all, -1000, -1000, 1000, 1000, 500);                       // a bridge
  add_floor(all, 40000, 0, 41000, 1000, -3000, kcl::k_fall_boundary);  // next to the road
  add_wall(all, 5000, 0x0C);
  const kcl::Kcl file = collision(all);
  const Ground ground(file);
  EXPECT_EQ(ground.find_surface_below({0, 600, 0}, 300)->height, 500);
  EXPECT_EQ(ground.find_surface_below({0, 300, 0}, 300)->height, 500);  // slightly below it
  EXPECT_EQ(ground.find_surface_below({0, 100, 0}, 300)->height, 0);    // under the bridge
  EXPECT_EQ(ground.find_surface_below({5000, 100, 100}, 300)->height, 0);
  EXPECT_EQ(ground.find_surface_below({40500, 0, 500}, 300)->type, kcl::k_fall_boundary);
  EXPECT_FALSE(ground.find_surface_below({0, -400, 0}, 300));
  EXPECT_FALSE(ground.find_surface_below({35000, 0, 0}, 300));
  EXPECT_FALSE(ground.find_surface_below({1e9, 0, std::numeric_limits<f64>::quiet_NaN()}, 300));
}

/// The race has one cannon.
void add_cannon(Triangles& to) { add_wall(to, 0, kcl::k_cannon_trigger); }

TEST(KmpGround, SampleRaceFitsOnAWideRoad) {
  Triangles all = wide_road();
  add_cannon(all);
  EXPECT_EQ(found_in(race(), collision(all)), std::vector<std::string>{});
  EXPECT_EQ(
      found_in(race(), collision(wide_road())),
      std::vector<std::string>{"kmp.kcl-cannon CNPT.entries[0]: the collision has no trigger for cannon point 0"});
}

TEST(KmpGround, ReportsPlacesOfTheStartGridBesideTheRoad) {
  Kmp course = race();
  course.jgpt->entries.clear(), course.enpt->entries.clear(), course.itpt->entries.clear();
  course.ktpt->entries[0].position = {0, 0, 0};
  course.ktpt->entries[0].rotation = {0, 0, 0};  // towards +z
  Triangles all;
  add_cannon(all);
  add_floor(all, -1000, -3000, 1000, 1000, 0);
  EXPECT_EQ(
      found_in(course, collision(all)),
      std::vector<std::string>{
          "kmp.kcl-start KTPT.entries[0].position: there is no road below 5 places of the start grid: 8, 9, 10, 11, "
          "12"});
  add_floor(all, -1000, -6000, 1000, -3000, 450);  // the road rises
  EXPECT_EQ(found_in(course, collision(all)), std::vector<std::string>{});
}

TEST(KmpGround, ReportsPointsWithoutRoadBelow) {
  Kmp course = race();
  course.jgpt->entries[1].position = {35000, 0, 0};    // next to the road
  course.jgpt->entries[2].position = {40500, 0, 500};  // above a fall boundary
  course.ktpt->entries[0].position.y = 2500;
  course.enpt->entries[4].position.y = course.enpt->entries[5].position.y = -1000;
  Triangles all = wide_road();
  add_floor(all, 40000, 0, 41000, 1000, -3000, kcl::k_fall_boundary);
  add_cannon(all);
  EXPECT_EQ(found_in(course, collision(all)),
            (std::vector<std::string>{
                "kmp.kcl-start KTPT.entries[0].position: start position 0 is 2500 units above the road (prism 1)",
                "kmp.kcl-start JGPT.entries[1].position: there is no road below respawn point 1",
                "kmp.kcl-start JGPT.entries[2].position: respawn point 2 is above a fall boundary (prism 2)",
                "kmp.kcl-path ENPT.entries[4].position: there is no road below enemy points 4 to 5"}));
}

TEST(KmpGround, ReportsMissingCannonPoints) {
  Triangles all = wide_road();
  for (const u16 variant : {0, 2, 2, 3}) add_wall(all, 100.0f * variant, u16(kcl::k_cannon_trigger | variant << 5));
  const auto found = found_in(race(), collision(all));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0],
            "kmp.kcl-cannon CNPT.entries[0]: prism 3 of the collision triggers cannon 2, but the course has 1 "
            "cannon point, counted from 0");
}

}  // namespace dio::kmp
