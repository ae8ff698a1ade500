#include "bridge/gltf/gltf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "bridge/gltf/container.hpp"
#include "bridge/png/png.hpp"
#include "core/json.hpp"
#include "scene/scene_of_everything.hpp"
#include "scene/shapes.hpp"

namespace {

using namespace dio;
using namespace dio::scene;

u32 u32_at(ByteView bytes, size_t i) {
  return bytes[i] | u32(bytes[i + 1]) << 8 | u32(bytes[i + 2]) << 16 | u32(bytes[i + 3]) << 24;
}
f32 f32_at(ByteView bytes, size_t i) { return std::bit_cast<f32>(u32_at(bytes, i)); }

/// A GLB file split into its JSON and binary chunks.
struct File {
  Value json;
  Bytes binary;

  /// Returns the value at a path such as `meshes.0.primitives`.
  const Value& at(std::string_view path) const {
    static const Value null{};
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
  /// Offset of the accessor's bytes in the buffer.
  size_t start(size_t accessor) const {
    const std::string of = "accessors." + std::to_string(accessor);
    return number("bufferViews." + text(of + ".bufferView") + ".byteOffset") + number(of + ".byteOffset");
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

/// Two cameras, of which nodes use only the first, and one animation that moves and zooms it.
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

TEST(Gltf, WritesEmptyScenesAsOneNode) {
  const auto glb = gltf::write_glb(Scene());
  ASSERT_TRUE(glb);
  EXPECT_EQ(u32_at(*glb, 12) + 20, glb->size());  // no binary chunk
  EXPECT_EQ(
      read_back(Scene()).text(""),
      R"({"asset": {"version": "2.0", "generator": "diorama"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"extras": {"diorama": {"metres_per_unit": 1}}}]})");
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
  EXPECT_EQ(file.text("nodes.0"), R"({"name": "a", "children": [1], "translation": [1, 2, 3], )"
                                  R"("rotation": [0, 1, 0, 0], "scale": [2, 2, 0]})");
  EXPECT_EQ(file.text("nodes.1"), R"({"extras": {"diorama": {"kind": "start"}}})");
  EXPECT_EQ(file.text("nodes.3"), R"({"name": "course", "children": [0, 2], "scale": [0.01, 0.01, 0.01], )"
                                  R"("extras": {"diorama": {"metres_per_unit": 0.01}}})");
}

TEST(Gltf, WritesVertexAttributesAndBounds) {
  Primitive p = triangle();
  p.normals.assign(3, k_axis_z);
  p.colors = {{0, 1, 0.5f, 1}, {0, 0, 0, 0}, {1, 1, 1, 1}};
  p.indices = {2, 1, 0};
  const File file = read_back(scene_of(p));
  EXPECT_EQ(
      file.text("meshes.0"),
      R"({"name": "mesh", "primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1, "COLOR_0": 2}, "indices": 3}]})");
  EXPECT_EQ(file.text("accessors.0"), R"({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", )"
                                      R"("min": [-3, -2, 0], "max": [1, 1, 0.5]})");
  EXPECT_EQ(file.text("accessors.1"),
            R"({"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 3, "type": "VEC3"})");
  EXPECT_EQ(file.text("accessors.2"),
            R"({"bufferView": 1, "componentType": 5123, "normalized": true, "count": 3, "type": "VEC4"})");
  EXPECT_EQ(file.text("accessors.3"), R"({"bufferView": 2, "componentType": 5123, "count": 3, "type": "SCALAR"})");
  EXPECT_EQ(file.text("bufferViews"),
            R"([{"buffer": 0, "byteLength": 72, "byteStride": 12, "target": 34962}, )"
            R"({"buffer": 0, "byteOffset": 72, "byteLength": 24, "byteStride": 8, "target": 34962}, )"
            R"({"buffer": 0, "byteOffset": 96, "byteLength": 6, "target": 34963}])");
  EXPECT_EQ(f32_at(file.binary, file.start(0) + 4), -2);
  EXPECT_EQ(f32_at(file.binary, file.start(0) + 20), 0.5f);
  EXPECT_EQ(u32_at(file.binary, file.start(2)), 0xFFFF0000);
  EXPECT_EQ(u32_at(file.binary, file.start(2) + 4), 0xFFFF8000);
  EXPECT_EQ(u32_at(file.binary, file.start(3)), 0x00010002u);
}

TEST(Gltf, UsesTheSmallestSufficientIndexType) {
  for (const auto& [vertices, type] : {std::pair(65535u, 5123u), {65536u, 5125u}}) {
    Primitive p;
    p.positions.resize(vertices);
    p.indices = {0, 1, vertices - 1};
    const File file = read_back(scene_of(p));
    EXPECT_EQ(file.number("accessors.1.componentType"), type) << vertices;  // 65535 itself would mean "restart"
    EXPECT_EQ(file.number("bufferViews.1.byteLength"), type == 5123 ? 6 : 12);
  }
}

TEST(Gltf, AlignsBufferViewsToFourBytes) {
  Primitive p = triangle();
  p.indices = {0, 1, 2};  // six bytes
  Scene scene = scene_of(p);
  p.uvs = {{8, 0}, {0, 0}, {0, 0}};
  scene.meshes[0].primitives.push_back(p);
  const File file = read_back(scene);
  EXPECT_EQ(file.text("bufferViews.2"),
            R"({"buffer": 0, "byteOffset": 44, "byteLength": 24, "byteStride": 8, "target": 34962})");
  EXPECT_EQ(f32_at(file.binary, 44), 8);
}

