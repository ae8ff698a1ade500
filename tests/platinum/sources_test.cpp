// sources_test.cpp: decompilation source trees as games: read like the built game and edited in place.
#include "formats/platinum/sources/sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/sources/documents.hpp"
#include "operations/game_editing.hpp"
#include "platinum/edited_game.hpp"
#include "platinum/scene_of_quads.hpp"
#include "samples/platinum/decompilation.hpp"

namespace dio::platinum {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr const char* k_events = "res/field/events/events_town.json";
constexpr const char* k_headers = "include/data/map_headers.h";
constexpr FileRole k_all[] = {FileRole::matrices, FileRole::areas,      FileRole::prop_sets,    FileRole::lights,
                              FileRole::events,   FileRole::lands,      FileRole::map_textures, FileRole::prop_textures,
                              FileRole::props,    FileRole::animations, FileRole::anime_lists};

MemoryTree sources() { return decompilation_of(game_sample()); }
std::string text_in(const FileTree& files, std::string_view path) {
  const auto bytes = files.read(path);
  return bytes ? std::string(bytes->begin(), bytes->end()) : std::string();
}
Bytes bytes_of_text(std::string_view text) { return Bytes(text.begin(), text.end()); }
void replace_in(MemoryTree& files, const std::string& path, std::string_view was, std::string_view is) {
  std::string text = text_in(files, path);
  const size_t at = text.find(was);
  ASSERT_NE(at, text.npos) << path << " has no " << was;
  files.files[path] = bytes_of_text(text.replace(at, was.size(), is));
}

/// The game files built from a tree, by role.
std::map<FileRole, std::vector<Bytes>> built(const FileTree& files) {
  const auto found = GameFiles::find(files);
  EXPECT_TRUE(found);
  std::map<FileRole, std::vector<Bytes>> out;
  for (const FileRole role : k_all)
    for (u32 i = 0; i < found->of(role).count(); ++i) {
      const auto bytes = found->of(role).read(i);
      EXPECT_TRUE(bytes) << format_one_line(bytes.error());
      out[role].push_back(bytes ? *bytes : Bytes());
    }
  return out;
}
Bytes headers_of(const FileTree& files) {
  const GameTables t = tables_in(files);
  const auto read = t.files().read(t.files().path(FileRole::headers));
  EXPECT_TRUE(read) << format_one_line(read.error());
  const Bytes bytes = read ? *read : Bytes(t.headers.size() * k_header_size);
  const auto first = bytes.begin() + std::ptrdiff_t(t.headers_offset);
  return Bytes(first, first + std::ptrdiff_t(t.headers.size() * k_header_size));
}
void expect_same_game(const FileTree& a, const FileTree& b) {
  const auto one = built(a), other = built(b);
  for (const FileRole role : k_all) {
    ASSERT_EQ(one.at(role).size(), other.at(role).size()) << kind_of(role);
    for (size_t i = 0; i < one.at(role).size(); ++i)
      EXPECT_TRUE(one.at(role)[i] == other.at(role)[i]) << kind_of(role) << i;
  }
  EXPECT_EQ(headers_of(a), headers_of(b));
}

/// Two maps with one event of each kind.
scene::Scene town() {
  QuadScene t;
  t.floor("ground", -512, -256, 512, 256, 0);
  scene::Scene& s = t.scene();
  const auto add = [&](std::string name, scene::Vec3 at, std::vector<std::pair<std::string, Value>> properties) {
    scene::Node n;
    n.name = std::move(name), n.translation = at, n.extras = Value::object();
    for (auto& [key, value] : properties) n.extras.add(key, std::move(value));
    s.nodes.push_back(std::move(n));
  };
  add("Sign", {-500, 0, -250}, {{"event", "sign"}, {"script", u64(7)}});
  add("Person", {8, 0, 8}, {{"event", "object"}, {"graphics_id", u64(12)}, {"script", u64(3004)}});
  add("Another", {40, 0, 8}, {{"event", "object"}, {"graphics_id", u64(12)}, {"hidden_flag", u64(3)}});
  add("Way out", {-200, 0, 250},
      {{"event", "warp"}, {"to", "MAP_HEADER_TOWN"}, {"to_warp", u64(0)}, {"behavior", "warp south"}});
  add("Step", {200, 0, 200}, {{"event", "trigger"}, {"script", u64(9)}, {"var", u64(0x4001)}, {"value", u64(2)}});
  return std::move(s);
}
MemoryTree made(const MemoryTree& files, const EditStep& step, const scene::Scene& s,
                std::map<std::string, Bytes, std::less<>>* changed = nullptr) {
  auto editing = GameEditing::begin(files);
  EXPECT_TRUE(editing);
  const auto done = editing->run(step, Referrers::refuse, &s);
  EXPECT_TRUE(done) << (done ? "" : format_one_line(done.error()));
  MemoryTree out = files;
  for (const auto& [path, bytes] : editing->changed()) out.files[path] = bytes;
  if (changed) *changed = editing->changed();
  return out;
}

/// The single note of a game with one faulty source.
std::string note_of(const MemoryTree& files) {
  const GameTables t = tables_in(files);
  std::string out;
  for (const Diagnostic& d : t.notes()) out += format_one_line(d) + "\n";
  return out;
}

}  // namespace

