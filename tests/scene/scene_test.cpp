// verify() finds one planted fault for each invariant; maths and shapes used by all formats to build scenes.
#include "scene/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "scene/shapes.hpp"
#include "scene/units.hpp"

namespace {

using namespace dio::scene;
using dio::f32;
using dio::f64;
using dio::u32;
using dio::Value;

constexpr f32 k_nan = std::numeric_limits<f32>::quiet_NaN(), k_infinity = std::numeric_limits<f32>::infinity();
constexpr f32 k_pi = std::numbers::pi_v<f32>;

// ---- verify
// ----------------------------------------------------------------------------------------------------------

/// A valid scene with one element of every kind.
Scene sound_scene() {
  Scene scene;
  scene.images = {{"two colours", 2, 1, 1, {{0, 0, 0, 255}, {255, 0, 0, 255}}, {0, 1}},
                  {"one pixel", 1, 1, 8, {}, {1, 2, 3, 4}}};
  scene.textures = {{.name = "texture", .image = 1}};
  scene.materials = {{.name = "red", .color = {1, 0, 0, 1}, .texture = 0}};
  scene.materials[0].extras = Value::object();
  Primitive primitive{.material = 0,
                      .positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                      .normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
                      .colors = {{1, 1, 1, 1}, {0, 0, 0, 1}, {1, 1, 1, 0}},
                      .uvs = {{0, 0}, {-1, 7}, {0, 1}},
                      .indices = {0, 1, 2}};
  scene.meshes = {{"triangle", {primitive}}, {"skinned", {primitive, Primitive()}}};
  scene.meshes[1].primitives[0].joints = {{1, 0, 0, 0}, {0, 1, 9, 0}, {0, 0, 0, 0}};
  scene.meshes[1].primitives[0].weights = {{1, 0, 0, 0}, {0.25f, 0.75f, 0, 0}, {0.9995f, 0, 0, 0}};
  const Mat4 identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  scene.skins = {{"skin", {1, 0}, {identity, identity}}};
  scene.cameras = {{}};
  scene.nodes.resize(3);
  scene.nodes[0].mesh = 0;
  scene.nodes[2].mesh = 1;
  scene.nodes[2].skin = 0;
  scene.nodes[1].parent = 0;
  scene.nodes[1].camera = 0;
  scene.lights = {{"sun", {1, 0.5f, 0}, 2}};
  scene.nodes[1].light = 0;
  scene.variants = {"night", "day"};
  scene.meshes[0].primitives[0].in_variants = {{1, 0}, {0, 0}};
  scene.meshes[0].primitives[0].sources = {0, 9, (1 << 24) - 1};
  scene.nodes[1].extras = Value::object();
  scene.nodes[1].extras.add("numbers", Value::list()).push(1.5f);
  scene.extras = Value::object();
  scene.animations = {{"all",
                       {{.node = 0, .target = Channel::Target::translation, .times = {0, 1}, .values = {{1}, {2}}},
                        {.node = 0, .target = Channel::Target::rotation, .times = {2}, .values = {k_no_rotation}}},
                       {{.camera = 0, .times = {0, 0.5f}, .values = {0.5f, 1}}},
                       {{.material = 0, .times = {0}, .values = {{1, 0, 1, 0}}},
                        {.material = 0, .target = MaterialChannel::Target::offset, .times = {1}, .values = {{-7, 3}}},
                        {.material = 0, .target = MaterialChannel::Target::rotation, .times = {1}, .values = {{9}}}},
                       {{.node = 0, .times = {0, 1}, .visible = {1, 0}}}}};
  scene.animations[0].extras = Value::object();
  return scene;
}

/// The faults reported for a valid scene after `plant` broke one thing.
std::vector<std::string> faults_after(void (*plant)(Scene&)) {
  Scene scene = sound_scene();
  plant(scene);
  return verify(scene);
}

TEST(SceneVerify, ValidScenesHaveNoFaults) {
  EXPECT_THAT(verify(Scene()), testing::IsEmpty());
  EXPECT_THAT(verify(sound_scene()), testing::IsEmpty());
}

struct Fault {
  const char* sentence;  // its beginning
  void (*plant)(Scene&);
};

const Fault k_faults[] = {
    {"metres_per_unit is not", [](Scene& s) { s.metres_per_unit = 0; }},
    {"metres_per_unit is not", [](Scene& s) { s.metres_per_unit = k_infinity; }},
    {"background is not", [](Scene& s) { s.background[2] = 1.5f; }},
    {"extras.list[1] is not finite",
     [](Scene& s) {
       auto& list = s.extras.add("list", Value::list());
       list.push(0);
       list.push(k_nan);
     }},
    {"materials[0].color is not", [](Scene& s) { s.materials[0].color[3] = -0.1f; }},
    {"materials[0].color is not", [](Scene& s) { s.materials[0].color[0] = k_nan; }},
    {"meshes[0].primitives[0].material is 1; it must be below 1",
     [](Scene& s) { s.meshes[0].primitives[0].material = 1; }},
    {"meshes[0].primitives[0].positions[2] is not finite",
     [](Scene& s) { s.meshes[0].primitives[0].positions[2][1] = k_infinity; }},
    {"meshes[0].primitives[0].normals has 2 elements instead of 3",
     [](Scene& s) { s.meshes[0].primitives[0].normals.pop_back(); }},
    {"meshes[0].primitives[0].normals[1] is not a unit",
     [](Scene& s) { s.meshes[0].primitives[0].normals[1] = {0, 0, 1.01f}; }},
    {"meshes[0].primitives[0].normals[1] is not a unit",
     [](Scene& s) { s.meshes[0].primitives[0].normals[1] = {0, k_nan, 1}; }},
    {"meshes[0].primitives[0].colors has 4 elements instead of 3",
     [](Scene& s) { s.meshes[0].primitives[0].colors.push_back({}); }},
    {"meshes[0].primitives[0].colors[0] is not", [](Scene& s) { s.meshes[0].primitives[0].colors[0][0] = 2; }},
    {"meshes[0].primitives[0].indices[2] is not below 3", [](Scene& s) { s.meshes[0].primitives[0].indices[2] = 3; }},
    {"meshes[0].primitives[0] has 2 indices", [](Scene& s) { s.meshes[0].primitives[0].indices.pop_back(); }},
    {"meshes[0].primitives[0] has 3 indices",
     [](Scene& s) { s.meshes[0].primitives[0].shape = Primitive::Shape::lines; }},
    {"cameras[0].vertical_fov is not", [](Scene& s) { s.cameras[0].vertical_fov = 0; }},
    {"cameras[0].vertical_fov is not", [](Scene& s) { s.cameras[0].vertical_fov = k_pi; }},
    {"cameras[0].half_height and aspect",
     [](Scene& s) {
       s.animations[0].fov_channels.clear();
       s.cameras[0].half_height = -1;
     }},
    {"animations[0].fov_channels[0].camera is an orthographic camera, which has no field of view",
     [](Scene& s) { s.cameras[0].half_height = 1; }},
    {"cameras[0].near and far", [](Scene& s) { s.cameras[0].near = 0; }},
    {"cameras[0].near and far", [](Scene& s) { s.cameras[0].far = s.cameras[0].near; }},
    {"cameras[0].near and far",
     [](Scene& s) {
       s.cameras[0].near = 1e-30f;
       s.metres_per_unit = 1e-30f;
     }},
    {"nodes[0].parent is 0, which", [](Scene& s) { s.nodes[0].parent = 0; }},
    {"nodes[1].parent is 9, which", [](Scene& s) { s.nodes[1].parent = 9; }},
    {"nodes[0].translation is not finite", [](Scene& s) { s.nodes[0].translation[0] = k_nan; }},
    {"nodes[0].rotation is not a unit", [](Scene& s) { s.nodes[0].rotation = {0, 0, 0, 0}; }},
    {"nodes[0].scale is not finite", [](Scene& s) { s.nodes[0].scale[2] = k_infinity; }},
    {"nodes[0].mesh is 2; it must be below 2", [](Scene& s) { s.nodes[0].mesh = 2; }},
    {"nodes[1].camera is 7; it must be below 1", [](Scene& s) { s.nodes[1].camera = 7; }},
    {"nodes[1].extras.x is not finite", [](Scene& s) { s.nodes[1].extras.add("x", k_nan); }},
    // Pictures, textures and how materials use them.
    {"images[0] has no pixels", [](Scene& s) { s.images[0].width = 0; }},
    {"images[1] has no pixels", [](Scene& s) { s.images[1].height = 0; }},
    {"images[0].depth is 3", [](Scene& s) { s.images[0].depth = 3; }},
    {"images[0].palette has 3 colours", [](Scene& s) { s.images[0].palette.push_back({}); }},
    {"images[0].pixels has 3 elements instead of 2", [](Scene& s) { s.images[0].pixels.push_back(0); }},
    {"images[1].pixels has 3 elements instead of 4", [](Scene& s) { s.images[1].pixels.pop_back(); }},
    {"images[1].pixels has 4 elements instead of 17179869184",
     [](Scene& s) { s.images[1].width = s.images[1].height = 0x10000; }},
    {"images[0].pixels[1] is not below 2", [](Scene& s) { s.images[0].pixels[1] = 2; }},
    {"textures[0].image is 2; it must be below 2", [](Scene& s) { s.textures[0].image = 2; }},
    {"textures[0].image is 4294967295; it must be below 2", [](Scene& s) { s.textures[0].image = k_none; }},
    {"materials[0].texture is 1; it must be below 1", [](Scene& s) { s.materials[0].texture = 1; }},
    {"materials[0].alpha_cutoff is not in 0..1", [](Scene& s) { s.materials[0].alpha_cutoff = k_nan; }},
    {"materials[0].transform is not finite", [](Scene& s) { s.materials[0].transform.offset[1] = k_infinity; }},
    {"materials[0].transform is not finite", [](Scene& s) { s.materials[0].transform.rotation = k_nan; }},
    {"materials[0].transform is not finite", [](Scene& s) { s.materials[0].transform.scale[0] = k_nan; }},
    {"materials[0].extras.x is not finite", [](Scene& s) { s.materials[0].extras.add("x", k_nan); }},
    {"meshes[0].primitives[0].uvs has 2 elements", [](Scene& s) { s.meshes[0].primitives[0].uvs.pop_back(); }},
    {"meshes[0].primitives[0].uvs[2] is not finite", [](Scene& s) { s.meshes[0].primitives[0].uvs[2][1] = k_nan; }},
    {"meshes[0].primitives[0].uvs is empty, but", [](Scene& s) { s.meshes[0].primitives[0].uvs.clear(); }},
    // Skins.
    {"meshes[1].primitives[0].joints has 4 elements instead of 3",
     [](Scene& s) {
       s.meshes[1].primitives[0].joints.push_back({});
       s.meshes[1].primitives[0].weights.push_back({1});
     }},
    {"meshes[1].primitives[0].weights has 2 elements instead of 3",
     [](Scene& s) { s.meshes[1].primitives[0].weights.pop_back(); }},
    {"meshes[0].primitives[0].weights has 3 elements instead of 0",
     [](Scene& s) { s.meshes[0].primitives[0].weights = s.meshes[1].primitives[0].weights; }},
    {"meshes[1].primitives[0].weights[1] is not four",
     [](Scene& s) { s.meshes[1].primitives[0].weights[1] = {0.5f, 0.25f, 0, 0}; }},
    {"meshes[1].primitives[0].weights[0] is not four",
     [](Scene& s) { s.meshes[1].primitives[0].weights[0] = {1.5f, -0.5f, 0, 0}; }},
    {"meshes[1].primitives[0].weights[2] is not four",
     [](Scene& s) { s.meshes[1].primitives[0].weights[2][0] = k_nan; }},
    {"skins[0].joints is empty",
     [](Scene& s) {
       s.skins[0].joints.clear();
       s.skins[0].inverse_bind.clear();
     }},
    {"skins[0].joints[1] is 3; it must be below 3", [](Scene& s) { s.skins[0].joints[1] = 3; }},
    {"skins[0].joints[1] is a duplicate joint", [](Scene& s) { s.skins[0].joints[1] = 1; }},
    {"skins[0].inverse_bind has 1 element instead of 2", [](Scene& s) { s.skins[0].inverse_bind.pop_back(); }},
    {"skins[0].inverse_bind[1] is not a finite matrix", [](Scene& s) { s.skins[0].inverse_bind[1][12] = k_infinity; }},
    {"skins[0].inverse_bind[0] is not a finite matrix", [](Scene& s) { s.skins[0].inverse_bind[0][7] = 0.5f; }},
    {"skins[0].inverse_bind[0] is not a finite matrix", [](Scene& s) { s.skins[0].inverse_bind[0][15] = 0.5f; }},
    {"nodes[2].skin is 1; it must be below 1", [](Scene& s) { s.nodes[2].skin = 1; }},
    {"nodes[2].skin is missing", [](Scene& s) { s.nodes[2].skin = k_none; }},
    {"nodes[0].skin is set, but the mesh has no joints", [](Scene& s) { s.nodes[0].skin = 0; }},
    {"nodes[1].skin is set on a node without a mesh", [](Scene& s) { s.nodes[1].skin = 0; }},
    {"nodes[2].skin has 2 joints, but the mesh uses joint 2",
     [](Scene& s) { s.meshes[1].primitives[0].joints[1][1] = 2; }},
    // Animations.
    {"animations[0].channels[0].node is 3; it must be below 3", [](Scene& s) { s.animations[0].channels[0].node = 3; }},
    {"animations[0].channels[0].node is 4294967295; it must be below 3",
     [](Scene& s) { s.animations[0].channels[0].node = k_none; }},
    {"animations[0].channels[2] has the same target",
     [](Scene& s) {
       auto& c = s.animations[0].channels;
       c.push_back(Channel(c[0]));
     }},
    {"animations[0].channels[0].times is empty",
     [](Scene& s) {
       s.animations[0].channels[0].times = {};
       s.animations[0].channels[0].values = {};
     }},
    {"animations[0].channels[0].times[1] is negative or not above",
     [](Scene& s) { s.animations[0].channels[0].times[1] = 0; }},
    {"animations[0].channels[0].times[0] is negative or not above",
     [](Scene& s) { s.animations[0].channels[0].times[0] = -1; }},
    {"animations[0].channels[0].times[1] is negative or not above",
     [](Scene& s) { s.animations[0].channels[0].times[1] = k_infinity; }},
    {"animations[0].channels[0].values has 1 element instead of 2",
     [](Scene& s) { s.animations[0].channels[0].values.pop_back(); }},
    {"animations[0].channels[0].values[1] is not finite",
     [](Scene& s) { s.animations[0].channels[0].values[1][2] = k_nan; }},
    {"animations[0].channels[1].values[0] is not a unit",
     [](Scene& s) { s.animations[0].channels[1].values[0][3] = 0.5f; }},
    {"animations[0].fov_channels[0].camera is 1; it must be below 1",
     [](Scene& s) { s.animations[0].fov_channels[0].camera = 1; }},
    {"animations[0].fov_channels[1] has the same target",
     [](Scene& s) {
       auto& c = s.animations[0].fov_channels;
       c.push_back(FovChannel(c[0]));
     }},
    {"animations[0].fov_channels[0].times[1] is negative or not above",
     [](Scene& s) { s.animations[0].fov_channels[0].times[1] = 0; }},
    {"animations[0].fov_channels[0].values has 3 elements",
     [](Scene& s) { s.animations[0].fov_channels[0].values.push_back(1); }},
    {"animations[0].fov_channels[0].values[1] is not between",
     [](Scene& s) { s.animations[0].fov_channels[0].values[1] = 4; }},
    {"animations[0].material_channels[0].material is 1; it must be below 1",
     [](Scene& s) { s.animations[0].material_channels[0].material = 1; }},
    {"animations[0].material_channels[3] has the same target",
     [](Scene& s) {
       auto& c = s.animations[0].material_channels;
       c.push_back(MaterialChannel(c[1]));
     }},
    {"animations[0].material_channels[1].times[0] is negative or not above",
     [](Scene& s) { s.animations[0].material_channels[1].times[0] = -1; }},
    {"animations[0].material_channels[1].values has 2 elements",
     [](Scene& s) { s.animations[0].material_channels[1].values.push_back({}); }},
    {"animations[0].material_channels[0].values[0] is not a colour",
     [](Scene& s) { s.animations[0].material_channels[0].values[0][3] = 1.5f; }},
    {"animations[0].material_channels[1].values[0] is not finite",
     [](Scene& s) { s.animations[0].material_channels[1].values[0][1] = k_nan; }},
    {"animations[0].material_channels[2].values[0] is not finite",
     [](Scene& s) { s.animations[0].material_channels[2].values[0][0] = k_nan; }},
    {"animations[0].visibility_channels[0].node is 3; it must be below 3",
     [](Scene& s) { s.animations[0].visibility_channels[0].node = 3; }},
    {"animations[0].visibility_channels[1] has the same target",
     [](Scene& s) {
       auto& c = s.animations[0].visibility_channels;
       c.push_back(VisibilityChannel(c[0]));
     }},
    {"animations[0].visibility_channels[0] hides a node whose scale",
     [](Scene& s) { s.animations[0].channels[0].target = Channel::Target::scale; }},
    {"animations[0].visibility_channels[0].times[1] is negative or not above",
     [](Scene& s) { s.animations[0].visibility_channels[0].times[1] = 0; }},
    {"animations[0].visibility_channels[0].visible has 1 element",
     [](Scene& s) { s.animations[0].visibility_channels[0].visible.pop_back(); }},
    {"animations[0].visibility_channels[0].visible[1] is neither",
     [](Scene& s) { s.animations[0].visibility_channels[0].visible[1] = 2; }},
    {"nodes[1].light is 1; it must be below 1", [](Scene& s) { s.nodes[1].light = 1; }},
    {"lights[0].color is not", [](Scene& s) { s.lights[0].color[1] = 1.5f; }},
    {"lights[0].color is not", [](Scene& s) { s.lights[0].color[2] = k_nan; }},
    {"lights[0].intensity is not", [](Scene& s) { s.lights[0].intensity = -1; }},
    {"lights[0].range is not", [](Scene& s) { s.lights[0].range = -1; }},
    {"lights[0].outer_cone must be", [](Scene& s) { s.lights[0].outer_cone = 2; }},
    {"lights[0].outer_cone must be", [](Scene& s) { s.lights[0].inner_cone = 1; }},
    {"lights[0].intensity is not", [](Scene& s) { s.lights[0].intensity = k_infinity; }},
    {"meshes[0].primitives[0].sources has 2 elements instead of 3",
     [](Scene& s) { s.meshes[0].primitives[0].sources.pop_back(); }},
    {"meshes[0].primitives[0].sources[1] is not below",
     [](Scene& s) { s.meshes[0].primitives[0].sources[1] = 1 << 24; }},
    {"meshes[0].primitives[0].in_variants[0].variant is 2; it must be below 2",
     [](Scene& s) { s.meshes[0].primitives[0].in_variants[0].variant = 2; }},
    {"meshes[0].primitives[0].in_variants[1].variant is a duplicate",
     [](Scene& s) { s.meshes[0].primitives[0].in_variants[1].variant = 1; }},
    {"meshes[0].primitives[0].in_variants[0].material is 1; it must be below 1",
     [](Scene& s) { s.meshes[0].primitives[0].in_variants[0].material = 1; }},
    {"meshes[0].primitives[0].in_variants[0].material is 4294967295; it must be below 1",
     [](Scene& s) { s.meshes[0].primitives[0].in_variants[0].material = k_none; }},
    {"meshes[0].primitives[0].in_variants[1].material has a texture, but",
     [](Scene& s) {
       s.materials.push_back({.name = "plain"});
       s.meshes[0].primitives[0].material = 1;
       s.meshes[0].primitives[0].in_variants[0].material = 1;
       s.meshes[0].primitives[0].uvs.clear();
     }},
    {"animations[0].extras.x is not finite", [](Scene& s) { s.animations[0].extras.add("x", k_nan); }},
};

TEST(SceneVerify, ReportsEachPlantedFault) {
  for (const Fault& fault : k_faults)
    EXPECT_THAT(faults_after(fault.plant), testing::ElementsAre(testing::StartsWith(fault.sentence))) << fault.sentence;
}

TEST(SceneVerify, ReportsOneFaultPerList) {
  EXPECT_THAT(faults_after([](Scene& s) { s.meshes[0].primitives[0].positions.assign(3, {k_nan, 0, 0}); }),
              testing::ElementsAre("meshes[0].primitives[0].positions[0] is not finite"));
}

TEST(SceneVerify, ReportsEveryFaultInAScene) {
  const auto faults = faults_after([](Scene& s) {
    s.nodes[0].scale[0] = k_nan;
    s.nodes[1].mesh = 5;
  });
  EXPECT_THAT(faults, testing::ElementsAre("nodes[0].scale is not finite", "nodes[1].mesh is 5; it must be below 2"));
}

TEST(SceneVerify, IgnoresUnusedComponents) {
  EXPECT_THAT(faults_after([](Scene& s) { s.animations[0].channels[0].values[0][3] = k_nan; }), testing::IsEmpty());
  EXPECT_THAT(faults_after([](Scene& s) { s.animations[0].material_channels[1].values[0][2] = k_nan; }),
              testing::IsEmpty());
  EXPECT_THAT(faults_after([](Scene& s) { s.animations[0].material_channels[2].values[0][1] = k_nan; }),
              testing::IsEmpty());
}

TEST(SceneVerify, AcceptsEveryPixelIndexWith256Colors) {
  EXPECT_THAT(faults_after([](Scene& s) {
                s.images[0].depth = 8;
                s.images[0].palette.resize(256);
                s.images[0].pixels = {255, 0};
              }),
              testing::IsEmpty());
}

// ---- maths
// -----------------------------------------------------------------------------------------------------------

void expect_near(const Vec3& found, const Vec3& wanted, f64 tolerance = 1e-6) {
  EXPECT_LT(distance(found, wanted), tolerance) << found[0] << ' ' << found[1] << ' ' << found[2] << " instead of "
                                                << wanted[0] << ' ' << wanted[1] << ' ' << wanted[2];
}
bool is_unit(const Vec4& q) {
  return std::fabs(f64(q[0]) * q[0] + f64(q[1]) * q[1] + f64(q[2]) * q[2] + f64(q[3]) * q[3] - 1) < 1e-6;
}

TEST(SceneUnits, UnitConversionKeepsWorldPositions) {
  Scene s;
  s.metres_per_unit = 0.5f;
  s.nodes.resize(3);
  s.nodes[0] = {.name = "a", .translation = {2, 4, 6}, .scale = {1, 2, 3}, .extras = {}};
  s.nodes[1] = {.name = "b", .parent = 0, .translation = {1, 1, 1}, .extras = {}};
  s.cameras = {{.name = {}, .near = 2, .far = 8, .half_height = 4}};
  s.animations = {{"a",
                   {{.node = 0, .times = {0}, .values = {{2, 4, 6, 0}}},
                    {.node = 0, .target = Channel::Target::rotation, .times = {0}, .values = {k_no_rotation}},
                    {.node = 1, .times = {0}, .values = {{7, 7, 7, 0}}}}}};
  const Scene before = s;
  convert_units(s, 0.5f);
  EXPECT_EQ(s.nodes[0].translation, before.nodes[0].translation);
  convert_units(s, 0.25f);
  EXPECT_EQ(s.metres_per_unit, 0.25f);
  EXPECT_EQ(s.nodes[0].translation, (Vec3{4, 8, 12}));
  EXPECT_EQ(s.nodes[0].scale, (Vec3{2, 4, 6}));
  EXPECT_EQ(s.nodes[1].translation, before.nodes[1].translation) << "hangs on one that is scaled";
  EXPECT_EQ(s.nodes[2].scale, (Vec3{2, 2, 2}));
  EXPECT_EQ(s.cameras[0].near, 4);
  EXPECT_EQ(s.cameras[0].far, 16);
  EXPECT_EQ(s.cameras[0].half_height, 8);
  EXPECT_EQ(s.animations[0].channels[0].values[0], (Vec4{4, 8, 12, 0}));
  EXPECT_EQ(s.animations[0].channels[1].values[0], k_no_rotation);
  EXPECT_EQ(s.animations[0].channels[2].values[0], (Vec4{7, 7, 7, 0}));
  convert_units(s, 0.5f);
  EXPECT_EQ(s.nodes[0].scale, before.nodes[0].scale);
}

TEST(SceneMaths, EulerAnglesRotateXFirst) {
  expect_near(rotate(from_euler_degrees({90, 0, 0}), k_axis_y), k_axis_z);
  expect_near(rotate(from_euler_degrees({0, 90, 0}), k_axis_z), k_axis_x);
  expect_near(rotate(from_euler_degrees({0, 0, 90}), k_axis_x), k_axis_y);
  // X rotates Y to Z, Y rotates Z to X; the other order would end at Z.
  expect_near(rotate(from_euler_degrees({90, 90, 0}), k_axis_y), k_axis_x);
  // X stays, Y rotates it to -Z, Z leaves it there.
  expect_near(rotate(from_euler_degrees({90, 90, 90}), k_axis_x), {0, 0, -1});
  EXPECT_EQ(from_euler_degrees({0, 0, 0}), k_no_rotation);
  EXPECT_EQ(from_euler_degrees({k_nan, k_infinity, 0}), k_no_rotation);
  EXPECT_TRUE(is_unit(from_euler_degrees({1e30f, -1e30f, 123456})));
}

TEST(SceneMaths, QuaternionAndMatrixRotationsAgree) {
  for (int x = -180; x <= 180; x += 45)
    for (int y = -180; y <= 180; y += 30)
      for (int z = -180; z <= 180; z += 60) {
        const Vec4 q = from_euler_degrees({f32(x), f32(y), f32(z)}), again = from_matrix(to_matrix(q));
        ASSERT_TRUE(is_unit(again));
        for (const Vec3& v : {k_axis_x, k_axis_y, k_axis_z}) expect_near(rotate(again, v), rotate(q, v), 2e-6);
      }
}

TEST(SceneMaths, CameraLooksAtItsTarget) {
  const Vec3 eye{100, 50, -30};
  for (const Vec3& target :
       {Vec3{0, 0, 0}, Vec3{100, 50, 30}, Vec3{-5000, 51, -30}, Vec3{100, -50, -30}, Vec3{100, 90, -30}}) {
    const Vec4 q = look_at(eye, target);
    EXPECT_TRUE(is_unit(q));
    expect_near(rotate(q, {0, 0, -1}), unit(sub(target, eye), {}));
    EXPECT_GE(rotate(q, k_axis_y)[1], -1e-6);      // not upside down
    EXPECT_NEAR(rotate(q, k_axis_x)[1], 0, 1e-6);  // nor tilted
  }
  // Seen from above, as on a map, north is up.
  expect_near(rotate(look_at({0, 10, 0}, {0, 0, 0}), k_axis_y), {0, 0, -1});
}

TEST(SceneMaths, InvalidCameraDirectionsGiveValidRotations) {
  EXPECT_EQ(look_at({1, 2, 3}, {1, 2, 3}), k_no_rotation);
  EXPECT_EQ(look_at({k_nan, 2, 3}, {1, 2, 3}), k_no_rotation);
  EXPECT_EQ(look_at({1, 2, 3}, {1, k_infinity, 3}), k_no_rotation);
  EXPECT_TRUE(is_unit(look_at({0, 0, 0}, {1, 2, 3}, {0, 0, 0})));
  EXPECT_TRUE(is_unit(look_at({0, 0, 0}, {1, 2, 3}, {k_nan, 0, 0})));
  EXPECT_TRUE(is_unit(look_at({0, 0, 0}, {0, 0, 5}, {0, 0, 1})));
  EXPECT_TRUE(is_unit(look_at({-3e38f, 0, 0}, {3e38f, 1, 0})));
  for (const f32 tiny : {1e-3f, 1e-5f, 1e-7f, 1e-20f, 1e-40f}) {
    const Vec4 q = look_at({0, 1000, 0}, {tiny, 0, tiny});
    EXPECT_TRUE(is_unit(q));
    expect_near(rotate(q, {0, 0, -1}), {0, -1, 0}, 1e-5);
  }
}

TEST(SceneMaths, EvaluatesBezierCurves) {
  const Vec3 a{0, 0, 0}, b{0, 8, 0}, c{8, 8, 0}, d{8, 0, 16};
  EXPECT_EQ(bezier(a, b, c, d, 0), a);
  EXPECT_EQ(bezier(a, b, c, d, 1), d);
  EXPECT_EQ(bezier(a, b, c, d, 0.5f), (Vec3{4, 6, 2}));
}

TEST(SceneMaths, ConvertsSrgbColorsToLinear) {
  EXPECT_EQ(srgb_to_linear(Vec4{0, 1, 0.5f, 0.5f})[0], 0);
  EXPECT_EQ(srgb_to_linear(Vec4{0, 1, 0.5f, 0.5f})[1], 1);
  EXPECT_NEAR(srgb_to_linear(0.5f), 0.21404, 1e-5);
  EXPECT_NEAR(srgb_to_linear(0.04f), 0.04 / 12.92, 1e-7);
  EXPECT_EQ(srgb_to_linear(Vec4{0, 1, 0.5f, 0.5f})[3], 0.5f);
}

// ---- shapes
// ----------------------------------------------------------------------------------------------------------

/// Directed triangle edges without an opposite edge in another triangle.
std::map<std::pair<u32, u32>, int> open_edges_of(const Primitive& p) {
  std::map<std::pair<u32, u32>, int> open;
  const auto pass = [&](u32 a, u32 b) {
    const auto back = open.find({b, a});
    if (back == open.end())
      EXPECT_EQ(++open[std::pair(a, b)], 1) << "two triangles on one side of an edge";
    else
      open.erase(back);
  };
  for (size_t i = 0; i < p.indices.size(); i += 3)
    for (size_t k = 0; k < 3; ++k) pass(p.indices[i + k], p.indices[i + (k + 1) % 3]);
  return open;
}

/// Checks the invariants of closed solids and returns the volume, which is positive only if the faces point outwards.
f64 volume_of(const Primitive& solid) {
  Scene scene;
  scene.meshes = {{"", {solid}}};
  EXPECT_THAT(verify(scene), testing::IsEmpty());
  f64 volume = 0;
  for (size_t i = 0; i < solid.indices.size(); i += 3) {
    const auto corner = [&](size_t k) { return solid.positions[solid.indices[i + k]]; };
    const Vec3 face = cross(sub(corner(1), corner(0)), sub(corner(2), corner(0)));
    EXPECT_GT(length(face), 0) << "triangle " << i / 3;
    volume += dot(corner(0), cross(corner(1), corner(2))) / 6;
  }
  EXPECT_THAT(open_edges_of(solid), testing::IsEmpty());
  return volume;
}

std::pair<Vec3, Vec3> bounds_of(const Primitive& p) {
  Vec3 low = p.positions.at(0), high = low;
  for (const Vec3& v : p.positions)
    for (size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], v[i]), high[i] = std::max(high[i], v[i]);
  return {low, high};
}