TEST(Gltf, WritesLinesAndPoints) {
  Scene scene = scene_of(primitive_of({{0, 0, 0}, {1, 1, 1}}, Primitive::Shape::lines));
  scene.meshes[0].primitives.push_back(primitive_of({{0, 0, 0}}, Primitive::Shape::points));
  scene.meshes[0].primitives.push_back(triangle());
  const File file = read_back(scene);
  EXPECT_EQ(file.text("meshes.0.primitives.0.mode"), "1");
  EXPECT_EQ(file.text("meshes.0.primitives.1.mode"), "0");
  EXPECT_EQ(file.text("meshes.0.primitives.2.mode"), "null");  // the default
}

TEST(Gltf, StoresEqualContentOnce) {
  Scene scene = scene_of(triangle());
  Primitive other = triangle();
  other.normals.assign(3, k_axis_x);
  scene.meshes[0].primitives.push_back(other);
  other.positions[0][0] = 7;
  scene.meshes[0].primitives.push_back(other);
  other.positions = other.normals;  // the same bytes with another meaning
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
  EXPECT_EQ(file.at("bufferViews").size(), 1u);
  EXPECT_EQ(file.number("buffers.0.byteLength"), 4 * 36u);
}

TEST(Gltf, OmitsEmptyAndUnusedParts) {
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

TEST(Gltf, SharesAMeshBetweenNodes) {
  Scene scene = scene_of(triangle());
  scene.nodes.push_back(scene.nodes[0]);
  const File file = read_back(scene);
  EXPECT_EQ(file.at("meshes").size(), 1u);
  EXPECT_EQ(file.text("nodes.1.mesh"), "0");
}

TEST(Gltf, WritesMaterialProperties) {
  Scene scene = scene_of(triangle());
  scene.materials = {{.name = "lit", .color = {0.25f, 0.5f, 1, 1}, .unlit = false},
                     {.name = {}, .unlit = true, .double_sided = true, .alpha = Material::Alpha::blend},
                     {.name = {}, .unlit = false, .alpha = Material::Alpha::mask}};
  auto& primitives = scene.meshes[0].primitives;
  primitives.resize(3, primitives[0]);
  for (u32 i = 0; i < 3; ++i) primitives[i].material = i;
  File file = read_back(scene);
  EXPECT_EQ(file.text("materials.0"),
            R"({"name": "lit", "pbrMetallicRoughness": {"baseColorFactor": [0.25, 0.5, 1, 1], "metallicFactor": 0}})");
  EXPECT_EQ(file.text("materials.1"), R"({"pbrMetallicRoughness": {"metallicFactor": 0}, "alphaMode": "BLEND", )"
                                      R"("doubleSided": true, "extensions": {"KHR_materials_unlit": {}}})");
  EXPECT_EQ(file.text("materials.2"), R"({"pbrMetallicRoughness": {"metallicFactor": 0}, "alphaMode": "MASK"})");
  EXPECT_EQ(file.text("extensionsUsed"), R"(["KHR_materials_unlit"])");
  EXPECT_EQ(file.text("extensionsRequired"), "null");
  scene.materials[1].unlit = false;
  EXPECT_EQ(read_back(scene).text("extensionsUsed"), "null");
}

TEST(Gltf, MergesEqualMaterialsUnlessAnimated) {
  Scene scene = scene_of(triangle());
  const Material red{.name = "red", .color = {1, 0, 0, 1}};
  Material other = red;
  other.extras = Value::object();
  scene.materials = {red, red, other, red, {.name = "wine", .color = {1, 0, 0, 1}}};
  auto& primitives = scene.meshes[0].primitives;
  primitives.resize(5, primitives[0]);
  for (u32 i = 0; i < 5; ++i) primitives[i].material = i;
  const auto written = [&] {
    const File file = read_back(scene);
    std::string out;
    for (const char* i : {"0", "1", "2", "3", "4"})
      out += file.text(std::string("meshes.0.primitives.") + i + ".material") + " ";
    return out + "of " + std::to_string(file.at("materials").size());
  };
  EXPECT_EQ(written(), "0 0 1 0 2 of 3");
  scene.animations = {
      {.name = "fades", .material_channels = {{.material = 1, .times = {0}, .values = {{1, 1, 1, 1}}}}}};
  EXPECT_EQ(written(), "0 1 2 0 3 of 4");
  const File file = read_back(scene);
  EXPECT_EQ(file.at("animations.0.channels.0.target.extensions.KHR_animation_pointer.pointer").text(),
            "/materials/1/pbrMetallicRoughness/baseColorFactor");
}

TEST(Gltf, WritesOnlyUsedVariants) {
  Scene scene = scene_of(triangle());
  scene.materials = {{.name = "day"}, {.name = "night"}, {.name = "rain"}, {.name = "unused"}, {.name = "day"}};
  scene.variants = {"unused", "night", "late night", "rain", "day"};
  auto& primitives = scene.meshes[0].primitives;
  primitives.resize(3, primitives[0]);
  for (Primitive& p : primitives) p.material = 0;
  primitives[1].in_variants = {{2, 1}, {3, 2}, {1, 1}, {4, 4}};  // the last one equals the default material
  primitives[2].material = k_none;
  primitives[2].in_variants = {{3, 1}};
  const File file = read_back(scene);
  EXPECT_EQ(file.text("extensionsUsed"), R"(["KHR_materials_unlit", "KHR_materials_variants"])");
  EXPECT_EQ(file.text("extensionsRequired"), "null");
  EXPECT_EQ(
      file.text("extensions"),
      R"({"KHR_materials_variants": {"variants": [{"name": "late night"}, {"name": "rain"}, {"name": "night"}]}})");
  EXPECT_EQ(file.text("materials.1.name"), R"("night")");
  EXPECT_EQ(file.at("materials").size(), 3u);
  EXPECT_EQ(file.text("meshes.0.primitives.0.extensions"), "null");
  EXPECT_EQ(file.text("meshes.0.primitives.1.extensions.KHR_materials_variants"),
            R"({"mappings": [{"material": 1, "variants": [0, 2]}, {"material": 2, "variants": [1]}]})");
  EXPECT_EQ(file.text("meshes.0.primitives.2.extensions.KHR_materials_variants"),
            R"({"mappings": [{"material": 1, "variants": [1]}]})");
}

TEST(Gltf, WritesVertexSourcesAsFloats) {
  Primitive p = triangle(), other = triangle();
  p.sources = {0, 3, (1 << 24) - 1};
  other.sources = {0, 3, 4};
  Scene scene = scene_of(p);
  scene.meshes[0].primitives.push_back(other);
  const File file = read_back(scene);
  EXPECT_EQ(file.text("meshes.0.primitives.0.attributes"), R"({"POSITION": 0, "_SOURCE": 1})");
  EXPECT_EQ(file.text("meshes.0.primitives.1.attributes"), R"({"POSITION": 0, "_SOURCE": 2})");
  EXPECT_EQ(file.text("accessors.1"), R"({"bufferView": 1, "componentType": 5126, "count": 3, "type": "SCALAR"})");
  EXPECT_EQ(file.text("bufferViews.1.target"), "34962");
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(f32_at(file.binary, file.start(1) + 4 * i), f32(p.sources[i]));
  EXPECT_EQ(u32(f32_at(file.binary, file.start(1) + 8)), 0xFFFFFFu);
}

TEST(Gltf, AttachesLightsToTheirNodes) {
  Scene scene;
  scene.lights = {{"unused"}, {"sun", {1, 0.75f, 0.5f}, 2}, {}};
  scene.nodes.resize(3);
  scene.nodes[0] = {.name = "a", .light = 1, .visible = false, .extras = {}};
  scene.nodes[1] = {.name = "b", .light = 2, .extras = {}};
  scene.nodes[2] = {.name = "c", .parent = 1, .light = 1, .extras = {}};
  const File file = read_back(scene);
  EXPECT_EQ(file.text("extensionsUsed"), R"(["KHR_lights_punctual", "KHR_node_visibility"])");
  EXPECT_EQ(file.text("extensions.KHR_lights_punctual"),
            R"({"lights": [{"name": "sun", "type": "directional", "color": [1, 0.75, 0.5], "intensity": 2}, )"
            R"({"type": "directional", "intensity": 1}]})");
  EXPECT_EQ(file.text("nodes.0.extensions"),
            R"({"KHR_lights_punctual": {"light": 0}, "KHR_node_visibility": {"visible": false}})");
  EXPECT_EQ(file.text("nodes.1.extensions"), R"({"KHR_lights_punctual": {"light": 1}})");
  EXPECT_EQ(file.text("nodes.2.extensions"), R"({"KHR_lights_punctual": {"light": 0}})");
  EXPECT_EQ(file.text("nodes.3.children"), "[0, 1]") << "below the node that scales to metres";
}

TEST(Gltf, WritesCameraDistancesInMetres) {
  const File file = read_back(film());
  EXPECT_EQ(file.text("cameras"),
            R"([{"name": "pan", "type": "perspective", "perspective": {"yfov": 0.75, "znear": 1, "zfar": 500}}])");
  EXPECT_EQ(file.text("nodes.1"), R"({"camera": 0})");
}

/// Three trees in a field; the last one is in a rotating wheelbarrow.
Scene trees() {
  Scene scene = scene_of(triangle());
  scene.nodes.resize(5);
  scene.nodes[0] = {.name = "field", .extras = {}};
  scene.nodes[1] = {.name = "one", .parent = 0, .translation = {1, 2, 3}, .scale = {2, 2, 2}, .mesh = 0, .extras = {}};
  scene.nodes[2] = {.name = "hill", .parent = 0, .translation = {0, 5, 0}, .scale = {1, 3, 1}, .extras = {}};
  scene.nodes[3] = {.name = "two", .parent = 2, .translation = {4, 1, 0}, .mesh = 0, .extras = {}};
  scene.nodes[4] = {.name = "three", .parent = 0, .mesh = 0, .extras = {}};
  scene.animations = {{"turn", {{.node = 4, .times = {0}, .values = {{9, 0, 0, 0}}}}}};
  return scene;
}
File with_instances(const Scene& scene) {
  const auto glb = gltf::write_glb(scene, {.instances = true});
  EXPECT_TRUE(glb.has_value());
  File file;
  const size_t length = u32_at(*glb, 12);
  file.json = *json::read(std::string(glb->begin() + 20, glb->begin() + 20 + std::ptrdiff_t(length)));
  file.binary.assign(glb->begin() + 28 + std::ptrdiff_t(length), glb->end());
  return file;
}

TEST(Gltf, InstancesOnlyStaticNodes) {
  const File file = with_instances(trees());
  EXPECT_EQ(file.text("extensionsRequired"), R"(["EXT_mesh_gpu_instancing"])");
  ASSERT_EQ(file.at("nodes").size(), 7u);
  EXPECT_EQ(file.text("nodes.1.mesh"), "null");
  EXPECT_EQ(file.text("nodes.1.name"), R"("one")") << "the node stays";
  EXPECT_EQ(file.text("nodes.3.mesh"), "null");
  EXPECT_EQ(file.text("nodes.4.mesh"), "0") << "it moves";
  EXPECT_EQ(file.text("nodes.5.children"), "[0, 6]") << "what both hang on is all still, up to the top";
  EXPECT_EQ(file.text("nodes.6.mesh"), "0");
  const std::string attributes = "nodes.6.extensions.EXT_mesh_gpu_instancing.attributes.";
  const size_t moved = file.start(file.number(attributes + "TRANSLATION"));
  EXPECT_EQ(f32_at(file.binary, moved), 1);
  EXPECT_EQ(f32_at(file.binary, moved + 12), 4);
  EXPECT_EQ(f32_at(file.binary, moved + 16), 8) << "5 + 3 * 1";
  const size_t scaled = file.start(file.number(attributes + "SCALE"));
  EXPECT_EQ(f32_at(file.binary, scaled), 2);
  EXPECT_EQ(f32_at(file.binary, scaled + 16), 3);
  EXPECT_EQ(file.text("accessors." + file.text(attributes + "ROTATION") + ".type"), R"("VEC4")");
}

TEST(Gltf, SkewedOrHiddenNodesAreNotInstanced) {
  Scene crooked = trees();  // rotated, then stretched: not a scale, rotation and translation
  crooked.nodes[3].rotation = from_axis_degrees(k_axis_z, 45);
  EXPECT_EQ(with_instances(crooked).text("extensionsRequired"), "null");
  Scene hidden = trees();
  hidden.nodes[2].visible = false;
  EXPECT_EQ(with_instances(hidden).text("nodes.3.mesh"), "0");
  EXPECT_EQ(read_back(trees()).text("nodes.1.mesh"), "0") << "nobody asked for instances";
}

TEST(Gltf, WritesOrthographicCamerasInMetres) {
  Scene scene = film();
  scene.animations.clear();
  scene.cameras[1].half_height = 96;
  EXPECT_EQ(read_back(scene).text("cameras"), R"([{"name": "pan", "type": "orthographic", "orthographic": )"
                                              R"({"xmag": 64, "ymag": 48, "znear": 1, "zfar": 500}}])");
}

TEST(Gltf, AnimatesFieldOfViewWithTheCamera) {
  const File file = read_back(film());
  ASSERT_EQ(file.at("animations").size(), 1u);  // the one without channels is omitted
  EXPECT_EQ(file.text("animations.0.channels"),
            R"([{"sampler": 0, "target": {"node": 1, "path": "translation"}}, )"
            R"({"sampler": 1, "target": {"node": 1, "path": "rotation"}}, )"
            R"({"sampler": 2, "target": {"path": "pointer", "extensions": )"
            R"({"KHR_animation_pointer": {"pointer": "/cameras/0/perspective/yfov"}}}}])");
  EXPECT_EQ(
      file.text("animations.0.samplers"),
      R"([{"input": 0, "output": 1}, {"input": 0, "output": 2, "interpolation": "STEP"}, {"input": 0, "output": 3}])");
  EXPECT_EQ(file.text("accessors.0"),
            R"({"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [2]})");
  EXPECT_EQ(file.text("accessors.1"),
            R"({"bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 2, "type": "VEC3"})");
  EXPECT_EQ(file.text("accessors.2.type"), R"("VEC4")");
  EXPECT_EQ(file.text("accessors.3"),
            R"({"bufferView": 0, "byteOffset": 64, "componentType": 5126, "count": 2, "type": "SCALAR"})");
  EXPECT_EQ(f32_at(file.binary, file.start(1) + 12), 4);  // the fourth number of a translation is omitted
  EXPECT_EQ(f32_at(file.binary, file.start(3) + 4), 1.25f);
  EXPECT_EQ(file.text("extensionsUsed"), R"(["KHR_animation_pointer"])");
}

