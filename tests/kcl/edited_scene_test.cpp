// edited_scene_test.cpp: flags and triangles of collision files, edited in a scene and applied to the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "formats/contract/format.hpp"
#include "formats/kcl/geometry.hpp"
#include "operations/apply_scene.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio::test {
namespace {

using scene::Scene;

struct Box {
  Bytes file;
  Scene scene;
  Box() {
    for (const Sample& s : samples_of(*find_format("kcl")))
      if (s.name == "box.kcl") file = s.bytes;
    auto opened = open(file, "box.kcl");
    auto staged = to_scene(*opened);
    auto read = gltf::read(*gltf::write_glb(staged->scene));
    scene = std::move(read->document);
  }
  scene::Node& node(std::string_view name) { return *std::ranges::find(scene.nodes, name, &scene::Node::name); }
  scene::Material& material(std::string_view name) {
    return *std::ranges::find(scene.materials, name, &scene::Material::name);
  }
  Result<ApplySceneResult> apply() const {
    auto opened = open(file, "box.kcl");
    auto read = gltf::read(*gltf::write_glb(scene));
    return apply_scene(*opened, std::move(read->document));
  }
};
constexpr const char *k_road = "road: normal _F0000", *k_rock = "wall: rock _F002C";

std::vector<u16> flags_in(const Bytes& file) {
  const auto kcl = load<kcl::Kcl>(ByteView(file));
  std::vector<u16> out;
  if (!kcl) return out;
  for (const kcl::Prism& p : kcl->document.value().prisms) out.push_back(kcl::flags_of(p, true));
  return out;
}
/// The box, with other flags for both prisms of its road.
void expect_road_has(const Result<ApplySceneResult>& result, const Bytes& before, u16 flags) {
  ASSERT_TRUE(result) << format_one_line(result.error());
  EXPECT_EQ(result->lost, 0u) << result->what;
  EXPECT_EQ(result->what, "2 triangles changed, 8 unchanged");
  std::vector<u16> expected = flags_in(before);
  ASSERT_EQ(expected.size(), 10u);
  expected[0] = expected[1] = flags;
  EXPECT_EQ(flags_in(result->bytes), expected);
  EXPECT_EQ(result->bytes.size(), before.size());
}

TEST(KclEditedScene, TakesFlagsFromExtrasAndNames) {
  struct Case {
    const char* name;
    std::function<void(Box&)> edit;
    u16 flags;
  };
  const Case cases[] = {
      {"flags of the node", [](Box& b) { *b.node(k_road).extras.find("flags") = "0x0004"; }, 4},
      {"flags of the node as a number", [](Box& b) { *b.node(k_road).extras.find("flags") = 4; }, 4},
      {"type of the node", [](Box& b) { *b.node(k_road).extras.find("type") = "wall"; }, 12},
      {"a new flag of the node", [](Box& b) { b.node(k_road).extras.add("trickable", true); }, 0x2000},
      {"flags of the material", [](Box& b) { *b.material(k_road).extras.find("flags") = "0x0004"; }, 4},
      {"name of the node", [](Box& b) { b.node(k_road).name = "wall"; }, 12},
      {"name of another node", [](Box& b) { b.node(k_road).name = "wall: rock _F002C.001"; }, 0x2C},
      {"name of the material", [](Box& b) { b.material(k_road).name = "wall: rock"; }, 0x2C},
      {"another material",
       [](Box& b) {
         scene::Mesh& mesh = b.scene.meshes[b.node(k_road).mesh];
         mesh.primitives[0].material = scene::Index(&b.material(k_rock) - b.scene.materials.data());
       },
       0x2C},
  };
  for (const Case& c : cases)
    for (const bool has_sources : {true, false}) {
      SCOPED_TRACE(c.name);
      Box box;
      c.edit(box);
      if (!has_sources)
        for (scene::Mesh& mesh : box.scene.meshes)
          for (scene::Primitive& p : mesh.primitives) p.sources.clear();
      expect_road_has(box.apply(), box.file, c.flags);
    }
}

TEST(KclEditedScene, NamesFlagsThatItCannotRead) {
  const std::function<void(Box&)> edits[] = {
      [](Box& b) { *b.node(k_road).extras.find("flags") = "many"; },
      [](Box& b) { *b.node(k_road).extras.find("variant") = "no variant"; },
      [](Box& b) { *b.material(k_road).extras.find("type") = "no type"; },
      [](Box& b) { b.material(k_road) = {.name = "Material"}; },
  };
  for (const auto& edit : edits) {
    Box box;
    edit(box);
    const auto result = box.apply();
    ASSERT_TRUE(result) << format_one_line(result.error());
    EXPECT_EQ(result->lost, 1u) << result->what;
    EXPECT_EQ(result->bytes, box.file);
    ASSERT_FALSE(result->notes.empty());
  }
}

TEST(KclEditedScene, TakesOtherTrianglesBesideOneWithoutArea) {
  Box box;
  scene::Primitive& road = box.scene.meshes[box.node(k_road).mesh].primitives[0];
  for (size_t k = 1; k < 3; ++k) road.positions[k] = road.positions[0];
  for (scene::Vec3& at : box.scene.meshes[box.node(k_rock).mesh].primitives[0].positions) at[1] += 100;
  const auto result = box.apply();
  ASSERT_TRUE(result) << format_one_line(result.error());
  EXPECT_EQ(result->lost, 1u);
  EXPECT_EQ(result->what, "2 triangles changed, 8 unchanged");
  const auto before = load<kcl::Kcl>(ByteView(box.file)), after = load<kcl::Kcl>(ByteView(result->bytes));
  ASSERT_TRUE(before && after);
  ASSERT_EQ(after->document.value().prisms.size(), before->document.value().prisms.size());
  for (u32 i = 0; i < before->document.value().prisms.size(); ++i) {
    const auto was = kcl::compute_prism_triangle(before->document.value(), before->document.value().prisms[i]);
    const auto now = kcl::compute_prism_triangle(after->document.value(), after->document.value().prisms[i]);
    ASSERT_TRUE(was && now);
    const f64 raised = i == 4 || i == 5 ? 100 : 0;  // the rock
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR((*now)[k][1], (*was)[k][1] + raised, 0.1) << i;
  }
}

}  // namespace
}  // namespace dio::test