template <class... T>
Primitive drawn(void (*add)(Primitive&, T...), std::type_identity_t<T>... arguments) {
  Primitive p;
  add(p, arguments...);
  return p;
}

TEST(SceneShapes, SpheresAreClosedAndRound) {
  for (const auto& [splits, vertices] : {std::pair(-1, 6u), {0, 12u}, {1, 42u}, {2, 162u}}) {
    const Primitive p = drawn(add_sphere, 10, ShapeTransform{.at = {5, 6, 7}}, splits);
    EXPECT_EQ(p.positions.size(), vertices);
    EXPECT_EQ(p.indices.size(), 3 * (2 * vertices - 4));  // Euler: closed, no vertex twice
    for (const Vec3& v : p.positions) EXPECT_NEAR(distance(v, {5, 6, 7}), 10, 1e-5);
    EXPECT_GT(volume_of(p), splits < 0 ? 1333 : 2500);
    EXPECT_LT(volume_of(p), splits < 0 ? 1334 : 4188.8);
  }
}

TEST(SceneShapes, BoxHasExactVolumeAndBounds) {
  const Primitive p = drawn(add_box, Vec3{-1, 0, 2}, Vec3{3, 5, 4}, ShapeTransform());
  EXPECT_NEAR(volume_of(p), 4 * 5 * 2, 1e-4);
  EXPECT_EQ(p.positions.size(), 8u);
  EXPECT_EQ(bounds_of(p), std::pair(Vec3{-1, 0, 2}, Vec3{3, 5, 4}));
}