// ---- textures ----

Image picture(u8 red) { return {"picture", 2, 1, 1, {{red, 0, 0, 255}, {0, 0, 0, 255}}, {0, 1}}; }

/// A textured square for each material.
Scene textured(std::vector<Material> materials) {
  Primitive p = triangle();
  p.uvs = {{0, 0}, {1, 0}, {0, -2.5f}};
  Scene scene = scene_of(p);
  scene.images = {picture(1), picture(2), picture(1)};
  scene.materials = std::move(materials);
  scene.meshes[0].primitives.resize(scene.materials.size(), p);
  for (u32 i = 0; i < scene.materials.size(); ++i) scene.meshes[0].primitives[i].material = i;
  return scene;
}

TEST(Gltf, WritesTextureCoordinates) {
  Scene scene = textured({{.name = "m", .texture = 0}});
  scene.textures = {{.name = "t", .image = 0}};
  const File file = read_back(scene);
  EXPECT_EQ(file.text("meshes.0.primitives.0.attributes"), R"({"POSITION": 0, "TEXCOORD_0": 1})");
  EXPECT_EQ(file.text("accessors.1"), R"({"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"})");
  EXPECT_EQ(file.number("bufferViews.1.target"), 34962u);
  EXPECT_EQ(f32_at(file.binary, file.start(1) + 20), -2.5f);
}

