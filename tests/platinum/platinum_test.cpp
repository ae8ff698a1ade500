// platinum_test.cpp: details of the Platinum tables, with bytes computed by hand. Tests that apply to every format run
// through the registry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "engine/broken_rules.hpp"
#include "formats/contract/format.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/game/file_roles.hpp"
#include "formats/platinum/game/lights.hpp"
#include "formats/platinum/layout/matshp.hpp"
#include "formats/registry.hpp"
#include "invented/expect_laws.hpp"
#include "platinum/damaged.hpp"
#include "samples/nitro/models.hpp"
#include "samples/nitro/parts.hpp"
#include "samples/platinum/table_parts.hpp"
#include "samples/samples.hpp"

namespace dio::platinum {

namespace {

using test::as_hex;
using test::hex;
using testing::ElementsAre;
using testing::IsEmpty;

template <class T>
T loaded(const Bytes& bytes) {
  auto d = load<T>(bytes);
  EXPECT_TRUE(d) << format_one_line(d.error());
  return d ? d->document.value() : T{};
}
Bytes bytes_of(std::string_view text) { return Bytes(text.begin(), text.end()); }

// ---- rules ----

TEST(PlatinumRules, RuleTextsAreComplete) { test::expect_said_in_full(rules(), "platinum."); }
TEST(PlatinumRules, EveryTableRuleHasABrokenFile) {
  for (const auto& topic : {k_table_rules, k_header_rules, k_matrix_rules, k_light_rules})
    test::expect_one_for_each(topic, broken_tables());
}
TEST(PlatinumRules, FindsEachFaultAtItsPath) { test::expect_found_where_broken(broken_tables()); }
TEST(PlatinumRules, FindingsMatchTheRecordedText) {
  test::expect_said_as_before(broken_tables(), "platinum/damaged_tables.txt");
}

TEST(PlatinumRules, ValidTablesHaveNoFindings) {
  for (const Bytes& b :
       {make::bytes_of(make::headers()), make::bytes_of(make::island()), make::bytes_of(make::daylight()),
        make::bytes_of(make::draws()), make::bytes_of(make::water()), make::bytes_of(make::village())}) {
    auto o = open(b, "file");
    ASSERT_TRUE(o) << format_one_line(o.error());
    EXPECT_EQ(test::listing(check(*o)), "") << o->format->id;
  }
}

// ---- structures, by hand ----

TEST(PlatinumTables, ReadsAPlatinumHeader) {
  // Jubilife City, header 3 of the specification
  const MapHeaders f = loaded<MapHeaders>(hex("06 00 0000 0200 F601 1700 F203 0F04 FFFF 0200 06 01 00 00 01B1"));
  ASSERT_EQ(f.headers.size(), 1u);
  const MapHeader& h = f.headers[0];
  EXPECT_EQ(h.area_data_archive_id, 6);
  EXPECT_EQ(h.map_matrix_id, 0);
  EXPECT_EQ(h.scripts_archive_id, 2);
  EXPECT_EQ(h.init_scripts_archive_id, 502);
  EXPECT_EQ(h.msg_archive_id, 23);
  EXPECT_EQ(h.day_music_id, 1010);
  EXPECT_EQ(h.night_music_id, 1039);
  EXPECT_EQ(h.wild_encounters_archive_id, k_no_encounters);
  EXPECT_EQ(h.events_archive_id, 2);
  EXPECT_EQ(h.map_label_text_id, 6);
  EXPECT_EQ(h.map_label_window_id, 1);
  EXPECT_EQ(h.map_type, 1);   // 0xB101: bits 0-6
  EXPECT_EQ(h.battle_bg, 2);  // bits 7-11
  EXPECT_EQ(h.is_bike_allowed, 1);
  EXPECT_EQ(h.is_running_allowed, 1);
  EXPECT_EQ(h.is_escape_rope_allowed, 0);
  EXPECT_EQ(h.is_fly_allowed, 1);
}

TEST(PlatinumTables, ReadsHeadersOfOtherGames) {
  const auto dp =
      loaded<MapHeadersDp>(hex("06 01 0200 0300 0400 0500 F203 0F04 0600 0700 1001 02 04 03 A5")).headers[0];
  EXPECT_EQ(dp.map_label_text_id, 0x110);
  EXPECT_EQ(dp.weather, 2);
  EXPECT_EQ(dp.camera_type, 4);
  EXPECT_EQ(dp.map_type, 3);
  EXPECT_EQ(dp.battle_bg, 5);
  EXPECT_EQ(dp.flags, 10);
  const auto hgss =
      loaded<MapHeadersHgss>(hex("FF 03 815A 0100 0200 0300 F401 F203 0F04 0700 10 93 8D6745AB")).headers[0];
  EXPECT_EQ(hgss.unk_2, 0x5A81 & 15);
  EXPECT_EQ(hgss.world_x, 0x5A81 >> 4 & 63);
  EXPECT_EQ(hgss.world_y, 0x5A81 >> 10);
  EXPECT_EQ(hgss.area_icon, 3);
  EXPECT_EQ(hgss.mom_call, 9);
  const u32 bits = 0xAB45678D;
  EXPECT_EQ(hgss.is_kanto, bits & 1);
  EXPECT_EQ(hgss.weather, bits >> 1 & 127);
  EXPECT_EQ(hgss.map_type, bits >> 8 & 15);
  EXPECT_EQ(hgss.camera_type, bits >> 12 & 63);
  EXPECT_EQ(hgss.follow_mode, bits >> 18 & 3);
  EXPECT_EQ(hgss.battle_bg, bits >> 20 & 31);
  EXPECT_EQ(hgss.flags, bits >> 25);
}

TEST(PlatinumTables, MatrixStoresWidthBeforeHeight) {
  const Bytes b =
      hex("03 02 01 01 04 'isle' 0000 0300 0300 0000 0300 9B01 00 00 01 00 02 FF"
          "FFFF 7800 7900 9902 7A00 0700");
  const MapMatrix f = loaded<MapMatrix>(b);
  EXPECT_EQ(f.model_name_prefix, "isle");
  EXPECT_THAT(f.map_header_ids, ElementsAre(ElementsAre(0, 3, 3), ElementsAre(0, 3, 411)));
  EXPECT_THAT(f.altitudes, ElementsAre(ElementsAre(0, 0, 1), ElementsAre(0, 2, 255)));
  EXPECT_THAT(f.land_data_ids, ElementsAre(ElementsAre(k_no_land, 120, 121), ElementsAre(665, 122, 7)));
  EXPECT_BYTES(make::bytes_of(make::island()), b);
  EXPECT_BYTES(make::bytes_of(make::house()), hex("01 01 00 00 01 'r' 2C00"));
}

TEST(PlatinumTables, ResizesEditedMatrices) {
  using L = test::Laws<MapMatrix>;
  const auto grown =
      L::edited(make::bytes_of(make::house()), [](MapMatrix& f) { f.land_data_ids = {{1, 2}, {3, 4}, {5, 6}}; });
  EXPECT_BYTES(grown, hex("02 03 00 00 01 'r' 0100 0200 0300 0400 0500 0600"));
  // optional lists can be added and removed
  EXPECT_BYTES(L::edited(grown, [](MapMatrix& f) { f.altitudes = {{0, 1}, {2, 3}, {4, 5}}; }),
               hex("02 03 00 01 01 'r' 00 01 02 03 04 05 0100 0200 0300 0400 0500 0600"));
  EXPECT_BYTES(L::edited(make::bytes_of(make::island()), [](MapMatrix& f) { f.map_header_ids = {}, f.altitudes = {}; }),
               hex("03 02 00 00 04 'isle' FFFF 7800 7900 9902 7A00 0700"));
  Document<MapMatrix> d;
  d.edit() = make::island();
  d.edit().map_header_ids[1].pop_back();
  EXPECT_EQ(save(d).error().expected, "the length given by other fields");
}

TEST(PlatinumTables, ReadsAreaTables) {
  EXPECT_EQ(loaded<AreaData>(hex("0600 0700 0300 0100")).map_texture_archive_id, 7);
  EXPECT_EQ(loaded<AreaData>(hex("0600 0700 0300 0100")).area_light_archive_id, 1);
  EXPECT_EQ(loaded<AreaDataHgss>(hex("0600 0700 FFFF 01 02")).area_light_archive_id, 2);
  EXPECT_EQ(loaded<AreaDataHgss>(hex("0600 0700 FFFF 01 02")).area_type, 1);
  EXPECT_THAT(loaded<AreaBuild>(hex("0300 0000 1A00 FF02")).map_prop_model_ids, ElementsAre(0, 26, 767));
  EXPECT_THAT(loaded<MmList>(hex("0200 3600 FFFF 0000")).sprite_ids, ElementsAre(2, 54, k_end_of_objects));
}

TEST(PlatinumTables, PadsObjectListsToFourBytes) {
  EXPECT_BYTES(make::bytes_of(MmList{{k_end_of_objects}}), hex("FFFF 0000"));
  EXPECT_BYTES(make::bytes_of(MmList{{2, k_end_of_objects}}), hex("0200 FFFF"));
  using L = test::Laws<MmList>;
  EXPECT_BYTES(L::edited(hex("0200 FFFF"), [](MmList& f) { f.sprite_ids = {2, 54, k_end_of_objects}; }),
               hex("0200 3600 FFFF 0000"));
  EXPECT_EQ(load<MmList>(hex("0200 3600")) ? "loads" : load<MmList>(hex("0200 3600")).error().id, "layout.truncated");
}

TEST(PlatinumTables, ReadsPropTables) {
  const auto door = loaded<BmAnimeList>(hex("01 03 00 00 0E000000 0F000000 FFFFFFFF FFFFFFFF"));
  EXPECT_EQ(door.flags, 3);
  EXPECT_THAT(door.anime_ids, ElementsAre(14, 15, k_no_anime, k_no_anime));
  const auto table = loaded<Matshp>(hex("0300 0300 0200 0000 0000 FFFF 0100 0200 0000 0000 0100 0200 0700 0800"));
  ASSERT_EQ(table.models.size(), 3u);
  EXPECT_THAT(find_model_draws(table, 0), ElementsAre(Draw{0, 0}, Draw{1, 2}));
  EXPECT_THAT(find_model_draws(table, 1), IsEmpty());
  EXPECT_THAT(find_model_draws(table, 2), ElementsAre(Draw{7, 8}));
  EXPECT_THAT(find_model_draws(table, 3), IsEmpty());
  const Matshp outside{{{2, 0xFFFF}, {1, 0}}, {}};
  EXPECT_THAT(find_model_draws(outside, 0), IsEmpty());
  EXPECT_THAT(find_model_draws(outside, 1), IsEmpty());
}

TEST(PlatinumTables, ReadsAnimatedTextureTables) {
  Bytes b = hex("01000000 'sea' 00 00000000 00000000 00000000 0009 0110 FFFF");
  b.resize(4 + 52, 0xFF);
  const Fldtanime f = loaded<Fldtanime>(b);
  EXPECT_EQ(f.textures.at(0).name, "sea");
  EXPECT_EQ(f.textures[0].frames[1].frame, 1);
  EXPECT_EQ(f.textures[0].frames[1].wait, 16);
  EXPECT_EQ(f.textures[0].frames[2].frame, k_end_of_frames);
}

TEST(PlatinumTables, ReadsEventTables) {
  const Bytes b =
      hex("01000000 0100 0200 0C000000 FEFFFFFF 01000000 0400 0000"
          "01000000 0300 6100 1000 0100 9001 581B FFFF 0300 0000 0000 0100 0200 0A00 1F00 00800100"
          "01000000 0700 0800 FF0F 0001 00000000"
          "01000000 0500 0300 0400 0200 0100 0000 0100 0640");
  const ZoneEvent f = loaded<ZoneEvent>(b);
  EXPECT_EQ(f.bg_events.at(0).z, -2);
  EXPECT_EQ(f.bg_events[0].player_facing_dir, 4);
  EXPECT_EQ(f.object_events.at(0).dir, -1);
  EXPECT_EQ(f.object_events[0].data[0], 3);
  EXPECT_EQ(f.object_events[0].movement_range_z, 2);
  EXPECT_EQ(f.object_events[0].y.value(), 1.5);
  EXPECT_EQ(f.warp_events.at(0).dest_header_id, 0xFFF);
  EXPECT_EQ(f.warp_events[0].dest_warp_id, 0x100);
  EXPECT_EQ(f.coord_events.at(0).var, 0x4006);
  EXPECT_BYTES(make::bytes_of(f), b);
  // a count larger than any file
  auto huge = load<ZoneEvent>(hex("FFFFFF7F 00000000 00000000 00000000"));
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().id, "layout.count");
}

// ---- light ----

constexpr std::string_view k_light_text =
    "0,\r\n1,11,11,16,1897,-3600,-466,\r\n0,0,0,0,0,0,0,\r\n1,22,18,0,0,0,4096,\r\n0,0,0,0,0,0,0,\r\n"
    "14,14,16,\r\n10,10,10,\r\n14,14,16,\r\n8,8,11,\r\n\r\nEOF";

TEST(PlatinumLight, ReadsAndWritesLightText) {
  const AreaLight f = loaded<AreaLight>(bytes_of(k_light_text));
  ASSERT_TRUE(f.light);
  ASSERT_EQ(f.light->blocks.size(), 1u);
  const LightBlock& b = f.light->blocks[0];
  EXPECT_EQ(b.end_time, 0);
  EXPECT_EQ(b.lights[0].y, -3600);
  EXPECT_EQ(b.lights[2].green, 18);
  EXPECT_EQ(b.emission.blue, 11);
  EXPECT_EQ(f.light->ending, "");
  EXPECT_EQ(make::bytes_of(f), bytes_of(k_light_text));
  EXPECT_EQ(loaded<AreaLight>(bytes_of(std::string(k_light_text) + "\r\n")).light->ending, "\r\n");
}

TEST(PlatinumLight, KeepsNonstandardTextWithANote) {
  const auto with = [](std::string_view was, std::string_view is) {
    std::string text(k_light_text);
    return bytes_of(text.replace(text.find(was), was.size(), is));
  };
  for (const Bytes& b : {with("1897", "01897"), with("1897,", "1897"), with("\r\n", "\n"), with("EOF", "EO"),
                         with("1897", "x"), with("0,\r\n1", "0,\r\n\r\n1")}) {
    auto o = open(b, "arealight_0000.bin");
    ASSERT_TRUE(o) << format_one_line(o.error());
    EXPECT_EQ(o->format->id, "area-light");
    EXPECT_EQ(o->notes.size(), 1u);
    const auto back = o->document->save({});
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, b);
  }
}

