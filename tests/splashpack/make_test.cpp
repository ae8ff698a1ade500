// make_test.cpp: packs made from scenes. Expected values are computed by hand from the specification: raw = world /
// scaling * 4096, (x, -y, -z), two corners of each triangle swapped, texels floor(uv * size).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>

#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/registry.hpp"
#include "formats/splashpack/from_scene/splashpack_builder.hpp"
#include "formats/splashpack/layout/vram.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/pictures/video_memory.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"
#include "scene/math.hpp"

namespace dio::splashpack {
namespace {

using scene::Index;
using scene::k_none;
using scene::Light;
using scene::Material;
using scene::Primitive;
using scene::Scene;
using scene::Vec2;
using scene::Vec3;
using scene::Vec4;
using testing::AllOf, testing::ElementsAre, testing::HasSubstr, testing::Not, testing::UnorderedElementsAre;

/// Builds nodes and meshes in a few lines.
struct Builder {
  Scene scene;

  Index material(Material m) {
    scene.materials.push_back(std::move(m));
    return Index(scene.materials.size() - 1);
  }
  /// A material with a picture in which the colour identifies each texel: red is 8 times its column, green 8 times its
  /// row.
  Index textured(u32 width, u32 height, scene::Texture::Wrap u = scene::Texture::Wrap::repeat,
                 scene::Texture::Wrap v = scene::Texture::Wrap::repeat) {
    scene::Image image;
    image.name = "places", image.width = width, image.height = height;
    for (u32 y = 0; y < height; ++y)
      for (u32 x = 0; x < width; ++x) image.pixels.insert(image.pixels.end(), {u8(x * 8), u8(y * 8), 128, 255});
    scene.images.push_back(std::move(image));
    scene.textures.push_back({.name = {}, .image = Index(scene.images.size() - 1), .wrap_u = u, .wrap_v = v});
    return material({.name = "m", .texture = Index(scene.textures.size() - 1)});
  }
  Index mesh(Primitive p) {
    scene.meshes.push_back({"mesh", {std::move(p)}});
    return Index(scene.meshes.size() - 1);
  }
  /// A right triangle in the XY plane, seen from +Z.
  static Primitive triangle(f32 size = 1) {
    Primitive p;
    p.positions = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}};
    return p;
  }
  static Primitive quad(f32 size, Vec2 low, Vec2 high, Index material) {
    Primitive p;
    p.material = material;
    p.positions = {{0, 0, 0}, {size, 0, 0}, {size, size, 0}, {0, size, 0}};
    p.uvs = {{low[0], high[1]}, {high[0], high[1]}, {high[0], low[1]}, {low[0], low[1]}};
    p.indices = {0, 1, 2, 0, 2, 3};
    return p;
  }
  scene::Node& node(std::string name, Index mesh = k_none) {
    scene.nodes.push_back({.name = std::move(name), .mesh = mesh, .extras = {}});
    return scene.nodes.back();
  }
  Value& extra(std::string name, Value v) {
    Value& extras = scene.nodes.back().extras;
    if (extras.is(Value::Kind::null)) extras = Value::object();
    return extras.add(std::move(name), std::move(v));
  }
  Value& scene_extra(std::string name, Value v) {
    if (scene.extras.is(Value::Kind::null)) scene.extras = Value::object();
    return scene.extras.add(std::move(name), std::move(v));
  }
};

using Arguments = std::vector<Argument>;
Result<Made> made(const Builder& b, const Arguments& told) { return make_pack_from_scene(b.scene, told); }

/// The pack, by default in layout d with a scaling of 4096, so that a scene unit is a pack unit.
Pack pack_of(const Builder& b, Arguments told = {}) {
  const auto is_told = [&](std::string_view name) {
    return std::ranges::any_of(told, [&](const Argument& a) { return a.name == name; });
  };
  if (!is_told("layout") && !is_told("version")) told.push_back({"layout", "d"});
  if (!is_told("scaling")) told.push_back({"scaling", "4096"});
  const auto files = made(b, told);
  EXPECT_TRUE(files) << (files ? "" : format_one_line(files.error()));
  if (!files) return {};
  EXPECT_EQ(files->files.front().extension, ".splashpack");
  auto pack = load<Pack>(files->files.front().bytes);
  EXPECT_TRUE(pack) << (pack ? "" : format_one_line(pack.error()));
  return pack ? pack->document.value() : Pack{};
}
Diagnostic validation_error(const Builder& b, Arguments told = {}) {
  if (told.empty()) told = {{"layout", "d"}, {"scaling", "4096"}};
  const auto files = made(b, told);
  EXPECT_FALSE(files);
  return files ? Diagnostic{} : files.error();
}
std::string notes_of(const Builder& b, Arguments told = {{"layout", "d"}, {"scaling", "4096"}}) {
  const auto files = made(b, told);
  std::string out;
  if (files)
    for (const Diagnostic& d : files->notes) out += d.id + ": " + format_one_line(d) + "\n";
  return out;
}
std::array<int, 3> numbers(const Vec16& v) { return {v.x.raw, v.y.raw, v.z.raw}; }
std::array<int, 3> numbers(const Vec32& v) { return {v.x.raw, v.y.raw, v.z.raw}; }
std::array<int, 3> rgb_bytes(const Color& c) { return {c.red, c.green, c.blue}; }
using Three = std::array<int, 3>;

/// Positions of the corners in the scene, including the object's transform.
std::multiset<Three> in_scene(const Object& o) {
  std::multiset<Three> out;
  for (const Triangle& t : o.triangles)
    for (const Vec16& v : t.positions) {
      Three at{};
      for (size_t r = 0; r < 3; ++r) {
        const f64 x = (f64(o.rotation[3 * r].raw) * v.x.raw + f64(o.rotation[3 * r + 1].raw) * v.y.raw +
                       f64(o.rotation[3 * r + 2].raw) * v.z.raw) /
                      4096;
        at[r] = int(std::lround(x)) + numbers(o.position)[r];
      }
      out.insert(at);
    }
  return out;
}

// ---- places

TEST(SplashpackMake, ConvertsAxesAndWindingOrder) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(10))).translation = {100, 20, 3};
  const Pack p = pack_of(b);
  ASSERT_EQ(p.objects.size(), 1u);
  EXPECT_EQ(numbers(p.objects[0].position), (Three{100, -20, -3}));
  ASSERT_EQ(p.objects[0].triangles.size(), 1u);
  const Triangle& t = p.objects[0].triangles[0];
  EXPECT_EQ(numbers(t.positions[0]), (Three{0, 0, 0}));
  EXPECT_EQ(numbers(t.positions[1]), (Three{0, -10, 0})) << "the second corner is the third of the scene";
  EXPECT_EQ(numbers(t.positions[2]), (Three{10, 0, 0}));
  EXPECT_EQ(numbers(t.normal), (Three{0, 0, -4096})) << "+Z is seen from, and -Z in the pack";
  EXPECT_EQ(p.objects[0].rotation[0].raw, 4096);
  EXPECT_EQ(p.objects[0].rotation[1].raw, 0);
}

TEST(SplashpackMake, DividesByTheScalingAndRounds) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(1)));
  const Pack p = pack_of(b, {{"layout", "d"}, {"scaling", "100"}});
  EXPECT_EQ(p.objects[0].triangles[0].positions[2].x.raw, 41) << "40.96";
}

