// motion_test.cpp: scene animation as skins and animations of a pack, and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "formats/contract/edits.hpp"
#include "formats/splashpack/from_scene/splashpack_builder.hpp"
#include "formats/splashpack/parts.hpp"
#include "operations/operations.hpp"
#include "samples/splashpack/packs.hpp"
#include "scene/math.hpp"

namespace dio::splashpack {
namespace {

using scene::Index;
using scene::k_none;
using scene::Vec3;
using scene::Vec4;

struct MadePack {
  Pack pack;
  Diagnostics notes;
  bool has(std::string_view id, std::string_view words) const {
    return std::ranges::any_of(
        notes, [&](const Diagnostic& d) { return d.id == id && d.message.find(words) != std::string::npos; });
  }
};
MadePack made_pack(const scene::Scene& s, std::vector<Argument> told = {}) {
  auto result = make_pack_from_scene(s, told);
  EXPECT_TRUE(result) << (result ? "" : format_one_line(result.error()));
  if (!result) return {};
  auto pack = load<Pack>(result->files[0].bytes);
  EXPECT_TRUE(pack);
  return {pack ? pack->document.value() : Pack(), std::move(result->notes)};
}

scene::Scene through_glb(const scene::Scene& s) {
  const auto glb = gltf::write_glb(s);
  EXPECT_TRUE(glb);
  if (!glb) return {};
  auto read = gltf::read(*glb);
  EXPECT_TRUE(read) << (read ? "" : format_one_line(read.error()));
  return read ? std::move(read->document) : scene::Scene();
}
scene::Scene scene_of(const Pack& pack) {
  const auto staged = to_scene(pack, {});
  EXPECT_TRUE(staged);
  return staged ? through_glb(staged->scene) : scene::Scene();
}

constexpr f32 k_one = 100;  // world units that are 1.0 in a pack

/// An arm along X: a strip of two squares; the far corners follow the second joint, at (1, 0, 0) of the first.
scene::Scene arm() {
  scene::Scene s;
  scene::Primitive p;
  p.positions = {{0, 0, 0}, {k_one, 0, 0}, {k_one, k_one, 0}, {0, k_one, 0}, {2 * k_one, 0, 0}, {2 * k_one, k_one, 0}};
  p.joints = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}};
  p.weights = {{1, 0}, {0.75f, 0.25f}, {0.75f, 0.25f}, {1, 0}, {0, 1}, {0, 1}};
  p.indices = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
  s.meshes.push_back({"arm", {p}});
  scene::Skin skin;
  skin.joints = {1, 2};
  skin.inverse_bind = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                       {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -k_one, 0, 0, 1}};
  s.skins.push_back(skin);
  s.nodes.resize(3);
  s.nodes[0].name = "arm", s.nodes[0].mesh = 0, s.nodes[0].skin = 0;
  s.nodes[1].name = "upper";
  s.nodes[2].name = "lower", s.nodes[2].parent = 1, s.nodes[2].translation = {k_one, 0, 0};
  scene::Animation bend;
  bend.name = "bend";
  scene::Channel c;
  c.node = 2, c.target = scene::Channel::Target::rotation;
  c.times = {0, 1};
  c.values = {scene::k_no_rotation, scene::from_axis_degrees(scene::k_axis_z, 90)};
  bend.channels = {c};
  bend.extras = Value::object();
  bend.extras.add("fps", 2);
  s.animations = {bend};
  return s;
}

std::array<int, 9> turn(const BoneMatrix& m) {
  std::array<int, 9> out;
  for (size_t i = 0; i < 9; ++i) out[i] = m.rotation[i].raw;
  return out;
}
std::array<int, 3> place(const BoneMatrix& m) {
  return {m.translation.x.raw, m.translation.y.raw, m.translation.z.raw};
}

