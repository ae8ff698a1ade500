#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include "bridge/gltf/container.hpp"
#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "bridge/gltf_comparison.hpp"
#include "bridge/jpeg/jpeg.hpp"
#include "bridge/png/png.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/game.hpp"
#include "formats/contract/scenes.hpp"
#include "operations/apply_scene.hpp"
#include "operations/archive_tree.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"
#include "scene/math.hpp"
#include "scene/scene_of_everything.hpp"
#include "scene/units.hpp"

namespace {

using namespace dio;
using namespace dio::scene;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Bytes glb_of(const Scene& scene, const gltf::Options& options = {}) {
  auto glb = gltf::write_glb(scene, options);
  EXPECT_TRUE(glb.has_value()) << (glb ? "" : glb.error().found);
  return glb ? *std::move(glb) : Bytes();
}

LoadResult<Scene> read_back(ByteView file) {
  auto out = gltf::read(file);
  EXPECT_TRUE(out.has_value()) << (out ? "" : format_one_line(out.error()));
  if (!out) return {};
  EXPECT_THAT(verify(out->document), IsEmpty());
  return *std::move(out);
}

std::string join(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

/// Writing a scene that was read reproduces the file, once the nodes are in the writer's order.
void expect_fixed_point(const Bytes& glb) {
  const Bytes once = glb_of(read_back(glb).document), twice = glb_of(read_back(once).document);
  EXPECT_EQ(once, twice);
}

// ---- round trips ----

TEST(GltfReader, ReadsBackACompleteScene) {
  const Scene scene = SceneOfEverything::make();
  const Bytes glb = glb_of(scene);
  const auto read = read_back(glb);
  EXPECT_EQ(join(GltfComparison::differences(scene, read.document)), "");
  EXPECT_THAT(read.notes, IsEmpty()) << format_one_line(read.notes[0]);
  expect_fixed_point(glb);
}

TEST(GltfReader, TextAndBinaryFilesGiveEqualScenes) {
  const Scene scene = SceneOfEverything::make();
  const auto text = gltf::write_gltf(scene);
  ASSERT_TRUE(text);
  const auto read = read_back({reinterpret_cast<const u8*>(text->data()), text->size()});
  EXPECT_EQ(glb_of(read.document), glb_of(read_back(glb_of(scene)).document));
}

TEST(GltfReader, ComparisonDetectsEveryChange) {
  const Scene scene = SceneOfEverything::make(), read = read_back(glb_of(scene)).document;
  const std::vector<void (*)(Scene&)> changes{
      [](Scene& s) { s.metres_per_unit = 2; },
      [](Scene& s) { s.nodes[0].translation[0] += 1; },
      [](Scene& s) {
        for (Node& n : s.nodes) n.light = k_none;
      },
      [](Scene& s) { s.lights[0].intensity = 3; },
      [](Scene& s) { s.materials[0].color[1] = 0.5f; },
      [](Scene& s) { s.images[0].pixels[0] ^= 1; },
      [](Scene& s) { s.meshes[0].primitives[0].positions[0][0] += 1; },
      [](Scene& s) { s.meshes[0].primitives[0].uvs[0][0] += 1; },
      [](Scene& s) { s.meshes[0].primitives[0].colors[0][0] = 0.5f; },
      [](Scene& s) { std::swap(s.meshes[0].primitives[0].indices[0], s.meshes[0].primitives[0].indices[1]); },
      [](Scene& s) { s.animations[0].channels[0].times[1] += 0.25f; },
      [](Scene& s) { s.animations[0].material_channels[0].values[1][0] += 1; },
      [](Scene& s) { s.animations[0].visibility_channels[0].times[0] += 0.25f; },
      [](Scene& s) {
        for (auto& m : s.meshes)
          for (auto& p : m.primitives)
            if (!p.sources.empty()) p.sources[0] = 5;
      },
      [](Scene& s) {
        for (auto& m : s.meshes)
          for (auto& p : m.primitives)
            if (!p.in_variants.empty()) p.in_variants.pop_back();
      }};
  for (size_t i = 0; i < changes.size(); ++i) {
    Scene other = read;
    changes[i](other);
    EXPECT_THAT(GltfComparison::differences(scene, other), testing::Not(IsEmpty())) << "change " << i;
  }
}

TEST(GltfReader, ReadsBackEverySampleScene) {
  size_t scenes = 0;
  for (const Format* format : formats()) {
    if (!format->scenes) continue;
    for (const Sample& sample : samples_of(*format)) {
      auto opened = open(sample.bytes, sample.name, format);
      ASSERT_TRUE(opened);
      for (const SceneOptions& options : {SceneOptions{}, SceneOptions{.lit = true}, SceneOptions{.lamps = true}}) {
        const auto staged = to_scene(*opened, options);
        if (!staged) continue;
        ++scenes;
        const Bytes glb = glb_of(staged->scene);
        const auto read = read_back(glb);
        EXPECT_EQ(join(GltfComparison::differences(staged->scene, read.document)), "")
            << format->id << " " << sample.name;
        EXPECT_THAT(read.notes, IsEmpty()) << format_one_line(read.notes[0]) << sample.name;
        if (staged->scene.skins.empty()) {
          EXPECT_EQ(glb_of(read.document), glb) << format->id << " " << sample.name;
        }
        expect_fixed_point(glb);
      }
    }
  }
  EXPECT_GT(scenes, 20u);
}

TEST(GltfReader, ReadsBackEveryGameWorld) {
  size_t worlds = 0, with_lights = 0;
  for (const GameKind* kind : game_kinds())
    for (const Sample& sample : samples_of(*kind)) {
      auto archive = Archive::open(sample.bytes, sample.name);
      ASSERT_TRUE(archive) << format_one_line(archive.error());
      const ArchiveTree files(*std::move(archive), sample.name);
      const auto game = open_game(files);
      ASSERT_TRUE(game) << format_one_line(game.error());
      std::vector<std::string> parts{""};
      for (const GamePart& part : game->game->graph().parts)
        if (part.kind == "map" || part.kind == "land") parts.push_back(part.id());
      for (const std::string& part : parts)
        for (const WorldOptions& options : {WorldOptions{}, WorldOptions{.every_state = true, .lamps = true}}) {
          const auto staged = game->game->world(part, options);
          if (!staged) continue;
          ++worlds;
          with_lights += !staged->scene.lights.empty();
          const Bytes glb = glb_of(staged->scene);
          const auto read = read_back(glb);
          EXPECT_EQ(join(GltfComparison::differences(staged->scene, read.document)), "") << kind->id << " " << part;
          EXPECT_THAT(read.notes, IsEmpty()) << format_one_line(read.notes[0]);
          expect_fixed_point(glb);
        }
    }
  EXPECT_GT(worlds, 5u);
  EXPECT_GT(with_lights, 0u);
}

/// Edits the scene of every sample that supports scene edits, passes it through a file and applies it to the sample.
void apply_scene(void (*edit)(Scene&), auto judge) {
  size_t files = 0;
  for (const Format* format : formats()) {
    if (!format->scenes || !format->scenes->prepare_comparison) continue;
    for (const Sample& sample : samples_of(*format)) {
      auto opened = open(sample.bytes, sample.name, format);
      ASSERT_TRUE(opened);
      const auto staged = to_scene(*opened, {});
      const auto has_sources = [](const Mesh& m) {
        return std::ranges::any_of(m.primitives, [](const Primitive& p) { return !p.sources.empty(); });
      };
      if (!staged || std::ranges::none_of(staged->scene.meshes, has_sources)) continue;  // only terrain
      Scene scene = read_back(glb_of(staged->scene)).document;
      edit(scene);
      ++files;
      judge(sample, dio::apply_scene(*opened, read_back(glb_of(scene)).document));
    }
  }
  EXPECT_GT(files, 0u);
}

TEST(GltfReader, ApplyingAnUneditedSceneChangesNothing) {
  apply_scene([](Scene&) {},
              [](const Sample& sample, const Result<ApplySceneResult>& taken) {
                ASSERT_TRUE(taken) << sample.name << format_one_line(taken.error());
                EXPECT_THAT(taken->what, StartsWith("0 polygons changed")) << sample.name;
                EXPECT_EQ(taken->bytes, sample.bytes) << sample.name;
              });
}

/// A program that drops extras also drops the unit; every node then has one more parent.
TEST(GltfReader, ApplyingASceneWithoutExportedElementsChangesNothing) {
  const auto lose = [](Scene& scene) {
    for (Node& node : scene.nodes) {
      node.parent = node.parent == k_none ? 0 : node.parent + 1;
      node.extras = {};
    }
    for (Animation& a : scene.animations) {
      for (Channel& c : a.channels) ++c.node;
      for (VisibilityChannel& c : a.visibility_channels) ++c.node;
    }
    const f32 metres = std::exchange(scene.metres_per_unit, 1.0f);
    scene.nodes.insert(scene.nodes.begin(), {.name = "top", .scale = {metres, metres, metres}, .extras = {}});
    for (Camera& c : scene.cameras) {
      c.near *= metres;
      c.far *= metres;
    }
  };
  apply_scene(lose, [](const Sample& sample, const Result<ApplySceneResult>& taken) {
    ASSERT_TRUE(taken) << sample.name << format_one_line(taken.error());
    EXPECT_EQ(taken->bytes, sample.bytes) << sample.name;
  });
}

TEST(GltfReader, AppliesMovedVerticesToTheFile) {
  const auto raise = [](Scene& scene) {
    for (Mesh& mesh : scene.meshes)
      for (Primitive& p : mesh.primitives)
        if (!p.sources.empty())
          for (Vec3& at : p.positions) at[1] += 3;
  };
  apply_scene(raise, [](const Sample& sample, const Result<ApplySceneResult>& taken) {
    if (!taken) return;  // out of the file's range
    EXPECT_NE(taken->bytes, sample.bytes) << sample.name;
  });
}

TEST(GltfReader, InstancesBecomeNodes) {
  Scene scene;
  scene.metres_per_unit = 0.5f;
  scene.meshes = {{"tree", {{.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}}}};
  for (f32 x : {1.0f, 2.0f, 3.0f})
    scene.nodes.push_back({.name = "n", .translation = {x, 0, 0}, .mesh = 0, .extras = {}});
  scene.nodes[1].scale = {2, 3, 4};
  const auto read = read_back(glb_of(scene, {.instances = true}));
  ASSERT_EQ(read.document.nodes.size(), 7u);  // three without a mesh, one for the group, three in it
  EXPECT_EQ(read.document.nodes[3].mesh, k_none);
  for (size_t i = 4; i < 7; ++i) {
    EXPECT_EQ(read.document.nodes[i].mesh, 0u);
    EXPECT_EQ(read.document.nodes[i].parent, 3u);
    EXPECT_EQ(read.document.nodes[i].translation, scene.nodes[i - 4].translation);
    EXPECT_EQ(read.document.nodes[i].scale, scene.nodes[i - 4].scale);
  }
}

// ---- files from other programs ----

/// A hand-made .gltf file: one buffer of numbers and the JSON around it.
class Foreign {
 public:
  /// Returns the index of the new accessor.
  template <class T>
  size_t add(int component, const char* type, const std::vector<T>& numbers, const std::string& more = "",
             size_t stride = 0, size_t padding = 0) {
    static const std::map<std::string, size_t> k_sizes{
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    const size_t n = k_sizes.at(type), start = buffer.size();
    buffer.resize(start + padding);
    for (size_t i = 0; i < numbers.size(); ++i) {
      const u8* bytes = reinterpret_cast<const u8*>(&numbers[i]);
      buffer.insert(buffer.end(), bytes, bytes + sizeof(T));
      if (stride && i % n == n - 1 && i + 1 < numbers.size()) buffer.resize(buffer.size() + stride - n * sizeof(T));
    }
    views += (views.empty() ? "" : ",") + ("{\"buffer\":0,\"byteOffset\":" + std::to_string(start)) +
             ",\"byteLength\":" + std::to_string(buffer.size() - start) +
             (stride ? ",\"byteStride\":" + std::to_string(stride) : "") + "}";
    accessors += (accessors.empty() ? "" : ",") + ("{\"bufferView\":" + std::to_string(count)) +
                 (padding ? ",\"byteOffset\":" + std::to_string(padding) : "") +
                 ",\"componentType\":" + std::to_string(component) + ",\"type\":\"" + type +
                 "\",\"count\":" + std::to_string(numbers.size() / n) + more + "}";
    return count++;
  }
  size_t floats(const char* type, const std::vector<f32>& numbers) { return add(5126, type, numbers); }

  std::string text(const std::string& members) const {
    std::string out = "{\"asset\":{\"version\":\"2.0\"}," + members;
    if (count) {
      out += ",\"accessors\":[" + accessors + "],\"bufferViews\":[" + views + "]";
      out += ",\"buffers\":[{\"byteLength\":" + std::to_string(buffer.size()) + ",\"uri\":\"" + gltf::data_uri(buffer) +
             "\"}]";
    }
    return out + "}";
  }
  Result<LoadResult<Scene>> read(const std::string& members, const gltf::Resolve& resolve = {}) const {
    const std::string all = text(members);
    auto out = gltf::read({reinterpret_cast<const u8*>(all.data()), all.size()}, resolve);
    if (out) {
      EXPECT_THAT(verify(out->document), IsEmpty());
      expect_fixed_point(glb_of(out->document));
    }
    return out;
  }
  Scene good(const std::string& members) const {
    auto out = read(members);
    EXPECT_TRUE(out.has_value()) << (out ? "" : format_one_line(out.error()));
    return out ? std::move(out->document) : Scene();
  }
  /// The rule id and the message.
  std::string refusal(const std::string& members, const gltf::Resolve& resolve = {}) const {
    const auto out = read(members, resolve);
    if (out) return "read";
    EXPECT_NE(format_one_line(out.error()), "");
    return out.error().id + ": " + format_one_line(out.error());
  }

  Bytes buffer;
  std::string views, accessors;
  size_t count = 0;
};

std::string mesh_of(const std::string& primitive, const std::string& more = "") {
  return "\"meshes\":[{\"primitives\":[" + primitive + "]}],\"nodes\":[{\"mesh\":0}]" + more;
}

const std::vector<f32> k_five{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 5, 5, 5};

TEST(GltfReader, ConvertsStripsFansAndLoops) {
  Foreign f;
  f.floats("VEC3", k_five);
  f.add<u8>(5121, "SCALAR", {4, 3, 2, 2, 1});
  const auto corners = [&](const std::string& mode, bool indices) {
    const Scene s =
        f.good(mesh_of("{\"attributes\":{\"POSITION\":0},\"mode\":" + mode + (indices ? ",\"indices\":1}" : "}")));
    return s.meshes[0].primitives.empty() ? std::vector<u32>() : s.meshes[0].primitives[0].indices;
  };
  EXPECT_THAT(corners("0", false), IsEmpty());
  EXPECT_THAT(corners("1", false), ElementsAre(0, 1, 2, 3)) << "the last is alone";
  EXPECT_THAT(corners("2", false), ElementsAre(0, 1, 1, 2, 2, 3, 3, 4, 4, 0));
  EXPECT_THAT(corners("3", false), ElementsAre(0, 1, 1, 2, 2, 3, 3, 4));
  EXPECT_THAT(corners("4", false), ElementsAre(0, 1, 2));
  EXPECT_THAT(corners("5", false), ElementsAre(0, 1, 2, 1, 3, 2, 2, 3, 4));
  EXPECT_THAT(corners("6", false), ElementsAre(1, 2, 0, 2, 3, 0, 3, 4, 0));
  EXPECT_THAT(corners("5", true), ElementsAre(4, 3, 2)) << "those with two corners in one are left out";
  EXPECT_THAT(corners("3", true), ElementsAre(4, 3, 3, 2, 2, 1));
  EXPECT_THAT(f.refusal(mesh_of(R"({"attributes":{"POSITION":0},"mode":7})")), HasSubstr("mode 7 is out of range"));
}

TEST(GltfReader, ReadsEveryComponentType) {
  Foreign f;
  f.add<i16>(5122, "VEC3", {-32768, 0, 32767, 16384, 1, 2, 3, 4, 5}, ",\"normalized\":true", 8, 4);
  f.add<i8>(5120, "VEC3", {127, 0, 0, 0, -128, 0, 0, 0, 0}, ",\"normalized\":true", 4);
  f.add<u8>(5121, "VEC3", {255, 0, 51, 0, 0, 0, 1, 2, 3}, ",\"normalized\":true", 4);
  f.add<u16>(5123, "VEC2", {0, 65535, 1, 2, 3, 4}, ",\"normalized\":true");
  f.add<u32>(5125, "SCALAR", {2, 1, 0});
  f.add<u16>(5123, "SCALAR", {7, 0, 300});
  const Scene s =
      f.good(mesh_of(R"({"attributes":{"POSITION":0,"NORMAL":1,"COLOR_0":2,"TEXCOORD_0":3,"_SOURCE":5},"indices":4})"));
  const Primitive& p = s.meshes[0].primitives[0];
  EXPECT_THAT(p.positions, ElementsAre(Vec3{-1, 0, 1}, Vec3{f32(16384 / 32767.0), f32(1 / 32767.0), f32(2 / 32767.0)},
                                       Vec3{f32(3 / 32767.0), f32(4 / 32767.0), f32(5 / 32767.0)}));
  EXPECT_THAT(p.normals, ElementsAre(Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 1, 0})) << "one has no direction";
  EXPECT_EQ(p.colors[0], (Vec4{1, 0, 0.2f, 1}));
  EXPECT_EQ(p.uvs[0], (Vec2{0, 1}));
  EXPECT_THAT(p.indices, ElementsAre(2, 1, 0));
  EXPECT_THAT(p.sources, ElementsAre(7, 0, 300));
}

TEST(GltfReader, ReadsUnnormalizedIntegers) {
  Foreign f;
  f.add<i16>(5122, "VEC3", {-3, 0, 7, 1, 2, 3, 4, 5, 6});
  const Scene s =
      f.good("\"extensionsRequired\":[\"KHR_mesh_quantization\"]," + mesh_of(R"({"attributes":{"POSITION":0}})"));
  EXPECT_EQ(s.meshes[0].primitives[0].positions[0], (Vec3{-3, 0, 7}));
}

TEST(GltfReader, ReadsSparseAccessors) {
  Foreign f;
  f.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  f.add<u8>(5121, "SCALAR", {2});
  f.floats("VEC3", {7, 8, 9});
  const std::string sparse =
      R"(,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":2}}})";
  const auto with = [&](const std::string& accessor) {
    Foreign g = f;
    g.accessors += "," + accessor;
    return g;
  };
  const std::string mesh = mesh_of(R"({"attributes":{"POSITION":3}})");
  EXPECT_THAT(with(R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":3)" + sparse)
                  .good(mesh)
                  .meshes[0]
                  .primitives[0]
                  .positions,
              ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{7, 8, 9}));
  EXPECT_THAT(
      with(R"({"componentType":5126,"type":"VEC3","count":3)" + sparse).good(mesh).meshes[0].primitives[0].positions,
      ElementsAre(Vec3{0, 0, 0}, Vec3{0, 0, 0}, Vec3{7, 8, 9}));
  EXPECT_THAT(with(R"({"componentType":5126,"type":"VEC3","count":2)" + sparse).refusal(mesh),
              HasSubstr("is out of order, or out of range (0 to 1)"));
  EXPECT_THAT(with(R"({"componentType":5126,"type":"VEC3","count":4000000000})").refusal(mesh),
              HasSubstr("gltf.budget"));
}

