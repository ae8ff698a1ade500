// A whole small game, and one fault after another put into it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "containers/nitro_fs/narc.hpp"
#include "engine/expect_by_rule.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/game/roles.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "operations/operations.hpp"
#include "platinum/corpus.hpp"
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
  EXPECT_TRUE(game) << (game ? "" : to_line(game.error()));
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
  for (const Diagnostic& d : all) out += std::string(to_string(d.severity)) + ' ' + d.id + ' ' + to_line(d) + '\n';
  return out;
}

TEST(PlatinumGame, RoomsOfHeartGoldHavePropsOfTheirOwn) {
  const GameSample g = game_sample();
  auto rooms = g.props;
  rooms[4] = g.props[1];  // a tree in the house, for the table
  const MemoryTree files = as_heart_gold(g, rooms);
  const auto t = GameTables::load(files);
  ASSERT_TRUE(t);
  EXPECT_EQ(t->files().edition(), Edition::heart_gold_soul_silver);
  EXPECT_EQ(t->props_of_set(0), FileRole::props);
  EXPECT_EQ(t->props_of_set(1), FileRole::room_props);
  const auto name_of = [](const auto& model) { return model ? model->models[0].name : std::string(); };
  EXPECT_EQ(name_of(t->prop(4)), "table");
  EXPECT_EQ(name_of(t->prop(4, FileRole::room_props)), "tree");
  const auto house = world_of(*t, "land/3", {});
  ASSERT_TRUE(house) << to_line(house.error());
  const auto shows = [&](std::string_view name) {
    return std::ranges::any_of(house->scene.nodes, [&](const auto& n) { return n.name == name; });
  };
  EXPECT_TRUE(shows("tree"));
  EXPECT_FALSE(shows("table"));
  const GameGraph graph = graph_of(*t);
  const auto linked = [&](std::string_view from, std::string_view to) {
    const auto a = graph.find(from), b = graph.find(to);
    return a && b && std::ranges::find(graph.links, GameLink{*a, *b}) != graph.links.end();
  };
  EXPECT_TRUE(linked("prop-set/1", "room-prop/4"));
  EXPECT_FALSE(linked("prop-set/1", "prop/4"));
  EXPECT_TRUE(linked("land/3", "room-prop/4"));
  EXPECT_TRUE(linked("land/0", "prop/2"));
}

TEST(PlatinumGame, TexturesAreShownAsModelsPairThem) {
  GameSample g = game_sample();
  const auto o = opened(g);
  const auto pairs = o->game->pairs("texture-set/0");
  EXPECT_THAT(pairs, Contains(TexturePair{"grass", "grass_pl"}));
  EXPECT_THAT(o->game->pairs("prop-textures/0"), Contains(TexturePair{"wood", "wood_pl"}));
  EXPECT_TRUE(o->game->pairs("land/0").empty());
}

TEST(PlatinumGame, SampleHasNoFault) { EXPECT_EQ(lines(check(game_sample())), ""); }

