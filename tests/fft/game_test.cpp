// A small game in a folder and on a disc: row-to-file pairing, map descriptions, and faults one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/broken_rules.hpp"
#include "formats/contract/findings.hpp"
#include "formats/fft/game/compare.hpp"
#include "formats/fft/game/parts.hpp"
#include "samples/fft/games.hpp"
#include "samples/fft/maps.hpp"

namespace dio::fft {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// The files of the game in a folder.
MemoryTree folder(const std::string& in = "MAP/") {
  MemoryTree tree;
  for (const DiscFile& f : game_files()) tree.files[in + f.path.substr(4)] = f.bytes;
  return tree;
}
/// Files in memory with sector locations, like those of an image.
class DiscTree final : public FileTree {
 public:
  DiscTree() {
    for (const DiscFile& f : game_files()) files.files[f.path] = f.bytes, places[f.path] = *f.lba;
  }
  std::vector<std::string> list() const override { return files.list(); }
  bool has(std::string_view path) const override { return files.has(path); }
  Result<Bytes> read(std::string_view path) const override { return files.read(path); }
  std::optional<u64> place(std::string_view path) const override {
    const auto at = places.find(path);
    return at == places.end() ? std::nullopt : std::optional(at->second);
  }
  MemoryTree files;
  std::map<std::string, u64, std::less<>> places;
};

std::unique_ptr<Game> opened(const FileTree& tree) {
  auto game = game_kind().open(tree);
  EXPECT_TRUE(game);
  return game ? std::move(*game) : nullptr;
}
std::shared_ptr<const GameMap> map_of(const FileTree& tree, u32 number = 1) {
  for (const MapFiles& m : find_maps(tree))
    if (m.number == number) {
      const auto map = GameMap::open(tree, m);
      EXPECT_TRUE(map) << (map ? "" : format_one_line(map.error()));
      return map.value_or(nullptr);
    }
  return nullptr;
}
std::string lines(const Diagnostics& all) {
  std::string out;
  for (const Diagnostic& d : all) out += d.id + ' ' + format_one_line(d) + '\n';
  return out;
}
std::string pairing(const FileTree& tree) {
  Findings findings(pairing_rules());
  Reporter out(findings);
  const auto maps = find_maps(tree);
  for (const MapFiles& m : maps)
    if (const auto map = GameMap::open(tree, m)) check_pairing(**map, out);
  check_battle_bin_table(tree, maps, out);
  return lines(findings.list);
}
/// The parts of a map in a state and their files, for example `palettes MAP001.10`.
std::string supplies(const GameMap& map, std::string_view state) {
  const MergedMap m = map.merge_for_state(*parse_state(state));
  std::string out;
  for (const PartSource& s : m.supplies)
    out += part_name(s.slot) + ' ' + std::string(file_name(m.files[s.file].path)) + '\n';
  return out;
}
void write_gns(MemoryTree& tree, const std::string& path, const Gns& gns) { tree.files[path] = bytes_of(gns); }
Gns read_gns(const MemoryTree& tree, const std::string& path) {
  return load<Gns>(tree.files.at(path))->document.value();
}

// ---- names ----

TEST(FftFiles, FindsMapFilesByName) {
  for (const std::string in : {"MAP/", "map/", "", "some/where/"}) {
    const auto tree = folder(in);
    const auto maps = find_maps(tree);
    ASSERT_THAT(maps, SizeIs(2)) << in;
    EXPECT_EQ(maps[0].name, "MAP000");
    EXPECT_EQ(maps[1].gns, in + "MAP001.GNS");
    // Sorted by number, not as text: 8 comes before 10.
    EXPECT_THAT(maps[1].files, ElementsAre(in + "MAP001.8", in + "MAP001.9", in + "MAP001.10", in + "MAP001.11",
                                           in + "MAP001.12", in + "MAP001.13"));
  }
}
TEST(FftFiles, IgnoresCaseAndVersionSuffixes) {
  MemoryTree tree;
  for (const std::string name : {"map001.gns", "map001.8", "Map001.9", "MAP002.GNS;1", "MAP002.7;1", "MAP003.1",
                                 "MAPABC.1", "MAP0010.1", "MAP004.", "MAP004", "MAP005.1x", "READ.ME"})
    tree.files[name] = {};
  const auto maps = find_maps(tree);
  ASSERT_THAT(maps, SizeIs(2));  // 003 has no list
  EXPECT_THAT(maps[0].files, ElementsAre("map001.8", "Map001.9"));
  EXPECT_EQ(maps[0].name, "MAP001");
  EXPECT_THAT(maps[1].files, ElementsAre("MAP002.7;1"));
}
TEST(FftFiles, PrefersTheFolderNamedMap) {
  auto tree = folder("backup/");
  tree.files.merge(folder("MAP/").files);
  EXPECT_EQ(find_maps(tree)[0].gns, "MAP/MAP000.GNS");
  // With two folders of other names, neither is used.
  auto two = folder("a/");
  two.files.merge(folder("b/").files);
  EXPECT_THAT(find_maps(two), IsEmpty());
}

// ---- files of rows ----

TEST(FftFilePairing, PairsLooseFilesWithRowsInOrder) {
  auto tree = folder();
  const auto map = map_of(tree);
  ASSERT_TRUE(map);
  EXPECT_FALSE(map->on_disc());
  EXPECT_EQ(map->path(0), "MAP/MAP001.8");
  EXPECT_EQ(map->path(5), "MAP/MAP001.13");
  EXPECT_EQ(map->path(6), "");  // filler
  // Rows in another order refer to the same files, and two rows may refer to one file.
  Gns gns = read_gns(tree, "MAP/MAP001.GNS");
  std::swap(gns.rows[0], gns.rows[5]);
  gns.rows.insert(gns.rows.begin(), gns.rows[3]);
  gns.rows[0].state.weather = 4;
  write_gns(tree, "MAP/MAP001.GNS", gns);
  const auto other = map_of(tree);
  EXPECT_EQ(other->path(0), "MAP/MAP001.11");
  EXPECT_EQ(other->path(1), "MAP/MAP001.13");
  EXPECT_EQ(other->path(6), "MAP/MAP001.8");
  EXPECT_EQ(other->path(4), "MAP/MAP001.11");
}

TEST(FftFilePairing, RejectsDifferentFileCounts) {
  auto tree = folder();
  tree.files.erase("MAP/MAP001.9");
  const auto map = map_of(tree);
  ASSERT_TRUE(map->unpaired());
  EXPECT_EQ(map->unpaired()->id, "fft.file-count");
  EXPECT_EQ(map->unpaired()->message, "the file lists 6 files, but 5 files named MAP001.NUMBER are in the same folder");
  EXPECT_EQ(map->path(0), "");
  const auto world = opened(tree)->world("map/1", {});
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().id, "fft.file-count");
  EXPECT_EQ(world.error().severity, Severity::stop);
  EXPECT_THAT(lines(opened(tree)->check(true)), HasSubstr("fft.file-count"));
  const MapTable table = opened(tree)->maps();
  EXPECT_TRUE(table.rows[1].find("polygons")->is(Value::Kind::null));
  EXPECT_THAT(table.rows[1].find("problem")->text(), HasSubstr("the file lists 6 files"));
  EXPECT_FALSE(table.rows[0].find("problem"));
  const auto described = opened(tree)->describe("map/1", {});
  ASSERT_FALSE(described);
  EXPECT_EQ(described.error().id, "fft.file-count");
}