TEST(GltfReader, SplitsMatricesIntoTranslationRotationAndScale) {
  Foreign f;
  const auto node = [&](const std::string& matrix) { return f.read("\"nodes\":[{\"matrix\":[" + matrix + "]}]"); };
  auto r = node("0,2,0,0, -3,0,0,0, 0,0,4,0, 5,6,7,1");
  ASSERT_TRUE(r);
  EXPECT_THAT(r->notes, IsEmpty());
  const Node& n = r->document.nodes[0];
  EXPECT_EQ(n.translation, (Vec3{5, 6, 7}));
  EXPECT_EQ(n.scale, (Vec3{2, 3, 4}));
  const Vec3 x = rotate(n.rotation, {1, 0, 0});
  EXPECT_NEAR(x[1], 1, 1e-6);
  r = node("-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1");  // mirrored
  ASSERT_TRUE(r);
  const Vec3 mirrored = rotate(r->document.nodes[0].rotation, mul({1, 0, 0}, r->document.nodes[0].scale));
  EXPECT_NEAR(mirrored[0], -1, 1e-6);
  r = node("1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1");
  ASSERT_TRUE(r);
  ASSERT_EQ(r->notes.size(), 1u);
  EXPECT_EQ(r->notes[0].id, "gltf.partly");
  EXPECT_THAT(r->notes[0].message, HasSubstr("contains shear"));
  r = node("1,0,0,0, 0,0,0,0, 0,0,1,0, 0,0,0,1");  // flat
  ASSERT_TRUE(r);
  EXPECT_EQ(r->document.nodes[0].scale, (Vec3{1, 0, 1}));
  EXPECT_FALSE(node("1,0,0,0.5, 0,1,0,0, 0,0,1,0, 0,0,0,1"));
}