/// The length of each line in a line primitive.
std::vector<f64> lengths_of(const Primitive& p) {
  std::vector<f64> out;
  for (size_t i = 0; i + 1 < p.indices.size(); i += 2)
    out.push_back(distance(p.positions[p.indices[i]], p.positions[p.indices[i + 1]]));
  std::ranges::sort(out);
  return out;
}

TEST(SceneShapes, BoxEdgesHaveExactLengths) {
  const Primitive p = drawn(add_box_edges, Vec3{-1, 0, 2}, Vec3{3, 5, 4}, ShapeTransform());
  EXPECT_EQ(lengths_of(p), (std::vector<f64>{2, 2, 2, 2, 4, 4, 4, 4, 5, 5, 5, 5}));
  EXPECT_EQ(bounds_of(p), std::pair(Vec3{-1, 0, 2}, Vec3{3, 5, 4}));
}

TEST(SceneShapes, CylinderEdgesFollowBothRings) {
  const Primitive p = drawn(add_cylinder_edges, 2, 3, -1, 5, ShapeTransform(), 64);
  const auto lengths = lengths_of(p);
  ASSERT_EQ(lengths.size(), 2 * 64u + 4);  // two rings, four uprights
  for (size_t i = 128; i < lengths.size(); ++i) EXPECT_NEAR(lengths[i], 6, 1e-5);
  EXPECT_LT(lengths[127], 0.3);
  for (const Vec3& v : p.positions) EXPECT_NEAR(f64(v[0]) * v[0] / 4 + f64(v[2]) * v[2] / 9, 1, 1e-5);
  const auto [low, high] = bounds_of(p);
  expect_near(low, {-2, -1, -3}, 1e-5);
  expect_near(high, {2, 5, 3}, 1e-5);
}