TEST(Gltf, StoresImagesAsPngInTheBuffer) {
  Scene scene = textured({{.name = "m", .texture = 0}});
  scene.textures = {{.name = "t", .image = 1}};
  const File file = read_back(scene);
  EXPECT_EQ(file.text("materials.0.pbrMetallicRoughness"),
            R"({"baseColorTexture": {"index": 0}, "metallicFactor": 0})");
  EXPECT_EQ(file.text("textures"), R"([{"name": "t", "sampler": 0, "source": 0}])");
  EXPECT_EQ(file.text("images"), R"([{"name": "picture", "mimeType": "image/png", "bufferView": 2}])");
  EXPECT_EQ(file.text("bufferViews.2.target"), "null");
  const auto start = file.binary.begin() + std::ptrdiff_t(file.number("bufferViews.2.byteOffset"));
  const Bytes stored(start, start + std::ptrdiff_t(file.number("bufferViews.2.byteLength")));
  EXPECT_EQ(stored, png::write_png(scene.images[1]));
}

TEST(Gltf, WritesSamplersForWrapAndFilterModes) {
  using enum Texture::Wrap;
  Scene scene = textured({{.name = "a", .texture = 0}, {.name = "b", .texture = 1}, {.name = "c", .texture = 2}});
  scene.textures = {{"a", 0}, {"b", 0, clamp, mirror}, {"c", 0, repeat, repeat, false}};
  const File file = read_back(scene);
  EXPECT_EQ(file.text("samplers"), R"([{"magFilter": 9728, "minFilter": 9728}, )"
                                   R"({"magFilter": 9728, "minFilter": 9728, "wrapS": 33071, "wrapT": 33648}, )"
                                   R"({"magFilter": 9729, "minFilter": 9729}])");
  EXPECT_EQ(file.at("textures").size(), 3u);
  EXPECT_EQ(file.at("images").size(), 1u);
}

