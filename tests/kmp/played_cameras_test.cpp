// Playback of course cameras: scene/opening_cameras.hpp.
#include <gtest/gtest.h>

#include "formats/kmp/scene/opening_cameras.hpp"

namespace dio::kmp {

namespace {

template <class S>
auto& entries_of(std::optional<S>& section) {
  if (!section) section.emplace();
  return section->entries;
}

/// A lap to the east and back: enemy points at x = 0 and 40000. Two areas 10000 wide, around x = 0 and 30000; the first
/// has a fixed camera, the second a following one.
Kmp straight_course() {
  Kmp k{};
  entries_of(k.enpt).resize(2);
  entries_of(k.enpt)[1].position = {40000, 0, 0};
  Group all{};
  all.count = 2;
  all.previous.fill(0xFF), all.next.fill(0xFF);
  all.previous[0] = all.next[0] = 0;
  entries_of(k.enph).push_back(all);
  Camera still{}, follows{};
  still.type = 1, still.position = {0, 1000, 5000}, still.zoom_begin = 40, still.zoom_end = 60, still.zoom_speed = 100;
  follows.type = 3, follows.view_begin = {0, 300, -700}, follows.zoom_begin = follows.zoom_end = 50;
  entries_of(k.came) = {still, follows};
  for (const f32 x : {0.f, 30000.f}) {
    Area a{};
    a.scale = {1, 1, 1};
    a.position = {x, 0, 0};
    a.camera = u8(x > 0);
    entries_of(k.area).push_back(a);
  }
  return k;
}

TEST(KmpReplay, ShowsEachAreaWithItsCamera) {
  const PlayedCamera seen = build_replay(straight_course());
  const size_t n = seen.times.size();
  ASSERT_GT(n, 100u);
  ASSERT_EQ(seen.eyes.size(), n);
  ASSERT_EQ(seen.rotations.size(), n);
  ASSERT_EQ(seen.fovs.size(), n);
  ASSERT_EQ(seen.karts.size(), n);
  for (size_t i = 1; i < n; ++i) EXPECT_LT(seen.times[i - 1], seen.times[i]);
  // There and back: the fixed camera, the following one, the fixed one again.
  ASSERT_EQ(seen.cuts.size(), 3u);
  EXPECT_EQ(seen.cuts[0].camera, 0u);
  EXPECT_EQ(seen.cuts[0].seconds, 0);
  EXPECT_EQ(seen.cuts[1].camera, 1u);
  EXPECT_NEAR(seen.cuts[1].seconds, 25000 / 80 / 60.f, 0.11f);
  EXPECT_EQ(seen.cuts[2].camera, 0u);
  EXPECT_NEAR(seen.cuts[2].seconds, 75000 / 80 / 60.f, 0.11f);
  for (size_t i = 0; i < n; ++i) {
    if (seen.times[i] < seen.cuts[1].seconds - 0.01f) {
      EXPECT_EQ(seen.eyes[i], (scene::Vec3{0, 1000, 5000}));
    } else if (seen.times[i] >= seen.cuts[1].seconds && seen.karts[i][0] < 35000 && seen.times[i] < 8) {
      EXPECT_NEAR(seen.eyes[i][0], seen.karts[i][0] - 700, 1);
      EXPECT_NEAR(seen.eyes[i][1], seen.karts[i][1] + 400, 1);
    }
  }
  // The zoom changes by one degree per frame for 20 frames.
  EXPECT_NEAR(seen.fovs[0], fov_in_radians(40), 1e-5);
  EXPECT_NEAR(seen.fovs[1], fov_in_radians(46), 1e-5);
  EXPECT_NEAR(seen.fovs[5], fov_in_radians(60), 1e-5);
}

TEST(KmpReplay, NeedsAPathAndACameraArea) {
  Kmp k = straight_course();
  for (Area& a : k.area->entries) a.camera = 9;
  EXPECT_TRUE(build_replay(k).times.empty());
  k = straight_course();
  k.enph.reset();
  EXPECT_TRUE(build_replay(k).times.empty());
}

TEST(KmpReplay, AreaWithTheHighestPriorityWins) {
  Kmp k = straight_course();
  k.area->entries[1].position = {0, 0, 0};
  k.area->entries[1].priority = 1;
  const PlayedCamera seen = build_replay(k);
  ASSERT_FALSE(seen.cuts.empty());
  EXPECT_EQ(seen.cuts[0].camera, 1u);
}

}  // namespace

}  // namespace dio::kmp
