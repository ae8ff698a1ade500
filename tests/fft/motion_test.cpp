// motion_test.cpp: animations of Final Fantasy Tactics maps: texture animation rows, mesh keyframes, and the scenes
// made from both, compared at every tick. Expected numbers are computed by hand from the facts in
// src/formats/fft/README.md.
#include "formats/fft/scene/motion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "formats/fft/game/parts.hpp"
#include "formats/fft/pictures/texels.hpp"
#include "scene/math.hpp"

namespace dio::fft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using TextureMotionTarget = TextureMotionKind::TextureMotionTarget;
using TextureMotionLoop = TextureMotionKind::TextureMotionLoop;

/// A row that copies 12 x 8 texels from u 40, v 16 of page 1 to u 8, v 4 of page 2.
TextureAnimation texel_row(u8 mode, u8 frames, u8 duration) {
  TextureAnimation r{};
  r.canvas_x = 0x300 + 2 * 64 + 8 / 4, r.canvas_y = 4;
  r.width = 12 / 4, r.height = 8;
  r.frame_x = 0x300 + 1 * 64 + 40 / 4, r.frame_y = 16;
  r.mode = mode, r.frame_count = frames, r.duration = duration;
  return r;
}
TextureAnimation palette_row(u8 mode, u8 palette, u8 first, u8 frames, u8 duration) {
  TextureAnimation r{};
  r.canvas_x = i16(16 * palette), r.canvas_y = 480, r.frame_x = first;
  r.mode = mode, r.frame_count = frames, r.duration = duration;
  return r;
}

// ---- rows of texture animations ----

TEST(FftTextureMotion, DecodesAnimationModes) {
  const auto kind = [](u8 mode) { return decode_texture_motion(texel_row(mode, 3, 4)); };
  EXPECT_EQ(decode_texture_motion(TextureAnimation{}), (TextureMotionKind{TextureMotionTarget::none}));
  EXPECT_EQ(kind(0), (TextureMotionKind{TextureMotionTarget::off}));
  EXPECT_EQ(kind(1), (TextureMotionKind{TextureMotionTarget::texels, TextureMotionLoop::loop}));
  EXPECT_EQ(kind(2), (TextureMotionKind{TextureMotionTarget::texels, TextureMotionLoop::to_and_fro}));
  EXPECT_EQ(kind(3), (TextureMotionKind{TextureMotionTarget::palette, TextureMotionLoop::loop}));
  EXPECT_EQ(kind(4), (TextureMotionKind{TextureMotionTarget::palette, TextureMotionLoop::to_and_fro}));
  for (const u8 m : {0x05, 0x0C})
    EXPECT_EQ(kind(m), (TextureMotionKind{TextureMotionTarget::texels, TextureMotionLoop::once, true})) << int(m);
  for (const u8 m : {0x0D, 0x13, 0x14})
    EXPECT_EQ(kind(m), (TextureMotionKind{TextureMotionTarget::palette, TextureMotionLoop::once, true})) << int(m);
  for (const u8 m : {0x15, 0x1C})
    EXPECT_EQ(kind(m), (TextureMotionKind{TextureMotionTarget::texels, TextureMotionLoop::once_backwards, true}))
        << int(m);
  EXPECT_EQ(kind(0x1D), (TextureMotionKind{TextureMotionTarget::polygons}));
  for (const u8 m : {0x1E, 0x7F, 0x83, 0xFF})
    EXPECT_EQ(kind(m), (TextureMotionKind{TextureMotionTarget::unknown})) << int(m);
  EXPECT_EQ(kind(0x80), (TextureMotionKind{TextureMotionTarget::texels, TextureMotionLoop::to_and_fro, false, true}));
  EXPECT_EQ(kind(0x81), (TextureMotionKind{TextureMotionTarget::palette, TextureMotionLoop::to_and_fro, false, true}));
  EXPECT_EQ(kind(0x82),
            (TextureMotionKind{TextureMotionTarget::texels, TextureMotionLoop::once_backwards, false, true}));
}

TEST(FftTextureMotion, FramesAreSideBySide) {
  // A row from the game: 51 03 3a 00 07 00 46 00 09 03 b2 00. 0x351 = 0x300 + 64 + 17: page 1, u = 17 * 4 = 68; 0x309:
  // page 0, u = 36; 7 units are 28 texels.
  TextureAnimation r{};
  r.canvas_x = 0x351, r.canvas_y = 0x3A, r.width = 7, r.height = 0x46, r.frame_x = 0x309, r.frame_y = 0xB2;
  r.mode = 5, r.frame_count = 3, r.duration = 15;
  EXPECT_EQ(to_texel_rect(canvas_rect(r)), (TexelRect{1, 68, 58, 28, 70}));
  const auto frames = compute_frame_rects(r);
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(to_texel_rect(frames[0]), (TexelRect{0, 36, 178, 28, 70}));
  EXPECT_EQ(to_texel_rect(frames[1]), (TexelRect{0, 64, 178, 28, 70}));
  EXPECT_EQ(to_texel_rect(frames[2]), (TexelRect{0, 92, 178, 28, 70}));
}

TEST(FftTextureMotion, FramesContinueBelowAtThePageEnd) {
  TextureAnimation r = texel_row(1, 5, 4);
  r.width = 8, r.height = 20, r.frame_y = 30;
  // 47 + 8 = 55 and 55 + 8 = 63 are not past 63; 63 + 8 is. The next frames are at 2, 10, 18, 20 texels lower.
  r.frame_x = 0x340 + 47;
  EXPECT_THAT(compute_frame_rects(r), ElementsAre(VramRect{0x340 + 47, 30, 8, 20}, VramRect{0x340 + 55, 30, 8, 20},
                                                  VramRect{0x340 + 2, 50, 8, 20}, VramRect{0x340 + 10, 50, 8, 20},
                                                  VramRect{0x340 + 18, 50, 8, 20}));
  EXPECT_EQ(to_texel_rect(compute_frame_rects(r)[2]), (TexelRect{1, 8, 50, 32, 20}));
  // 48 + 8 = 56; 56 + 8 = 64 is past 63, although the texels would fit.
  r.frame_x = 0x340 + 48;
  EXPECT_EQ(compute_frame_rects(r)[1], (VramRect{0x340 + 2, 50, 8, 20}));
  // Frames so wide that each starts a new row: 2 + 31 = 33, 33 + 31 = 64.
  r.width = 31, r.frame_x = 0x340 + 40, r.frame_count = 3;
  EXPECT_THAT(compute_frame_rects(r), ElementsAre(VramRect{0x340 + 40, 30, 31, 20}, VramRect{0x340 + 2, 50, 31, 20},
                                                  VramRect{0x340 + 2, 70, 31, 20}));
}

TEST(FftTextureMotion, RejectsRectanglesAcrossPages) {
  EXPECT_EQ(to_texel_rect({0x300, 0, 64, 256}), (TexelRect{0, 0, 0, 256, 256}));
  EXPECT_EQ(to_texel_rect({0x3FF, 255, 1, 1}), (TexelRect{3, 252, 255, 4, 1}));
  EXPECT_EQ((TexelRect{3, 0, 9, 4, 1}.texture_v()), 777u);
  for (const VramRect& r : {VramRect{0x2FF, 0, 1, 1},
                            {0x400, 0, 1, 1},
                            {0x33F, 0, 2, 1},
                            {0x300, 250, 1, 7},
                            {0x300, -1, 1, 1},
                            {0x300, 0, 0, 1},
                            {0x300, 0, 1, 0},
                            {0x300, 0, -3, 1}})
    EXPECT_FALSE(to_texel_rect(r)) << r.x << " " << r.y << " " << r.width << " " << r.height;
}

TEST(FftTextureMotion, FindsReplacedPalettesAndFrames) {
  EXPECT_EQ(replaced_palette(palette_row(3, 15, 0, 1, 1)), 15);
  TextureAnimation r = palette_row(3, 0, 12, 4, 1);
  EXPECT_EQ(palette_frame(r, 3), 15);
  EXPECT_FALSE(palette_frame(r, 4));
  r.canvas_x = 256;
  EXPECT_FALSE(replaced_palette(r));
  r.canvas_x = -16, r.frame_x = -1;
  EXPECT_FALSE(replaced_palette(r));
  EXPECT_FALSE(palette_frame(r, 0));
  EXPECT_EQ(palette_frame(r, 1), 0);
}

using Step = FrameWalk::Step;

TEST(FftTextureMotion, LoopFramesLastTheirDuration) {
  for (const u8 mode : {1, 3}) {
    const FrameWalk w = build_frame_walk(texel_row(mode, 3, 4));
    EXPECT_THAT(w.steps, ElementsAre(Step{0, 0}, Step{4, 1}, Step{8, 2}));
    EXPECT_EQ(w.ticks, 12u);
    EXPECT_TRUE(w.loops);
    EXPECT_EQ(w.at(11), 2);
    EXPECT_EQ(w.at(12), 0);
    EXPECT_EQ(w.at(12 * 1000 + 4), 1);
  }
  // A duration of 0 changes the frame at every tick.
  EXPECT_THAT(build_frame_walk(texel_row(1, 2, 0)).steps, ElementsAre(Step{0, 0}, Step{1, 1}));
  EXPECT_EQ(build_frame_walk(texel_row(1, 2, 0)).ticks, 2u);
  // The loop starts with the file's current frame and returns to it.
  TextureAnimation r = texel_row(1, 3, 4);
  r.frame = 2;
  EXPECT_THAT(build_frame_walk(r).steps, ElementsAre(Step{0, 2}, Step{4, 0}, Step{8, 1}));
  r.frame = 3;  // a frame that does not exist
  EXPECT_THAT(build_frame_walk(r).steps, ElementsAre(Step{0, 0}, Step{4, 1}, Step{8, 2}));
}

TEST(FftTextureMotion, PingPongFramesLastOneTickLonger) {
  // The timer must exceed the duration: 5 ticks. 0 1 2 1 | 0 ...
  for (const u8 mode : {2, 4}) {
    const FrameWalk w = build_frame_walk(texel_row(mode, 3, 4));
    EXPECT_THAT(w.steps, ElementsAre(Step{0, 0}, Step{5, 1}, Step{10, 2}, Step{15, 1}));
    EXPECT_EQ(w.ticks, 20u);
    EXPECT_TRUE(w.loops);
  }
  EXPECT_THAT(build_frame_walk(texel_row(2, 2, 4)).steps, ElementsAre(Step{0, 0}, Step{5, 1}));
  // Stored while moving backwards: 1 0 1 2 | 1.
  TextureAnimation r = texel_row(0x80, 3, 4);
  r.frame = 1;
  EXPECT_THAT(build_frame_walk(r).steps, ElementsAre(Step{0, 1}, Step{5, 0}, Step{10, 1}, Step{15, 2}));
  EXPECT_EQ(build_frame_walk(r).ticks, 20u);
  r.mode = 2;  // and while moving forwards: 1 2 1 0 | 1
  EXPECT_THAT(build_frame_walk(r).steps, ElementsAre(Step{0, 1}, Step{5, 2}, Step{10, 1}, Step{15, 0}));
}