TEST(PlatinumLight, SelectsLightByTimeOfDay) {
  std::vector<LightBlock> blocks(4);
  blocks[0].end_time = 0;
  blocks[1].end_time = 7200;   // 04:00
  blocks[2].end_time = 30600;  // 17:00
  blocks[3].end_time = k_light_times_per_day;
  const auto at = [&](i32 hours, i32 minutes, i32 seconds = 0) {
    return find_active_light_block(blocks, (hours * 60 + minutes) * 60 + seconds).value_or(99);
  };
  EXPECT_EQ(at(0, 0), 1u) << "the first block has ended";
  EXPECT_EQ(at(3, 59, 59), 1u);
  EXPECT_EQ(at(4, 0), 2u);
  EXPECT_EQ(at(16, 59, 59), 2u);
  EXPECT_EQ(at(17, 0), 3u);
  EXPECT_EQ(at(23, 59, 59), 3u);
  EXPECT_FALSE(find_active_light_block({}, 0));
  EXPECT_EQ(find_active_light_block(std::span(blocks).first(2), 5 * 3600).value_or(99), 0u) << "none ends later";

  // moves on by one block per frame until the block matches
  const i32 noon = 12 * 3600;
  EXPECT_EQ(find_next_light_block(blocks, 2, noon), 2u);
  EXPECT_EQ(find_next_light_block(blocks, 3, noon), 0u);
  EXPECT_EQ(find_next_light_block(blocks, 0, noon), 1u);
  EXPECT_EQ(find_next_light_block(blocks, 1, noon), 2u);
  EXPECT_EQ(find_next_light_block(blocks, 3, 0), 0u) << "midnight";
  EXPECT_EQ(find_next_light_block(std::span(blocks).first(1), 0, noon), 0u) << "one block stays";
}