TEST(SplashpackMake, UnityAxesAreRotatedByHalfATurn) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(10))).translation = {100, 20, 3};
  const Pack p = pack_of(b, {{"axes", "unity"}});
  EXPECT_EQ(numbers(p.objects[0].position), (Three{-100, -20, 3}));
  EXPECT_EQ(numbers(p.objects[0].triangles[0].normal), (Three{0, 0, 4096}));
}

TEST(SplashpackMake, BakesScaleButNotRotationIntoVertices) {
  Builder b;
  auto& n = b.node("a", b.mesh(Builder::triangle(10)));
  n.rotation = scene::from_axis_degrees(scene::k_axis_y, 90);  // +X becomes -Z
  n.scale = {2, 3, 1};
  const Pack p = pack_of(b);
  const Object& o = p.objects[0];
  const std::array<int, 9> expected{0, 0, -4096, 0, 4096, 0, 4096, 0, 0};
  for (size_t i = 0; i < 9; ++i) EXPECT_EQ(o.rotation[i].raw, expected[i]) << i;
  EXPECT_EQ(numbers(o.triangles[0].positions[1]), (Three{0, -30, 0}));
  EXPECT_EQ(numbers(o.triangles[0].positions[2]), (Three{20, 0, 0}));
}

TEST(SplashpackMake, KeepsShearFromUnevenParentScale) {
  Builder b;
  auto& parent = b.node("parent");
  parent.scale = {4, 1, 1};
  parent.translation = {7, 0, 0};
  auto& child = b.node("a", b.mesh(Builder::triangle(100)));
  child.parent = 0;
  child.rotation = scene::from_axis_degrees(scene::k_axis_z, 45);
  // (100, 0) rotated is (70.7, 70.7), then stretched to (282.8, 70.7); (0, 100) becomes (-282.8, 70.7).
  EXPECT_THAT(in_scene(pack_of(b).objects[0]),
              UnorderedElementsAre(Three{7, 0, 0}, Three{290, -71, 0}, Three{-276, -71, 0}));
}

TEST(SplashpackMake, MirroredNodesKeepTheirFrontFaces) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(10))).scale = {-1, 1, 1};
  const Pack pack = pack_of(b);
  const Object& o = pack.objects[0];
  const Triangle& t = o.triangles[0];
  const auto p = [&](size_t i) { return numbers(t.positions[i]); };
  const int turn = (p(1)[0] - p(0)[0]) * (p(2)[1] - p(0)[1]) - (p(1)[1] - p(0)[1]) * (p(2)[0] - p(0)[0]);
  EXPECT_LT(turn * t.normal.z.raw, 0) << "cross(v1 - v0, v2 - v0) points against the normal";
  EXPECT_LT(o.rotation[8].raw * t.normal.z.raw, 0) << "which is seen from +Z of the scene";
  EXPECT_GT(o.rotation[0].raw * o.rotation[8].raw, 0) << "an engine's matrix mirrors nothing";
  EXPECT_THAT(in_scene(o), UnorderedElementsAre(Three{0, 0, 0}, Three{-10, 0, 0}, Three{0, -10, 0}));
}

TEST(SplashpackMake, SharedMeshBecomesOneObjectPerNode) {
  Builder b;
  const Index mesh = b.mesh(Builder::triangle());
  b.node("a", mesh), b.node("empty"), b.node("b", mesh).translation = {5, 0, 0};
  const Pack p = pack_of(b);
  ASSERT_EQ(p.objects.size(), 2u) << "empty nodes are nothing";
  EXPECT_EQ(p.objects[1].position.x.raw, 5);
}

TEST(SplashpackMake, SuggestsAScalingForDistantVertices) {
  Builder b;
  b.node("near", b.mesh(Builder::triangle(10)));
  b.node("far", b.mesh(Builder::triangle(70000)));
  const Diagnostic d = validation_error(b);
  EXPECT_EQ(d.id, "splashpack.make-range");
  EXPECT_EQ(d.place.path, "node 1 (far), vertex 1");
  EXPECT_THAT(d.message, HasSubstr("70000"));
  EXPECT_EQ(d.hint, "{--scaling 8760} fits the whole scene") << "4096 * 70000 / 32767, and a thousandth";
  EXPECT_TRUE(made(b, {{"layout", "d"}, {"scaling", "8760"}}));
}

TEST(SplashpackMake, SuggestsAScalingForTinyScenes) {
  Builder b;
  b.node("speck", b.mesh(Builder::triangle(0.25f)));
  b.node("grain", b.mesh(Builder::triangle(0.125f)));
  const Diagnostic d = validation_error(b);
  EXPECT_EQ(d.id, "splashpack.make-small");
  EXPECT_EQ(
      d.message,
      "none of the 2 triangles has an area after rounding: vertices are at most 0.25 units from the middle of their "
      "object");
  EXPECT_EQ(d.hint, "use a smaller scaling, which makes the scene larger: {--scaling 0.12}")
      << "for the player: 4096 * 1.7 / 60000, rounded up; for the triangles 0.063 would do";
  EXPECT_EQ(pack_of(b, {{"layout", "d"}, {"scaling", "0.12"}}).objects.size(), 2u);
  // A scene with some triangles too small is made with a warning.
  b.node("stone", b.mesh(Builder::triangle(3)));
  const auto files = made(b, {{"layout", "d"}, {"scaling", "4096"}});
  ASSERT_TRUE(files);
  EXPECT_TRUE(std::any_of(files->notes.begin(), files->notes.end(), [](const Diagnostic& note) {
    return note.hint == "triangles without an area are omitted from the pack; the scene is small: try {--scaling 0.75}";
  }));
}

TEST(SplashpackMake, NotesOmittedPointsAndLines) {
  Builder b;
  Primitive line;
  line.shape = Primitive::Shape::lines;
  line.positions = {{0, 0, 0}, {1, 0, 0}};
  b.node("fence", b.mesh(line));
  EXPECT_THAT(notes_of(b), HasSubstr("points and lines cannot be stored in a pack: 1 primitive"));
}

TEST(SplashpackMake, IgnoresInvalidFogProperties) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(100)));
  b.scene_extra("fog", 1);
  const Arguments told{{"layout", "v21"}, {"scaling", "4096"}};
  EXPECT_THAT(notes_of(b, told), HasSubstr("splashpack.make-property"));
  EXPECT_EQ(pack_of(b, told).fog, 0);
  b.scene.extras = {};
  b.scene_extra("fog", Value::object()).add("red", 9);
  EXPECT_EQ(pack_of(b, told).fog, 1);
}

TEST(SplashpackMake, NotesVerticesThatLoseBrightness) {
  Builder b;
  Primitive p = Builder::triangle(100);
  b.node("a", b.mesh(p));
  Value corner = Value::list();
  for (const int x : {1, 255, 200, 190}) corner.push(x);
  b.extra("bright", Value::list()).push(corner);
  EXPECT_THAT(notes_of(b), HasSubstr("1 vertex was brighter in the original pack"));
  b.scene.meshes[0].primitives[0].sources = {0, 1, 2};
  EXPECT_THAT(notes_of(b), Not(HasSubstr("brighter")));
}

TEST(SplashpackMake, RefusesObjectsBeyond16BitsInEachLayout) {
  Builder b;
  b.node("near", b.mesh(Builder::triangle(10)));
  b.node("a", b.mesh(Builder::triangle(10))).translation = {100000, 0, 0};
  for (const EnumName& layout : k_layouts.words) {
    const Diagnostic d = validation_error(b, {{"layout", std::string(layout.word)}, {"scaling", "4096"}});
    EXPECT_EQ(d.id, "splashpack.make-range") << layout.word;
    EXPECT_EQ(d.place.path, "node 1 (a)") << layout.word;
    EXPECT_EQ(d.hint, "{--scaling 12513} fits the whole scene") << layout.word;
    const Pack p = pack_of(b, {{"layout", std::string(layout.word)}, {"scaling", "12513"}});
    ASSERT_EQ(p.objects.size(), 2u) << layout.word;
    EXPECT_EQ(p.objects[1].position.x.raw, 32734) << layout.word << ": 100000 / 12513 * 4096";
  }
}