TEST(FftTextureMotion, PlayOnceHoldsTheLastFrame) {
  for (const u8 mode : {5, 0x0D}) {
    TextureAnimation r = texel_row(mode, 3, 15);
    r.frame = 2;  // the trigger restarts it
    const FrameWalk w = build_frame_walk(r);
    EXPECT_THAT(w.steps, ElementsAre(Step{0, 0}, Step{16, 1}, Step{32, 2}));
    EXPECT_EQ(w.ticks, 48u);
    EXPECT_FALSE(w.loops);
    EXPECT_EQ(w.at(1000), 2);
  }
  const FrameWalk back = build_frame_walk(texel_row(0x15, 3, 15));
  EXPECT_THAT(back.steps, ElementsAre(Step{0, 2}, Step{16, 1}, Step{32, 0}));
  EXPECT_EQ(back.ticks, 48u);
  EXPECT_FALSE(back.loops);
  TextureAnimation r = texel_row(0x82, 4, 0);  // already running: not from the end
  r.frame = 1;
  EXPECT_THAT(build_frame_walk(r).steps, ElementsAre(Step{0, 1}, Step{1, 0}));
}

TEST(FftTextureMotion, StillAnimationsHoldTheirFrame) {
  for (const u8 mode : {1, 2, 3, 4, 5, 0x0D, 0x15, 0x80, 0x81, 0x82}) {
    EXPECT_THAT(build_frame_walk(texel_row(mode, 0, 4)).steps, IsEmpty()) << int(mode);
    EXPECT_THAT(build_frame_walk(texel_row(mode, 1, 4)).steps, ElementsAre(Step{0, 0})) << int(mode);
    EXPECT_FALSE(build_frame_walk(texel_row(mode, 1, 4)).loops) << int(mode);
  }
  for (const u8 mode : {0, 0x1D, 0x1E})
    EXPECT_THAT(build_frame_walk(texel_row(mode, 3, 4)).steps, IsEmpty()) << int(mode);
  // A byte timer never exceeds 255, but it can reach 255.
  EXPECT_THAT(build_frame_walk(texel_row(2, 3, 255)).steps, ElementsAre(Step{0, 0}));
  EXPECT_FALSE(build_frame_walk(texel_row(2, 3, 255)).loops);
  EXPECT_THAT(build_frame_walk(texel_row(5, 3, 255)).steps, ElementsAre(Step{0, 0}));
  EXPECT_THAT(build_frame_walk(texel_row(1, 2, 255)).steps, ElementsAre(Step{0, 0}, Step{255, 1}));
}

TEST(FftTextureMotion, FrameWalkMatchesTickByTickPlayback) {
  for (const u8 mode : {1, 2, 3, 4, 5, 0x0D, 0x15, 0x80, 0x81, 0x82})
    for (const u8 frames : {2, 3, 7})
      for (const u8 duration : {0, 1, 6, 255})
        for (u8 frame = 0; frame < frames; ++frame) {
          TextureAnimation r = texel_row(mode, frames, duration);
          r.frame = frame;
          const FrameWalk w = build_frame_walk(r);
          TextureMotionRun run(r);
          for (u64 tick = 0; tick < 3000; ++tick, run.tick())
            ASSERT_EQ(w.at(tick), run.frame())
                << int(mode) << " " << int(frames) << " " << int(duration) << " " << tick;
        }
}

// ---- one channel of a mesh ----

TEST(FftMeshMotion, ComputesSinesLikeTheGame) {
  EXPECT_EQ(sine(0), 0);
  EXPECT_EQ(sine(1024), 4096);  // a quarter turn
  EXPECT_EQ(sine(512), 2896);   // 4096 * 0.70710678 = 2896.3
  EXPECT_EQ(sine(256), 1567);   // 4096 * 0.38268343 = 1567.5 (.47)
  EXPECT_EQ(sine(1), 6);        // 4096 * 0.00153398 = 6.28
  EXPECT_EQ(sine(2048), 0);
  EXPECT_EQ(sine(3072), -4096);
  EXPECT_EQ(sine(-512), -2896);
  EXPECT_EQ(sine(4096 * 7 + 1536), 2896);
}

Tween tween(u16 mode, i16 start, i16 target, u32 duration, i16 start_angle = 0, i16 end_angle = 0) {
  return {mode, start, target, start_angle, end_angle, duration};
}

TEST(FftMeshMotion, ComputesLinearTweens) {
  const Tween to = tween(0x05, 50, 10, 8);  // 50 to 10: minus 5 per tick
  EXPECT_EQ(to.at(0), 50);
  EXPECT_EQ(to.at(1), 45);
  EXPECT_EQ(to.at(2.5), 37.5);
  EXPECT_EQ(to.at(8), 10);
  EXPECT_EQ(to.end(), 10);
  const Tween by = tween(0x06, 50, 10, 4);
  EXPECT_EQ(by.at(1), 52.5);
  EXPECT_EQ(by.end(), 60);
  EXPECT_TRUE(to.is_linear() && by.is_linear());
  EXPECT_FALSE(to.is_still() || by.is_still());
  EXPECT_TRUE(tween(0x05, 10, 10, 4).is_still());
  EXPECT_TRUE(tween(0x06, 10, 0, 4).is_still());
  // 16 bits: 32000 + 1000 is 33000 - 65536.
  EXPECT_EQ(tween(0x06, 32000, 1000, 4).end(), -32536);
  EXPECT_EQ(tween(0x05, -32768, 32767, 5).end(), 32767);
}

TEST(FftMeshMotion, ComputesSineTweens) {
  // By x sine: 100 - 24 * sin, a full turn in 8 ticks: 24 * 2896 / 4096 = 16.96875.
  const Tween by = tween(0x0A, 100, -24, 8, 0, 4096);
  const f64 expected[] = {100, 83.03125, 76, 83.03125, 100, 116.96875, 124, 116.96875, 100};
  for (u32 t = 0; t <= 8; ++t) EXPECT_EQ(by.at(t), expected[t]) << t;
  EXPECT_EQ(by.at(1.9), expected[1]);  // the game has no time between ticks
  EXPECT_EQ(by.end(), 100);
  EXPECT_FALSE(by.is_linear());
  // To x sine: 20 + (60 - 20) * sin from 0 to a quarter turn: 40 * 2896 / 4096 = 28.28125 at half time.
  const Tween to = tween(0x09, 20, 60, 2, 0, 1024);
  EXPECT_EQ(to.at(0), 20);
  EXPECT_EQ(to.at(1), 48.28125);
  EXPECT_EQ(to.end(), 60);
  // To x (sine + 1) from three quarters on: sin = -1, 0, 1, 0, -1: 0, -36, -72, -36, 0.
  const Tween plus = tween(0x11, 0, -36, 4, 3072, 7168);
  const f64 swing[] = {0, -36, -72, -36, 0};
  for (u32 t = 0; t <= 4; ++t) EXPECT_EQ(plus.at(t), swing[t]) << t;
  // By x (sine + 1): the value starts with a jump of 10.
  const Tween off = tween(0x12, 5, 10, 4, 0, 2048);
  EXPECT_EQ(off.at(0), 15);
  EXPECT_EQ(off.at(2), 25);
  EXPECT_EQ(off.end(), 15);
  // The angle is a whole number: 10 * 1 / 3 = 3. sin = 4096 * 0.0046 = 19 (18.85), 1000 * 19 / 4096 = 4.638671875.
  EXPECT_EQ(tween(0x0A, 0, 1000, 3, 0, 10).at(1), 4.638671875);
  // Stored values are rounded down: 3 * 2896 / 4096 = 2.12.
  EXPECT_EQ(tween(0x0A, 0, 3, 1, 0, 512).end(), 2);
  EXPECT_EQ(tween(0x0A, 0, -3, 1, 0, 512).end(), -3);
}

TEST(FftMeshMotion, LastModeBitWins) {
  EXPECT_EQ(tween(0x07, 50, 10, 4).end(), 60);              // by
  EXPECT_EQ(tween(0x0E, 50, 10, 4, 1024, 1024).at(1), 60);  // sine
  EXPECT_EQ(tween(0x1E, 50, 10, 4, 1024, 1024).at(1), 70);  // sine + 1
  EXPECT_EQ(tween(0x04, 50, 10, 4).at(2), 50);              // neither to nor by: no motion
  EXPECT_TRUE(tween(0x04, 50, 10, 4).is_still());
}

TEST(FftMeshMotion, UndefinedTweensGrowEveryTick) {
  // Grows by 4096 at every tick, until 8 * 4096 wraps to -32768 in 16 bits.
  const Tween away = tween(0x01, 4096, 10, 20);
  EXPECT_EQ(away.at(0), 4096);
  EXPECT_EQ(away.at(1), 8192);
  EXPECT_EQ(away.at(6), 28672);
  EXPECT_EQ(away.at(7), -32768);
  EXPECT_EQ(away.at(16), 4096);
  EXPECT_EQ(away.end(), 20480);  // 21 * 4096 = 86016 = 65536 + 20480
  EXPECT_FALSE(away.is_still());
  EXPECT_TRUE(tween(0x00, 0, 10, 20).is_still());
  Tween held = away;
  held.wayless = UndefinedTween::hold;
  EXPECT_EQ(held.at(7), 4096);
  EXPECT_TRUE(held.is_still());
}

// ---- keyframes, instructions, states, links ----

constexpr u16 k_to = 5, k_by = 6;

Keyframe keyframe(const StoredMeshValues& v, u16 mode) {
  Keyframe k{};
  k.rotation = {v[0], v[1], v[2], 0};
  k.position = {v[3], v[4], v[5], 0};
  k.scale = {v[6], v[7], v[8], 0};
  k.modes.fill(mode);
  return k;
}

/// Records as in the game's files: 128 keyframes, 8 states, 64 links.
struct Animations {
  std::vector<Keyframe> keyframes{128};
  std::vector<MeshState> states{8};
  std::vector<MeshLink> links{64};