TEST(DecompilationSources, ReadsTheSameGameAsTheCartridge) {
  expect_same_game(sources(), game_sample().files());
  EXPECT_EQ(findings_in(sources()), "");
  const GameTables t = tables_in(sources());
  EXPECT_TRUE(t.notes().empty());
  EXPECT_EQ(t.files().path(FileRole::headers), k_headers);
  EXPECT_EQ(t.files().of(FileRole::matrices).path(1), "res/field/matrices/map_matrix_001.json");
  EXPECT_EQ(t.files().of(FileRole::events).find_number_by_path(k_events), 1u);
  EXPECT_TRUE(t.files().is_source(k_events));
  EXPECT_TRUE(t.files().is_source(k_headers));
  EXPECT_FALSE(t.files().is_source("generated/maps.txt"));
}

TEST(DecompilationSources, SourcesTakePrecedenceOverBuildOutput) {
  MemoryTree files = sources();
  const MemoryTree cartridge = game_sample().files();
  files.files["build/res/field/matrices/map_matrix.narc"] = cartridge.files.at("fielddata/areadata/area_data.narc");
  files.files["tables/map_headers.bin"] = Bytes(48);
  files.files["build/main.sbin"] = Bytes(48);
  expect_same_game(files, cartridge);
}

TEST(DecompilationSources, FallsBackToBuildOutput) {
  MemoryTree files = sources();
  std::erase_if(files.files,
                [](const auto& f) { return f.first.starts_with("res/field/matrices/") && f.first.ends_with(".json"); });
  files.files["build/res/field/matrices/map_matrix.narc"] =
      game_sample().files().files.at("fielddata/mapmatrix/map_matrix.narc");
  expect_same_game(files, game_sample().files());
}

TEST(DecompilationSources, CreatesTheSameMapsAsInACartridge) {
  const scene::Scene s = town();
  for (const std::vector<Argument>& arguments :
       {std::vector<Argument>{{"header", "HOUSE"}, {"area", "new"}},
        std::vector<Argument>{{"header", "MAP_HEADER_HOUSE"}, {"matrix", "new"}, {"area", "new"}},
        std::vector<Argument>{{"header", "TOWN"}, {"matrix", "0"}, {"at", "0,0"}}}) {
    std::vector<Argument> plain = arguments;
    if (plain[0].value == "MAP_HEADER_HOUSE") plain[0].value = "HOUSE";
    scene::Scene for_cartridge = s;
    for (scene::Node& n : for_cartridge.nodes)
      if (Value* to = n.extras.find("to")) *to = Value("TOWN");
    const MemoryTree is = made(sources(), step_of(arguments), s);
    expect_same_game(is, made(game_sample().files(), step_of(plain), for_cartridge));
    // Repeating the step changes nothing.
    std::vector<Argument> again = arguments;
    std::erase_if(again, [](const Argument& a) { return a.value == "new" && a.name == "matrix"; });
    std::map<std::string, Bytes, std::less<>> changed;
    made(is, step_of(again), s, &changed);
    for (const auto& [path, bytes] : changed) ADD_FAILURE() << path << " has changed";
  }
}

