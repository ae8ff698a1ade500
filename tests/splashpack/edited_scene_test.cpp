// edited_scene_test.cpp: edited scenes applied to packs: what moves takes its boxes along, and all else stays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "formats/contract/format.hpp"
#include "formats/registry.hpp"
#include "formats/splashpack/parts.hpp"
#include "operations/apply_scene.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"
#include "scene/math.hpp"

namespace dio::splashpack {
namespace {

using scene::Index;

const Format& pack_format() { return *find_format("splashpack"); }

struct Edited {
  Pack before, after;
  ApplySceneResult result;
};

class EditedPack : public testing::Test {
 protected:
  void SetUp() override { load("scene_v20"); }
  void load(std::string_view sample) {
    for (const Sample& s : samples_of(pack_format()))
      if (s.name.starts_with(sample)) file_ = s.bytes, name_ = s.name;
    scene_ = to_scene(*open(file_, name_, &pack_format()), {})->scene;
  }
  scene::Node& node(std::string_view path) {
    return *std::ranges::find_if(scene_.nodes,
                                 [&](const scene::Node& n) { return path_from_extras(n.extras) == path; });
  }
  Pack read(const Bytes& bytes) const { return value_of<Pack>(*open(bytes, name_, &pack_format())->document); }
  Edited apply(bool drops_extras = false) {
    if (drops_extras)
      for (scene::Node& n : scene_.nodes) n.extras = {};
    auto back = gltf::read(*gltf::write_glb(scene_));
    auto file = open(file_, name_, &pack_format());
    auto result = apply_scene(*file, std::move(back->document));
    EXPECT_TRUE(result) << format_one_line(result.error());
    if (!result) return {};
    return {read(file_), read(result->bytes), std::move(*result)};
  }