  u8 add(const StoredMeshValues& v, u16 mode) {
    keyframes[used] = keyframe(v, mode);
    return ++used;
  }
  Keyframe& last() { return keyframes[used - 1u]; }
  /// Meshes are counted from 1 here, as in the file.
  void set(size_t state, size_t mesh, std::vector<MeshInstruction> list) {
    std::copy(list.begin(), list.end(), states[state].meshes[mesh - 1].begin());
  }
  MeshAnimations file() const {
    using R = MeshAnimationRecord;
    MeshAnimations out;
    out.records.push_back({R::keyframe, 128, keyframes, {}, {}});
    out.records.push_back({R::state, 0x400010, {}, states, {}});
    out.records.push_back({R::link, 64, {}, {}, links});
    out.records.push_back({R::end, 0, {}, {}, {}});
    return out;
  }
  MeshMotion motion() const { return MeshMotion(file()); }
  u8 used = 0;
};

TEST(FftMeshMotion, LaterRecordsOverrideEarlierOnes) {
  Animations a;
  a.add({1, 2, 3, 4, 5, 6, 7, 8, 9}, k_to);
  a.add({2}, k_to);
  a.links[7].parent = 1;
  MeshAnimations file = a.file();
  file.records.insert(file.records.end() - 1, {MeshAnimationRecord::keyframe, 1, {keyframe({9}, k_by)}, {}, {}});
  const MeshMotion m(file);
  EXPECT_EQ(m.keyframe(1)->rotation.x, 9);
  EXPECT_EQ(m.keyframe(2)->rotation.x, 2);
  EXPECT_EQ(m.keyframe(128)->rotation.x, 0);
  EXPECT_EQ(m.keyframe(0), nullptr);
  EXPECT_EQ(m.keyframe(129), nullptr);
  EXPECT_EQ(m.parent(7).mesh, 0);
  EXPECT_FALSE(m.is_used(0));
}

TEST(FftMeshMotion, ResolvesMeshParentsWithoutCycles) {
  using P = MeshMotion::Parent;
  Animations a;
  const u8 links[] = {0, 1, 9, 4, 6, 7, 5, 5};  // parents of mesh 1, 2, ...: 5, 6 and 7 form a ring
  for (size_t i = 0; i < 8; ++i) a.links[i].parent = links[i];
  a.links[8].parent = 3;  // of no mesh
  MeshMotion m = a.motion();
  EXPECT_EQ(m.parent(0), (P{}));
  EXPECT_EQ(m.parent(1), (P{0, false, false}));
  for (const size_t i : {2, 3, 4, 5, 6}) EXPECT_EQ(m.parent(i), (P{P::k_none, true, false})) << i;
  EXPECT_EQ(m.parent(7), (P{4, false, false}));
  a = {};
  a.links[0].parent = 8, a.links[7].parent = 3;
  m = a.motion();
  EXPECT_EQ(m.parent(0), (P{7, false, true}));
  EXPECT_EQ(m.parent(7), (P{2, false, false}));
}

std::vector<u32> ticks_of(const MeshTrack& t) {
  std::vector<u32> out;
  for (const auto& s : t.steps) out.push_back(s.tick);
  return out;
}

TEST(FftMeshMotion, RotatingLoopsRepeatAfterAFullTurn) {
  // A quarter turn about y in 60 ticks and a sway in 90 ticks, four times: 1 + 4 * 150.
  Animations a;
  a.add({0, 0, 0, 70, -100, 70, 4096, 4096, 4096}, k_to);
  a.add({0, 1024, 0, 0, 0, 0, 0, 0, 0}, k_by);
  a.add({0, 0, 0, 0, -24, 0, 0, 0, 0}, k_by);
  a.last().modes[4] = 0x0A, a.last().end_angles[4] = 4096;
  a.set(0, 1, {{1, 2, 1}, {2, 3, 60}, {3, 2, 90}});
  const MeshTrack t = build_mesh_track(a.motion(), 0, 0);
  EXPECT_THAT(ticks_of(t), ElementsAre(0, 1, 61, 151, 211, 301, 361, 451, 511));
  EXPECT_TRUE(t.loops);
  EXPECT_EQ(t.loop_from, 1u);
  EXPECT_EQ(t.ticks, 601u);
  EXPECT_FALSE(t.is_cut);
  EXPECT_EQ(t.at(0), (MeshValues{0, 0, 0, 70, -100, 70, 4096, 4096, 4096}));
  EXPECT_EQ(t.at(31)[1], 512);
  EXPECT_EQ(t.at(61 + 45)[4], -100);              // half a turn
  EXPECT_NEAR(t.at(61 + 22)[4], -100 - 24, 0.1);  // 22/90 of a turn is almost a quarter: sin 88 degrees
  EXPECT_EQ(t.at(301 + 30)[1], 2 * 1024 + 512);
  EXPECT_EQ(t.at(601 + 30), t.at(31));
  EXPECT_EQ(t.at(1 + 600 * 50 + 75), t.at(76));

  // The same turn as *to*: from the second round on it stays at 1024, like the sway after the first.
  a.keyframes[1].modes[1] = k_to;
  const MeshTrack to = build_mesh_track(a.motion(), 0, 0);
  EXPECT_THAT(ticks_of(to), ElementsAre(0, 1, 61, 151));
  EXPECT_EQ(to.loop_from, 61u);
  EXPECT_EQ(to.ticks, 211u);
}

TEST(FftMeshMotion, TweensToZeroUnwindFullTurns) {
  // Turns by a full turn and then to 0, so it turns back: 4096 differs from 0 here.
  Animations a;
  a.add({0, 0, 0, 0, 0, 0, 4096, 4096, 4096}, k_to);
  a.add({4096, 0, 0, 0, 0, 0, 0, 0, 0}, k_by);
  a.set(0, 1, {{1, 2, 10}, {2, 1, 10}});
  const MeshTrack t = build_mesh_track(a.motion(), 0, 0);
  EXPECT_THAT(ticks_of(t), ElementsAre(0, 10, 20));
  EXPECT_EQ(t.loop_from, 10u);
  EXPECT_EQ(t.ticks, 30u);
  EXPECT_EQ(t.at(5)[0], 0);
  EXPECT_EQ(t.at(15)[0], 2048);
  EXPECT_EQ(t.at(25)[0], 2048);
  EXPECT_EQ(t.steps[2].tweens[0].at(5), 2048);
  EXPECT_EQ(t.at(21)[0], 4096 - 409.6);
}

TEST(FftMeshMotion, TracksEndWithoutAValidNextInstruction) {
  Animations a;
  a.add({0, 0, 0, 1, 0, 0, 4096, 4096, 4096}, k_to);
  a.add({0, 0, 0, 9, 0, 0, 4096, 4096, 4096}, k_to);
  a.add({0, 0, 0, 5, 0, 0, 4096, 4096, 4096}, k_to);
  a.set(0, 1, {{1, 2, 4}, {2, 0, 4}});             // next 0
  a.set(0, 2, {{1, 2, 4}, {2, 3, 0}, {3, 1, 4}});  // a duration of 0: keyframe 2 never starts
  a.set(0, 3, {{1, 2, 4}, {2, 17, 4}});            // only 16 exist
  a.set(0, 4, {{1, 2, 0}});
  a.set(0, 5, {{1, 2, 4}, {0, 2, 8}});  // no keyframe: no motion, forever
  a.set(0, 6, {{1, 2, 4}, {200, 3, 8}, {2, 0, 8}});
  const MeshMotion m = a.motion();
  const auto track = [&](size_t mesh) { return build_mesh_track(m, 0, mesh - 1); };
  EXPECT_EQ(track(1).ticks, 8u);
  EXPECT_EQ(track(1).at(6)[3], 5);
  EXPECT_EQ(track(1).at(100)[3], 9);
  EXPECT_EQ(track(2).ticks, 4u);
  EXPECT_EQ(track(2).at(100)[3], 1);
  EXPECT_EQ(track(3).at(100)[3], 9);
  EXPECT_THAT(track(4).steps, IsEmpty());
  EXPECT_EQ(track(4).at(3)[3], 1);
  EXPECT_TRUE(track(5).loops);
  EXPECT_FALSE(track(5).has_motion());
  EXPECT_EQ(track(6).at(8)[3], 1);
  EXPECT_EQ(track(6).at(20)[3], 9);
  EXPECT_TRUE(m.is_drawn(0, 3));
  EXPECT_FALSE(m.is_drawn(0, 7));
}

TEST(FftMeshMotion, CutsLoopsThatNeverClose) {
  Animations a;
  a.add({0, 0, 0, 0, 0, 0, 4096, 4096, 4096}, k_to);
  a.add({0, 0, 0, 1, 0, 0, 0, 0, 0}, k_by);  // one unit further, 65536 times
  a.set(0, 1, {{1, 2, 1}, {2, 2, 10}});
  const MeshTrack t = build_mesh_track(a.motion(), 0, 0, UndefinedTween::run_away, 100);
  EXPECT_TRUE(t.is_cut);
  EXPECT_FALSE(t.loops);
  EXPECT_EQ(t.ticks, 101u);
  EXPECT_EQ(t.at(96)[3], 9.5);
  // With a step that divides 2^16, the loop closes: 8192 * 8.
  a.keyframes[1].position.x = 8192;
  const MeshTrack closed = build_mesh_track(a.motion(), 0, 0);
  EXPECT_TRUE(closed.loops);
  EXPECT_EQ(closed.ticks, 81u);
  EXPECT_EQ(closed.at(41)[3], -32768);
}

TEST(FftMeshMotion, LaterStatesStartFromTheFirstState) {
  Animations a;
  a.add({0, 0, 0, 8, 0, 0, 4096, 4096, 4096}, k_to);
  a.add({0, 0, 0, 16, 0, 0, 0, 0, 0}, k_to);
  a.set(0, 1, {{1, 1, 4}});
  a.set(1, 1, {{2, 0, 4}});
  a.set(2, 1, {{2, 1, 4}});
  a.set(2, 2, {{2, 1, 4}});
  const MeshMotion m = a.motion();
  EXPECT_EQ(build_mesh_track(m, 2, 0).at(0)[3], 8);
  EXPECT_EQ(build_mesh_track(m, 2, 0).at(2)[3], 12);
  EXPECT_EQ(build_mesh_track(m, 2, 0).at(2)[6], 2048);
  EXPECT_EQ(build_mesh_track(m, 2, 1).at(0)[3], 16);  // no keyframe in state 0
  EXPECT_FALSE(m.is_drawn(1, 0));
  EXPECT_TRUE(m.is_drawn(2, 0));
  EXPECT_EQ(m.initial_values(1), k_rest_values);
}

