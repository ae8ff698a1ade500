// make_test.cpp: collision files made from scenes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "engine/corpus.hpp"
#include "formats/kcl/from_scene/surface_names.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/registry.hpp"
#include "operations/operations.hpp"
#include "samples/kcl/courses.hpp"
#include "samples/samples.hpp"
#include "scene/transforms.hpp"

namespace dio::kcl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

TEST(KclNames, ParsesFlagsFromNames) {
  EXPECT_THAT(parse_flags_from_name("road_00_F0140"), Optional(0x0140));
  EXPECT_THAT(parse_flags_from_name("my wall _F08a1.002"), Optional(0x08A1));
  EXPECT_THAT(parse_flags_from_name("0x0016"), Optional(0x0016));
  EXPECT_THAT(parse_flags_from_name("Grass 0xA0c3"), Optional(0xA0C3));
  EXPECT_THAT(parse_flags_from_name("road"), Optional(0));
  EXPECT_THAT(parse_flags_from_name("Road.003"), Optional(0));
  EXPECT_THAT(parse_flags_from_name("road 2"), Optional(0x17));
  EXPECT_THAT(parse_flags_from_name("road_2.001"), Optional(0x17));
  EXPECT_THAT(parse_flags_from_name("Off-Road: Grass"), Optional(0x83));
  EXPECT_THAT(parse_flags_from_name("heavy_off_road"), Optional(4));
  EXPECT_THAT(parse_flags_from_name("wall: ice"), Optional(0x8C));
  EXPECT_THAT(parse_flags_from_name("invisible wall 2 behind the goal"), Optional(0x1F));
  EXPECT_THAT(parse_flags_from_name("Boost Panel left"), Optional(6));
  for (const char* name : {"", "roadway", "a road", "_F12", "_F12345", "_Fabcde", "material", "facade_face"})
    EXPECT_EQ(parse_flags_from_name(name), std::nullopt) << name;
}

TEST(KclNames, EveryVariantNameParsesBack) {
  for (u32 flags = 0; flags < 256; ++flags) {
    Prism p{};
    set_flags(p, u16(flags), true);
    if (k_variants[p.type].of(p.variant).empty()) continue;
    EXPECT_THAT(parse_flags_from_name(surface_of(p, true)), Optional(flags)) << surface_of(p, true);
  }
}

Value extras(std::initializer_list<std::pair<const char*, Value>> members) {
  Value v = Value::object();
  for (const auto& [name, value] : members) v.add(name, value);
  return v;
}

TEST(KclExtras, ParsesFlagsFromExtras) {
  EXPECT_THAT(parse_flags_from_extras(extras({{"flags", "0x0016"}})), Optional(0x16));
  EXPECT_THAT(parse_flags_from_extras(extras({{"flags", 22}})), Optional(0x16));
  EXPECT_THAT(parse_flags_from_extras(extras({{"flags", 22.0}, {"type", "wall"}})), Optional(0x16));
  EXPECT_THAT(parse_flags_from_extras(extras({{"type", "off-road"}, {"variant", "grass"}, {"trickable", true}})),
              Optional(0x2083));
  EXPECT_THAT(parse_flags_from_extras(extras({{"type", 12}, {"soft_wall", 1}, {"light", 7}, {"wheel_depth", 3}})),
              Optional(0x9F0C));
  EXPECT_EQ(parse_flags_from_extras(extras({{"flags", 70000}})), std::nullopt);
  EXPECT_EQ(parse_flags_from_extras(extras({{"type", "lava"}})), std::nullopt);
  EXPECT_EQ(parse_flags_from_extras(extras({{"variant", 1}})), std::nullopt);
  EXPECT_EQ(parse_flags_from_extras({}), std::nullopt);
}

/// A square of one metre with a material, at `x`.
scene::Scene square(const std::string& material, f32 x = 0) {
  scene::Scene s;
  s.materials.push_back({.name = material});
  scene::Primitive p{.material = 0};
  p.positions = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
  p.indices = {0, 1, 2, 0, 2, 3};
  s.meshes.push_back({"mesh", {p}});
  scene::Node n{.name = "node", .mesh = 0};
  n.translation = {x, 0, 0};
  s.nodes.push_back(n);
  return s;
}
Kcl kcl_of(const Result<Made>& made) {
  EXPECT_TRUE(made) << (made ? "" : format_one_line(made.error()));
  if (!made) return {};
  auto d = load<Kcl>(made->files[0].bytes);
  EXPECT_TRUE(d);
  return d ? d->document.value() : Kcl{};
}