TEST(SceneShapes, ConesAndArrowsHaveTheExpectedShape) {
  const Primitive cone = drawn(add_cone, Vec3{0, 0, 0}, Vec3{0, 0, 6}, 2, ShapeTransform(), 64);
  EXPECT_NEAR(volume_of(cone), std::numbers::pi * 4 * 6 / 3, 0.1);
  EXPECT_EQ(cone.positions.size(), 65u);
  // The shaft is open where the head covers it; two closed solids would duplicate that face.
  const Primitive arrow = drawn(add_arrow, ArrowSize{10, 1, 4, 2}, ShapeTransform(), 64);
  EXPECT_EQ(open_edges_of(arrow).size(), 64u);
  expect_near(bounds_of(arrow).first, {-2, -2, 0}, 1e-5);
  expect_near(bounds_of(arrow).second, {2, 2, 10}, 1e-5);
}

TEST(SceneShapes, TubesAndConesConnectTwoPoints) {
  const Vec3 from{1, 2, 3};
  for (const Vec3& to : {Vec3{4, 6, 3}, Vec3{1, 7, 3}, Vec3{1, -3, 3}, Vec3{1, 2, 8}, Vec3{1, 2, -2}, Vec3{-4, 2, 3}}) {
    const Primitive tube = drawn(add_tube, std::array{from, to}, 0.5f, ShapeTransform(), 6);
    EXPECT_EQ(open_edges_of(tube).size(), 12u);  // both ends
    for (const Vec3& v : tube.positions) EXPECT_NEAR(std::min(distance(v, from), distance(v, to)), 0.5, 1e-5);
    for (size_t i = 0; i < tube.indices.size(); i += 3) {
      const auto corner = [&](size_t k) { return tube.positions[tube.indices[i + k]]; };
      const Vec3 face = cross(sub(corner(1), corner(0)), sub(corner(2), corner(0)));
      EXPECT_GT(dot(face, sub(corner(0), lerp(from, to, 0.5f))), 0) << "triangle " << i / 3;
    }
    const Primitive cone = drawn(add_cone, from, to, 0.5f, ShapeTransform(), 64);
    EXPECT_NEAR(volume_of(cone), 5 * std::numbers::pi * 0.25 / 3, 0.01);
    EXPECT_TRUE(
        std::any_of(cone.positions.begin(), cone.positions.end(), [&](auto& v) { return distance(v, to) < 1e-5; }));
  }
  EXPECT_TRUE(drawn(add_tube, std::array{from, from}, 1, ShapeTransform(), 6).positions.empty());
  EXPECT_TRUE(drawn(add_tube, std::span<const Vec3>(), 1, ShapeTransform(), 6).positions.empty());
}

