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
                          "1 duplicate triangle is omitted", "4 triangles with no known type became plain road"));
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