TEST(KclMake, AppliesNodeTransforms) {
  const Kcl k = kcl_of(make(square("road", 5), {}));
  ASSERT_EQ(k.prisms.size(), 2u);
  const auto t = compute_prism_triangle(k, k.prisms[0]);
  ASSERT_TRUE(t);
  EXPECT_NEAR((*t)[0][0], 500, 0.01);
  EXPECT_NEAR((*t)[1][2], 100, 0.01);
  EXPECT_NEAR((*t)[2][0], 600, 0.01);
  const Argument ten[] = {{"units-per-metre", "10"}};
  const Kcl small = kcl_of(make(square("road", 5), ten));
  EXPECT_NEAR((*compute_prism_triangle(small, small.prisms[0]))[0][0], 50, 0.01);
}

TEST(KclMake, KeepsTheFrontsOfMirroredNodes) {
  scene::Scene s = square("road");
  s.nodes[0].scale = {-1, 1, 1};
  const Kcl k = kcl_of(make(s, {}));
  for (const Prism& p : k.prisms) EXPECT_GT(k.normals[p.face_normal].y, 0.99f);
}

TEST(KclMake, MaterialFlagsOverrideMeshAndNodeFlags) {
  scene::Scene s = square("glossy paint");
  const auto flags = [&] {
    const Kcl k = kcl_of(make(s, {}));
    return k.prisms.empty() ? 0xFFFF : flags_of(k.prisms[0], true);
  };
  EXPECT_EQ(flags(), 0);
  s.nodes[0].name = "wall";
  EXPECT_EQ(flags(), 0x0C);
  s.nodes[0].extras = extras({{"flags", "0x0006"}});
  EXPECT_EQ(flags(), 6);
  s.meshes[0].name = "x_F0007";
  EXPECT_EQ(flags(), 7);
  s.materials[0].name = "jump pad";
  EXPECT_EQ(flags(), 8);
  s.materials[0].extras = extras({{"type", "item road"}});
  EXPECT_EQ(flags(), 9);
}

TEST(KclMake, ListsOmittedPartsInNotes) {
  scene::Scene s = square("glossy paint");
  s.meshes[0].primitives[0].indices.insert(s.meshes[0].primitives[0].indices.end(), {1, 2, 0, 3, 3, 1});
  s.meshes[0].primitives.push_back({.shape = scene::Primitive::Shape::lines, .positions = {{0, 0, 0}, {1, 0, 0}}});
  const auto made = make(s, {});
  ASSERT_TRUE(made);
  std::vector<std::string> notes;
  for (const Diagnostic& d : made->notes) {
    EXPECT_NE(find_rule(d.id), nullptr) << d.id;
    notes.push_back(d.message);
  }
  EXPECT_THAT(notes,
              ElementsAre("1 primitive of points or lines is omitted", "1 triangle without an area is omitted",
                          "1 duplicate triangle is omitted", "4 triangles with no known type became road: normal"));
  EXPECT_EQ(kcl_of(made).prisms.size(), 2u);
}