TEST(SceneShapes, TubesBendAroundCornersInOnePiece) {
  for (const Vec3& end : {Vec3{10, 10, 0}, Vec3{10, 0, 10}, Vec3{20, 1, 0}, Vec3{0, 0, 0}, Vec3{-5, 0, 0}}) {
    const std::array way{Vec3{0, 0, 0}, Vec3{10, 0, 0}, Vec3{10, 0, 0}, end};
    const Primitive tube = drawn(add_tube, way, 1, ShapeTransform(), 4);
    EXPECT_EQ(tube.positions.size(), 12u);  // a ring each, none for the point that comes twice
    EXPECT_EQ(open_edges_of(tube).size(), 8u);
    for (const Vec3& v : tube.positions)
      EXPECT_NEAR(std::min({distance(v, way[0]), distance(v, way[1]), distance(v, end)}), 1, 1e-5);
    Scene scene;
    scene.meshes = {{"", {tube}}};
    EXPECT_THAT(verify(scene), testing::IsEmpty());
  }
}

TEST(SceneShapes, QuadIsCounterclockwiseFromTheFront) {
  const std::array corners{Vec3{0, 0, 0}, Vec3{2, 0, 0}, Vec3{2, 3, 0}, Vec3{0, 3, 0}};
  const Primitive p = drawn(add_quad, corners, ShapeTransform());
  EXPECT_EQ(p.positions.size(), 4u);
  EXPECT_EQ(open_edges_of(p).size(), 4u);
  for (size_t i = 0; i < p.indices.size(); i += 3) {
    const auto corner = [&](size_t k) { return p.positions[p.indices[i + k]]; };
    EXPECT_GT(cross(sub(corner(1), corner(0)), sub(corner(2), corner(0)))[2], 0) << "counterclockwise from the front";
  }
}

