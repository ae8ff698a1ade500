#include "bridge/gltf/gltf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "bridge/gltf/container.hpp"
#include "bridge/report/json.hpp"
#include "scene/shapes.hpp"

namespace {

using namespace dio;
using namespace dio::scene;

u32 u32_at(ByteView bytes, size_t i) {
  return bytes[i] | u32(bytes[i + 1]) << 8 | u32(bytes[i + 2]) << 16 | u32(bytes[i + 3]) << 24;
}
f32 f32_at(ByteView bytes, size_t i) { return std::bit_cast<f32>(u32_at(bytes, i)); }

/// A GLB taken apart.
struct File {
  Value json;
  Bytes binary;

  /// `meshes.0.primitives`
  const Value& at(std::string_view path) const {
    static const Value null;
    const Value* v = &json;
    while (v && !path.empty()) {
      const std::string part(path.substr(0, path.find('.')));
      path.remove_prefix(std::min(path.size(), part.size() + 1));
      v = v->is(Value::Kind::list) ? v->at(std::stoul(part)) : v->find(part);
    }
    return v ? *v : null;
  }
  size_t number(std::string_view path) const { return size_t(at(path).number()); }
  std::string text(std::string_view path) const { return json::write(at(path), {.indent = 0}); }
  /// Where an accessor's bytes are.
  size_t start(size_t accessor) const {
    return number("bufferViews." + text("accessors." + std::to_string(accessor) + ".bufferView") + ".byteOffset");
  }
};

File read_back(const Scene& scene) {
  const auto glb = gltf::write_glb(scene);
  EXPECT_TRUE(glb.has_value()) << (glb ? "" : glb.error().found);
  const Bytes& b = *glb;
  EXPECT_EQ(std::string(b.begin(), b.begin() + 4), "glTF");
  EXPECT_EQ(u32_at(b, 4), 2u);
  EXPECT_EQ(u32_at(b, 8), b.size());
  const size_t length = u32_at(b, 12), end = 20 + length;
  EXPECT_EQ(std::string(b.begin() + 16, b.begin() + 20), "JSON");
  EXPECT_EQ(length % 4, 0u);
  EXPECT_LE(end, b.size());
  File file;
  auto json = json::read(std::string(b.begin() + 20, b.begin() + std::ptrdiff_t(end)));
  EXPECT_TRUE(json.has_value());
  file.json = *std::move(json);
  if (end < b.size()) {
    EXPECT_EQ(std::string(b.begin() + std::ptrdiff_t(end) + 4, b.begin() + std::ptrdiff_t(end) + 8),
              std::string("BIN\0", 4));
    EXPECT_EQ(u32_at(b, end) % 4, 0u);
    EXPECT_EQ(end + 8 + u32_at(b, end), b.size());
    file.binary.assign(b.begin() + std::ptrdiff_t(end) + 8, b.end());
    EXPECT_LE(file.number("buffers.0.byteLength"), file.binary.size());
    EXPECT_GT(file.number("buffers.0.byteLength") + 4, file.binary.size());
  }
  return file;
}

Primitive primitive_of(std::vector<Vec3> positions, Primitive::Shape shape = Primitive::Shape::triangles) {
  Primitive p;
  p.shape = shape;
  p.positions = std::move(positions);
  return p;
}
Primitive triangle() { return primitive_of({{0, -2, 0}, {1, 0, 0.5f}, {-3, 1, 0}}); }

Scene scene_of(Primitive primitive) {
  Scene scene;
  scene.meshes = {{"mesh", {std::move(primitive)}}};
  scene.nodes.resize(1);
  scene.nodes[0].mesh = 0;
  return scene;
}

/// Two cameras, the second used by no node, and one animation that moves and zooms.
Scene film() {
  Scene scene;
  scene.name = "film";
  scene.metres_per_unit = 0.5f;
  scene.cameras = {{.name = "unused"}, {.name = "pan", .vertical_fov = 0.75f, .near = 2, .far = 1000}};
  scene.nodes.resize(2);
  scene.nodes[1].camera = 1;
  scene.nodes[1].parent = 0;
  scene.animations = {
      {"nothing", {}, {}},
      {"pan",
       {{.node = 1, .target = Channel::Target::translation, .times = {0, 2}, .values = {{1, 2, 3, 9}, {4, 5, 6, 9}}},
        {.node = 1,
         .target = Channel::Target::rotation,
         .interpolation = Channel::Interpolation::step,
         .times = {0, 2},
         .values = {k_no_rotation, k_no_rotation}}},
       {{.camera = 1, .times = {0, 2}, .values = {0.5f, 1.25f}}}}};
  return scene;
}

TEST(Gltf, EmptySceneIsOneNode) {
  const auto glb = gltf::write_glb(Scene());
  ASSERT_TRUE(glb);
  EXPECT_EQ(u32_at(*glb, 12) + 20, glb->size());  // no binary chunk
  EXPECT_EQ(
      read_back(Scene()).text(""),
      R"({"asset": {"version": "2.0", "generator": "diorama"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{}]})");
}

TEST(Gltf, TopNodeScalesToMetres) {
  Scene scene;
  scene.name = "course";
  scene.metres_per_unit = 0.01f;
  scene.extras = Value::object();
  scene.extras.add("format", "kmp");
  scene.nodes.resize(3);
  scene.nodes[0] = {.name = "a", .translation = {1, 2, 3}, .rotation = {0, 1, 0, 0}, .scale = {2, 2, 0}, .extras = {}};
  scene.nodes[1].parent = 0;
  scene.nodes[1].extras = Value::object();
  scene.nodes[1].extras.add("kind", "start");
  const File file = read_back(scene);
  EXPECT_EQ(file.text("scenes"), R"([{"name": "course", "nodes": [3], "extras": {"diorama": {"format": "kmp"}}}])");
  EXPECT_EQ(file.text("nodes.0"), R"({"name": "a", "children": [1], "translation": [1.0, 2.0, 3.0], )"
                                  R"("rotation": [0.0, 1.0, 0.0, 0.0], "scale": [2.0, 2.0, 0.0]})");
  EXPECT_EQ(file.text("nodes.1"), R"({"extras": {"diorama": {"kind": "start"}}})");
  EXPECT_EQ(file.text("nodes.3"), R"({"name": "course", "children": [0, 2], "scale": [0.01, 0.01, 0.01]})");
}

TEST(Gltf, AttributesAndBounds) {
  Primitive p = triangle();
  p.normals.assign(3, k_axis_z);
  p.colors = {{0, 1, 0.5f, 1}, {0, 0, 0, 0}, {1, 1, 1, 1}};
  p.indices = {2, 1, 0};
  const File file = read_back(scene_of(p));
  EXPECT_EQ(
      file.text("meshes.0"),
      R"({"name": "mesh", "primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1, "COLOR_0": 2}, "indices": 3}]})");
  EXPECT_EQ(file.text("accessors.0"), R"({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", )"
                                      R"("min": [-3.0, -2.0, 0.0], "max": [1.0, 1.0, 0.5]})");
  EXPECT_EQ(file.text("accessors.1"), R"({"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC3"})");
  EXPECT_EQ(file.text("accessors.2"),
            R"({"bufferView": 2, "componentType": 5123, "normalized": true, "count": 3, "type": "VEC4"})");
  EXPECT_EQ(file.text("accessors.3"), R"({"bufferView": 3, "componentType": 5123, "count": 3, "type": "SCALAR"})");
  EXPECT_EQ(file.text("bufferViews.3"), R"({"buffer": 0, "byteOffset": 96, "byteLength": 6, "target": 34963})");
  EXPECT_EQ(file.number("bufferViews.0.target"), 34962u);
  EXPECT_EQ(f32_at(file.binary, file.start(0) + 4), -2);
  EXPECT_EQ(f32_at(file.binary, file.start(0) + 20), 0.5f);
  EXPECT_EQ(u32_at(file.binary, file.start(2)), 0xFFFF0000);
  EXPECT_EQ(u32_at(file.binary, file.start(2) + 4), 0xFFFF8000);
  EXPECT_EQ(u32_at(file.binary, file.start(3)), 0x00010002u);
}