TEST(PlatinumGame, SampleIsWhatItSays) {
  const auto files = game_sample().files();
  const auto t = GameTables::load(files);
  ASSERT_TRUE(t);
  EXPECT_EQ(lines(t->notes()), "");
  ASSERT_EQ(t->headers.size(), 4u);
  EXPECT_EQ(t->headers_offset, 0x400u);
  EXPECT_EQ(t->name_of_header(3), "HOUSE");
  EXPECT_EQ(t->headers[3].matrix, 1u);
  ASSERT_EQ(t->matrices.size(), 2u);
  EXPECT_EQ(t->matrices[0]->width, 30u);
  EXPECT_EQ(t->matrices[0]->lands[30], 2u);
  EXPECT_EQ(t->motions[2]->animations, (std::vector<u32>{0, 1}));
  EXPECT_TRUE(t->motions[3]->deferred_load);
  EXPECT_FALSE(t->prop(7));
  std::vector<std::tuple<u32, u32, u32>> uses;
  for (const Use& u : t->uses()) uses.emplace_back(u.land, u.area, u.matrix);
  EXPECT_EQ(uses, (std::vector<std::tuple<u32, u32, u32>>{{0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {3, 2, 1}}));
}

// ---- every rule finds its fault, and nothing else is found ----

struct Fault {
  std::string_view id;
  Severity severity;
  std::string_view file, path, found;  // parts of them
  void (*plant)(GameSample&);
  std::vector<std::string_view> also = {};  // rules that the same fault breaks
};

void PrintTo(const Fault& f, std::ostream* out) { *out << f.id; }

nitro::Texture& texture(nitro::Nsbtx& file, std::string_view name) {
  for (auto& t : file.textures.textures)
    if (t.name == name) return t;
  return file.textures.textures.front();
}
/// A texture of that many bytes.
nitro::Texture huge(u8 format, u8 width_code, u8 height_code) {
  nitro::Texture t{};
  t.name = "huge";
  t.format = format, t.width_code = width_code, t.height_code = height_code;
  t.texels.resize(size_t(t.texel_size()));
  if (format == nitro::k_block4x4) t.blocks.resize(size_t(t.texel_size() / 2));
  return t;
}

const Fault k_faults[] = {
    {"platinum.counts", Severity::error, "bm_anime_list.narc", "", "4 entries; there must be 5",
     [](GameSample& g) { g.anime_lists.pop_back(); }},
    {"platinum.header-range",
     Severity::error,
     "arm9.bin",
     "headers[2].area_data_archive_id",
     "9",
     [](GameSample& g) { g.headers[2].area_data_archive_id = 9; },
     {"platinum.texture-unused", "platinum.area-border"}},
    {"platinum.header-range", Severity::error, "arm9.bin", "headers[3].events_archive_id", "4",
     [](GameSample& g) { g.headers[3].events_archive_id = 4; }},
    {"platinum.header-objects", Severity::error, "arm9.bin", "headers[1].preloaded", "1",
     [](GameSample& g) { g.headers[1].preloaded_map_objects_archive_id = 1; }},
    {"platinum.header-objects", Severity::hint, "arm9.bin", "headers[4].preloaded", "7",
     [](GameSample& g) {
       g.headers.push_back(g.headers[3]), g.names.push_back("UNUSED");
       g.headers[4].preloaded_map_objects_archive_id = 7;
     }},
    {"platinum.header-cell", Severity::warning, "arm9.bin", "headers[4].map_matrix_id", "no cell",
     [](GameSample& g) {
       g.headers.push_back(g.headers[2]), g.names.push_back("NOWHERE");
       g.headers[4].events_archive_id = 0;
     }},
    {"platinum.matrix-main", Severity::error, "map_matrix.narc/0", "width", "29 cells",
     [](GameSample& g) {
       MapMatrix& m = g.matrices[0];
       m.width = 29;
       for (auto* rows : {&m.map_header_ids, &m.altitudes, &m.land_data_ids})
         for (auto& row : *rows) row.pop_back();
     }},
    {"platinum.matrix-range", Severity::error, "map_matrix.narc/0", "land_data_ids[1][5]", "4",
     [](GameSample& g) { g.matrices[0].land_data_ids[1][5] = 4; }},
    {"platinum.matrix-range", Severity::error, "map_matrix.narc/0", "map_header_ids[1][5]", "77",
     [](GameSample& g) { g.matrices[0].map_header_ids[1][5] = 77; }},
    {"platinum.matrix-foreign", Severity::warning, "map_matrix.narc/0", "map_header_ids[1][5]", "header 3 (HOUSE)",
     [](GameSample& g) { g.matrices[0].map_header_ids[1][5] = 3; }},
    {"platinum.matrix-low-byte",
     Severity::hint,
     "map_matrix.narc/256",
     "",
     "matrix number 256",
     [](GameSample& g) {
       // matrix 2 is the Underground: it has rules of its own
       while (g.matrices.size() < 257) g.matrices.push_back(g.matrices[1]);
     },
     {"platinum.matrix-underground"}},
    {"platinum.matrix-underground", Severity::error, "map_matrix.narc/2", "land_data_ids",
     "1 cell and 1 different land", [](GameSample& g) { g.matrices.push_back(g.matrices[1]); }},
    {"platinum.matrix-altitude", Severity::warning, "map_matrix.narc/0", "altitudes[0][1]", "raised by 24 units",
     [](GameSample& g) { g.matrices[0].altitudes[0][1] = 3; }},
    {"platinum.area-border", Severity::warning, "map_matrix.narc/0", "map_header_ids[0][0]",
     "area 1 (land 0) to area 3",
     [](GameSample& g) {
       g.areas.push_back(g.areas[1]);
       g.headers[2].area_data_archive_id = 3;
     }},
    {"platinum.ground-missing",
     Severity::warning,
     "land_data.narc/3",
     "bdhc.plates",
     "6 tiles",
     [](GameSample& g) {
       auto plate = shape_of(g.lands[3].bdhc, 0);
       plate->high.z = {(6 * k_tile_units - k_half_map) * 4096};  // the last row of the room is not on it
       plate->high.z.raw -= 4096 * k_tile_units;
       ASSERT_TRUE(replace_plate(g.lands[3].bdhc, 0, *plate));
       g.events[3].warp_events[0].z = 3;
     },
     {"platinum.warp-tile"}},
    {"platinum.land-seam", Severity::warning, "map_matrix.narc/0", "land_data_ids[0][0]", "up to 40 units high",
     [](GameSample& g) {
       Bdhc& b = g.lands[0].bdhc;
       auto plate = shape_of(b, 0);
       const auto higher = raised(*plate, 40);
       ASSERT_TRUE(higher);
       plate->constant = *higher;
       ASSERT_TRUE(replace_plate(b, 0, *plate));
     }},
    {"platinum.prop-range",
     Severity::error,
     "land_data.narc/1",
     "props[0].model_id",
     "9",
     [](GameSample& g) { g.lands[1].props[0].model_id = 9; },
     {"platinum.prop-not-in-set"}},
    {"platinum.prop-not-in-set", Severity::warning, "land_data.narc/1", "props[0].model_id",
     "model 4 is not in prop set 0", [](GameSample& g) { g.lands[1].props[0].model_id = 4; }},
    {"platinum.area-range", Severity::error, "area_data.narc/2", "area_light_archive_id", "5",
     [](GameSample& g) { g.areas[2].area_light_archive_id = 5; }},
    {"platinum.set-range", Severity::error, "area_build.narc/1", "map_prop_model_ids[1]", "5",
     [](GameSample& g) { g.prop_sets[1].map_prop_model_ids.push_back(5); }},
    {"platinum.prop-texture",
     Severity::warning,
     "area_build.narc/0",
     "map_prop_model_ids[0]",
     "leaves, which prop 1 uses",
     [](GameSample& g) { texture(g.prop_textures[0], "leaves").name = "leafs"; },
     {"platinum.texture-unused"}},
    {"platinum.map-texture",
     Severity::warning,
     "land_data.narc/0",
     "model.models[0]",
     "texture set 0 lacks path",
     [](GameSample& g) { texture(g.map_textures[0], "path").name = "pat"; },
     {"platinum.texture-unused"}},
    {"platinum.map-texture", Severity::hint, "land_data.narc/2", "model.models[0]", "texture set 1 lacks",
     [](GameSample& g) {
       g.areas[0] = g.areas[2];  // the fillers' own area
       g.areas.push_back(g.areas[0]);
       g.headers[0].area_data_archive_id = 3;
       g.lands[2].model = g.lands[0].model;
     }},
    {"platinum.texture-memory",
     Severity::error,
     "area_data.narc/2",
     "",
     "the textures of the area take",
     [](GameSample& g) { g.prop_textures[1].textures.textures.push_back(huge(7, 6, 5)); },
     {"platinum.texture-unused"}},
    {"platinum.texture-memory",
     Severity::error,
     "area_data.narc/2",
     "",
     "the textures of 4x4 blocks of the area take",
     [](GameSample& g) { g.prop_textures[1].textures.textures.push_back(huge(5, 7, 7)); },
     {"platinum.texture-unused"}},
    {"platinum.prop-memory",
     Severity::warning,
     "area_build.narc/1",
     "",
     "the models of the set take",
     [](GameSample& g) {
       Bytes& list = g.props[4].models[0].shapes[0].list;
       const Bytes once = list;
       while (list.size() < 0x120000) list.insert(list.end(), once.begin(), once.end());
     },
     {"platinum.polygons"}},
    {"platinum.animations-alive", Severity::error, "area_build.narc/0", "",
     "17 animations start with the map (at most 16): animation 0 of prop 2",
     [](GameSample& g) {
       for (int i = 0; i < 15; ++i) {
         g.prop_sets[0].map_prop_model_ids.push_back(u16(g.props.size()));
         g.props.push_back(g.props[2]);
         g.anime_lists.push_back({1, 0, 0, 0, {0, -1, -1, -1}});
         g.draw_lists.models.push_back({0, k_no_draws});
       }
     }},
    {"platinum.texture-unused", Severity::hint, "areabm_texset.narc/1", "textures.textures", "spare",
     [](GameSample& g) {
       g.prop_textures[1].textures.textures.push_back(g.prop_textures[1].textures.textures[0]);
       g.prop_textures[1].textures.textures.back().name = "spare";
     }},
    {"platinum.texture-unused", Severity::hint, "map_tex_set.narc/1", "textures.textures", "spare",
     [](GameSample& g) {
       g.map_textures[1].textures.textures.push_back(g.map_textures[1].textures.textures[0]);
       g.map_textures[1].textures.textures.back().name = "spare";
     }},
    {"platinum.motion-size", Severity::error, "map_tex_set.narc/0", "textures.textures[2]", "sea is 8 x 8 palette4",
     [](GameSample& g) {
       g.motion_pictures[0].textures.textures[1].width_code = 1;
       g.motion_pictures[0].textures.textures[1].texels.resize(32);
     }},
    {"platinum.motion-size", Severity::error, "fldtanime.narc/0", "textures[0].frames[1].frame", "5",
     [](GameSample& g) { g.texture_motions.textures[0].frames[1].frame = 5; }},
    {"platinum.palette-alignment", Severity::warning, "", "textures.palettes[1].offset", "at 8", nullptr},
    {"platinum.anime-range", Severity::error, "bm_anime_list.narc/3", "anime_ids[0]", "8",
     [](GameSample& g) { g.anime_lists[3].anime_ids[0] = 8; }},
    {"platinum.animation-fits", Severity::warning, "bm_anime_list.narc/3", "anime_ids[0]",
     "has 2 joints, not the 1 of prop 3", [](GameSample& g) { g.anime_lists[3].anime_ids[0] = 0; }},
    {"platinum.animation-fits", Severity::warning, "bm_anime_list.narc/3", "anime_ids[0]",
     "flag_m, which is not a material of", [](GameSample& g) { g.anime_lists[3].anime_ids[0] = 1; }},
    {"platinum.animation-texture",
     Severity::warning,
     "area_build.narc/0",
     "map_prop_model_ids[1]",
     "flag_1, which animation 1 of prop 2 uses",
     [](GameSample& g) { texture(g.prop_textures[0], "flag_1").name = "flag_9"; },
     {"platinum.texture-unused"}},
    {"platinum.bicycle-slopes", Severity::warning, "land_data.narc/0", "props", "3 bicycle slopes",
     [](GameSample& g) {
       g.anime_lists[3].bicycle_slope = 1;
       g.lands[0].props = {g.lands[0].props[3], g.lands[0].props[3], g.lands[0].props[3]};
     }},
    {"platinum.draw-model-range", Severity::error, "matshp.dat", "draws[1]", "shape 7 with material 0",
     [](GameSample& g) { g.draw_lists.draws[1].shape_id = 7; }},
    {"platinum.draw-model-range", Severity::error, "matshp.dat", "models[4]", "1 draw from 3",
     [](GameSample& g) { g.draw_lists.models[4].first = 3; }},
    {"platinum.draw-animated", Severity::warning, "matshp.dat", "models[3]", "is animated but has a draw list",
     [](GameSample& g) { g.draw_lists.models[3] = {1, 2}; }},
    {"platinum.draw-animated", Severity::warning, "matshp.dat", "models[4]", "is not animated but has no draw list",
     [](GameSample& g) { g.draw_lists.models[4] = {0, k_no_draws}; }},
    {"platinum.draw-cover",
     Severity::warning,
     "matshp.dat",
     "models[2]",
     "lacks shape 2 with material 1",
     [](GameSample& g) {
       g.anime_lists[2] = g.anime_lists[1];
       g.draw_lists.models[2] = {2, 3};
       g.draw_lists.draws.insert(g.draw_lists.draws.end(), {{0, 0}, {0, 1}});
     },
     {"platinum.draw-nodes", "platinum.texture-unused"}},
    {"platinum.draw-cover",
     Severity::hint,
     "matshp.dat",
     "models[2]",
     "not sorted by material",
     [](GameSample& g) {
       g.anime_lists[2] = g.anime_lists[1];
       g.draw_lists.models[2] = {3, 3};
       g.draw_lists.draws.insert(g.draw_lists.draws.end(), {{0, 0}, {1, 2}, {0, 1}});
     },
     {"platinum.draw-nodes", "platinum.texture-unused"}},
    {"platinum.draw-nodes",
     Severity::hint,
     "matshp.dat",
     "models[2]",
     "2 nodes",
     [](GameSample& g) {
       g.anime_lists[2] = g.anime_lists[1];
       g.draw_lists.models[2] = {3, 3};
       g.draw_lists.draws.insert(g.draw_lists.draws.end(), {{0, 0}, {0, 1}, {1, 2}});
     },
     {"platinum.texture-unused"}},
    {"platinum.event-place", Severity::warning, "zone_event.narc/1", "object_events[0]", "tile 40, 16",
     [](GameSample& g) { g.events[1].object_events[0].x = 40; }},
    {"platinum.warp-target", Severity::error, "zone_event.narc/1", "warp_events[0].dest_header_id", "44",
     [](GameSample& g) { g.events[1].warp_events[0].dest_header_id = 44; }},
    {"platinum.warp-target", Severity::error, "zone_event.narc/3", "warp_events[0].dest_warp_id", "1",
     [](GameSample& g) { g.events[3].warp_events[0].dest_warp_id = 1; }},
    {"platinum.warp-tile", Severity::hint, "zone_event.narc/1", "warp_events[0]", "is none",
     [](GameSample& g) { g.events[1].warp_events[0].x = 12, g.events[1].warp_events[0].z = 20; }},
    {"platinum.polygons", Severity::warning, "map_matrix.narc/0", "land_data_ids[0][0]", "polygons",
     [](GameSample& g) {
       // the same ground three thousand times
       Bytes& list = g.lands[0].model.models[0].shapes[1].list;
       const Bytes once = list;
       for (int i = 1; i < 3000; ++i) list.insert(list.end(), once.begin(), once.end());
     }},
};

class EveryGameRule : public testing::TestWithParam<Fault> {};
INSTANTIATE_TEST_SUITE_P(Planted, EveryGameRule, testing::ValuesIn(k_faults));

TEST_P(EveryGameRule, FindsItsFaultAndNoOther) {
  const Fault& fault = GetParam();
  if (!fault.plant) return;  // it is in bytes: MisplacedPalette
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
      EXPECT_THAT(fault.also, Contains(std::string_view(d.id))) << to_line(d);
    }
  }
  EXPECT_TRUE(found) << lines(all);
}