TEST(SplashpackMotion, SkinnedArmBendsAtTheElbow) {
  const MadePack m = made_pack(arm(), {{"subdivide", "none"}});
  ASSERT_EQ(m.pack.objects.size(), 1u);
  EXPECT_EQ(m.pack.objects[0].flags, 17u);
  ASSERT_EQ(m.pack.skins.size(), 1u);
  const Skin& skin = m.pack.skins[0];
  EXPECT_EQ(skin.object, 0);
  EXPECT_EQ(skin.name, "arm");
  EXPECT_EQ(skin.bone_count, 2);
  ASSERT_EQ(skin.corner_bones.size(), m.pack.objects[0].triangles.size());
  for (size_t t = 0; t < skin.corner_bones.size(); ++t)
    for (size_t k = 0; k < 3; ++k)
      EXPECT_EQ(skin.corner_bones[t][k], m.pack.objects[0].triangles[t].positions[k].x.raw > 6144) << t << " " << k;
  ASSERT_EQ(skin.clips.size(), 1u);
  const SkinClip& clip = skin.clips[0];
  EXPECT_EQ(clip.name, "bend");
  EXPECT_EQ(clip.fps, 2);
  EXPECT_EQ(clip.flags, 0);
  ASSERT_EQ(clip.frames.size(), 3u * 2);
  const std::array<int, 9> still{4096, 0, 0, 0, 4096, 0, 0, 0, 4096};
  for (size_t frame = 0; frame < 3; ++frame) {
    EXPECT_EQ(turn(clip.frames[frame * 2]), still);
    EXPECT_EQ(place(clip.frames[frame * 2]), (std::array{0, 0, 0}));
  }
  EXPECT_EQ(turn(clip.frames[1]), still);
  EXPECT_EQ(place(clip.frames[1]), (std::array{0, 0, 0}));
  // Y of the pack points down, so a quarter turn from X to Y becomes one from X to -Y: (x, y) becomes (y, -x). It
  // rotates about the elbow at (4096, 0), which stays: x' = 4096 + y, y' = -(x - 4096).
  EXPECT_EQ(turn(clip.frames[5]), (std::array{0, 4096, 0, -4096, 0, 0, 0, 0, 4096}));
  EXPECT_EQ(place(clip.frames[5]), (std::array{4096, 4096, 0}));
  // Half of the turn: cos 45 = sin 45 = 2896 / 4096; the resting elbow moves by 4096 - 2896.
  EXPECT_EQ(turn(clip.frames[3]), (std::array{2896, 2896, 0, -2896, 2896, 0, 0, 0, 4096}));
  EXPECT_EQ(place(clip.frames[3]), (std::array{1200, 2896, 0}));
  EXPECT_TRUE(m.has("splashpack.make-bones", " several joints"));
  EXPECT_FALSE(m.has("splashpack.make-lost", ""));
}

TEST(SplashpackMotion, SkinBoxEnclosesAllFrames) {
  const Pack p = made_pack(arm()).pack;
  ASSERT_EQ(p.objects.size(), 1u);
  // At rest, X reaches 8192 and Y goes from -4096 to 0; bent, the far end is at X = 0 to 4096 and Y reaches -4096.
  const Box& b = p.objects[0].box;
  EXPECT_EQ(b.min.x.raw, 0);
  EXPECT_EQ(b.max.x.raw, 8192);
  EXPECT_LE(b.min.y.raw, -4096);
  EXPECT_EQ(b.max.y.raw, 0);
}

