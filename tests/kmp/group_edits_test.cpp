// group_edits_test.cpp: course paths that are split, joined, reversed and created. A path is compared by its steps:
// from each point's position to those of the points that follow it, in its group or at the start of the next.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "engine/seeds.hpp"
#include "kmp/course_samples.hpp"
#include "operations/editing.hpp"
#include "operations/operations.hpp"

namespace dio::test {
namespace {

using Steps = std::multiset<std::pair<std::string, std::string>>;

Value values(const Bytes& file) { return kmp().format->trace(file, {}).spans.value(0); }
const Value& entries(const Value& course, const char* section) {
  static const Value none = Value::list();
  const Value* s = course.find(section);
  return s ? *s->find("entries") : none;
}
/// The position of a point, or both sides of a checkpoint.
std::string place_of(const Value& point) {
  const auto at = [](const Value& v) {
    return std::to_string(v.find("x")->number()) + " " + std::to_string(v.find("z")->number());
  };
  if (const Value* position = point.find("position")) return at(*position);
  return at(*point.find("left")) + " | " + at(*point.find("right"));
}
Steps steps(const Bytes& file, const std::string& path) {
  const Value course = values(file);
  const Value &points = entries(course, (path + "PT").c_str()), &groups = entries(course, (path + "PH").c_str());
  Steps out;
  const auto add = [&](u64 a, u64 b) {
    out.insert({place_of(*points.at(size_t(a))), place_of(*points.at(size_t(b)))});
  };
  const auto number = [](const Value& v, const char* name) { return v.find(name)->bits(); };
  for (const auto& [name, g] : groups.members()) {
    const u64 first = number(g, "first"), count = number(g, "count");
    for (u64 i = first; i + 1 < first + count; ++i) add(i, i + 1);
    for (const auto& [unnamed, next] : g.find("next")->members())
      if (next.bits() != 255) add(first + count - 1, number(*groups.at(size_t(next.bits())), "first"));
  }
  return out;
}
/// The links and groups of the checkpoints agree.
void expect_linked(const Bytes& file) {
  const Value course = values(file);
  const Value &points = entries(course, "CKPT"), &groups = entries(course, "CKPH");
  for (const auto& [name, g] : groups.members()) {
    const u64 first = g.find("first")->bits(), count = g.find("count")->bits();
    for (u64 i = first; i < first + count; ++i) {
      EXPECT_EQ(points.at(size_t(i))->find("previous")->bits(), i > first ? i - 1 : 255) << i;
      EXPECT_EQ(points.at(size_t(i))->find("next")->bits(), i + 1 < first + count ? i + 1 : 255) << i;
    }
  }
}

Result<Bytes> after_edit(const Bytes& file, const std::vector<std::string>& words) {
  auto e = Editing::begin(file, kmp());
  EXPECT_TRUE(e);
  const auto made = e->run(*parse_edit_steps(words));
  if (!made) {
    EXPECT_EQ(e->bytes(), file);
    return refuse(made.error());
  }
  Bytes out = e->bytes();
  e->undo();
  EXPECT_EQ(e->bytes(), file);
  return out;
}
/// The ids of the findings, without hints.
std::multiset<std::string> findings(const Bytes& file) {
  std::multiset<std::string> out;
  for (const Diagnostic& d : check(*open(file, "course.kmp", kmp())))
    if (d.severity != Severity::hint) out.insert(d.id);
  return out;
}

struct PathName {
  const char *word, *section;
};
constexpr PathName k_paths[] = {{"enemy", "EN"}, {"item", "IT"}, {"checkpoint", "CK"}};

TEST(GroupEdits, SplittingAndJoiningKeepTheRoute) {
  for (const char* name : {"race.kmp", "arena.kmp"})
    for (const auto& [word, section] : k_paths) {
      Bytes now = course_sample(name);
      SCOPED_TRACE(std::string(name) + " " + word);
      const Steps way = steps(now, section);
      const auto found = findings(now);
      std::mt19937_64 random(from_environment("DIORAMA_SEED", 0));
      int splits = 0, joins = 0;
      for (u64 i = 0; i < from_environment("DIORAMA_EDITS", 40); ++i) {
        const std::string path = "path=" + std::string(word);
        const bool splits_now = random() % 2;
        const auto next = splits_now ? after_edit(now, {"split-group", path, "at=" + std::to_string(random() % 30)})
                                     : after_edit(now, {"join-groups", path, "group=" + std::to_string(random() % 12)});
        if (!next) continue;
        ++(splits_now ? splits : joins);
        now = *next;
        EXPECT_EQ(steps(now, section), way);
        EXPECT_EQ(findings(now), found);
        if (word == std::string("checkpoint")) expect_linked(now);
      }
      if (!way.empty()) {
        EXPECT_GT(splits + joins, 4);
      }
    }
}

TEST(GroupEdits, ReversedPathsRunTheOtherWay) {
  for (const char* name : {"race.kmp"})  // in arenas, groups do not store their predecessors
    for (const auto& [word, section] : k_paths) {
      const Bytes file = course_sample(name);
      SCOPED_TRACE(std::string(name) + " " + word);
      const std::string path = "path=" + std::string(word);
      const auto once = after_edit(file, {"reverse-path", path});
      ASSERT_TRUE(once) << format_one_line(once.error());
      const bool turned = word == std::string("checkpoint");
      Steps expected;
      for (const auto& [a, b] : steps(file, section)) {
        const auto other = [&](const std::string& place) {
          const size_t bar = place.find(" | ");
          return turned ? place.substr(bar + 3) + " | " + place.substr(0, bar) : place;
        };
        expected.insert({other(b), other(a)});
      }
      EXPECT_EQ(steps(*once, section), expected);
      const auto twice = after_edit(*once, {"reverse-path", path});
      ASSERT_TRUE(twice);
      EXPECT_EQ(steps(*twice, section), steps(file, section));
      if (turned) expect_linked(*once);
    }
  // Areas of type 4 still refer to the same enemy point.
  const auto point_of_area = [](const Bytes& file) {
    const Value course = values(file);
    std::vector<std::string> places;
    for (const auto& [name, a] : entries(course, "AREA").members())
      if (a.find("type")->bits() == 4)
        places.push_back(place_of(*entries(course, "ENPT").at(size_t(a.find("enemy_point")->bits()))));
    return places;
  };
  const Bytes race = course_sample("race.kmp");
  EXPECT_FALSE(point_of_area(race).empty());
  EXPECT_EQ(point_of_area(*after_edit(race, {"reverse-path", "path=enemy"})), point_of_area(race));
}

TEST(GroupEdits, ReversedCheckpointsStillCountLaps) {
  const Bytes race = course_sample("race.kmp"), now = *after_edit(race, {"reverse-path", "path=checkpoint"});
  const Value course = values(now);
  const Value &points = entries(course, "CKPT"), &groups = entries(course, "CKPH");
  ASSERT_GT(points.size(), 2u);
  EXPECT_EQ(points.at(size_t(groups.at(0)->find("first")->bits()))->find("type")->bits(), 0u);
  // Following the first next group, key numbers increase.
  i64 last = 0, keys = 0;
  u64 g = 0;
  for (size_t n = 0; n < groups.size(); ++n) {
    const Value& group = *groups.at(size_t(g));
    for (u64 i = group.find("first")->bits(); i < group.find("first")->bits() + group.find("count")->bits(); ++i) {
      const Value& type = *points.at(size_t(i))->find("type");
      if (type.negative() || !type.bits()) continue;
      EXPECT_GE(i64(type.bits()), last);
      last = i64(type.bits());
      ++keys;
    }
    g = group.find("next")->at(0)->bits();
    if (g == 0 || g == 255) break;
  }
  EXPECT_GT(keys, 0);
  EXPECT_EQ(g, 0u);
}

TEST(GroupEdits, NewPathFollowsTheGivenPoints) {
  const Bytes race = course_sample("race.kmp");
  for (const auto& [word, section] : k_paths) {
    SCOPED_TRACE(word);
    const bool turned = word == std::string("checkpoint");
    std::vector<std::string> words{"lay-path", "path=" + std::string(word), "points=0,5,0;0,5,4000;2000,5,4000",
                                   "every=1000", "closed=yes"};
    if (turned) words.push_back("width=800");
    const auto now = after_edit(race, words);
    ASSERT_TRUE(now) << format_one_line(now.error());
    Steps added = steps(*now, section);
    for (const auto& step : steps(race, section)) added.extract(step);
    EXPECT_EQ(added.size(), 7u);  // 4 to the corner, 2 from there, 1 back to the start
    const std::string from = turned ? "400.000000 0.000000 | -400.000000 0.000000" : "0.000000 0.000000";
    EXPECT_EQ(std::ranges::count(added, from, &Steps::value_type::first), 1);
    if (turned) expect_linked(*now);
  }
  // A new path between two groups.
  const auto joined = after_edit(race, {"lay-path", "path=enemy", "points=1,2,3;4,5,6", "after=0", "before=0"});
  ASSERT_TRUE(joined) << format_one_line(joined.error());
  EXPECT_EQ(steps(*joined, "EN").size(), steps(race, "EN").size() + 3);
}

TEST(GroupEdits, DoesNotAddAMissingPath) {
  for (const char* word : {"enemy", "item", "checkpoint"})
    EXPECT_FALSE(after_edit(course_sample("few_sections.kmp"), {"reverse-path", "path=" + std::string(word)}));
}

TEST(GroupEdits, RejectsInvalidArguments) {
  const Bytes race = course_sample("race.kmp");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"split-group", "path=enemy", "at=0"},
                                             {"split-group", "path=enemy", "at=250"},
                                             {"split-group", "path=road", "at=1"},
                                             {"join-groups", "path=enemy", "group=77"},
                                             {"lay-path", "path=enemy", "points=1,2,3"},
                                             {"lay-path", "path=enemy", "points=1,2,3;4,5"},
                                             {"lay-path", "path=enemy", "points=0,0,0;900000,0,0", "every=1"},
                                             {"lay-path", "path=checkpoint", "points=0,0,0;900,0,0"},
                                             {"lay-path", "path=enemy", "points=1,2,3;4,5,6", "after=200"}}) {
    const auto made = after_edit(race, words);
    ASSERT_FALSE(made) << words[2];
    EXPECT_EQ(made.error().id, "edit.argument");
  }
}

}  // namespace
}  // namespace dio::test