TEST(FftMeshMotion, UndefinedTweensAccumulateOrHoldByOption) {
  Animations a;
  a.add({0, 0, 0, 0, 0, 0, 4096, 4096, 4096}, k_to);
  a.add({0, 0, 0, 0, 0, 0, 0, 0, 0}, 0);
  a.set(0, 1, {{1, 2, 1}, {2, 2, 4}});
  const MeshTrack away = build_mesh_track(a.motion(), 0, 0);
  EXPECT_EQ(away.at(1)[6], 4096);
  EXPECT_EQ(away.at(3)[6], 3 * 4096);
  EXPECT_EQ(away.at(5)[6], 5 * 4096);
  EXPECT_EQ(away.at(6)[6], 2 * 5 * 4096 - 65536);  // the next round starts from 5 * 4096
  EXPECT_FALSE(build_mesh_track(a.motion(), 0, 0, UndefinedTween::hold).has_motion());
}

void expect_near(const scene::Point& a, const scene::Point& b, f64 most = 1e-9) {
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], most) << i;
}

TEST(FftMeshMotion, ComputesMeshTransforms) {
  const auto turn = [](f64 x, f64 y, f64 z) { return mesh_rotation_matrix(MeshValues{x, y, z, 0, 0, 0, 0, 0, 0}); };
  // A quarter turn about x maps y to z; about y, z to x; about z, x to y.
  expect_near(turn(1024, 0, 0) * scene::Point{0, 1, 0}, {0, 0, 1});
  expect_near(turn(0, 1024, 0) * scene::Point{0, 0, 1}, {1, 0, 0});
  expect_near(turn(0, 0, 1024) * scene::Point{1, 0, 0}, {0, 1, 0});
  // z first, x last: x maps to y, stays, then maps to z. In the reverse order it would end at y.
  expect_near(turn(1024, 0, 1024) * scene::Point{1, 0, 0}, {0, 0, 1});
  // The matrix as written in the header, with 30, 45 and 60 degrees (341.3, 512, 682.6).
  const f64 sx = 0.5, cx = std::sqrt(0.75), sy = std::sqrt(0.5), cy = sy, sz = cx, cz = sx;
  const scene::Mat3d m = turn(4096 / 12.0, 512, 4096 / 6.0);
  expect_near(m.columns[0], {cy * cz, cx * sz + sx * sy * cz, sx * sz - cx * sy * cz});
  expect_near(m.columns[1], {-cy * sz, cx * cz - sx * sy * sz, sx * cz + cx * sy * sz});
  expect_near(m.columns[2], {sy, -sx * cy, cx * cy});
  // Scale, rotate, translate: (1, 0, 0) becomes 2 long, points along y, then moves by (10, 20, 30).
  const scene::Affine t = mesh_transform_matrix({0, 0, 1024, 10, 20, 30, 8192, 4096, 4096});
  expect_near(t * scene::Point{1, 0, 0}, {10, 22, 30});
  // Inside a parent rotated about y and translated: (10, 22, 30) maps to (30, 22, -10), then moves by 1 in x.
  const scene::Affine parent = mesh_transform_matrix({0, 1024, 0, 1, 0, 0, 4096, 4096, 4096});
  expect_near((parent * t) * scene::Point{1, 0, 0}, {31, 22, -10});
}

// ---- animated meshes in a scene ----

/// Evaluates a channel as programs play it.
scene::Vec4 played(const std::vector<f32>& times, const std::vector<scene::Vec4>& values, f64 time, bool turns,
                   bool stepped) {
  const size_t behind = size_t(std::upper_bound(times.begin(), times.end(), f32(time)) - times.begin());
  if (behind == 0) return values.front();
  if (behind == times.size() || stepped) return values[behind - 1];
  const scene::Vec4& a = values[behind - 1];
  scene::Vec4 b = values[behind], out;
  const f64 t = (time - times[behind - 1]) / (f64(times[behind]) - times[behind - 1]);
  f64 wa = 1 - t, wb = t;
  if (turns) {
    f64 dot = 0;
    for (size_t i = 0; i < 4; ++i) dot += f64(a[i]) * b[i];
    if (dot < 0) {
      dot = -dot;
      for (f32& x : b) x = -x;
    }
    const f64 angle = std::acos(std::min(1.0, dot));
    if (angle > 1e-6) wa = std::sin((1 - t) * angle) / std::sin(angle), wb = std::sin(t * angle) / std::sin(angle);
  }
  for (size_t i = 0; i < 4; ++i) out[i] = f32(wa * a[i] + wb * b[i]);
  return out;
}

scene::Affine place_of(const scene::Vec3& t, const scene::Vec4& q, const scene::Vec3& s) {
  const scene::Mat3 r = scene::to_matrix(q);
  scene::Affine out{.linear = {}, .origin = {t[0], t[1], t[2]}};
  for (size_t c = 0; c < 3; ++c)
    for (size_t i = 0; i < 3; ++i) out.linear.columns[c][i] = f64(r[c][i]) * s[c];
  return out;
}

/// The transform of a node at a time in an animation, in game axes.
scene::Affine place_in(const scene::Scene& s, const scene::Animation& a, scene::Index node, f64 time) {
  scene::Affine out;
  for (; node != scene::k_none; node = s.nodes[node].parent) {
    scene::Vec3 t = s.nodes[node].translation, size = s.nodes[node].scale;
    scene::Vec4 q = s.nodes[node].rotation;
    for (const scene::Channel& c : a.channels) {
      if (c.node != node) continue;
      const bool turns = c.target == scene::Channel::Target::rotation;
      const scene::Vec4 v =
          played(c.times, c.values, time, turns, c.interpolation == scene::Channel::Interpolation::step);
      if (turns) q = v;
      if (c.target == scene::Channel::Target::translation) t = {v[0], v[1], v[2]};
      if (c.target == scene::Channel::Target::scale) size = {v[0], v[1], v[2]};
    }
    out = place_of(t, q, size) * out;
  }
  const scene::Affine flip{scene::scaling({1, -1, -1}), {0, 0, 0}};
  return flip * out * flip;
}

struct Placed {
  scene::Scene scene;
  AnimatedNodes nodes;
  Diagnostics notes;
};
Placed placed(const MeshMotion& m, std::array<bool, 8> there, f32 tick_rate = 60) {
  Placed out;
  out.scene.nodes.push_back({.name = "map"});
  out.nodes = add_animated_nodes(out.scene, 0, &m, there, out.notes);
  add_mesh_animations(out.scene, m, out.nodes, tick_rate, out.notes);
  EXPECT_THAT(scene::verify(out.scene), IsEmpty());
  return out;
}
const scene::Animation* animation(const scene::Scene& s, std::string_view name) {
  for (const auto& a : s.animations)
    if (a.name == name) return &a;
  return nullptr;
}
u64 number(const Value& extras, std::string_view name) {
  const Value* v = extras.find(name);
  return v ? v->bits() : 0;
}

/// Compares an animation with the tracks of the file at every tick.
void expect_played_as_tracked(const Placed& p, const MeshMotion& m, size_t state, u64 first_tick, f32 tick_rate = 60) {
  const scene::Animation* a = animation(p.scene, "state " + std::to_string(state));
  ASSERT_TRUE(a);
  const u64 ticks = number(a->extras, "ticks");
  std::vector<MeshTrack> tracks;
  for (size_t i = 0; i < 8; ++i) tracks.push_back(build_mesh_track(m, state, i, UndefinedTween::hold));
  for (u64 tick = 0; tick < ticks; ++tick)
    for (size_t mesh = 0; mesh < 8; ++mesh) {
      if (p.nodes.meshes[mesh] == scene::k_none) continue;
      scene::Affine expected;
      for (size_t above = mesh; above != MeshMotion::Parent::k_none; above = m.parent(above).mesh) {
        const bool runs = m.is_drawn(state, above);
        const MeshValues v =
            runs ? tracks[above].at(f64(first_tick + tick)) : mesh_values_from(m.initial_values(above));
        expected = mesh_transform_matrix(v) * expected;
      }
      const scene::Affine got = place_in(p.scene, *a, p.nodes.meshes[mesh], f64(tick) / tick_rate);
      f64 off = 0;
      for (size_t i = 0; i < 3; ++i) {
        off = std::max(off, std::fabs(got.origin[i] - expected.origin[i]) / 1000);
        for (size_t c = 0; c < 3; ++c)
          off = std::max(off, std::fabs(got.linear.columns[c][i] - expected.linear.columns[c][i]));
      }
      ASSERT_LT(off, 0.0005) << "state " << state << " mesh " << mesh + 1 << " tick " << tick;
    }
}

/// Every mode and special case: a grandchild, sines of every amount, turns about several axes, a hidden mesh.
Animations everything() {
  Animations a;
  a.links[1].parent = 1, a.links[2].parent = 2;
  const u8 home = a.add({100, 200, 300, 70, -100, 70, 4096, 4096, 4096}, k_to);
  const u8 quarter = a.add({0, 1024, 0, 0, 0, 0, 0, 0, 0}, k_by);
  const u8 sway = a.add({0, 0, 0, 0, -24, 0, 0, 0, 0}, k_by);
  a.last().modes[4] = 0x0A, a.last().end_angles[4] = 4096;
  const u8 aside = a.add({0, 0, 0, 30, 0, 0, 4096, 2048, 8192}, k_to);
  const u8 swing = a.add({0, 0, 0, 30, -36, 0, 4096, 2048, 8192}, k_to);
  a.last().modes[4] = 0x11, a.last().start_angles[4] = 3072, a.last().end_angles[4] = 7168;
  const u8 tumble = a.add({2500, -1700, 900, 5, 5, 5, 0, 0, 0}, k_by);
  const u8 shake = a.add({300, 400, 500, 10, 20, 30, 400, 500, 600}, 0x12);
  for (size_t c = 0; c < 9; ++c) a.last().end_angles[c] = i16(1000 * c), a.last().start_angles[c] = i16(50 * c);
  const u8 gone = a.add({0, 0, 0, 0, 0, 0, 0, 0, 0}, k_to);
  a.set(0, 1, {{home, 2, 1}, {quarter, 3, 60}, {sway, 2, 90}});
  a.set(0, 2, {{aside, 2, 1}, {swing, 2, 120}});
  a.set(0, 3, {{home, 2, 1}, {quarter, 2, 30}});
  a.set(1, 1, {{home, 2, 30}, {tumble, 3, 47}, {shake, 4, 33}, {home, 0, 9}});
  a.set(1, 2, {{swing, 2, 40}, {shake, 3, 20}, {aside, 1, 10}});
  a.set(2, 2, {{gone, 0, 30}});
  a.set(2, 1, {{gone, 2, 30}, {0, 3, 5}, {home, 0, 30}});
  a.set(3, 3, {{tumble, 2, 1500}});
  return a;
}

