#include "scene/node_cloner.hpp"

#include <gtest/gtest.h>

#include "bridge/gltf/gltf.hpp"
#include "scene/scene_of_everything.hpp"

namespace {

using namespace dio;
using namespace dio::scene;

/// A pole with an animated flag skinned to it, next to an unrelated node.
Scene flagged() {
  Scene s;
  s.materials.resize(1);
  Primitive p{.material = 0, .positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  p.joints = {{0}, {1}, {1}};
  p.weights = {{1}, {1}, {1}};
  s.meshes = {{"cloth", {p}}};
  s.nodes.resize(5);
  s.nodes[0].name = "field";
  s.nodes[1] = {.name = "pole", .parent = 0, .translation = {1, 2, 3}, .extras = {}};
  s.nodes[2] = {.name = "stone", .parent = 0, .extras = {}};
  s.nodes[3] = {.name = "top", .parent = 1, .extras = {}};
  s.nodes[4] = {.name = "cloth", .parent = 3, .mesh = 0, .skin = 0, .extras = {}};
  s.skins = {
      {"cloth",
       {1, 3},
       {Mat4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, Mat4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}}};
  s.animations = {{"wind", {{.node = 3, .times = {0, 1}, .values = {{0, 0, 0, 0}, {1, 0, 0, 0}}}}},
                  {"roll", {{.node = 2, .times = {0}, .values = {{5, 0, 0, 0}}}}}};
  s.animations[0].visibility_channels = {{1, {0, 1}, {1, 0}}};
  return s;
}

TEST(NodeCloner, CopiesHaveTheirOwnNodesSkinsAndChannels) {
  Scene s = flagged();
  NodeCloner copies(s, 1);
  const Index one = copies.place(0), two = copies.place(2);
  EXPECT_EQ(one, 5u);
  EXPECT_EQ(two, 8u);
  ASSERT_EQ(s.nodes.size(), 11u);
  EXPECT_EQ(s.nodes[5].name, "pole");
  EXPECT_EQ(s.nodes[5].translation, (Vec3{1, 2, 3}));
  EXPECT_EQ(s.nodes[5].parent, 0u);
  EXPECT_EQ(s.nodes[6].parent, 5u);
  EXPECT_EQ(s.nodes[7].parent, 6u);
  EXPECT_EQ(s.nodes[8].parent, 2u);
  EXPECT_EQ(s.nodes[10].mesh, 0u) << "meshes are shared";
  EXPECT_EQ(s.meshes.size(), 1u);
  ASSERT_EQ(s.skins.size(), 3u);
  EXPECT_EQ(s.nodes[4].skin, 0u);
  EXPECT_EQ(s.nodes[7].skin, 1u);
  EXPECT_EQ(s.nodes[10].skin, 2u);
  EXPECT_EQ(s.skins[2].joints, (std::vector<Index>{8, 9}));
  ASSERT_EQ(s.animations[0].channels.size(), 3u);
  EXPECT_EQ(s.animations[0].channels[2].node, 9u);
  EXPECT_EQ(s.animations[0].channels[2].values, s.animations[0].channels[0].values);
  ASSERT_EQ(s.animations[0].visibility_channels.size(), 3u);
  EXPECT_EQ(s.animations[0].visibility_channels[1].node, 5u);
  EXPECT_EQ(s.animations[1].channels.size(), 1u) << "the stone is not part of it";
  EXPECT_TRUE(verify(s).empty()) << verify(s).front();
}

TEST(NodeCloner, DoesNotCopyEarlierCopies) {
  Scene s = flagged();
  NodeCloner copies(s, 1);
  (void)copies.place(1);  // on the original: a copy is not copied
  EXPECT_EQ(copies.place(0), 8u);
  EXPECT_EQ(s.nodes.size(), 11u);
  EXPECT_TRUE(verify(s).empty());
}

TEST(NodeCloner, CopiesShareLights) {
  Scene s = flagged();
  s.lights = {{"lantern"}};
  s.nodes[3].light = 0;
  (void)NodeCloner(s, 1).place(0);
  EXPECT_EQ(s.nodes[6].light, 0u);
  EXPECT_EQ(s.lights.size(), 1u);
  EXPECT_TRUE(verify(s).empty());
}

TEST(NodeCloner, KeepsJointsOutsideTheCopy) {
  Scene s = flagged();
  s.skins[0].joints = {0, 3};
  (void)NodeCloner(s, 1).place(0);
  EXPECT_EQ(s.skins[1].joints, (std::vector<Index>{0, 6}));
}

TEST(NodeCloner, CopyOfACompleteSceneIsValid) {
  Scene s = SceneOfEverything::make();
  NodeCloner copies(s, 0);
  const size_t nodes = s.nodes.size();
  for (int i = 0; i < 3; ++i) (void)copies.place(k_none);
  EXPECT_EQ(s.nodes.size(), 4 * nodes);
  EXPECT_TRUE(verify(s).empty()) << verify(s).front();
  EXPECT_TRUE(gltf::write_glb(s).has_value());
}

}  // namespace