TEST(GltfReader, PutsParentsBeforeTheirChildren) {
  const Scene s = Foreign().good(
      R"("scene":1,"scenes":[{"nodes":[1]},{"name":"s","nodes":[3],"extras":{"a":1}}],
         "nodes":[{"name":"c"},{"name":"other"},{"name":"b","children":[0]},{"name":"a","children":[2]}])");
  EXPECT_EQ(s.name, "s");
  EXPECT_EQ(json::write(s.extras, {.indent = 0}), R"({"a": 1})");
  ASSERT_EQ(s.nodes.size(), 3u);
  EXPECT_EQ(s.nodes[0].name, "a");
  EXPECT_EQ(s.nodes[1].name, "b");
  EXPECT_EQ(s.nodes[1].parent, 0u);
  EXPECT_EQ(s.nodes[2].parent, 1u);
  EXPECT_EQ(s.metres_per_unit, 1);
}

TEST(GltfReader, RejectsNodeCyclesAndSharedChildren) {
  const Foreign f;
  EXPECT_THAT(f.refusal(R"("nodes":[{"children":[1]},{"children":[0]}])"), HasSubstr("its own ancestor"));
  EXPECT_THAT(f.refusal(R"("nodes":[{"children":[0]}])"), HasSubstr("its own ancestor"));
  EXPECT_THAT(f.refusal(R"("nodes":[{"children":[2]},{"children":[2]},{}])"), HasSubstr("already a child of"));
  EXPECT_THAT(f.refusal(R"("nodes":[{"children":[1,1]},{}])"), HasSubstr("already a child of"));
  EXPECT_THAT(f.refusal(R"("nodes":[{"children":[1]},{}],"scenes":[{"nodes":[1]}])"), HasSubstr("not a root"));
  EXPECT_THAT(f.refusal(R"("nodes":[{"children":[7]}])"), HasSubstr("the list has 1 element"));
  std::string chain = "\"nodes\":[";
  for (int i = 1; i < 20000; ++i) chain += "{\"children\":[" + std::to_string(i) + "]},";
  EXPECT_EQ(f.good(chain + "{}]").nodes.size(), 20000u);
}