/// Two packs have the same bones and clips.
void expect_same(const Pack& a, const Pack& b) {
  ASSERT_EQ(a.skins.size(), b.skins.size());
  for (size_t i = 0; i < a.skins.size(); ++i) {
    SCOPED_TRACE(i);
    const Skin &x = a.skins[i], &y = b.skins[i];
    EXPECT_EQ(x.object, y.object);
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.bone_count, y.bone_count);
    EXPECT_EQ(x.corner_bones, y.corner_bones);
    ASSERT_EQ(x.clips.size(), y.clips.size());
    for (size_t c = 0; c < x.clips.size(); ++c) {
      SCOPED_TRACE(x.clips[c].name);
      EXPECT_EQ(x.clips[c].name, y.clips[c].name);
      EXPECT_EQ(x.clips[c].flags, y.clips[c].flags);
      EXPECT_EQ(x.clips[c].fps, y.clips[c].fps);
      ASSERT_EQ(x.clips[c].frames.size(), y.clips[c].frames.size());
      for (size_t f = 0; f < x.clips[c].frames.size(); ++f) {
        EXPECT_EQ(turn(x.clips[c].frames[f]), turn(y.clips[c].frames[f])) << f;
        EXPECT_EQ(place(x.clips[c].frames[f]), place(y.clips[c].frames[f])) << f;
      }
    }
    ASSERT_LT(x.object, a.objects.size());
    const Object &o = a.objects[x.object], &q = b.objects[y.object];
    EXPECT_EQ(o.flags, q.flags);
    ASSERT_EQ(o.triangles.size(), q.triangles.size());
    for (size_t t = 0; t < o.triangles.size(); ++t)
      for (size_t k = 0; k < 3; ++k) EXPECT_EQ(o.triangles[t].positions[k], q.triangles[t].positions[k]);
  }
}

TEST(SplashpackMotion, SkinsRoundTripThroughScenes) {
  const Pack before = sample_scene_with_everything().pack;
  ASSERT_EQ(before.skins.size(), 2u);
  const Pack after = made_pack(scene_of(before)).pack;
  expect_same(before, after);
  ASSERT_EQ(after.cutscenes.size(), 1u);
  ASSERT_EQ(after.cutscenes[0].skin_events.size(), 1u);
  EXPECT_EQ(after.cutscenes[0].skin_events[0].clip, 1);
  ASSERT_EQ(after.animations.size(), 1u);
  ASSERT_EQ(after.animations[0].skin_events.size(), 1u);
  EXPECT_EQ(after.animations[0].skin_events[0].skin, 1);
}

TEST(SplashpackMotion, KeepsExcessSkinEventsWithANote) {
  Pack before = sample_scene_with_everything().pack;
  std::vector<SkinEvent>& calls = before.cutscenes.at(0).skin_events;
  const auto notes = [&](size_t count) {
    calls.resize(count, calls.at(0));
    const auto now = made_pack(scene_of(before));
    EXPECT_EQ(now.pack.cutscenes.at(0).skin_events.size(), count);
    std::string lines;
    for (const Diagnostic& d : now.notes)
      if (d.place.path.find("skin_events") != std::string::npos) lines += format_one_line(d) + "\n";
    return lines;
  };
  EXPECT_EQ(notes(16), "");
  EXPECT_EQ(notes(17), "cutscenes[0].skin_events: there are 17 skin events; the engine plays only the first 16\n");
}

TEST(SplashpackMotion, RestoresClipsWithoutAnimationExtras) {
  Pack before = sample_scene_with_everything().pack;
  ASSERT_FALSE(before.skins.at(0).clips.empty());
  before.skins[0].clips[0].fps = 12;
  before.skins[0].clips[0].flags = 1;
  scene::Scene s = scene_of(before);
  std::ranges::reverse(s.animations);  // Blender sorts them by name
  for (scene::Animation& a : s.animations) a.extras = {};
  const Pack after = made_pack(s).pack;
  ASSERT_EQ(after.animations.size(), before.animations.size());  // none is there twice
  ASSERT_EQ(after.skins.size(), before.skins.size());
  for (size_t i = 0; i < after.skins.size(); ++i) {
    ASSERT_EQ(after.skins[i].clips.size(), before.skins[i].clips.size());
    for (size_t c = 0; c < after.skins[i].clips.size(); ++c) {
      const SkinClip &x = before.skins[i].clips[c], &y = after.skins[i].clips[c];
      EXPECT_EQ(std::tie(x.name, x.fps, x.flags), std::tie(y.name, y.fps, y.flags));
      EXPECT_EQ(x.frames.size(), y.frames.size());
    }
  }
}

