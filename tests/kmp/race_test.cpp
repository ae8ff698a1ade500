// race_test.cpp: courses built so that the places where laps count are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "formats/contract/edits.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/format.hpp"
#include "formats/kmp/parts.hpp"
#include "formats/kmp/race/barriers.hpp"
#include "formats/kmp/race/drive.hpp"
#include "formats/kmp/race/race_overlay.hpp"
#include "formats/kmp/race/uncovered.hpp"
#include "samples/kmp/courses.hpp"

namespace dio::kmp {

namespace {

struct Center {
  f32 x, z;
};
Group group_of(u8 first, u8 count, std::vector<u8> previous, std::vector<u8> next) {
  Group g{first, count, {}, {}, {}};
  g.previous.fill(k_no_link);
  g.next.fill(k_no_link);
  std::ranges::copy(previous, g.previous.begin());
  std::ranges::copy(next, g.next.begin());
  return g;
}

/// Checkpoints across a road, each perpendicular to the direction from the previous to the next.
struct Course {
  Kmp kmp{};
  explicit Course(f32 half_width = 1500) : half_width_(half_width) {
    kmp.version = k_final;
    kmp.ckpt.emplace(), kmp.ckph.emplace(), kmp.jgpt.emplace(),
        kmp.stgi.emplace().entries = {{3, 0, 0, 1, 0, 75, 0, 0}};
    kmp.ktpt.emplace().entries = {{{0, 0, 0}, {0, 90, 0}, -1, 0, {}}};
  }
  /// A group of checkpoints; the road before and after it sets the directions of the first and last line.
  Course& add(const std::vector<Center>& way, Center from, Center to, std::vector<u8> previous, std::vector<u8> next) {
    auto& points = kmp.ckpt->entries;
    const u8 first = u8(points.size());
    for (size_t i = 0; i < way.size(); ++i) {
      const Center a = i ? way[i - 1] : from, b = i + 1 < way.size() ? way[i + 1] : to;
      const f32 length = std::hypot(b.x - a.x, b.z - a.z), x = (b.x - a.x) / length, z = (b.z - a.z) / length;
      // ahead is (right.z - left.z, left.x - right.x)
      points.push_back({{way[i].x + z * half_width_, way[i].z - x * half_width_},
                        {way[i].x - z * half_width_, way[i].z + x * half_width_},
                        0xFF,
                        -1,
                        i ? u8(first + i - 1) : k_no_link,
                        i + 1 < way.size() ? u8(first + i + 1) : k_no_link});
    }
    kmp.ckph->entries.push_back(group_of(first, u8(way.size()), std::move(previous), std::move(next)));
    return *this;
  }
  Course& type(size_t point, i8 type) {
    kmp.ckpt->entries[point].type = type;
    return *this;
  }
  /// A respawn point for checkpoints `first` to `last`.
  Course& respawn(Center at, size_t first, size_t last) {
    auto& respawns = kmp.jgpt->entries;
    for (size_t i = first; i <= last; ++i) kmp.ckpt->entries[i].respawn = u8(respawns.size());
    respawns.push_back({{at.x, 0, at.z}, {0, 0, 0}, u16(respawns.size()), -1});
    return *this;
  }