// ---- the table in the program ----

Bytes noise(size_t size, u32 seed) {
  std::mt19937 random(seed);
  Bytes b(size);
  for (u8& x : b) x = u8(random());
  return b;
}
void put(Bytes& b, size_t at, const Bytes& part) {
  std::copy(part.begin(), part.end(), b.begin() + std::ptrdiff_t(at));
}

TEST(PlatinumProgram, FindsTheHeaderTableBySearching) {
  const Bytes table = make::bytes_of(make::headers());
  for (const size_t at : {0u, 4u, 0x1234u * 4, 0x10000u - 288}) {
    for (const bool random : {false, true}) {
      Bytes program = random ? noise(0x10000, u32(at) + 1) : Bytes(0x10000, 0);
      put(program, at, table);
      const auto found = find_header_table(program);
      ASSERT_TRUE(found) << at;
      EXPECT_EQ(found->offset, at);
      EXPECT_EQ(found->count, 12u);
      EXPECT_EQ(find_header_table(program, "CPUE", 12)->offset, at);
      EXPECT_FALSE(find_header_table(program, "CPUE", 13)) << "more than there are";
    }
  }
  EXPECT_FALSE(find_header_table(Bytes(0x10000, 0)));
  EXPECT_FALSE(find_header_table(Bytes(0x10000, 0xFF)));
  EXPECT_FALSE(find_header_table(noise(0x10000, 1)));
  EXPECT_FALSE(find_header_table({}));
}