TEST(Gltf, IndicesAreAsWideAsTheyMust) {
  for (const auto& [vertices, type] : {std::pair(65535u, 5123u), {65536u, 5125u}}) {
    Primitive p;
    p.positions.resize(vertices);
    p.indices = {0, 1, vertices - 1};
    const File file = read_back(scene_of(p));
    EXPECT_EQ(file.number("accessors.1.componentType"), type) << vertices;  // 65535 itself would mean "restart"
    EXPECT_EQ(file.number("bufferViews.1.byteLength"), type == 5123 ? 6 : 12);
  }
}

TEST(Gltf, EveryViewStartsAtAMultipleOfFour) {
  Primitive p = triangle();
  p.indices = {0, 1, 2};  // six bytes
  Scene scene = scene_of(p);
  p.positions[0][0] = 8;
  scene.meshes[0].primitives.push_back(p);
  const File file = read_back(scene);
  EXPECT_EQ(file.text("bufferViews.2"), R"({"buffer": 0, "byteOffset": 44, "byteLength": 36, "target": 34962})");
  EXPECT_EQ(f32_at(file.binary, 44), 8);
}

TEST(Gltf, ShapesOtherThanTriangles) {
  Scene scene = scene_of(primitive_of({{0, 0, 0}, {1, 1, 1}}, Primitive::Shape::lines));
  scene.meshes[0].primitives.push_back(primitive_of({{0, 0, 0}}, Primitive::Shape::points));
  scene.meshes[0].primitives.push_back(triangle());
  const File file = read_back(scene);
  EXPECT_EQ(file.text("meshes.0.primitives.0.mode"), "1");
  EXPECT_EQ(file.text("meshes.0.primitives.1.mode"), "0");
  EXPECT_EQ(file.text("meshes.0.primitives.2.mode"), "null");  // the default
}