 private:
  f32 half_width_;
};

/// 18 checkpoints: 0 to 8 there, 9 to 17 back on the other side, at distance `apart`.
Course there_and_back(f32 apart = 6000) {
  std::vector<Center> way;
  for (int i = 0; i < 9; ++i) way.push_back({5000.0f * f32(i), 0});
  for (int i = 8; i >= 0; --i) way.push_back({5000.0f * f32(i), apart});
  return Course().add(way, {-3000, apart / 2}, {-3000, apart / 2}, {0}, {0}).type(0, 0);
}
Course circle(size_t n, f32 radius = 20000) {
  std::vector<Center> way;
  for (size_t i = 0; i < n; ++i) {
    const f32 a = f32(i) / f32(n) * 2 * std::numbers::pi_v<f32>;
    way.push_back({radius * std::cos(a), radius * std::sin(a)});
  }
  return Course().add(way, way.back(), way[0], {0}, {0}).type(0, 0);
}
/// Checkpoints 0 to 3, then 4 to 6 on one side or 7 to 9 on the other, then 10 to 13.
Course fork() {
  const std::vector<Center> start{{0, 0}, {10000, 0}, {20000, 0}, {30000, 0}},
      left{{40000, -8000}, {50000, -8000}, {60000, -8000}}, right{{40000, 8000}, {50000, 8000}, {60000, 8000}},
      end{{70000, 0}, {80000, 0}, {80000, 60000}, {0, 60000}};
  return Course()
      .add(start, {-10000, 0}, {40000, 0}, {3}, {1, 2})
      .add(left, {30000, -4000}, {70000, -4000}, {0}, {3})
      .add(right, {30000, 4000}, {70000, 4000}, {0}, {3})
      .add(end, {60000, 0}, {-30000, 30000}, {1, 2}, {0})
      .type(0, 0);
}

std::vector<std::string> found_in(const Course& c) {
  Findings findings(rules());
  check(c.kmp, findings);
  std::erase_if(findings.list, [](const Diagnostic& d) { return d.id != "kmp.grp-reach" && d.id != "kmp.grp-next"; });
  simulate(c.kmp, nullptr, findings);
  std::vector<std::string> out;
  for (const Diagnostic& d : findings.list) out.push_back(d.id + " " + std::string(d.place.path));
  return out;
}

struct Known {
  const char* about;
  Course course;
  std::vector<std::string> found;
};
/// Twenty courses with known faults.
std::vector<Known> known_courses() {
  Course dead = fork();
  dead.kmp.ckph->entries[0].next = group_of(0, 0, {}, {1}).next;  // no group links to group 2
  Course stuck = fork();
  stuck.kmp.ckph->entries[2].next.fill(k_no_link);
  const std::string shortcut = "kmp.race-shortcut ", way = "kmp.race-lap ";
  // From 1 to 17, 1 to 14 and 4 to 13: wherever the other side is near.
  const std::vector<std::string> all_along{shortcut + "CKPT.entries[1]", shortcut + "CKPT.entries[1]",
                                           shortcut + "CKPT.entries[4]"};
  return {
      {"a key at the far end", there_and_back().type(8, 1), {}},
      {"keys everywhere, the last before the line", there_and_back().type(4, 1).type(9, 2).type(17, 3), {}},
      {"the last key is not the last checkpoint",
       there_and_back().type(4, 1).type(9, 2).type(15, 3),
       {shortcut + "CKPT.entries[0]"}},
      {"the only key is near the end", there_and_back().type(17, 1), all_along},
      {"the same, but no kart jumps so far", there_and_back(20000).type(17, 1), {}},
      {"the same, but a key lies between", there_and_back().type(8, 1).type(17, 2), {}},
      {"no keys at all", there_and_back(), all_along},
      {"a circle with keys", circle(24).type(6, 1).type(12, 2).type(18, 3), {}},
      {"a small circle whose other side is near", circle(24, 3500).type(12, 1), {shortcut + "CKPT.entries[0]"}},
      {"the last key on all ways", fork().type(11, 1), {}},
      {"the last key on one way", fork().type(5, 1), {way + "CKPT.entries[13]"}},
      {"the last key on each way", fork().type(5, 1).type(8, 1).type(12, 2), {}},
      {"the last key twice, on both ways", fork().type(5, 1).type(8, 1), {}},
      {"a way past the last of three keys", fork().type(2, 1).type(5, 2).type(8, 3), {way + "CKPT.entries[13]"}},
      {"a group that nothing leads to", dead.type(11, 1), {"kmp.grp-reach CKPH.entries[2]"}},
      {"a group that leads nowhere", stuck.type(11, 1), {"kmp.grp-next CKPH.entries[2].next"}},
      {"back to before the fall", there_and_back().type(8, 1).type(17, 2).respawn({10000, 0}, 3, 7), {}},
      {"back to beyond a key",
       there_and_back().type(8, 1).type(17, 2).respawn({30000, 6000}, 5, 7),
       {"kmp.race-respawn CKPT.entries[5].respawn"}},
      {"back to behind the lap line",
       there_and_back().type(8, 1).respawn({1000, 6000}, 1, 2).respawn({0, 0}, 3, 3),
       {}},
      {"back to where it fell", there_and_back().type(8, 1).type(17, 2).respawn({30000, 0}, 6, 6), {}},
  };
}

}  // namespace

TEST(KmpRace, ReportsOnlyRealFaults) {
  const auto all = known_courses();
  EXPECT_EQ(all.size(), 20u);
  for (const Known& k : all) EXPECT_EQ(found_in(k.course), k.found) << k.about;
}

TEST(KmpRace, ReportsEndlessLoopsWithoutAKey) {
  // A path that leaves the lap and returns to itself.
  Course c = fork();
  c.kmp.ckph->entries[2].next = group_of(0, 0, {}, {2}).next;
  c.kmp.ckph->entries[2].previous = group_of(0, 0, {0, 2}, {}).previous;
  c.type(11, 1);
  EXPECT_EQ(found_in(c)[0], "kmp.race-endless CKPT.entries[0]");
}

TEST(KmpRace, CountsEveryDrivenLap) {
  for (const Course& c : {there_and_back().type(8, 1), circle(24).type(12, 1), fork().type(11, 1)}) {
    const Sectors s(c.kmp);
    const auto lap = find_sector_path(s, 0, 0);
    ASSERT_FALSE(lap.empty());
    Racer racer(s, point_in_sector(s, lap[lap.size() - 2], 0, 0.5f));  // behind the line, as on the grid
    drive_to(racer, point_in_sector(s, lap[lap.size() - 2], 0, 0.5f), point_in_sector(s, 0, lap[1], 0.02f));
    EXPECT_EQ(racer.lap(), 1);
    for (int i = 2; i < 5; ++i) {
      drive_along(racer, s, lap);
      EXPECT_EQ(racer.lap(), i);
    }
    // Driving back: each crossing of the line subtracts one lap.
    auto back = lap;
    std::ranges::reverse(back);
    for (size_t i = 0; i + 1 < back.size(); ++i)
      drive_to(racer, point_in_sector(s, back[i + 1], back[i], 0.98f), point_in_sector(s, back[i + 1], back[i], 0.02f));
    EXPECT_EQ(racer.lap(), 3);
  }
}

TEST(KmpRace, MeasuresProgressEvenlyAroundAnOval) {
  const Sectors s(race());
  ASSERT_EQ(s.size(), 24u);
  EXPECT_EQ(s.last_key(), 3);
  for (u16 i = 0; i < 24; ++i) {
    EXPECT_FLOAT_EQ(s.part(i).before, f32(i) / 24);
    const Vec2 middle = point_in_sector(s, i, u16((i + 1) % 24), 0.5f);
    ASSERT_TRUE(s.find(middle, i));
    EXPECT_EQ(s.find(middle, i)->sector, i);
    EXPECT_NEAR(s.find(middle, i)->ratio, 0.5f, 0.03f);
  }
  // The search does not pass the key checkpoints 4, 12 and 20.
  EXPECT_EQ(s.find(point_in_sector(s, 4, 5, 0.5f), 1)->sector, 4);
  EXPECT_FALSE(s.find(point_in_sector(s, 6, 7, 0.5f), 1));
  EXPECT_EQ(s.find(point_in_sector(s, 11, 12, 0.5f), 5)->sector, 11);
}

TEST(KmpRace, SimulatesRandomCoursesSafely) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    Kmp k = fork().kmp;
    for (CheckPoint& p : k.ckpt->entries) {
      if (random() % 3 == 0) p.next = u8(random());
      if (random() % 3 == 0) p.previous = u8(random());
      if (random() % 3 == 0) p.type = i8(random());
    }
    for (Group& g : k.ckph->entries) {
      if (random() % 3 == 0) g.next[random() % 6] = u8(random());
      if (random() % 3 == 0) g.previous[random() % 6] = u8(random());
      if (random() % 5 == 0) g.first = u8(random());
      if (random() % 5 == 0) g.count = u8(random());
    }
    Findings findings(rules());
    simulate(k, nullptr, findings);
    for (const Diagnostic& d : findings.list) EXPECT_FALSE(d.message.empty());
  }
}