TEST(SplashpackMake, RefusesWaypointsAndLightsOutOfRange) {
  Builder b;
  const Index a = Index(b.scene.nodes.size());
  b.node("a", b.mesh(Builder::triangle(100)));
  b.extra("agent", true);
  b.node("waypoint.far").parent = a;
  b.scene.nodes.back().translation = {0, 0, -40000};
  const Arguments told{{"layout", "v24"}, {"scaling", "4096"}};
  EXPECT_EQ(validation_error(b, told).place.path, "node 1 (waypoint.far)");
  EXPECT_EQ(validation_error(b, told).hint, "{--scaling 5006} fits the whole scene");
  EXPECT_EQ(pack_of(b, {{"layout", "v24"}, {"scaling", "5006"}}).agents[0].waypoints.size(), 1u);
  b.scene.nodes.back().translation = {0, 0, -400};
  b.scene.lights.emplace_back().kind = Light::Kind::point;
  b.node("lamp").light = 0;
  b.scene.nodes.back().translation = {3e9f, 0, 0};
  b.extra("runtime", true);
  EXPECT_EQ(validation_error(b, told).place.path, "node 2 (lamp)");
  b.scene.nodes.back().translation = {40000, 0, 0};
  EXPECT_EQ(pack_of(b, told).lights->entries[0].position.x.raw, 40000) << "lights have 32 bits";
}

TEST(SplashpackMake, ReportsLengthsThatDoNotFit) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(100)));
  b.extra("agent", true), b.extra("agent_sight", 70000);
  b.scene_extra("player_radius", 80000);
  const Arguments told{{"layout", "v22"}, {"scaling", "4096"}};
  EXPECT_EQ(pack_of(b, told).agents[0].sight_range.raw, 65535);
  const std::string notes = notes_of(b, told);
  EXPECT_THAT(notes, HasSubstr("agent_sight = 70000.0 is out of range at this scaling"));
  EXPECT_THAT(notes, HasSubstr("player_radius = 80000.0 is out of range at this scaling"));
  const Arguments larger{{"layout", "v22"}, {"scaling", "5006"}};
  EXPECT_THAT(notes_of(b, larger), Not(HasSubstr("out of range")));
}

TEST(SplashpackMake, SkipsTrianglesWithoutArea) {
  Builder b;
  Primitive p = Builder::triangle(100);
  for (const Vec3 v : {Vec3{0, 0, 0}, Vec3{10, 0, 0}, Vec3{20, 0.1f, 0}}) p.positions.push_back(v);
  b.node("a", b.mesh(p));
  EXPECT_EQ(pack_of(b).objects[0].triangles.size(), 1u);
  EXPECT_THAT(notes_of(b), HasSubstr("splashpack.make-degenerate: 1 triangle has no area after rounding"));
}

// ---- textures

/// Column and row of the picture of `textured` that the console draws at each corner.
std::array<int, 2> texel_of(const Pack& p, const VideoMemory& memory, const Triangle& t, size_t corner) {
  const auto source = texture_of(p, p.objects[0], t);
  if (!source) return {-1, -1};
  const u16 word = texel_at(memory, *source, t.uvs[corner].u, t.uvs[corner].v);
  return {word & 31, word >> 5 & 31};
}
std::map<Three, std::set<std::array<int, 2>>> texels_by_place(const Pack& p) {
  const VideoMemory memory = build_video_memory(p, nullptr);
  std::map<Three, std::set<std::array<int, 2>>> out;
  for (const Triangle& t : p.objects[0].triangles)
    for (size_t k = 0; k < 3; ++k) out[numbers(t.positions[k])].insert(texel_of(p, memory, t, k));
  return out;
}
using TexelSet = std::set<std::array<int, 2>>;

TEST(SplashpackMake, CornersMapToTheirTexels) {
  Builder b;
  b.node("a", b.mesh(Builder::quad(100, {0, 0}, {1, 1}, b.textured(16, 8))));
  const auto at = texels_by_place(pack_of(b));
  ASSERT_EQ(at.size(), 4u);
  EXPECT_EQ(at.at({0, -100, 0}), (TexelSet{{0, 0}})) << "above on the left is the first texel";
  EXPECT_EQ(at.at({100, 0, 0}), (TexelSet{{15, 7}})) << "1.0 is the last one";
}

TEST(SplashpackMake, SplitsTrianglesAtTextureRepeats) {
  Builder b;
  b.node("a", b.mesh(Builder::quad(100, {0, 0}, {2, 1}, b.textured(16, 8))));
  const Pack p = pack_of(b);
  const auto at = texels_by_place(p);
  EXPECT_EQ(at.at({50, 0, 0}), (TexelSet{{0, 7}, {15, 7}})) << "the end of one tile, the start of the next";
  EXPECT_EQ(at.at({50, -100, 0}), (TexelSet{{0, 0}, {15, 0}}));
  i64 area = 0;
  for (const Triangle& t : p.objects[0].triangles) {
    const auto a = numbers(t.positions[0]), c = numbers(t.positions[1]), d = numbers(t.positions[2]);
    area += (c[0] - a[0]) * (d[1] - a[1]) - (c[1] - a[1]) * (d[0] - a[0]);
  }
  EXPECT_EQ(std::abs(area), 2 * 100 * 100) << "the pieces are the whole";
}

TEST(SplashpackMake, WrapsNegativeAndDistantCoordinates) {
  Builder b;
  b.node("a", b.mesh(Builder::quad(100, {-3, 7}, {-2, 8}, b.textured(16, 8))));
  const Pack p = pack_of(b);
  EXPECT_EQ(p.objects[0].triangles.size(), 2u) << "one tile needs no cut";
  EXPECT_EQ(texels_by_place(p).at({100, 0, 0}), (TexelSet{{15, 7}}));
}

TEST(SplashpackMake, MirrorsTexturesAtTileBorders) {
  Builder b;
  const auto mirror = scene::Texture::Wrap::mirror;
  b.node("a", b.mesh(Builder::quad(100, {0, 0}, {2, 1}, b.textured(16, 8, mirror, mirror))));
  const auto at = texels_by_place(pack_of(b));
  EXPECT_EQ(at.at({50, 0, 0}), (TexelSet{{15, 7}}));
  EXPECT_EQ(at.at({100, 0, 0}), (TexelSet{{0, 7}}));
}

TEST(SplashpackMake, ClampsTexturesAtTheLastTexel) {
  Builder b;
  const auto clamp = scene::Texture::Wrap::clamp;
  b.node("a", b.mesh(Builder::quad(400, {-1, 0}, {3, 1}, b.textured(16, 8, clamp, clamp))));
  const auto at = texels_by_place(pack_of(b));
  EXPECT_EQ(at.at({0, 0, 0}), (TexelSet{{0, 7}}));
  EXPECT_EQ(at.at({100, 0, 0}), (TexelSet{{0, 7}}));
  EXPECT_EQ(at.at({200, 0, 0}), (TexelSet{{15, 7}}));
  EXPECT_EQ(at.at({400, 0, 0}), (TexelSet{{15, 7}}));
  EXPECT_FALSE(at.contains({300, 0, 0})) << "no border there";
}