TEST(PlatinumGame, EveryRuleHasAFault) {
  for (const Rule& r : game_rules()) {
    EXPECT_TRUE(std::any_of(std::begin(k_faults), std::end(k_faults), [&](const Fault& f) { return f.id == r.id; }))
        << r.id;
    EXPECT_FALSE(r.why.empty() || r.sentence.empty() || r.source.empty()) << r.id;
  }
}

TEST(PlatinumGame, MisplacedPalette) {
  // Placing an edited file aligns palettes: the fault is in bytes.
  MemoryTree files = game_sample().files();
  const std::string path = "fielddata/areadata/area_map_tex/map_tex_set/";
  for (u32 i = 0; i < 2; ++i) {
    auto tables = GameTables::load(files);
    ASSERT_TRUE(tables);
    auto bytes = tables->files().of(FileRole::map_textures).read(i);
    ASSERT_TRUE(bytes);
    files.files[path + std::to_string(i) + ".bin"] = *bytes;
  }
  files.files.erase("fielddata/areadata/area_map_tex/map_tex_set.narc");
  {
    Bytes& file = files.files[path + "0.bin"];
    const auto spans = trace<nitro::Nsbtx>(file).spans;
    const auto spot = spans.find("textures.palettes[1].offset");
    ASSERT_TRUE(spot);
    file[size_t(spot->offset)] ^= 1;
  }
  auto game = dio::open_game(files);
  ASSERT_TRUE(game);
  std::vector<std::string> ids;
  for (const Diagnostic& d : game->game->check(true)) ids.push_back(d.id);
  EXPECT_THAT(ids, Contains("platinum.palette-alignment"));
}