TEST(SceneShapes, SphereGridIsCenteredOnItsPosition) {
  const Primitive p = drawn(add_sphere_grid, 4, 3, 300, 60, ShapeTransform{.at = {0, 550, 0}}, 0);
  EXPECT_EQ(p.positions.size(), 12u * 12u);
  const auto [low, high] = bounds_of(p);
  expect_near(mul(add(low, high), 0.5f), {0, 550, 0}, 1e-3);
  EXPECT_GT(high[0], 450);
  EXPECT_LT(high[0], 510);
  EXPECT_GT(high[2], 300);
  EXPECT_LT(high[2], 360);
}

TEST(SceneShapes, AddsSeveralShapesToOnePrimitive) {
  Primitive p;
  p.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};  // bare: no normals, no indices
  add_quad(p, {Vec3{0, 0, 1}, Vec3{1, 0, 1}, Vec3{1, 1, 1}, Vec3{0, 1, 1}});
  EXPECT_TRUE(p.colors.empty());
  add_quad(p, {Vec3{0, 0, 2}, Vec3{1, 0, 2}, Vec3{1, 1, 2}, Vec3{0, 1, 2}}, {.color = Vec4{1, 0, 0, 1}});
  add_quad(p, {Vec3{0, 0, 3}, Vec3{1, 0, 3}, Vec3{1, 1, 3}, Vec3{0, 1, 3}});
  Scene scene;
  scene.meshes = {{"", {p}}};
  EXPECT_THAT(verify(scene), testing::IsEmpty());
  EXPECT_EQ(p.positions.size(), 15u);
  EXPECT_EQ(p.indices.size(), 3u + 3 * 6);
  EXPECT_EQ(p.colors[6], (Vec4{1, 1, 1, 1}));
  EXPECT_EQ(p.colors[7], (Vec4{1, 0, 0, 1}));
  EXPECT_EQ(p.colors[11], (Vec4{1, 1, 1, 1}));
}

}  // namespace