TEST(SplashpackMake, AppliesTextureTransforms) {
  Builder b;
  const Index m = b.textured(16, 8);
  b.scene.materials[m].transform = {.offset = {0, 1}, .rotation = std::numbers::pi_v<f32> / 2, .scale = {1, 1}};
  b.node("a", b.mesh(Builder::quad(100, {0, 0}, {1, 1}, m)));
  // (u, v) becomes (v, 1 - u): (0, 0) is (0, 1), the lower left.
  const auto at = texels_by_place(pack_of(b));
  EXPECT_EQ(at.at({0, -100, 0}), (TexelSet{{0, 7}}));
  EXPECT_EQ(at.at({100, -100, 0}), (TexelSet{{0, 0}}));
  EXPECT_EQ(at.at({0, 0, 0}), (TexelSet{{15, 7}}));
}

TEST(SplashpackMake, RejectsTooManyTextureRepeats) {
  Builder b;
  b.node("wall", b.mesh(Builder::quad(100, {0, 0}, {4000, 1}, b.textured(16, 8))));
  const Diagnostic d = validation_error(b);
  EXPECT_EQ(d.id, "splashpack.make-tiles");
  EXPECT_EQ(d.place.path, "node 0 (wall), vertex 0");
  EXPECT_EQ(d.message, "the texture repeats 4000 x 1 times on the triangle (limit: 1024 repetitions)");
}

TEST(SplashpackMake, SplitsLongEdgesConsistentlyBetweenNeighbors) {
  Builder b;
  const Index fine = b.textured(128, 128), coarse = b.textured(8, 8);
  scene::Mesh mesh{"two", {Builder::quad(600, {0, 0}, {1, 1}, fine)}};
  Primitive right = Builder::quad(600, {0, 0}, {1, 1}, coarse);
  for (Vec3& v : right.positions) v[0] += 600;
  mesh.primitives.push_back(right);
  b.scene.meshes.push_back(mesh);
  b.node("a", 0);
  const Pack p = pack_of(b, {{"subdivide", "64"}});
  EXPECT_EQ(pack_of(b, {{"subdivide", "none"}}).objects[0].triangles.size(), 4u);
  EXPECT_EQ(pack_of(b, {{"subdivide", "256"}}).objects[0].triangles.size(), 4u) << "181 texels at most";
  // In the left square, each triangle becomes 4 and the 181-texel diagonal is split into 4; the right one is split only
  // along the shared edge.
  const VideoMemory memory = build_video_memory(p, nullptr);
  std::map<std::pair<Three, Three>, int> edges;
  for (const Triangle& t : p.objects[0].triangles)
    for (size_t k = 0; k < 3; ++k) {
      auto from = numbers(t.positions[k]), to = numbers(t.positions[(k + 1) % 3]);
      if (to < from) std::swap(from, to);
      ++edges[{from, to}];
      if (from[0] < 600 || to[0] < 600) {
        EXPECT_LE(std::hypot(from[0] - to[0], from[1] - to[1]) * 128 / 600, 64 + 1e-6);
      }
    }
  for (const auto& [edge, count] : edges) {
    const auto& [from, to] = edge;
    const bool is_border = (from[0] == 0 && to[0] == 0) || (from[0] == 1200 && to[0] == 1200) ||
                           (from[1] == 0 && to[1] == 0) || (from[1] == -600 && to[1] == -600);
    EXPECT_EQ(count, is_border ? 1 : 2) << from[0] << "," << from[1] << " to " << to[0] << "," << to[1];
  }
}

TEST(SplashpackMake, SplitsEdgesTheConsoleCannotDraw) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(2000)));
  const Pack p = pack_of(b);
  EXPECT_EQ(pack_of(b, {{"subdivide", "none"}}).objects[0].triangles.size(), 1u);
  for (const Triangle& t : p.objects[0].triangles)
    for (size_t k = 0; k < 3; ++k) {
      const auto from = numbers(t.positions[k]), to = numbers(t.positions[(k + 1) % 3]);
      EXPECT_LE(std::hypot(from[0] - to[0], from[1] - to[1]), 1023);
    }
}

TEST(SplashpackMake, OlderLayoutsGiveUntexturedTrianglesAWhiteTexel) {
  Builder b;
  Primitive p = Builder::triangle(10);
  p.material = b.material({.name = "red", .color = {1, 0, 0.21404114f, 1}});  // 0.5 as a display colour
  b.node("a", b.mesh(p));
  const Pack old = pack_of(b), now = pack_of(b, {{"layout", "v21"}});
  EXPECT_EQ(rgb_bytes(old.objects[0].triangles[0].colors[0]), (Three{128, 0, 64}));
  const auto source = texture_of(old, old.objects[0], old.objects[0].triangles[0]);
  ASSERT_TRUE(source);
  const Uv uv = old.objects[0].triangles[0].uvs[0];
  EXPECT_EQ(texel_at(build_video_memory(old, nullptr), *source, uv.u, uv.v) & 0x7FFF, 0x7FFF);
  EXPECT_EQ(now.objects[0].triangles[0].page, k_untextured);
  EXPECT_EQ(rgb_bytes(now.objects[0].triangles[0].colors[0]), (Three{255, 0, 128}));
  EXPECT_TRUE(now.atlases.empty());
}

TEST(SplashpackMake, AlphaMakesTexelsTransparent) {
  Builder b;
  const Index m = b.textured(8, 8);
  b.scene.images[0].pixels[3] = 100;  // the first texel
  b.node("a", b.mesh(Builder::quad(100, {0, 0}, {1, 1}, m)));
  const auto first = [&] {
    const Pack p = pack_of(b);
    for (const Triangle& x : p.objects[0].triangles)
      for (size_t k = 0; k < 3; ++k)
        if (numbers(x.positions[k]) == Three{0, -100, 0})
          return texel_at(build_video_memory(p, nullptr), *texture_of(p, p.objects[0], x), x.uvs[k].u, x.uvs[k].v);
    return u16(0x1234);
  };
  EXPECT_NE(first(), 0) << "an opaque material does not look at alpha";
  b.scene.materials[m].alpha = Material::Alpha::mask;
  EXPECT_EQ(first(), 0);
  b.scene.materials[m].alpha_cutoff = 0.3f;
  EXPECT_NE(first(), 0);
  b.scene.materials[m].alpha = Material::Alpha::blend;
  EXPECT_EQ(first(), 0) << "below one half";
  EXPECT_THAT(notes_of(b), HasSubstr("splashpack.make-blend"));
}

// ---- light

TEST(SplashpackMake, DrawsTransparentMaterialsSolidWithANote) {
  Builder b;
  const Index glass = b.material({.name = "glass", .color = {1, 1, 1, 0.25f}, .alpha = Material::Alpha::blend});
  Primitive p = Builder::triangle(100);
  p.material = glass;
  b.node("window", b.mesh(std::move(p)));
  EXPECT_THAT(notes_of(b),
              HasSubstr("splashpack.make-blend: materials[0]: the material is partially transparent (alpha 0.25)"));
  EXPECT_EQ(pack_of(b).objects.at(0).triangles.size(), 1u);
  b.scene.materials[glass].alpha = Material::Alpha::opaque;
  EXPECT_THAT(notes_of(b), Not(HasSubstr("make-blend")));
}