TEST(PlatinumProgram, PrefersTheKnownTableAddress) {
  const Bytes table = make::bytes_of(make::headers());
  Bytes program(0x100000, 0), longer = table;
  longer.insert(longer.end(), table.begin(), table.end());
  put(program, 0x40, longer);
  put(program, 0xE601C, table);
  EXPECT_EQ(find_header_table(program, "CPUE")->offset, 0xE601Cu);
  EXPECT_EQ(find_header_table(program)->offset, 0xE601Cu);
  EXPECT_EQ(find_header_table(program, "CPUE")->count, 12u);
  EXPECT_EQ(find_header_table(program, "CPUD")->offset, 0x40u) << "another language has it elsewhere";
  EXPECT_EQ(find_header_table(program, "CPUE", 24)->offset, 0x40u) << "too few at the known place";
}

TEST(PlatinumProgram, FindsHeaderTablesOfOtherGames) {
  const Bytes dp = samples_of(*find_format("map-headers-dp"))[0].bytes,
              hgss = samples_of(*find_format("map-headers-hgss"))[0].bytes;
  const auto program = [](const Bytes& header, size_t at) {
    Bytes b = noise(0x10000, 7);
    for (size_t i = 0; i < 9; ++i)
      put(b, at + i * k_header_size, Bytes(header.begin(), header.begin() + k_header_size));
    return b;
  };
  for (const auto& [form, header] :
       {std::pair{HeaderForm::diamond_pearl, dp}, {HeaderForm::heartgold_soulsilver, hgss}}) {
    const auto found = find_header_table(program(header, 0x3210), {}, 0, form);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->offset, 0x3210u);
    EXPECT_EQ(found->count, 9u);
  }
  Bytes heart_gold(0x100000, 0);
  put(heart_gold, 0x40, program(hgss, 0));
  for (size_t i = 0; i < 9; ++i) put(heart_gold, 0xF6BC8 + i * k_header_size, hgss);
  EXPECT_EQ(find_header_table(heart_gold, "IPKS", 9, HeaderForm::heartgold_soulsilver)->offset, 0xF6BC8u);
  EXPECT_EQ(find_header_table(heart_gold, "IPGS", 9, HeaderForm::heartgold_soulsilver)->offset, 0x40u);
}