namespace {

using Triangles = std::vector<kcl::FlaggedTriangle>;
/// Two triangles that face up.
void add_floor(Triangles& to, f32 west, f32 north, f32 east, f32 south, f32 y, u16 flags = 0) {
  const kcl::Vec3 nw{west, y, north}, sw{west, y, south}, se{east, y, south}, ne{east, y, north};
  to.push_back({{nw, sw, se}, flags});
  to.push_back({{nw, se, ne}, flags});
}
kcl::Kcl collision(const Triangles& triangles) {
  auto built = kcl::build_collision(triangles);
  EXPECT_TRUE(built);
  return built ? std::move(built->kcl) : kcl::Kcl{};
}

}  // namespace

TEST(KmpRace, MeasuresRoadsOutsideAllSectors) {
  const Sectors s(there_and_back().type(8, 1).kmp);  // from x 0 to 40000: z -1500 to 1500, and 4500 to 7500
  Triangles all;
  add_floor(all, 1000, -1400, 34000, 1400, 0);     // inside the sectors
  add_floor(all, 1000, 2000, 11000, 4000, 0);      // outside all sectors: 20,000,000 square units
  add_floor(all, 1000, 20000, 11000, 22000, 0);    // the same, but nobody gets there
  add_floor(all, 12000, 2000, 19000, 4000, 600);   // too high
  add_floor(all, 20000, -1500, 24000, -5500, 0);   // facing down, but still a road
  add_floor(all, 10000, 6500, 20000, 8500, 0, 3);  // half of it outside
  add_floor(all, 0, 50000, 900, 51000, 0);         // small
  for (const u16 type : {kcl::k_item_road, kcl::k_fall_boundary, kcl::k_solid_fall, kcl::k_effect_trigger})
    add_floor(all, 0, 60000 + 3000 * f32(type), 10000, 62000 + 3000 * f32(type), 0, type);
  const auto roads = find_uncovered_roads(s, collision(all));
  ASSERT_EQ(roads.size(), 3u);
  EXPECT_NEAR(roads[0].area, 2.0e7, 1);
  EXPECT_EQ(roads[0].parts.size(), 2u);  // not split
  EXPECT_NEAR(roads[1].area, 1.6e7, 1.6e7 * 0.01);
  EXPECT_NEAR(roads[2].area, 1.0e7, 1.0e7 * 0.1);
  for (const UncoveredRoad& road : roads)
    for (u16 i = 0; i < s.size(); ++i) EXPECT_FALSE(s.has(i, {f32(road.place[0]), f32(road.place[2])}));
}