TEST(SplashpackMake, VertexColorsModulateTextures) {
  Builder b;
  Primitive p = Builder::quad(100, {0, 0}, {1, 1}, b.textured(8, 8));
  p.colors = {{1, 1, 1, 1}, {0.21404114f, 0, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}};
  b.node("a", b.mesh(p));
  const Pack pack = pack_of(b);
  for (const Triangle& t : pack.objects[0].triangles)
    for (size_t k = 0; k < 3; ++k)
      EXPECT_EQ(rgb_bytes(t.colors[k]),
                numbers(t.positions[k]) == (Three{100, 0, 0}) ? (Three{64, 0, 128}) : (Three{128, 128, 128}));
}

struct SplashpackLighting : testing::Test {
  Builder b;
  Index lit;
  SplashpackLighting() {
    lit = b.textured(8, 8);
    b.scene.materials[lit].unlit = false;
    b.node("a", b.mesh(Builder::quad(100, {0, 0}, {1, 1}, lit)));  // faces +Z
  }
  void add(Light light, Vec3 at = {0, 0, 0}, f32 tilt = 0) {
    b.scene.lights.push_back(std::move(light));
    auto& n = b.node("lamp");
    n.light = Index(b.scene.lights.size() - 1);
    n.translation = at;
    n.rotation = scene::from_axis_degrees(scene::k_axis_x, tilt);
  }
  Three at(Three place, Arguments told = {}) {
    const Pack pack = pack_of(b, std::move(told));
    for (const Triangle& t : pack.objects[0].triangles)
      for (size_t k = 0; k < 3; ++k)
        if (numbers(t.positions[k]) == place) return rgb_bytes(t.colors[k]);
    return {-1, -1, -1};
  }
};
constexpr f32 k_pi = std::numbers::pi_v<f32>;

TEST_F(SplashpackLighting, SunOfIntensityPiKeepsColors) {
  add({.name = "sun", .color = {1, 0.21404114f, 0}, .intensity = k_pi});
  EXPECT_EQ(at({0, 0, 0}), (Three{128, 64, 0}));
  EXPECT_EQ(at({0, 0, 0}, {{"lights", "none"}}), (Three{128, 128, 128}));
  EXPECT_EQ(at({0, 0, 0}, {{"ambient", "1"}})[2], 128);
}

TEST_F(SplashpackLighting, LightFallsOffWithTheAngle) {
  add({.name = "sun", .intensity = k_pi}, {}, -60);  // N.L = 0.5: 0.735 as a display colour
  EXPECT_EQ(at({0, 0, 0})[0], 94);
  b.scene.nodes.back().rotation = scene::from_axis_degrees(scene::k_axis_x, 180);
  EXPECT_EQ(at({0, 0, 0})[0], 0) << "from behind";
}

TEST_F(SplashpackLighting, CapsBrightLightLikeSplashEdit) {
  add({.name = "sun", .intensity = 100});
  EXPECT_EQ(at({0, 0, 0}), (Three{204, 204, 204}));
}

TEST_F(SplashpackLighting, PointLightsFallOffWithSquaredDistance) {
  add({.name = "lamp", .intensity = 100 * k_pi, .kind = Light::Kind::point}, {0, 0, 20});  // 100 / 400 = 1/4: 0.537
  EXPECT_EQ(at({0, 0, 0})[0], 69);
  EXPECT_LT(at({100, 0, 0})[0], 10) << "farther, and at an angle";
  b.scene.lights[0].range = 20;
  EXPECT_EQ(at({0, 0, 0})[0], 0) << "no farther than its range";
}

TEST_F(SplashpackLighting, SpotLightsEndAtTheirCone) {
  add({.name = "spot", .intensity = 400 * k_pi, .kind = Light::Kind::spot, .inner_cone = 0.1f, .outer_cone = 0.5f},
      {0, 0, 20});
  EXPECT_EQ(at({0, 0, 0})[0], 128);
  EXPECT_EQ(at({100, 0, 0})[0], 0) << "79 degrees from the axis";
}

TEST_F(SplashpackLighting, UnlitMaterialsIgnoreLights) {
  add({.name = "sun", .intensity = 0.1f});
  b.scene.materials[lit].unlit = true;
  EXPECT_EQ(at({0, 0, 0}), (Three{128, 128, 128}));
}

TEST_F(SplashpackLighting, EmissiveMaterialsAddTheirColor) {
  Value& extras = b.scene.materials[lit].extras = Value::object();
  Value& emission = extras.add("emission", Value::list());
  for (const f64 x : {1.0, 0.21404114, 0.0}) emission.push(x);
  b.scene.materials[lit].color = {0, 0, 0.5f, 1};
  EXPECT_EQ(at({0, 0, 0}), (Three{128, 64, 94})) << "without lamps";
  add({.name = "sun", .intensity = k_pi}, {}, 180);  // from behind
  EXPECT_EQ(at({0, 0, 0}), (Three{128, 64, 0}));
  b.scene.nodes.back().rotation = scene::k_no_rotation;
  b.scene.materials[lit].color = {0.21404114f, 0, 0, 1};
  EXPECT_EQ(at({0, 0, 0}), (Three{139, 64, 0})) << "with what lamps add: display of 1.214";
  b.scene.materials[lit].unlit = true;
  EXPECT_EQ(at({0, 0, 0}), (Three{64, 0, 0})) << "what is unlit has one colour";
}

// ---- what nodes mean

TEST(SplashpackMake, NodeNamesSelectTheirKind) {
  Builder b;
  const Index mesh = b.mesh(Builder::triangle(100));
  for (const char* name : {"crate", "Navmesh.001", "NAVMESH_2", "navmeshes", "ignore", "collider-1", "trigger3"})
    b.node(name, mesh);
  b.node("below", mesh).parent = 4;
  const Pack p = pack_of(b, {{"layout", "v21"}});
  ASSERT_EQ(p.objects.size(), 2u);
  EXPECT_EQ(p.objects[0].name, "crate");
  EXPECT_EQ(p.objects[1].name, "navmeshes") << "a longer word is another one";
  EXPECT_EQ(p.colliders.size(), 1u);
  EXPECT_EQ(p.triggers.size(), 1u);
}

TEST(SplashpackMake, KindPropertyOverridesTheName) {
  Builder b;
  b.node("navmesh", b.mesh(Builder::triangle(100)));
  b.extra("kind", "object");
  const Pack p = pack_of(b);
  EXPECT_EQ(p.objects.size(), 1u);
  EXPECT_TRUE(p.navmeshes.empty());
}

TEST(SplashpackMake, NavmeshNodesBecomeTheFloor) {
  Builder b;
  Primitive p;
  p.positions = {{0, 0, 0}, {0, 0, 500}, {500, 0, 0}};  // seen from above
  b.node("navmesh", b.mesh(p)).translation = {10, 5, 0};
  const Pack pack = pack_of(b);
  ASSERT_EQ(pack.navmeshes.size(), 1u);
  ASSERT_EQ(pack.navmeshes[0].triangles.size(), 1u);
  const auto& at = pack.navmeshes[0].triangles[0].positions;
  EXPECT_EQ(numbers(at[0]), (Three{10, -5, 0}));
  EXPECT_EQ(numbers(at[1]), (Three{510, -5, 0}));
  EXPECT_EQ(numbers(at[2]), (Three{10, -5, -500}));
}

TEST(SplashpackMake, SplitsLongFloorEdgesForTheOldEngine) {
  Builder b;
  Primitive p;
  p.positions = {{0, 0, 0}, {0, 0, 3000}, {3000, 0, 0}};
  b.node("navmesh", b.mesh(p));
  const Pack pack = pack_of(b);
  EXPECT_GT(pack.navmeshes[0].triangles.size(), 16u);
  for (const NavTriangle& t : pack.navmeshes[0].triangles)
    for (size_t k = 0; k < 3; ++k) {
      const auto a = numbers(t.positions[k]), c = numbers(t.positions[(k + 1) % 3]);
      EXPECT_LE(std::hypot(a[0] - c[0], a[2] - c[2]), 1001);
    }
  EXPECT_EQ(pack_of(b, {{"subdivide", "none"}}).navmeshes[0].triangles.size(), 1u);
}

