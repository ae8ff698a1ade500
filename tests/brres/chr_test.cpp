// chr_test.cpp: animations of bones (CHR0): in scenes, and made from scenes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "brres/read_and_build.hpp"
#include "engine/corpus.hpp"
#include "formats/brres/from_scene/chr_builder.hpp"
#include "formats/brres/layout/placement.hpp"
#include "formats/brres/parts.hpp"
#include "formats/brres/scene/curves.hpp"
#include "formats/contract/building.hpp"
#include "layout/document.hpp"
#include "operations/operations.hpp"
#include "samples/brres/files.hpp"
#include "scene/channels.hpp"
#include "scene/transforms.hpp"

namespace dio::brres {
namespace {

using scene::Channel;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Target = Channel::Target;

/// A model of two bones, "bank" and "arm", in which the arm turns by 90 degrees and rises by 100 in a second.
SampleBrres swinging() {
  SampleBrres d = river();
  d.file.srt_files.clear();
  add_bone(d.file.models[0], "arm", {100, 0, 0}, 0);
  ChrBone arm;
  arm.name = "arm";
  arm.flags = chr_flag::enabled | chr_flag::scale_is_one | chr_flag::uniform_scale | chr_flag::has_rotation |
              chr_flag::has_translation | chr_flag::first_constant << 3 | chr_flag::first_constant << 4 |
              chr_flag::first_constant << 6 | chr_flag::first_constant << 8;
  arm.rotation_format = curve_format::keys_32, arm.translation_format = curve_format::keys_48;
  ChrTrack &turn = arm.tracks[5], &rise = arm.tracks[7];
  turn.value_scale = 0.5f, turn.frame_scale = 1.0f / 61, turn.keys_32 = {{0, 0, 48}, {60, 180, 48}};
  rise.value_scale = 1, rise.frame_scale = 1.0f / 61, rise.keys_48 = {{{0}, 0, {0}}, {{60 * 32}, 100, {0}}};
  arm.tracks[6].value = 100;
  ChrAnimation a;
  a.header.version = k_bone_animation_version;
  a.name = "swing", a.frame_count = 60, a.loop = 0;
  a.bones.push_back(std::move(arm));
  d.file.chr_files.push_back({std::move(a), {}});
  return d;
}
const Channel* channel_of(const scene::Scene& s, size_t animation, std::string_view node, Target target) {
  for (const Channel& c : s.animations.at(animation).channels)
    if (s.nodes[c.node].name == node && c.target == target) return &c;
  return nullptr;
}
/// The place of a node at a time of an animation.
scene::Affine place_at(const scene::Scene& s, const scene::Animation& a, std::string_view name, f64 seconds) {
  scene::Scene posed = s;
  for (const Channel& c : a.channels) {
    const scene::Vec4 v = scene::value_at(c, seconds);
    scene::Node& n = posed.nodes[c.node];
    if (c.target == Target::translation) n.translation = {v[0], v[1], v[2]};
    if (c.target == Target::scale) n.scale = {v[0], v[1], v[2]};
    if (c.target == Target::rotation) n.rotation = v;
  }
  const auto node = std::ranges::find(posed.nodes, name, &scene::Node::name);
  EXPECT_NE(node, posed.nodes.end());
  return scene::world_transforms(posed)[size_t(node - posed.nodes.begin())];
}
f64 difference(const scene::Affine& a, const scene::Affine& b) {
  f64 out = 0;
  for (size_t i = 0; i < 3; ++i) {
    out = std::max(out, std::fabs(a.origin[i] - b.origin[i]));
    for (size_t c = 0; c < 3; ++c) out = std::max(out, std::fabs(a.linear.columns[c][i] - b.linear.columns[c][i]));
  }
  return out;
}

// ---- shown

TEST(BrresChr, MovesNodesOfBones) {
  const scene::Scene s = scene_of_brres(read_brres(*save_new(placed(swinging()))));
  ASSERT_THAT(s.animations, SizeIs(1));
  EXPECT_EQ(s.animations[0].name, "swing");
  EXPECT_EQ(scene::verify(s).size(), 0u);
  const Channel *turn = channel_of(s, 0, "arm", Target::rotation), *rise = channel_of(s, 0, "arm", Target::translation);
  ASSERT_TRUE(turn && rise);
  EXPECT_THAT(turn->times, SizeIs(2));  // an even turn needs no more
  EXPECT_NEAR(scene::value_at(*turn, 0.5)[2], std::sin(std::numbers::pi / 8), 1e-4);
  EXPECT_NEAR(scene::value_at(*rise, 0.5)[1], 50, 1e-2);
  EXPECT_NEAR(scene::value_at(*rise, 0.25)[1], 100 * (3.0 / 16 - 2.0 / 64), 1e-2);
  EXPECT_FALSE(channel_of(s, 0, "arm", Target::scale));
  EXPECT_FALSE(channel_of(s, 0, "bank", Target::rotation));
}

TEST(BrresChr, BonesCompensateForTheMovingScaleOfTheirParent) {
  SampleBrres d = swinging();
  ChrAnimation& a = *d.file.chr_files[0].animation;
  a.bones[0].flags |= chr_flag::compensates;
  ChrBone bank;
  bank.name = "bank";
  bank.flags = chr_flag::enabled | chr_flag::uniform_scale | chr_flag::has_scale | chr_flag::rotation_is_zero |
               chr_flag::translation_of_model;
  bank.scale_format = curve_format::keys_96;
  bank.tracks[0].keys_96 = {{0, 1, 0}, {60, 4, 0}};
  a.bones.push_back(bank);
  const scene::Scene s = scene_of_brres(read_brres(*save_new(placed(std::move(d)))));
  const Channel *parent = channel_of(s, 0, "bank", Target::scale), *arm = channel_of(s, 0, "arm", Target::scale);
  ASSERT_TRUE(parent && arm);
  EXPECT_EQ(parent->values.back(), (scene::Vec4{4, 4, 4, 0}));
  EXPECT_EQ(arm->values.back(), (scene::Vec4{0.25f, 0.25f, 0.25f, 0}));
}

TEST(BrresChr, SaysWhatMovesNothing) {
  SampleBrres d = swinging();
  d.file.chr_files[0].animation->bones[0].name = "wing";
  std::string said;
  EXPECT_THAT(scene_of_brres(read_brres(*save_new(placed(std::move(d)))), &said).animations, IsEmpty());
  EXPECT_THAT(said, HasSubstr("the animation \"swing\" is not shown: it moves no bone of the scene"));
}

TEST(BrresChr, SkipsNumbersThatAreNone) {
  SampleBrres d = swinging();
  d.file.chr_files[0].animation->bones[0].tracks[7].value_scale = std::nanf("");
  d.file.chr_files[0].animation->bones[0].tracks[5].value_offset = std::numeric_limits<f32>::infinity();
  const scene::Scene s = scene_of_brres(read_brres(*save_new(placed(std::move(d)))));
  EXPECT_FALSE(channel_of(s, 0, "arm", Target::translation));
}

TEST(BrresChr, LongAnimationsAreSampledLessOften) {
  SampleBrres d = swinging();
  ChrAnimation& a = *d.file.chr_files[0].animation;
  a.frame_count = 65535;
  for (int i = 0; i < 30; ++i) d.file.chr_files.push_back(d.file.chr_files[0]);
  for (size_t i = 0; i < d.file.chr_files.size(); ++i)
    d.file.chr_files[i].animation->name = "swing" + std::to_string(i);
  EXPECT_THAT(scene_of_brres(read_brres(*save_new(placed(std::move(d))))).animations, SizeIs(31));
}

// ---- curves

using Samples = std::array<std::vector<f64>, 9>;
Samples samples_of(u32 frames, auto value) {
  Samples out;
  for (u32 i = 0; i < 9; ++i)
    for (u32 f = 0; f <= frames; ++f) out[i].push_back(value(i, f64(f)));
  return out;
}
f64 largest_error(const ChrBone& b, const Samples& asked, size_t first) {
  f64 out = 0;
  ChrBone::for_each_track(b, [&](u32 i, const ChrTrack& t, u8 format) {
    const ChrCurve curve(t, format);
    if (i / 3 == first)
      for (size_t f = 0; f < asked[i].size(); ++f) out = std::max(out, std::fabs(curve.at(f64(f)) - asked[i][f]));
  });
  return out;
}

TEST(BrresMakeChr, LeavesOutNumbersOfZeroAndOne) {
  const ChrBone b = build_chr_bone(samples_of(30, [](u32 i, f64) { return i < 3 ? 1.0 : 0.0; }));
  u32 count = 0;
  ChrBone::for_each_track(b, [&](u32, const ChrTrack&, u8) { ++count; });
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(b.flags & 0x7Fu, 0x7Fu);
}

TEST(BrresMakeChr, CurvesAreNearTheSamplesInEachFormat) {
  const auto even = [](u32 i, f64 f) { return i < 3 ? 1 + 0.01 * i * f : i < 6 ? 3 * f : f; };
  const auto wave = [](u32 i, f64 f) { return i < 3 ? 1 + std::sin(f / 9) / 2 : (i + 1) * std::sin(f / (3 + i)); };
  const auto noise = [](u32 i, f64 f) { return std::fmod(f * f * 7919 + i * 31, 100) + (i < 3 ? 1 : 0); };
  for (const u32 frames : {1u, 20u, 300u, 2000u})
    for (const Samples& asked : {samples_of(frames, even), samples_of(frames, wave), samples_of(frames, noise)}) {
      const ChrBone b = build_chr_bone(asked);
      EXPECT_LE(largest_error(b, asked, 0), 1.1e-4 + 1e-6 * 4000);
      EXPECT_LE(largest_error(b, asked, 1), 1.1e-2 + 1e-6 * 4000);
      EXPECT_LE(largest_error(b, asked, 2), 1.1e-2 + 1e-6 * 4000);
    }
  EXPECT_EQ(build_chr_bone(samples_of(60, even)).rotation_format, curve_format::keys_32);
  EXPECT_EQ(build_chr_bone(samples_of(300, even)).rotation_format, curve_format::keys_48);
  EXPECT_EQ(build_chr_bone(samples_of(2000, even)).rotation_format, curve_format::keys_96);
  EXPECT_EQ(build_chr_bone(samples_of(60, noise)).rotation_format, curve_format::samples_16);
}

// ---- made

TEST(BrresMakeChr, ExportsComeBack) {
  const scene::Scene before = scene_of_brres(placed(swinging()));
  std::string said;
  const Brres f = build_brres(before, &said);
  EXPECT_THAT(said, testing::Not(HasSubstr("make-motion")));
  ASSERT_THAT(f.chr_files, SizeIs(1));
  const ChrAnimation& a = *f.chr_files[0].animation;
  EXPECT_EQ(a.name, "swing");
  EXPECT_EQ(a.frame_count, 60);
  EXPECT_EQ(a.loop, 0u);
  ASSERT_THAT(a.bones, SizeIs(1));
  EXPECT_EQ(a.bones[0].name, "arm");
  EXPECT_EQ(a.bones[0].rotation_format, curve_format::keys_32);
  const scene::Scene after = scene_of_brres(f);
  ASSERT_THAT(after.animations, SizeIs(1));
  for (u32 i = 0; i <= 60; ++i)
    EXPECT_LT(difference(place_at(before, before.animations[0], "arm", i / 60.0),
                         place_at(after, after.animations[0], "arm", i / 60.0)),
              0.02)
        << i;
}

TEST(BrresMakeChr, MovedMeshesBecomeBones) {
  scene::Scene s = scene_of_brres(placed(swinging()));
  s.animations.clear();
  const auto wheel = std::ranges::find(s.nodes, "wheel", &scene::Node::name);
  const auto node = scene::Index(wheel - s.nodes.begin());
  s.animations.push_back(
      {.name = "roll", .channels = {{.node = node, .times = {0, 1}, .values = {{0, 0, 0, 1}, {0, 1, 0, 0}}}}});
  s.animations[0].channels[0].target = Target::rotation;
  const Brres f = build_brres(s);
  ASSERT_THAT(f.chr_files, SizeIs(1));
  EXPECT_EQ(f.chr_files[0].animation->bones.at(0).name, "wheel");
  EXPECT_EQ(f.chr_files[0].animation->frame_count, 60);
  const scene::Scene after = scene_of_brres(f);
  for (const f64 seconds : {0.0, 0.3, 1.0})
    EXPECT_LT(difference(place_at(s, s.animations[0], "wheel", seconds),
                         place_at(after, after.animations[0], "wheel", seconds)),
              1e-3);
}

TEST(BrresMakeChr, NodesBetweenBonesMoveTheBoneBelow) {
  scene::Scene s = scene_of_brres(placed(swinging()));
  const auto arm = std::ranges::find(s.nodes, "arm", &scene::Node::name);
  const auto bank = std::ranges::find(s.nodes, "bank", &scene::Node::name);
  bank->extras = {};  // no bone of its own, and it has geometry below
  const auto between = scene::Index(bank - s.nodes.begin());
  const auto below = scene::Index(arm - s.nodes.begin());
  s.nodes[between].translation = {0, 10, 0};
  ASSERT_EQ(s.nodes[below].parent, between);
  const Brres f = build_brres(s);
  const scene::Scene after = scene_of_brres(f);
  ASSERT_THAT(after.animations, SizeIs(1));
  EXPECT_LT(difference(place_at(s, s.animations[0], "arm", 0.5), place_at(after, after.animations[0], "arm", 0.5)),
            0.02);
}

TEST(BrresMakeChr, SaysWhatIsNotMade) {
  scene::Scene s = scene_of_brres(placed(swinging()));
  s.cameras.push_back({});
  s.nodes.push_back({.name = "view", .camera = 0});
  const auto view = scene::Index(s.nodes.size() - 1);
  s.animations[0].channels.push_back({.node = view, .times = {0}, .values = {{0, 0, 0, 0}}});
  s.animations[0].visibility_channels = {{0, {0, 2000}, {1, 0}}};
  s.animations[0].fov_channels = {{0, {0}, {1}}};
  s.animations.push_back({.name = "zoom", .channels = {{.node = view, .times = {0}, .values = {{0, 0, 0, 0}}}}});
  std::string said;
  u64 lost = 0;
  const Brres f = build_brres(s, &said, &lost);
  EXPECT_EQ(f.chr_files.at(0).animation->frame_count, 65534);
  EXPECT_THAT(said, HasSubstr("1 animation omitted: no part of a model moves in it"));
  EXPECT_THAT(said, HasSubstr("cut off after 65534 frames: \"swing\""));
  EXPECT_THAT(said, HasSubstr("animated fields of view are not converted: \"swing\""));
  EXPECT_THAT(said, HasSubstr("movements of parts that are in no model are not converted: \"swing\""));
  EXPECT_GE(lost, 4u);
}

}  // namespace
}  // namespace dio::brres
