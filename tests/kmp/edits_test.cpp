// edits_test.cpp: entries that are added, removed and moved, and what refers to them.
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"

#include <gtest/gtest.h>

#include "formats/kmp/parts.hpp"
#include "formats/registry.hpp"
#include "samples/samples.hpp"

namespace dio::kmp {
namespace {

Bytes race() {
  for (const Sample& s : samples_of(*find_format("kmp")))
    if (s.name == "race.kmp") return s.bytes;
  return {};
}

struct Edited {
  std::string said;
  Kmp course;
};
Edited edited(std::string_view name, std::vector<Argument> arguments, const Bytes& bytes = race()) {
  auto loaded = find_format("kmp")->load(bytes, {});
  EXPECT_TRUE(loaded);
  for (const Edit& e : edits()) {
    if (e.name != name) continue;
    const auto done = e.apply(*loaded->document, arguments);
    if (!done) return {to_line(done.error()), value_of<Kmp>(*loaded->document)};
    const auto saved = loaded->document->save({});
    EXPECT_TRUE(saved) << to_line(saved.error());
    auto again = load<Kmp>(*saved);
    EXPECT_TRUE(again) << to_line(again.error());
    return {*done, again->document.value()};
  }
  ADD_FAILURE() << name;
  return {};
}
Kmp original() { return load<Kmp>(race())->document.value(); }

/// The first point of what refers to a route, as it stays the same whatever number the route has.
template <class E>
std::optional<f32> route_of(const Kmp& k, const E& e) {
  return e.route < k.poti->entries.size() ? std::optional(k.poti->entries[e.route].points.at(0).position.x)
                                          : std::nullopt;
}

TEST(KmpEdits, RoutesGoWithTheirReferences) {
  const Kmp before = original();
  const size_t routes = before.poti->entries.size();
  ASSERT_GE(routes, 3u);
  for (size_t gone = 0; gone < routes; ++gone) {
    const Edited after = edited("remove", {{"section", "poti"}, {"entry", std::to_string(gone)}});
    EXPECT_EQ(after.course.poti->entries.size(), routes - 1) << after.said;
    size_t emptied = 0;
    const auto compare = [&](const auto& was, const auto& is) {
      ASSERT_EQ(was.size(), is.size());
      for (size_t i = 0; i < was.size(); ++i) {
        const bool lost = was[i].route == gone;
        emptied += lost;
        EXPECT_EQ(route_of(after.course, is[i]), lost ? std::nullopt : route_of(before, was[i]));
      }
    };
    compare(before.gobj->entries, after.course.gobj->entries);
    compare(before.came->entries, after.course.came->entries);
    compare(before.area->entries, after.course.area->entries);
    EXPECT_EQ(after.said.find("empty") != after.said.npos, emptied > 0) << after.said;
  }
  const Edited moved = edited("move", {{"section", "POTI"}, {"entry", "0"}, {"to", std::to_string(routes - 1)}});
  for (size_t i = 0; i < before.gobj->entries.size(); ++i)
    EXPECT_EQ(route_of(moved.course, moved.course.gobj->entries[i]), route_of(before, before.gobj->entries[i]));
}

TEST(KmpEdits, PointsStayInTheirGroups) {
  const Kmp before = original();
  const Group& second = before.enph->entries.at(1);
  const Edited more = edited("duplicate", {{"section", "ENPT"}, {"entry", std::to_string(second.first)}});
  EXPECT_EQ(more.course.enpt->entries.size(), before.enpt->entries.size() + 1);
  EXPECT_EQ(more.course.enph->entries[0].count, before.enph->entries[0].count);
  EXPECT_EQ(more.course.enph->entries[1].count, second.count + 1);
  if (before.enph->entries.size() > 2) {
    EXPECT_EQ(more.course.enph->entries[2].first, before.enph->entries[2].first + 1);
  }
  const Edited fewer = edited("remove", {{"section", "ENPT"}, {"entry", "0..1"}});
  EXPECT_EQ(fewer.course.enph->entries[0].count, before.enph->entries[0].count - 2);
  EXPECT_EQ(fewer.course.enph->entries[1].first, second.first - 2);
}

TEST(KmpEdits, CheckpointsAreLinkedAgain) {
  const Edited fewer = edited("remove", {{"section", "CKPT"}, {"entry", "3"}});
  for (const Edited* e : {&fewer}) {
    const auto& points = e->course.ckpt->entries;
    for (const Group& g : e->course.ckph->entries)
      for (size_t i = g.first; i < size_t(g.first) + g.count; ++i) {
        EXPECT_EQ(points[i].previous, i == g.first ? k_no_link : i - 1);
        EXPECT_EQ(points[i].next, i + 1 == size_t(g.first) + g.count ? k_no_link : i + 1);
      }
  }
}

TEST(KmpEdits, RespawnPointsKeepTheirIds) {
  const Kmp before = original();
  const Edited fewer = edited("remove", {{"section", "JGPT"}, {"entry", "0"}});
  for (size_t i = 0; i < fewer.course.jgpt->entries.size(); ++i) {
    EXPECT_EQ(fewer.course.jgpt->entries[i].id, i);
    EXPECT_EQ(fewer.course.jgpt->entries[i].position.x, before.jgpt->entries[i + 1].position.x);
  }
  for (size_t i = 0; i < before.ckpt->entries.size(); ++i) {
    const u8 was = before.ckpt->entries[i].respawn;
    EXPECT_EQ(fewer.course.ckpt->entries[i].respawn, was == 0 ? k_no_link : was < 128 ? was - 1 : was);
  }
}

TEST(KmpEdits, WhatCannotBeIsRefusedAndChangesNothing) {
  const auto said = [](std::string_view name, std::vector<Argument> arguments) {
    const Edited e = edited(name, std::move(arguments));
    EXPECT_EQ(e.course.poti->entries.size(), original().poti->entries.size());
    return e.said;
  };
  EXPECT_EQ(said("remove", {{"section", "XPND"}, {"entry", "0"}}),
            "section must be one that the course has, such as POTI, not \"XPND\"");
  EXPECT_EQ(said("remove", {{"entry", "0"}}), "the argument \"section\" is missing");
  EXPECT_EQ(said("move", {{"section", "ENPT"}, {"entry", "0"}, {"to", "1"}}),
            "points of a path cannot be moved: their order is the path; use duplicate and remove");
  EXPECT_NE(said("remove", {{"section", "POTI"}, {"entry", "99"}}).find("out of range"), std::string::npos);
}

}  // namespace
}  // namespace dio::kmp