TEST(Gltf, WritesEqualTexturesOnceAndOmitsUnusedOnes) {
  using enum Texture::Wrap;
  Scene scene = textured({{.name = "a", .texture = 2}, {.name = "b", .texture = 3}, {.name = "c", .texture = 1}});
  // The first texture is unused, the second has another image, and the last two have equal images.
  scene.textures = {{"unused", 0, clamp}, {"other", 1}, {"same", 0}, {"same again", 2}};
  scene.materials.push_back({.name = "unused", .texture = 0});
  const File file = read_back(scene);
  EXPECT_EQ(file.text("textures"),
            R"([{"name": "same", "sampler": 0, "source": 0}, {"name": "other", "sampler": 0, "source": 1}])");
  EXPECT_EQ(file.at("images").size(), 2u);
  EXPECT_EQ(file.at("samplers").size(), 1u);
  EXPECT_EQ(file.at("materials").size(), 3u);
  EXPECT_EQ(file.number("materials.0.pbrMetallicRoughness.baseColorTexture.index"), 0u);
  EXPECT_EQ(file.number("materials.1.pbrMetallicRoughness.baseColorTexture.index"), 0u);
  EXPECT_EQ(file.number("materials.2.pbrMetallicRoughness.baseColorTexture.index"), 1u);
}

TEST(Gltf, WritesTextureTransformAndAlphaCutoff) {
  Scene scene = textured({{.name = "a",
                           .alpha = Material::Alpha::mask,
                           .alpha_cutoff = 0.25f,
                           .texture = 0,
                           .transform = {{0.5f, 0}, 0, {1, 2}}},
                          {.name = "b", .alpha_cutoff = 0.25f, .texture = 0},
                          {.name = "c", .texture = 0, .transform = {{0, 0}, 0.5f, {1, 1}}}});
  scene.textures = {{.name = "t", .image = 0}};
  scene.materials[2].extras = Value::object();
  scene.materials[2].extras.add("flags", 3);
  const File file = read_back(scene);
  EXPECT_EQ(file.text("materials.0.pbrMetallicRoughness.baseColorTexture"),
            R"({"index": 0, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0], "scale": [1, 2]}}})");
  EXPECT_EQ(file.text("materials.0.alphaCutoff"), "0.25");
  EXPECT_EQ(file.text("materials.1.alphaCutoff"), "null");  // only masks have a cutoff
  EXPECT_EQ(file.text("materials.1.pbrMetallicRoughness.baseColorTexture"), R"({"index": 0})");
  EXPECT_EQ(file.text("materials.2.pbrMetallicRoughness.baseColorTexture.extensions"),
            R"({"KHR_texture_transform": {"rotation": 0.5}})");
  EXPECT_EQ(file.text("materials.2.extras"), R"({"diorama": {"flags": 3}})");
  EXPECT_EQ(file.text("extensionsUsed"), R"(["KHR_materials_unlit", "KHR_texture_transform"])");
}

TEST(Gltf, WritesMaterialAnimations) {
  using Target = MaterialChannel::Target;
  Scene scene = textured({{.name = "unused"}, {.name = "plain"}, {.name = "textured", .texture = 0}});
  scene.textures = {{.name = "t", .image = 0}};
  scene.meshes[0].primitives.erase(scene.meshes[0].primitives.begin());
  const auto channel = [](Index material, Target target) {
    return MaterialChannel{
        .material = material, .target = target, .times = {0, 1}, .values = {{0.5f, 0.25f, 1, 1}, {0, 0, 0, 0}}};
  };
  // Channels for an unused material and for a missing texture have no target.
  scene.animations = {{.name = "a", .material_channels = {channel(0, Target::color), channel(1, Target::offset)}},
                      {.name = "b",
                       .material_channels = {channel(1, Target::color), channel(2, Target::offset),
                                             channel(2, Target::rotation), channel(2, Target::scale)},
                       .extras = Value::object()}};
  scene.animations[1].material_channels[3].interpolation = Channel::Interpolation::step;
  scene.animations[1].extras.add("frames", 60);
  const File file = read_back(scene);
  ASSERT_EQ(file.at("animations").size(), 1u);
  EXPECT_EQ(file.text("animations.0.extras"), R"({"diorama": {"frames": 60}})");
  const std::array pointers{"0/pbrMetallicRoughness/baseColorFactor",
                            "1/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset",
                            "1/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/rotation",
                            "1/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/scale"};
  const std::array types{"VEC4", "VEC2", "SCALAR", "VEC2"};
  for (size_t i = 0; i < 4; ++i) {
    const std::string place = std::to_string(i);
    EXPECT_EQ(file.at("animations.0.channels." + place + ".target.extensions.KHR_animation_pointer.pointer").text(),
              std::string("/materials/") + pointers[i]);
    const std::string output = file.text("animations.0.samplers." + place + ".output");
    EXPECT_EQ(file.at("accessors." + output + ".type").text(), types[i]);
  }
  EXPECT_EQ(file.text("animations.0.samplers.3.interpolation"), R"("STEP")");
  // Animated properties are written even at their default value, because the animation points at them.
  EXPECT_EQ(file.text("materials.0.pbrMetallicRoughness"), R"({"baseColorFactor": [1, 1, 1, 1], "metallicFactor": 0})");
  EXPECT_EQ(file.text("materials.1.pbrMetallicRoughness.baseColorTexture.extensions.KHR_texture_transform"),
            R"({"offset": [0, 0], "rotation": 0, "scale": [1, 1]})");
  EXPECT_EQ(file.text("materials.1.pbrMetallicRoughness.baseColorFactor"), "null");
  EXPECT_EQ(f32_at(file.binary, file.start(file.number("animations.0.samplers.1.output")) + 4), 0.25f);
}

