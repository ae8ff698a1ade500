// selector_test.cpp: typed paths and assignments.
#include "layout/selector.hpp"

#include <gtest/gtest.h>

#include "core/json.hpp"
#include "formats/contract/format.hpp"
#include "operations/assignments.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio::test {
namespace {

class Selector : public testing::Test {
 protected:
  Selector() {
    for (Sample& s : samples_of(*find_format("kmp")))
      if (s.name == "race.kmp") bytes_ = std::move(s.bytes);
    traced_ = find_format("kmp")->trace(bytes_, {});
  }
  const Spans& spans() const { return traced_.spans; }
  /// The selected paths, separated by spaces, or the error id.
  std::string chosen(std::string_view typed) const {
    const auto spots = select(spans(), typed);
    if (!spots) return spots.error().id + ": " + spots.error().message;
    std::string all;
    for (const SpanRef& s : *spots) all += (all.empty() ? "" : " ") + spans().path(s);
    return all;
  }
  std::string expanded(std::string path, std::string value) const {
    const auto all = expand_assignment(spans(), {std::move(path), std::move(value)});
    if (!all) return all.error().id + ": " + all.error().message;
    std::string out;
    for (const Assignment& a : *all) out += (out.empty() ? "" : " ") + a.path + "=" + json::write(a.value);
    return out;
  }

 private:
  Bytes bytes_;
  TraceResult traced_;
};

TEST_F(Selector, SelectsSingleValues) {
  EXPECT_EQ(chosen("GOBJ.entries[1].position.x"), "GOBJ.entries[1].position.x");
  EXPECT_EQ(chosen("GOBJ[1].position.x"), "GOBJ.entries[1].position.x");
  EXPECT_EQ(chosen("POTI[0][1]"), "POTI.entries[0].points[1]");
  EXPECT_EQ(chosen("ENPH[0].next[2]"), "ENPH.entries[0].next[2]");
}

TEST_F(Selector, SelectsSeveralElements) {
  EXPECT_EQ(chosen("ENPT[1-3]"), "ENPT.entries[1] ENPT.entries[2] ENPT.entries[3]");
  const auto all = select(spans(), "CKPT[*].type");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), spans().length(spans().find("CKPT.entries")->span));
}

TEST_F(Selector, SelectsElementsByCondition) {
  const auto lap_lines = chosen("CKPT[type=lap line]");
  EXPECT_EQ(lap_lines, chosen("CKPT[type=0]"));
  EXPECT_EQ(lap_lines.find(' '), std::string::npos);
  const auto keys = select(spans(), "CKPT[type>0,next!=none]");
  ASSERT_TRUE(keys);
  for (const SpanRef& s : *keys) {
    EXPECT_GT(i64(spans()[spans().find("type", s.span)->span].raw), 0);
    EXPECT_NE(spans()[spans().find("next", s.span)->span].raw, 255u);
  }
}

TEST_F(Selector, ReportsUnknownAndInvalidPaths) {
  EXPECT_EQ(chosen("GOBJ[99]"), "path.unknown: no such element: the list has " +
                                    std::to_string(spans().length(spans().find("GOBJ.entries")->span)) +
                                    " elements, counted from 0");
  EXPECT_EQ(chosen("GOBJ[id=12345]"), "path.unknown: no element matches this condition");
  EXPECT_EQ(chosen("GOBJ[0].nothing"), "path.unknown: no value has this path");
  EXPECT_EQ(chosen("version[0]"), "path.unknown: the value before [0] is not a list");
  EXPECT_EQ(chosen("GOBJ[abc]").substr(0, 11), "path.syntax");
  EXPECT_EQ(chosen("GOBJ[1").substr(0, 11), "path.syntax");
  EXPECT_EQ(chosen("GOBJ[5-2]").substr(0, 11), "path.syntax");
  EXPECT_EQ(chosen("GOBJ..id").substr(0, 11), "path.syntax");
}

TEST_F(Selector, AssignsWholeStructures) {
  EXPECT_EQ(expanded("GOBJ[0].position", "1,2,3.5"),
            "GOBJ.entries[0].position.x=1 GOBJ.entries[0].position.y=2 GOBJ.entries[0].position.z=3.5");
  EXPECT_EQ(expanded("GOBJ[0].position", "1,2"), "layout.type: an object of 3 values cannot be set to 2 values");
  EXPECT_EQ(expanded("GOBJ[0]", "1").substr(0, 11), "layout.type");
}

TEST_F(Selector, AppliesArithmeticAssignments) {
  const std::string y = spans().show(*spans().find("GOBJ.entries[0].position.y"));
  const double was = std::stod(y);
  const auto higher = expand_assignment(spans(), {"GOBJ[0].position.y+", "100.5"});
  ASSERT_TRUE(higher);
  EXPECT_EQ(higher->front().value.number(), was + 100.5);
  EXPECT_EQ(expanded("STGI[0].laps+", "2"), "STGI.entries[0].laps=5");
  EXPECT_EQ(expanded("STGI[0].laps-", "1"), "STGI.entries[0].laps=2");
  EXPECT_EQ(expanded("STGI[0].laps*", "1.5"), "STGI.entries[0].laps=5");  // 4.5, rounded
  EXPECT_EQ(expanded("STGI[0].laps+", "many").substr(0, 11), "layout.type");
}

}  // namespace
}  // namespace dio::test
