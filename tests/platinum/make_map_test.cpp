// make_map_test.cpp: game maps made from scenes, with all files that belong to them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <queue>
#include <random>

#include "containers/nitro_fs/narc.hpp"
#include "formats/contract/format.hpp"
#include "formats/platinum/from_scene/land_map_builder.hpp"
#include "formats/platinum/game/parts.hpp"
#include "operations/game_editing.hpp"
#include "operations/source_tree.hpp"
#include "platinum/edited_game.hpp"
#include "platinum/scene_of_quads.hpp"
#include "samples/platinum/games.hpp"
#include "scene/clipping.hpp"
#include "scene/shapes.hpp"

namespace dio::platinum {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A top-level node with properties.
scene::Index add_node(scene::Scene& s, std::string name, scene::Vec3 at,
                      std::initializer_list<std::pair<std::string, Value>> properties,
                      scene::Index mesh = scene::k_none) {
  scene::Node n;
  n.name = std::move(name), n.translation = at, n.mesh = mesh;
  n.extras = Value::object();
  for (const auto& [key, value] : properties) n.extras.add(key, value);
  s.nodes.push_back(std::move(n));
  return scene::Index(s.nodes.size() - 1);
}
/// The warp of the sample house that leads back to the town.
void add_way_out(scene::Scene& s) {
  add_node(s, "Way out", {-200, 0, 250},
           {{"event", "warp"}, {"to", "town"}, {"to_warp", u64(0)}, {"behavior", "warp south"}});
}
/// An 8-unit box with its own material and picture.
scene::Index add_box_mesh(scene::Scene& s, std::string name, u8 red) {
  scene::Image picture;
  picture.width = picture.height = 8;
  picture.pixels.assign(8 * 8 * 4, 255);
  for (size_t i = 0; i < 64; ++i) picture.pixels[4 * i] = red, picture.pixels[4 * i + 1] = u8(i);
  picture.name = name;
  scene::Texture texture{.name = name, .image = scene::Index(s.images.size())};
  s.images.push_back(std::move(picture));
  scene::Material m;
  m.name = name, m.texture = scene::Index(s.textures.size());
  s.textures.push_back(std::move(texture));
  scene::Primitive p;
  p.material = scene::Index(s.materials.size());
  s.materials.push_back(std::move(m));
  scene::add_box(p, {-4, 0, -4}, {4, 8, 4});
  p.uvs.assign(p.positions.size(), {0, 0});
  s.meshes.push_back({std::move(name), {std::move(p)}});
  return scene::Index(s.meshes.size() - 1);
}

/// Ground for two adjacent maps, with a terrace at 32 units across their border and a ramp to it in the west.
QuadScene two_maps() {
  QuadScene t;
  t.floor("ground", -512, -256, 512, -64, 0);
  t.floor("ground", -512, 64, 512, 256, 0);
  t.floor("ground", -512, -64, -192, 64, 0);
  t.floor("ground", 128, -64, 512, 64, 0);
  t.floor("ramp", -192, -64, -128, 64, 0, 32, 0);
  t.floor("stone", -128, -64, 128, 64, 32);
  t.quad("cliff", {{{128, 0, 64}, {128, 0, -64}, {128, 32, -64}, {128, 32, 64}}});
  t.quad("cliff", {{{-128, 0, 64}, {128, 0, 64}, {128, 32, 64}, {-128, 32, 64}}});
  t.quad("cliff", {{{128, 0, -64}, {-128, 0, -64}, {-128, 32, -64}, {128, 32, -64}}});
  return t;
}
f64 ground_of_two_maps(f64 x, f64 z) {
  if (std::fabs(z) > 64 || x < -192 || x > 128) return 0;
  return x < -128 ? (x + 192) / 2 : 32;
}

/// The normal of a triangle, with twice its area as length.
scene::Point across(const scene::Primitive& p, size_t first) {
  const auto way = [&](size_t k) {
    const scene::Vec3 &from = p.positions[p.indices[first]], &to = p.positions[p.indices[first + k]];
    return scene::Point{f64(to[0]) - from[0], f64(to[1]) - from[1], f64(to[2]) - from[2]};
  };
  return scene::cross(way(1), way(2));
}

f64 height_in(const GameTables& t, std::span<const u16> lands, u32 across, f64 x, f64 z, f64 from) {
  const u32 column = u32(x / 512), row = u32(z / 512);
  const auto land = t.land(lands[row * across + column]);
  const auto raw = [](f64 at) { return i32(std::lround((at - 512 * std::floor(at / 512) - 256) * 4096)); };
  const auto h = ground_height_at(land->bdhc, raw(x), raw(z), i32(from * 4096));
  return h ? *h / 4096.0 : -1e9;
}

}  // namespace