// ---- skins ----

constexpr Mat4 k_identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/// Nodes 0 and its child 1 are joints; node 2, also a child of 0, has the mesh.
Scene skinned() {
  Scene scene;
  Primitive p = triangle();
  p.joints = {{1, 0, 0, 0}, {0, 1, 9, 9}, {1, 1, 9, 9}};
  p.weights = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0.25f, 0.75f, 0, 0}};
  scene.meshes = {{"mesh", {p}}};
  scene.skins = {{"skin", {1, 0}, {k_identity, k_identity}}};
  scene.skins[0].inverse_bind[1][13] = -2.5f;
  scene.nodes = {{.name = "pole"},
                 {.name = "top", .parent = 0},
                 {.name = "flag", .parent = 0, .translation = {1, 2, 3}, .mesh = 0, .skin = 0}};
  return scene;
}

TEST(Gltf, WritesSkinsAndJointWeights) {
  const File file = read_back(skinned());
  EXPECT_EQ(file.text("skins"), R"([{"name": "skin", "inverseBindMatrices": 3, "joints": [1, 0]}])");
  EXPECT_EQ(file.text("accessors.3"), R"({"bufferView": 2, "componentType": 5126, "count": 2, "type": "MAT4"})");
  EXPECT_EQ(file.text("bufferViews.2.target"), "null");
  EXPECT_EQ(f32_at(file.binary, file.start(3) + 64 + 13 * 4), -2.5f);
  EXPECT_EQ(f32_at(file.binary, file.start(3) + 64 + 15 * 4), 1);
  EXPECT_EQ(file.text("meshes.0.primitives.0.attributes"), R"({"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2})");
  // With whole weights, bytes are exact; a joint named twice counts once.
  EXPECT_EQ(file.text("accessors.1"), R"({"bufferView": 1, "componentType": 5121, "count": 3, "type": "VEC4"})");
  EXPECT_EQ(
      file.text("accessors.2"),
      R"({"bufferView": 1, "byteOffset": 12, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC4"})");
  EXPECT_EQ(u32_at(file.binary, file.start(1)), 0x00000001u);
  EXPECT_EQ(u32_at(file.binary, file.start(1) + 4), 0x00000100u);  // 0 where the weight is 0
  EXPECT_EQ(u32_at(file.binary, file.start(1) + 8), 0x00000001u);
  EXPECT_EQ(u32_at(file.binary, file.start(2)), 0x000000FFu);
  EXPECT_EQ(u32_at(file.binary, file.start(2) + 4), 0x0000FF00u);
  EXPECT_EQ(u32_at(file.binary, file.start(2) + 8), 0x000000FFu);
}

TEST(Gltf, FractionalWeightsAreFloatsThatSumToOne) {
  Scene scene = skinned();
  scene.meshes[0].primitives[0].weights[1] = {0.7f, 0.2995f, 0, 0};
  const File file = read_back(scene);
  EXPECT_EQ(file.text("accessors.2"), R"({"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC4"})");
  const f32 a = f32_at(file.binary, file.start(2) + 16), b = f32_at(file.binary, file.start(2) + 20);
  EXPECT_NEAR(f64(a) + b, 1, 1e-7);
  EXPECT_NEAR(a / b, 0.7 / 0.2995, 1e-5);
}

TEST(Gltf, StoresLargeJointIndicesInTwoBytes) {
  Scene scene = skinned();
  for (u32 i = 3; i < 300; ++i) {
    scene.nodes.push_back({.name = "joint", .parent = 0});
    scene.skins[0].joints.push_back(i);
    scene.skins[0].inverse_bind.push_back(k_identity);
  }
  scene.meshes[0].primitives[0].joints[0][0] = 255;
  EXPECT_EQ(read_back(scene).number("accessors.1.componentType"), 5121u);
  scene.meshes[0].primitives[0].joints[0][0] = 256;
  const File file = read_back(scene);
  EXPECT_EQ(file.number("accessors.1.componentType"), 5123u);
  EXPECT_EQ(u32_at(file.binary, file.start(1)), 256u);
}

TEST(Gltf, WritesSkinnedMeshesAsUntransformedRoots) {
  const File file = read_back(skinned());
  EXPECT_EQ(file.text("nodes"), R"([{"name": "pole", "children": [1]}, {"name": "top"}, )"
                                R"({"name": "flag", "mesh": 0, "skin": 0}, )"
                                R"({"children": [0], "extras": {"diorama": {"metres_per_unit": 1}}}])");
  EXPECT_EQ(file.text("scenes.0.nodes"), "[3, 2]");
}