TEST(DecompilationSources, AddsNewMembersToEveryList) {
  std::map<std::string, Bytes, std::less<>> changed;
  const MemoryTree is =
      made(sources(), step_of({{"header", "HOUSE"}, {"matrix", "new"}, {"area", "new"}}), town(), &changed);
  EXPECT_EQ(text_in(is, "res/field/matrices/map_matrix_002.json"),
            "{\n    \"name\": \"map\",\n    \"headers\": [],\n    \"altitudes\": [],\n    \"maps\": [\n"
            "        [\"MAP_004\", \"MAP_005\"]\n    ]\n}\n");
  EXPECT_EQ(text_in(is, "res/field/area_data/area_data_003.json"),
            "{\n    \"mapPropSet\": \"prop_model_set_002\",\n    \"mapTextureSet\": \"map_texture_set_002\",\n"
            "    \"lightingSet\": \"lighting_set_001\",\n    \"dummy\": 0\n}\n");
  EXPECT_EQ(text_in(is, "res/field/props/model_sets/prop_model_set_002.json"), "{\n    \"mapPropModels\": []\n}\n");
  EXPECT_EQ(text_in(is, "res/field/matrices/map_matrices.order"), "map_matrix_000\nmap_matrix_001\nmap_matrix_002\n");
  EXPECT_EQ(text_in(is, "res/field/matrices/meson.build"),
            "files(\n    'map_matrix_000.json',\n    'map_matrix_001.json',\n    'map_matrix_002.json',\n)\n");
  EXPECT_THAT(text_in(is, "res/field/maps/data/meson.build"),
              HasSubstr("    'map_data_003.bin',\n    'map_data_004.bin',\n    'map_data_005.bin'\n)"));
  EXPECT_EQ(text_in(is, "generated/maps.txt"),
            "MAP_000 = 0\nMAP_001\nMAP_002\nMAP_003\nMAP_004\nMAP_005\nMAP_NONE = 65535\n");
  std::string headers = text_in(sources(), k_headers);
  const size_t house = headers.find("[MAP_HEADER_HOUSE]");
  for (const auto& [was, now] : {std::pair("area_data_002", "area_data_003"), {"map_matrix_001", "map_matrix_002"}})
    headers.replace(headers.find(was, house), std::string_view(was).size(), now);
  EXPECT_EQ(text_in(is, k_headers), headers) << "the rest of the table is as it was";
}

TEST(DecompilationSources, WritesSymbolicNamesInEvents) {
  const MemoryTree is = made(sources(), step_of({{"header", "HOUSE"}, {"area", "new"}}), town());
  const std::string events = text_in(is, "res/field/events/events_house.json");
  EXPECT_THAT(events,
              HasSubstr("            \"id\": \"LOCALID_12\",\n            \"graphics_id\": \"OBJ_EVENT_GFX_12\",\n"));
  EXPECT_THAT(events, HasSubstr("\"id\": \"LOCALID_12_2\""));
  EXPECT_THAT(events, HasSubstr("\"script\": \"TRAINER_5\"")) << "the scripts of trainers are called as they are";
  EXPECT_THAT(events, HasSubstr("\"hidden_flag\": \"FLAG_3\""));
  EXPECT_THAT(events, HasSubstr("\"var\": \"VAR_1\""));
  EXPECT_THAT(events, HasSubstr("\"dest_header_id\": \"MAP_HEADER_TOWN\""));
  EXPECT_THAT(events, HasSubstr("\"data\": [],"));
}