TEST(GltfReader, ConvertsOtherRootsToTheSceneUnit) {
  Foreign f;
  f.floats("SCALAR", {0, 1});
  f.floats("VEC3", {1, 2, 3, 4, 5, 6});
  const std::string top = R"({"children":[0],"scale":[0.5,0.5,0.5],"extras":{"diorama":{"metres_per_unit":0.5}}})";
  const std::string rest =
      R"("nodes":[{"translation":[3,0,0]},{"translation":[3,0,0],"children":[3]},)" + top +
      R"(,{"translation":[1,1,1]}],"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":1,"zfar":8}}])";
  Scene s = f.good(
      rest +
      R"(,"animations":[{"samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":1,"path":"translation"}}]}])");
  EXPECT_EQ(s.metres_per_unit, 0.5f);
  ASSERT_EQ(s.nodes.size(), 3u);
  EXPECT_EQ(s.nodes[0].translation, (Vec3{3, 0, 0})) << "was below it";
  EXPECT_EQ(s.nodes[1].translation, (Vec3{6, 0, 0}));
  EXPECT_EQ(s.nodes[1].scale, (Vec3{2, 2, 2}));
  EXPECT_EQ(s.nodes[2].translation, (Vec3{1, 1, 1})) << "hangs on one that is scaled";
  EXPECT_EQ(s.animations[0].channels[0].values[1], (Vec4{8, 10, 12, 0}));
  EXPECT_EQ(s.cameras[0].near, 2);
  EXPECT_EQ(s.cameras[0].far, 16);
  // A moved unit node is an ordinary node, and the unit is the metre.
  s = f.good(
      R"("nodes":[{},{"children":[0],"translation":[1,0,0],"scale":[0.5,0.5,0.5],"extras":{"diorama":{"metres_per_unit":0.5}}}])");
  EXPECT_EQ(s.metres_per_unit, 1);
  EXPECT_EQ(s.nodes.size(), 2u);
}

TEST(GltfReader, ReadsMaterialsAndTheirTextures) {
  Foreign f;
  f.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  f.floats("VEC2", {0, 0, 0, 0, 0, 0});
  f.floats("VEC2", {0, 0, 1, 0, 0, 0.5f});
  const Bytes png = png::write_png({"p", 1, 1, 8, {}, {1, 2, 3, 255}});
  std::string uri = gltf::data_uri(png);
  const std::string rest = R"(,"images":[{"uri":")" + uri + R"("}],"textures":[{"source":0,"sampler":0}],
    "samplers":[{"magFilter":9728,"wrapS":33071,"wrapT":33648}],
    "materials":[{"name":"m","alphaMode":"MASK","alphaCutoff":0.25,"doubleSided":true,"extras":{"diorama":{"x":[1,2],"z":4},"y":3,"z":5},
      "normalTexture":{"index":0},"extensions":{"KHR_materials_unlit":{},"KHR_materials_clearcoat":{}},
      "pbrMetallicRoughness":{"baseColorFactor":[0.5,1,2,1],"baseColorTexture":{"index":0,"texCoord":0,
        "extensions":{"KHR_texture_transform":{"offset":[1,2],"rotation":0.5,"scale":[3,4],"texCoord":1}}}}}])";
  const auto r = f.read(mesh_of(R"({"attributes":{"POSITION":0,"TEXCOORD_0":1,"TEXCOORD_1":2},"material":0})", rest));
  ASSERT_TRUE(r) << format_one_line(r.error());
  const Material& m = r->document.materials[0];
  EXPECT_EQ(m.color, (Vec4{0.5f, 1, 1, 1}));
  EXPECT_EQ(m.alpha, Material::Alpha::mask);
  EXPECT_EQ(m.alpha_cutoff, 0.25f);
  EXPECT_TRUE(m.double_sided && m.unlit);
  EXPECT_EQ(m.transform, (TextureTransform{{1, 2}, 0.5f, {3, 4}}));
  EXPECT_EQ(json::write(m.extras, {.indent = 0}), R"({"x": [1, 2], "z": 5, "y": 3})") << "what was added is newer";
  const Texture& t = r->document.textures[0];
  EXPECT_TRUE(t.nearest && t.wrap_u == Texture::Wrap::clamp && t.wrap_v == Texture::Wrap::mirror);
  EXPECT_THAT(r->document.images[0].pixels, ElementsAre(1, 2, 3, 255));
  EXPECT_EQ(r->document.meshes[0].primitives[0].uvs[2], (Vec2{0, 0.5f})) << "the set that the texture is for";
  ASSERT_EQ(r->notes.size(), 2u);
  EXPECT_THAT(r->notes[0].message, HasSubstr("normalTexture"));
  EXPECT_THAT(r->notes[1].message, HasSubstr("KHR_materials_clearcoat"));
  const auto bare = f.read(mesh_of(R"({"attributes":{"POSITION":0},"material":0})", rest));
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->document.meshes[0].primitives[0].uvs.size(), 3u);
}