TEST(KmpRace, CutsHugeRoadsMoreCoarsely) {
  const Sectors s(there_and_back().type(8, 1).kmp);
  Triangles all;
  for (int i = 0; i < 400; ++i) add_floor(all, -90000, -90000 - f32(i), 90000, 90000 + f32(i), 10 * f32(i));
  const auto built = kcl::build_collision(all, {.smallest_cell = 1 << 17});
  ASSERT_TRUE(built);
  EXPECT_FALSE(find_uncovered_roads(s, built->kcl).empty());
}

TEST(KmpRace, DescribesObstaclesBetweenTwoPoints) {
  Triangles all;
  add_floor(all, 0, 0, 1000, 1000, 0);
  add_floor(all, 3000, 0, 4000, 1000, 900);
  add_floor(all, 3000, 3000, 4000, 4000, 0);
  add_floor(all, 6000, 0, 7000, 1000, -5000, kcl::k_fall_boundary);
  const Barriers open(collision(all));
  EXPECT_EQ(open.describe_obstacles({500, 500}, {3500, 3500}), "");
  EXPECT_EQ(open.describe_obstacles({500, 500}, {3500, 500}), "; the road there is 900 units higher");
  EXPECT_EQ(open.describe_obstacles({3500, 500}, {500, 500}), "; the road there is 900 units lower");
  EXPECT_EQ(open.describe_obstacles({500, 500}, {6500, 500}), "; there is no road to land on");
  EXPECT_EQ(open.describe_obstacles({500, 500}, {9500, 500}), "; there is no road to land on");
  all.push_back({{kcl::Vec3{2000, -100, -9000}, kcl::Vec3{2000, -100, 9000}, kcl::Vec3{2000, 9000, 0}}, 0x0C});
  const Barriers walled(collision(all));
  EXPECT_EQ(walled.describe_obstacles({500, 500}, {3500, 3500}), "; there is a wall in between");
  EXPECT_EQ(walled.describe_obstacles({500, 500}, {3500, 500}),
            "; the road there is 900 units higher, and there is a wall in between");
  EXPECT_EQ(walled.describe_obstacles({3500, 500}, {3500, 3500}), "; the road there is 900 units lower");
}