  Bytes file_;
  std::string name_;
  scene::Scene scene_;
};

TEST_F(EditedPack, UneditedScenesKeepTheFile) {
  for (const bool drops_extras : {false, true}) {
    const Edited e = apply(drops_extras);
    EXPECT_EQ(e.result.bytes, file_);
    EXPECT_EQ(e.result.lost, 0u);
  }
}

TEST_F(EditedPack, MovedObjectsTakeTheirBoxesAlong) {
  size_t solid = read(file_).colliders.at(0).object;
  node("objects[" + std::to_string(solid) + "]").translation[1] += 50;  // up: half of a pack unit
  const Edited e = apply();
  const Object &was = e.before.objects[solid], &is = e.after.objects[solid];
  EXPECT_EQ(is.position.y.raw, was.position.y.raw - 2048);
  EXPECT_EQ(is.position.x, was.position.x);
  EXPECT_EQ(is.box.min.y.raw, was.box.min.y.raw - 2048);
  EXPECT_EQ(e.after.colliders[0].box.min.y.raw, e.before.colliders[0].box.min.y.raw - 2048);
  EXPECT_EQ(is.triangles, was.triangles);
  EXPECT_LE(e.after.bvh_nodes.at(0).box.min.y.raw, is.box.min.y.raw);
  EXPECT_EQ(e.result.lost, 0u);
}

TEST_F(EditedPack, CollidersMoveOnceWithTheirObjects) {
  const size_t solid = read(file_).colliders.at(0).object;
  node("objects[" + std::to_string(solid) + "]").translation[0] += 50;
  node("colliders[0]").translation[0] += 50;
  const Edited e = apply();
  EXPECT_EQ(e.after.colliders[0].box.min.x.raw, e.before.colliders[0].box.min.x.raw + 2048);
  EXPECT_EQ(e.result.lost, 0u);
}

TEST_F(EditedPack, TurnedObjectsGetAnotherMatrix) {
  scene::Node& n = node("objects[0]");
  n.rotation = scene::multiply(scene::from_axis_degrees(scene::k_axis_y, 90), n.rotation);
  const Edited e = apply();
  EXPECT_NE(e.after.objects[0].rotation, e.before.objects[0].rotation);
  EXPECT_EQ(e.after.objects[0].triangles, e.before.objects[0].triangles);
  EXPECT_EQ(e.result.lost, 0u);
}

TEST_F(EditedPack, TriggersMoveAndKeepTheirSize) {
  load("scene_v21");
  node("triggers[0]").translation[0] += 100;
  const Edited e = apply();
  EXPECT_EQ(e.after.triggers[0].box.min.x.raw, e.before.triggers[0].box.min.x.raw + 4096);
  EXPECT_EQ(e.after.triggers[0].box.max.x.raw, e.before.triggers[0].box.max.x.raw + 4096);
  EXPECT_EQ(e.after.objects.size(), e.before.objects.size());
  EXPECT_EQ(e.result.lost, 0u);
}

TEST_F(EditedPack, AScaledTriggerIsNamed) {
  load("scene_v21");
  node("triggers[0]").scale = {2, 2, 2}, node("triggers[0]").visible = true;
  const Edited e = apply();
  EXPECT_EQ(e.result.bytes, file_);
  EXPECT_EQ(e.result.lost, 1u);
  EXPECT_THAT(format_one_line(e.result.notes.at(0)), testing::HasSubstr("trigger_0"));
}

TEST_F(EditedPack, HiddenTriggersMove) {
  load("scene_v21");
  node("triggers[0]").translation[0] += 37;  // no whole number of pack units
  const Edited e = apply();
  EXPECT_NE(e.after.triggers[0].box, e.before.triggers[0].box);
  EXPECT_EQ(e.result.lost, 0u);
}

TEST_F(EditedPack, FacesStayInTheirObject) {
  const size_t solid = read(file_).colliders.at(0).object;
  scene::Node& n = node("objects[" + std::to_string(solid) + "]");
  const Index foreign = scene_.meshes[node("objects[0]").mesh].primitives[0].material;
  ASSERT_NE(solid, 0u);
  ASSERT_NE(scene_.meshes[n.mesh].primitives[0].material, foreign);
  scene_.meshes[n.mesh].primitives[0].material = foreign;
  const Edited e = apply();
  EXPECT_EQ(e.after.objects[0].triangles, e.before.objects[0].triangles);
  EXPECT_GT(e.result.lost, 0u);
}

TEST_F(EditedPack, MovedRootsAreNamed) {
  scene::Scene moved = scene_;
  scene::Node root;
  root.name = "root", root.translation = {5, 0, 0};
  moved.nodes.insert(moved.nodes.begin(), root);
  for (size_t i = 1; i < moved.nodes.size(); ++i)
    moved.nodes[i].parent = moved.nodes[i].parent == scene::k_none ? 0 : moved.nodes[i].parent + 1;
  for (scene::Skin& s : moved.skins)
    for (Index& joint : s.joints) ++joint;
  moved.animations.clear();
  scene_ = std::move(moved);
  const Edited e = apply();
  EXPECT_GT(e.result.lost, 0u);
}

TEST_F(EditedPack, RemovedTrianglesLeaveTheBvh) {
  scene::Node& n = node("objects[0]");
  scene::Primitive& p = scene_.meshes[n.mesh].primitives[0];
  for (auto* list : {&p.positions, &p.normals}) list->resize(list->size() - 3);
  p.uvs.resize(p.uvs.empty() ? 0 : p.uvs.size() - 3), p.colors.resize(p.colors.size() - 3);
  p.sources.resize(p.sources.size() - 3);
  const Edited e = apply();
  EXPECT_EQ(e.after.objects[0].triangles.size() + 1, e.before.objects[0].triangles.size());
  EXPECT_EQ(e.after.bvh_refs.size() + 1, e.before.bvh_refs.size());
  for (const TriangleRef& r : e.after.bvh_refs) EXPECT_LT(r.triangle, e.after.objects[r.object].triangles.size());
  EXPECT_EQ(e.result.deleted, 1u);
}

}  // namespace
}  // namespace dio::splashpack