TEST(FftMotionScene, AnimationsMatchTheMeshTracks) {
  const MeshMotion m = everything().motion();
  const Placed p = placed(m, {true, true, true});
  ASSERT_EQ(p.scene.animations.size(), 4u);
  // State 0: the tick before the loops is omitted; loops of 600, 120 and 4 * 30 ticks give 600.
  const scene::Animation& first = *animation(p.scene, "state 0");
  EXPECT_EQ(number(first.extras, "ticks"), 600u);
  EXPECT_FALSE(first.extras.find("loop_from_tick"));
  expect_played_as_tracked(p, m, 0, 1);
  expect_played_as_tracked(p, m, 1, 0);
  expect_played_as_tracked(p, m, 2, 0);
  expect_played_as_tracked(p, m, 3, 0);
  // The animation ends with its first pose, at 10 seconds.
  for (const scene::Channel& c : first.channels) {
    EXPECT_EQ(c.times.front(), 0);
    EXPECT_EQ(c.times.back(), 10);
    f64 dot = 0;
    for (size_t i = 0; i < 4; ++i) dot += f64(c.values.front()[i]) * c.values.back()[i];
    if (c.target == scene::Channel::Target::rotation)
      EXPECT_NEAR(std::fabs(dot), 1, 1e-6);
    else
      EXPECT_EQ(c.values.front(), c.values.back());
  }
}

TEST(FftMotionScene, WritesOnlyNecessaryKeys) {
  Animations a;
  a.add({0, 0, 0, 0, 0, 0, 4096, 4096, 4096}, k_to);
  a.add({0, 4096, 0, 280, 0, 0, 0, 0, 0}, k_by);
  a.add({0, 0, 0, 0, 0, 0, 4096, 4096, 4096}, k_to);
  a.set(0, 1, {{1, 2, 1}, {2, 3, 400}, {3, 2, 200}});
  const MeshMotion m = a.motion();
  const Placed p = placed(m, {true});
  ASSERT_EQ(p.scene.animations.size(), 1u);
  const auto& channels = p.scene.animations[0].channels;
  ASSERT_EQ(channels.size(), 2u);  // the scale does not change
  EXPECT_EQ(channels[0].target, scene::Channel::Target::rotation);
  EXPECT_EQ(channels[1].target, scene::Channel::Target::translation);
  // Linear motion there and back: three keys. Rotation: one key per quarter turn, four there and four back.
  EXPECT_EQ(channels[1].times.size(), 3u);
  EXPECT_EQ(channels[0].times.size(), 9u);
  expect_played_as_tracked(p, m, 0, 1);
}

TEST(FftMotionScene, HidesMeshesThatAreNotDrawn) {
  const Animations a = everything();
  const MeshMotion m = a.motion();
  const Placed p = placed(m, {true, true, true, true});
  const auto seen = [&](size_t mesh) { return p.scene.nodes[p.nodes.meshes[mesh - 1]].visible; };
  EXPECT_TRUE(seen(1) && seen(2) && seen(3));
  EXPECT_FALSE(seen(4));  // no instructions
  // In state 2, the second mesh's first instruction has no next one, and the third mesh has no instructions.
  const scene::Animation* second = animation(p.scene, "state 2");
  ASSERT_TRUE(second);
  ASSERT_EQ(second->visibility_channels.size(), 2u);
  EXPECT_EQ(second->visibility_channels[0].node, p.nodes.meshes[1]);
  EXPECT_EQ(second->visibility_channels[1].node, p.nodes.meshes[2]);
  EXPECT_THAT(second->visibility_channels[0].visible, ElementsAre(0));
  // Hiding a mesh does not hide its children.
  for (const scene::Channel& c : second->channels) EXPECT_EQ(c.node, p.nodes.places[0]);
}

TEST(FftMotionScene, PutsParentsBeforeTheirChildren) {
  Animations a;
  a.links[0].parent = 3;  // a later mesh
  a.links[2].parent = 5;  // a later mesh; 5 has no polygons, but a transform
  a.links[3].parent = 4;  // its own parent
  a.add({0, 0, 0, 7, 0, 0, 4096, 4096, 4096}, k_to);
  a.add({0, 0, 0, 0, 11, 0, 4096, 4096, 4096}, k_to);
  for (const size_t mesh : {1, 3, 4}) a.set(0, mesh, {{1, 1, 4}});
  a.set(0, 5, {{2, 1, 4}});
  const MeshMotion m = a.motion();
  const Placed p = placed(m, {true, false, true, true});
  const auto ids = [&] {
    std::vector<std::string> out;
    for (const auto& d : p.notes) out.push_back(d.id + " " + d.message);
    return out;
  }();
  EXPECT_THAT(ids,
              testing::UnorderedElementsAre("fft.motion-parent mesh 1 has a parent with a higher number",
                                            "fft.motion-parent mesh 3 has a parent with a higher number",
                                            "fft.motion-parent mesh 4 is its own parent, is part of a cycle, or has a "
                                            "parent number above 8"));
  EXPECT_EQ(p.scene.nodes[p.nodes.places[0]].parent, p.nodes.places[2]);
  EXPECT_EQ(p.scene.nodes[p.nodes.places[2]].parent, p.nodes.places[4]);
  EXPECT_EQ(p.scene.nodes[p.nodes.places[4]].parent, 0u);
  EXPECT_EQ(p.scene.nodes[p.nodes.places[3]].parent, 0u);
  EXPECT_EQ(p.nodes.meshes[4], scene::k_none);
  EXPECT_EQ(p.nodes.places[1], scene::k_none);
  const scene::Affine at = place_in(p.scene, {}, p.nodes.meshes[0], 0);
  expect_near(at.origin, {14, 11, 0});
}

TEST(FftMotionScene, MeshesWithoutAnimationStayInPlace) {
  scene::Scene s;
  Diagnostics notes;
  const AnimatedNodes nodes = add_animated_nodes(s, scene::k_none, nullptr, {false, true}, notes);
  ASSERT_EQ(s.nodes.size(), 2u);
  EXPECT_TRUE(s.nodes[nodes.meshes[1]].visible);
  EXPECT_EQ(s.nodes[nodes.places[1]].translation, (scene::Vec3{0, 0, 0}));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].id, "fft.motion-unplaced");
  add_mesh_animations(s, MeshMotion(), nodes, 60, notes);
  EXPECT_THAT(s.animations, IsEmpty());
}

TEST(FftMotionScene, CutsMeshLoopsWithALongCommonPeriod) {
  Animations a;
  a.add({0, 0, 0, 0, 0, 0, 4096, 4096, 4096}, k_to);
  a.add({0, 4096, 0, 0, 0, 0, 0, 0, 0}, k_by);
  a.set(0, 1, {{1, 2, 1}, {2, 2, 997}});
  a.set(0, 2, {{1, 2, 1}, {2, 2, 991}});
  const MeshMotion m = a.motion();
  const Placed p = placed(m, {true, true});
  EXPECT_EQ(number(p.scene.animations[0].extras, "ticks"), 16 * 997u);  // 16384 / 997 = 16.4
  ASSERT_EQ(p.notes.size(), 1u);
  EXPECT_EQ(p.notes[0].id, "fft.motion-cut");
  EXPECT_EQ(p.notes[0].message,
            "the animation of state 0 is truncated at 16384 ticks: its loops take at least 988027 ticks to start "
            "together again");
}

TEST(FftMotionScene, UsesTheGivenTickRate) {
  const MeshMotion m = everything().motion();
  const Placed p = placed(m, {true, true, true}, 30);
  EXPECT_EQ(animation(p.scene, "state 0")->channels[0].times.back(), 20);
  expect_played_as_tracked(p, m, 1, 0, 30);
}

/// A reproducible stream of random numbers.
struct Dice {
  u64 state = 1;
  u32 next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return u32(state >> 33);
  }
  u32 below(u32 n) { return next() % n; }
};

TEST(FftMotionScene, AcceptsAnyMeshAnimationData) {
  Dice dice;
  for (int round = 0; round < 20; ++round) {
    Animations a;
    const bool wild = round % 3 == 0;  // any numbers, or plausible ones
    const u16 modes[] = {5, 6, 9, 0x0A, 0x11, 0x12, 0, 5};
    for (Keyframe& k : a.keyframes) {
      StoredMeshValues v;
      for (i16& x : v) x = i16(wild ? dice.next() : dice.below(9000) - 4500);
      k = keyframe(v, 0);
      for (u16& m : k.modes) m = u16(wild ? dice.next() : modes[dice.below(8)]);
      for (i16& x : k.start_angles) x = i16(dice.next());
      for (i16& x : k.end_angles) x = i16(dice.next());
    }
    for (MeshState& state : a.states)
      for (auto& list : state.meshes)
        for (MeshInstruction& i : list)
          i = {u8(wild ? dice.next() : dice.below(130)), u8(wild ? dice.next() : dice.below(17)),
               u16(wild ? dice.next() : dice.below(200))};
    for (MeshLink& l : a.links) l.parent = u8(dice.below(wild ? 256 : 9));
    std::array<bool, 8> there;
    for (bool& b : there) b = dice.below(4) != 0;
    const MeshMotion m = a.motion();
    const Placed p = placed(m, there);  // verifies
    u64 keys = 0;
    for (const auto& animation : p.scene.animations)
      for (const auto& c : animation.channels) keys += c.times.size();
    EXPECT_LE(keys, (1u << 19) + 8u * 8 * 3);
  }
}

// ---- pieces of polygons ----

TexturedQuad quad(u8 u0, u8 v0, u8 u1, u8 v1, u8 page = 2, u8 palette = 0) {
  TexturedQuad q{};
  q.positions = {Position{0, 0, 0}, {28, 0, 0}, {0, 0, 28}, {28, 0, 28}};
  q.uvs = {Uv{u0, v0}, {u1, v0}, {u0, v1}, {u1, v1}};
  q.image = 3, q.page = page, q.palette = palette;
  return q;
}
/// Texture coordinates of a piece.
std::vector<std::array<f64, 2>> uvs_of(const MovingFragment& p, std::span<const Uv> uvs) {
  std::vector<std::array<f64, 2>> out;
  for (const auto& w : p.corners) {
    auto& uv = out.emplace_back();
    for (size_t i = 0; i < uvs.size(); ++i) uv[0] += w[i] * uvs[i].u, uv[1] += w[i] * uvs[i].v;
  }
  return out;
}
/// Twice the signed area, positive if the corners turn from u to v.
f64 area(const std::vector<std::array<f64, 2>>& p) {
  f64 sum = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    const auto &a = p[i], &b = p[(i + 1) % p.size()];
    sum += a[0] * b[1] - a[1] * b[0];
  }
  return sum;
}
TextureAnimations animations(std::vector<TextureAnimation> rows) {
  TextureAnimations out{};
  std::copy(rows.begin(), rows.end(), out.rows.begin());
  return out;
}