TEST(PlatinumProgram, KeepsTheProgramSize) {
  const Bytes b = make::bytes_of(make::program());
  const Arm9 f = loaded<Arm9>(b);
  EXPECT_EQ(f.before.size(), 800u);
  EXPECT_EQ(f.headers.size(), 12u);
  EXPECT_EQ(f.after.size(), 61u);
  auto d = load<Arm9>(b);
  d->document.edit().headers[0].weather = 5;
  const auto saved = save(d->document);
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->size(), b.size());
  d->document.edit().headers.pop_back();
  EXPECT_EQ(save(d->document).error().expected, "the length given by other fields");
  auto none = load<Arm9>(Bytes(1000, 0));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().expected, "a table of map headers");
}

// ---- places and detection ----

std::string place_of(std::string_view path) {
  const auto p = match_file_role(path);
  return p ? p->title() + ": " + std::string(p->format()) : "unknown";
}

TEST(PlatinumDetection, RecognizesFilesByPath) {
  EXPECT_EQ(place_of("game.nds/fielddata/mapmatrix/map_matrix.narc/12"), "map matrix 12: map-matrix");
  EXPECT_EQ(place_of("fielddata/mapmatrix/map_matrix.narc"), "map matrix: map-matrix");
  EXPECT_EQ(place_of("out/map_matrix/0012.bin"), "map matrix 12: map-matrix");
  EXPECT_EQ(place_of("map_matrix_0012.bin"), "map matrix 12: map-matrix");
  EXPECT_EQ(place_of("res/field/maps/data/map_data_489.bin"), "land data 489: land-data");
  EXPECT_EQ(place_of("land_data.narc/3"), "land data 3: land-data");
  EXPECT_EQ(place_of("heartgold/a/0/4/2/7"), "area data 7: area-data-hgss");
  EXPECT_EQ(place_of("a/0/4/1/7.bin"), "map matrix 7: map-matrix");
  EXPECT_EQ(place_of("res/field/props/models/pokecenter.nsbmd"), "prop model: nsbmd");
  EXPECT_EQ(place_of("res/field/props/models/prop_model_022.nsbmd"), "prop model 22: nsbmd");
  EXPECT_EQ(place_of("x/build_model_matshp.dat"), "prop draw lists: matshp");
  EXPECT_EQ(place_of("arc/bm_anime.narc/5"), "prop animation 5: ");
  EXPECT_EQ(place_of("arc/bm_anime_list.narc/5"), "prop animation list 5: bm-anime-list");
  EXPECT_EQ(place_of("arm9.bin"), "program: arm9");
  EXPECT_EQ(place_of("other_map_matrix.narc/5"), "unknown");
  EXPECT_EQ(place_of("map_matrix_.bin"), "unknown");
  EXPECT_EQ(place_of("map_matrix_99999999999.bin"), "unknown");
  EXPECT_EQ(place_of("mapmatrix/map_matrix_old/12"), "unknown");
  EXPECT_EQ(place_of(""), "unknown");
  EXPECT_EQ(place_of("12"), "unknown");
  for (const FileRolePath& p : file_role_paths()) EXPECT_EQ(find_file_role_path(p.id), &p);
}