TEST(SplashpackMotion, BoneRotationsRoundTripExactly) {
  Pack before = made_pack(arm()).pack;
  ASSERT_EQ(before.skins.size(), 1u);
  // Rounded rotations about various axes, as exporters write them; and one matrix that is not a rotation.
  std::vector<BoneMatrix>& frames = before.skins[0].clips[0].frames;
  frames.clear();
  for (u32 i = 0; i < 200; ++i) {
    const scene::Mat3 m = scene::to_matrix(scene::multiply(scene::from_axis_degrees(scene::k_axis_x, f32(7 * i)),
                                                           scene::from_axis_degrees(scene::k_axis_z, f32(13 * i))));
    BoneMatrix& b = frames.emplace_back(BoneMatrix{});
    for (size_t r = 0; r < 3; ++r)
      for (size_t c = 0; c < 3; ++c) b.rotation[3 * r + c].raw = i16(std::floor(m[c][r] * 4096 + 0.5f));
    b.translation.x.raw = i16(i * 31);
  }
  frames[8].rotation[1].raw = i16(frames[8].rotation[1].raw + 300);
  before.skins[0].clips[0].fps = 24;
  before.skins[0].clips[0].flags = 1;
  const scene::Scene s = scene_of(before);
  ASSERT_EQ(s.animations.size(), 1u);
  const Value* kept = s.animations[0].extras.find("matrices");
  ASSERT_TRUE(kept);
  EXPECT_LT(kept->size(), 20u);  // of 100: one is no rotation, others are at the edge of what rounds so
  expect_same(before, made_pack(s).pack);
}

TEST(SplashpackMotion, LoopingClipsDropTheLastFrame) {
  scene::Scene s = arm();
  scene::Channel& c = s.animations[0].channels[0];
  c.times = {0, 1, 2};
  c.values.push_back(c.values[0]);
  EXPECT_EQ(made_pack(s).pack.skins.at(0).clips.at(0).frames.size(), 5u * 2);
  s.animations[0].extras.add("loop", true);
  const Pack p = made_pack(s).pack;
  EXPECT_EQ(p.skins.at(0).clips.at(0).flags, 1);
  EXPECT_EQ(p.skins.at(0).clips.at(0).frames.size(), 4u * 2);  // the last frame is the first one of the next time
  expect_same(p, made_pack(scene_of(p)).pack);
}

TEST(SplashpackMotion, SkinnedObjectsKeepTheirNodesPosition) {
  scene::Scene s = arm();
  scene::Node armature;
  armature.name = "armature";
  armature.translation = {200, 0, 0};
  armature.rotation = scene::from_axis_degrees(scene::k_axis_y, 90);
  s.nodes.insert(s.nodes.begin(), armature);
  s.nodes[1].parent = 0;  // the mesh
  s.nodes[2].parent = 0, s.nodes[3].parent = 2;
  s.skins[0].joints = {2, 3};
  s.animations[0].channels[0].node = 3;
  const Pack p = made_pack(s).pack;
  ASSERT_EQ(p.skins.size(), 1u);
  EXPECT_EQ(p.objects[0].position.x.raw, 8192);
  EXPECT_EQ(p.skins[0].clips[0].frames.size(), 6u);
  EXPECT_EQ(turn(p.skins[0].clips[0].frames[5]), (std::array{0, 4096, 0, -4096, 0, 0, 0, 0, 4096}));
}