TEST(FftFilePairing, PairsDiscFilesBySector) {
  DiscTree disc;
  EXPECT_EQ(pairing(disc), "");
  // File names and numbers do not matter: 8 and 13 swap places.
  std::swap(disc.files.files["MAP/MAP001.8"], disc.files.files["MAP/MAP001.13"]);
  std::swap(disc.places["MAP/MAP001.8"], disc.places["MAP/MAP001.13"]);
  const auto map = map_of(disc);
  EXPECT_TRUE(map->on_disc());
  EXPECT_EQ(map->path(0), "MAP/MAP001.13");
  EXPECT_EQ(map->path(5), "MAP/MAP001.8");
  // A moved file is not paired with its row.
  disc.places["MAP/MAP001.10"] = 5000;
  EXPECT_EQ(map_of(disc)->path(2), "");
  EXPECT_THAT(map_of(disc)->unreferenced_files(), ElementsAre("MAP/MAP001.10"));
  EXPECT_EQ(pairing(disc), "fft.file-count MAP/MAP001.GNS: rows[2].lba: no file named MAP001.NUMBER starts at LBA " +
                               std::to_string(map->gns().rows[2].lba) +
                               "\nfft.file-count MAP/MAP001.10: no row of MAP/MAP001.GNS names this file\n");
  // The rest of the map is shown with a note.
  Diagnostics notes;
  const MergedMap night = map_of(disc)->merge_for_state({0, 0, true, 0}, &notes);
  EXPECT_THAT(notes, SizeIs(1));
  EXPECT_NE(night.primary, std::nullopt);
}

