// make_land_test.cpp: land data made from scenes.
#include <gtest/gtest.h>

#include <cmath>
#include <queue>
#include <random>

#include "formats/contract/findings.hpp"
#include "formats/platinum/from_scene/surfaces.hpp"
#include "formats/platinum/parts.hpp"
#include "formats/platinum/parts_land.hpp"
#include "platinum/scene_of_quads.hpp"
#include "samples/platinum/land.hpp"
#include "scene/shapes.hpp"

namespace dio::platinum {
namespace {

f64 height(const LandData& land, f64 x, f64 z, f64 from = 0) {
  const auto h = ground_height_at(land.bdhc, i32(x * 4096), i32(z * 4096), i32(from * 4096));
  return h ? *h / 4096.0 : -1e9;
}
u16 tile(const LandData& land, i64 x, i64 z) { return land.attributes[size_t(z)][size_t(x)]; }

/// Flat ground with a hole for a terrace at 32 units, a ramp up to it from the south, a bridge and a house.
QuadScene town_of_quads() {
  QuadScene t;
  t.floor("ground", -256, -256, 256, 0, 0);
  t.floor("ground", -256, 0, -64, 256, 0);
  t.floor("ground", 64, 0, 256, 256, 0);
  t.floor("ground", -64, 192, 64, 256, 0);
  t.floor("stone", -64, 0, 64, 128, 32);
  t.floor("stone", -64, 128, 64, 192, 32, 32, 0);
  t.walls("cliff", -64, 0, 64, 128, 0, 32);
  // A bridge 48 units above the ground, with a visible underside.
  t.floor("planks", -224, 32, -96, 64, 48);
  t.ceiling("planks", -224, 32, -96, 64, 44);
  // A house without a bottom.
  t.walls("bricks", 96, -160, 192, -64, 0, 48);
  t.floor("roof", 96, -160, 192, -64, 48);
  t.floor("Tall Grass", -192, -192, -96, -96, 0.5f);
  return t;
}

}  // namespace

TEST(MakeLand, HeightsMatchTheGround) {
  const LandData land = town_of_quads().made();
  std::mt19937 random(31);
  std::uniform_real_distribution<f64> anywhere(-255, 255);
  int probes = 0;
  for (int i = 0; i < 1000; ++i) {
    const f64 x = anywhere(random), z = anywhere(random);
    f64 wanted = 0;
    if (x > -64 && x < 64 && z > 0 && z < 128) wanted = 32;
    if (x > -64 && x < 64 && z >= 128 && z < 192) wanted = 32 * (192 - z) / 64;
    if (x > -192 && x < -96 && z > -192 && z < -96)
      wanted = 0.5;  // the grass lies on the ground: the nearer one counts
    if (std::fabs(height(land, x, z) - wanted) > 1) ADD_FAILURE() << x << ", " << z << ": " << height(land, x, z);
    ++probes;
  }
  EXPECT_EQ(probes, 1000);
  EXPECT_NEAR(height(land, -150, 48, 40), 48, 0.01) << "on the bridge";
  EXPECT_NEAR(height(land, -150, 48, 0), 0, 0.01) << "under it";
  EXPECT_LE(land.bdhc.plates.size(), 9u);
  Findings findings(rules());
  check(land, findings);
  for (const Diagnostic& d : findings.list) EXPECT_EQ(d.severity, Severity::hint) << d.id << ": " << d.message;
}

TEST(MakeLand, ObstaclesBlockTheirTiles) {
  const LandData land = town_of_quads().made();
  u32 blocked = 0;
  for (u32 z = 0; z < k_tiles; ++z)
    for (u32 x = 0; x < k_tiles; ++x) {
      const bool in_house = x >= 22 && x < 28 && z >= 6 && z < 12;
      EXPECT_EQ(is_blocked(tile(land, x, z)), in_house) << x << ", " << z;
      blocked += is_blocked(tile(land, x, z));
      const bool in_grass = x >= 4 && x < 10 && z >= 4 && z < 10;
      EXPECT_EQ(behavior_name(behavior_in(tile(land, x, z))) == "tall grass", in_grass) << x << ", " << z;
    }
  EXPECT_EQ(blocked, 36u);
}

TEST(MakeLand, WalkableTilesAreConnected) {
  const LandData land = town_of_quads().made();
  std::vector<bool> seen(k_tiles * k_tiles);
  std::queue<std::array<i64, 2>> open;
  open.push({0, 0});
  seen[0] = true;
  const auto level = [&](i64 x, i64 z) { return height(land, f64(x) * 16 - 248, f64(z) * 16 - 248); };
  u32 reached = 1;
  while (!open.empty()) {
    const auto [x, z] = open.front();
    open.pop();
    for (const auto& [dx, dz] : {std::array<i64, 2>{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      const i64 nx = x + dx, nz = z + dz;
      if (nx < 0 || nz < 0 || nx >= i64(k_tiles) || nz >= i64(k_tiles) || seen[size_t(nz * k_tiles + nx)]) continue;
      if (is_blocked(tile(land, nx, nz)) || std::fabs(level(nx, nz) - level(x, z)) >= 20) continue;
      seen[size_t(nz * k_tiles + nx)] = true;
      ++reached;
      open.push({nx, nz});
    }
  }
  EXPECT_EQ(reached, k_tiles * k_tiles - 36) << "all but the house, and the terrace by its ramp";
}

TEST(MakeLand, NavmeshDefinesTheWalkableGround) {
  QuadScene t = town_of_quads();
  scene::Scene& s = t.scene();
  scene::Primitive p;
  p.positions = {{-256, 7, -256}, {-256, 7, 256}, {0, 7, 256}, {0, 7, -256}};
  p.indices = {0, 1, 2, 0, 2, 3};
  s.meshes.push_back({"navmesh", {p}});
  scene::Node n;
  n.name = "navmesh";
  n.mesh = 1;
  s.nodes.push_back(n);
  const LandData land = t.made();
  EXPECT_EQ(land.bdhc.plates.size(), 1u);
  EXPECT_NEAR(height(land, -100, 100), 7, 0.01);
  EXPECT_FALSE(is_blocked(tile(land, 3, 20)));
  EXPECT_TRUE(is_blocked(tile(land, 20, 3))) << "there is no floor";
}

TEST(MakeLand, MaterialPropertiesOverrideCollisionAndGround) {
  QuadScene t = town_of_quads();
  scene::Scene& s = t.scene();
  for (scene::Material& m : s.materials) {
    m.extras = Value::object();
    if (m.name == "stone") m.extras.add("collision", true);
    if (m.name == "roof") m.extras.add("ground", false);
    if (m.name == "planks") m.extras.add("behavior", 0x38);
  }
  const LandData land = t.made();
  EXPECT_TRUE(is_blocked(tile(land, 16, 20)));
  EXPECT_EQ(behavior_in(tile(land, 4, 18)), 0x38);
  EXPECT_EQ(find_listed_grounds(land.bdhc, 140 * 4096, -110 * 4096).size(), 1u) << "no plate on the roof";
}

TEST(MakeLand, NodesWithAPropNumberBecomeProps) {
  QuadScene t = town_of_quads();
  scene::Node n;
  n.name = "mill";
  n.translation = {24, 0, -40};
  n.scale = {2, 2, 2};
  n.extras = Value::object();
  n.extras.add("prop", 3);
  t.scene().nodes.push_back(n);
  n.extras = Value::object();
  n.extras.add("kind", "platinum.prop");
  n.extras.add("model_id", 9);
  t.scene().nodes.push_back(n);
  const LandData land = t.made({{"units-per-metre", "0.5"}});
  ASSERT_EQ(land.props.size(), 2u);
  EXPECT_EQ(land.props[0].model_id, 3u);
  EXPECT_EQ(land.props[1].model_id, 9u);
  EXPECT_EQ(land.props[0].position.x.value(), 12);
  EXPECT_EQ(land.props[0].scale.y.value(), 2);
  for (int i = 0; i < 40; ++i) t.scene().nodes.push_back(n);
  const auto many = make_land(t.scene(), {});
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().id, "platinum.make-props");
}

/// Heights along a walk eastwards across the map: at each tile, the height nearest to the previous one.
std::vector<f64> walked(const LandData& land, i64 row, i64 from, i64 to) {
  std::vector<f64> out;
  f64 at = 0;
  for (i64 x = from; x <= to; ++x) {
    const f64 next = height(land, f64(x) * 16 - 248, f64(row) * 16 - 248, at);
    if (is_blocked(tile(land, x, row)) || std::fabs(next - at) >= 20) break;
    out.push_back(at = next);
  }
  return out;
}

TEST(MakeLand, RampMakesRaisedGroundReachable) {
  QuadScene t;
  t.floor("ground", -256, -256, 256, 256, 0);
  t.floor("ramp", -64, -32, 0, 32, 0, 32, 0);  // from tile 12 to 16, up to the east
  t.floor("top", 0, -32, 64, 32, 32);
  t.quad("side", {{{-64, 0, 32}, {0, 0, 32}, {0, 32, 32}, {-64, 0, 32}}});
  t.walls("side", 0, -32, 64, 32, 0, 32);
  const LandData land = t.made();
  const auto heights = walked(land, 16, 10, 19);
  ASSERT_EQ(heights.size(), 10u) << "the way up is free";
  EXPECT_NEAR(heights[2], 4, 0.1);
  EXPECT_NEAR(heights[5], 28, 0.1);
  EXPECT_NEAR(heights[9], 32, 0.1);
  EXPECT_EQ(walked(land, 15, 24, 16).size(), 0u);
  EXPECT_LE(land.bdhc.plates.size(), 8u);
}

TEST(MakeLand, BridgeIsWalkableOnTopAndBelow) {
  QuadScene t;
  t.floor("ground", -256, -256, 256, 256, 0);
  t.floor("deck", -64, -32, 64, 32, 40);
  t.ceiling("deck", -64, -32, 64, 32, 38);
  t.floor("low", -64, 64, 64, 96, 8);  // no room under it: 8 units, with a lower side
  t.ceiling("low", -64, 64, 64, 96, 6);
  const LandData land = t.made();
  EXPECT_NEAR(height(land, 0, 0, 40), 40, 0.1);
  EXPECT_NEAR(height(land, 0, 0, 0), 0, 0.1);
  EXPECT_NEAR(height(land, 0, 80, 0), 8, 0.1);
}

TEST(MakeLand, NavmeshKeepsOverlappingFloors) {
  QuadScene t;
  t.floor("ground", -256, -256, 256, 256, 0);
  t.floor("upper", -64, -64, 64, 64, 10);
  t.scene().nodes[0].name = "navmesh";
  t.scene().nodes.push_back(t.scene().nodes[0]);
  t.scene().nodes[1].name = "ground";
  const LandData land = t.made();
  EXPECT_NEAR(height(land, 0, 0, 0), 0, 0.1);
  EXPECT_NEAR(height(land, 0, 0, 10), 10, 0.1);
}

TEST(MakeLand, CratesAndCollidersBlockTheirTiles) {
  QuadScene t;
  t.floor("ground", -256, -256, 256, 256, 0);
  // A crate, one tile wide and 16 units high, with its sides on the tile edges; and two walkable steps of 8 units.
  t.floor("crate", 0, 0, 16, 16, 16);
  t.walls("crate", 0, 0, 16, 16, 0, 16);
  t.floor("step", 64, 0, 80, 64, 8);
  t.floor("step", 80, 0, 144, 64, 16);
  scene::Scene& s = t.scene();
  scene::Node collider;
  collider.name = "collider_rock";
  collider.mesh = scene::Index(s.meshes.size());
  scene::Primitive box;
  scene::add_box(box, {-64, 0, -64}, {-32, 48, -32});
  s.meshes.push_back({"collider", {box}});
  s.nodes.push_back(collider);
  const LandData land = t.made();
  for (i64 z = 0; z < 32; ++z)
    for (i64 x = 0; x < 32; ++x) {
      const bool in_crate = x == 16 && z == 16, in_rock = x >= 12 && x < 14 && z >= 12 && z < 14;
      EXPECT_EQ(is_blocked(tile(land, x, z)), in_crate || in_rock) << x << ", " << z;
    }
}

TEST(MakeLand, HillsHaveOnePlatePerTile) {
  QuadScene t;
  const auto hill = [](f64 x, f64 z) { return f32(12 * std::sin(x / 40) * std::cos(z / 50)); };
  for (int z = -256; z < 256; z += 8)
    for (int x = -256; x < 256; x += 8)
      t.quad("grass", {{{f32(x), hill(x, z), f32(z)},
                        {f32(x), hill(x, z + 8), f32(z + 8)},
                        {f32(x + 8), hill(x + 8, z + 8), f32(z + 8)},
                        {f32(x + 8), hill(x + 8, z), f32(z)}}});
  const LandData land = t.made();
  EXPECT_EQ(land.bdhc.plates.size(), k_tiles * k_tiles);
  std::mt19937 random(32);
  std::uniform_real_distribution<f64> anywhere(-255, 255);
  for (int i = 0; i < 1000; ++i) {
    const f64 x = anywhere(random), z = anywhere(random), wanted = hill(x, z);
    EXPECT_NEAR(height(land, x, z, wanted), wanted, 1) << x << ", " << z;
  }
}

TEST(MakeLand, RestoresHeightsOfAnExportedMap) {
  const LandData was = town_land();
  const auto staged = to_scene(was, {});
  ASSERT_TRUE(staged);
  const auto made = make_land(staged->scene, {});
  ASSERT_TRUE(made) << made.error().message;
  const auto land = load<LandData>(made->files.at(0).bytes);
  ASSERT_TRUE(land);
  std::mt19937 random(33);
  std::uniform_int_distribution<i32> anywhere(-255, 255);
  for (int i = 0; i < 1000; ++i) {
    const i32 x = anywhere(random) * 4096, z = anywhere(random) * 4096;
    const auto a = ground_height_at(was.bdhc, x, z), b = ground_height_at(land->document.value().bdhc, x, z);
    ASSERT_EQ(a.has_value(), b.has_value()) << x / 4096 << ", " << z / 4096;
    if (a) EXPECT_NEAR(*a, *b, 4096) << x / 4096 << ", " << z / 4096;
  }
  EXPECT_EQ(land->document.value().props.size(), was.props.size());
}

}  // namespace dio::platinum