/// The Platinum formats without a magic number.
std::vector<const Format*> tables() {
  std::vector<const Format*> all;
  for (const char* id : {"map-headers", "map-headers-dp", "map-headers-hgss", "arm9", "map-names", "map-matrix",
                         "area-data", "area-data-hgss", "area-build", "area-light", "mm-list", "bm-anime-list",
                         "bm-anime-hgss", "matshp", "fldtanime", "zone-event"})
    all.push_back(find_format(id));
  return all;
}

TEST(PlatinumDetection, OnlyTheirOwnFormatDetectsSamples) {
  for (const Format* of : tables()) {
    for (const Sample& s : samples_of(*of))
      for (const Format* f : dio::formats()) {
        const Sniff sniff = f->sniff(s.bytes, s.name);
        EXPECT_EQ(sniff.certainty != Sniff::Certainty::no, f == of)
            << s.name << " and " << f->id << ": " << sniff.reason;
      }
  }
}

TEST(PlatinumDetection, DetectionByBytesIsNeverCertain) {
  for (const Format* of : tables()) {
    for (const Sample& s : samples_of(*of)) {
      const Sniff alone = of->sniff(s.bytes, "file");
      EXPECT_LT(alone.certainty, Sniff::Certainty::certain) << s.name;
      EXPECT_EQ(of->sniff(s.bytes, "fielddata/script/scr_seq.narc/1").certainty, Sniff::Certainty::no)
          << s.name << " where something else lies";
    }
  }
}