TEST(FftFilePairing, ChecksRowLengthsAgainstFiles) {
  auto tree = folder();
  EXPECT_EQ(pairing(tree), "");
  Gns gns = read_gns(tree, "MAP/MAP001.GNS");
  const u32 was = gns.rows[1].length;
  gns.rows[1].length += 2048;
  write_gns(tree, "MAP/MAP001.GNS", gns);
  EXPECT_THAT(pairing(tree),
              HasSubstr("fft.file-length MAP/MAP001.GNS: rows[1].length: length is " + std::to_string(was + 2048)));
  EXPECT_THAT(pairing(tree), HasSubstr("must be " + std::to_string(was)));
  gns.rows[1].length = was - 2048;
  write_gns(tree, "MAP/MAP001.GNS", gns);
  EXPECT_THAT(pairing(tree), HasSubstr("fft.sector-growth MAP/MAP001.GNS: rows[1].length"));
  gns.rows[1].length = was - 1;  // not whole sectors: shorter than the file
  write_gns(tree, "MAP/MAP001.GNS", gns);
  EXPECT_THAT(pairing(tree), HasSubstr("rows[1].length"));
}

TEST(FftFilePairing, ChecksTheGameTableAgainstTheDirectory) {
  DiscTree disc;
  Bytes battle(0x8EC74 + 126 * 4);
  const auto put = [&](u32 map, u64 lba) {
    for (int i = 0; i < 4; ++i) battle[0x8EC74 + 4 * map + size_t(i)] = u8(lba >> (8 * i));
  };
  put(0, disc.places["MAP/MAP000.GNS"]), put(1, disc.places["MAP/MAP001.GNS"]);
  disc.files.files["BATTLE.BIN"] = battle;
  disc.places["BATTLE.BIN"] = 1000;
  EXPECT_EQ(pairing(disc), "");
  put(1, 77), put(120, 5);
  disc.files.files["BATTLE.BIN"] = battle;
  EXPECT_EQ(
      pairing(disc),
      "fft.gns-table BATTLE.BIN: 0x8ec78: the table has LBA 77 for map 1, but the GNS file of this map is at LBA " +
          std::to_string(disc.places["MAP/MAP001.GNS"]) +
          "\nfft.gns-table BATTLE.BIN: 0x8ee54: the table has LBA 5 for map 120, which does not exist; the LBA must be "
          "0\n");
  disc.files.files["BATTLE.BIN"].resize(0x8EC74);
  EXPECT_THAT(pairing(disc), HasSubstr("the file ends before its map table (126 numbers"));
  auto loose = folder();  // without sectors there is nothing to compare
  loose.files["BATTLE.BIN"] = battle;
  EXPECT_EQ(pairing(loose), "");
}