TEST(FftMotionPieces, KeepsMostPolygonsWhole) {
  // The canvas: u 8 to 20, v 4 to 12 of page 2.
  const TextureAnimations rows = animations({texel_row(1, 3, 4)});
  TextureMotion m(&rows, nullptr);
  const auto rows_of_whole = [&](const TexturedQuad& q) -> i64 {
    const auto pieces = m.split_by_canvases(q);
    return pieces.size() == 1 && pieces[0].corners.empty() ? i64(pieces[0].rows) : -1;
  };
  EXPECT_EQ(rows_of_whole(quad(8, 4, 20, 12)), 1);
  EXPECT_EQ(rows_of_whole(quad(10, 5, 19, 11)), 1);
  EXPECT_EQ(rows_of_whole(quad(20, 4, 32, 12)), 0);  // next to it
  EXPECT_EQ(rows_of_whole(quad(0, 4, 8, 12)), 0);
  EXPECT_EQ(rows_of_whole(quad(8, 12, 20, 20)), 0);
  EXPECT_EQ(rows_of_whole(quad(0, 100, 60, 200)), 0);  // around it, lower
  EXPECT_EQ(rows_of_whole(quad(8, 4, 20, 12, 1)), 0);  // another page
  EXPECT_EQ(rows_of_whole(quad(8, 4, 8, 4)), 1);       // only the first texel
  EXPECT_EQ(rows_of_whole(quad(20, 12, 20, 12)), 0);
  EXPECT_EQ(rows_of_whole(quad(7, 4, 20, 12)), -1);
  TexturedQuad q = quad(8, 4, 20, 12);
  q.image = 2;  // an interface image
  EXPECT_EQ(rows_of_whole(q), 0);
  q.uvs = {Uv{0, 10}, {7, 40}, {0, 11}, {40, 40}};  // crosses the lines of its corner, outside
  q.image = 3;
  EXPECT_EQ(rows_of_whole(q), 0);
  q = quad(8, 4, 20, 12), q.page_y = 1;
  EXPECT_EQ(rows_of_whole(q), 0);
  EXPECT_EQ(rows_of_whole(quad(100, 100, 120, 120, 3)), 0);
}

TEST(FftMotionPieces, CutsPolygonsAtCanvasEdges) {
  const TextureAnimations rows = animations({texel_row(1, 3, 4)});
  TextureMotion m(&rows, nullptr);
  // Crosses the right edge at 20: half of the quad is animated. Triangles A (14,4) B (26,4) C (14,12) and B D C.
  const TexturedQuad q = quad(14, 4, 26, 12);
  const auto pieces = m.split_by_canvases(q);
  ASSERT_EQ(pieces.size(), 4u);
  f64 moving = 0, still = 0;
  for (const MovingFragment& p : pieces) {
    const auto uvs = uvs_of(p, q.uvs);
    const f64 a = area(uvs);
    EXPECT_GT(a, 0);  // all have the winding of A, B, C
    (p.rows ? moving : still) += a;
    for (const auto& uv : uvs) {
      if (p.rows)
        EXPECT_LE(uv[0], 20);
      else
        EXPECT_GE(uv[0], 20);
    }
    for (const auto& w : p.corners) EXPECT_DOUBLE_EQ(w[0] + w[1] + w[2] + w[3], 1);
  }
  EXPECT_DOUBLE_EQ(moving, 2 * 6 * 8);
  EXPECT_DOUBLE_EQ(still, 2 * 6 * 8);
  // The first triangle's part in the canvas: A, the middle of AB, the middle of BC, C. Positions in the file match.
  const MovingFragment* first = nullptr;
  for (const MovingFragment& p : pieces)
    if (p.rows && p.corners[0][3] == 0 && MovingFragment::find_corner(p.corners[0]) == 0) first = &p;
  ASSERT_TRUE(first);
  ASSERT_EQ(first->corners.size(), 4u);
  EXPECT_THAT(first->corners,
              testing::UnorderedElementsAre(std::array<f64, 4>{1, 0, 0, 0}, std::array<f64, 4>{0.5, 0.5, 0, 0},
                                            std::array<f64, 4>{0, 0.5, 0.5, 0}, std::array<f64, 4>{0, 0, 1, 0}));
  EXPECT_EQ(MovingFragment::find_corner({0.5, 0.5, 0, 0}), 4u);
  EXPECT_EQ(MovingFragment::find_corner({0, 0, 0, 1}), 3u);
}

TEST(FftMotionPieces, PiecesFillThePolygonWithoutCrossingCanvases) {
  // Two adjacent canvases and one over both, in a polygon that is rotated on its page.
  TextureAnimation left = texel_row(1, 3, 4), right = left, over = texel_row(5, 2, 4);
  right.canvas_x += 3;
  over.canvas_y = 6, over.height = 2, over.width = 6;
  const TextureAnimations rows = animations({left, {}, right, over});
  TextureMotion m(&rows, nullptr);
  TexturedQuad q = quad(0, 0, 0, 0);
  q.uvs = {Uv{3, 9}, {22, 1}, {15, 30}, {40, 17}};
  const auto pieces = m.split_by_canvases(q);
  f64 all = 0;
  for (const MovingFragment& p : pieces) {
    const auto uvs = uvs_of(p, q.uvs);
    all += area(uvs);
    f64 u = 0, v = 0;
    for (const auto& uv : uvs) u += uv[0] / f64(uvs.size()), v += uv[1] / f64(uvs.size());
    MotionRows expected = 0;
    if (u > 8 && u < 20 && v > 4 && v < 12) expected |= 1;
    if (u > 20 && u < 32 && v > 4 && v < 12) expected |= 4;
    if (u > 8 && u < 32 && v > 6 && v < 8) expected |= 8;
    EXPECT_EQ(p.rows, expected) << u << " " << v;
    for (const auto& uv : uvs)  // convex and cut at the edges: no corner is inside another canvas
      if (expected & 8) {
        EXPECT_TRUE(uv[0] >= 8 - 1e-9 && uv[0] <= 32 + 1e-9 && uv[1] >= 6 - 1e-9 && uv[1] <= 8 + 1e-9);
      }
  }
  const std::vector<std::array<f64, 2>> abc = {{3, 9}, {22, 1}, {15, 30}}, bdc = {{22, 1}, {40, 17}, {15, 30}};
  EXPECT_NEAR(all, area(abc) + area(bdc), 1e-9);
  EXPECT_THAT(m.notes(), IsEmpty());
}

TEST(FftMotionPieces, KeepsPolygonsWholeBeyondThePieceLimit) {
  std::vector<TextureAnimation> rows;
  for (i16 i = 0; i < 31; ++i) {
    TextureAnimation r = texel_row(1, 2, 4);
    r.canvas_x = i16(0x380 + 2 * i), r.canvas_y = i16(i % 7), r.width = 1, r.height = 200;
    r.frame_x = 0x300, r.frame_y = 0;
    rows.push_back(r);
  }
  const TextureAnimations a = animations(rows);
  TextureMotion m(&a, nullptr);
  EXPECT_EQ(m.rows().size(), 31u);
  const auto pieces = m.split_by_canvases(quad(0, 0, 255, 255));
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_TRUE(pieces[0].corners.empty());
  EXPECT_EQ(pieces[0].rows, 0u);
  m.split_by_canvases(quad(0, 0, 255, 255));
  ASSERT_EQ(m.notes().size(), 1u);  // once
  EXPECT_EQ(m.notes()[0].id, "fft.motion-pieces");

  // Unsuccessful cuts also count towards the limit, so that hostile files do not take long.
  const auto inside = quad(129, 20, 130, 30), elsewhere = quad(0, 0, 255, 255, 3);
  EXPECT_NE(m.split_by_canvases(inside)[0].rows, 0u);
  for (u32 i = 0; i < (1u << 17) / 64; ++i) m.split_by_canvases(quad(0, 0, 255, 255));
  EXPECT_EQ(m.split_by_canvases(inside)[0].rows, 0u);
  EXPECT_TRUE(m.split_by_canvases(elsewhere)[0].corners.empty());
  EXPECT_EQ(m.notes().size(), 1u);
}

TEST(FftMotionPieces, NotesRowsThatCannotBeShown) {
  TextureAnimation outside = texel_row(1, 3, 4), late = outside, unknown = outside;
  outside.canvas_x = 0x2FF;
  late.frame_y = 250;
  unknown.mode = 0x33;
  TextureAnimation frameless = palette_row(3, 1, 0, 0, 4), above = palette_row(4, 2, 14, 3, 4),
                   far = palette_row(3, 0, 0, 2, 4), polygons = palette_row(0x1D, 0, 0, 0, 4);
  far.canvas_x = 16 * 16;
  const TextureAnimations rows = animations(
      {outside, late, unknown, frameless, above, far, polygons, palette_row(3, 3, 0, 2, 4), texel_row(0, 3, 4)});
  const Palettes frames{};
  const TextureMotion m(&rows, &frames);
  std::vector<std::string> notes;
  for (const Diagnostic& d : m.notes()) notes.push_back(d.id + " " + d.place.path);
  EXPECT_THAT(notes,
              ElementsAre("fft.motion-row texture_animations.rows[0]", "fft.motion-row texture_animations.rows[1]",
                          "fft.motion-row texture_animations.rows[2]", "fft.motion-row texture_animations.rows[3]",
                          "fft.motion-row texture_animations.rows[4]", "fft.motion-row texture_animations.rows[5]",
                          "fft.motion-polygons texture_animations.rows[6]"));
  ASSERT_EQ(m.rows().size(), 1u);
  EXPECT_EQ(m.rows()[0].number, 7);
  EXPECT_EQ(m.row_extras().size(), 9u);
  const TextureMotion without(&rows, nullptr);  // the palette frames are missing
  EXPECT_THAT(without.rows(), IsEmpty());
  EXPECT_EQ(without.notes().size(), 8u);
}

TEST(FftMotionPieces, NotesFramesUnderACanvas) {
  TextureAnimation r = texel_row(1, 3, 4);
  r.canvas_x += 10, r.frame_x = i16(r.canvas_x - 3), r.frame_y = r.canvas_y;  // the second frame is the canvas
  const TextureAnimations rows = animations({r});
  const TextureMotion m(&rows, nullptr);
  ASSERT_EQ(m.notes().size(), 1u);
  EXPECT_EQ(m.notes()[0].id, "fft.motion-overlap");
}