TEST(KclMake, RejectsInvalidScenesAndArguments) {
  EXPECT_EQ(make({}, {}).error().id, "kcl.make-empty");
  const Argument odd[] = {{"cell", "100"}}, unknown[] = {{"colour", "red"}};
  EXPECT_EQ(make(square("road"), odd).error().id, "make.argument");
  EXPECT_EQ(make(square("road"), unknown).error().id, "make.argument");
  EXPECT_EQ(make(square("road", 20'000), {}).error().id, "kcl.build-area");
  scene::Scene many = square("road");
  scene::Primitive& p = many.meshes[0].primitives[0];
  p.indices.clear();
  p.positions.clear();
  for (u32 i = 0; i < 66'000; ++i)
    for (const scene::Vec3& v : {scene::Vec3{0, 0, 0}, scene::Vec3{0, 0, 1}, scene::Vec3{1, 0, 1}})
      p.positions.push_back({v[0] + f32(i % 300), 0, v[2] + f32(i / 300)});
  const auto refused = make(many, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "kcl.build-prisms");
  EXPECT_THAT(refused.error().message, HasSubstr("66,000"));
}

/// A grid of squares of 1 metre, made of two triangles each; `height` of each corner.
scene::Scene ground(const char* material, u32 squares, auto height) {
  scene::Scene s = square(material);
  scene::Primitive& p = s.meshes[0].primitives[0];
  p.positions.clear(), p.indices.clear();
  const u32 row = squares + 1;
  for (u32 z = 0; z < row; ++z)
    for (u32 x = 0; x < row; ++x) p.positions.push_back({f32(x), f32(height(x, z)), f32(z)});
  for (u32 z = 0; z < squares; ++z)
    for (u32 x = 0; x < squares; ++x) {
      const u32 a = z * row + x, b = a + 1, c = a + row, d = c + 1;
      for (const u32 i : {a, c, b, b, c, d}) p.indices.push_back(i);
    }
  return s;
}
f64 area_of(const Kcl& k, u8 type) {
  f64 area = 0;
  for (const Prism& p : k.prisms)
    if (const auto t = compute_prism_triangle(k, p); t && p.type == type)
      area += length(cross((*t)[1] - (*t)[0], (*t)[2] - (*t)[0])) / 2;
  return area;
}

TEST(KclMake, SimplifiesGroundThatExceedsTheLimits) {
  // Half of it is flat, so the limit is reached without an error.
  const auto flat =
      make(ground("road", 200, [](u32 x, u32 z) { return x < 100 ? 0 : std::sin(x * 0.7) * std::cos(z * 0.4); }), {});
  ASSERT_TRUE(flat) << format_one_line(flat.error());
  ASSERT_EQ(flat->notes.size(), 1u);
  EXPECT_EQ(flat->notes[0].id, "kcl.make-simplified");
  const Kcl k = kcl_of(flat);
  EXPECT_LE(k.normals.size(), 65'536u);
  EXPECT_LE(k.prisms.size(), 65'535u);
  EXPECT_GT(k.prisms.size(), 15'000u);
  // The border stays, and so does nearly all of the surface.
  std::vector<Point> corners;
  for (const Prism& p : k.prisms)
    if (const auto t = compute_prism_triangle(k, p)) corners.insert(corners.end(), t->begin(), t->end());
  for (const Point& corner : {Point{0, 0, 0}, Point{0, 0, 20'000}})
    EXPECT_TRUE(std::ranges::any_of(corners, [&](const Point& c) { return length(c - corner) < 1; }));
  EXPECT_NEAR(area_of(k, 0), 20'000.0 * 20'000 * 1.06, 20'000.0 * 20'000 * 0.06);
}

TEST(KclMake, KeepsBordersOfSurfacesWhenItSimplifies) {
  scene::Scene s = ground("road", 240, [](u32 x, u32 z) { return std::sin(x * 0.05) * 3 + std::cos(z * 0.04) * 3; });
  s.materials.push_back({.name = "off-road: grass"});
  scene::Primitive& p = s.meshes[0].primitives[0];
  scene::Primitive grass = p;
  grass.material = 1;
  // The grass has the squares of a circle, the road the others.
  const auto is_grass = [&](size_t i) {
    const scene::Vec3& v = p.positions[p.indices[i]];
    return std::hypot(v[0] - 120, v[2] - 120) < 60;
  };
  std::vector<scene::Index> outside, inside;
  for (size_t i = 0; i < p.indices.size(); i += 6)
    for (size_t k = i; k < i + 6; ++k) (is_grass(i) ? inside : outside).push_back(p.indices[k]);
  const f64 squares = f64(inside.size()) / 6 * 1e4;
  p.indices = outside, grass.indices = inside;
  s.meshes[0].primitives.push_back(grass);
  const auto made = make(s, {});
  ASSERT_TRUE(made) << format_one_line(made.error());
  const Kcl k = kcl_of(made);
  EXPECT_NEAR(area_of(k, 3) / squares, 1, 0.03);
  EXPECT_NEAR(area_of(k, 0) / (240.0 * 240 * 1e4 - squares), 1, 0.03);
}

TEST(KclMake, TrianglesWithoutATypeGetOneBySlopeAndName) {
  const auto types_of = [](const char* material, std::vector<scene::Vec3> corners) {
    scene::Scene s = square(material);
    s.meshes[0].primitives[0].positions = std::move(corners);
    s.meshes[0].primitives[0].indices = {0, 1, 2};
    return flags_of(kcl_of(make(s, {})).prisms.at(0), true);
  };
  const std::vector<scene::Vec3> flat{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}}, down{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}},
      wall{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}}, kerb{{0, 0, 0}, {1, 0, 0}, {0, 0.3f, 0}},
      slope{{0, 0, 0}, {0, 1, 1}, {1, 0, 0}};
  EXPECT_EQ(types_of("Asphalt", flat), 0);
  EXPECT_EQ(types_of("Asphalt", slope), 0);
  EXPECT_EQ(types_of("Asphalt", kerb), 0);
  EXPECT_EQ(types_of("Asphalt", {{0, 0, 0}, {1, 0, 0}, {0, 0.3f, 1e-4f}}), 0);  // a kerb that leans by rounding
  EXPECT_EQ(types_of("Asphalt", wall), 0x0C);
  EXPECT_EQ(types_of("Asphalt", down), 0x0C);
  EXPECT_EQ(types_of("Grass.001", flat), 0x83);
  EXPECT_EQ(types_of("sand_beach", slope), 0x03);
  EXPECT_EQ(types_of("sandstone", flat), 0);
  EXPECT_EQ(types_of("grass", wall), 0x0C);
}

/// Converts through GLB and back: the same triangles with the same flags, in some order.
void expect_same_through_glb(const Kcl& k, size_t left_out) {
  const auto staged = to_scene(k, false);
  ASSERT_TRUE(staged);
  const auto glb = gltf::write_glb(staged->scene);
  ASSERT_TRUE(glb);
  const auto read = gltf::read(*glb);
  ASSERT_TRUE(read) << format_one_line(read.error());
  const auto made = make(read->document, {});
  const Kcl again = kcl_of(made);
  using Key = std::array<i64, 10>;
  const auto keys = [](const Kcl& file) {
    std::multiset<Key> all;
    for (const Prism& p : file.prisms) {
      const auto t = compute_prism_triangle(file, p);
      if (!t) continue;
      std::array<std::array<i64, 3>, 3> c;
      for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j) c[i][j] = std::llround((*t)[i][j] / 4);  // smaller differences are rounding
      std::rotate(c.begin(), std::ranges::min_element(c), c.end());
      all.insert({flags_of(p, true), c[0][0], c[0][1], c[0][2], c[1][0], c[1][1], c[1][2], c[2][0], c[2][1], c[2][2]});
    }
    return all;
  };
  EXPECT_EQ(again.prisms.size(), k.prisms.size() - left_out);
  const auto before = keys(k), after = keys(again);
  std::vector<Key> gone;
  std::ranges::set_difference(before, after, std::back_inserter(gone));
  // at rounding boundaries, a few values differ by one step
  EXPECT_LE(gone.size(), left_out + before.size() / 50);
}

TEST(KclMake, ExportedFilesConvertBackUnchanged) {
  for (const auto& triangles : {box(), hills(), types()}) expect_same_through_glb(built(triangles), 0);
}

TEST(KclMakeCorpus, RealFilesConvertBackThroughGlb) {
  bool any = false;
  for (const auto& path : test::corpus_files("wii", ".kcl")) {
    auto d = load<Kcl>(test::read_file(path));
    ASSERT_TRUE(d);
    if (!d->document.value().is_mario_kart_wii()) continue;
    any = true;
    expect_same_through_glb(d->document.value(), 32);  // 31 duplicates, and one without an area
  }
  if (!any) GTEST_SKIP() << "no collision files of Mario Kart Wii";
}

}  // namespace
}  // namespace dio::kcl