TEST(SplashpackMotion, ConvertsSkinsInOtherUnits) {
  // Centimetres below a joint scaled by 1/100, as in FBX files.
  scene::Scene s = arm();
  for (Vec3& v : s.meshes[0].primitives[0].positions) v = scene::mul(v, 100);
  s.skins[0].inverse_bind = {{0.01f, 0, 0, 0, 0, 0.01f, 0, 0, 0, 0, 0.01f, 0, 0, 0, 0, 1},
                             {0.01f, 0, 0, 0, 0, 0.01f, 0, 0, 0, 0, 0.01f, 0, -k_one, 0, 0, 1}};
  const Pack p = made_pack(s).pack;
  expect_same(made_pack(arm()).pack, p);
}

TEST(SplashpackMotion, LimitsClipsAndSkins) {
  {
    scene::Scene s = arm();
    s.animations[0].channels[0].times = {0, 1e9f};
    const MadePack m = made_pack(s);
    ASSERT_EQ(m.pack.skins.size(), 1u);
    ASSERT_EQ(m.pack.skins[0].clips.size(), 1u);  // the engine draws none without
    EXPECT_EQ(m.pack.skins[0].clips[0].name, "rest");
    EXPECT_TRUE(m.has("splashpack.make-lost", "1 clip is too long"));
  }
  {
    scene::Scene s = arm();
    const scene::Animation a = s.animations[0];
    for (int i = 0; i < 19; ++i) s.animations.push_back(a);
    const MadePack m = made_pack(s);
    ASSERT_EQ(m.pack.skins.size(), 1u);
    EXPECT_EQ(m.pack.skins[0].clips.size(), 16u);
    EXPECT_EQ(m.pack.skins[0].clips[1].name, "bend_2");
    EXPECT_TRUE(m.has("splashpack.make-lost", "4 clips are over the limit of 16"));
  }
  {
    scene::Scene s = arm();
    for (u32 i = 0; i < 19; ++i) {
      scene::Node n = s.nodes[0];
      n.name = "arm" + std::to_string(i);
      s.nodes.push_back(n);
    }
    const MadePack m = made_pack(s);
    EXPECT_EQ(m.pack.objects.size(), 20u);
    EXPECT_EQ(m.pack.skins.size(), 16u);
    EXPECT_TRUE(m.has("splashpack.make-lost", "4 skinned meshes are over the limit of 16"));
    EXPECT_EQ(m.pack.objects[19].flags, 1u);
  }
}

TEST(SplashpackMotion, MergesJointsBeyondTheLimit) {
  // A chain of joints with one triangle each.
  scene::Scene s;
  scene::Primitive p;
  scene::Skin skin;
  s.nodes.resize(1);
  s.nodes[0].mesh = s.nodes[0].skin = 0;
  for (u16 j = 0; j < 100; ++j) {
    scene::Node n;
    n.parent = j ? Index(j) : k_none;
    n.translation = {1, 0, 0};
    s.nodes.push_back(n);
    skin.joints.push_back(j + 1u);
    skin.inverse_bind.push_back({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -f32(j + 1), 0, 0, 1});
    for (const Vec3 v : {Vec3{0, 0, 0}, Vec3{9, 0, 0}, Vec3{0, 9, 0}}) {
      p.positions.push_back(scene::add(v, {0, 0, f32(j)}));
      p.joints.push_back({j, 0, 0, 0});
      p.weights.push_back({1, 0, 0, 0});
    }
  }
  s.meshes.push_back({"", {p}});
  s.skins.push_back(skin);
  scene::Animation a;
  a.channels.push_back(
      {1, scene::Channel::Target::translation, scene::Channel::Interpolation::linear, {0, 1}, {{}, {50}}});
  s.animations.push_back(a);
  const MadePack m = made_pack(s);
  ASSERT_EQ(m.pack.skins.size(), 1u);
  EXPECT_EQ(m.pack.skins[0].bone_count, 64);
  ASSERT_EQ(m.pack.skins[0].corner_bones.size(), 100u);
  EXPECT_EQ(m.pack.skins[0].corner_bones[63][0], 63);
  EXPECT_EQ(m.pack.skins[0].corner_bones[99][0], 63);  // with the next joint above
  EXPECT_TRUE(m.has("splashpack.make-bones", "36 joints are over the limit of 64"));
}