TEST(FftFilePairing, RejectsListsTheGameCannotRead) {
  auto tree = folder();
  tree.files["MAP/MAP001.GNS"].resize(4097);
  const auto map = GameMap::open(tree, find_maps(tree)[1]);
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().id, "fft.gns-size");
  EXPECT_EQ(map.error().place.file, "MAP/MAP001.GNS");
  tree.files["MAP/MAP001.GNS"] = {0x22, 0};
  EXPECT_THAT(lines(opened(tree)->check(true)), HasSubstr("MAP/MAP001.GNS"));
  EXPECT_EQ(opened(tree)->maps().rows.size(), 2u);  // the other map is still listed
}

TEST(FftFilePairing, OmitsMeshFilesTooLargeForTheGame) {
  auto tree = folder();
  tree.files["MAP/MAP001.9"].resize(k_load_buffer + 1);
  Diagnostics notes;
  const MergedMap m = map_of(tree)->merge_for_state({}, &notes);
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_EQ(notes[0].id, "fft.mesh-size");
  EXPECT_EQ(notes[0].place.file, "MAP/MAP001.9");
  EXPECT_FALSE(m.primary);
  EXPECT_NE(m.pages[0], nullptr);
  EXPECT_THAT(lines(opened(tree)->check(true)), HasSubstr("fft.mesh-size"));
  // The scene of the remaining parts has a note about the missing ones.
  const auto world = opened(tree)->world("map/1", {.state = "arrangement=1"});
  ASSERT_TRUE(world) << format_one_line(world.error());
  EXPECT_THAT(lines(world->notes), HasSubstr("fft.mesh-size"));
}

TEST(FftFilePairing, RuleTextsAreComplete) { test::expect_said_in_full(pairing_rules(), "fft."); }

// ---- map parts from files ----

TEST(FftGame, UsesTheFilesOfEachState) {
  const auto tree = folder();
  const auto map = map_of(tree);
  EXPECT_THAT(supplies(*map, "default"), HasSubstr("palettes MAP001.9\n"));
  EXPECT_THAT(supplies(*map, "default"), HasSubstr("texture page 3 MAP001.8\n"));
  EXPECT_THAT(supplies(*map, "night"), HasSubstr("palettes MAP001.10\n"));
  EXPECT_THAT(supplies(*map, "night"), HasSubstr("texture page 3 MAP001.11\n"));
  EXPECT_THAT(supplies(*map, "night"), HasSubstr("terrain MAP001.9\n"));
  EXPECT_THAT(supplies(*map, "normal-rain"), HasSubstr("lights MAP001.12\n"));
  EXPECT_THAT(supplies(*map, "normal-rain"), HasSubstr("palettes MAP001.9\n"));
  EXPECT_THAT(supplies(*map, "arrangement=1"), HasSubstr("primary mesh MAP001.13\n"));
  // No file exists for this state: same as by day.
  EXPECT_EQ(supplies(*map, "night,heavy-rain"), supplies(*map, "default"));
  std::vector<std::string> names;
  for (const MapState& s : map->states()) names.push_back(map->state_name(s));
  EXPECT_THAT(names, ElementsAre("default", "normal-rain", "night", "arrangement=1"));
}

TEST(FftGame, GraphLinksMapsToTheirFiles) {
  const auto tree = folder();
  const auto game = opened(tree);
  const GameGraph& g = game->graph();
  const auto map = g.find("map/1"), mesh = g.find("mesh/0");
  ASSERT_TRUE(map && mesh);
  EXPECT_EQ(g.parts[*map].path, "MAP/MAP001.GNS");
  EXPECT_EQ(g.parts[*mesh].path, "MAP/MAP000.5");
  std::vector<std::string> used;
  for (const GameLink& l : g.links)
    if (l.from == *map) used.push_back(g.parts[l.to].name);
  EXPECT_THAT(
      used, testing::UnorderedElementsAre("MAP001.8", "MAP001.9", "MAP001.10", "MAP001.11", "MAP001.12", "MAP001.13"));
  EXPECT_TRUE(std::is_sorted(g.links.begin(), g.links.end(), [](const GameLink& a, const GameLink& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  }));
}