TEST(Gltf, SameContentIsStoredOnce) {
  Scene scene = scene_of(triangle());
  Primitive other = triangle();
  other.normals.assign(3, k_axis_x);
  scene.meshes[0].primitives.push_back(other);
  other.positions[0][0] = 7;
  scene.meshes[0].primitives.push_back(other);
  other.positions = other.normals;  // the same bytes for another use
  scene.meshes[0].primitives.push_back(other);
  const File file = read_back(scene);
  const auto attribute = [&](int i, const char* name) {
    return file.number("meshes.0.primitives." + std::to_string(i) + ".attributes." + name);
  };
  EXPECT_EQ(attribute(0, "POSITION"), attribute(1, "POSITION"));
  EXPECT_NE(attribute(1, "POSITION"), attribute(2, "POSITION"));
  EXPECT_EQ(attribute(1, "NORMAL"), attribute(2, "NORMAL"));
  EXPECT_NE(attribute(3, "POSITION"), attribute(3, "NORMAL"));
  EXPECT_EQ(file.at("accessors").size(), 4u);
  EXPECT_EQ(file.at("bufferViews").size(), 4u);
  EXPECT_EQ(file.number("buffers.0.byteLength"), 4 * 36u);
}

TEST(Gltf, WhatIsEmptyOrUnusedIsNotWritten) {
  Scene scene = scene_of(triangle());
  scene.meshes[0].primitives.insert(scene.meshes[0].primitives.begin(), Primitive());
  scene.meshes.insert(scene.meshes.begin(),
                      {Mesh{"no primitive", {}}, Mesh{"no vertex", {Primitive()}}, Mesh{"unused", {triangle()}}});
  scene.materials = {{.name = "unused"}, {.name = "used"}};
  scene.meshes[3].primitives[1].material = 1;
  scene.nodes.resize(3);
  for (u32 i = 0; i < 3; ++i) scene.nodes[i] = {.name = "n", .mesh = i == 2 ? 3 : i, .extras = {}};
  const File file = read_back(scene);
  EXPECT_EQ(file.text("nodes.0"), R"({"name": "n"})");
  EXPECT_EQ(file.text("nodes.1"), R"({"name": "n"})");
  EXPECT_EQ(file.text("nodes.2.mesh"), "0");
  EXPECT_EQ(file.text("meshes"),
            R"([{"name": "mesh", "primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}])");
  EXPECT_EQ(file.at("materials").size(), 1u);
  EXPECT_EQ(file.at("materials.0.name").text(), "used");
}

TEST(Gltf, AMeshOfTwoNodesIsOneMesh) {
  Scene scene = scene_of(triangle());
  scene.nodes.push_back(scene.nodes[0]);
  const File file = read_back(scene);
  EXPECT_EQ(file.at("meshes").size(), 1u);
  EXPECT_EQ(file.text("nodes.1.mesh"), "0");
}

TEST(Gltf, Materials) {
  Scene scene = scene_of(triangle());
  scene.materials = {{.name = "lit", .color = {0.25f, 0.5f, 1, 1}, .unlit = false},
                     {.name = {}, .unlit = true, .double_sided = true, .alpha = Material::Alpha::blend},
                     {.name = {}, .unlit = false, .alpha = Material::Alpha::mask}};
  auto& primitives = scene.meshes[0].primitives;
  primitives.resize(3, primitives[0]);
  for (u32 i = 0; i < 3; ++i) primitives[i].material = i;
  File file = read_back(scene);
  EXPECT_EQ(
      file.text("materials.0"),
      R"({"name": "lit", "pbrMetallicRoughness": {"baseColorFactor": [0.25, 0.5, 1.0, 1.0], "metallicFactor": 0}})");
  EXPECT_EQ(file.text("materials.1"), R"({"pbrMetallicRoughness": {"metallicFactor": 0}, "alphaMode": "BLEND", )"
                                      R"("doubleSided": true, "extensions": {"KHR_materials_unlit": {}}})");
  EXPECT_EQ(file.text("materials.2"), R"({"pbrMetallicRoughness": {"metallicFactor": 0}, "alphaMode": "MASK"})");
  EXPECT_EQ(file.text("extensionsUsed"), R"(["KHR_materials_unlit"])");
  EXPECT_EQ(file.text("extensionsRequired"), "null");
  scene.materials[1].unlit = false;
  EXPECT_EQ(read_back(scene).text("extensionsUsed"), "null");
}