/// One test for each game whose files differ.
class InEachGame : public testing::TestWithParam<Edition> {};
std::string name_of_game(const testing::TestParamInfo<Edition>& info) {
  constexpr const char* k_names[] = {"platinum", "diamond", "heart_gold"};
  return k_names[size_t(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Editions, InEachGame,
                         testing::Values(Edition::platinum, Edition::diamond_pearl, Edition::heart_gold_soul_silver),
                         name_of_game);

TEST(MakeMaps, PlacesBordersForTheFewestMaps) {
  const auto maps_of = [](f32 west, f32 east, MapOptions options = {}) {
    QuadScene t;
    t.floor("ground", west, -256, east, 256, 0);
    const auto made = build_land_maps(t.scene(), options);
    EXPECT_TRUE(made) << made.error().message;
    return made->across;
  };
  EXPECT_EQ(maps_of(-256, 256), 1u);
  EXPECT_EQ(maps_of(0, 512), 1u);
  EXPECT_EQ(maps_of(-512, 512), 2u);
  EXPECT_EQ(maps_of(-768, 768), 3u);
  EXPECT_EQ(maps_of(-270, 270), 1u) << "what sticks out by less than a tile makes no map";
  EXPECT_EQ(maps_of(-290, 290), 2u);
  MapOptions shifted;
  shifted.middle = {-256.0, 0.0};
  EXPECT_EQ(maps_of(-300, 300, shifted), 2u);
}

TEST(MakeMaps, DoesNotCreateMapsForEmptyCells) {
  QuadScene t;  // an L
  t.floor("ground", -512, -512, 0, 512, 0);
  t.floor("ground", 0, 0, 512, 512, 0);
  const auto made = build_land_maps(t.scene(), {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->across, 2u);
  EXPECT_EQ(made->down, 2u);
  EXPECT_EQ(made->maps.size(), 3u);
}

TEST(MakeMaps, CutsMeshesAtBordersWithoutLoss) {
  QuadScene t = two_maps();
  for (scene::Primitive& p : t.scene().meshes[0].primitives) {  // coordinates that tell whether cuts are right
    p.uvs.clear(), p.colors.clear(), p.normals.clear();
    for (const scene::Vec3& at : p.positions) {
      p.uvs.push_back({at[0] / 16, at[2] / 16});
      p.colors.push_back({(at[0] + 512) / 1024, 0.5f, 0.25f, 1});
      p.normals.push_back({0, 1, 0});
    }
  }
  t.scene().nodes[0].translation = {0, 10, 0};
  const auto area_of = [](const scene::Scene& s) {
    f64 sum = 0;
    for (const scene::Mesh& m : s.meshes)
      for (const scene::Primitive& p : m.primitives)
        for (size_t i = 0; i + 2 < p.indices.size(); i += 3) sum += scene::length(across(p, i)) / 2;
    return sum;
  };
  const f64 all = area_of(t.scene());
  f64 sum = 0;
  for (const f32 x : {-256.f, 256.f}) {
    scene::Ground ground;
    (x < 0 ? ground.east : ground.west) = 0;
    const scene::Scene part = scene::clip_scene_to_area(t.scene(), ground, {x, 0, 0});
    EXPECT_THAT(scene::verify(part), testing::IsEmpty());
    sum += area_of(part);
    for (const scene::Mesh& m : part.meshes)
      for (const scene::Primitive& p : m.primitives)
        for (size_t i = 0; i < p.positions.size(); ++i) {
          EXPECT_LE(std::fabs(p.positions[i][0]), 256);
          EXPECT_FLOAT_EQ(p.uvs[i][0], (p.positions[i][0] + x) / 16);
          EXPECT_NEAR(p.colors[i][0], (p.positions[i][0] + x + 512) / 1024, 1e-6);
        }
  }
  EXPECT_NEAR(sum, all, 1e-3 * all);
}

TEST(MakeMaps, KeepsFrontFacesOfMirroredMeshes) {
  QuadScene t;
  t.floor("ground", -64, -64, 64, 64, 0);
  t.scene().nodes[0].scale = {-1, 1, 1};
  const scene::Scene part = scene::clip_scene_to_area(t.scene(), {});
  EXPECT_GT(across(part.meshes[0].primitives[0], 0)[1], 0);
}

TEST(MakeMaps, HandlesNodesAtExtremePositions) {
  for (const f32 far : {1e9f, -1e30f, 3e38f}) {
    QuadScene t;
    t.floor("ground", -256, -256, 256, 256, 0);
    QuadScene away;
    away.floor("ground", 0, 0, 16, 16, 0);
    t.scene().meshes.push_back(away.scene().meshes[0]);
    add_node(t.scene(), "Sign", {far, 0, 0}, {{"event", "sign"}});
    EXPECT_FALSE(build_land_maps(t.scene(), {}));
    t.scene().nodes.back().mesh = 1;
    t.scene().nodes.back().extras = Value::object();
    MapOptions one;
    one.is_one = true;
    static_cast<void>(build_land_maps(t.scene(), one));  // refused or made, but computed in range
    static_cast<void>(build_land_maps(t.scene(), {}));
  }
}

TEST_P(InEachGame, ImportsATownOfTwoMaps) {
  const MemoryTree files = files_of(game_sample(), GetParam());
  ASSERT_EQ(findings_in(files), "");
  QuadScene t = two_maps();
  add_way_out(t.scene());
  GameEditing editing = editing_of(files);
  const auto done = editing.run(step_of({{"header", "house"}, {"area", "new"}}), Referrers::refuse, &t.scene());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_THAT(*done,
              HasSubstr("header/3 HOUSE now shows the scene: lands 3, 4 (1 new, 1 replaced) in matrix 1; 2 x 1 maps"));
  EXPECT_EQ(findings_in(editing.files()), "");
  const GameTables tables = tables_in(editing.files());
  EXPECT_EQ(tables.headers[3].area, 2u) << "the area of the house is nobody else's";
  EXPECT_EQ(tables.headers[3].matrix, 1u);
  EXPECT_EQ(tables.matrices[1]->width, 2u);
  EXPECT_THAT(tables.matrices[1]->lands, ElementsAre(3, 4));
  std::mt19937 random(41);
  std::uniform_real_distribution<f64> anywhere(1, 1023);
  for (int i = 0; i < 1000; ++i) {
    const f64 x = anywhere(random), z = anywhere(random) / 2;
    const f64 wanted = ground_of_two_maps(x - 512, z - 256);
    EXPECT_NEAR(height_in(tables, tables.matrices[1]->lands, 2, x, z, wanted), wanted, 1) << x << ", " << z;
  }
  // Every tile can be reached from tile to tile across the border, including the terrace in the east by the ramp in the
  // west.
  std::vector<bool> seen(64 * 32);
  std::queue<std::pair<i64, i64>> open;
  open.push({0, 0});
  seen[0] = true;
  size_t reached = 0;
  const auto tile = [&](i64 x, i64 z) {
    return tables.land(tables.matrices[1]->lands[size_t(x / 32)])->attributes[size_t(z)][size_t(x % 32)];
  };
  const auto level = [&](i64 x, i64 z) {
    return height_in(tables, tables.matrices[1]->lands, 2, f64(x) * 16 + 8, f64(z) * 16 + 8, 16);
  };
  while (!open.empty()) {
    const auto [x, z] = open.front();
    open.pop();
    ++reached;
    for (const auto& [dx, dz] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}}) {
      const i64 nx = x + dx, nz = z + dz;
      if (nx < 0 || nz < 0 || nx >= 64 || nz >= 32 || seen[size_t(nz * 64 + nx)] || is_blocked(tile(nx, nz))) continue;
      if (std::fabs(level(nx, nz) - level(x, z)) >= 20) continue;
      seen[size_t(nz * 64 + nx)] = true;
      open.push({nx, nz});
    }
  }
  size_t walkable = 0;
  for (i64 z = 0; z < 32; ++z)
    for (i64 x = 0; x < 64; ++x) walkable += !is_blocked(tile(x, z));
  EXPECT_EQ(reached, walkable);
  EXPECT_GT(walkable, 64u * 32 - 80);
}

TEST_P(InEachGame, ImportingTheSameSceneAgainChangesNothing) {
  const MemoryTree files = files_of(game_sample(), GetParam());
  QuadScene t = two_maps();
  add_way_out(t.scene());
  const scene::Index box = add_box_mesh(t.scene(), "statue", 10);
  add_node(t.scene(), "Statue", {40, 0, 128}, {{"prop", "statue"}}, box);
  add_node(t.scene(), "Sign", {-200, 0, 128}, {{"event", "sign"}, {"script", u64(4)}});
  GameEditing editing = editing_of(files);
  auto done = editing.run(step_of({{"header", "3"}, {"area", "new"}}), Referrers::refuse, &t.scene());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(findings_in(editing.files()), "");
  const EditedTree::Changed first = editing.changed();
  done = editing.run(step_of({{"header", "3"}}), Referrers::refuse, &t.scene());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_THAT(*done, HasSubstr("1 prop model replaced"));
  EXPECT_EQ(editing.changed(), first);
}

TEST_P(InEachGame, SharesPropModelsByNameAndRotation) {
  const MemoryTree files = files_of(game_sample(), GetParam());
  QuadScene t;
  t.floor("ground", -256, -256, 256, 256, 0);
  scene::Scene& s = t.scene();
  const scene::Index box = add_box_mesh(s, "bench", 90);
  add_node(s, "Bench", {0, 0, 0}, {{"prop", "bench"}}, box);
  s.nodes[add_node(s, "Bench.001", {40, 0, 0}, {{"prop", "bench"}}, box)].scale = {2, 2, 2};
  s.nodes[add_node(s, "Bench.002", {80, 0, 0}, {{"prop", "bench"}}, box)].rotation = {0, std::sqrt(0.5f), 0,
                                                                                      std::sqrt(0.5f)};
  add_node(s, "Tree", {-80, 0, 0}, {{"prop", u64(1)}});
  add_node(s, "Mill", {-120, 0, 0}, {{"prop", "mill"}});
  GameEditing editing = editing_of(files);
  const auto done = editing.run(step_of({{"header", "HOUSE"}}), Referrers::refuse, &s);
  ASSERT_TRUE(done) << done.error().message;
  const GameTables tables = tables_in(editing.files());
  const auto land = tables.land(3);
  ASSERT_TRUE(land);
  std::vector<u32> models;
  for (const Prop& p : land->props) models.push_back(p.model_id);
  EXPECT_THAT(models, ElementsAre(5, 5, 6, 1, 2));
  EXPECT_EQ(land->props[1].scale.x.value(), 2);
  EXPECT_EQ(tables.prop(5)->models[0].name, "bench");
  EXPECT_EQ(tables.prop(6)->models[0].name, "bench_2");
  EXPECT_THAT(*tables.prop_sets[1], testing::IsSupersetOf({1, 2, 5, 6})) << "those of the area";
  ASSERT_TRUE(tables.draw_lists);
  EXPECT_EQ(tables.draw_lists->models.size(), 7u);
  EXPECT_EQ(tables.motions.size(), 7u);
  // The only finding: the sample's own table is no longer in the house.
  EXPECT_THAT(findings_in(editing.files()), testing::Not(HasSubstr("error")));
}

TEST_P(InEachGame, AnimatedPropsKeepTheirAnimations) {
  const MemoryTree files = files_of(game_sample(), GetParam());
  QuadScene t;
  t.floor("ground", -256, -256, 256, 256, 0);
  scene::Scene& s = t.scene();
  add_way_out(s);
  const scene::Index body = add_node(s, "Vane", {16, 0, 16}, {{"prop", "vane"}});
  const scene::Index turning = add_node(s, "Turning", {0, 8, 0}, {}, add_box_mesh(s, "vane", 33));
  s.nodes[turning].parent = body;
  scene::Channel c;
  c.node = turning, c.target = scene::Channel::Target::rotation, c.times = {0, 1, 2};
  c.values = {{0, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 0, -1}};
  s.animations.push_back({.name = "turn", .channels = {c}});
  GameEditing editing = editing_of(files);
  const auto done = editing.run(step_of({{"header", "HOUSE"}, {"area", "new"}}), Referrers::refuse, &s);
  ASSERT_TRUE(done) << done.error().message;
  const GameTables tables = tables_in(editing.files());
  ASSERT_EQ(tables.motions[5]->animations.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<nitro::Nsbca>(*tables.animation(tables.motions[5]->animations[0])));
  EXPECT_EQ(tables.draw_lists->models[5].count, 0u) << "or the game would not move it";
  EXPECT_EQ(findings_in(editing.files()), "");
}

TEST(MakeMap, NewIndoorPropsBecomeRoomProps) {
  const GameSample sample = game_sample();
  const MemoryTree files = as_heart_gold(sample, sample.props);
  QuadScene t;
  t.floor("ground", -256, -256, 256, 256, 0);
  scene::Scene& s = t.scene();
  add_node(s, "Box", {16, 0, 16}, {{"prop", "crate"}}, add_box_mesh(s, "crate", 33));
  GameEditing editing = editing_of(files);
  const auto done = editing.run(step_of({{"header", "HOUSE"}, {"area", "new"}, {"light", "1"}}), Referrers::refuse, &s);
  ASSERT_TRUE(done) << done.error().message;
  const GameTables before = tables_in(files), after = tables_in(editing.files());
  EXPECT_EQ(after.files().of(FileRole::props).count(), before.files().of(FileRole::props).count());
  ASSERT_EQ(after.files().of(FileRole::room_props).count(), 6u);
  EXPECT_EQ(after.prop(5, FileRole::room_props)->models[0].name, "crate");
  ASSERT_EQ(after.room_motions.size(), 6u);
  EXPECT_TRUE(after.motion(5, FileRole::room_props)->animations.empty());
  EXPECT_EQ(after.room_draw_lists->models[5].count, 1u);
  EXPECT_EQ(after.draw_lists->models.size(), 5u);
  const Area& area = *after.areas[after.headers[3].area];
  EXPECT_TRUE(area.indoor) << "the type of the area stays, beside its new light";
  EXPECT_EQ(area.light, 1u);
}

TEST(MakeMap, ReplacesOnlyTheChosenMatrixCells) {
  const MemoryTree files = game_sample().files();
  const GameTables before = tables_in(files);
  QuadScene t = two_maps();
  GameEditing editing = editing_of(files);
  const auto done =
      editing.run(step_of({{"header", "ROAD"}, {"matrix", "0"}, {"at", "4,0"}}), Referrers::refuse, &t.scene());
  ASSERT_TRUE(done) << done.error().message;
  const GameTables after = tables_in(editing.files());
  const Matrix &was = *before.matrices[0], &is = *after.matrices[0];
  for (size_t i = 0; i < was.cells(); ++i) {
    const bool is_made = i == 4 || i == 5;
    EXPECT_EQ(is.lands[i], is_made ? before.files().of(FileRole::lands).count() + (i - 4) : was.lands[i]) << i;
    EXPECT_EQ(is.headers[i], is_made ? 2 : was.headers[i]) << i;
    EXPECT_EQ(is.altitudes[i], is_made ? 0 : was.altitudes[i]) << i;
  }
  for (u32 land = 0; land < before.files().of(FileRole::lands).count(); ++land)
    EXPECT_EQ(*before.files().of(FileRole::lands).read(land), *after.files().of(FileRole::lands).read(land)) << land;
  EXPECT_EQ(findings_in(editing.files()), "");
}

TEST(MakeMap, RenamesPicturesWithATakenName) {
  GameSample sample = game_sample();
  const std::string taken = sample.map_textures[0].textures.textures[0].name;
  QuadScene t;
  t.floor("ground", -256, -256, 256, 256, 0);
  scene::Scene& s = t.scene();
  add_node(s, "Box", {0, 0, 0}, {}, add_box_mesh(s, taken, 200));
  const MemoryTree files = sample.files();
  GameEditing editing = editing_of(files);
  const auto done = editing.run(step_of({{"header", "ROAD"}, {"matrix", "0"}, {"at", "7,0"}}), Referrers::refuse, &s);
  ASSERT_TRUE(done) << done.error().message;
  const GameTables after = tables_in(editing.files());
  const u32 number = after.matrices[0]->lands[7];
  std::vector<std::string> names;
  for (const nitro::Pairing& p : after.land(number)->model.models[0].textures) names.push_back(p.name);
  EXPECT_THAT(names, ElementsAre(taken + "_2"));
  EXPECT_EQ(findings_in(editing.files()), "");
}

TEST(MakeMap, PlacesEventsOnTheirTiles) {
  const MemoryTree files = game_sample().files();
  QuadScene t = two_maps();
  scene::Scene& s = t.scene();
  add_node(s, "Sign", {-500, 0, -250}, {{"event", "sign"}, {"script", u64(7)}, {"player_facing_dir", "south"}});
  add_node(s, "Person", {8, 32, 8}, {{"event", "object"}, {"graphics_id", u64(12)}, {"dir", "west"}});
  add_way_out(s);
  s.nodes[add_node(s, "Step here", {200, 0, 200}, {{"event", "trigger"}, {"script", u64(9)}})].scale = {32, 1, 16};
  GameEditing editing = editing_of(files);
  const auto done = editing.run(step_of({{"header", "HOUSE"}, {"area", "new"}}), Referrers::refuse, &s);
  ASSERT_TRUE(done) << done.error().message;
  const GameTables tables = tables_in(editing.files());
  const ZoneEvent& e = *tables.events[tables.headers[3].events];
  ASSERT_EQ(e.bg_events.size(), 1u);
  EXPECT_EQ(e.bg_events[0].x, 0);
  EXPECT_EQ(e.bg_events[0].script, 7);
  EXPECT_EQ(e.bg_events[0].player_facing_dir, 3);
  ASSERT_EQ(e.object_events.size(), 1u);
  EXPECT_EQ(e.object_events[0].x, 32);
  EXPECT_EQ(e.object_events[0].z, 16);
  EXPECT_EQ(e.object_events[0].y.value(), 2);
  EXPECT_EQ(e.object_events[0].dir, 2);
  ASSERT_EQ(e.warp_events.size(), 1u) << "that of the house, which is gone, is replaced";
  EXPECT_EQ(e.warp_events[0].dest_header_id, 1);
  EXPECT_EQ(e.warp_events[0].z, 31);
  ASSERT_EQ(e.coord_events.size(), 1u);
  EXPECT_EQ(e.coord_events[0].width, 2);
  EXPECT_EQ(e.coord_events[0].length, 1);
  EXPECT_EQ(e.coord_events[0].x, 43);
  EXPECT_EQ(behavior_name(behavior_in(tables.land(3)->attributes[31][19])), "warp south");
  EXPECT_EQ(findings_in(editing.files()), "");
}

TEST(MakeMap, KeepsEventsOutsideTheMap) {
  GameSample sample = game_sample();
  const MemoryTree files = sample.files();
  QuadScene t;
  t.floor("ground", -256, -256, 256, 256, 0);
  scene::Scene& s = t.scene();
  add_node(s, "Sign", {0, 0, 0}, {{"event", "sign"}});
  GameEditing editing = editing_of(files);
  const auto done = editing.run(step_of({{"header", "TOWN"}, {"matrix", "0"}, {"at", "9,1"}}), Referrers::refuse, &s);
  ASSERT_TRUE(done) << done.error().message;
  const GameTables tables = tables_in(editing.files());
  const ZoneEvent &was = sample.events[1], &is = *tables.events[1];
  EXPECT_EQ(is.bg_events.size(), was.bg_events.size() + 1);
  EXPECT_EQ(is.bg_events.back().x, 9 * 32 + 16);
  EXPECT_EQ(is.bg_events.back().z, 32 + 16);
  EXPECT_EQ(is.object_events.size(), was.object_events.size());
  EXPECT_EQ(is.warp_events.size(), was.warp_events.size());
}

/// Part of a game as a scene, as exported by `dio world`.
scene::Scene exported(const FileTree& files, std::string_view part, std::vector<std::string> show = {}) {
  const GameTables tables = tables_in(files);
  WorldOptions options;
  options.show = std::move(show);
  auto staged = build_world_scene(tables, std::string(part), options);
  EXPECT_TRUE(staged);
  return std::move(staged->scene);
}
EditStep back() { return step_of({}); }

TEST_P(InEachGame, UneditedWorldChangesNothing) {
  const MemoryTree files = files_of(game_sample(), GetParam());
  for (const char* part : {"land/0", "land/3", "header/1", "matrix/0", "matrix/1", "area/1"})
    for (const bool shown : {false, true}) {
      const scene::Scene s = exported(
          files, part,
          shown ? std::vector<std::string>{"heights", "tiles", "events", "warps"} : std::vector<std::string>());
      GameEditing editing = editing_of(files);
      const auto done = editing.run(back(), Referrers::refuse, &s);
      ASSERT_TRUE(done) << part << ": " << done.error().message;
      EXPECT_TRUE(editing.changed().empty()) << part << ": " << *done;
    }
}

TEST(MakeMap, IgnoresWhichAnimationPictureIsVisible) {
  const MemoryTree files = game_sample().files();
  scene::Scene s = exported(files, "matrix/0");
  // Blender exports the pose of the current frame, so another picture may be visible.
  u64 pictures = 0;
  for (scene::Node& n : s.nodes) {
    const Value* kind = n.extras.find("kind");
    if (!kind || kind->text() != "nitro.picture") continue;
    ++pictures;
    const bool was = n.visible;
    n.visible = true;
    n.scale = was ? scene::Vec3{0, 0, 0} : scene::Vec3{1, 1, 1};
  }
  ASSERT_GE(pictures, 2u);
  GameEditing editing = editing_of(files);
  const auto done = editing.run(back(), Referrers::refuse, &s);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(editing.changed().empty()) << *done;
}

TEST_P(InEachGame, ImportsOnlyTheEditedPartsOfAWorld) {
  const MemoryTree files = files_of(game_sample(), GetParam());
  const GameTables before = tables_in(files);
  scene::Scene s = exported(files, "matrix/0");
  // A town prop is moved and copied; a box is added to the ground of the road.
  std::vector<scene::Index> props;
  scene::Index road = scene::k_none;
  for (scene::Index i = 0; i < s.nodes.size(); ++i) {
    if (s.nodes[i].name == "land 1") road = i;
    if (s.nodes[i].name.starts_with("prop ") && s.nodes[s.nodes[i].parent].name == "land 0") props.push_back(i);
  }
  ASSERT_NE(road, scene::k_none);
  ASSERT_GE(props.size(), 1u);
  s.nodes[props[0]].translation[0] += 16;
  scene::Node copy = s.nodes[props[0]];
  copy.translation[2] += 32;
  s.nodes.push_back(copy);
  scene::Node box;
  box.name = "Box", box.parent = road, box.translation = {100, 0, 100};
  box.mesh = add_box_mesh(s, "crate", 200);
  s.nodes.push_back(box);
  GameEditing editing = editing_of(files);
  const auto done = editing.run(back(), Referrers::refuse, &s);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_THAT(*done, HasSubstr("unchanged"));
  const GameTables after = tables_in(editing.files());
  const auto town_before = before.land(0), town = after.land(0);
  ASSERT_EQ(town->props.size(), town_before->props.size() + 1);
  EXPECT_EQ(town->props[0].position.x.value(), town_before->props[0].position.x.value() + 16);
  for (size_t i = 1; i < town_before->props.size(); ++i) EXPECT_EQ(town->props[i], town_before->props[i]);
  EXPECT_EQ(town->attributes, town_before->attributes);
  const auto bytes_of_model = [](const LandData& land) {
    Document<nitro::Nsbmd> d;
    d.edit() = land.model;
    return *save(d);
  };
  EXPECT_EQ(bytes_of_model(*town), bytes_of_model(*town_before));
  const auto road_before = before.land(1), with_box = after.land(1);
  EXPECT_NE(bytes_of_model(*with_box), bytes_of_model(*road_before));
  EXPECT_EQ(with_box->props, road_before->props);
  u32 other_tiles = 0;
  for (u32 z = 0; z < k_tiles; ++z)
    for (u32 x = 0; x < k_tiles; ++x) other_tiles += with_box->attributes[z][x] != road_before->attributes[z][x];
  EXPECT_LE(other_tiles, 4u);
  EXPECT_EQ(*before.files().of(FileRole::lands).read(2), *after.files().of(FileRole::lands).read(2));
  for (i32 z = -248; z < 256; z += 16)
    for (i32 x = -248; x < 256; x += 16)
      if (std::abs(x - 100) > 24 || std::abs(z - 100) > 24)
        EXPECT_EQ(ground_height_at(with_box->bdhc, x * 4096, z * 4096),
                  ground_height_at(road_before->bdhc, x * 4096, z * 4096));
}

TEST(MakeMap, ImportsEventEditsFromAnExportedWorld) {
  GameSample sample = game_sample();
  ZoneEvent& town = sample.events[1];
  town.coord_events.push_back({.script = 3, .x = 4, .z = 5, .width = 6, .length = 2, .y = 0, .value = 1, .var = 2});
  town.coord_events.push_back({.script = 4, .x = 20, .z = 20, .width = 0, .length = 1, .y = 0, .value = 0, .var = 0});
  ASSERT_GE(town.object_events.size(), 1u);
  ASSERT_GE(town.bg_events.size(), 1u);
  const MemoryTree files = sample.files();
  scene::Scene s = exported(files, "matrix/0", {"events"});
  const auto node_of = [&](std::string_view path) -> scene::Node& {
    const auto found = std::ranges::find_if(s.nodes, [&](const scene::Node& n) {
      const Value* file = n.extras.find("file");
      return n.extras.find("path") && n.extras.find("path")->text() == path && file && file->text().ends_with("/1");
    });
    EXPECT_NE(found, s.nodes.end()) << path;
    return *found;
  };
  {
    GameEditing editing = editing_of(files);
    const auto done = editing.run(back(), Referrers::refuse, &s);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(editing.changed().empty()) << "a trigger of width 0 stays one: " << *done;
  }
  scene::Node& object = node_of("object_events[0]");
  object.translation[0] += 2 * k_tile_units;
  *object.extras.find("script") = u64(77);
  scene::Node& trigger = node_of("coord_events[0]");
  trigger.translation[0] -= k_tile_units, trigger.scale[0] += k_tile_units;
  scene::Node copy = object;
  copy.translation[2] += k_tile_units;
  scene::Node& sign = node_of("bg_events[0]");
  sign.extras = Value();
  sign.mesh = scene::k_none;
  s.nodes.push_back(copy);
  add_node(s, "New", {f32(10 * 16 + 8), 0, f32(11 * 16 + 8)}, {{"event", "sign"}, {"script", u64(9)}});
  s.nodes.back().parent = s.nodes[std::ranges::find(s.nodes, "land 0", &scene::Node::name) - s.nodes.begin()].parent;
  GameEditing editing = editing_of(files);
  const auto done = editing.run(back(), Referrers::refuse, &s);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_THAT(*done, HasSubstr("2 changed, 2 added, 1 removed"));
  EXPECT_EQ(editing.changed().size(), 1u);
  const ZoneEvent is = *tables_in(editing.files()).events[1];
  ASSERT_EQ(is.object_events.size(), town.object_events.size() + 1);
  EXPECT_EQ(is.object_events[0].x, town.object_events[0].x + 2);
  EXPECT_EQ(is.object_events[0].script, 77);
  EXPECT_EQ(is.object_events[0].local_id, town.object_events[0].local_id);
  EXPECT_EQ(is.object_events[0].y, town.object_events[0].y);
  EXPECT_EQ(is.object_events.back().z, town.object_events[0].z + 1);
  EXPECT_NE(is.object_events.back().local_id, is.object_events[0].local_id);
  EXPECT_EQ(is.coord_events[0].x, 3);
  EXPECT_EQ(is.coord_events[0].width, 7);
  EXPECT_EQ(is.coord_events[0].script, 3);
  ASSERT_EQ(is.bg_events.size(), town.bg_events.size()) << "one is gone, one is new";
  EXPECT_EQ(is.bg_events.back().script, 9);
  EXPECT_EQ(is.bg_events.back().x, 10);
  EXPECT_EQ(is.warp_events.size(), town.warp_events.size()) << "they were not shown";
  // Import the same scene again: nothing is missing.
  const auto again = editing.run(back(), Referrers::refuse, &s);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(to_value(*tables_in(editing.files()).events[1]), to_value(is));
}

TEST(MakeMap, ImportsAnExportedMapIntoAnotherCell) {
  const MemoryTree files = game_sample().files();
  const scene::Scene s = exported(files, "land/0");
  GameEditing editing = editing_of(files);
  const auto done = editing.run(step_of({{"header", "ROAD"}, {"matrix", "0"}, {"at", "8,0"}, {"area", "new"}}),
                                Referrers::refuse, &s);
  ASSERT_TRUE(done) << done.error().message;
  const GameTables before = tables_in(files), after = tables_in(editing.files());
  const u32 land = after.matrices[0]->lands[8];
  EXPECT_EQ(land, before.files().of(FileRole::lands).count());
  const u32 set = after.areas[after.headers[2].area]->texture_set;
  std::set<std::string> known;
  for (const nitro::Texture& x : after.map_textures(set)->textures.textures) known.insert(x.name);
  for (const nitro::Pairing& p : after.land(land)->model.models[0].textures)
    EXPECT_TRUE(known.contains(p.name)) << p.name;
  EXPECT_GT(known.size(), 0u);
}

TEST(MakeMap, ReplacesSharedLandOnlyWhereEdited) {
  const MemoryTree files = game_sample().files();
  scene::Scene s = exported(files, "matrix/0");
  std::vector<scene::Index> woods;  // land 2 is in two cells
  for (scene::Index i = 0; i < s.nodes.size(); ++i)
    if (s.nodes[i].name == "land 2") woods.push_back(i);
  ASSERT_EQ(woods.size(), 2u);
  scene::Node box;
  box.name = "Box", box.parent = woods[1], box.translation = {50, 0, 50};
  box.mesh = add_box_mesh(s, "crate", 200);
  s.nodes.push_back(box);
  GameEditing editing = editing_of(files);
  const auto done = editing.run(back(), Referrers::refuse, &s);
  ASSERT_TRUE(done) << done.error().message;
  const GameTables before = tables_in(files), after = tables_in(editing.files());
  EXPECT_EQ(after.matrices[0]->lands[30], 2);
  EXPECT_EQ(after.matrices[0]->lands[31], before.files().of(FileRole::lands).count());
  EXPECT_EQ(*before.files().of(FileRole::lands).read(2), *after.files().of(FileRole::lands).read(2));
}

TEST(MakeMap, RejectsScenesWithOnlyANavmesh) {
  const MemoryTree files = game_sample().files();
  QuadScene t;
  t.floor("ground", -512, -256, 512, 256, 0);
  t.scene().nodes[0].name = "navmesh";
  GameEditing editing = editing_of(files);
  const auto done = editing.run(step_of({{"header", "HOUSE"}}), Referrers::refuse, &t.scene());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().id, "nitro.make-empty");
}