TEST(GltfReader, KeepsEmissionInMaterialExtras) {
  Foreign f;
  f.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  f.floats("VEC2", {0, 0, 1, 0, 0, 0.5f});
  const std::string uri = gltf::data_uri(png::write_png({"p", 1, 1, 8, {}, {1, 2, 3, 255}}));
  const auto read = [&](const std::string& material) {
    return f.read(mesh_of(R"({"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0})",
                          R"(,"images":[{"uri":")" + uri +
                              R"("}],"textures":[{"source":0},{"source":0}],"materials":[{)" + material + "}]"));
  };
  const auto lamp = read(R"("emissiveTexture":{"index":1},"emissiveFactor":[1,0.5,0],
    "extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":2}})");
  ASSERT_TRUE(lamp) << format_one_line(lamp.error());
  EXPECT_NE(lamp->document.materials[0].texture, scene::k_none);
  EXPECT_EQ(json::write(lamp->document.materials[0].extras, {.indent = 0}), R"({"emission": [2.0, 1.0, 0.0]})");
  EXPECT_TRUE(lamp->notes.empty());
  const auto same = read(R"("emissiveTexture":{"index":0},"pbrMetallicRoughness":{"baseColorTexture":{"index":0}})");
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->notes.empty());
  EXPECT_TRUE(same->document.materials[0].extras.is(Value::Kind::null)) << "a texture of light that is 0";
  const auto other = read(R"("emissiveTexture":{"index":1},"pbrMetallicRoughness":{"baseColorTexture":{"index":0}},
    "extras":{"emission":[3,3,3]},"emissiveFactor":[1,1,1])");
  ASSERT_TRUE(other);
  ASSERT_EQ(other->notes.size(), 1u);
  EXPECT_THAT(other->notes[0].message, HasSubstr("emissiveTexture"));
  EXPECT_EQ(json::write(other->document.materials[0].extras, {.indent = 0}), R"({"emission": [3, 3, 3]})");
}

TEST(GltfReader, CombinesOcclusionAndEmissionWithTheBaseColor) {
  Foreign f;
  f.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  f.floats("VEC2", {0, 0, 1, 0, 0, 0.5f});
  const std::string base = gltf::data_uri(png::write_png({"base", 1, 1, 8, {}, {200, 100, 50, 77}}));
  const std::string dark = gltf::data_uri(png::write_png({"dark", 2, 1, 8, {}, {255, 9, 9, 255, 64, 9, 9, 255}}));
  const std::string glow = gltf::data_uri(png::write_png({"glow", 1, 1, 8, {}, {10, 250, 0, 255}}));
  const auto read = [&](const std::string& more) {
    return f.read(
        mesh_of(R"({"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0})",
                R"(,"images":[{"uri":")" + base + R"("},{"uri":")" + dark + R"("},{"uri":")" + glow +
                    R"("}],"textures":[{"source":0},{"source":1},{"source":2}],"materials":[{"pbrMetallicRoughness":
            {"baseColorTexture":{"index":0},"baseColorFactor":[0.5,1,1,0.75]},)" +
                    more + "}]"));
  };
  const auto both =
      read(R"("occlusionTexture":{"index":1,"strength":0.5},"emissiveTexture":{"index":2},"emissiveFactor":[1,0.5,1])");
  ASSERT_TRUE(both) << format_one_line(both.error());
  const Material& m = both->document.materials[0];
  EXPECT_EQ(m.color, (Vec4{1, 1, 1, 0.75f}));
  EXPECT_TRUE(m.extras.is(Value::Kind::null));
  const Image& picture = both->document.images[both->document.textures[m.texture].image];
  ASSERT_EQ(std::pair(picture.width, picture.height), std::pair(2u, 1u));
  const f32 colors[] = {200, 100, 50}, lights[] = {10, 250, 0};
  for (size_t x = 0; x < 2; ++x)
    for (size_t k = 0; k < 3; ++k) {
      const f64 open = x ? 1 - 0.5 * (1 - 64.0 / 255) : 1;
      const f64 light =
          srgb_to_linear(colors[k] / 255) * (k ? 1 : 0.5) * open + srgb_to_linear(lights[k] / 255) * (k == 1 ? 0.5 : 1);
      EXPECT_NEAR(picture.pixels[x * 4 + k], linear_to_srgb(std::min(light, 1.0)) * 255, 1) << x << " " << k;
    }
  EXPECT_EQ(picture.pixels[3], 77);
  ASSERT_EQ(both->notes.size(), 1u);
  EXPECT_THAT(both->notes[0].message, HasSubstr("combined"));
  const auto other = read(R"("occlusionTexture":{"index":1,"texCoord":1})");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->document.materials[0].color, (Vec4{0.5f, 1, 1, 0.75f}));
  ASSERT_EQ(other->notes.size(), 1u);
  EXPECT_THAT(other->notes[0].message, HasSubstr("occlusionTexture is omitted"));
}

TEST(GltfReader, ConvertsCubicSplinesToLinearKeys) {
  Foreign f;
  f.floats("SCALAR", {0, 1});
  f.floats("VEC3", {0, 0, 0, 0, 0, 0, 3, 0, 0, /**/ 3, 0, 0, 1, 0, 0, 0, 0, 0});  // in, value, out
  const Scene s =
      f.good(R"("nodes":[{}],"animations":[{"samplers":[{"input":0,"output":1,"interpolation":"CUBICSPLINE"}],
    "channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}])");
  const Channel& c = s.animations[0].channels[0];
  ASSERT_EQ(c.times.size(), 33u);
  EXPECT_EQ(c.times[16], 0.5f);
  // (t^3 - 2t^2 + t) * 3 + (3t^2 - 2t^3) * 1 + (t^3 - t^2) * 3 = 3t - 6t^2 + 4t^3
  EXPECT_NEAR(c.values[16][0], 0.5, 1e-6);
  EXPECT_NEAR(c.values[8][0], 0.4375, 1e-6);
  EXPECT_EQ(c.values[32][0], 1);
}

