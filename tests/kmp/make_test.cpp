// make_test.cpp: courses built from scenes: random tracks whose laps have to count everywhere.
#include <gtest/gtest.h>

#include <random>

#include "containers/packed/yaz0.hpp"
#include "core/elementary.hpp"
#include "formats/contract/findings.hpp"
#include "formats/kcl/parts.hpp"
#include "formats/kmp/from_scene/curves.hpp"
#include "formats/kmp/from_scene/kmp_builder.hpp"
#include "formats/kmp/from_scene/minimap.hpp"
#include "formats/kmp/ground/checks.hpp"
#include "formats/kmp/ground/ground.hpp"
#include "formats/kmp/parts.hpp"
#include "formats/kmp/race/drive.hpp"
#include "formats/kmp/race/simulate.hpp"
#include "formats/kmp/scene/start_grid.hpp"
#include "layout/document.hpp"
#include "scene/transforms.hpp"

namespace dio::kmp {
namespace {

constexpr f64 k_turn = 2 * std::numbers::pi;

scene::Index add_node(scene::Scene& s, std::string name, scene::Index mesh = scene::k_none) {
  scene::Node n;
  n.name = std::move(name), n.mesh = mesh;
  s.nodes.push_back(std::move(n));
  return scene::Index(s.nodes.size() - 1);
}
scene::Index add_mesh(scene::Scene& s, std::string name, scene::Primitive p) {
  s.meshes.push_back({name, {std::move(p)}});
  return add_node(s, name, scene::Index(s.meshes.size() - 1));
}
scene::Vec3 to_vec(const Point& p) { return {f32(p[0]), f32(p[1]), f32(p[2])}; }

/// A strip of road along points, with a collision type as its material.
void add_strip(scene::Scene& s, const std::vector<Point>& way, bool closed, f64 left, f64 right, const char* type) {
  scene::Material m;
  m.name = type;
  s.materials.push_back(m);
  scene::Primitive p;
  p.material = scene::Index(s.materials.size() - 1);
  const size_t n = way.size();
  for (size_t i = 0; i < n; ++i) {
    const Point &a = way[closed ? (i + n - 1) % n
                         : i    ? i - 1
                                : 0],
                &b = way[closed ? (i + 1) % n : std::min(i + 1, n - 1)];
    const f64 x = b[0] - a[0], z = b[2] - a[2], size = elementary::hypot(x, z);
    for (const f64 across : {left, -right})
      p.positions.push_back(to_vec({way[i][0] + z / size * across, way[i][1], way[i][2] - x / size * across}));
  }
  for (u32 i = 0; i < (closed ? n : n - 1); ++i) {
    const u32 l = 2 * i, r = l + 1, ln = 2 * u32((i + 1) % n), rn = ln + 1;
    for (const u32 k : {l, r, rn, l, rn, ln}) p.indices.push_back(k);
  }
  add_mesh(s, type, std::move(p));
}
enum class Drawn { lines, tube, empties };
void add_curve(scene::Scene& s, const std::string& name, const std::vector<Point>& way, bool closed, Drawn drawn) {
  if (drawn == Drawn::empties) {
    const scene::Index parent = add_node(s, name);
    for (size_t i = 0; i < way.size(); ++i) {
      const scene::Index n = add_node(s, "point " + std::to_string(i));
      s.nodes[n].parent = parent, s.nodes[n].translation = to_vec(way[i]);
    }
    return;
  }
  scene::Primitive p;
  const u32 n = u32(way.size()), pieces = closed ? n : n - 1;
  if (drawn == Drawn::lines) {
    p.shape = scene::Primitive::Shape::lines;
    for (const Point& at : way) p.positions.push_back(to_vec(at));
    for (u32 i = 0; i < pieces; ++i) p.indices.push_back(i), p.indices.push_back((i + 1) % n);
  } else {
    for (const Point& at : way)
      for (const auto& [x, y] : {std::pair(50, 0), {0, 50}, {-50, 0}, {0, -50}})
        p.positions.push_back(to_vec({at[0] + x, at[1] + y, at[2] + x}));
    for (u32 i = 0; i < pieces; ++i)
      for (u32 k = 0; k < 4; ++k) {
        const u32 a = 4 * i + k, b = 4 * i + (k + 1) % 4, c = 4 * ((i + 1) % n) + k,
                  d = 4 * ((i + 1) % n) + (k + 1) % 4;
        for (const u32 corner : {a, b, d, a, d, c}) p.indices.push_back(corner);
      }
  }
  add_mesh(s, name, std::move(p));
}

/// A random closed way without crossings, or an eight with a bridge.
std::vector<Point> random_way(std::mt19937& random, bool is_eight) {
  const auto between = [&](f64 low, f64 high) { return low + (high - low) * f64(random() % 10000) / 10000; };
  const f64 size = between(15000, 45000);
  std::array<f64, 4> wave{}, phase{};
  for (size_t k = 0; k < 4; ++k) wave[k] = between(0, 0.25 / f64(k + 1)), phase[k] = between(0, k_turn);
  std::vector<Point> way;
  constexpr size_t k_points = 240;
  for (size_t i = 0; i < k_points; ++i) {
    const f64 t = k_turn * f64(i) / k_points;
    if (is_eight) {
      const f64 away = std::min(1.0, std::abs(f64(i) / k_points - 0.5) / 0.16);
      way.push_back({size * elementary::sin(t), 700 * (1 + elementary::cos(std::numbers::pi * away)),
                     0.6 * size * elementary::sin(2 * t)});
      continue;
    }
    f64 r = 1;
    for (size_t k = 0; k < 4; ++k) r += wave[k] * elementary::cos(f64(k + 1) * t + phase[k]);
    way.push_back(
        {size * r * elementary::cos(t), 500 + 400 * elementary::cos(t + phase[0]), -size * r * elementary::sin(t)});
  }
  return way;
}
scene::Scene track(u32 seed, std::vector<Point>* the_way = nullptr) {
  std::mt19937 random(seed);
  scene::Scene s;
  s.metres_per_unit = 0.01f;
  const std::vector<Point> way = random_way(random, seed % 3 == 0);
  const f64 half = 500 + f64(random() % 900);
  add_strip(s, way, true, half, half, "road");
  std::vector<Point> sparse;
  for (size_t i = 0; i < way.size(); i += 2) sparse.push_back(way[i]);
  add_curve(s, "course path", sparse, true, Drawn(seed % 3));
  if (the_way) *the_way = way;
  return s;
}

struct Built {
  Kmp course;
  kcl::Kcl collision;
  Diagnostics notes;
};
std::optional<Built> build(const scene::Scene& s) {
  const auto roles = classify_nodes(s);
  const auto collision = build_course_collision(s, roles, {});
  EXPECT_TRUE(collision);
  if (!collision) return {};
  auto course = build_course(s, roles, collision->collision, 1);
  if (!course) ADD_FAILURE() << format_one_line(course.error());
  if (!course) return {};
  Document<Kmp> d;
  d.edit() = std::move(course->course);
  const auto saved = save(d);
  const auto loaded = saved ? load<Kmp>(*saved) : refuse(saved.error());
  EXPECT_TRUE(loaded);
  if (!loaded) return {};
  return Built{loaded->document.value(), collision->collision, std::move(course->notes)};
}
std::string problems_of(const Built& b) {
  std::string out;
  bool has_grid_note = false;  // some start in a bend
  for (const Diagnostic& d : b.notes)
    if (d.id == "kmp.make-grid")
      has_grid_note |= d.severity == Severity::warning;  // else the start was moved
    else
      out += format_one_line(d) + "\n";
  Findings found(rules());
  check(b.course, found);
  check_ground(b.course, b.collision, found);
  simulate(b.course, &b.collision, found);
  for (const Diagnostic& d : found.list)
    if (!has_grid_note || d.id != "kmp.kcl-start" || d.message.find("of the start grid") == d.message.npos)
      out += format_one_line(d) + "\n";
  return out;
}

TEST(MakeCourse, RandomTracksHaveNoFindings) {
  for (u32 seed = 0; seed < 24; ++seed) {
    const auto built = build(track(seed));
    ASSERT_TRUE(built) << seed;
    EXPECT_EQ(problems_of(*built), "") << seed;
  }
}

TEST(MakeCourse, LapsCountFromEveryGridPlace) {
  for (u32 seed = 0; seed < 24; ++seed) {
    const auto built = build(track(seed));
    ASSERT_TRUE(built) << seed;
    const Kmp& k = built->course;
    const Sectors sectors(k);
    const auto line = find_lap_line(sectors);
    ASSERT_EQ(line, 0);
    std::vector<u16> around{0};
    do around.push_back(sectors.next(around.back())[0]);
    while (around.back());
    const Ground ground(built->collision);
    for (const scene::Vec3& place : start_grid(k.ktpt->entries[0], false, false)) {
      if (!ground.find_surface_below({place[0], place[1], place[2]}, 500)) continue;
      Racer racer(sectors, {place[0], place[2]});
      drive_to(racer, {place[0], place[2]}, point_in_sector(sectors, 0, sectors.next(0)[0], 0.5f));
      EXPECT_EQ(racer.lap(), 1) << seed;
      for (int lap = 2; lap <= 4; ++lap) {
        drive_along(racer, sectors, around);
        EXPECT_EQ(racer.lap(), lap) << seed;
      }
    }
  }
}

TEST(MakeCourse, RespawnPointsFaceForwardsOnTheRoad) {
  for (u32 seed = 0; seed < 12; ++seed) {
    const auto built = build(track(seed));
    ASSERT_TRUE(built);
    const Ground ground(built->collision);
    const Sectors sectors(built->course);
    for (u16 i = 0; i < sectors.size(); ++i) {
      const CheckPoint& c = sectors.point(i);
      ASSERT_LT(c.respawn, built->course.jgpt->entries.size());
      const Respawn& r = built->course.jgpt->entries[c.respawn];
      const auto hit = ground.find_surface_below({r.position.x, r.position.y, r.position.z}, 0);
      ASSERT_TRUE(hit);
      EXPECT_NEAR(hit->height, r.position.y, 101);
    }
  }
}

TEST(MakeCourse, ABranchIsASecondWay) {
  std::vector<Point> way;
  scene::Scene s = track(1, &way);  // no eight
  // straight across, from one side to the other
  const Point a = way[20], b = way[100];
  std::vector<Point> across;
  for (int i = 0; i <= 40; ++i) {
    const f64 t = i / 40.0;
    across.push_back({a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t});
  }
  add_strip(s, across, false, 400, 400, "off-road");
  add_curve(s, "course path across", across, false, Drawn::lines);
  const auto built = build(s);
  ASSERT_TRUE(built);
  Findings found(rules());
  check(built->course, found);
  for (const Diagnostic& d : found.list) EXPECT_EQ(format_one_line(d), "");
  const Sectors sectors(built->course);
  const auto split = [&] {
    for (u16 i = 0; i < sectors.size(); ++i)
      if (sectors.next(i).size() == 2) return i;
    return u16(0);
  }();
  ASSERT_NE(split, 0);
  for (const u16 branch : sectors.next(split)) {  // a lap counts on both ways
    Racer racer(sectors, {0, 0.5f}, 0);
    drive_along(racer, sectors, find_sector_path(sectors, 0, split));
    std::vector<u16> rest = find_sector_path(sectors, branch, 0);
    rest.insert(rest.begin(), split);
    drive_along(racer, sectors, rest);
    EXPECT_EQ(racer.lap(), 1);
  }
}

TEST(MakeCourse, TheStartTurnsTheCurve) {
  std::vector<Point> way;
  scene::Scene s = track(2, &way);
  const auto add_start = [&](size_t at, size_t towards) {
    scene::Scene out = s;
    const scene::Index n = add_node(out, "start");
    out.nodes[n].translation = to_vec(way[at]);
    const f64 angle = elementary::atan2(way[towards][0] - way[at][0], way[towards][2] - way[at][2]);
    out.nodes[n].rotation = {0, f32(elementary::sin(angle / 2)), 0, f32(elementary::cos(angle / 2))};
    return out;
  };
  for (const auto& [at, towards] : {std::pair(50, 52), {50, 48}}) {
    const auto built = build(add_start(size_t(at), size_t(towards)));
    ASSERT_TRUE(built);
    EXPECT_EQ(problems_of(*built), "");
    const StartPoint& start = built->course.ktpt->entries[0];
    EXPECT_NEAR(start.position.x, way[50][0], 1);
    EXPECT_NEAR(start.position.z, way[50][2], 1);
    const scene::Vec3 ahead = scene::rotate(rotation_from_degrees(start.rotation), {0, 0, 1});
    EXPECT_GT(ahead[0] * (way[size_t(towards)][0] - way[50][0]) + ahead[2] * (way[size_t(towards)][2] - way[50][2]), 0);
  }
}

/// Two straights, and half circles between them; the first point is in the middle of the first half circle.
std::vector<Point> stadium(f64 straight, f64 radius) {
  std::vector<Point> way;
  for (int i = 0; i < 160; ++i) {
    const f64 t = i / 40.0;  // quarter, straight, half, straight, quarter
    const f64 turn = std::numbers::pi * (t < 1 ? t / 2 : t < 2 ? 0.5 : t < 3 ? t - 1.5 : t < 3.5 ? 1.5 : t - 2);
    const f64 along = t < 1 ? 1 : t < 2 ? 3 - 2 * t : t < 3 ? -1 : t < 3.5 ? 4 * t - 13 : 1;
    way.push_back({straight / 2 * along + radius * elementary::cos(turn), 100, -radius * elementary::sin(turn)});
  }
  return way;
}
TEST(MakeCourse, TheStartMovesToAStraightPart) {
  const std::vector<Point> way = stadium(20000, 2500);
  scene::Scene s;
  s.metres_per_unit = 0.01f;
  add_strip(s, way, true, 900, 900, "road");
  add_curve(s, "course path", way, true, Drawn::lines);
  const auto built = build(s);
  ASSERT_TRUE(built);
  EXPECT_EQ(problems_of(*built), "");
  ASSERT_EQ(built->notes.size(), 1u);
  EXPECT_EQ(built->notes[0].id, "kmp.make-grid");
  EXPECT_EQ(built->notes[0].severity, Severity::hint);
  const Ground ground(built->collision);
  EXPECT_TRUE(find_grid_places_off_road(ground, start_grid(built->course.ktpt->entries[0], false, false)).empty());
  const StartPoint& start = built->course.ktpt->entries[0];
  EXPECT_LT(elementary::hypot(start.position.x - way[0][0], start.position.z - way[0][2]), 8000);  // the nearest
}
TEST(MakeCourse, SaysThatARoadIsTooSmallForKarts) {
  const std::vector<Point> way = stadium(600, 75);
  scene::Scene s;
  s.metres_per_unit = 0.01f;
  add_strip(s, way, true, 18, 18, "road");
  add_curve(s, "course path", way, true, Drawn::lines);
  const auto built = build(s);
  ASSERT_TRUE(built);
  const auto small = std::ranges::find(built->notes, "kmp.make-scale", &Diagnostic::id);
  ASSERT_NE(small, built->notes.end());
  EXPECT_NE(small->message.find("{--units-per-metre 6000}"), small->message.npos) << small->message;
}

TEST(MakeCourse, CurvesOfAllKindsAreTheSame) {
  std::mt19937 random(5);
  const std::vector<Point> way = random_way(random, false);
  for (const Drawn drawn : {Drawn::lines, Drawn::tube, Drawn::empties}) {
    scene::Scene s;
    add_curve(s, "course path", way, drawn != Drawn::empties, drawn);
    const auto curves = find_curves(s, 0, scene::world_transforms(s), 1);
    ASSERT_EQ(curves.size(), 1u) << int(drawn);
    EXPECT_EQ(curves[0].is_closed, drawn != Drawn::empties);
    for (const Point& p : curves[0].points) {
      f64 nearest = 1e9;
      for (const Point& q : way) nearest = std::min(nearest, elementary::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
      EXPECT_LT(nearest, 1000) << int(drawn);
    }
    // in the direction in which it was drawn
    const auto index_of = [&](const Point& p) {
      size_t best = 0;
      for (size_t i = 0; i < way.size(); ++i)
        if (elementary::hypot(p[0] - way[i][0], p[2] - way[i][2]) <
            elementary::hypot(p[0] - way[best][0], p[2] - way[best][2]))
          best = i;
      return best;
    };
    const size_t first = index_of(curves[0].points[0]);
    const size_t later = index_of(curves[0].points[curves[0].points.size() / 8]);
    EXPECT_LT((later + way.size() - first) % way.size(), way.size() / 2) << int(drawn) << " " << first << " " << later;
  }
}

TEST(MakeCourse, ShapesOfExportedModelsKeepTheirRole) {
  scene::Scene s;
  const auto add = [&](const char* name, const char* kind, scene::Index parent) {
    const scene::Index n = add_node(s, name);
    s.nodes[n].parent = parent;
    if (kind) s.nodes[n].extras = Value::object(), s.nodes[n].extras.add("kind", kind);
    return n;
  };
  const scene::Index model = add("course", "model", scene::k_none);
  add("sky", "shape", model), add("route_66", "shape", model), add("sky", nullptr, scene::k_none);
  const auto roles = classify_nodes(s);
  EXPECT_EQ(roles[1], NodeRole::course);  // the names of materials
  EXPECT_EQ(roles[2], NodeRole::course);
  EXPECT_EQ(roles[3], NodeRole::sky);
}

TEST(MakeCourse, TheMinimapStaysBelowItsLimit) {
  const auto roof = [](scene::Scene s) {  // out of reach
    add_strip(s, {{100'000, 9000, 100'000}, {101'000, 9000, 100'000}}, false, 500, 500, "road");
    return s;
  };
  const auto built = build(roof(track(4)));
  ASSERT_TRUE(built);
  const kcl::Kcl& file = built->collision;
  const size_t before = build(track(4))->collision.prisms.size();
  EXPECT_EQ(file.prisms.size(), before + 2);
  scene::Scene map = build_minimap(file, built->course);
  add_minimap_corners(map);
  ASSERT_EQ(map.nodes.size(), 3u);
  EXPECT_EQ(map.meshes[0].primitives[0].indices.size(), before * 3);
  for (const scene::Vec3& p : map.meshes[0].primitives[0].positions) {
    EXPECT_GT(p[0], map.nodes[1].translation[0]);
    EXPECT_LT(p[2], map.nodes[1].translation[2]);
    EXPECT_LT(p[0], map.nodes[2].translation[0]);
    EXPECT_GT(p[2], map.nodes[2].translation[2]);
  }
  // a road of 4 x 4000 small pieces
  std::vector<Point> way;
  for (size_t i = 0; i < 4000; ++i) {
    const f64 t = k_turn * f64(i) / 4000;
    way.push_back({40000 * elementary::cos(t), 0, 40000 * elementary::sin(t)});
  }
  scene::Scene s;
  s.metres_per_unit = 0.01f;
  for (int lane = -2; lane < 2; ++lane) add_strip(s, way, true, 300.0 * (lane + 1), -300.0 * lane, "road");
  const auto many = build_course_collision(s, classify_nodes(s), {});
  ASSERT_TRUE(many);
  const scene::Scene small = build_minimap(many->collision, Kmp{});
  EXPECT_LE(small.meshes[0].primitives[0].positions.size(), 2400u);
  EXPECT_GT(small.meshes[0].primitives[0].indices.size(), 1000u);
}

TEST(MakeCourse, AnArchiveHasAllParts) {
  const MemoryTree own;
  const auto made = make_archive(track(7), {}, own, {});
  ASSERT_TRUE(made);
  ASSERT_EQ(made->files.size(), 1u);
  EXPECT_EQ(made->files[0].extension, ".szs");
  EXPECT_TRUE(yaz0_decode(made->files[0].bytes));
  EXPECT_EQ(made->lost, 0u);
}

TEST(MakeCourse, ScenesThatAreNoCoursesAreRefused) {
  scene::Scene s = track(7);
  s.nodes[1].name = "something else";
  const auto no_path = make(s, {});
  ASSERT_FALSE(no_path);
  EXPECT_EQ(no_path.error().id, "kmp.make-path");
  const Argument wrong{"units-per-metre", "none"};
  ASSERT_FALSE(make(track(7), std::span(&wrong, 1)));
  EXPECT_EQ(make(track(7), std::span(&wrong, 1)).error().id, "make.argument");
  scene::Scene nothing;
  EXPECT_FALSE(make(nothing, {}));
}

}  // namespace
}  // namespace dio::kmp