// ---- draw lists ----

TEST(PlatinumDrawLists, SortsDrawsByMaterial) {
  nitro::Model m = nitro::windmill().models[0];
  const auto draws = derive_sbc_draws(m);
  ASSERT_FALSE(draws.empty());
  EXPECT_TRUE(std::is_sorted(draws.begin(), draws.end(), [](Draw a, Draw b) { return a.material_id < b.material_id; }));
  // the same pairs as in the commands, in order
  std::vector<std::pair<u32, u32>> pairs, sorted;
  u32 material = 0;
  for (const nitro::SbcCommand& c : m.sbc) {
    if (c.code == 4) material = c.index;
    if (c.code == 5) pairs.push_back({material, c.index});
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const Draw& d : draws) sorted.push_back({d.material_id, d.shape_id});
  EXPECT_EQ(sorted, pairs);
}

TEST(PlatinumDrawLists, KeepsAnExistingDrawOrder) {
  const std::vector<Draw> derived{{0, 0}, {1, 1}, {2, 2}}, door_last{{0, 0}, {2, 2}, {1, 1}};
  EXPECT_EQ(prefer_existing_order(door_last, derived), door_last);
  EXPECT_EQ(prefer_existing_order(std::vector<Draw>{{0, 0}, {2, 2}}, derived), derived) << "something new is drawn";
  EXPECT_EQ(prefer_existing_order({}, derived), derived);
}

TEST(PlatinumDrawLists, BuildsTheDrawTable) {
  const std::vector<std::vector<Draw>> lists{{{0, 0}, {1, 2}}, {}, {{0, 0}}};
  const auto table = build_matshp(lists);
  ASSERT_TRUE(table);
  EXPECT_BYTES(make::bytes_of(*table), hex("0300 0300 0200 0000 0000 FFFF 0100 0200 0000 0000 0100 0200 0000 0000"));
  EXPECT_FALSE(build_matshp(std::vector<std::vector<Draw>>(0x10000)));
  EXPECT_FALSE(build_matshp(std::vector<std::vector<Draw>>(2, std::vector<Draw>(0x8000, Draw{0, 0}))));
}

}  // namespace

}  // namespace dio::platinum