TEST(SplashpackMake, RestoresPackNormalsFromUnitVectors) {
  // As exporters wrote them: truncated in 2025, rounded since.
  u32 seed = 1;
  const auto any = [&] {
    seed = seed * 1664525 + 1013904223;
    return f64(seed >> 8) / (1 << 24) * 2 - 1;
  };
  std::vector<Three> before;
  Builder b;
  Primitive p;
  for (int i = 0; i < 1000; ++i) {
    const f64 x = any(), y = any(), z = any(), length = std::sqrt(x * x + y * y + z * z);
    const auto whole = [&](f64 n) { return i % 2 ? int(n / length * 4096) : int(std::lround(n / length * 4096)); };
    const Three raw{whole(x), whole(y), whole(z)};
    before.push_back(raw);
    const Primitive one = Builder::triangle(100);
    p.positions.insert(p.positions.end(), one.positions.begin(), one.positions.end());
    p.normals.insert(p.normals.end(), 3, scene::unit(raw[0], -raw[1], -raw[2], {0, 1, 0}));
  }
  b.node("all", b.mesh(std::move(p)));
  const Pack made = pack_of(b, {{"subdivide", "none"}});
  ASSERT_EQ(made.objects.size(), 1u);
  ASSERT_EQ(made.objects[0].triangles.size(), before.size());
  for (size_t i = 0; i < before.size(); ++i) EXPECT_EQ(numbers(made.objects[0].triangles[i].normal), before[i]) << i;
}

TEST(SplashpackMake, RestoresSimpleNormalsWithEitherSign) {
  // Truncated to integers with a common factor: several vectors have the same direction.
  const std::vector<Three> raw = {{2730, 2730, 1365}, {-2730, -2730, -1365}, {-3663, -1831, 0}, {3663, 0, -1831},
                                  {0, -4096, 0},      {0, 0, 4096},          {-2896, 2896, 0},  {2896, 0, 2896}};
  Builder b;
  Primitive p;
  for (const Three& n : raw) {
    const Primitive one = Builder::triangle(100);
    p.positions.insert(p.positions.end(), one.positions.begin(), one.positions.end());
    p.normals.insert(p.normals.end(), 3, scene::unit(n[0], -n[1], -n[2], {0, 1, 0}));
  }
  b.node("all", b.mesh(std::move(p)));
  const Pack made = pack_of(b, {{"subdivide", "none"}});
  ASSERT_EQ(made.objects.at(0).triangles.size(), raw.size());
  for (size_t i = 0; i < raw.size(); ++i) EXPECT_EQ(numbers(made.objects[0].triangles[i].normal), raw[i]) << i;
}

TEST(SplashpackMake, StoresThePlayerStartAtEyeHeight) {
  Builder b;
  b.node("player_start").translation = {100, 50, -200};
  b.extra("height", 30);
  b.scene.nodes[0].rotation = scene::from_axis_degrees(scene::k_axis_y, 90);  // to the left, -X
  const Pack p = pack_of(b);
  EXPECT_EQ(numbers(p.start), (Three{100, -80, 200}));
  EXPECT_EQ(p.height.raw, 30);
  EXPECT_EQ(numbers(p.rotation), (Three{0, 19302, 0})) << "three quarters to the right, in radians";
  const auto now = made(b, {{"layout", "v21"}});
  ASSERT_TRUE(now);
  const auto opened = open(now->files.front().bytes, "a.splashpack");
  ASSERT_TRUE(opened);
  for (const Diagnostic& d : check(*opened)) EXPECT_NE(d.id, "splashpack.m-known") << format_one_line(d);
}

TEST(SplashpackMake, StoresEqualScriptsOnce) {
  Builder b;
  const Index mesh = b.mesh(Builder::triangle(100));
  Value& list = b.scene_extra("scripts", Value::list());
  for (const char* name : {"unused.lua", "door.lua"}) {
    Value& one = list.push(Value::object());
    one.add("name", name);
    one.add("text", std::string("-- ") + name);
  }
  b.node("a", mesh), b.extra("lua", "print(1)");
  b.node("b", mesh), b.extra("lua", "print(1)");
  b.node("c", mesh), b.extra("lua_file", "door.lua");
  b.node("d", mesh), b.extra("lua", "-- unused.lua");
  b.node("e", mesh);
  const Pack p = pack_of(b);
  ASSERT_EQ(p.scripts.size(), 3u);
  EXPECT_EQ(p.scripts[2].text, "print(1)");
  std::vector<int> used;
  for (const Object& o : p.objects) used.push_back(o.script);
  EXPECT_THAT(used, ElementsAre(2, 2, 1, 0, -1));
  b.node("f", mesh), b.extra("lua_file", "gone.lua");
  const Diagnostic d = validation_error(b);
  EXPECT_EQ(d.id, "splashpack.make-script");
  EXPECT_EQ(d.place.path, "node 5 (f), lua_file");
}

// The engine uses colliders of active objects only: collision.cpp, detectCollisions.
TEST(SplashpackMake, StandaloneCollidersBelongToAnActiveObject) {
  Builder b;
  const Index mesh = b.mesh(Builder::triangle(100));
  b.node("door", mesh), b.extra("lua", "x = 1");
  b.node("hidden", mesh), b.extra("active", false);
  b.node("wall", mesh);
  b.node("collider", mesh);
  b.node("collider.001", mesh), b.extra("object", 65535);
  const Pack p = pack_of(b, {{"layout", "v21"}});
  ASSERT_EQ(p.objects.size(), 3u);
  ASSERT_EQ(p.colliders.size(), 2u);
  EXPECT_EQ(p.colliders[0].object, 2) << "active, and no script changes it";
  EXPECT_EQ(p.colliders[1].object, k_no_index) << "as it is said";
}

TEST(SplashpackMake, BoxesEncloseTheirMeshes) {
  Builder b;
  const Index mesh = b.mesh(Builder::triangle(100));
  b.node("crate", mesh).translation = {1000, 0, 0};
  b.node("collider", mesh).parent = 0;
  b.extra("type", 1), b.extra("mask", 3);
  b.node("trigger").scale = {10, 20, 30};
  b.extra("lua", "x = 1");
  const Pack p = pack_of(b, {{"layout", "v21"}});
  ASSERT_EQ(p.colliders.size(), 1u);
  EXPECT_EQ(numbers(p.colliders[0].box.min), (Three{1000, -100, 0}));
  EXPECT_EQ(numbers(p.colliders[0].box.max), (Three{1100, 0, 0}));
  EXPECT_EQ(p.colliders[0].mask, 3);
  EXPECT_EQ(p.colliders[0].object, 0) << "what it hangs on";
  ASSERT_EQ(p.triggers.size(), 1u);
  EXPECT_EQ(numbers(p.triggers[0].box.max), (Three{10, 20, 30})) << "an empty's cube";
  EXPECT_EQ(p.triggers[0].script, 0);
  EXPECT_FALSE(p.bvh_nodes.empty());
  EXPECT_EQ(numbers(p.objects[0].box.min), (Three{1000, -100, 0}));
}

