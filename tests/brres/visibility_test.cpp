// visibility_test.cpp: animations of patterns, visibility and colours (PAT0, VIS0, CLR0): in scenes, and made from
// scenes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "brres/read_and_build.hpp"
#include "formats/brres/layout/placement.hpp"
#include "formats/brres/parts.hpp"
#include "formats/contract/building.hpp"
#include "layout/document.hpp"
#include "operations/operations.hpp"
#include "samples/brres/files.hpp"
#include "scene/channels.hpp"
#include "scene/math.hpp"

namespace dio::brres {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// The river, in which water becomes a sign at frame 10 of 20.
SampleBrres changing() {
  SampleBrres d = river();
  d.file.srt_files.clear();
  PatMaterial water;
  water.name = "water", water.flags = 5;
  water.tracks[0].keys = {{0, 1, 0}, {10, 0, 0}, {15, 1, 0}}, water.tracks[0].frame_scale = 1.0f / 16;
  PatAnimation a;
  a.name = "flip", a.frame_count = 20, a.loop = 0;
  a.materials.push_back(std::move(water));
  for (const char* name : {"sign", "water"}) a.texture_names.emplace_back().name = name;
  d.file.pat_files.push_back({std::move(a), {}});
  return d;
}
/// The river, whose shapes are hidden from frame 10 to 39 of 60.
SampleBrres blinking() {
  SampleBrres d = river();
  d.file.srt_files.clear();
  VisBone bank;
  bank.name = "bank", bank.visible = {0xFFC00000, 0x00FFFFFF};
  VisAnimation a;
  a.name = "blink", a.frame_count = 60;
  a.bones.push_back(std::move(bank));
  d.file.vis_files.push_back({std::move(a), {}});
  return d;
}

scene::Scene scene_of_sample(SampleBrres d, std::string* said = nullptr) {
  return scene_of_brres(read_brres(*save_new(placed(std::move(d)))), said);
}
/// The nodes with meshes that are visible at a frame of the first animation.
std::vector<std::string> names_shown(const scene::Scene& s, u32 frame) {
  std::vector<std::string> out;
  for (scene::Index i = 0; i < s.nodes.size(); ++i) {
    if (s.nodes[i].mesh == scene::k_none) continue;
    bool shown = s.nodes[i].visible;
    for (const scene::VisibilityChannel& c : s.animations.at(0).visibility_channels)
      if (c.node == i) shown = scene::value_at(c, frame / 60.0 + 1e-4, shown);
    if (shown) out.push_back(s.nodes[i].name);
  }
  return out;
}

// ---- patterns

TEST(BrresPatterns, ShowOneNodeForEachTexture) {
  const scene::Scene s = scene_of_sample(changing());
  ASSERT_THAT(s.animations, SizeIs(1));
  EXPECT_THAT(names_shown(s, 0), ElementsAre("water", "wheel"));
  EXPECT_THAT(names_shown(s, 9), ElementsAre("water", "wheel"));
  EXPECT_THAT(names_shown(s, 10), ElementsAre("wheel", "water as sign"));
  EXPECT_THAT(names_shown(s, 15), ElementsAre("water", "wheel"));
  EXPECT_FLOAT_EQ(s.animations[0].visibility_channels[0].times.back(), 20 / 60.0f);
  const auto node = std::ranges::find(s.nodes, "water as sign", &scene::Node::name);
  EXPECT_FALSE(node->visible);
  const scene::Material& other = s.materials[s.meshes[node->mesh].primitives[0].material];
  EXPECT_EQ(other.name, "water.sign");
  EXPECT_EQ(s.images[s.textures[other.texture].image].name, "sign");
}

TEST(BrresPatterns, ComeBackFromExports) {
  const scene::Scene before = scene_of_sample(changing());
  std::string said;
  const Brres f = build_brres(before, &said);
  EXPECT_THAT(said, testing::Not(HasSubstr("make-motion")));
  ASSERT_THAT(f.pat_files, SizeIs(1));
  EXPECT_THAT(f.vis_files, IsEmpty());
  EXPECT_THAT(f.models[0].shapes, SizeIs(2));
  const PatAnimation& a = *f.pat_files[0].animation;
  EXPECT_EQ(a.name, "flip");
  EXPECT_EQ(a.frame_count, 20);
  EXPECT_EQ(a.loop, 0u);
  EXPECT_EQ(a.materials.at(0).flags, 5u);
  EXPECT_THAT(a.materials[0].tracks[0].keys, ElementsAre(PatKey{0, 1, 0}, PatKey{10, 0, 0}, PatKey{15, 1, 0}));
  EXPECT_EQ(a.texture_names.at(0).name, "sign");
  const scene::Scene after = scene_of_brres(f);
  for (u32 i = 0; i <= 20; ++i) EXPECT_EQ(names_shown(after, i), names_shown(before, i)) << i;
}

TEST(BrresPatterns, ConstantTexturesComeBack) {
  SampleBrres d = changing();
  PatMaterial& water = d.file.pat_files[0].animation->materials[0];
  water.flags = 7;
  water.tracks[0] = {};
  const scene::Scene s = scene_of_sample(std::move(d));
  EXPECT_THAT(names_shown(s, 0), ElementsAre("wheel", "water as sign"));
  const Brres f = build_brres(s);
  EXPECT_EQ(f.pat_files.at(0).animation->materials.at(0).flags, 7u);
  EXPECT_EQ(f.pat_files[0].animation->frame_count, 20);
}

TEST(BrresPatterns, SkipTexturesThatAreMissing) {
  SampleBrres d = changing();
  PatAnimation& a = *d.file.pat_files[0].animation;
  a.texture_names[0].name = "nowhere";
  a.materials[0].tracks[0].keys.push_back({std::numeric_limits<f32>::quiet_NaN(), 0, 0});
  a.materials[0].tracks[0].keys.push_back({3, 900, 900});
  std::string said;
  EXPECT_THAT(scene_of_sample(std::move(d), &said).animations, IsEmpty());
  EXPECT_THAT(said, HasSubstr("the texture \"nowhere\" is not in this file"));
  EXPECT_THAT(said, HasSubstr("the animation \"flip\" is not shown: it changes no texture of the scene"));
}

// ---- visibility

TEST(BrresVisibility, ShowsAndHidesShapesOfBones) {
  const scene::Scene s = scene_of_sample(blinking());
  EXPECT_THAT(names_shown(s, 9), SizeIs(2));
  EXPECT_THAT(names_shown(s, 10), IsEmpty());
  EXPECT_THAT(names_shown(s, 39), IsEmpty());
  EXPECT_THAT(names_shown(s, 40), SizeIs(2));
}

TEST(BrresVisibility, ComesBackFromExports) {
  const scene::Scene before = scene_of_sample(blinking());
  std::string said;
  const Brres f = build_brres(before, &said);
  EXPECT_THAT(said, testing::Not(HasSubstr("make-motion")));
  ASSERT_THAT(f.vis_files, SizeIs(1));
  const VisBone& bank = f.vis_files[0].animation->bones.at(0);
  EXPECT_EQ(bank.name, "bank");
  EXPECT_THAT(bank.visible, ElementsAre(0xFFC00000u, 0x00FFFFF8u));
  const scene::Scene after = scene_of_brres(f);
  for (u32 i = 0; i <= 60; ++i) EXPECT_EQ(names_shown(after, i).size(), names_shown(before, i).size()) << i;
}

TEST(BrresVisibility, NodesThatAreShownBecomeBones) {
  scene::Scene s = scene_of_sample(river());
  s.animations.clear();
  const auto wheel = std::ranges::find(s.nodes, "wheel", &scene::Node::name);
  wheel->extras = {};
  wheel->visible = false;
  s.animations.push_back({.name = "appear"});
  s.animations[0].visibility_channels = {{scene::Index(wheel - s.nodes.begin()), {0, 0.5, 1}, {0, 1, 1}}};
  const Brres f = build_brres(s);
  ASSERT_THAT(f.vis_files, SizeIs(1));
  EXPECT_EQ(f.vis_files[0].animation->bones.at(0).name, "wheel");
  const auto bone = std::ranges::find(f.models[0].bones, "wheel", &Bone::name);
  ASSERT_NE(bone, f.models[0].bones.end());
  EXPECT_FALSE(bone->flags & Bone::k_visible);
  const scene::Scene after = scene_of_brres(f);
  EXPECT_THAT(names_shown(after, 29), ElementsAre("water"));
  EXPECT_THAT(names_shown(after, 30), SizeIs(2));
}

TEST(BrresVisibility, SaysIfShapesOfABoneDiffer) {
  scene::Scene s = scene_of_sample(blinking());
  s.animations[0].visibility_channels.resize(1);
  std::string said;
  build_brres(s, &said);
  EXPECT_THAT(said, HasSubstr("shapes of one bone are shown and hidden together: \"bank\""));
}

// ---- colours

TEST(BrresColors, ComeBackFromExports) {
  scene::Scene s = scene_of_sample(river());
  s.animations.clear();
  for (scene::Mesh& m : s.meshes)
    for (scene::Primitive& p : m.primitives) p.colors.clear();
  scene::MaterialChannel c{.material = 0, .times = {0, 0.25, 0.5}, .values = {}};
  for (const f32 x : {0.0f, 1.0f, 0.5f}) c.values.push_back({x, x / 2, 1, 1});
  s.animations.push_back({.name = "glow", .material_channels = {c}});
  std::string said;
  const Brres f = build_brres(s, &said);
  EXPECT_THAT(said, testing::Not(HasSubstr("make-motion")));
  ASSERT_THAT(f.clr_files, SizeIs(1));
  const ClrAnimation& a = *f.clr_files[0].animation;
  EXPECT_EQ(a.frame_count, 30);
  EXPECT_EQ(a.materials.at(0).flags, 1u);
  ASSERT_THAT(a.materials[0].tracks[0].colors, SizeIs(31));
  EXPECT_EQ(a.materials[0].tracks[0].colors[15], (ClrColor{255, 188, 255, 255}));
  const scene::Scene after = scene_of_brres(f);
  ASSERT_THAT(after.animations, SizeIs(1));
  const scene::MaterialChannel& again = after.animations[0].material_channels.at(0);
  for (u32 frame = 0; frame <= 30; ++frame)
    for (size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(scene::value_at(again, frame / 60.0, 1e-4)[i], scene::value_at(c, frame / 60.0, 1e-4)[i], 0.01);
}

TEST(BrresColors, OfVerticesAreNotAnimated) {
  scene::Scene s = scene_of_sample(river());
  s.animations.clear();
  s.animations.push_back(
      {.name = "glow", .material_channels = {{.material = 0, .times = {0}, .values = {{1, 0, 0, 1}}}}});
  std::string said;
  EXPECT_THAT(build_brres(s, &said).clr_files, IsEmpty());
  EXPECT_THAT(said, HasSubstr("materials whose vertices have colours are not converted: \"water\""));
}

TEST(BrresColors, OfRegistersAreShown) {
  SampleBrres d = river();
  d.file.srt_files.clear();
  // The stage multiplies the texture with the register C0, which is black at rest.
  for (Shader& x : d.file.models[0].shaders)
    for (size_t i = 0; i + 5 <= x.commands.size(); ++i)
      if (x.commands[i] == 0x61 && x.commands[i + 1] == 0xC0) x.commands[i + 4] = 0x2F;
  ClrMaterial water;
  water.name = "water", water.flags = 1u << 8;
  water.tracks[4].mask = {0, 0, 255, 255};
  water.tracks[4].colors = {{0, 0, 255, 255}, {255, 0, 255, 255}, {255, 128, 255, 255}};
  ClrAnimation a;
  a.name = "glow", a.frame_count = 2;
  a.materials.push_back(std::move(water));
  d.file.clr_files.push_back({std::move(a), {}});
  const scene::Scene s = scene_of_sample(std::move(d));
  ASSERT_THAT(s.animations, SizeIs(1));
  const scene::MaterialChannel& c = s.animations[0].material_channels.at(0);
  ASSERT_THAT(c.values, SizeIs(3));
  EXPECT_EQ(c.values[0], (scene::Vec4{0, 0, 0, 1}));
  EXPECT_EQ(c.values[1], (scene::Vec4{1, 0, 0, 1}));
  EXPECT_FLOAT_EQ(c.values[2][1], scene::srgb_to_linear(128 / 255.0f));
  EXPECT_EQ(c.values[2][2], 0);  // the mask keeps it
}

}  // namespace
}  // namespace dio::brres