TEST(Gltf, GivesSkinnedMeshesTheirOwnNodeIfNeeded) {
  const std::string place = R"({"name": "flag", "translation": [1, 2, 3]})";
  const std::string mesh = R"({"name": "flag", "mesh": 0, "skin": 0})";
  Scene with_child = skinned(), as_joint = skinned(), moved = skinned(), with_camera = skinned();
  with_child.nodes.push_back({.name = "child", .parent = 2});
  as_joint.skins[0].joints[0] = 2;
  moved.animations = {{.name = "a", .channels = {{.node = 2, .times = {0}, .values = {{1, 2, 3}}}}}};
  with_camera.cameras.resize(1);
  with_camera.nodes[2].camera = 0;
  for (const Scene& scene : {with_child, as_joint, moved, with_camera}) {
    const File file = read_back(scene);
    const size_t top = scene.nodes.size();
    EXPECT_EQ(file.text("scenes.0.nodes"), "[" + std::to_string(top) + ", " + std::to_string(top + 1) + "]");
    EXPECT_EQ(file.text("nodes." + std::to_string(top + 1)), mesh);
    EXPECT_EQ(file.text("nodes.0.children"), "[1, 2]");
    EXPECT_EQ(file.text("nodes.2.translation"), "[1, 2, 3]");
    EXPECT_EQ(file.text("nodes.2.mesh"), "null");
  }
}

// ---- visibility ----

constexpr std::string_view k_unseen = R"({"KHR_node_visibility": {"visible": false}})";
constexpr std::string_view k_seen = R"({"KHR_node_visibility": {"visible": true}})";

/// The pointers and nodes that an animation changes, in order.
std::vector<std::string> moved_in(const File& file) {
  std::vector<std::string> out;
  for (size_t i = 0; i < file.at("animations.0.channels").size(); ++i) {
    const std::string target = "animations.0.channels." + std::to_string(i) + ".target";
    const Value& pointer = file.at(target + ".extensions.KHR_animation_pointer.pointer");
    out.push_back(pointer.is(Value::Kind::text)
                      ? pointer.text()
                      : "node " + file.text(target + ".node") + " " + file.at(target + ".path").text());
  }
  return out;
}
std::string visible_pointer(u32 node) {
  return "/nodes/" + std::to_string(node) + "/extensions/KHR_node_visibility/visible";
}

TEST(Gltf, ScalesHiddenNodesToZero) {
  Scene scene = scene_of(triangle());
  scene.nodes[0].visible = false;
  scene.nodes[0].scale = {2, 3, 4};
  const File file = read_back(scene);
  EXPECT_EQ(file.text("nodes.0.scale"), "[0, 0, 0]");
  EXPECT_EQ(file.text("nodes.0.extensions"), k_unseen);
  EXPECT_EQ(file.text("extensionsUsed"), R"(["KHR_node_visibility"])");
}

TEST(Gltf, AnimatesScaleAsVisibilityFallback) {
  Scene scene = scene_of(triangle());
  scene.nodes[0].scale = {2, 3, 4};
  scene.animations = {{.name = "a", .visibility_channels = {{0, {0, 1, 2}, {1, 0, 1}}}}};
  const File file = read_back(scene);
  EXPECT_EQ(file.text("nodes.0.scale"), "[2, 3, 4]");
  EXPECT_EQ(file.text("nodes.0.extensions"), k_seen);
  EXPECT_THAT(moved_in(file), testing::ElementsAre(visible_pointer(0), "node 0 scale"));
  EXPECT_EQ(file.text("animations.0.samplers"), R"([{"input": 1, "output": 2, "interpolation": "STEP"}, )"
                                                R"({"input": 1, "output": 3, "interpolation": "STEP"}])");
  EXPECT_EQ(file.text("accessors.2"),
            R"({"bufferView": 1, "byteOffset": 12, "componentType": 5121, "count": 3, "type": "SCALAR"})");
  const auto flags = file.binary.begin() + std::ptrdiff_t(file.start(2));
  EXPECT_EQ(Bytes(flags, flags + 3), (Bytes{1, 0, 1}));
  for (size_t i = 0; i < 9; ++i)
    EXPECT_EQ(f32_at(file.binary, file.start(3) + 4 * i), i / 3 == 1 ? 0 : f32(2 + i % 3)) << i;
  EXPECT_EQ(file.text("extensionsUsed"), R"(["KHR_animation_pointer", "KHR_node_visibility"])");
}

TEST(Gltf, OmitsScaleAnimationsOfHiddenNodes) {
  Scene scene = scene_of(triangle());
  scene.nodes[0].visible = false;
  const Channel::Target scale = Channel::Target::scale;
  scene.animations = {{.name = "a", .channels = {{.node = 0, .target = scale, .times = {0}, .values = {{1, 1, 1}}}}}};
  EXPECT_EQ(read_back(scene).text("animations"), "null");
  scene.nodes[0].visible = true;
  EXPECT_THAT(moved_in(read_back(scene)), testing::ElementsAre("node 0 scale"));
}

