// make_test.cpp: battle maps made from scenes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <queue>
#include <random>
#include <set>

#include "core/text_format.hpp"
#include "fft/map_scenes.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"
#include "formats/fft/make/map_builder.hpp"
#include "formats/fft/parts.hpp"
#include "formats/fft/scene/light.hpp"
#include "formats/fft/scene/slopes.hpp"
#include "formats/registry.hpp"
#include "samples/fft/maps.hpp"
#include "scene/math.hpp"

namespace dio::fft {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string listed(const Diagnostics& all) {
  std::string out;
  for (const Diagnostic& d : all) out += d.id + " " + d.place.path + ": " + d.message + "\n";
  return out;
}
std::string findings_of(const Mesh& m) {
  Findings f(rules());
  check(m, f);
  return listed(f.list);
}

BuiltMap built(const scene::Scene& s, const MapBuildOptions& o = {}) {
  EXPECT_THAT(scene::verify(s), IsEmpty());
  auto map = build_map(s, o);
  EXPECT_TRUE(map) << (map ? "" : map.error().message);
  return map ? std::move(*map) : BuiltMap{};
}

const TerrainTile& tile_at(const Terrain& t, u32 x, u32 z, u32 level = 0) { return *Terrain::tile(t, level, x, z); }

/// The height of the ground in units: of the fold of the slope, or of the plane.
f64 ground_at(const Terrain& t, f64 x, f64 z) {
  const u32 tile_x = u32(x), tile_z = u32(z);
  const auto steps = corner_steps(tile_at(t, tile_x, tile_z));
  const f64 e = x - tile_x, n = z - tile_z;
  return k_step_units * ((steps[0] * (1 - e) + steps[1] * e) * (1 - n) + (steps[3] * (1 - e) + steps[2] * e) * n);
}

/// The tiles that a unit reaches from a tile of level 0, climbing at most `jump` steps at a time.
std::set<std::array<u32, 3>> reachable_from(const Terrain& t, u32 x, u32 z, i32 jump) {
  std::set<std::array<u32, 3>> seen{{0, x, z}};
  std::queue<std::array<u32, 3>> next;
  next.push({0, x, z});
  while (!next.empty()) {
    const auto [level, at_x, at_z] = next.front();
    next.pop();
    const TerrainTile& from = tile_at(t, at_x, at_z, level);
    for (const auto& [dx, dz] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
      for (u32 to_level = 0; to_level < 2; ++to_level) {
        const u32 to_x = at_x + u32(dx), to_z = at_z + u32(dz);
        const TerrainTile* to = Terrain::tile(t, to_level, to_x, to_z);
        if (!to || to->absent || to->untargetable) continue;
        if (std::abs(displayed_half_steps(*to) - displayed_half_steps(from)) > 2 * jump) continue;
        if (seen.insert({to_level, to_x, to_z}).second) next.push({to_level, to_x, to_z});
      }
  }
  return seen;
}

class MapScenes : public testing::TestWithParam<test::MapScene (*)()> {};
INSTANTIATE_TEST_SUITE_P(Made, MapScenes,
                         testing::Values(test::hut, test::stairs, test::bridge, test::water, test::castle),
                         [](const auto& p) { return p.param().name; });

TEST_P(MapScenes, HaveNoFindings) {
  const BuiltMap map = built(GetParam()().scene);
  EXPECT_EQ(findings_of(map.mesh), "");
  EXPECT_EQ(listed(map.notes), "");
  EXPECT_EQ(map.lost, 0u);
}

TEST_P(MapScenes, HaveTheHeightsOfTheScene) {
  const test::MapScene s = GetParam()();
  const Terrain t = *built(s.scene).mesh.terrain;
  ASSERT_EQ(t.size_x, s.size_x);
  ASSERT_EQ(t.size_z, s.size_z);
  std::mt19937 random(4);
  for (int probe = 0; probe < 500; ++probe) {
    const f64 x = std::uniform_real_distribution<>(0, s.size_x)(random),
              z = std::uniform_real_distribution<>(0, s.size_z)(random);
    // North is up in the file, and the south-west corner is the origin.
    EXPECT_NEAR(ground_at(t, x, s.size_z - z), s.height(x, z) * k_tile_units, k_step_units) << x << ", " << z;
  }
}

TEST_P(MapScenes, BindEachPieceOfGroundToItsTile) {
  const Mesh m = built(GetParam()().scene).mesh;
  const auto expect_bound = [&](const auto& polygons) {
    for (const auto& p : polygons) {
      if (p.tile.is_none()) continue;
      const TerrainTile* tile = Terrain::tile(*m.terrain, p.tile.level, p.tile.x, p.tile.z);
      ASSERT_TRUE(tile);
      EXPECT_FALSE(tile->absent);
      for (const Position& c : p.positions) {
        EXPECT_GE(c.x, k_tile_units * p.tile.x);
        EXPECT_LE(c.x, k_tile_units * (p.tile.x + 1));
        EXPECT_GE(c.z, k_tile_units * p.tile.z);
        EXPECT_LE(c.z, k_tile_units * (p.tile.z + 1));
      }
    }
  };
  expect_bound(m.primary->textured_triangles);
  expect_bound(m.primary->textured_quads);
}

TEST(MapFromScene, StairsAndRampsLeadToTheTerrace) {
  const Terrain t = *built(test::stairs().scene).mesh.terrain;
  EXPECT_EQ(tile_at(t, 5, 1).slope, slope_of_corners(k_southeast | k_northeast));  // the ramp rises to the east
  EXPECT_EQ(tile_at(t, 5, 1).slope_height, 1);
  EXPECT_EQ(tile_at(t, 5, 6).slope, 0);
  EXPECT_TRUE(reachable_from(t, 0, 0, 1).contains({0, 11, 4}));
  EXPECT_FALSE(reachable_from(t, 0, 0, 0).contains({0, 11, 4}));
}

TEST(MapFromScene, ABridgeIsTheUpperLevelOfTheWayBeneathIt) {
  const Terrain t = *built(test::bridge().scene).mesh.terrain;
  EXPECT_EQ(tile_at(t, 4, 4, 0).height, 0);
  EXPECT_FALSE(tile_at(t, 4, 4, 1).absent);
  EXPECT_EQ(tile_at(t, 4, 4, 1).height, 5);
  EXPECT_TRUE(tile_at(t, 4, 1, 1).absent);
  const auto reached = reachable_from(t, 0, 0, 3);
  EXPECT_TRUE(reached.contains({0, 4, 4}));   // beneath the bridge
  EXPECT_FALSE(reached.contains({1, 4, 4}));  // on it
}

TEST(MapFromScene, LiquidsHaveADepth) {
  const Terrain t = *built(test::water().scene).mesh.terrain;
  EXPECT_EQ(tile_at(t, 4, 4).surface, 0x10);
  EXPECT_EQ(tile_at(t, 4, 4).height, 0);
  EXPECT_EQ(tile_at(t, 4, 4).depth, 2);
  EXPECT_EQ(tile_at(t, 0, 0).surface, 0x03);
  EXPECT_EQ(tile_at(t, 0, 0).height, 3);
  EXPECT_EQ(tile_at(t, 0, 0).depth, 0);
}

TEST(MapFromScene, WallsCannotBeEnteredFromTheYard) {
  const Terrain t = *built(test::castle().scene).mesh.terrain;
  const auto reached = reachable_from(t, 0, 0, 4);
  EXPECT_TRUE(reached.contains({0, 5, 4}));   // the yard, through the gate
  EXPECT_FALSE(reached.contains({0, 8, 9}));  // the keep
  EXPECT_FALSE(reached.contains({0, 2, 2}));  // a tower
}

std::string refusal(const scene::Scene& s, const MapBuildOptions& o = {}) {
  const auto map = build_map(s, o);
  EXPECT_FALSE(map);
  return map ? "" : map.error().id + ": " + map.error().message;
}

TEST(MapFromScene, RefusesMoreThan256TilesAndNamesTheFarthestObject) {
  test::MapSceneBuilder b;
  const auto grass = b.material("Grass", {70, 140, 50});
  b.object("Lawn");
  b.floor(grass, 0, 0, 16, 16, 0);
  b.object("Distant hill");
  b.floor(grass, 16, 0, 24, 8, 0);
  EXPECT_THAT(refusal(std::move(b).scene()),
              testing::AllOf(HasSubstr("fft.make-tiles"), HasSubstr("24 x 16"), HasSubstr("Distant hill")));
}

TEST(MapFromScene, RefusesTooManyPolygonsAndNamesTheObjects) {
  test::MapSceneBuilder b;
  const auto stone = b.material("Stone wall", {130, 120, 110});
  b.object("Ground");
  b.floor(stone, 0, 0, 15, 15, 0);
  b.object("Gravel");
  for (int i = 0; i < 200; ++i) {
    const f32 x = 0.1f + f32(i % 14), z = 0.1f + f32(i / 14);
    b.box(stone, stone, x, z, x + 0.3f, z + 0.3f, 0, 0.2f);
  }
  EXPECT_THAT(refusal(std::move(b).scene()),
              testing::AllOf(HasSubstr("fft.make-limit"), HasSubstr("\"Gravel\" (1000)")));
}

TEST(MapFromScene, RefusesVerticesThatTheFileCannotStore) {
  test::MapScene s = test::hut();
  s.scene.nodes.push_back(s.scene.nodes.back());
  s.scene.nodes.back().name = "Moon";
  s.scene.nodes.back().translation = {0, 2000, 0};
  EXPECT_THAT(refusal(s.scene), testing::AllOf(HasSubstr("fft.make-range"), HasSubstr("Moon")));
}

TEST(MapFromScene, RefusesFacesThatRepeatTheirPictureTooOften) {
  test::MapScene s = test::hut();
  for (auto& uv : s.scene.meshes[0].primitives[0].uvs) uv = {uv[0] * 20, uv[1] * 20};
  EXPECT_THAT(refusal(s.scene, {.cuts_floors = false}),
              testing::AllOf(HasSubstr("fft.make-repeats"), HasSubstr("Lawn")));
}

TEST(MapFromScene, RefusesScenesWithoutTriangles) { EXPECT_THAT(refusal(scene::Scene{}), HasSubstr("fft.make-empty")); }

TEST(MapFromScene, ScenesWithoutFloorsGetAbsentTiles) {
  test::MapSceneBuilder b;
  const auto stone = b.material("Stone wall", {130, 120, 110});
  b.object("Wall");
  b.quad(stone, {{{0, 0, 0}, {3, 0, 0}, {3, 2, 0}, {0, 2, 0}}});
  const BuiltMap map = built(std::move(b).scene());
  EXPECT_EQ(map.lost, 1u);
  EXPECT_THAT(listed(map.notes), HasSubstr("fft.make-floor"));
  EXPECT_EQ(findings_of(map.mesh), "");
  EXPECT_EQ(map.mesh.terrain->size_x, 3);
  EXPECT_TRUE(tile_at(*map.mesh.terrain, 0, 0).absent);
}

TEST(MapFromScene, LeavesOutFacesInsideClosedObjects) {
  const Mesh m = built(test::hut().scene).mesh;
  // Lawn: 10 x 10 tiles without the 12 below the hut; the hut: a roof of 12 tiles, and its walls.
  size_t at_ground = 0, on_roof = 0;
  for (const TexturedQuad& q : m.primary->textured_quads) {
    const auto is_at = [&](i32 y) {
      return std::ranges::all_of(q.positions, [&](const Position& p) { return p.y == y; });
    };
    at_ground += is_at(0), on_roof += is_at(-60);
  }
  EXPECT_EQ(at_ground, 88u);
  EXPECT_EQ(on_roof, 12u);
  EXPECT_TRUE(m.primary->textured_triangles.empty());
}

TEST(MapFromScene, ScenesOfFacesWithVertexColoursKeepThem) {
  test::MapScene s = test::hut();
  for (scene::Mesh& mesh : s.scene.meshes)
    for (scene::Primitive& p : mesh.primitives) p.colors.assign(p.positions.size(), {0.25f, 0.5f, 1, 1});
  const Mesh m = built(s.scene).mesh;
  EXPECT_EQ(findings_of(m), "");
  const LightRig rig = light_rig(*m.lights);
  const auto expected = [](f64 linear) { return u8(std::lround(scene::linear_to_srgb(linear) * k_plain_intensity)); };
  for (const TexturedQuad& q : m.primary->textured_quads)
    for (const Normal& n : q.normals)
      EXPECT_EQ(compute_vertex_intensity(rig, n), (Intensity{expected(0.25), expected(0.5), expected(1)}));
}

TEST(MapFromScene, ThinWallsDoNotBendTheGround) {
  test::MapSceneBuilder b;
  const auto grass = b.material("Grass", {70, 140, 50}), stone = b.material("Stone wall", {130, 120, 110});
  b.object("Lawn");
  b.floor(grass, 0, 0, 6, 6, 0);
  b.object("Walls");
  for (const f32 steps : {0.5f, 1.0f, 2.5f, 3.0f})
    b.box(stone, stone, steps, 5.75f, steps + 0.5f, 6, 0, f32(steps * test::k_step));
  b.box(stone, stone, 2.9f, 0, 3.1f, 4, 0, f32(2 * test::k_step));  // on the border of two tiles
  const Mesh m = built(std::move(b).scene()).mesh;
  for (u32 z = 0; z < 6; ++z)
    for (u32 x = 0; x < 6; ++x) {
      const TerrainTile& t = tile_at(*m.terrain, x, z);
      EXPECT_EQ(std::tuple(t.height, t.slope, t.surface), std::tuple(0, 0, 3)) << x << ", " << z;
    }
  for (const TexturedQuad& q : m.primary->textured_quads)
    if (!q.tile.is_none()) {
      for (const Position& p : q.positions) EXPECT_EQ(p.y, 0);
    }
}

TEST(MapFromScene, ABridgeOfOneFaceHasAWayBeneathIt) {
  test::MapSceneBuilder b;
  const auto grass = b.material("Grass", {70, 140, 50}), wood = b.material("Bridge", {120, 80, 40});
  b.object("Way");
  b.floor(grass, 0, 0, 6, 6, 0);
  b.object("Deck");
  b.floor(wood, 0, 2, 6, 4, f32(4 * test::k_step));
  const Terrain t = *built(std::move(b).scene()).mesh.terrain;
  EXPECT_EQ(tile_at(t, 3, 3).height, 0);
  EXPECT_FALSE(tile_at(t, 3, 3, 1).absent);
  EXPECT_EQ(tile_at(t, 3, 3, 1).height, 4);
}

TEST(MapFromScene, DeepWaterHasTheGreatestDepth) {
  test::MapSceneBuilder b;
  const auto sand = b.material("Sand", {200, 180, 120}), lake = b.material("Lake", {40, 80, 160});
  b.object("Bed");
  b.floor(sand, 0, 0, 4, 4, 0);
  b.object("Lake");
  b.floor(lake, 0, 0, 4, 4, f32(12 * test::k_step));
  const BuiltMap map = built(std::move(b).scene());
  EXPECT_EQ(tile_at(*map.mesh.terrain, 1, 1).depth, 7);
  EXPECT_EQ(tile_at(*map.mesh.terrain, 1, 1).height, 5);
  EXPECT_THAT(listed(map.notes), HasSubstr("fft.make-heights"));
}

TEST(MapFromScene, NamesInvalidProperties) {
  test::MapScene s = test::hut();
  s.scene.nodes[0].extras = Value::object();
  s.scene.nodes[0].extras.add("surface", "gras");
  s.scene.nodes[0].extras.add("depth", u64(12));
  s.scene.nodes[0].extras.add("walkable", "perhaps");
  s.scene.nodes[0].extras.add("hidden-from", "XX+SW");
  s.scene.extras = Value::object();
  s.scene.extras.add("ambient", "blue");
  const BuiltMap map = built(s.scene);
  for (const char* part : {"`surface` is \"gras\"", "`depth` is 12", "`walkable` is \"perhaps\"",
                           "`hidden-from` is \"XX+SW\"", "`ambient` is not a colour"})
    EXPECT_THAT(listed(map.notes), HasSubstr(part));
  EXPECT_EQ(map.lost, 5u);
}

TEST(MapFromScene, SunsOfBlenderKeepTheirStrength) {
  test::MapScene s = test::hut();
  scene::Light light;
  light.kind = scene::Light::Kind::directional;
  light.intensity = 683;  // a watt per square metre
  s.scene.lights.push_back(light);
  scene::Node n;
  n.name = "Sun";
  n.light = 0;
  s.scene.nodes.push_back(n);
  s.scene.generator = "Khronos glTF Blender I/O v3.4.50";
  EXPECT_NEAR(built(s.scene).mesh.lights->red[0].raw, 2048 * scene::linear_to_srgb(1 / std::numbers::pi), 1);
}

TEST(MapFromScene, SunsKeepTheirRatioAndDirection) {
  test::MapScene s = test::hut();
  for (const f32 lux : {2049.0f, 683.0f}) {  // 3 and 1 watts per square metre in Blender
    scene::Light light;
    light.kind = scene::Light::Kind::directional;
    light.color = {1, 1, 1};
    light.intensity = lux;
    s.scene.lights.push_back(light);
    scene::Node n;
    n.name = "Sun";
    n.light = scene::Index(s.scene.lights.size() - 1);
    if (lux > 1000) n.rotation = {-0.70710678f, 0, 0, 0.70710678f};  // from above
    s.scene.nodes.push_back(n);
  }
  const Mesh m = built(s.scene).mesh;
  EXPECT_EQ(findings_of(m), "");
  EXPECT_EQ(m.lights->red[0].raw, 2047);
  EXPECT_NEAR(m.lights->red[1].raw, 2048 * scene::linear_to_srgb(1 / 3.0), 1);
  EXPECT_EQ(m.lights->red[2].raw, 0);
  EXPECT_NEAR(m.lights->directions[0].y.raw, -4096, 1);  // y is down in the file
  EXPECT_NEAR(m.lights->directions[1].z.raw, -4096, 1);  // from the south: z is north
}

TEST(MapFromScene, HidesFrontWallsOfARoomWithoutARoof) {
  test::MapSceneBuilder b;
  const auto stone = b.material("Stone wall", {130, 120, 110});
  b.object("Floor");
  b.floor(stone, 0, 0, 6, 6, 0);
  b.object("Walls");
  const f32 high = f32(6 * k_step_units) / k_tile_units;
  // Seen from outside, in the south; and from inside, in the north.
  b.quad(stone, {{{0, 0, 6}, {6, 0, 6}, {6, high, 6}, {0, high, 6}}});
  b.quad(stone, {{{0, 0, 0}, {6, 0, 0}, {6, high, 0}, {0, high, 0}}});
  const Mesh m = built(std::move(b).scene()).mesh;
  int south = 0, north = 0;
  for (const TexturedQuad& q : m.primary->textured_quads) {
    const auto is_at = [&](i32 z) {
      return std::ranges::all_of(q.positions, [&](const Position& p) { return p.z == z; });
    };
    if (is_at(0)) {
      ++south;
      EXPECT_TRUE(q.render.hidden_from & 0x100) << "seen from the south-east";
    }
    if (is_at(6 * k_tile_units)) {
      ++north;
      EXPECT_EQ(q.render.hidden_from, 0);
    }
  }
  EXPECT_GT(south, 0);
  EXPECT_GT(north, 0);
}

/// The polygons of all meshes by kind: textured triangles, textured quads, and so on.
std::array<size_t, 4> counts_of(const Mesh& m) {
  std::array<size_t, 4> out{};
  const auto add = [&](const std::optional<Geometry>& g) {
    if (!g) return;
    out[0] += g->textured_triangles.size(), out[1] += g->textured_quads.size();
    out[2] += g->untextured_triangles.size(), out[3] += g->untextured_quads.size();
  };
  add(m.primary);
  for (const auto& g : m.animated) add(g);
  return out;
}
/// The corners of polygons, in any order.
template <class Polygon>
std::multiset<std::multiset<std::array<i16, 3>>> corners_of(const std::vector<Polygon>& polygons) {
  std::multiset<std::multiset<std::array<i16, 3>>> out;
  for (const Polygon& p : polygons) {
    std::multiset<std::array<i16, 3>> one;
    for (const Position& c : p.positions) one.insert({c.x, c.y, c.z});
    out.insert(one);
  }
  return out;
}

scene::Scene exported_valley() {
  const DocumentOf<Texture> texture(Document<Texture>::make_unedited(valley_texture(), 0, {}));
  const Companion with{"MAP001.8", find_format("fft-texture"), &texture};
  auto staged = to_scene(valley_mesh(), {.companions = {&with, 1}});
  EXPECT_TRUE(staged);
  return std::move(staged->scene);
}
void expect_valley(const scene::Scene& s) {
  const Mesh before = valley_mesh(), m = built(s).mesh;
  EXPECT_EQ(counts_of(m), counts_of(before));
  EXPECT_EQ(findings_of(m), "");
  const auto now = corners_of(m.primary->textured_quads);
  for (const auto& quad : corners_of(before.primary->textured_quads)) EXPECT_TRUE(now.contains(quad));
  EXPECT_EQ(corners_of(m.primary->textured_triangles), corners_of(before.primary->textured_triangles));
  EXPECT_EQ(corners_of(m.primary->untextured_quads), corners_of(before.primary->untextured_quads));
  ASSERT_EQ(m.terrain->size_x, before.terrain->size_x);
  ASSERT_EQ(m.terrain->size_z, before.terrain->size_z);
  for (u32 level = 0; level < 2; ++level)
    for (u32 i = 0; i < 64; ++i) {
      const TerrainTile &a = before.terrain->levels[level][i], &b = m.terrain->levels[level][i];
      SCOPED_TRACE(std::to_string(level) + ": " + std::to_string(i));
      EXPECT_EQ(a.absent, b.absent);
      if (a.absent) continue;
      EXPECT_EQ(corner_steps(a), corner_steps(b));
      EXPECT_EQ(a.depth, b.depth);
    }
}
TEST(MapFromScene, AnExportedMapComesBackAsItWas) { expect_valley(exported_valley()); }
TEST(MapFromScene, AnExportedMapWithoutPropertiesComesBackAsItWas) {
  scene::Scene s = exported_valley();
  for (scene::Node& n : s.nodes) n.extras = {};
  for (scene::Material& m : s.materials) m.extras = {};
  s.extras = {};
  expect_valley(s);
}

}  // namespace
}  // namespace dio::fft