TEST(SplashpackMotion, OlderLayoutsDropSkinsAndAnimations) {
  scene::Scene s = arm();
  const MadePack m = made_pack(s, {{"layout", "d"}});
  EXPECT_TRUE(m.pack.skins.empty());
  EXPECT_TRUE(m.has("splashpack.make-lost", "1 skinned mesh"));
  EXPECT_TRUE(m.has("splashpack.make-lost", "1 animation"));
}

TEST(SplashpackMotion, SkinsWithoutMotionBecomePlainMeshes) {
  scene::Scene s = arm();
  s.animations.clear();
  s.nodes[2].rotation = scene::from_axis_degrees(scene::k_axis_z, 90);
  const MadePack m = made_pack(s);
  EXPECT_TRUE(m.pack.skins.empty());
  EXPECT_EQ(m.pack.objects.at(0).flags, 1u);
  EXPECT_FALSE(m.has("splashpack.make-lost", ""));
}

TEST(SplashpackMotion, RejectsInvalidSkinsAndAnimations) {
  const auto refused = [](auto&& change) {
    scene::Scene s = arm();
    change(s);
    const auto result = make_pack_from_scene(s, {});
    return !result && result.error().id == "scene.invalid";
  };
  EXPECT_TRUE(refused([](scene::Scene& s) { s.skins[0].joints[1] = 77; }));
  EXPECT_TRUE(refused([](scene::Scene& s) { s.nodes[1].parent = 2; }));
  EXPECT_TRUE(refused([](scene::Scene& s) { s.animations[0].channels[0].values[1][0] = NAN; }));
  EXPECT_TRUE(refused([](scene::Scene& s) { s.animations[0].channels[0].times.clear(); }));
  EXPECT_TRUE(refused([](scene::Scene& s) { s.animations[0].channels[0].node = 9; }));
  EXPECT_TRUE(refused([](scene::Scene& s) { s.meshes[0].primitives[0].joints[0][0] = 9; }));
}

// ---- objects

/// A plate that moves one pack unit along X within a second, after half a second, and rotates once about Y.
scene::Scene plate() {
  scene::Scene s;
  scene::Primitive p;
  p.positions = {{0, 0, 0}, {9, 0, 0}, {0, 9, 0}};
  s.meshes.push_back({"plate", {p}});
  s.nodes.resize(1);
  s.nodes[0].name = "plate", s.nodes[0].mesh = 0;
  using scene::Channel;
  scene::Animation a;
  a.name = "slide";
  a.channels.push_back(
      {0, Channel::Target::translation, Channel::Interpolation::linear, {0, 0.5f, 1.5f}, {{}, {}, {k_one}}});
  Channel turn{0, Channel::Target::rotation, Channel::Interpolation::linear, {}, {}};
  for (int i = 0; i <= 8; ++i) {
    turn.times.push_back(f32(i) / 4);
    turn.values.push_back(scene::from_axis_degrees(scene::k_axis_y, f32(45 * i)));
  }
  a.channels.push_back(turn);
  s.animations = {a};
  return s;
}

std::array<int, 4> key(const Keyframe& k) { return {k.frame, k.values[0], k.values[1], k.values[2]}; }

