// course_edits_test.cpp: courses shifted, turned, scaled and mirrored as a whole. The results are read from the
// course's scene, which is independent of these edits.
#include <gtest/gtest.h>

#include "engine/seeds.hpp"
#include "kmp/course_samples.hpp"
#include "kmp/generator.hpp"
#include "operations/editing.hpp"
#include "operations/operations.hpp"
#include "scene/transforms.hpp"

namespace dio::test {
namespace {

/// Positions and directions by entry path. For checkpoints: the middle and the forward direction.
struct Thing {
  scene::Point at, ahead;
  bool is_turned = false;
};
std::map<std::string, Thing> things(const Bytes& file) {
  std::map<std::string, Thing> out;
  const auto opened = open(file, "course.kmp", kmp());
  const auto staged = to_scene(*opened, {});
  EXPECT_TRUE(staged);
  for (const scene::Node& n : staged->scene.nodes) {
    if (!is_placed(*kmp().format->scenes, n)) continue;
    const std::string kind = n.extras.find("kind")->text();
    if (kind == "checkpoint") continue;
    const scene::Vec3 ahead =
        scene::rotate(n.rotation, kind == "camera" ? scene::Vec3{0, 0, -1} : scene::Vec3{0, 0, 1});
    out[std::string(path_from_extras(n.extras))] = {
        {n.translation[0], n.translation[1], n.translation[2]},
        {ahead[0], ahead[1], ahead[2]},
        kind != "enemy point" && kind != "item point" && kind != "route point"};
  }
  const TraceResult traced = kmp().format->trace(file, {});
  const Value all = traced.spans.value(0);
  const Value* points = all.find("CKPT") ? all.find("CKPT")->find("entries") : nullptr;
  for (size_t i = 0; points && i < points->size(); ++i) {
    const auto end = [&](const char* name) {
      const Value* v = points->at(i)->find(name);
      return scene::Point{v->find("x")->number(), 0, v->find("z")->number()};
    };
    const scene::Point a = end("left"), b = end("right");
    out["CKPT.entries[" + std::to_string(i) + "]"] = {
        {(a[0] + b[0]) / 2, 0, (a[2] + b[2]) / 2},
        scene::unit(scene::Point{b[2] - a[2], 0, a[0] - b[0]}),  // facing forwards, left is on the left
        true};
  }
  return out;
}

Bytes edited(const Bytes& file, std::vector<std::string> words) {
  auto e = Editing::begin(file, kmp());
  EXPECT_TRUE(e) << format_one_line(e.error());
  const auto steps = parse_edit_steps(words);
  EXPECT_TRUE(steps) << format_one_line(steps.error());
  const auto made = e->run(*steps);
  EXPECT_TRUE(made) << format_one_line(made.error());
  const Bytes out = e->bytes();
  e->undo();
  EXPECT_EQ(e->bytes(), file);
  return out;
}

/// Checks all positions after an edit, given its effect on points and directions.
void holds(const Bytes& file, const std::vector<std::string>& words, auto place, auto direction) {
  SCOPED_TRACE(words[0]);
  const auto before = things(file), after = things(edited(file, words));
  ASSERT_EQ(before.size(), after.size());
  for (const auto& [path, thing] : before) {
    SCOPED_TRACE(path);
    const Thing& now = after.at(path);
    scene::Point at = place(thing.at);
    const bool is_flat = path.starts_with("CKPT");
    for (size_t k = 0; k < 3; ++k) {
      if (is_flat && k == 1) continue;
      EXPECT_NEAR(now.at[k], at[k], 1e-2 + 1e-5 * std::fabs(at[k]));
    }
    if (!thing.is_turned) continue;
    const scene::Point ahead = direction(thing.ahead);
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(now.ahead[k], ahead[k], 2e-3);
  }
}

void whole_courses(const Bytes& file) {
  const auto same = [](scene::Point p) { return p; };
  holds(
      file, {"shift", "by=100,-50,2500"},
      [](scene::Point p) { return scene::Point{p[0] + 100, p[1] - 50, p[2] + 2500}; }, same);
  // A quarter turn maps north, -z, to west, -x.
  const auto quarter = [](scene::Point p) { return scene::Point{p[2], p[1], -p[0]}; };
  holds(file, {"turn", "degrees=90"}, quarter, quarter);
  holds(
      file, {"turn", "degrees=-90", "around=1000,-500"},
      [](scene::Point p) { return scene::Point{1000 - (p[2] + 500), p[1], -500 + (p[0] - 1000)}; },
      [](scene::Point p) { return scene::Point{-p[2], p[1], p[0]}; });
  holds(
      file, {"scale", "by=1.5"}, [](scene::Point p) { return scene::Point{p[0] * 1.5, p[1] * 1.5, p[2] * 1.5}; }, same);
  const auto flipped = [](scene::Point p) { return scene::Point{-p[0], p[1], p[2]}; };
  holds(file, {"mirror"}, flipped, flipped);
  holds(file, {"mirror", "x=400"}, [](scene::Point p) { return scene::Point{800 - p[0], p[1], p[2]}; }, flipped);
}

TEST(CourseEdits, MovesTheWholeCourse) {
  whole_courses(course_sample("race.kmp"));
  whole_courses(course_sample("arena.kmp"));
}

TEST(CourseEdits, ChangesOnlyTransforms) {
  for (const Sample& s : samples_of(*kmp().format)) {
    auto e = Editing::begin(s.bytes, kmp());
    if (!e) continue;
    SCOPED_TRACE(s.name);
    for (std::vector<std::string> words :
         {std::vector<std::string>{"shift", "by=1,2,3"}, {"mirror"}, {"scale", "by=2"}}) {
      const auto steps = parse_edit_steps(words);
      ASSERT_TRUE(e->run(*steps));
      for (const Change& c : e->last()) {
        const bool is_place = c.path.find("position") != c.path.npos || c.path.find("rotation") != c.path.npos ||
                              c.path.find("left") != c.path.npos || c.path.find("right") != c.path.npos ||
                              c.path.find("view_") != c.path.npos || c.path.find("scale") != c.path.npos ||
                              c.path.ends_with("pole") || c.path == "sections";  // if it was wrong in the file
        EXPECT_TRUE(is_place) << format_one_line(c);
      }
      e->undo();
      EXPECT_EQ(e->bytes(), s.bytes);
    }
  }
}

TEST(CourseEdits, MirroringTwiceRestoresTheCourse) {
  each_seed(40, [&](u64 seed) {
    const auto opened = open(KmpGenerator(seed).file(), "course.kmp", kmp());
    const auto clean = opened ? opened->document->save({.canonical = true, .lossy = true}) : refuse(opened.error());
    if (!clean) return;
    const Bytes once = edited(*clean, {"mirror"}), twice = edited(once, {"mirror"});
    const auto before = things(*clean), after = things(twice);
    for (const auto& [path, thing] : before)
      for (size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(thing.at[k], after.at(path).at[k], 1e-2 + 1e-5 * std::fabs(thing.at[k])) << path;
  });
}

TEST(CourseEdits, RejectsInvalidArguments) {
  const Bytes file = course_sample("race.kmp");
  for (std::vector<std::string> words : {std::vector<std::string>{"shift"},
                                         {"shift", "by=1,2"},
                                         {"shift", "by=1,2,x"},
                                         {"scale", "by=0"},
                                         {"scale", "by=-1"},
                                         {"turn", "degrees=90", "around=1"},
                                         {"mirror", "y=3"},
                                         {"turn"}}) {
    auto e = Editing::begin(file, kmp());
    const auto made = e->run(*parse_edit_steps(words));
    ASSERT_FALSE(made) << words.back();
    EXPECT_EQ(made.error().id, "edit.argument");
    EXPECT_EQ(e->bytes(), file);
  }
}

}  // namespace
}  // namespace dio::test