TEST(Gltf, CamerasAreInMetres) {
  const File file = read_back(film());
  EXPECT_EQ(file.text("cameras"),
            R"([{"name": "pan", "type": "perspective", "perspective": {"yfov": 0.75, "znear": 1.0, "zfar": 500.0}}])");
  EXPECT_EQ(file.text("nodes.1"), R"({"camera": 0})");
}

TEST(Gltf, FieldOfViewMovesInTheSameAnimation) {
  const File file = read_back(film());
  ASSERT_EQ(file.at("animations").size(), 1u);  // the one without channels is gone
  EXPECT_EQ(file.text("animations.0.channels"),
            R"([{"sampler": 0, "target": {"node": 1, "path": "translation"}}, )"
            R"({"sampler": 1, "target": {"node": 1, "path": "rotation"}}, )"
            R"({"sampler": 2, "target": {"path": "pointer", "extensions": )"
            R"({"KHR_animation_pointer": {"pointer": "/cameras/0/perspective/yfov"}}}}])");
  EXPECT_EQ(
      file.text("animations.0.samplers"),
      R"([{"input": 0, "output": 1}, {"input": 0, "output": 2, "interpolation": "STEP"}, {"input": 0, "output": 3}])");
  EXPECT_EQ(file.text("accessors.0"),
            R"({"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0.0], "max": [2.0]})");
  EXPECT_EQ(file.text("accessors.1"), R"({"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"})");
  EXPECT_EQ(file.text("accessors.2.type"), R"("VEC4")");
  EXPECT_EQ(file.text("accessors.3"), R"({"bufferView": 3, "componentType": 5126, "count": 2, "type": "SCALAR"})");
  EXPECT_EQ(f32_at(file.binary, file.start(1) + 12), 4);  // the fourth number of a translation is left out
  EXPECT_EQ(f32_at(file.binary, file.start(3) + 4), 1.25f);
  EXPECT_EQ(file.text("extensionsUsed"), R"(["KHR_animation_pointer"])");
}

TEST(Gltf, TwiceTheSameBytes) {
  Scene scene = film();
  Primitive p;
  add_sphere(p, 10);
  add_arrow(p, {}, {.color = Vec4{1, 0, 0, 1}});
  scene.meshes = {{"mesh", {p}}};
  scene.nodes[0].mesh = 0;
  EXPECT_EQ(*gltf::write_glb(scene), *gltf::write_glb(scene));
  EXPECT_EQ(*gltf::write_gltf(scene), *gltf::write_gltf(scene));
}

TEST(Gltf, TextHoldsTheBufferItself) {
  Primitive p = triangle();
  p.indices = {0, 1, 2};
  const Scene scene = scene_of(p);
  const auto text = gltf::write_gltf(scene);
  ASSERT_TRUE(text);
  auto json = json::read(*text);
  ASSERT_TRUE(json);
  const File glb = read_back(scene);
  const Bytes buffer(glb.binary.begin(), glb.binary.begin() + std::ptrdiff_t(glb.number("buffers.0.byteLength")));
  EXPECT_EQ(json->find("buffers")->at(0)->find("uri")->text(), gltf::data_uri(buffer));
  EXPECT_EQ(json->find("buffers")->at(0)->find("byteLength")->number(), f64(buffer.size()));
  EXPECT_EQ(json->find("nodes")->size(), 2u);
}

TEST(Gltf, DataUri) {
  const auto encoded = [](std::string_view s) { return gltf::data_uri(Bytes(s.begin(), s.end())).substr(37); };
  EXPECT_EQ(gltf::data_uri({}), "data:application/octet-stream;base64,");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xFB\xFF\xFE"), "+//+");
}

TEST(Gltf, ABrokenSceneIsRefused) {
  Scene scene = scene_of(triangle());
  scene.nodes[0].mesh = 4;
  scene.nodes[0].translation[0] = std::numeric_limits<f32>::infinity();
  for (const auto& error : {gltf::write_glb(scene).error(), gltf::write_gltf(scene).error()}) {
    EXPECT_EQ(error.id, "gltf.scene");
    EXPECT_EQ(error.severity, Severity::stop);
    EXPECT_EQ(error.found, "nodes[0].translation is not finite, and 1 more");
  }
}

TEST(Gltf, TooLargeAFileIsRefused) {
  const Bytes binary(5);
  const auto fits = gltf::pack_glb("{}", binary, 40);  // 12 + 8 + 4 + 8 + 8
  ASSERT_TRUE(fits);
  EXPECT_EQ(fits->size(), 40u);
  const auto larger = gltf::pack_glb("{}", binary, 39);
  ASSERT_FALSE(larger);
  EXPECT_EQ(larger.error().id, "gltf.size");
  EXPECT_EQ(larger.error().found, "40");
}

}  // namespace
