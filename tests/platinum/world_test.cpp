// The world of the sample game; expected values are computed by hand.
#include "formats/platinum/scene/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bridge/gltf/gltf.hpp"
#include "containers/nitro_fs/narc.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/scene/cameras.hpp"
#include "formats/platinum/scene/light.hpp"
#include "samples/platinum/games.hpp"

namespace {

using namespace dio;
using namespace dio::platinum;
using scene::Index;
using scene::k_none;
using scene::Scene;
using scene::Vec3;

SceneResult world(const GameSample& sample, std::string_view part = {}, const WorldOptions& options = {}) {
  const MemoryTree files = sample.files();
  const auto tables = GameTables::load(files);
  EXPECT_TRUE(tables.has_value());
  if (!tables) return {};
  auto staged = build_world_scene(*tables, part, options);
  EXPECT_TRUE(staged.has_value()) << (staged ? "" : format_one_line(staged.error()));
  if (!staged) return {};
  const auto faults = scene::verify(staged->scene);
  EXPECT_TRUE(faults.empty()) << faults.front();
  return std::move(*staged);
}

std::vector<Index> named(const Scene& s, std::string_view name) {
  std::vector<Index> out;
  for (Index i = 0; i < s.nodes.size(); ++i)
    if (s.nodes[i].name == name) out.push_back(i);
  return out;
}
std::string text_of(const scene::Node& n, std::string_view name) {
  const Value* v = n.extras.find(name);
  return v && v->is(Value::Kind::text) ? v->text() : std::string();
}
std::vector<Index> of_kind(const Scene& s, std::string_view kind) {
  std::vector<Index> out;
  for (Index i = 0; i < s.nodes.size(); ++i)
    if (text_of(s.nodes[i], "kind") == kind) out.push_back(i);
  return out;
}
bool hangs_on(const Scene& s, Index node, Index above) {
  for (; node != k_none; node = s.nodes[node].parent)
    if (node == above) return true;
  return false;
}
size_t notes(const SceneResult& w, std::string_view id) {
  return size_t(std::count_if(w.notes.begin(), w.notes.end(), [&](const Diagnostic& d) { return d.id == id; }));
}
/// The meshes below a node.
std::vector<Index> meshes_below(const Scene& s, Index above) {
  std::vector<Index> out;
  for (Index i = 0; i < s.nodes.size(); ++i)
    if (s.nodes[i].mesh != k_none && hangs_on(s, i, above)) out.push_back(s.nodes[i].mesh);
  return out;
}

TEST(PlatinumWorld, PlacesCellCentersEvery512Units) {
  const SceneResult w = world(game_sample());
  const Scene& s = w.scene;
  EXPECT_EQ(w.notes.size(), 0u) << format_one_line(w.notes.front());
  ASSERT_EQ(of_kind(s, "platinum.land").size(), 4u);
  EXPECT_EQ(s.nodes[named(s, "land 0").at(0)].translation, (Vec3{256, 0, 256}));
  EXPECT_EQ(s.nodes[named(s, "land 1").at(0)].translation, (Vec3{768, 0, 256}));
  const auto woods = named(s, "land 2");
  ASSERT_EQ(woods.size(), 2u);
  EXPECT_EQ(s.nodes[woods[0]].translation, (Vec3{256, 0, 768}));
  EXPECT_EQ(s.nodes[woods[1]].translation, (Vec3{768, 0, 768}));
}

TEST(PlatinumWorld, AltitudeMovesOnlyTheModel) {
  GameSample g = game_sample();
  g.matrices[0].altitudes[0][0] = 3;
  const SceneResult w = world(g);
  const Scene& s = w.scene;
  const auto raised = named(s, "altitude");
  ASSERT_EQ(raised.size(), 2u);
  EXPECT_EQ(s.nodes[raised[0]].translation, (Vec3{0, 24, 0}));  // 3 steps of 8
  EXPECT_EQ(s.nodes[raised[1]].translation, (Vec3{0, 16, 0}));  // the wood at (1, 1)
  for (const Index prop : of_kind(s, "platinum.prop")) EXPECT_FALSE(hangs_on(s, prop, raised[0]));
  EXPECT_EQ(meshes_below(s, raised[0]).size(), 1u);
}

TEST(PlatinumWorld, NodesRecordTheirFileAndPath) {
  const SceneResult w = world(game_sample(), "header/1");
  const Scene& s = w.scene;
  const auto props = of_kind(s, "platinum.prop");
  ASSERT_EQ(props.size(), 4u);
  EXPECT_EQ(text_of(s.nodes[props[2]], "path"), "props[2]");
  EXPECT_EQ(text_of(s.nodes[props[2]], "file"), "fielddata/land_data/land_data.narc/0");
  EXPECT_EQ(s.nodes[props[2]].extras.find("model")->number(), 2);
  const auto lands = of_kind(s, "platinum.land");
  ASSERT_EQ(lands.size(), 1u);
  EXPECT_EQ(text_of(s.nodes[lands[0]], "header_name"), "TOWN");
  EXPECT_EQ(s.nodes[lands[0]].extras.find("area")->number(), 1);
  EXPECT_EQ(s.name, "TOWN");
}

TEST(PlatinumWorld, RecordsTheWeatherOfEachMap) {
  GameSample g = game_sample();
  g.headers[1].weather = 5, g.headers[2].weather = 29;
  const SceneResult w = world(g);
  const Scene& s = w.scene;
  EXPECT_EQ(text_of(s.nodes[named(s, "land 0").at(0)], "weather"), "snowing");
  EXPECT_EQ(text_of(s.nodes[named(s, "land 1").at(0)], "weather"), "29") << "without a name";
  EXPECT_EQ(s.nodes[named(s, "land 2").at(0)].extras.find("weather"), nullptr) << "filler has that of its neighbours";
  EXPECT_EQ(s.extras.find("fog_table"), nullptr) << "there is no one weather";
  EXPECT_NE(world(g, "header/1").scene.extras.find("fog_table"), nullptr);
}

/// The world has hundreds of lands; a map needs only its own.
TEST(PlatinumWorld, ReadsOnlyTheLandsOfTheMap) {
  MemoryTree files = game_sample().files();
  Bytes& lands = files.files["fielddata/land_data/land_data.narc"];
  auto archive = load<Narc>(lands);
  ASSERT_TRUE(archive);
  FileBytes& wood = archive->document.edit().files[2].content;
  wood = Bytes(wood.begin(), wood.begin() + 20);
  lands = *save(archive->document);
  const auto tables = GameTables::load(files);
  ASSERT_TRUE(tables);
  ASSERT_TRUE(build_world_scene(*tables, "header/1", {}));
  EXPECT_TRUE(tables->notes().empty()) << format_one_line(tables->notes()[0]);
  ASSERT_TRUE(build_world_scene(*tables, "matrix/0", {}));
  EXPECT_FALSE(tables->notes().empty());
}

TEST(PlatinumWorld, ReportsMapsWithoutCells) {
  GameSample g = game_sample();
  g.matrices[0].map_header_ids[0][1] = 1;
  const MemoryTree files = g.files();
  const auto tables = GameTables::load(files);
  ASSERT_TRUE(tables);
  const auto none = build_world_scene(*tables, "header/2", {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "no cell of matrix 0 belongs to this map, so it has no land to show");
}

TEST(PlatinumWorld, RepeatedModelsShareMeshes) {
  const SceneResult w = world(game_sample());
  const Scene& s = w.scene;
  std::set<Index> trees;
  for (const Index prop : of_kind(s, "platinum.prop"))
    if (s.nodes[prop].extras.find("model")->number() == 1)
      for (const Index mesh : meshes_below(s, prop)) trees.insert(mesh);
  EXPECT_EQ(named(s, "prop 1").size(), 3u);
  EXPECT_EQ(trees.size(), 1u);
  const auto woods = named(s, "land 2");
  EXPECT_EQ(meshes_below(s, woods[0]), meshes_below(s, woods[1]));
}

TEST(PlatinumWorld, ScalesPropsButIgnoresTheirRotation) {
  GameSample g = game_sample();
  g.lands[0].props[0].rotation = {0, 0x14000, 0};  // the low 16 bits count: a quarter
  const SceneResult plain = world(g, "land/0");
  const auto props = of_kind(plain.scene, "platinum.prop");
  EXPECT_EQ(plain.scene.nodes[props[0]].translation, (Vec3{-200, 0, -200}));
  EXPECT_EQ(plain.scene.nodes[props[0]].rotation, (scene::Vec4{0, 0, 0, 1}));
  EXPECT_EQ(plain.scene.nodes[props[1]].scale, (Vec3{1.5f, 1.5f, 1.5f}));
  const SceneResult turned = world(g, "land/0", {.rotation = true});
  EXPECT_NEAR(turned.scene.nodes[props[0]].rotation[1], std::sqrt(0.5f), 1e-6f);
}

TEST(PlatinumWorld, HidesPropsBeyondTheLimitOf32) {
  GameSample g = game_sample();
  while (g.lands[0].props.size() < 33) g.lands[0].props.push_back(g.lands[0].props[0]);
  const SceneResult w = world(g, "land/0");
  EXPECT_EQ(of_kind(w.scene, "platinum.prop").size(), 32u);
  EXPECT_EQ(notes(w, "platinum.hidden-props"), 1u);
}

TEST(PlatinumWorld, ShowsModel0ForMissingModels) {
  GameSample g = game_sample();
  g.lands[0].props[0].model_id = 4;  // the table, of the other set
  const SceneResult w = world(g, "land/0");
  const Index prop = of_kind(w.scene, "platinum.prop").at(0);
  EXPECT_EQ(w.scene.nodes[prop].extras.find("model")->number(), 0);
  EXPECT_EQ(w.scene.nodes[prop].extras.find("instead_of")->number(), 4);
  ASSERT_EQ(notes(w, "platinum.dummy-prop"), 1u);
  EXPECT_EQ(w.notes[0].place.path, "props[0].model_id");
  const auto meshes = meshes_below(w.scene, prop);
  ASSERT_EQ(meshes.size(), 1u);
  const auto& material = w.scene.materials[w.scene.meshes[meshes[0]].primitives[0].material];
  ASSERT_NE(material.texture, k_none) << "with the textures of its own file";
  EXPECT_EQ(w.scene.textures[material.texture].name, "box_t");
  EXPECT_EQ(notes(w, "nitro.unbound-texture"), 0u);
}

TEST(PlatinumWorld, FillerMapsUseTheNearestFittingArea) {
  GameSample g = game_sample();
  g.headers[0].area_data_archive_id = 2;  // indoors: has no grass
  const SceneResult w = world(g);
  for (const Index wood : named(w.scene, "land 2")) {
    EXPECT_EQ(w.scene.nodes[wood].extras.find("area")->number(), 1);
    EXPECT_NE(w.scene.nodes[wood].extras.find("borrowed_area"), nullptr);
  }
  EXPECT_EQ(notes(w, "platinum.borrowed-area"), 1u);
  EXPECT_EQ(notes(w, "nitro.unbound-texture"), 0u);
}

TEST(PlatinumWorld, DrawsMaterialsWithMissingTextures) {
  GameSample g = game_sample();
  g.map_textures[0].textures.textures[1].name = "other";  // no path
  const SceneResult w = world(g, "land/0");
  ASSERT_EQ(notes(w, "nitro.unbound-texture"), 1u);
  EXPECT_EQ(w.notes[0].place.file, "fielddata/land_data/land_data.narc/0");
  EXPECT_EQ(w.notes[0].place.path, "model.models[0].materials[1]");
  EXPECT_EQ(meshes_below(w.scene, of_kind(w.scene, "platinum.land").at(0)).size(), 1u + 7u) << "nothing is missing";
}

TEST(PlatinumWorld, LightFollowsTheTimeOfDay) {
  const auto light = game_sample().lights[0].light;
  ASSERT_TRUE(light.has_value());
  EXPECT_EQ(light_block_at(light->blocks, 0), 0u);
  EXPECT_EQ(light_block_at(light->blocks, 28799), 0u);
  EXPECT_EQ(light_block_at(light->blocks, 28800), 1u);  // 14400 * 2 seconds: the first has ended
  EXPECT_EQ(light_block_at(light->blocks, 71999), 1u);
  EXPECT_EQ(light_block_at(light->blocks, 72000), 2u);
  std::vector<LightBlock> early = {light->blocks[0]};
  EXPECT_EQ(light_block_at(early, 86399), 0u) << "the first, where none ends later";

  const auto brightness = [](u32 time) {
    const SceneResult w = world(game_sample(), "land/0", {.time = time});
    const auto& p = w.scene.meshes[meshes_below(w.scene, of_kind(w.scene, "platinum.land").at(0)).at(0)].primitives[0];
    return p.colors.empty() ? scene::Vec4{1, 1, 1, 1} : p.colors[0];
  };
  EXPECT_GT(brightness(12 * 3600)[0], brightness(2 * 3600)[0] * 2);
}

TEST(PlatinumWorld, OutdoorLightOverridesMaterialColors) {
  const auto diffuse = [](const SceneResult& w) { return w.scene.materials.at(0).extras.find("diffuse")->number(); };
  EXPECT_EQ(diffuse(world(game_sample(), "land/0")), 31 | 31 << 5 | 28 << 10);
  GameSample g = game_sample();
  g.areas[1].area_light_archive_id = 1;  // not one of those that paint
  EXPECT_NE(diffuse(world(g, "land/0")), 24 | 24 << 5 | 24 << 10);
}

TEST(PlatinumWorld, LightColorsOverflowAndDirectionsClamp) {
  LightBlock b{};
  b.lights[0] = {1, 32, 0, 0, 9000, -9000, 4096};
  const MapLight l = compute_map_light(b, 0, 90);
  EXPECT_TRUE(l.lighting.lights[0].on);
  EXPECT_FALSE(l.lighting.lights[1].on);
  EXPECT_EQ(l.lighting.lights[0].color, 1 << 5) << "32 of red is 1 of green";
  EXPECT_EQ(l.lighting.lights[0].direction, (scene::Point{1, -1, 1}));
  EXPECT_TRUE(l.paint.has_value());
  EXPECT_FALSE(compute_map_light(b, 1, 90).paint.has_value());
}

const scene::Animation* animation(const Scene& s, std::string_view name) {
  for (const auto& a : s.animations)
    if (a.name == name) return &a;
  return nullptr;
}

TEST(PlatinumWorld, AnimatesTheSeaTexture) {
  const SceneResult w = world(game_sample());
  const auto* sea = animation(w.scene, "sea");
  ASSERT_NE(sea, nullptr);
  ASSERT_EQ(sea->visibility_channels.size(), 2u);
  EXPECT_EQ(sea->visibility_channels[0].times[1], f32(8 / 30.0)) << "a picture stays for its wait and one tick";
  EXPECT_EQ(sea->extras.find("frames")->number(), 16);
}

TEST(PlatinumWorld, PropAnimationsPlayWhileDoorsWait) {
  GameSample g = game_sample();
  g.lands[0].props.push_back(g.lands[0].props[2]);  // a second mill
  const SceneResult w = world(g);
  const auto* wheel = animation(w.scene, "wheel");
  ASSERT_NE(wheel, nullptr);
  ASSERT_EQ(wheel->channels.size(), 2u) << "one for each mill";
  EXPECT_NE(wheel->channels[0].node, wheel->channels[1].node);
  EXPECT_EQ(wheel->channels[0].times.back(), f32(7 / 30.0));
  EXPECT_EQ(wheel->extras.find("starts"), nullptr);
  const auto* door = animation(w.scene, "door");
  ASSERT_NE(door, nullptr);
  EXPECT_NE(door->extras.find("starts"), nullptr);
}

TEST(PlatinumWorld, HeaderSelectsTheCamera) {
  const CameraType& usual = camera_types()[0];
  const scene::Node n = make_camera_node(usual, {100, 10, 200});
  EXPECT_NEAR(n.translation[1], 10 + 571.97f, 0.01f);   // 666.92 * sin 59.05 degrees
  EXPECT_NEAR(n.translation[2], 200 + 342.98f, 0.01f);  // and to the south by the cosine
  EXPECT_NEAR(make_camera(usual).vertical_fov, 0.28244f, 1e-4f);
  const scene::Camera inside = make_camera(camera_types()[4]);
  EXPECT_NEAR(inside.half_height, 96.21f, 0.01f);
  EXPECT_EQ(camera_types().size(), 17u);
  const SceneResult w = world(game_sample(), "header/3");
  const auto cameras = of_kind(w.scene, "platinum.camera");
  ASSERT_EQ(cameras.size(), 1u);
  EXPECT_GT(w.scene.cameras[w.scene.nodes[cameras[0]].camera].half_height, 0);
}

TEST(PlatinumWorld, AddsTheRequestedOverlays) {
  WorldOptions all;
  for (const std::string_view name : overlay_names()) all.show.emplace_back(name);
  const SceneResult w = world(game_sample(), {}, all);
  const Scene& s = w.scene;
  const auto heights = of_kind(s, "platinum.heights");
  ASSERT_EQ(heights.size(), 4u);
  EXPECT_EQ(s.meshes[s.nodes[heights[1]].mesh].primitives[0].positions.size(), 3u * 4) << "three plates of the road";
  const auto tiles = of_kind(s, "platinum.tiles");
  ASSERT_EQ(tiles.size(), 2u) << "the woods have none";
  size_t quads = 0, lines = 0;
  for (const auto& p : s.meshes[s.nodes[tiles[0]].mesh].primitives)
    p.shape == scene::Primitive::Shape::lines ? lines += p.positions.size() / 2 : quads += p.positions.size() / 4;
  EXPECT_EQ(quads, 25u + 1) << "grass, and a door";
  EXPECT_EQ(lines, 4u * 5 + 4) << "around both";
  EXPECT_EQ(of_kind(s, "platinum.collision").size(), 4u);
  const auto events = of_kind(s, "platinum.event"), warps = of_kind(s, "platinum.warp");
  ASSERT_EQ(events.size(), 3u);  // a sign, a girl of the town; a gate of the road
  ASSERT_EQ(warps.size(), 1u);   // a door of the town
  EXPECT_EQ(s.nodes[events[0]].translation, (Vec3{12 * 16 + 2, 0, 12 * 16 + 2}));
  EXPECT_EQ(text_of(s.nodes[events[0]], "path"), "bg_events[0]");
  EXPECT_EQ(text_of(s.nodes[warps[0]], "path"), "warp_events[0]");
  EXPECT_EQ(text_of(s.nodes[warps[0]], "to"), "HOUSE");
  EXPECT_EQ(s.nodes[events[2]].scale, (Vec3{12, 4, 44}));  // one tile by three, less the margins
  EXPECT_TRUE(of_kind(world(game_sample()).scene, "platinum.event").empty());
}

TEST(PlatinumWorld, BuildsScenesFromLandsHeadersMatricesAndAreas) {
  const GameSample g = game_sample();
  EXPECT_EQ(of_kind(world(g, "land/3").scene, "platinum.land").size(), 1u);
  EXPECT_EQ(of_kind(world(g, "header/2").scene, "platinum.land").size(), 1u);
  EXPECT_EQ(of_kind(world(g, "matrix/0").scene, "platinum.land").size(), 4u);
  EXPECT_EQ(of_kind(world(g, "area/1").scene, "platinum.land").size(), 4u);
  EXPECT_EQ(of_kind(world(g, "area/2").scene, "platinum.land").size(), 1u);
  const SceneResult land = world(g, "land/1");
  const Index node = of_kind(land.scene, "platinum.land").at(0);
  const scene::Node& matrix = land.scene.nodes[land.scene.nodes[node].parent];
  EXPECT_EQ(matrix.translation, (Vec3{-768, 0, -256})) << "the middle of the land is the origin";

  const MemoryTree files = g.files();
  const auto tables = GameTables::load(files);
  ASSERT_TRUE(tables.has_value());
  for (const char* wrong :
       {"land/4", "land/", "land/1x", "header/4", "matrix/2", "area/3", "prop/1", "land", "/", "land/99999999999"}) {
    const auto none = build_world_scene(*tables, wrong, {});
    ASSERT_FALSE(none.has_value()) << wrong;
    EXPECT_EQ(none.error().id, "game.part") << wrong;
  }
}

TEST(PlatinumWorld, UnusedLandStillFindsItsTextures) {
  GameSample g = game_sample();
  g.matrices[1].land_data_ids[0][0] = 2;
  const SceneResult w = world(g, "land/3");
  EXPECT_EQ(w.scene.nodes[of_kind(w.scene, "platinum.land").at(0)].extras.find("area")->number(), 2);
  EXPECT_EQ(notes(w, "nitro.unbound-texture"), 0u);
}

TEST(PlatinumWorld, LimitsTheMapsOfHugeMatrices) {
  GameSample g = game_sample();
  MapMatrix& m = g.matrices[0];
  m.width = m.height = 255;
  m.map_header_ids = Rows<u16>(255, std::vector<u16>(255, 0));
  m.altitudes = Rows<u16>(255, std::vector<u16>(255, 0));
  m.land_data_ids = Rows<u16>(255, std::vector<u16>(255, 2));
  const SceneResult w = world(g);
  EXPECT_EQ(of_kind(w.scene, "platinum.land").size(), 4096u);
  ASSERT_EQ(notes(w, "platinum.many-maps"), 1u);
  EXPECT_EQ(w.notes[0].message, "only the first 4096 of 65025 maps are converted");
}

TEST(PlatinumWorld, WorldExportsAsGltf) {
  const GameSample g = game_sample();
  WorldOptions all;
  for (const std::string_view name : overlay_names()) all.show.emplace_back(name);
  for (const char* part : {"", "land/0", "header/3", "area/1"}) {
    const SceneResult w = world(g, part, all);
    const auto plain = gltf::write_glb(w.scene), instanced = gltf::write_glb(w.scene, {.instances = true});
    ASSERT_TRUE(plain.has_value());
    ASSERT_TRUE(instanced.has_value());
  }
}

TEST(PlatinumWorld, EveryNoteHasARule) {
  std::set<std::string_view> known;
  for (const Rule& r : world_rules()) {
    EXPECT_TRUE(known.insert(r.id).second);
    EXPECT_FALSE(r.why.empty());
  }
  for (const char* id :
       {"platinum.many-maps", "platinum.missing-file", "platinum.borrowed-area", "platinum.guessed-area",
        "platinum.dummy-prop", "platinum.hidden-props", "platinum.unfit-picture"})
    EXPECT_TRUE(known.contains(id)) << id;
}

TEST(PlatinumWorld, MergesRepeatedNotesPerFile) {
  GameSample g = game_sample();
  for (Prop& p : g.lands[0].props) p.model_id = 4;
  const SceneResult w = world(g, "land/0");
  ASSERT_EQ(notes(w, "platinum.dummy-prop"), 1u);
  EXPECT_EQ(w.notes[0].place.path, "props[0].model_id");
  EXPECT_EQ(
      w.notes[0].message,
      "model 4 is not in the prop set of the area, so the prop is shown as model 0 (and 3 more like this in the file)");
}

TEST(PlatinumWorld, GuessesTheAreaWithoutAHeader) {
  GameSample g = game_sample();
  g.matrices.push_back(g.matrices[1]);  // no header leads to matrix 2
  const SceneResult w = world(g, "matrix/2");
  ASSERT_EQ(notes(w, "platinum.guessed-area"), 1u);
  const scene::Node& land = w.scene.nodes[of_kind(w.scene, "platinum.land").at(0)];
  EXPECT_EQ(land.extras.find("area")->number(), 2) << "the only one with the textures of the house";
  EXPECT_NE(land.extras.find("guessed_area"), nullptr);
  EXPECT_EQ(notes(world(g, "matrix/1"), "platinum.guessed-area"), 0u);
}

TEST(PlatinumWorld, PrefersTheHeaderWhoseAreaHasTextures) {
  GameSample g = game_sample();
  g.headers[2].map_matrix_id = 1;  // the road, outdoors, comes first
  const SceneResult w = world(g, "matrix/1");
  EXPECT_EQ(w.scene.nodes[of_kind(w.scene, "platinum.land").at(0)].extras.find("header")->number(), 3);
  EXPECT_EQ(notes(w, "nitro.unbound-texture"), 0u);
}

/// Files truncated at many offsets, and missing files.
TEST(PlatinumWorld, DamagedFilesStillGiveValidScenes) {
  const MemoryTree whole = game_sample().files();
  size_t shown = 0;
  for (const auto& [path, bytes] : whole.files) {
    const size_t step = std::max<size_t>(1, bytes.size() / 24);
    for (size_t size = 0; size < bytes.size(); size += step) {
      MemoryTree cut = whole;
      cut.files[path].resize(size);
      const auto tables = GameTables::load(cut);
      if (!tables) continue;
      for (const char* part : {"", "land/0", "header/3"}) {
        const auto staged = build_world_scene(*tables, part, {.show = {"tiles", "heights", "events", "warps"}});
        if (!staged) continue;
        ++shown;
        const auto faults = scene::verify(staged->scene);
        ASSERT_TRUE(faults.empty()) << path << " cut to " << size << ": " << faults.front();
      }
    }
  }
  EXPECT_GT(shown, 300u);
}

}  // namespace