TEST(GltfReader, RejectsInvalidAnimations) {
  Foreign f;
  f.floats("SCALAR", {0, 1});
  f.floats("VEC3", {0, 0, 0, 1, 1, 1});
  f.floats("SCALAR", {1, 1});
  f.floats("VEC4", {0, 0, 0, 1, 0, 0, 0, 0});
  const auto refusal = [&](const std::string& sampler, const std::string& channels) {
    return f.refusal(R"("nodes":[{}],"animations":[{"samplers":[{)" + sampler + R"(}],"channels":[)" + channels +
                     "]}]");
  };
  const std::string move = R"({"sampler":0,"target":{"node":0,"path":"translation"}})";
  EXPECT_EQ(refusal(R"("input":0,"output":1)", move), "read");
  EXPECT_THAT(refusal(R"("input":0,"output":1)", move + "," + move),
              HasSubstr("an earlier channel already animates the translation of node 0"));
  EXPECT_THAT(refusal(R"("input":2,"output":1)", move),
              HasSubstr("must be 0 or more, and each time must be later than the previous time"));
  EXPECT_THAT(refusal(R"("input":0,"output":0)", move), HasSubstr("needs VEC3"));
  EXPECT_THAT(refusal(R"("input":0,"output":1,"interpolation":"CUBICSPLINE")", move), HasSubstr("it needs 6"));
  EXPECT_THAT(refusal(R"("input":0,"output":3)", R"({"sampler":0,"target":{"node":0,"path":"rotation"}})"),
              HasSubstr("of length 0"));
  EXPECT_THAT(refusal(R"("input":0,"output":1)", R"({"sampler":1,"target":{"node":0,"path":"translation"}})"),
              HasSubstr("the list has 1 element"));
  const auto pointer = [&](const std::string& to) {
    return refusal(R"("input":0,"output":1)",
                   R"({"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":")" +
                       to + R"("}}}})");
  };
  EXPECT_EQ(pointer("/nodes/0/translation"), "read");
  EXPECT_EQ(pointer("/nodes/0/extensions/SOME_thing/much"), "read");
  EXPECT_EQ(pointer("nonsense"), "read");
  EXPECT_THAT(pointer("/nodes/1/translation"), HasSubstr("is out of range: the list \"nodes\" has 1 element"));
  EXPECT_THAT(pointer("/nodes/99999999999999999999/translation"),
              HasSubstr("is out of range: the list \"nodes\" has 1 element"));
}

TEST(GltfReader, SkipsLightsOfUnknownTypes) {
  const auto r = Foreign().read(R"("extensions":{"KHR_lights_punctual":{"lights":[{"type":"area"},
    {"type":"directional","name":"sun","color":[2,1,0],"intensity":3}]}},
    "nodes":[{"extensions":{"KHR_lights_punctual":{"light":0}}},{"extensions":{"KHR_lights_punctual":{"light":1}}}])");
  ASSERT_TRUE(r);
  EXPECT_EQ(r->document.nodes[0].light, k_none);
  ASSERT_EQ(r->document.nodes[1].light, 0u);
  EXPECT_EQ(r->document.lights[0].color, (Vec3{1, 0.5f, 0}));
  EXPECT_EQ(r->document.lights[0].intensity, 6);
  ASSERT_EQ(r->notes.size(), 1u);
}

TEST(GltfReader, ReadsBackEveryLightType) {
  Scene scene;
  scene.metres_per_unit = 0.5f;
  using enum Light::Kind;
  scene.lights = {{.name = "lamp", .intensity = 40, .kind = point, .range = 12},
                  {.name = "torch", .color = {1, 0.5f, 0}, .kind = spot, .inner_cone = 0.25f, .outer_cone = 0.5f},
                  {.name = "sun", .intensity = 2}};
  for (Index i = 0; i < 3; ++i) scene.nodes.push_back({.name = std::to_string(i), .light = i, .extras = {}});
  const Bytes glb = glb_of(scene);
  EXPECT_THAT(std::string(glb.begin(), glb.end()), HasSubstr(R"("range":6)")) << "in metres";
  EXPECT_EQ(join(GltfComparison::differences(scene, read_back(glb).document)), "");
  expect_fixed_point(glb);
  scene.lights[1].range = 3;
  EXPECT_NE(join(GltfComparison::differences(scene, read_back(glb).document)), "");
}

TEST(GltfReader, RejectsLightsWithInvalidValues) {
  for (const char* light : {R"("type":"point","range":-1)", R"("type":"spot","spot":{"innerConeAngle":1})",
                            R"("type":"spot","spot":{"outerConeAngle":2})", R"("type":"point","intensity":-1)"})
    EXPECT_FALSE(Foreign().read(std::string(R"("extensions":{"KHR_lights_punctual":{"lights":[{)") + light + "}]}}"))
        << light;
}

TEST(GltfReader, ChecksSkinsAgainstMeshJoints) {
  Foreign f;
  f.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  f.add<u8>(5121, "VEC4", {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
  f.floats("VEC4", {2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
  const std::string mesh = R"("meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],)";
  const Scene s = f.good(mesh + R"("skins":[{"joints":[2,3]}],"nodes":[{"mesh":0,"skin":0},{"mesh":0},{},{}])");
  EXPECT_EQ(s.meshes[0].primitives[0].weights[0], (Vec4{1, 0, 0, 0}));
  EXPECT_EQ(s.meshes[0].primitives[0].weights[1], (Vec4{1, 0, 0, 0})) << "without any weight";
  EXPECT_EQ(s.nodes[0].skin, 0u);
  EXPECT_EQ(s.nodes[1].mesh, 1u) << "the same without joints";
  EXPECT_THAT(s.meshes[1].primitives[0].joints, IsEmpty());
  EXPECT_EQ(s.skins[0].inverse_bind[0][0], 1);
  EXPECT_THAT(f.refusal(mesh + R"("skins":[{"joints":[1]}],"nodes":[{"mesh":0,"skin":0},{}])"),
              HasSubstr("the mesh uses joint 1"));
  EXPECT_THAT(f.refusal(mesh + R"("skins":[{"joints":[1,1]}],"nodes":[{"mesh":0,"skin":0},{}])"), HasSubstr("twice"));
}

TEST(GltfReader, NamesUnsupportedRequiredExtensions) {
  EXPECT_THAT(Foreign().refusal(R"("extensionsRequired":["KHR_draco_mesh_compression"])"),
              HasSubstr("extensionsRequired[0]: the required extension KHR_draco_mesh_compression is not supported"));
  EXPECT_THAT(Foreign().refusal(R"("extensionsRequired":["EXT_meshopt_compression"])"), HasSubstr("gltf.extension"));
  EXPECT_EQ(Foreign().refusal(R"("extensionsUsed":["KHR_draco_mesh_compression"])"), "read");
}

// ---- external files ----

TEST(GltfReader, ReadsBuffersOnlyFromItsFolder) {
  const Bytes floats{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   0,  128, 63, 0, 0,
                     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63, 0,   0,  0, 0};
  std::string asked;
  const auto resolve = [&](const std::string& name) -> Result<Bytes> {
    asked += name + ";";
    return floats;
  };
  const auto with = [&](const std::string& uri) {
    return Foreign().refusal(mesh_of(R"({"attributes":{"POSITION":0}})",
                                     R"(,"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],
      "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":")" +
                                         uri + R"("}])"),
                             resolve);
  };
  EXPECT_EQ(with("a%20b/./c.bin"), "read");
  EXPECT_EQ(asked, "a b/c.bin;");
  asked.clear();
  for (const char* uri :
       {"../a.bin", "a/../../b", "/etc/passwd", "C:/a", "http://host/a", "file:///a", "a\\\\b", "%2e%2e/a", "a//b", "",
        ".", "a%00b", "a%", "data:,x", "data:application/octet-stream;base64,!"})
    EXPECT_THAT(with(uri), HasSubstr("gltf.resource")) << uri;
  EXPECT_EQ(asked, "");
}