TEST(SplashpackMake, NewerPacksStoreTexelsInSiblingFiles) {
  Builder b;
  b.node("a", b.mesh(Builder::quad(100, {0, 0}, {1, 1}, b.textured(16, 8))));
  const auto files = made(b, {{"version", "21"}, {"scaling", "4096"}});
  ASSERT_TRUE(files);
  ASSERT_EQ(files->files.size(), 3u);
  EXPECT_EQ(files->files[1].extension, ".vram");
  EXPECT_EQ(files->files[2].extension, ".spu");
  const auto pack = load<Pack>(files->files[0].bytes);
  const auto vram = load<Vram>(files->files[1].bytes);
  ASSERT_TRUE(pack && vram);
  const Pack& p = pack->document.value();
  const Triangle& t = p.objects[0].triangles[0];
  const auto memory = build_video_memory(p, &vram->document.value());
  EXPECT_NE(texel_at(memory, *texture_of(p, p.objects[0], t), t.uvs[0].u, t.uvs[0].v), 0);
}

// ---- what is told

TEST(SplashpackMake, SceneExtrasProvideDefaultArguments) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(10)));
  b.scene_extra("layout", "e"), b.scene_extra("scaling", 4096);
  const auto files = made(b, {});
  ASSERT_TRUE(files);
  const auto pack = load<Pack>(files->files[0].bytes);
  ASSERT_TRUE(pack);
  EXPECT_EQ(pack->document.value().form, Layout::e);
  EXPECT_EQ(pack->document.value().objects[0].triangles[0].positions[2].x.raw, 10);
  EXPECT_EQ(made(b, {{"version", "20"}})->files.size(), 3u) << "what is told goes before";
}

TEST(SplashpackMake, BuildsLayoutsOlderThanScripts) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(10)));
  b.node("b", b.mesh(Builder::triangle(20)));
  b.extra("lua", "x = 1");
  for (const char* layout : {"a1", "a2", "a3", "b", "b2", "c"}) {
    SCOPED_TRACE(layout);
    const auto files = made(b, {{"layout", layout}, {"subdivide", "none"}});
    ASSERT_TRUE(files) << format_one_line(files.error());
    ASSERT_EQ(files->files.size(), 1u);
    EXPECT_EQ(k_layouts.of(i64(detect_layout(files->files[0].bytes))), layout);
    const auto pack = load<Pack>(files->files[0].bytes);
    ASSERT_TRUE(pack);
    ASSERT_EQ(pack->document.value().objects.size(), 2u);
    EXPECT_EQ(pack->document.value().objects[0].triangles.size(), 1u);
    EXPECT_TRUE(pack->document.value().scripts.empty());
    EXPECT_TRUE(std::ranges::any_of(files->notes, [](const Diagnostic& d) { return d.id == "splashpack.remake-lost"; }))
        << "the script";
    EXPECT_EQ(files->notes.back().id, "splashpack.make-made");
  }
}

TEST(SplashpackMake, RestoresPackDataKeptInScenes) {
  const auto all = samples_of(*find_format("splashpack"));
  const auto sample = std::ranges::find(all, "scene_v21.splashpack", &Sample::name);
  ASSERT_NE(sample, all.end());
  const auto before = load<Pack>(sample->bytes);
  ASSERT_TRUE(before);
  const auto staged = to_scene(before->document.value(), {});
  ASSERT_TRUE(staged);
  const auto files = make_pack_from_scene(staged->scene, {});
  ASSERT_TRUE(files) << format_one_line(files.error());
  const auto after = load<Pack>(files->files[0].bytes);
  ASSERT_TRUE(after);
  const Pack &was = before->document.value(), &is = after->document.value();
  ASSERT_EQ(is.cutscenes.size(), was.cutscenes.size());
  ASSERT_FALSE(is.cutscenes.empty());
  EXPECT_EQ(is.cutscenes[0].name, was.cutscenes[0].name);
  EXPECT_EQ(is.cutscenes[0].tracks.size(), was.cutscenes[0].tracks.size());
  EXPECT_EQ(is.cutscenes[0].audio_events.size(), was.cutscenes[0].audio_events.size());
  EXPECT_EQ(is.animations.size(), was.animations.size());
  ASSERT_TRUE(is.memory_card);
  EXPECT_EQ(is.memory_card->title, was.memory_card->title);
  const auto lost = [&](std::string_view what) {
    return std::ranges::any_of(files->notes, [&](const Diagnostic& d) {
      return d.id == "splashpack.make-lost" && d.message.find(what) != std::string::npos;
    });
  };
  EXPECT_FALSE(lost("room"));
  // The sibling files were not given.
  const auto missing = [&](std::string_view path) {
    return std::ranges::count(files->notes, path, [](const Diagnostic& d) { return std::string_view(d.place.path); });
  };
  EXPECT_EQ(missing("audio_clips[0].samples"), 1);
  EXPECT_EQ(missing("fonts[0].texels"), 1);
  EXPECT_TRUE(lost("1 picture is missing"));
}

TEST(SplashpackMake, HiddenPackNodesKeepTheirTriangles) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(10)));
  b.extra("kind", "object");
  b.scene.nodes.back().scale = {0, 0, 0};
  const auto files = made(b, {{"subdivide", "none"}});
  ASSERT_TRUE(files);
  const auto pack = load<Pack>(files->files[0].bytes);
  ASSERT_TRUE(pack);
  ASSERT_EQ(pack->document.value().objects.size(), 1u);
  EXPECT_EQ(pack->document.value().objects[0].triangles.size(), 1u);
}

TEST(SplashpackMake, OlderLayoutsReportUnsupportedFeatures) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(10)));
  b.extra("interactable", true);
  b.node("collider", b.mesh(Builder::triangle(10)));
  b.node("trigger.001", b.mesh(Builder::triangle(10)));
  b.scene_extra("depth", 4.0);
  const auto files = made(b, {{"layout", "d"}});
  ASSERT_TRUE(files) << format_one_line(files.error());
  std::string all;
  for (const Diagnostic& d : files->notes) all += d.message + "; ";
  EXPECT_THAT(all, testing::HasSubstr("1 collider"));
  EXPECT_THAT(all, testing::HasSubstr("1 trigger"));
  EXPECT_THAT(all, testing::HasSubstr("1 interactable object"));
}

TEST(SplashpackMake, ReportsPromptsWithoutACanvas) {
  const auto told = [](const char* canvas) {
    Builder b;
    b.node("door", b.mesh(Builder::triangle(10)));
    b.extra("interactable", true);
    b.extra("prompt_canvas", "open");
    Value one = Value::object();
    one.add("name", canvas);
    b.scene_extra("canvases", Value::list()).push(std::move(one));
    const auto files = made(b, {{"subdivide", "none"}});
    EXPECT_TRUE(files);
    return files && std::ranges::any_of(files->notes, [](const Diagnostic& d) {
             return d.id == "splashpack.make-property" && d.place.path.find("door") != std::string::npos;
           });
  };
  EXPECT_FALSE(told("open"));
  EXPECT_TRUE(told("close"));
}