TEST(KmpRace, DrawsEveryRaceFinding) {
  Triangles all;
  add_floor(all, 1000, 20000, 11000, 22000, 0);
  const kcl::Kcl on = collision(all);
  size_t drawn = 0;
  for (const Known& k : known_courses()) {
    const auto events = find_race_events(k.course.kmp, &on);
    scene::Scene scene;
    draw_race(scene, k.course.kmp, &on);
    EXPECT_EQ(scene::verify(scene), std::vector<std::string>{}) << k.about;
    ASSERT_EQ(scene.nodes.size(), 1 + events.size()) << k.about;
    scene::Plan plan;
    draw_race(plan, k.course.kmp, &on);
    ASSERT_EQ(plan.layers.size(), 1u);
    ASSERT_EQ(plan.layers[0].items.size(), events.size());
    for (size_t i = 0; i < events.size(); ++i) {
      EXPECT_NE(scene.nodes[1 + i].mesh, scene::k_none) << events[i].message;
      EXPECT_FALSE(plan.layers[0].items[i].shapes.empty()) << events[i].message;
      ++drawn;
    }
  }
  EXPECT_GT(drawn, 20u);  // the field is in all courses
}

TEST(KmpRace, SampleRaceHasOneUncoveredRoad) {
  const kcl::Kcl on = collision(ground_of_race());
  const auto events = find_race_events(race(), &on);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].rule, "kmp.race-uncovered");
  EXPECT_EQ(events[0].path, "CKPT.entries[18]");
}

TEST(KmpRace, EachGroupIsAnEqualPartOfALap) {
  Kmp course = race();
  auto& groups = course.ckph->entries;
  ASSERT_EQ(groups.size(), 1u);
  groups.push_back(groups[0]);
  groups[0].count = 18, groups[1].first = 18, groups[1].count = 4;  // points 22 and 23 are in no group
  groups[0].next[0] = 1, groups[1].next[0] = 0;
  const Sectors two(course);
  EXPECT_EQ(two.part(17).group, 0u);
  EXPECT_EQ(two.part(18).group, 1u);
  EXPECT_EQ(two.part(22).group, std::nullopt);
  EXPECT_FLOAT_EQ(two.part(9).before, 0.25f);
  EXPECT_FLOAT_EQ(two.part(9).size, 0.5f / 18);
  EXPECT_FLOAT_EQ(two.part(19).before, 0.625f);
  EXPECT_FLOAT_EQ(two.part(19).size, 0.125f);
  groups[0].next.fill(0xFF);  // nothing leads to group 1
  EXPECT_FLOAT_EQ(Sectors(course).part(18).before, -1);

  const auto question = std::ranges::find(questions(), std::string_view("completion"), &Question::name);
  ASSERT_NE(question, questions().end());
  Document<Kmp> document;
  document.edit() = std::move(course);
  const auto answer = question->answer(DocumentOf<Kmp>(std::move(document)), "all");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->find("checkpoints")->size(), 24u);
}

}  // namespace dio::kmp