TEST(Gltf, SkinnedMeshesInheritVisibilityFromParents) {
  Scene scene = skinned();
  scene.nodes[0].visible = false;
  scene.animations = {{.name = "a", .visibility_channels = {{0, {0, 2}, {1, 0}}, {2, {1, 2, 3}, {0, 1, 1}}}}};
  const File file = read_back(scene);
  EXPECT_EQ(file.text("nodes.0.scale"), "[0, 0, 0]");  // above all joints: the mesh disappears with them
  EXPECT_EQ(file.text("nodes.0.extensions"), k_unseen);
  EXPECT_EQ(file.text("nodes.2"), R"({"name": "flag", "mesh": 0, "skin": 0, "extensions": )" + std::string(k_unseen) +
                                      "}");  // a root that keeps its scale, which has no effect
  EXPECT_THAT(moved_in(file), testing::ElementsAre(visible_pointer(0), "node 0 scale", visible_pointer(2)));
  const size_t times = file.number("animations.0.samplers.2.input"),
               flags = file.number("animations.0.samplers.2.output");
  ASSERT_EQ(file.number("accessors." + std::to_string(times) + ".count"), 4u);
  for (u32 i = 0; i < 4; ++i) EXPECT_EQ(f32_at(file.binary, file.start(times) + 4 * i), f32(i));
  // The pole is visible until time 2 and the flag from time 2 on: they are never visible together.
  const auto start = file.binary.begin() + std::ptrdiff_t(file.start(flags));
  EXPECT_EQ(Bytes(start, start + 4), (Bytes{0, 0, 0, 0}));
  scene.animations[0].visibility_channels[0].visible[1] = 1;
  const File later = read_back(scene);
  const auto seen = later.binary.begin() + std::ptrdiff_t(later.start(later.number("animations.0.samplers.2.output")));
  EXPECT_EQ(Bytes(seen, seen + 4), (Bytes{0, 0, 1, 1}));
}

TEST(Gltf, SkinnedMeshesStayHiddenUnderHiddenParents) {
  Scene scene = skinned();
  scene.nodes[0].visible = false;
  scene.animations = {{.name = "a", .visibility_channels = {{2, {1, 2}, {1, 1}}}}};
  const File file = read_back(scene);
  EXPECT_THAT(moved_in(file), testing::ElementsAre(visible_pointer(2)));
  const auto start = file.binary.begin() + std::ptrdiff_t(file.start(file.number("animations.0.samplers.0.output")));
  EXPECT_EQ(Bytes(start, start + 2), (Bytes{0, 0}));
}

TEST(Gltf, HiddenJointsOfVisibleMeshesKeepTheirScale) {
  Scene scene = skinned();
  scene.nodes[2].parent = k_none;  // the pole is no longer above the mesh
  scene.nodes[0].visible = false;
  scene.animations = {{.name = "a", .visibility_channels = {{1, {0}, {0}}}}};
  const File file = read_back(scene);
  EXPECT_EQ(file.text("nodes.0.scale"), "null");
  EXPECT_EQ(file.text("nodes.0.extensions"), k_unseen);
  EXPECT_EQ(file.text("nodes.2.extensions"), "null");
  EXPECT_THAT(moved_in(file), testing::ElementsAre(visible_pointer(1)));
}

TEST(Gltf, HiddenCameraNodesKeepTheirScale) {
  Scene scene = film();
  scene.nodes[0].visible = false;
  EXPECT_EQ(read_back(scene).text("nodes.0.scale"), "null");
  EXPECT_EQ(read_back(scene).text("nodes.0.extensions"), k_unseen);
}

TEST(Gltf, WritesEveryPartOfAScene) {
  const File file = read_back(SceneOfEverything::make());
  EXPECT_EQ(file.text("extensionsUsed"), R"(["KHR_animation_pointer", "KHR_lights_punctual", "KHR_materials_unlit", )"
                                         R"("KHR_materials_variants", "KHR_node_visibility", )"
                                         R"("KHR_texture_transform"])");
  EXPECT_EQ(file.at("skins").size(), 2u);
  EXPECT_EQ(file.at("images").size(), 2u);
  EXPECT_EQ(file.at("textures").size(), 5u);  // two of six are equal
  EXPECT_EQ(file.at("samplers").size(), 5u);
  EXPECT_EQ(file.at("cameras").size(), 1u);
}

TEST(Gltf, WritesTheSameBytesEachTime) {
  Scene scene = film();
  Primitive p;
  add_sphere(p, 10);
  add_arrow(p, {}, {.color = Vec4{1, 0, 0, 1}});
  scene.meshes = {{"mesh", {p}}};
  scene.nodes[0].mesh = 0;
  EXPECT_EQ(*gltf::write_glb(scene), *gltf::write_glb(scene));
  EXPECT_EQ(*gltf::write_gltf(scene), *gltf::write_gltf(scene));
  EXPECT_EQ(*gltf::write_glb(SceneOfEverything::make()), *gltf::write_glb(SceneOfEverything::make()));
}

TEST(Gltf, TextFilesEmbedTheBuffer) {
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

TEST(Gltf, EncodesDataUrisAsBase64) {
  const auto encoded = [](std::string_view s) { return gltf::data_uri(Bytes(s.begin(), s.end())).substr(37); };
  EXPECT_EQ(gltf::data_uri({}), "data:application/octet-stream;base64,");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xFB\xFF\xFE"), "+//+");
}

TEST(Gltf, RejectsInvalidScenes) {
  Scene scene = scene_of(triangle());
  scene.nodes[0].mesh = 4;
  scene.nodes[0].translation[0] = std::numeric_limits<f32>::infinity();
  for (const auto& error : {gltf::write_glb(scene).error(), gltf::write_gltf(scene).error()}) {
    EXPECT_EQ(error.id, "scene.invalid");
    EXPECT_EQ(error.severity, Severity::stop);
    EXPECT_EQ(error.message, "the scene is not valid: nodes[0].translation is not finite, and 1 more fault");
  }
}

TEST(Gltf, RejectsFilesOverTheSizeLimit) {
  const auto fits = gltf::start_glb("{}", 5, 40);  // 12 + 8 + 4 + 8 + 8
  ASSERT_TRUE(fits);
  EXPECT_EQ(fits->size(), 32u);
  EXPECT_EQ(u32_at(*fits, 8), 40u);
  const auto larger = gltf::start_glb("{}", 5, 39);
  ASSERT_FALSE(larger);
  EXPECT_EQ(larger.error().id, "gltf.size");
  EXPECT_TRUE(larger.error().message.starts_with("the file would have 40 bytes")) << larger.error().message;
}

}  // namespace