TEST(DecompilationSources, CopiesEventsSharedWithOtherMaps) {
  MemoryTree files = sources();
  // The road uses the events of the house.
  replace_in(files, k_headers, "events_road", "events_house");
  const MemoryTree is = made(files, step_of({{"header", "HOUSE"}, {"area", "new"}}), town());
  EXPECT_TRUE(is.has("res/field/events/events_house_2.json")) << "as the map is called, and nobody else";
  EXPECT_EQ(text_in(is, "res/field/events/events_house.json"), text_in(files, "res/field/events/events_house.json"));
  EXPECT_THAT(text_in(is, k_headers), HasSubstr(".eventsArchiveID = events_house_2,"));
  EXPECT_THAT(text_in(is, "res/field/events/zone_event.order"), testing::EndsWith("events_house\nevents_house_2\n"));
}

TEST(DecompilationSources, UneditedPartsKeepTheirText) {
  MemoryTree files = sources();
  // Formatted by hand.
  replace_in(files, k_events, "\"id\": \"LOCALID_0\"", "\"id\":   \"LOCALID_GIRL\", \"unknown\" : [1,  2]");
  const std::string was = text_in(files, k_events);
  ZoneEvent e = *tables_in(files).events[1];
  const auto written = [&] {
    const GameTables t = tables_in(files);
    SourceChanges changes;
    Document<ZoneEvent> d;
    d.edit() = e;
    changes.members[SourceList::events][1] = *save(d);
    Diagnostics notes;
    const auto out = t.files().sources()->build_changed_sources(changes, notes);
    EXPECT_TRUE(out) << format_one_line(out.error());
    return !out || out->empty() ? std::string() : std::string(out->at(0).bytes.begin(), out->at(0).bytes.end());
  };
  EXPECT_EQ(written(), "") << "nothing has changed";
  e.object_events[0].x += 1;
  std::string now = was;
  now.replace(now.find("\"x\": 16"), 7, "\"x\": 17");
  EXPECT_EQ(written(), now);
  // Add an object after the girl: she keeps her text.
  e.object_events[0].x -= 1;
  ObjectEvent other{};
  other.graphics_id = 9, other.local_id = 1, other.data = {0, 3, 0};
  e.object_events.push_back(other);
  now = written();
  const std::string girl = was.substr(0, was.find("\n        }\n    ],\n    \"warp_events\""));
  EXPECT_EQ(now.substr(0, girl.size()), girl);
  EXPECT_THAT(now,
              HasSubstr("\n        },\n        {\n            \"id\": \"LOCALID_9\",\n            \"graphics_id\": "
                        "\"OBJ_EVENT_GFX_9\",\n"));
  EXPECT_THAT(now, HasSubstr("            \"data\": [\n                0,\n                3\n            ],\n"));
  // Remove the girl: the other object keeps its text and takes her number, which is its position.
  files.files[k_events] = bytes_of_text(now);
  e.object_events.erase(e.object_events.begin());
  now = written();
  EXPECT_EQ(now.find("GIRL"), now.npos);
  EXPECT_THAT(
      now,
      HasSubstr("\"object_events\": [\n        {\n            \"id\": \"LOCALID_9\",\n            \"graphics_id\""));
  e.object_events.clear();
  EXPECT_THAT(written(), HasSubstr("\"object_events\": [],"));
}

TEST(DecompilationSources, ClonesUseTheirCloneIdAsNumber) {
  MemoryTree files = sources();
  replace_in(files, k_events, "\"id\": \"LOCALID_0\",", "\"id\": \"LOCALID_0\",\n            \"clone_id\": 9,");
  replace_in(files, k_events, "\"hidden_flag\": \"0\"", "\"hidden_flag\": \"MAP_HEADER_ROAD\"");
  const GameTables t = tables_in(files);
  EXPECT_EQ(t.events[1]->object_events[0].local_id, 9);
  EXPECT_EQ(t.events[1]->object_events[0].hidden_flag, 2);
}

