// A small complete game with one fault planted at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "containers/nitro_fs/narc.hpp"
#include "engine/expect_by_rule.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/platinum/game/file_roles.hpp"
#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "operations/operations.hpp"
#include "platinum/corpus.hpp"
#include "platinum/damaged_game.hpp"
#include "samples/nitro/parts.hpp"
#include "samples/platinum/games.hpp"
#include "samples/samples.hpp"

namespace dio::platinum {
namespace {

using testing::Contains;
using testing::HasSubstr;

struct OpenedGame {
  MemoryTree files;
  std::unique_ptr<Game> game;
};
std::unique_ptr<OpenedGame> opened(const GameSample& g) {
  auto out = std::make_unique<OpenedGame>();
  out->files = g.files();
  auto game = dio::open_game(out->files);
  EXPECT_TRUE(game) << (game ? "" : format_one_line(game.error()));
  if (game) out->game = std::move(game->game);
  return out;
}
Diagnostics check(const GameSample& g) {
  const Diagnostics all = opened(g)->game->check(true);
  for (const Diagnostic& d : all) test::expect_by_rule(d);
  return all;
}
std::string lines(const Diagnostics& all) {
  std::string out;
  for (const Diagnostic& d : all)
    out += std::string(to_string(d.severity)) + ' ' + d.id + ' ' + format_one_line(d) + '\n';
  return out;
}

TEST(PlatinumGame, HeartGoldRoomsUseTheirOwnProps) {
  const GameSample g = game_sample();
  auto rooms = g.props;
  rooms[4] = g.props[1];  // a tree in the house, for the table
  const MemoryTree files = as_heart_gold(g, rooms);
  const auto t = GameTables::load(files);
  ASSERT_TRUE(t);
  EXPECT_EQ(t->files().edition(), Edition::heart_gold_soul_silver);
  EXPECT_EQ(t->prop_role_of_set(0), FileRole::props);
  EXPECT_EQ(t->prop_role_of_set(1), FileRole::room_props);
  const auto name_of = [](const auto& model) { return model ? model->models[0].name : std::string(); };
  EXPECT_EQ(name_of(t->prop(4)), "table");
  EXPECT_EQ(name_of(t->prop(4, FileRole::room_props)), "tree");
  const auto house = build_world_scene(*t, "land/3", {});
  ASSERT_TRUE(house) << format_one_line(house.error());
  const auto shows = [&](std::string_view name) {
    return std::ranges::any_of(house->scene.nodes, [&](const auto& n) { return n.name == name; });
  };
  EXPECT_TRUE(shows("tree"));
  EXPECT_FALSE(shows("table"));
  const GameGraph graph = build_game_graph(*t);
  const auto linked = [&](std::string_view from, std::string_view to) {
    const auto a = graph.find(from), b = graph.find(to);
    return a && b && std::ranges::find(graph.links, GameLink{*a, *b}) != graph.links.end();
  };
  EXPECT_TRUE(linked("prop-set/1", "room-prop/4"));
  EXPECT_FALSE(linked("prop-set/1", "prop/4"));
  EXPECT_TRUE(linked("land/3", "room-prop/4"));
  EXPECT_TRUE(linked("land/0", "prop/2"));
}

TEST(PlatinumGame, PairsTexturesLikeTheModels) {
  GameSample g = game_sample();
  const auto o = opened(g);
  const auto pairs = o->game->pairs("texture-set/0");
  EXPECT_THAT(pairs, Contains(TexturePair{"grass", "grass_pl"}));
  EXPECT_THAT(o->game->pairs("prop-textures/0"), Contains(TexturePair{"wood", "wood_pl"}));
  EXPECT_TRUE(o->game->pairs("land/0").empty());
}

TEST(PlatinumGame, SampleGameHasNoFindings) { EXPECT_EQ(lines(check(game_sample())), ""); }

TEST(PlatinumGame, LoadsTheTablesOfTheSampleGame) {
  const auto files = game_sample().files();
  const auto t = GameTables::load(files);
  ASSERT_TRUE(t);
  EXPECT_EQ(lines(t->notes()), "");
  ASSERT_EQ(t->headers.size(), 4u);
  EXPECT_EQ(t->headers_offset, 0x400u);
  EXPECT_EQ(t->header_name(3), "HOUSE");
  EXPECT_EQ(t->headers[3].matrix, 1u);
  ASSERT_EQ(t->matrices.size(), 2u);
  EXPECT_EQ(t->matrices[0]->width, 30u);
  EXPECT_EQ(t->matrices[0]->lands[30], 2u);
  EXPECT_EQ(t->motions[2]->animations, (std::vector<u32>{0, 1}));
  EXPECT_TRUE(t->motions[3]->deferred_load);
  EXPECT_FALSE(t->prop(7));
  std::vector<std::tuple<u32, u32, u32>> uses;
  for (const Use& u : t->list_land_uses()) uses.emplace_back(u.land, u.area, u.matrix);
  EXPECT_EQ(uses, (std::vector<std::tuple<u32, u32, u32>>{{0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {3, 2, 1}}));
}

// ---- every rule finds its fault, and nothing else is found ----

class EveryGameRule : public testing::TestWithParam<Fault> {};
INSTANTIATE_TEST_SUITE_P(Planted, EveryGameRule, testing::ValuesIn(k_faults));

TEST_P(EveryGameRule, ReportsOnlyThePlantedFault) {
  const Fault& fault = GetParam();
  if (!fault.plant) return;  // MisplacedPalette
  GameSample g = game_sample();
  fault.plant(g);
  const Diagnostics all = check(g);
  bool found = false;
  for (const Diagnostic& d : all) {
    const bool is_it =
        d.id == fault.id && d.severity == fault.severity && d.place.file.find(fault.file) != std::string::npos &&
        d.place.path.find(fault.path) != std::string::npos && d.message.find(fault.found) != std::string::npos;
    found |= is_it;
    if (d.id != fault.id) {
      EXPECT_THAT(fault.also, Contains(std::string_view(d.id))) << format_one_line(d);
    }
  }
  EXPECT_TRUE(found) << lines(all);
}

TEST(PlatinumGame, EveryRuleHasAPlantedFault) {
  for (const Rule& r : game_rules()) {
    EXPECT_TRUE(std::any_of(std::begin(k_faults), std::end(k_faults), [&](const Fault& f) { return f.id == r.id; }))
        << r.id;
    EXPECT_FALSE(r.why.empty() || r.sentence.empty() || r.source.empty()) << r.id;
  }
}

TEST(PlatinumGame, ReportsMisalignedPalettes) {
  MemoryTree files = with_misplaced_palette();
  auto game = dio::open_game(files);
  ASSERT_TRUE(game);
  std::vector<std::string> ids;
  for (const Diagnostic& d : game->game->check(true)) ids.push_back(d.id);
  EXPECT_THAT(ids, Contains("platinum.palette-alignment"));
}

TEST(PlatinumGame, CartridgeContainsAllSampleFiles) {
  const GameSample g = game_sample();
  const NdsRom rom = g.cartridge();
  EXPECT_EQ(rom.files.size() + 1, g.files().files.size());
}

TEST(PlatinumGame, UnpackedArchiveLoadsAsTheSameGame) {
  MemoryTree files = game_sample().files();
  const auto tables = GameTables::load(files);
  ASSERT_TRUE(tables);
  const Members& lands = tables->files().of(FileRole::lands);
  MemoryTree loose = files;
  for (u32 i = 0; i < lands.count(); ++i)
    loose.files["fielddata/land_data/land_data/000" + std::to_string(i) + ".bin"] = *lands.read(i);
  loose.files.erase("fielddata/land_data/land_data.narc");
  const auto again = GameTables::load(loose);
  ASSERT_TRUE(again);
  ASSERT_EQ(again->files().of(FileRole::lands).count(), lands.count());
  for (u32 i = 0; i < lands.count(); ++i) EXPECT_EQ(*again->files().of(FileRole::lands).read(i), *lands.read(i));
  EXPECT_EQ(again->files().of(FileRole::lands).path(2), "fielddata/land_data/land_data/0002.bin");
}

TEST(PlatinumGame, OrderFilesDefineMemberNumbers) {
  MemoryTree files;
  const auto put = [&](const char* path, std::string_view text) {
    files.files[path] = Bytes(text.begin(), text.end());
  };
  put("res/field/maps/data/map_data.order", "b.bin\r\na\n");
  put("res/field/maps/data/a.bin", "A");
  put("res/field/maps/data/b.bin", "B");
  put("res/field/maps/data/meson.build", "no map");
  const auto found = GameFiles::find(files);
  ASSERT_TRUE(found);
  const Members& lands = found->of(FileRole::lands);
  ASSERT_EQ(lands.count(), 2u);
  EXPECT_EQ(lands.path(0), "res/field/maps/data/b.bin");
  EXPECT_EQ(*lands.read(1), Bytes{'A'});
  EXPECT_FALSE(lands.read(2));
  EXPECT_EQ(lands.find_number_by_path("res/field/maps/data/a.bin"), 1u);
}

TEST(PlatinumGame, RejectsFoldersWithoutAGame) {
  MemoryTree none;
  const auto game = dio::open_game(none);
  ASSERT_FALSE(game);
  EXPECT_EQ(game.error().id, "game.unknown");
  none.files["readme.txt"] = {};
  EXPECT_FALSE(dio::open_game(none));
}

TEST(PlatinumGame, ReportsDamagedFilesByPath) {
  MemoryTree files = game_sample().files();
  Bytes& narc = files.files["fielddata/mapmatrix/map_matrix.narc"];
  narc.resize(narc.size() / 2);
  auto game = dio::open_game(files);
  ASSERT_TRUE(game);
  const Diagnostics all = game->game->check(true);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].place.file, "fielddata/mapmatrix/map_matrix.narc");
  EXPECT_EQ(all[0].severity, Severity::error);
}

TEST(PlatinumGame, ReportsMissingFilesByPath) {
  const MemoryTree whole = game_sample().files();
  for (const auto& [path, bytes] : whole.files) {
    if (path == "fielddata/land_data/land_data.narc") continue;  // the game is known by it
    MemoryTree files = whole;
    files.files.erase(path);
    auto game = dio::open_game(files);
    ASSERT_TRUE(game) << path;
    const Diagnostics all = game->game->check(true);
    if (path.ends_with("move_model_list.narc") || path.ends_with("zone_event.narc")) {
      EXPECT_EQ(lines(all), "") << "maps are shown without";
      continue;
    }
    if (path.ends_with("mapname.bin")) continue;  // it says how long the table of headers is
    ASSERT_FALSE(all.empty()) << path;
    EXPECT_EQ(all[0].id, "file.missing");
    EXPECT_EQ(all[0].severity, Severity::error);
    if (!path.ends_with("arm9.bin")) {
      EXPECT_EQ(all[0].place.file, path);
    }
    for (const Diagnostic& d : all) EXPECT_NE(d.id, "platinum.texture-unused") << path << ' ' << format_one_line(d);
  }
}

TEST(PlatinumGame, HugeMatrixIsCheckedQuickly) {
  GameSample g = game_sample();
  MapMatrix& m = g.matrices[0];
  m.width = m.height = 255;
  m.map_header_ids.assign(255, std::vector<u16>(255, 1));
  m.altitudes.assign(255, std::vector<u16>(255, 0));
  m.land_data_ids.assign(255, std::vector<u16>(255, 1));
  for (size_t z = 0; z < 255; ++z)
    for (size_t x = z % 2; x < 255; x += 2) m.map_header_ids[z][x] = 3;  // a border at every edge
  size_t borders = 0;
  for (const Diagnostic& d : check(g)) borders += d.id == "platinum.area-border";
  EXPECT_EQ(borders, 0u) << "the game cannot load it: nobody walks there";
}

TEST(PlatinumGame, SurvivesEveryTruncation) {
  const MemoryTree whole = game_sample().files();
  for (const auto& [path, bytes] : whole.files)
    for (size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 23) {
      MemoryTree files = whole;
      files.files[path].resize(size);
      auto game = dio::open_game(files);
      ASSERT_TRUE(game) << path;
      (void)game->game->check(true);
      (void)game->game->graph();
      (void)game->game->maps();
    }
}

// ---- who points to whom ----

TEST(PlatinumGame, GraphLinksPartsInBothDirections) {
  const auto o = opened(game_sample());
  const GameGraph& g = o->game->graph();
  const auto links = [&](std::string_view part, bool forward) {
    std::vector<std::string> out;
    const auto at = g.find(part);
    EXPECT_TRUE(at) << part;
    for (const GameLink& l : g.links)
      if ((forward ? l.from : l.to) == at) out.push_back(g.parts[forward ? l.to : l.from].id());
    return out;
  };
  using testing::ElementsAre;
  EXPECT_THAT(links("header/3", true), ElementsAre("matrix/1", "area/2", "events/3", "objects/0"));
  EXPECT_THAT(links("header/3", false), ElementsAre("events/1"));
  EXPECT_THAT(links("area/1", true), ElementsAre("prop-set/0", "prop-textures/0", "texture-set/0", "light/0"));
  EXPECT_THAT(links("prop/1", false), ElementsAre("land/0", "land/1", "prop-set/0"));
  EXPECT_THAT(links("prop/2", true), ElementsAre("animation/0", "animation/1"));
  EXPECT_THAT(links("texture-set/0", true), ElementsAre("texture-motion/0"));
  EXPECT_EQ(g.parts[*g.find("prop/2")].name, "mill");
  EXPECT_EQ(g.parts[*g.find("land/1")].path, "fielddata/land_data/land_data.narc/1");
  EXPECT_FALSE(g.find("land/4"));
  EXPECT_THAT(unknown_part(g, "land/4").hint, HasSubstr("land/0 to land/3"));
}

TEST(PlatinumGame, ListsMapsWithAllColumns) {
  const auto o = opened(game_sample());
  const MapTable maps = o->game->maps();
  ASSERT_EQ(maps.rows.size(), 4u);
  const Value& road = maps.rows[2];
  EXPECT_EQ(road.find("name")->text(), "ROAD");
  EXPECT_EQ(road.find("width")->bits(), 1u);
  EXPECT_EQ(road.find("lands")->at(0)->bits(), 1u);
  for (const Value& row : maps.rows)
    for (const std::string& column : maps.columns) EXPECT_TRUE(row.find(column)) << column;
}

// ---- what differs ----

std::vector<std::string> changes(const GameSample& a, const GameSample& b) {
  const auto x = opened(a), y = opened(b);
  std::vector<std::string> out;
  for (const GameChange& c : x->game->diff(*y->game)) {
    std::string line = (c.kind == GameChange::Kind::added     ? "+ "
                        : c.kind == GameChange::Kind::removed ? "- "
                                                              : "~ ") +
                       c.part + ' ' + c.what + ": " + c.was + " -> " + c.is;
    if (c.count > 1) line += " x" + std::to_string(c.count);
    for (const std::string& m : c.seen_in) line += " [" + m + ']';
    out.push_back(std::move(line));
  }
  return out;
}

TEST(PlatinumGame, DiffOfAGameWithItselfIsEmpty) { EXPECT_TRUE(changes(game_sample(), game_sample()).empty()); }

TEST(PlatinumGame, DiffListsChangesWithTheirLocation) {
  const GameSample a = game_sample();
  GameSample b = a;
  b.lands[1].attributes[5][4] = 0x8000;
  b.lands[1].attributes[6][7] = 0x8000;
  b.lands[1].props.push_back(b.lands[1].props[0]);
  b.lands[1].props[1].position.x.raw += 16 * 4096;
  b.headers[3].area_data_archive_id = 1;
  b.matrices[0].land_data_ids[1][2] = 2;
  texture(b.map_textures[1], "floor").texels[0] ^= 1;
  b.events[1].warp_events[0].dest_warp_id = 0x100;
  b.texture_motions.textures[0].frames[0].wait = 9;
  const auto found = changes(a, b);
  EXPECT_THAT(found, Contains("~ header/3 area: 2 -> 1 [header/3 HOUSE]"));
  EXPECT_THAT(found, Contains(HasSubstr("~ matrix/0 lands[1][2]: 65535 -> 2")));
  EXPECT_THAT(found, Contains("~ land/1 tiles 4, 5 to 7, 6: none -> none, blocked x2 [header/2 ROAD]"));
  EXPECT_THAT(found, Contains("+ land/1 props[1]:  -> prop/1 at -84.0, 0.0, 0.0 [header/2 ROAD]"));
  EXPECT_THAT(found, Contains(HasSubstr("~ texture-set/1 texture floor")));
  EXPECT_THAT(found,
              Contains(HasSubstr("~ events/1 warp_events[0]: at 7, 9 to warp 0 of header/3 -> at 7, 9 to warp 256")));
}

TEST(PlatinumGame, DiffReportsHeightChanges) {
  const GameSample a = game_sample();
  GameSample b = a;
  auto plate = find_plate_shape(b.lands[3].bdhc, 0);
  plate->constant = *raise_plane_constant(*plate, 8);
  ASSERT_TRUE(replace_plate(b.lands[3].bdhc, 0, *plate));
  EXPECT_THAT(changes(a, b), testing::ElementsAre("~ land/3 heights:  -> by up to 8.0 units x64 [header/3 HOUSE]"));
}

// ---- what is known ----

TEST(PlatinumGame, OddityHashDependsOnEveryField) {
  Diagnostic d;
  d.id = "platinum.map-texture";
  d.place.path = "model.models[0]";
  d.message = "something";
  const u64 h = oddity_hash("fnv1a64:0", d);
  EXPECT_NE(h, oddity_hash("fnv1a64:1", d));
  Diagnostic other = d;
  other.id = "platinum.prop-texture";
  EXPECT_NE(h, oddity_hash("fnv1a64:0", other));
  other = d;
  other.place.path += 'x';
  EXPECT_NE(h, oddity_hash("fnv1a64:0", other));
  other = d;
  other.message += '!';
  EXPECT_NE(h, oddity_hash("fnv1a64:0", other));
  EXPECT_FALSE(is_known_oddity("fnv1a64:0", d));
}

TEST(PlatinumGame, OmitsKnownFaultsFromFileFindings) {
  const Format* kmp = find_format("kmp");
  for (const Sample& s : samples_of(*kmp)) {
    if (s.name != "few_sections.kmp") continue;
    auto o = open(s.bytes, s.name);
    ASSERT_TRUE(o);
    static const std::string digest = digest_of(s.bytes);
    Format shipped = *kmp;
    shipped.is_known = [](std::string_view of, const Diagnostic& d) { return of == digest && d.id == "kmp.came-goal"; };
    o->format = &shipped;
    const Diagnostics all = check(*o), rest = check(*o, false);
    EXPECT_EQ(std::ranges::count(all, "kmp.came-goal", &Diagnostic::id), 1);
    EXPECT_EQ(std::ranges::count(rest, "kmp.came-goal", &Diagnostic::id), 0);
    EXPECT_EQ(rest.size() + 1, all.size());
    const auto shipped_file = o->file;  // where the document lies
    Bytes other = s.bytes;
    other.push_back(0);
    o->file = std::make_shared<OwnedByteSource>(std::move(other));  // no longer the file that was shipped
    EXPECT_EQ(check(*o, false).size(), check(*o).size());
    return;
  }
  ADD_FAILURE() << "no such sample";
}

// ---- the cartridge, where somebody has it ----

TEST(PlatinumGame, RealCartridgeHasOnlyKnownFindings) {
  MemoryTree files;
  const std::filesystem::path root = test::real_path("");
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root, error))
    if (entry.is_regular_file()) {
      const std::string path = entry.path().lexically_relative(root).generic_string();
      files.files[path] = test::real_file(path);
    }
  if (files.files.empty()) GTEST_SKIP() << "no game files";
  const auto tables = GameTables::load(files);
  ASSERT_TRUE(tables);
  EXPECT_EQ(tables->headers.size(), 593u);
  EXPECT_EQ(tables->list_land_uses().size(), 641u);

  const auto game = dio::open_game(files);
  ASSERT_TRUE(game);
  EXPECT_EQ(lines(game->game->check(false)), "");
  std::map<std::pair<std::string, Severity>, u32> counts;
  for (const Diagnostic& d : game->game->check(true)) ++counts[{d.id, d.severity}];
  constexpr Severity warning = Severity::warning, hint = Severity::hint;
  EXPECT_EQ((counts[{"platinum.map-texture", warning}]), 18u);
  EXPECT_EQ((counts[{"platinum.map-texture", hint}]), 5u);
  EXPECT_EQ((counts[{"platinum.prop-texture", warning}]), 0u);
  EXPECT_EQ((counts[{"platinum.prop-not-in-set", warning}]), 5u);
  EXPECT_EQ((counts[{"platinum.header-objects", hint}]), 10u);
  EXPECT_EQ((counts[{"platinum.draw-cover", hint}]), 3u);
  EXPECT_EQ((counts[{"platinum.draw-nodes", hint}]), 4u);
  EXPECT_EQ((counts[{"platinum.motion-size", Severity::error}]), 2u);
  const auto draws = game->game->make("matshp");
  ASSERT_TRUE(draws);
  EXPECT_EQ(*draws, test::real_file("res/prebuilt/fielddata/build_model/build_model_matshp.dat"));
}

}  // namespace
}  // namespace dio::platinum