TEST(MakeMap, AddsFilesToUnpackedArchives) {
  MemoryTree folder;
  for (const auto& [path, bytes] : game_sample().files().files) {
    if (!path.ends_with(".narc") || path.find("fielddata/land_data") == path.npos) {
      folder.files[path] = bytes;
      continue;
    }
    const auto narc = load<Narc>(bytes);
    u32 number = 0;
    for (const NarcFile& f : narc->document.value().files) {
      std::string name = std::to_string(number++);
      name.insert(0, 4 - name.size(), '0');
      folder.files[path.substr(0, path.size() - 5) + "/" + name + ".bin"] = Bytes(f.content.begin(), f.content.end());
    }
  }
  ASSERT_EQ(findings_in(folder), "");
  QuadScene t = two_maps();
  add_way_out(t.scene());
  GameEditing editing = editing_of(folder);
  const auto done = editing.run(step_of({{"header", "HOUSE"}, {"area", "new"}}), Referrers::refuse, &t.scene());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(editing.changed().contains("fielddata/land_data/land_data/0003.bin"));
  EXPECT_TRUE(editing.changed().contains("fielddata/land_data/land_data/0004.bin"));
  EXPECT_EQ(findings_in(editing.files()), "");
}

TEST(MakeMap, RejectsInvalidRequestsWithAReason) {
  const MemoryTree files = game_sample().files();
  QuadScene plain;
  plain.floor("ground", -256, -256, 256, 256, 0);
  GameEditing editing = editing_of(files);
  const auto refusal = [&](const scene::Scene& s, std::vector<Argument> arguments) {
    const auto done = editing.run(step_of(std::move(arguments)), Referrers::refuse, &s);
    EXPECT_FALSE(done);
    EXPECT_TRUE(editing.changed().empty());
    return done ? std::string() : format_one_line(done.error()) + " (" + done.error().hint + ")";
  };
  EXPECT_THAT(refusal(plain.scene(), {{"header", "NOWHERE"}}), HasSubstr("there is no map \"NOWHERE\""));
  EXPECT_THAT(refusal(plain.scene(), {}), HasSubstr("needs header=..."));
  EXPECT_THAT(refusal(plain.scene(), {{"matrix", "0"}, {"at", "3,1"}}), HasSubstr("belongs to no map"));
  EXPECT_THAT(refusal(two_maps().scene(), {{"header", "2"}, {"matrix", "0"}, {"at", "29,0"}}),
              HasSubstr("the scene has 2 x 1 maps, but from at=29,0 on, matrix 0 has only 1 x 2 cells"));
  EXPECT_THAT(refusal(plain.scene(), {{"header", "2"}, {"colour", "red"}}), HasSubstr("colour"));
  EXPECT_THAT(refusal(plain.scene(), {{"header", "2"}, {"light", "0"}}), HasSubstr("area=new"));
  {
    QuadScene t = plain;
    add_node(t.scene(), "Post box", {0, 0, 0}, {{"prop", "post box"}});
    EXPECT_THAT(refusal(t.scene(), {{"header", "HOUSE"}}),
                HasSubstr("object \"Post box\" stands for the prop \"post box\", but it has no mesh"));
  }
  {
    QuadScene t = plain;
    add_node(t.scene(), "Bell", {0, 0, 0}, {{"event", "bell"}});
    EXPECT_THAT(refusal(t.scene(), {{"header", "HOUSE"}}), HasSubstr("object \"Bell\" has the unknown event \"bell\""));
    t.scene().nodes.back().extras = Value::object();
    t.scene().nodes.back().extras.add("event", "warp");
    EXPECT_THAT(refusal(t.scene(), {{"header", "HOUSE"}}), HasSubstr("a warp needs the property `to`"));
    t.scene().nodes.back().extras.add("to", "MOON");
    EXPECT_THAT(refusal(t.scene(), {{"header", "HOUSE"}}), HasSubstr("leads to \"MOON\""));
    t.scene().nodes.back().extras = Value::object();
    t.scene().nodes.back().extras.add("event", "sign");
    t.scene().nodes.back().extras.add("player_facing_dir", "up");
    EXPECT_THAT(refusal(t.scene(), {{"header", "HOUSE"}}), HasSubstr("player_facing_dir"));
    t.scene().nodes.back().translation = {4000, 0, 0};
    EXPECT_THAT(refusal(t.scene(), {{"header", "HOUSE"}}), HasSubstr("is outside every map in the scene"));
  }
  {
    QuadScene t = plain;
    scene::Node hedge;
    hedge.name = "Hedge";
    hedge.mesh = scene::Index(t.scene().meshes.size());
    scene::Primitive p;
    p.material = 0;
    std::mt19937 random(7);
    std::uniform_real_distribution<f32> anywhere(-200, 200);
    for (int i = 0; i < 9000; ++i) p.positions.push_back({anywhere(random), anywhere(random) + 300, anywhere(random)});
    t.scene().meshes.push_back({"Hedge", {p}});
    t.scene().nodes.push_back(hedge);
    EXPECT_THAT(refusal(t.scene(), {{"header", "HOUSE"}}),
                testing::AllOf(HasSubstr("(at most 61440)"), HasSubstr("Hedge (3000 triangles)")));
  }
}

}  // namespace dio::platinum