// ---- textures in a scene ----

/// A map's texture in the game's video memory, updated by rows as in the game.
struct Memory {
  std::vector<u8> texels = std::vector<u8>(256 * 1024);  // y = 256 * page + v
  std::array<std::vector<scene::Rgba>, 16> palettes;

  scene::Rgba pixel(u32 page, u32 u, u32 v, u8 palette) const {
    return palettes[palette][texels[(256 * page + v) * 256 + u]];
  }
};
std::vector<scene::Rgba> colors(u8 seed) {
  std::vector<scene::Rgba> out;
  for (u8 i = 0; i < 16; ++i) out.push_back({seed, i, u8(seed ^ i), u8(i ? 255 : 0)});
  return out;
}
Memory loaded() {
  Memory m;
  u32 random = 1;
  for (u8& t : m.texels) random = random * 1664525 + 1013904223, t = random >> 28;
  for (u8 i = 0; i < 16; ++i) m.palettes[i] = colors(i);
  return m;
}
std::vector<scene::Rgba> palette_frame_colors(u8 frame) { return colors(u8(100 + frame)); }

/// The texel that the scene shows for a material at a time.
scene::Rgba shown(const scene::Scene& s, const scene::Animation& a, scene::Index material, u32 page, u32 u, u32 v,
                  f64 time) {
  const scene::Material& m = s.materials[material];
  const scene::Image& image = s.images[s.textures[m.texture].image];
  scene::Vec2 offset = m.transform.offset;
  for (const scene::MaterialChannel& c : a.material_channels) {
    if (c.material != material) continue;
    EXPECT_EQ(c.target, scene::MaterialChannel::Target::offset);
    EXPECT_EQ(c.interpolation, scene::Channel::Interpolation::step);
    const scene::Vec4 o = played(c.times, c.values, time, false, true);
    offset = {o[0], o[1]};
  }
  // Samples at the lower right corner of the texel: rounding must not reach the next one.
  for (const f32 inside : {0.001f, 0.5f, 0.999f}) {
    const f32 x = (f32(u) + inside) / 256 * m.transform.scale[0] + offset[0];
    const f32 y = (f32(256 * page + v) + inside) / 1024 * m.transform.scale[1] + offset[1];
    const auto px = u32(x * f32(image.width)), py = u32(y * f32(image.height));
    if (px >= image.width || py >= image.height) return {9, 9, 9, 9};
    if (inside == 0.999f) return scene::color_of(image, px, py);
    EXPECT_EQ(scene::color_of(image, px, py),
              scene::color_of(
                  image, u32(((f32(u) + 0.5f) / 256 * m.transform.scale[0] + offset[0]) * f32(image.width)),
                  u32(((f32(256 * page + v) + 0.5f) / 1024 * m.transform.scale[1] + offset[1]) * f32(image.height))));
  }
  return {};
}

/// A canvas and palettes animated by several rows at once.
TextureAnimations moving_rows() {
  TextureAnimation open = texel_row(5, 3, 2), close = texel_row(0x15, 3, 2);  // 0, 1: the same canvas
  TextureAnimation water = texel_row(1, 4, 3), swing = texel_row(2, 3, 1);    // 2, 3: other canvases, pages 0 and 3
  water.canvas_x = 0x300, water.canvas_y = 100, water.frame_x = 0x3C0 + 50, water.frame_y = 60;  // with a wrap
  swing.canvas_x = 0x3C0, swing.canvas_y = 200, swing.frame_x = 0x300 + 20, swing.frame_y = 0;
  const TextureAnimation blink = palette_row(3, 5, 0, 4, 2), glow = palette_row(4, 6, 8, 3, 3),
                         dawn = palette_row(0x0D, 5, 10, 3, 1), same = palette_row(3, 6, 4, 2, 5);
  return animations({open, close, water, swing, blink, glow, dawn, same});
}

TEST(FftMotionScene, PlaysTexturesLikeTheGame) {
  const TextureAnimations rows = moving_rows();
  const Palettes frames{};
  TextureMotion motion(&rows, &frames);
  ASSERT_EQ(motion.rows().size(), 8u);
  EXPECT_THAT(motion.notes(), IsEmpty());

  // Each canvas and a place without one, in animated palettes and a static one.
  struct Part {
    TexturedQuad q;
    MotionRows rows;
  };
  const std::vector<Part> parts = {{quad(8, 4, 20, 12, 2, 1), 0b11},
                                   {quad(8, 4, 20, 12, 2, 5), 0b1010011},
                                   {quad(0, 100, 12, 108, 0, 1), 0b100},
                                   {quad(0, 100, 12, 108, 0, 6), 0b10100100},
                                   {quad(0, 200, 12, 208, 3, 5), 0b1011000},
                                   {quad(100, 100, 112, 108, 0, 5), 0b1010000},
                                   {quad(100, 100, 112, 108, 0, 6), 0b10100000}};
  const Memory rest = loaded();
  scene::Scene s;
  std::vector<MovingMaterial> moving;
  for (const Part& part : parts) {
    const auto pieces = motion.split_by_canvases(part.q);
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_EQ(pieces[0].rows, part.rows);
    scene::Image image{.name = "texture",
                       .width = 256,
                       .height = 1024,
                       .depth = 4,
                       .palette = rest.palettes[part.q.palette],
                       .pixels = rest.texels};
    std::vector<std::vector<scene::Rgba>> palettes;
    for (const u8 f : motion.list_palette_frames(part.rows)) palettes.push_back(palette_frame_colors(f));
    scene::Material m;
    m.transform = PaletteCells(1 + palettes.size()).cell_transform(0);
    m.texture = scene::Index(s.textures.size());
    s.textures.push_back({.name = "texture", .image = scene::Index(s.images.size())});
    s.images.push_back(palettes.empty() ? image : make_palette_cell_image(image, palettes));
    moving.push_back({scene::Index(s.materials.size()), part.rows});
    s.materials.push_back(m);
  }
  Diagnostics notes;
  add_texture_animations(s, motion, moving, 60, notes);
  EXPECT_THAT(notes, IsEmpty());
  EXPECT_THAT(scene::verify(s), IsEmpty());
  std::vector<std::string> names;
  for (const auto& a : s.animations) names.push_back(a.name);
  EXPECT_THAT(names, ElementsAre("texture animation", "field object 0", "field object 1", "field object 6"));
  // Loops of 4 * 3, 4 * 2, 4 * 2, 4 * 4 and 2 * 5 ticks: 240.
  EXPECT_EQ(number(s.animations[0].extras, "ticks"), 240u);

  for (const scene::Animation& a : s.animations) {
    // The game runs rows in order; each copies when its frame changes and when it starts.
    const auto is_running = [&](size_t row) {
      return !decode_texture_motion(rows.rows[row]).on_trigger || a.name == "field object " + std::to_string(row);
    };
    Memory now = rest;
    std::vector<TextureMotionRun> runs;
    for (const TextureAnimation& r : rows.rows) runs.emplace_back(r);
    const u64 ticks = number(a.extras, "ticks");
    std::vector<int> last(32, -1);
    for (u64 tick = 0; tick < ticks; ++tick) {
      for (size_t i = 0; i < 8; ++i) {
        const TextureAnimation& r = rows.rows[i];
        if (tick) runs[i].tick();
        if (!is_running(i) || runs[i].frame() == last[i]) continue;
        last[i] = runs[i].frame();
        if (decode_texture_motion(r).what == TextureMotionTarget::palette) {
          now.palettes[*replaced_palette(r)] = palette_frame_colors(*palette_frame(r, runs[i].frame()));
          continue;
        }
        const TexelRect to = *to_texel_rect(canvas_rect(r)),
                        from = *to_texel_rect(compute_frame_rects(r)[runs[i].frame()]);
        for (u32 y = 0; y < to.height; ++y)
          for (u32 x = 0; x < to.width; ++x)
            now.texels[(to.texture_v() + y) * 256 + to.u + x] = rest.texels[(from.texture_v() + y) * 256 + from.u + x];
      }
      for (size_t i = 0; i < parts.size(); ++i) {
        const bool moved = std::any_of(a.material_channels.begin(), a.material_channels.end(),
                                       [&](const auto& c) { return c.material == moving[i].material; });
        if (a.name != "texture animation" && !moved) continue;  // not its field object
        const TexturedQuad& q = parts[i].q;
        for (const auto& [u, v] : {std::pair<u32, u32>{0, 0}, {11, 7}, {5, 3}})
          ASSERT_EQ(shown(s, a, moving[i].material, q.page, q.uvs[0].u + u, q.uvs[0].v + v, f64(tick) / 60),
                    now.pixel(q.page, q.uvs[0].u + u, q.uvs[0].v + v, q.palette))
              << a.name << " part " << i << " tick " << tick << " texel " << u << ", " << v;
      }
    }
  }
}

TEST(FftMotionScene, GivesEveryPaletteFrameACell) {
  EXPECT_EQ(PaletteCells(1).columns, 1u);
  EXPECT_EQ(PaletteCells(5).columns, 8u);
  EXPECT_EQ(PaletteCells(17).columns, 16u);
  EXPECT_EQ(PaletteCells(17).rows, 2u);
  EXPECT_EQ(PaletteCells(17).cell_transform(16).offset, (scene::Vec2{0, 0.5f}));
  EXPECT_EQ(PaletteCells(17).cell_transform(3).offset, (scene::Vec2{3 / 16.0f, 0}));
  // 17 palettes of 16 distinct colors are too many for byte indices.
  scene::Image texture{
      .name = "t", .width = 4, .height = 2, .depth = 4, .palette = colors(1), .pixels = {0, 1, 2, 3, 4, 5, 6, 15}};
  std::vector<std::vector<scene::Rgba>> frames;
  for (u8 i = 0; i < 16; ++i) frames.push_back(colors(u8(20 + i)));
  const scene::Image all = make_palette_cell_image(texture, frames);
  EXPECT_THAT(all.palette, IsEmpty());
  EXPECT_EQ(all.width, 64u);
  EXPECT_EQ(all.height, 4u);
  EXPECT_EQ(scene::color_of(all, 3, 1), colors(1)[15]);
  EXPECT_EQ(scene::color_of(all, 4 + 2, 0), colors(20)[2]);
  EXPECT_EQ(scene::color_of(all, 1, 2), colors(35)[1]);
  const scene::Image few = make_palette_cell_image(texture, std::span(frames).first(2));
  EXPECT_EQ(few.palette.size(), 48u);
  EXPECT_EQ(scene::color_of(few, 2 * 4 + 3, 1), colors(21)[15]);
}