TEST(PlatinumGame, ACartridgeIsTheSameGame) {
  const GameSample g = game_sample();
  const NdsRom rom = g.cartridge();
  EXPECT_EQ(rom.files.size() + 1, g.files().files.size());
}

TEST(PlatinumGame, AnUnpackedFolderOfMembersIsTheSameGame) {
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

TEST(PlatinumGame, OrderFilesSayWhichMemberIsWhich) {
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
  EXPECT_EQ(lands.number_at("res/field/maps/data/a.bin"), 1u);
}

TEST(PlatinumGame, NothingIsNoGame) {
  MemoryTree none;
  const auto game = dio::open_game(none);
  ASSERT_FALSE(game);
  EXPECT_EQ(game.error().id, "game.unknown");
  none.files["readme.txt"] = {};
  EXPECT_FALSE(dio::open_game(none));
}

TEST(PlatinumGame, DamagedMembersAreNamedAndMissed) {
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

TEST(PlatinumGame, MissingFilesAreNamed) {
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
    for (const Diagnostic& d : all) EXPECT_NE(d.id, "platinum.texture-unused") << path << ' ' << to_line(d);
  }
}

TEST(PlatinumGame, AMatrixMadeToBeLargeTakesNoTime) {
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

TEST(PlatinumGame, EveryTruncationIsSurvived) {
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

TEST(PlatinumGame, Graph) {
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

TEST(PlatinumGame, Maps) {
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

TEST(PlatinumGame, DiffSaysWhatAndWhere) {
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

TEST(PlatinumGame, DiffOfHeights) {
  const GameSample a = game_sample();
  GameSample b = a;
  auto plate = shape_of(b.lands[3].bdhc, 0);
  plate->constant = *raised(*plate, 8);
  ASSERT_TRUE(replace_plate(b.lands[3].bdhc, 0, *plate));
  EXPECT_THAT(changes(a, b), testing::ElementsAre("~ land/3 heights:  -> by up to 8.0 units x64 [header/3 HOUSE]"));
}

// ---- what is known ----

TEST(PlatinumGame, AnOddityIsKnownByItsBytesRuleAndPlace) {
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

TEST(PlatinumGame, WhatIsKnownIsLeftOutOfTheFindingsOfAFile) {
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
    o->bytes.push_back(0);  // no longer the file that was shipped
    EXPECT_EQ(check(*o, false).size(), check(*o).size());
    return;
  }
  ADD_FAILURE() << "no such sample";
}

// ---- the cartridge, where somebody has it ----

TEST(PlatinumGame, TheCartridge) {
  MemoryTree files;
  const std::filesystem::path root = test::real_path("");
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root, error))
    if (entry.is_regular_file()) {
      const std::string path = entry.path().lexically_relative(root).generic_string();
      files.files[path] = test::real_file(path);
    }
  if (files.files.empty()) GTEST_SKIP() << "nobody has it here";
  const auto tables = GameTables::load(files);
  ASSERT_TRUE(tables);
  EXPECT_EQ(tables->headers.size(), 593u);
  EXPECT_EQ(tables->uses().size(), 641u);

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