TEST(SplashpackMake, CutsLongPromptsBetweenCharacters) {
  struct Case {
    std::string told, canvas, kept, says;  // of the hint
  };
  const std::string long_one = "interaction_prompt", e = "\u00e9", face = "\U0001F642";
  for (const auto& [told, canvas, kept, says] :
       {Case{"just_15_letters", "just_15_letters", "just_15_letters", ""},
        // The engine compares the first 15 bytes with the whole canvas name.
        Case{long_one, long_one, "interaction_pro",
             R"(truncated to "interaction_pro"; no canvas has that name either)"},
        Case{long_one, "interaction_pro", "interaction_pro",
             R"(truncated to "interaction_pro", so the canvas with that name is shown)"},
        Case{"just_14_letter" + e, "just_14_letter", "just_14_letter",
             R"(truncated to "just_14_letter", so the canvas with that name is shown)"},
        Case{"only_13_bytes" + e + "x", "only_13_bytes" + e, "only_13_bytes" + e,
             "so the canvas with that name is shown"},
        Case{"just_12_byte" + face, "x", "just_12_byte", "no canvas has that name either"},
        Case{"just_11_byt" + face, "just_11_byt" + face, "just_11_byt" + face, ""},
        Case{"short", long_one, "short", "no prompt is shown"}}) {
    Builder b;
    b.node("door", b.mesh(Builder::triangle(10)));
    b.extra("interactable", true);
    b.extra("prompt_canvas", told);
    Value one = Value::object();
    one.add("name", canvas);
    b.scene_extra("canvases", Value::list()).push(std::move(one));
    const auto files = made(b, {{"subdivide", "none"}});
    ASSERT_TRUE(files);
    const auto pack = load<Pack>(files->files[0].bytes)->document.value();
    ASSERT_EQ(pack.interactables.size(), 1u);
    EXPECT_EQ(pack.interactables[0].prompt_canvas, kept);
    EXPECT_EQ(pack.canvases[0].name, canvas);
    const auto note = std::ranges::find(files->notes, "splashpack.make-property", &Diagnostic::id);
    ASSERT_EQ(note != files->notes.end(), !says.empty()) << told;
    if (says.empty()) continue;
    EXPECT_THAT(note->message, testing::HasSubstr(told));
    EXPECT_THAT(note->hint, testing::HasSubstr(says));
    EXPECT_EQ(note->message.find("longer than 15 bytes") != std::string::npos, kept != told);
  }
}

TEST(SplashpackMake, SuggestsNamesForMisspelledProperties) {
  Builder b;
  b.node("door", b.mesh(Builder::triangle(10)));
  b.extra("interactible", true);
  b.extra("raduis", 3);
  b.extra("radio", 3);  // a word of its own
  b.scene_extra("sound_flies", Value("a.wav"));
  const auto files = made(b, {{"subdivide", "none"}});
  ASSERT_TRUE(files);
  std::map<std::string, std::string> hints;
  for (const Diagnostic& d : files->notes)
    if (d.id == "splashpack.make-property") hints[d.message] = d.hint;
  EXPECT_EQ(hints.size(), 3u);
  EXPECT_EQ(hints[R"(unknown property "interactible" is ignored)"], "did you mean interactable?");
  EXPECT_EQ(hints[R"(unknown property "raduis" is ignored)"], "did you mean radius?");
  EXPECT_EQ(hints[R"(unknown property "sound_flies" is ignored)"], "did you mean sound_files?");
}

TEST(SplashpackMake, ErrorsNameTheWrongArgument) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(10)));
  for (const Argument& a : Arguments{{"layout", "z"},
                                     {"version", "7"},
                                     {"version", "x"},
                                     {"scaling", "0"},
                                     {"scaling", "much"},
                                     {"axes", "left"},
                                     {"depth", "5"},
                                     {"subdivide", "1"},
                                     {"dither", "maybe"},
                                     {"lights", "some"},
                                     {"colour", "red"}}) {
    const Diagnostic d = validation_error(b, {a});
    EXPECT_EQ(d.id, "make.argument") << a.name << "=" << a.value;
    EXPECT_THAT(format_one_line(d), HasSubstr(a.name));
  }
  EXPECT_EQ(validation_error(b, {{"layout", "d"}, {"version", "21"}}).id, "make.argument");
}

TEST(SplashpackMake, ReportsMissingPartsForTheOldEngine) {
  Builder b;
  b.node("a", b.mesh(Builder::triangle(100)));
  EXPECT_THAT(notes_of(b), AllOf(HasSubstr("the pack has 1 object"), HasSubstr("no node is named \"navmesh\"")));
  EXPECT_THAT(notes_of(b, {{"layout", "v21"}, {"scaling", "4096"}}), Not(HasSubstr("make-engine")));
}

// ---- hostile scenes

TEST(SplashpackMake, RejectsInvalidScenes) {
  const f32 nan = std::numeric_limits<f32>::quiet_NaN();
  const std::vector<void (*)(Scene&, f32)> damages{
      [](Scene& s, f32 x) { s.meshes[0].primitives[0].positions[1][0] = x; },
      [](Scene& s, f32 x) { s.meshes[0].primitives[0].uvs[1][0] = x; },
      [](Scene& s, f32 x) { s.nodes[0].translation[1] = x; },
      [](Scene& s, f32 x) { s.materials[0].color[1] = x; },
      [](Scene& s, f32) { s.meshes[0].primitives[0].uvs.clear(); },
      [](Scene& s, f32) { s.meshes[0].primitives[0].indices[1] = 99; },
      [](Scene& s, f32) { s.nodes[0].mesh = 7; },
      [](Scene& s, f32) { s.images[0].pixels.pop_back(); },
  };
  for (size_t i = 0; i < damages.size(); ++i) {
    Builder b;
    b.node("a", b.mesh(Builder::quad(100, {0, 0}, {1, 1}, b.textured(16, 8))));
    damages[i](b.scene, nan);
    EXPECT_EQ(validation_error(b).id, "scene.invalid") << i;
  }
}

TEST(SplashpackMake, RejectsNumbersOutOfRange) {
  const f32 huge = 3e38f;
  const std::vector<std::pair<void (*)(Scene&, f32), const char*>> damages{
      {[](Scene& s, f32 x) { s.meshes[0].primitives[0].positions[1][0] = x; }, "splashpack.make-range"},
      {[](Scene& s, f32 x) { s.nodes[0].translation[2] = -x; }, "splashpack.make-range"},
      {[](Scene& s, f32 x) { s.nodes[0].scale = {x, x, x}; }, "splashpack.make-range"},
      {[](Scene& s, f32 x) { s.meshes[0].primitives[0].uvs[0] = {x, -x}; }, "splashpack.make-tiles"},
      {[](Scene& s, f32 x) { s.materials[0].transform.scale = {x, x}; }, "splashpack.make-tiles"},
  };
  for (size_t i = 0; i < damages.size(); ++i) {
    Builder b;
    b.node("a", b.mesh(Builder::quad(100, {0, 0}, {1, 1}, b.textured(16, 8))));
    damages[i].first(b.scene, huge);
    EXPECT_EQ(validation_error(b).id, damages[i].second) << i;
  }
}

TEST(SplashpackMake, FlatAndEmptyScenesBecomeEmptyPacks) {
  Builder b;
  b.node("flat", b.mesh(Builder::quad(100, {0, 0}, {1, 1}, b.textured(16, 8)))).scale = {0, 0, 0};
  EXPECT_TRUE(pack_of(b).objects.empty());
  EXPECT_TRUE(pack_of({}).objects.empty());
  EXPECT_TRUE(pack_of({}, {{"layout", "v24"}}).objects.empty());
}

TEST(SplashpackMake, RejectsOverlyComplexScenes) {
  Builder b;
  const Index mesh = b.mesh(Builder::quad(1000, {0, 0}, {31, 31}, b.textured(256, 256)));
  for (size_t i = 0; i < 5000; ++i) b.node("many", mesh);
  EXPECT_EQ(validation_error(b).id, "splashpack.make-many");
}

}  // namespace
}  // namespace dio::splashpack