TEST(FftGame, TableListsEveryMap) {
  const auto tree = folder();
  const MapTable t = opened(tree)->maps();
  ASSERT_THAT(t.rows, SizeIs(2));
  for (const Value& row : t.rows)
    for (const std::string& c : t.columns) EXPECT_TRUE(row.find(c)) << c;
  const Value& valley = t.rows[1];
  EXPECT_EQ(valley.find("files")->bits(), 6u);
  EXPECT_EQ(valley.find("states")->bits(), 4u);
  EXPECT_EQ(valley.find("arrangements")->bits(), 2u);
  EXPECT_EQ(valley.find("terrain")->text(), "8 x 8");
  EXPECT_EQ(valley.find("textures")->bits(), 2u);
  EXPECT_EQ(t.rows[0].find("terrain")->text(), "17 x 16");
  const Mesh m = valley_mesh();
  u64 polygons = 0;
  const auto count = [&](const std::optional<Geometry>& g) {
    if (g)
      polygons += g->textured_triangles.size() + g->textured_quads.size() + g->untextured_triangles.size() +
                  g->untextured_quads.size();
  };
  count(m.primary);
  for (const auto& g : m.animated) count(g);
  EXPECT_EQ(valley.find("polygons")->bits(), polygons);
}

TEST(FftGame, DescribesStatesAndTheirFiles) {
  const auto tree = folder();
  const auto game = opened(tree);
  const auto all = game->describe("map/1", {});
  ASSERT_TRUE(all);
  const Value* states = all->find("states");
  ASSERT_TRUE(states);
  ASSERT_EQ(states->size(), 4u);
  EXPECT_EQ(states->at(2)->find("state")->text(), "night");
  EXPECT_TRUE(states->at(2)->find("changes")->find("lights"));
  EXPECT_TRUE(states->at(2)->find("changes")->find("palettes"));
  EXPECT_FALSE(states->at(2)->find("changes")->find("terrain"));
  EXPECT_FALSE(states->at(0)->find("changes"));
  EXPECT_TRUE(states->at(3)->find("changes")->find("primary mesh"));
  const auto night = game->describe("map/1", {.state = "night"});
  ASSERT_TRUE(night);
  EXPECT_EQ(night->find("parts")->find("palettes")->text(), "MAP001.10");
  EXPECT_EQ(night->find("parts")->find("terrain")->text(), "MAP001.9");
  EXPECT_EQ(night->find("files")->size(), 3u);
  const auto broken = game->describe("map/1", {.state = "arrangement=1"});
  ASSERT_TRUE(broken);
  bool lost = false;
  for (const auto& [name, v] : broken->find("replaced")->members())
    lost |= v.text().find("which has none") != std::string::npos;
  Mesh valley = valley_mesh();
  EXPECT_EQ(lost,
            std::count_if(valley.animated.begin(), valley.animated.end(), [](auto& g) { return g.has_value(); }) > 1);
  EXPECT_EQ(game->describe("map/1", {.state = "dusk"}).error().id, "game.state");
  EXPECT_EQ(game->describe("map/7", {}).error().id, "game.part");
  EXPECT_EQ(game->describe("river/7", {}).error().id, "game.part");
  EXPECT_TRUE(game->describe("texture/0", {})->find("used_by"));
}

TEST(FftGame, WorldsShowTheChosenState) {
  const auto tree = folder();
  const auto game = opened(tree);
  const auto world = [&](const WorldOptions& o) {
    auto staged = game->world("map/1", o);
    EXPECT_TRUE(staged) << (staged ? "" : format_one_line(staged.error()));
    if (staged) {
      EXPECT_THAT(scene::verify(staged->scene), IsEmpty());
    }
    return staged ? std::move(staged->scene) : scene::Scene();
  };
  const auto triangles = [](const scene::Scene& s) {
    size_t n = 0;
    for (const auto& m : s.meshes)
      for (const auto& p : m.primitives)
        if (p.shape == scene::Primitive::Shape::triangles) n += p.indices.size() / 3;
    return n;
  };
  const auto day = world({}), night = world({.state = "night"}), broken = world({.state = "arrangement=1"});
  EXPECT_EQ(triangles(day), triangles(night));
  EXPECT_LT(triangles(broken), triangles(day));  // without the bridge
  EXPECT_EQ(world({.state = "night,light-rain"}).nodes.size(), day.nodes.size());
  EXPECT_GT(triangles(world({.every_state = true})), triangles(day));
  EXPECT_THAT(lines(game->world("map/1", {.state = "night,light-rain"})->notes),
              HasSubstr("the map has no files for the state night,light-rain"));
  EXPECT_THAT(lines(game->world("map/1", {.state = "night"})->notes), testing::Not(HasSubstr("game.state")));
  EXPECT_EQ(game->world("map/1", {.state = "dawn"}).error().id, "game.state");
  EXPECT_EQ(game->world("mesh/0", {}).error().id, "game.part");
}