TEST(GltfReader, ReportsMissingImageFiles) {
  const auto missing = [](const std::string& name) -> Result<Bytes> {
    Diagnostic d;
    d.id = "io.read";
    d.found = name;
    return refuse(d);
  };
  const std::string images = R"("images":[{"uri":"a.png"}],"textures":[{"source":0}])";
  EXPECT_THAT(Foreign().refusal(images, missing), HasSubstr("io.read"));
  EXPECT_THAT(Foreign().refusal(images), HasSubstr("gltf.resource"));
}

// ---- pictures ----

/// A hand-made JPEG of 8 x 8 equal grey pixels. The quantization step is 8; the mean is `step` steps above the middle.
Bytes grey_jpeg(u8 step) {
  Bytes b{0xFF, 0xD8};
  const auto segment = [&](u8 marker, const Bytes& content) {
    b.insert(b.end(), {0xFF, marker, 0, u8(content.size() + 2)});
    b.insert(b.end(), content.begin(), content.end());
  };
  Bytes steps(65, 8);
  steps[0] = 0;
  segment(0xDB, steps);                                                      // quantization table 0
  segment(0xC0, {8, 0, 8, 0, 8, 1, 1, 0x11, 0});                             // 8 bits, 8 x 8, one component
  segment(0xC4, {0x00, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4});  // mean: code 0 means 4 bits
  segment(0xC4, {0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});  // other values: code 0 means end of block
  segment(0xDA, {1, 1, 0, 0, 63, 0});
  // 0, four bits, 0, then ones up to the end of the byte
  b.push_back(u8(step << 3 | 3));
  b.insert(b.end(), {0xFF, 0xD9});
  return b;
}

TEST(GltfReader, ReadsJpegImages) {
  const Bytes file = grey_jpeg(12);  // 12 * 8 / 8 above 128
  const auto image = jpeg::read_jpeg(file);
  ASSERT_TRUE(image) << format_one_line(image.error());
  EXPECT_EQ(image->width, 8u);
  EXPECT_EQ(image->height, 8u);
  ASSERT_EQ(image->pixels.size(), 256u);
  for (size_t i = 0; i < 256; ++i) EXPECT_EQ(image->pixels[i], i % 4 == 3 ? 255 : 140);
  const std::string uri = gltf::data_uri(file);
  const Scene s = Foreign().good(R"("images":[{"name":"grey","uri":")" + uri + R"("}],"textures":[{"source":0}])");
  ASSERT_EQ(s.images.size(), 1u);
  EXPECT_EQ(s.images[0].name, "grey");
}

TEST(GltfReader, MergesImagesWithEqualBytes) {
  const std::string uri = gltf::data_uri(png::write_png({"p", 1, 1, 8, {}, {1, 2, 3, 255}}));
  const std::string other = gltf::data_uri(png::write_png({"p", 1, 1, 8, {}, {9, 2, 3, 255}}));
  const Scene s = Foreign().good(R"("images":[{"uri":")" + uri + R"("},{"uri":")" + other + R"("},{"uri":")" + uri +
                                 R"("}],"textures":[{"source":2},{"source":1}])");
  ASSERT_EQ(s.images.size(), 2u);
  EXPECT_EQ(s.textures[0].image, 0u);
  EXPECT_EQ(s.textures[1].image, 1u);
}

/// Many buffer views of one image that is small in the file but large in memory.
TEST(GltfReader, LimitsMemoryForRepeatedImages) {
  const Bytes png = png::write_png({"p", 2048, 1024, 8, {}, std::vector<u8>(2048 * 1024 * 4, 7)});
  std::string views, images;
  for (int i = 0; i < 40; ++i) {
    views += std::string(i ? "," : "") + R"({"buffer":0,"byteLength":)" + std::to_string(png.size() + size_t(i)) + "}";
    images += std::string(i ? "," : "") + R"({"bufferView":)" + std::to_string(i) + "}";
  }
  Bytes padded = png;
  padded.resize(png.size() + 40);
  const auto refusal = [&](const std::string& list) {
    return Foreign().refusal(R"("images":[)" + list + R"(],"bufferViews":[)" + views +
                             R"(],"buffers":[{"byteLength":)" + std::to_string(padded.size()) + R"(,"uri":")" +
                             gltf::data_uri(padded) + R"("}])");
  };
  EXPECT_EQ(refusal(R"({"bufferView":0},{"bufferView":0})"), "read");
  EXPECT_THAT(refusal(images), HasSubstr("gltf.budget"));
}

TEST(GltfReader, SkipsUnsupportedImageFormats) {
  Foreign f;
  f.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  const auto r = f.read(mesh_of(
      R"({"attributes":{"POSITION":0},"material":0})",
      R"(,"images":[{"uri":")" + gltf::data_uri(Bytes{'R', 'I', 'F', 'F'}) +
          R"("}],"textures":[{"source":0}],"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}])"));
  ASSERT_TRUE(r);
  EXPECT_EQ(r->document.materials[0].texture, k_none);
  EXPECT_EQ(r->notes.size(), 1u);
  EXPECT_THAT(f.refusal(R"("images":[{"uri":")" + gltf::data_uri(Bytes{0x89, 'P', 'N', 'G', 0}) + R"("}])"),
              HasSubstr("png.syntax"));
}

// ---- damaged and hostile ----