TEST(DecompilationSources, RoundsHeightsBetweenTilesWithANote) {
  scene::Scene s = town();
  s.nodes[2].translation[1] = 20;
  const MemoryTree files = sources();
  auto editing = GameEditing::begin(files);
  ASSERT_TRUE(editing);
  const auto done = editing->run(step_of({{"header", "HOUSE"}, {"area", "new"}}), Referrers::refuse, &s);
  ASSERT_TRUE(done);
  EXPECT_TRUE(
      std::ranges::any_of(editing->notes(), [](const Diagnostic& d) { return d.id == "platinum.make-height"; }));
  EXPECT_EQ(tables_in(editing->files()).events[3]->object_events[0].y.raw, 1 << 16);
}

TEST(DecompilationSources, ReportsScriptsWithMissingObjects) {
  MemoryTree files = sources();
  files.files["res/field/scripts/scripts_town.s"] = bytes_of_text("    HideObject LOCALID_0\n    @ LOCALID_1\n");
  auto editing = GameEditing::begin(files);
  const scene::Scene s = town();
  ASSERT_TRUE(editing->run(step_of({{"header", "TOWN"}, {"matrix", "0"}, {"at", "0,0"}}), Referrers::refuse, &s));
  const auto told = std::ranges::find(editing->notes(), "platinum.make-script", &Diagnostic::id);
  ASSERT_NE(told, editing->notes().end());
  EXPECT_EQ(told->place.file, "res/field/scripts/scripts_town.s");
  EXPECT_THAT(told->message, HasSubstr("LOCALID_0"));
}

TEST(DecompilationSources, UneditedWorldChangesNothing) {
  const MemoryTree files = sources();
  for (const char* part : {"land/3", "header/1", "matrix/0", "matrix/1", "area/1"}) {
    WorldOptions options;
    options.show = {"heights", "tiles", "events", "warps"};
    const auto staged = build_world_scene(tables_in(files), part, options);
    ASSERT_TRUE(staged) << part;
    std::map<std::string, Bytes, std::less<>> changed;
    made(files, step_of({}), staged->scene, &changed);
    EXPECT_TRUE(changed.empty()) << part << ": " << changed.begin()->first;
  }
}