TEST(FftGame, LimitsTheStatesPerScene) {
  auto tree = folder();
  Gns gns = read_gns(tree, "MAP/MAP001.GNS");
  for (u16 i = 2; i < 80; ++i) {
    GnsRow row = gns.rows[5];
    row.state.arrangement = i;
    gns.rows.insert(gns.rows.begin() + 5, row);
  }
  write_gns(tree, "MAP/MAP001.GNS", gns);
  const auto world = opened(tree)->world("map/1", {.every_state = true});
  ASSERT_TRUE(world);
  EXPECT_THAT(lines(world->notes), HasSubstr("the scene has only 64 of them"));
}

TEST(FftGame, RequiresAMapNameForSeveralMaps) {
  const auto tree = folder();
  const auto world = opened(tree)->world("", {});
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().id, "game.part");
  EXPECT_THAT(world.error().message, HasSubstr("name one of the 2 maps"));
  MemoryTree one = folder("");
  for (const std::string name : {"MAP000.GNS", "MAP000.5"}) one.files.erase(name);
  EXPECT_TRUE(opened(one)->world("", {}));
}

// ---- differences ----

std::vector<std::string> changes(const FileTree& a, const FileTree& b) {
  std::vector<std::string> out;
  for (const GameChange& c : opened(a)->diff(*opened(b))) {
    out.push_back(c.part + ' ' + c.what + (c.count > 1 ? " (" + std::to_string(c.count) + ")" : "") +
                  (c.was.empty() && c.is.empty() ? "" : ": " + c.was + " -> " + c.is));
    for (size_t i = 0; i < c.seen_in.size(); ++i) out.back() += (i ? ", " : " in ") + c.seen_in[i];
    if (c.kind == GameChange::Kind::added) out.back() = "+ " + out.back();
    if (c.kind == GameChange::Kind::removed) out.back() = "- " + out.back();
  }
  return out;
}

TEST(FftDiff, DescribesChangesByMeaning) {
  const auto was = folder();
  auto is = folder();
  EXPECT_THAT(changes(was, is), IsEmpty());
  Mesh m = valley_mesh();
  const u8 height = std::exchange(Terrain::tile(*m.terrain, 0, 3, 2)->height, u8(9));
  m.lights->ambient = {1, 2, 3};
  m.palettes->rows[4][2].green ^= 3;
  m.primary->textured_quads[1].positions[0].y -= 12;
  m.primary->textured_quads[2].positions[0].y -= 12;
  m.primary->textured_triangles.pop_back();
  m.settle();
  is.files["MAP/MAP001.9"] = bytes_of(m);
  const auto said = changes(was, is);
  EXPECT_THAT(said, Contains("map/1 MAP001.9 terrain tile 3,2 height: " + std::to_string(height) +
                             " -> 9 in default, normal-rain, night"));
  EXPECT_THAT(said, Contains(HasSubstr("MAP001.9 lights ambient: ")));
  EXPECT_THAT(said, Contains(HasSubstr("-> 1, 2, 3 in default, arrangement=1")));  // other states have their own lights
  EXPECT_THAT(said, Contains(HasSubstr("MAP001.9 palettes rows[4][2]")));
  EXPECT_THAT(said, Contains(HasSubstr("MAP001.9 primary mesh textured_quads.positions (2)")));
  EXPECT_THAT(said, Contains(HasSubstr("MAP001.9 primary mesh textured_triangles: ")));
  EXPECT_THAT(said, SizeIs(5));
}