TEST(GltfReader, ErrorsNameTheFault) {
  Foreign f;
  f.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  f.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, std::numeric_limits<f32>::quiet_NaN(), 0});
  f.add<u8>(5121, "SCALAR", {0, 1, 3});
  f.floats("VEC2", {0, 0});
  const auto refusal = [&](const std::string& primitive) { return f.refusal(mesh_of(primitive)); };
  EXPECT_EQ(refusal(R"({"attributes":{"POSITION":0}})"), "read");
  EXPECT_THAT(refusal(R"({"attributes":{"POSITION":1}})"), HasSubstr("accessors[1]: element 2 is not a finite number"));
  EXPECT_THAT(refusal(R"({"attributes":{"POSITION":0},"indices":2})"),
              HasSubstr("meshes[0].primitives[0].indices: index 3 is out of range; there are 3 vertices"));
  EXPECT_THAT(refusal(R"({"attributes":{"POSITION":0,"TEXCOORD_0":3}})"),
              HasSubstr("the attribute has 1 element for 3 positions"));
  EXPECT_THAT(refusal(R"({"attributes":{"POSITION":3}})"), HasSubstr("needs VEC3"));
  EXPECT_THAT(refusal(R"({"attributes":{"POSITION":9}})"), HasSubstr("the list has 4 elements"));
  EXPECT_THAT(refusal(R"({"attributes":{"POSITION":0},"indices":0})"), HasSubstr("needs SCALAR"));
  EXPECT_THAT(refusal(R"({"attributes":[0]})"), HasSubstr("expected an object, found a list"));
  EXPECT_THAT(refusal(R"({"attributes":{"POSITION":0},"material":0})"), HasSubstr("the list is empty"));
  EXPECT_THAT(f.refusal(R"("nodes":[{"scale":[1,1]}])"), HasSubstr("nodes[0].scale: expected 3 numbers, found 2"));
  EXPECT_THAT(f.refusal(R"("nodes":[{"scale":[1,1,1e39]}])"),
              HasSubstr("nodes[0].scale[2]: expected a number in the range of 32-bit floats"));
  EXPECT_THAT(f.refusal(R"("nodes":[{"rotation":[0,0,0,0]}])"), HasSubstr("of length 0"));
  EXPECT_THAT(f.refusal(R"("nodes":{})"), HasSubstr("expected a list, found an object"));
  EXPECT_THAT(f.refusal(R"("nodes":[{"mesh":"a"}],"meshes":[{}])"),
              HasSubstr("is out of range: the list has 1 element"));
  EXPECT_THAT(f.refusal(R"("scene":1,"scenes":[{}])"), HasSubstr("scene"));
  EXPECT_THAT(f.refusal(R"("nodes":[3])"), HasSubstr("an object"));
  const auto whole = [](const std::string& text) {
    const auto r = gltf::read({reinterpret_cast<const u8*>(text.data()), text.size()});
    return r ? "read" : r.error().id;
  };
  EXPECT_EQ(whole("{}"), "gltf.syntax");
  EXPECT_EQ(whole("[]"), "gltf.syntax");
  EXPECT_EQ(whole(""), "json.syntax");
  EXPECT_EQ(whole("{"), "json.syntax");
  EXPECT_EQ(whole(R"({"asset":{"version":"1.0"}})"), "gltf.syntax");
  EXPECT_EQ(whole(R"({"asset":{"version":"2.0","minVersion":"2.1"}})"), "gltf.syntax");
  EXPECT_EQ(whole(R"({"asset":{"version":"2.0"}})"), "read");
}

/// A buffer view and an accessor that do not fit into their buffer.
TEST(GltfReader, RejectsBufferViewsOutOfBounds) {
  const auto refusal = [](const std::string& accessor, const std::string& view) {
    return Foreign().refusal(mesh_of(
        R"({"attributes":{"POSITION":0}})",
        R"(,"accessors":[{"componentType":5126,"type":"VEC3",)" + accessor + R"(}],"bufferViews":[{"buffer":0,)" +
            view + R"(}],"buffers":[{"byteLength":36,"uri":")" + gltf::data_uri(Bytes(36)) + R"("}])"));
  };
  EXPECT_EQ(refusal(R"("bufferView":0,"count":3)", R"("byteLength":36)"), "read");
  EXPECT_THAT(refusal(R"("bufferView":0,"count":4)", R"("byteLength":36)"), HasSubstr("48 bytes at offset 0"));
  EXPECT_THAT(refusal(R"("bufferView":0,"count":3,"byteOffset":1)", R"("byteLength":36)"),
              HasSubstr("36 bytes at offset 1"));
  EXPECT_THAT(refusal(R"("bufferView":0,"count":3)", R"("byteLength":37)"), HasSubstr("37 bytes at offset 0"));
  EXPECT_THAT(refusal(R"("bufferView":0,"count":3)", R"("byteLength":36,"byteOffset":1)"),
              HasSubstr("36 bytes at offset 1"));
  EXPECT_THAT(refusal(R"("bufferView":0,"count":3)", R"("byteLength":36,"byteOffset":18446744073709551615)"),
              HasSubstr("36 bytes at offset 1844"));
  EXPECT_THAT(refusal(R"("bufferView":0,"count":3)", R"("byteLength":36,"byteStride":16)"),
              HasSubstr("44 bytes at offset 0"));
  EXPECT_THAT(refusal(R"("bufferView":0,"count":3)", R"("byteLength":36,"byteStride":4)"),
              HasSubstr("a stride of 4 is out of range (12 to 264)"));
  EXPECT_THAT(refusal(R"("bufferView":0,"count":0)", R"("byteLength":36)"),
              HasSubstr("is out of range (1 to 2^32 - 1)"));
  EXPECT_THAT(refusal(R"("bufferView":0,"count":4294967296)", R"("byteLength":36)"),
              HasSubstr("is out of range (1 to 2^32 - 1)"));
  EXPECT_THAT(refusal(R"("bufferView":0,"count":-1)", R"("byteLength":36)"), HasSubstr("a whole number of 0 or more"));
  EXPECT_THAT(refusal(R"("bufferView":1,"count":1)", R"("byteLength":36)"),
              HasSubstr("is out of range: the list has 1 element"));
}

TEST(GltfReader, LimitsMemoryForRepeatedAccessors) {
  Foreign f;
  f.add(5126, "VEC3", std::vector<f32>(3 * 30000));
  std::string primitives = R"({"attributes":{"POSITION":0,"NORMAL":0}})";
  std::string many = primitives;
  for (int i = 0; i < 2000; ++i) many += "," + primitives;
  EXPECT_THAT(f.refusal(mesh_of(many)), HasSubstr("gltf.budget"));
}

TEST(GltfReader, ReadsManyNodesWithUnitsQuickly) {
  std::string nodes, roots, channels;
  for (int i = 0; i < 20000; ++i) {
    const std::string comma = i ? "," : "";
    nodes += comma + R"({"extras":{"diorama":{"metres_per_unit":1}}})";
    roots += comma + std::to_string(i);
    channels += comma + R"({"sampler":0,"target":{"node":)" + std::to_string(i) + R"(,"path":"weights"}})";
  }
  Foreign f;
  const auto r = f.read(R"("nodes":[)" + nodes + R"(],"scenes":[{"nodes":[)" + roots +
                        R"(]}],"animations":[{"samplers":[{}],"channels":[)" + channels + "]}]");
  ASSERT_TRUE(r) << format_one_line(r.error());
  EXPECT_EQ(r->document.nodes.size(), 20000u);  // all of them are animated, so none is the unit node
}

TEST(GltfReader, SurvivesTruncationAndChangedBytes) {
  const Bytes good = glb_of(SceneOfEverything::make());
  const auto try_one = [](ByteView file) {
    const auto r = gltf::read(file);
    if (r)
      EXPECT_THAT(verify(r->document), IsEmpty());
    else
      EXPECT_NE(format_one_line(r.error()), "");
    return r.has_value();
  };
  for (size_t size = 0; size < good.size(); size += 37) EXPECT_FALSE(try_one(ByteView(good).first(size))) << size;
  Bytes changed = good;
  for (size_t i = 0; i < good.size(); i += 11) {
    changed[i] = u8(changed[i] ^ (1 << i % 8));
    try_one(changed);
    changed[i] = good[i];
  }
}

}  // namespace