TEST(SplashpackMotion, AnimatedObjectSlidesAndRotates) {
  const MadePack m = made_pack(plate());
  EXPECT_FALSE(m.has("splashpack.make-lost", ""));
  ASSERT_EQ(m.pack.animations.size(), 1u);
  const Animation& a = m.pack.animations[0];
  EXPECT_EQ(a.name, "slide");
  EXPECT_EQ(a.frame_count, 60);
  ASSERT_EQ(a.tracks.size(), 2u);
  EXPECT_EQ(a.tracks[0].type, 2);
  EXPECT_EQ(a.tracks[0].target, "plate");
  ASSERT_EQ(a.tracks[0].keys.size(), 4u);
  EXPECT_EQ(key(a.tracks[0].keys[0]), (std::array{0, 0, 0, 0}));
  EXPECT_EQ(key(a.tracks[0].keys[1]), (std::array{15, 0, 0, 0}));
  EXPECT_EQ(key(a.tracks[0].keys[2]), (std::array{45, 4096, 0, 0}));
  EXPECT_EQ(key(a.tracks[0].keys[3]), (std::array{60, 4096, 0, 0}));
  // A full turn to the left is -2048 about Y, which points down; it needs no keys in between.
  EXPECT_EQ(a.tracks[1].type, 3);
  ASSERT_EQ(a.tracks[1].keys.size(), 2u);
  EXPECT_EQ(key(a.tracks[1].keys[0]), (std::array{0, 0, 0, 0}));
  EXPECT_EQ(key(a.tracks[1].keys[1]), (std::array{60, 0, -2048, 0}));
}

TEST(SplashpackMotion, ObjectAnimationsRoundTripThroughScenes) {
  const Pack first = made_pack(plate()).pack;
  const scene::Scene back = scene_of(first);
  ASSERT_EQ(back.animations.size(), 1u);
  for (const scene::Channel& c : back.animations[0].channels) {
    if (c.target != scene::Channel::Target::rotation) continue;
    // After a quarter of the time it has rotated by 90 degrees.
    const auto at = std::ranges::find_if(c.times, [](f32 t) { return std::fabs(t - 0.5f) < 1e-4f; }) - c.times.begin();
    ASSERT_LT(size_t(at), c.values.size());
    const Vec3 x = scene::rotate(c.values[size_t(at)], scene::k_axis_x);
    EXPECT_NEAR(x[2], -1, 1e-3);
  }
  const MadePack again = made_pack(back);
  EXPECT_FALSE(again.has("splashpack.make-lost", ""));
  ASSERT_EQ(again.pack.animations.size(), 1u);  // those of the extras, once
  ASSERT_EQ(again.pack.animations[0].tracks.size(), 2u);
  EXPECT_EQ(key(again.pack.animations[0].tracks[1].keys[1]), (std::array{60, 0, -2048, 0}));
}

TEST(SplashpackMotion, ReportsChangedNames) {
  scene::Scene s = plate();
  s.nodes[0].name =
      "W\xC3\xA4"
      "chter";
  const MadePack m = made_pack(s);
  EXPECT_TRUE(std::ranges::any_of(m.notes, [](const Diagnostic& d) {
    return d.id == "splashpack.make-names" && d.message.starts_with("1 name was not ASCII") &&
           d.hint.find(" to \"W__chter\";") != std::string::npos;
  }));
}

TEST(SplashpackMotion, ReportsInvalidPropertyValues) {
  scene::Scene s = plate();
  s.materials.resize(1);
  s.materials[0].name = "bricks";
  for (Value* v : {&s.extras, &s.materials[0].extras, &s.animations[0].extras, &s.nodes[0].extras})
    *v = Value::object();
  s.materials[0].extras.add("depth", 5), s.materials[0].extras.add("both_sides", "yes");
  s.extras.add("fog", "yes"), s.extras.add("sound_files", 12);
  s.animations[0].extras.add("fps", 1000), s.animations[0].extras.add("loop", true);
  s.nodes[0].extras.add("interactable", true), s.nodes[0].extras.add("radius", -5), s.nodes[0].extras.add("button", 3);
  std::vector<std::string> wrong;
  for (const Diagnostic& d : made_pack(s).notes)
    if (d.id == "splashpack.make-property") wrong.push_back(d.place.path + ": " + d.message);
  EXPECT_THAT(wrong, testing::UnorderedElementsAre(R"(properties of the scene: fog is "yes"; it must be a JSON object)",
                                                   "properties of the scene: sound_files is 12; it must be text",
                                                   "material bricks: depth is 5; it must be 4, 8 or 16",
                                                   R"(material bricks: both_sides is "yes"; it must be true or false)",
                                                   "animation slide: fps is 1000; it must be a number from 0 to 255",
                                                   "node 0 (plate): radius is -5; it must be a number of at least 0"));
}