TEST(DecompilationSources, ErrorsNameTheFieldAndLine) {
  struct Wrong {
    const char *path, *was, *is, *message;
  };
  for (const Wrong& w : {
           Wrong{k_events, "OBJ_EVENT_GFX_5", "OBJ_EVENT_GFX_X",
                 "res/field/events/events_town.json: object_events[0].graphics_id: expected a name from "
                 "generated/object_events_gfx.txt, found \"OBJ_EVENT_GFX_X\" in line 15"},
           Wrong{k_events, "\"script\": 1", "\"script\": 70000",
                 "bg_events[0].script: expected a whole number from 0 to 65535, found 70000 in line 4"},
           Wrong{k_events, "\"script\": 1", "\"script\": \"1\"",
                 "bg_events[0].script: expected a whole number, found \"1\" in line 4"},
           Wrong{k_events, "\"warp_events\"", "\"warps\"",
                 "expected the member \"warp_events\", found an object in line 1"},
           Wrong{k_events, "\"type\": 0,", "\"type\": 0", "line 6, column 13"},
           Wrong{k_events, "\"data\": []", "\"data\": [1, 2, 3, 4]",
                 "object_events[0].data: expected at most three numbers, found a list in line 21"},
           Wrong{"res/field/matrices/map_matrix_001.json", "MAP_003", "MAP_777",
                 "maps[0][0]: expected a name from generated/maps.txt, found \"MAP_777\" in line 6"},
           Wrong{"res/field/matrices/map_matrix_000.json", "MAP_000\", ", "MAP_000\"], [",
                 "maps[1]: expected a row of 1 cell, found a list in line"},
           Wrong{
               "res/field/area_data/area_data_001.json", "lighting_set_000", "lighting_set_9",
               "lightingSet: expected a name from res/field/lighting/lighting_sets.order, found \"lighting_set_9\" in "
               "line 4"},
           Wrong{"res/field/props/model_sets/prop_model_set_000.json", "prop_model_001_nsbmd", "prop_model_001",
                 "mapPropModels[0]: expected a name from res/field/props/models/map_prop_models.order"},
           Wrong{"res/field/lighting/lighting_set_001.json", "\"enabled\": ", "\"on\": ",
                 "[0].lights[0]: expected the member \"enabled\", found an object in line 5"},
           Wrong{k_headers, "area_data_001", "area_data_099",
                 "include/data/map_headers.h: expected a number or a name from res/field/area_data/area_data.order, "
                 "found "
                 "\"area_data_099\" in line"},
           Wrong{k_headers, ".weather", ".wheather", "expected the name of a member of MapHeader, found \"wheather\""},
           Wrong{k_headers, "sMapHeaders", "sHeaders",
                 "expected the table `sMapHeaders[] = {`, found the end of the file"},
           Wrong{k_headers, "    [MAP_HEADER_ROAD]", "#if 0\n    [MAP_HEADER_ROAD]",
                 "expected headers without preprocessor conditions, found '#' in line"},
           Wrong{k_headers, ".isFlyAllowed = FALSE", ".isFlyAllowed = 2",
                 "expected 0 to 1 for isFlyAllowed, found 2 in line"},
       }) {
    MemoryTree files = sources();
    replace_in(files, w.path, w.was, w.is);
    EXPECT_THAT(note_of(files), HasSubstr(w.message)) << w.path;
  }
}

TEST(DecompilationSources, RejectsNumbersWithoutNames) {
  scene::Scene s = town();
  s.nodes[2].extras = Value::object();
  s.nodes[2].extras.add("event", "object");
  s.nodes[2].extras.add("graphics_id", u64(999));
  const MemoryTree files = sources();
  auto editing = GameEditing::begin(files);
  const auto done = editing->run(step_of({{"header", "HOUSE"}, {"area", "new"}}), Referrers::refuse, &s);
  ASSERT_FALSE(done);
  EXPECT_EQ(format_one_line(done.error()),
            "res/field/events/events_house.json: object_events[0].graphics_id: the number 999 has no name in "
            "generated/object_events_gfx.txt");
  EXPECT_TRUE(editing->changed().empty());
}

TEST(DecompilationSources, RandomMatricesRoundTripAsText) {
  const MemoryTree files = sources();
  const GameTables t = tables_in(files);
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const u32 number = random() % 2;
    auto m = std::move(load<MapMatrix>(*t.files().of(FileRole::matrices).read(number))->document.edit());
    if (random() % 2) {
      const auto shape = [&](Rows<u16>& rows, size_t height, size_t width, u32 most) {
        rows.assign(height, std::vector<u16>(width));
        for (auto& row : rows)
          for (u16& cell : row) cell = u16(random() % most);
      };
      m.height = u8(1 + random() % 5), m.width = u8(1 + random() % 5);
      shape(m.land_data_ids, m.height, m.width, 4);
      m.map_header_ids.clear(), m.altitudes.clear();
      if (random() % 2) shape(m.map_header_ids, m.height, m.width, 4);
      if (random() % 2) shape(m.altitudes, m.height, m.width, 256);
      m.has_map_header_ids = !m.map_header_ids.empty(), m.has_altitudes = !m.altitudes.empty();
    } else {
      m.land_data_ids[random() % m.height][random() % m.width] = random() % 2 ? 1 : k_no_land;
      m.model_name_prefix = "m" + std::to_string(random() % 10);
    }
    Document<MapMatrix> d;
    d.edit() = m;
    const Bytes wanted = *save(d);
    SourceChanges changes;
    changes.members[SourceList::matrices][number] = wanted;
    Diagnostics notes;
    const auto written = t.files().sources()->build_changed_sources(changes, notes);
    ASSERT_TRUE(written);
    MemoryTree now = files;
    for (const DependentFile& f : *written) now.files[f.path] = f.bytes;
    EXPECT_EQ(built(now).at(FileRole::matrices)[number], wanted) << text_in(now, written->at(0).path);
  }
}