TEST(FftMotionScene, CutsTextureLoopsWithALongCommonPeriod) {
  std::vector<TextureAnimation> list;
  for (const u8 duration : {251, 241, 239}) list.push_back(palette_row(3, u8(list.size()), 0, 2, duration));
  const TextureAnimations rows = animations(list);
  const Palettes frames{};
  const TextureMotion motion(&rows, &frames);
  scene::Scene s;
  std::vector<MovingMaterial> moving;
  for (u32 i = 0; i < 3; ++i) {
    s.materials.emplace_back();
    moving.push_back({i, 1u << i});
  }
  Diagnostics notes;
  add_texture_animations(s, motion, moving, 60, notes, " night");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].id, "fft.motion-cut");
  ASSERT_EQ(s.animations.size(), 1u);
  EXPECT_EQ(s.animations[0].name, "texture animation night");
  // 502 ticks; together with 482 or 478 the period would be 120,982 or 119,978 ticks. 7200 / 502 = 14.3.
  EXPECT_EQ(number(s.animations[0].extras, "ticks"), 14 * 502u);
}

TEST(FftMotionScene, AcceptsAnyRowData) {
  Dice dice;
  const Palettes frames{};
  for (int round = 0; round < 300; ++round) {
    TextureAnimations rows{};
    for (TextureAnimation& r : rows.rows) {
      r = round % 2 ? texel_row(u8(dice.below(6)), u8(dice.below(6)), u8(dice.below(20)))
                    : palette_row(u8(dice.below(256)), u8(dice.below(18)), u8(dice.below(10)), u8(dice.below(256)),
                                  u8(dice.below(256)));
      r.canvas_x = i16(r.canvas_x + i32(dice.below(60)) - 20), r.canvas_y = i16(r.canvas_y + i32(dice.below(30)));
      r.frame = u8(dice.next());
    }
    TextureMotion motion(&rows, &frames);
    scene::Scene s;
    std::vector<MovingMaterial> moving;
    for (int i = 0; i < 20; ++i) {
      TexturedQuad q = quad(0, 0, 0, 0, u8(dice.below(4)), u8(dice.below(18)));
      for (Uv& uv : q.uvs) uv = {u8(dice.below(256)), u8(dice.below(80))};
      for (const MovingFragment& piece : motion.split_by_canvases(q)) {
        for (const auto& w : piece.corners) EXPECT_NEAR(w[0] + w[1] + w[2] + w[3], 1, 1e-9);
        if (!piece.rows) continue;
        moving.push_back({scene::Index(s.materials.size()), piece.rows});
        s.materials.emplace_back();
        s.materials.back().texture = 0;
      }
    }
    s.images.push_back({.name = "i", .width = 1, .height = 1, .depth = 4, .palette = {{}}, .pixels = {0}});
    s.textures.push_back({.name = "t", .image = 0});
    Diagnostics notes;
    add_texture_animations(s, motion, moving, 60, notes);
    EXPECT_THAT(scene::verify(s), IsEmpty());
    u64 keys = 0;
    for (const auto& animation : s.animations)
      for (const auto& c : animation.material_channels) keys += c.times.size();
    EXPECT_LE(keys, (1u << 20) + 33 * moving.size());
  }
}

// ---- a whole map ----

/// Palette row i has red = seed + i and green = color index.
Palettes seeded_palettes(u8 seed) {
  Palettes out{};
  for (u8 i = 0; i < 16; ++i)
    for (u8 c = 0; c < 16; ++c) out.rows[i][c] = {0, u8(c ^ i), u8(2 * c + 1), u8((seed + i) & 31)};
  return out;
}

/// Positions encode the polygon and the texel: polygon i starts at x = 1000 i, and texels are 2 units wide.
template <size_t N>
Textured<N> laid_out(i16 number, std::array<Uv, N> uvs, u8 page, u8 palette) {
  Textured<N> p{};
  for (size_t i = 0; i < N; ++i) {
    p.uvs[i] = uvs[i];
    p.positions[i] = {i16(1000 * number + 2 * uvs[i].u), 0, i16(2 * uvs[i].v)};
    p.normals[i] = {{}, fx16{-4096}, {}};
  }
  p.image = 3, p.page = page, p.palette = palette, p.clut_y = 480;
  p.tile = {TileBinding::k_no_z, 1, TileBinding::k_no_x};
  return p;
}

TEST(FftMotionScene, PlaysAWholeMapLikeTheGame) {
  Mesh mesh{};
  mesh.palettes = seeded_palettes(0);
  mesh.palette_frames = seeded_palettes(16);
  mesh.texture_animations = moving_rows();
  Geometry& g = mesh.primary.emplace();
  using Q = std::array<Uv, 4>;
  // Polygons inside canvases, across their edges and outside them, with all palettes; two skewed ones; triangles.
  const Q in{Uv{8, 4}, {20, 4}, {8, 12}, {20, 12}}, over{Uv{4, 2}, {30, 2}, {4, 20}, {30, 20}},
      skewed{Uv{2, 3}, {17, 1}, {13, 19}, {28, 17}}, water{Uv{0, 90}, {30, 90}, {0, 104}, {30, 104}},
      swing{Uv{5, 195}, {9, 195}, {5, 220}, {9, 220}}, beside{Uv{100, 100}, {120, 100}, {100, 120}, {120, 120}};
  struct Part {
    u8 page, palette;
  };
  std::vector<Part> parts;
  const auto add = [&](const Q& uvs, u8 page, u8 palette) {
    g.textured_quads.push_back(laid_out<4>(i16(parts.size()), uvs, page, palette));
    parts.push_back({page, palette});
  };
  for (const u8 palette : {1, 5, 6}) {
    add(in, 2, palette), add(over, 2, palette), add(skewed, 2, palette);
    add(water, 0, palette), add(swing, 3, palette), add(beside, 2, palette);
  }
  for (const u8 palette : {1, 5}) {
    g.textured_triangles.push_back(laid_out<3>(i16(parts.size()), {Uv{0, 0}, {24, 3}, {9, 25}}, 2, palette));
    parts.push_back({2, palette});
  }
  const Memory noise = loaded();
  Texture texture;
  for (u32 page = 0; page < 4; ++page) {
    Bytes texels(k_page_size);
    for (u32 i = 0; i < k_page_size; ++i)
      texels[i] = u8(noise.texels[page * 65536 + 2 * i] | noise.texels[page * 65536 + 2 * i + 1] << 4);
    texture.pages.push_back({texels});
  }
  const MergedMap map = merge_mesh_and_texture(mesh, &texture);
  const auto staged = build_state_scene(std::span(&map, 1), {});
  ASSERT_TRUE(staged);
  const scene::Scene& s = staged->scene;
  EXPECT_THAT(scene::verify(s), IsEmpty());
  for (const Diagnostic& d : staged->notes) ADD_FAILURE() << format_one_line(d);
  ASSERT_EQ(s.animations.size(), 4u);

  size_t compared = 0, moved = 0;
  for (const scene::Animation& a : s.animations) {
    Memory now = noise;
    for (size_t i = 0; i < 16; ++i) now.palettes[i] = rgba_of(mesh.palettes->rows[i]);
    std::vector<TextureMotionRun> runs;
    for (const TextureAnimation& r : mesh.texture_animations->rows) runs.emplace_back(r);
    std::vector<int> last(32, -1);
    const u64 ticks = std::min<u64>(number(a.extras, "ticks"), 60);
    for (u64 tick = 0; tick < ticks; ++tick) {
      for (size_t i = 0; i < 8; ++i) {
        const TextureAnimation& r = mesh.texture_animations->rows[i];
        if (tick) runs[i].tick();
        if (decode_texture_motion(r).on_trigger && a.name != "field object " + std::to_string(i)) continue;
        if (runs[i].frame() == last[i]) continue;
        last[i] = runs[i].frame();
        if (decode_texture_motion(r).what == TextureMotionTarget::palette) {
          now.palettes[*replaced_palette(r)] = rgba_of(mesh.palette_frames->rows[*palette_frame(r, runs[i].frame())]);
          continue;
        }
        const TexelRect to = *to_texel_rect(canvas_rect(r)),
                        from = *to_texel_rect(compute_frame_rects(r)[runs[i].frame()]);
        for (u32 y = 0; y < to.height; ++y)
          for (u32 x = 0; x < to.width; ++x)
            now.texels[(to.texture_v() + y) * 256 + to.u + x] = noise.texels[(from.texture_v() + y) * 256 + from.u + x];
      }
      for (const scene::Node& n : s.nodes) {
        if (n.name != "primary") continue;
        for (const scene::Primitive& p : s.meshes[n.mesh].primitives) {
          const scene::Material& m = s.materials[p.material];
          scene::Vec2 offset = m.transform.offset;
          bool moves = false;
          for (const scene::MaterialChannel& c : a.material_channels)
            if (c.material == p.material) {
              const scene::Vec4 o = played(c.times, c.values, f64(tick) / 60, false, true);
              offset = {o[0], o[1]}, moves = true;
            }
          if (!moves && a.name != "texture animation" && m.extras.find("texture_animations")) continue;
          ASSERT_NE(m.texture, scene::k_none);
          const scene::Image& image = s.images[s.textures[m.texture].image];
          for (size_t i = 0; i < p.indices.size(); i += 3) {
            f64 x = 0, z = 0, u = 0, v = 0;
            const f64 weights[] = {0.31, 0.37, 0.32};
            for (size_t k = 0; k < 3; ++k) {
              const u32 at = p.indices[i + k];
              x += weights[k] * p.positions[at][0], z += weights[k] * -p.positions[at][2];
              u += weights[k] * p.uvs[at][0], v += weights[k] * p.uvs[at][1];
            }
            const auto polygon = size_t(x / 1000);
            const f64 file_u = (x - 1000 * f64(polygon)) / 2, file_v = z / 2;
            const auto on_edge = [](f64 texel) { return std::fabs(texel - std::round(texel)) < 1e-2; };
            if (on_edge(file_u) || on_edge(file_v)) continue;
            const Part& part = parts.at(polygon);
            const auto px = u32((u * m.transform.scale[0] + offset[0]) * image.width);
            const auto py = u32((v * m.transform.scale[1] + offset[1]) * image.height);
            ASSERT_LT(px, image.width);
            ASSERT_LT(py, image.height);
            ASSERT_EQ(scene::color_of(image, px, py), now.pixel(part.page, u32(file_u), u32(file_v), part.palette))
                << a.name << " tick " << tick << " polygon " << polygon << " at " << file_u << ", " << file_v;
            ++compared;
            moved += moves;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 5000u);
  EXPECT_GT(moved, 3000u);
}

}  // namespace
}  // namespace dio::fft