TEST(SplashpackMotion, ConvertsRotationsAboutAllAxes) {
  // For any angles, the engine's matrix equals the node's; converting back shows it.
  scene::Scene s = plate();
  s.nodes[0].rotation = scene::from_euler_degrees({10, 20, 30});
  scene::Animation& a = s.animations[0];
  a.channels.erase(a.channels.begin());
  scene::Channel& c = a.channels[0];
  c.times = {0, 1, 2};
  c.values = {scene::from_euler_degrees({10, 20, 30}), scene::from_euler_degrees({-100, 40, 80}),
              scene::from_euler_degrees({200, -60, 10})};
  const Pack p = made_pack(s).pack;
  ASSERT_EQ(p.animations.size(), 1u);
  ASSERT_EQ(p.animations[0].tracks.size(), 1u);
  EXPECT_LE(p.animations[0].tracks[0].keys.size(), 64u);
  const scene::Scene back = scene_of(p);
  const scene::Channel& turned = back.animations.at(0).channels.at(0);
  for (size_t i = 0; i < 3; ++i) {
    const auto at = std::ranges::find_if(turned.times, [&](f32 t) { return std::fabs(t - c.times[i]) < 1e-4f; });
    ASSERT_NE(at, turned.times.end());
    const scene::Mat3 is = scene::to_matrix(turned.values[size_t(at - turned.times.begin())]),
                      was = scene::to_matrix(c.values[i]);
    for (size_t k = 0; k < 3; ++k)
      for (size_t n = 0; n < 3; ++n) EXPECT_NEAR(is[k][n], was[k][n], 0.01) << i;
  }
}

TEST(SplashpackMotion, ConvertsVisibilityAnimations) {
  scene::Scene s = plate();
  s.animations[0].channels.clear();
  s.animations[0].visibility_channels.push_back({0, {0, 0.5f, 1}, {1, 0, 1}});
  const Pack p = made_pack(s).pack;
  ASSERT_EQ(p.animations.size(), 1u);
  ASSERT_EQ(p.animations[0].tracks.size(), 1u);
  const Track& t = p.animations[0].tracks[0];
  EXPECT_EQ(t.type, 4);
  ASSERT_EQ(t.keys.size(), 3u);
  EXPECT_EQ(key(t.keys[1]), (std::array{15, 0, 0, 0}));
  EXPECT_EQ(t.keys[1].interpolation, 1);
  EXPECT_EQ(key(t.keys[2]), (std::array{30, 1, 0, 0}));
}

TEST(SplashpackMotion, ReportsUnsupportedObjectMotion) {
  scene::Scene s = plate();
  s.animations[0].channels.push_back(
      {0, scene::Channel::Target::scale, scene::Channel::Interpolation::linear, {0, 1}, {{1, 1, 1}, {2, 2, 2}}});
  EXPECT_TRUE(made_pack(s).has("splashpack.make-lost", "1 object changes its size"));
  s = plate();
  s.animations[0].channels[0].times = {0, 1, 1e9f};
  const MadePack m = made_pack(s);
  EXPECT_TRUE(m.pack.animations.empty());
  EXPECT_TRUE(m.has("splashpack.make-lost", "1 animation is longer"));
  s = plate();
  s.animations[0].channels[0].values[2] = {k_one * 9};
  EXPECT_TRUE(made_pack(s).has("splashpack.make-lost", "1 track moves beyond"));
  s = plate();
  s.nodes[0].mesh = k_none;
  EXPECT_TRUE(made_pack(s).has("splashpack.make-lost", "1 animation moves no objects"));
}

}  // namespace
}  // namespace dio::splashpack