TEST(FftDiff, ReportsChangedRowsMapsAndCommands) {
  const auto was = folder();
  auto is = folder();
  Gns gns = read_gns(is, "MAP/MAP001.GNS");
  gns.rows[2].state.weather = 2;            // night becomes rainy night
  gns.commands[1].type = 0x89;              // it snows
  for (GnsRow& r : gns.rows) r.lba += 100;  // locations have no meaning
  write_gns(is, "MAP/MAP001.GNS", gns);
  is.files.erase("MAP/MAP000.GNS");
  EXPECT_THAT(changes(was, is), ElementsAre("- map/0 ", "- map/1 row alternate mesh for night (MAP001.10)",
                                            "+ map/1 row alternate mesh for night,light-snow (MAP001.10)",
                                            "map/1 commands[1]: rain -> snow"));
}

TEST(FftDiff, ComparesEveryPart) {
  const Mesh was = valley_mesh();
  const auto differs = [&](auto edit) {
    Mesh is = valley_mesh();
    edit(is);
    ReadFile a, b;
    a.mesh = std::make_shared<const Mesh>(was);
    b.mesh = std::make_shared<const Mesh>(is);
    std::string out;
    for (const Difference& d : compare(collect_map_parts(a), collect_map_parts(b)))
      out += part_name(d.slot) + ": " + to_string(d) + "\n";
    return out;
  };
  EXPECT_EQ(differs([](Mesh&) {}), "");
  EXPECT_EQ(differs([](Mesh& m) { m.primary->textured_quads[3].uvs[1].u ^= 1; }),
            "primary mesh: textured_quads[3].uvs\n");
  EXPECT_EQ(differs([](Mesh& m) { m.primary->textured_quads[3].tile.x ^= 1; }),
            "primary mesh: textured_quads[3].tile\n");
  EXPECT_EQ(differs([](Mesh& m) { m.primary->textured_quads[3].render.lit ^= 1; }),
            "primary mesh: textured_quads[3].render\n");
  EXPECT_EQ(differs([](Mesh& m) { m.primary->textured_quads[3].blend ^= 1; }),
            "primary mesh: textured_quads[3].page\n");
  EXPECT_EQ(differs([](Mesh& m) { m.primary->textured_quads[3].normals[2].y.raw ^= 1; }),
            "primary mesh: textured_quads[3].normals\n");
  EXPECT_EQ(differs([](Mesh& m) { m.primary->textured_quads[3].palette ^= 1; }),
            "primary mesh: textured_quads[3].palette\n");
  EXPECT_EQ(differs([](Mesh& m) { m.gray_palettes.reset(); }), "gray palettes: present -> missing\n");
  EXPECT_EQ(differs([](Mesh& m) { m.palette_frames->rows[1][1].blue ^= 1, m.palette_frames->rows[1][2].blue ^= 1; }),
            "palette frames: rows[1] (2)\n");
  EXPECT_EQ(differs([](Mesh& m) { m.texture_animations->rows[31].timer ^= 1; }), "texture animations: rows[31]\n");
  EXPECT_THAT(differs([](Mesh& m) { m.texture_animations->rows[0].duration = 99; }), HasSubstr("rows[0].duration"));
  EXPECT_THAT(differs([](Mesh& m) { m.mesh_animations->records[0].keyframes[0].pad ^= 1; }),
              HasSubstr("mesh animations: records[0].keyframes[0]"));
  EXPECT_THAT(differs([](Mesh& m) { m.animated[0]->textured_quads.clear(); }), HasSubstr("animated mesh 1"));
  EXPECT_EQ(differs([](Mesh& m) {
              for (auto& level : m.terrain->levels)
                for (auto& t : level) t.shading = u8((t.shading + 1) % 4);
            }).substr(0, 36),
            "terrain: shading of tiles (64)\nterra");
}

}  // namespace
}  // namespace dio::fft