TEST(DecompilationSources, ErrorsInDamagedTextNameTheFile) {
  const MemoryTree files = sources();
  std::vector<std::string> texts;
  for (const auto& [path, bytes] : files.files)
    if (path.ends_with(".json") || path.ends_with(".h") || path.ends_with(".order") || path.ends_with(".txt") ||
        path.ends_with("meson.build"))
      texts.push_back(path);
  std::mt19937 random(7);
  u64 read = 0;
  for (int round = 0; round < 600; ++round) {
    MemoryTree damaged = files;
    const std::string& path = texts[random() % texts.size()];
    Bytes& bytes = damaged.files[path];
    for (u32 times = 1 + random() % 4; times; --times) {
      if (bytes.empty()) break;
      const size_t at = random() % bytes.size();
      constexpr std::string_view k_odd = "{}[]\",:#/*0-9.=()\n\\ eEtfn_A\xff";
      switch (random() % 4) {
        case 0:
          bytes[at] = u8(k_odd[random() % k_odd.size()]);
          break;
        case 1:
          bytes.insert(bytes.begin() + std::ptrdiff_t(at), u8(k_odd[random() % k_odd.size()]));
          break;
        case 2:
          bytes.erase(bytes.begin() + std::ptrdiff_t(at),
                      bytes.begin() + std::ptrdiff_t(std::min(bytes.size(), at + 1 + random() % 40)));
          break;
        default:
          bytes.resize(at);
      }
    }
    const auto tables = GameTables::load(damaged);
    if (!tables) continue;  // no game any more
    for (const Diagnostic& d : tables->notes()) {
      EXPECT_FALSE(d.place.file.empty()) << format_one_line(d);
      EXPECT_FALSE(d.message.empty() && (d.expected.empty() || d.found.empty())) << format_one_line(d);
    }
    ++read;
    // Sources that load can be written again, or are rejected with a message.
    SourceChanges changes;
    for (u32 i = 0; i < tables->files().of(FileRole::events).count(); ++i)
      if (const auto event = tables->files().of(FileRole::events).read(i))
        changes.members[SourceList::events][(i + 1) % tables->files().of(FileRole::events).count()] = *event;
    if (!tables->files().of(FileRole::events).are_sources()) continue;
    if (const auto headers = tables->files().sources()->headers()) changes.headers = *headers;
    changes.lands = 6;
    Diagnostics notes;
    const auto written = tables->files().sources()->build_changed_sources(changes, notes);
    if (!written) {
      EXPECT_FALSE(written.error().place.file.empty()) << format_one_line(written.error());
    }
  }
  EXPECT_GT(read, 400u);
}

TEST(DecompilationSources, ParsesCConstants) {
  using Constants = std::vector<std::pair<std::string_view, i64>>;
  EXPECT_EQ(parse_c_constants("#define A 1\n#define B (A + 0x10) // more\n#define F(x) x\n#define C UNKNOWN\n"
                              "enum { D, E = 7, /* e */ G, };\nenum Named {\n  H = B - 1,\n  I\n};\n"),
            (Constants{{"A", 1}, {"B", 17}, {"D", 0}, {"E", 7}, {"G", 8}, {"H", 16}, {"I", 17}}));
}

}  // namespace dio::platinum
