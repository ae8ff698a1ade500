// tables.cpp: small tables made from nothing, with the irregularities that files have.
#include "samples/platinum/decompilation.hpp"
#include "samples/platinum/table_parts.hpp"

namespace dio::platinum {

namespace make {

MapHeader header(u8 area, u16 matrix, u8 map_type) {
  MapHeader h{};
  h.area_data_archive_id = area;
  h.preloaded_map_objects_archive_id = 15;
  h.map_matrix_id = matrix;
  h.scripts_archive_id = u16(2 * matrix + 1);
  h.init_scripts_archive_id = u16(2 * matrix + 2);
  h.msg_archive_id = u16(20 + matrix);
  h.day_music_id = 1010;
  h.night_music_id = 1039;
  h.wild_encounters_archive_id = k_no_encounters;
  h.events_archive_id = matrix;
  h.map_label_text_id = u8(matrix + 1);
  h.map_label_window_id = 6;
  h.camera_type = map_type == 4 ? 4 : map_type == 3 ? 12 : 0;
  h.map_type = map_type;
  h.battle_bg = map_type == 4 ? 6 : map_type == 3 ? 9 : 2;
  h.is_bike_allowed = map_type != 4;
  h.is_running_allowed = 1;
  h.is_escape_rope_allowed = map_type == 3;
  h.is_fly_allowed = map_type == 1;
  return h;
}

MapHeaders headers() {
  MapHeaders f{{header(0, 0, 1), header(1, 1, 3)}};
  f.headers[0].wild_encounters_archive_id = 0;
  f.headers[1].weather = 16;
  for (u16 i = 0; i < 10; ++i) f.headers.push_back(header(2, u16(2 + i), 4));
  return f;
}

Arm9 program() {
  Arm9 f{};
  // instructions: none of them looks like a header
  for (u32 i = 0; i < 200; ++i) {
    const u32 word = 0xE1A00000 | i * 2654435761u >> 12;
    for (u32 shift = 0; shift < 32; shift += 8) f.before.push_back(u8(word >> shift));
  }
  f.headers = headers().headers;
  f.header_count = f.headers.size();
  f.after.assign(f.before.begin(), f.before.begin() + 61);
  return f;
}

MapMatrix island() {
  MapMatrix f{};
  f.model_name_prefix = "isle";
  f.map_header_ids = {{0, 3, 3}, {0, 3, 411}};
  f.altitudes = {{0, 0, 1}, {0, 2, 255}};
  f.land_data_ids = {{k_no_land, 120, 121}, {665, 122, 7}};
  return f;
}
MapMatrix house() {
  MapMatrix f{};
  f.model_name_prefix = "r";
  f.land_data_ids = {{44}};
  return f;
}

AreaLight daylight() {
  const LightLine off{};
  const LightBlock night{0,
                         {{{1, 11, 11, 16, 1897, -3600, -466}, off, {1, 22, 18, 0, 0, 0, 4096}, off}},
                         {14, 14, 16},
                         {10, 10, 10},
                         {14, 14, 16},
                         {8, 8, 11}};
  LightBlock day = night, evening = night;
  day.end_time = 30600;
  day.lights[0] = {1, 31, 31, 29, -1024, -4096, 0};
  evening.end_time = k_light_times_per_day;
  evening.emission = {0, 31, 5};
  return {LightBlocks{{night, day, evening}, "\r\n"}, {}};
}

Matshp draws() { return {{{2, 0}, {0, k_no_draws}, {1, 2}, {3, 3}}, {{0, 0}, {1, 2}, {0, 0}, {0, 1}, {1, 0}, {1, 2}}}; }

Fldtanime water() {
  const auto anime = [](std::string name, std::initializer_list<TextureFrame> frames) {
    TextureAnime t{};
    t.name = std::move(name);
    t.frames.fill({k_end_of_frames, 0xFF});
    std::copy(frames.begin(), frames.end(), t.frames.begin());
    return t;
  };
  Fldtanime f{{anime("pond", {{0, 9}, {1, 9}, {2, 9}}), anime("a_name_of_16_chr", {{0, 3}, {1, 16}})}};
  TextureAnime full = anime("flower.1", {});  // no room for the end
  for (u8 i = 0; i < full.frames.size(); ++i) full.frames[i] = {u8(i % 4), 1};
  f.textures.push_back(full);
  return f;
}

ZoneEvent village() {
  ZoneEvent f{};
  f.bg_events = {{1, 1, 12, 30, 0, 4, 0}, {8000, 2, -1, 5, 1, 0, 0}};
  f.object_events = {{0, 97, 16, 0, 0, 2, -1, {3, 0, 0}, 1, 2, 10, 31, {0}},
                     {1, 12, 0, 1, 400, 7000, 1, {0, 0, 0}, 0, 0, 11, 4, {0x18000}}};
  f.warp_events = {{7, 8, 3, 0, 0}, {9, 9, 0xFFF, 0x100, 0}};
  f.coord_events = {{5, 3, 4, 2, 1, 0, 1, 16390}};
  return f;
}

}  // namespace make

using namespace make;

std::vector<Sample> map_headers_samples() {
  return {{"map_headers.bin", "a town, a cave and ten houses", bytes_of(headers())}};
}
std::vector<Sample> map_headers_dp_samples() {
  MapHeadersDp f{};
  MapHeaderDp town{};
  town.area_data_archive_id = 3;
  town.map_matrix_id = 0;
  town.day_music_id = town.night_music_id = 1018;
  town.wild_encounters_archive_id = k_no_encounters;
  town.map_label_text_id = 16;
  town.map_type = 1;
  town.battle_bg = 2;
  town.flags = 11;
  f.headers = {town, town};
  f.headers[1].map_type = 4;
  return {{"headers_dp.bin", "a town and a house", bytes_of(f)}};
}
std::vector<Sample> map_headers_hgss_samples() {
  MapHeadersHgss f{};
  MapHeaderHgss town{};
  town.wild_encounters_archive_id = 0xFF;
  town.area_data_archive_id = 3;
  town.unk_2 = 5, town.world_x = 40, town.world_y = 21;
  town.map_matrix_id = 0;
  town.msg_archive_id = 500;
  town.day_music_id = town.night_music_id = 1018;
  town.events_archive_id = 60;
  town.map_label_text_id = 16;
  town.area_icon = 3, town.mom_call = 9;
  town.is_kanto = 1, town.weather = 70, town.map_type = 9, town.camera_type = 33, town.follow_mode = 2;
  town.battle_bg = 17, town.flags = 0x55;
  f.headers = {town};
  return {{"headers_hgss.bin", "a town", bytes_of(f)}};
}
std::vector<Sample> arm9_samples() { return {{"arm9.bin", "twelve headers in a program", bytes_of(program())}}; }
std::vector<Sample> map_names_samples() {
  return {{"mapname.bin", "one of them of 16 characters",
           bytes_of(MapNames{{{"TOWN"}, {"CAVE01"}, {"HOUSE_OF_16_CHRS"}}})}};
}
std::vector<Sample> map_matrix_samples() {
  Bytes more = bytes_of(house());
  more.push_back(1);
  return {{"map_matrix_0000.bin", "six cells with headers and altitudes", bytes_of(island())},
          {"map_matrix_0001.bin", "one cell", bytes_of(house())},
          {"map_matrix_0002.bin", "one cell, and an extra byte after it", more}};
}
std::vector<Sample> area_data_samples() { return {{"area_data_0006.bin", "an area", bytes_of(AreaData{6, 7, 3, 1})}}; }
std::vector<Sample> area_data_hgss_samples() {
  return {{"area_data_hgss.bin", "an area outdoors", bytes_of(AreaDataHgss{6, 7, 0xFFFF, 1, 0})}};
}
std::vector<Sample> area_build_samples() {
  return {{"area_build_0000.bin", "five props", bytes_of(AreaBuild{{0, 26, 70, 298, 767}})},
          {"area_build_0001.bin", "an area without props", bytes_of(AreaBuild{{}})}};
}
std::vector<Sample> area_light_samples() {
  AreaLight short_end = daylight();
  short_end.light->ending.clear();
  short_end.light->blocks.resize(1);
  short_end.light->blocks[0].end_time = k_light_times_per_day;
  const std::string unix_text = "43200,\n1,31,31,31,0,-4096,0,\n";
  return {{"arealight_0000.bin", "three blocks", bytes_of(daylight())},
          {"arealight_0001.bin", "one block, and nothing after EOF", bytes_of(short_end)},
          {"arealight_0002.bin", "other line ends, which the game cannot read: kept as raw bytes",
           Bytes(unix_text.begin(), unix_text.end())}};
}
std::vector<Sample> mm_list_samples() {
  return {{"mm_list_0000.bin", "three sprites", bytes_of(MmList{{2, 4, 54, k_end_of_objects}})},
          {"mm_list_0001.bin", "no objects, padded to four bytes", bytes_of(MmList{{k_end_of_objects}})}};
}
std::vector<Sample> bm_anime_list_hgss_samples() {
  return {{"hgss_anime_list_0.bin", "no animations",
           bytes_of(BmAnimeListHgss{0xFF, 0xFF, 0, 0, 0, 0, 0, 0, {-1, -1, -1, -1}})},
          {"hgss_anime_list_1.bin", "a wooden door", bytes_of(BmAnimeListHgss{1, 3, 0, 1, 1, 0, 1, 2, {1, 2, -1, -1}})},
          {"hgss_anime_list_2.bin", "windows that shine at night",
           bytes_of(BmAnimeListHgss{1, 8, 0, 0, 0, 0, 4, 1, {3, 4, 5, 6}})}};
}
std::vector<Sample> bm_anime_list_samples() {
  return {{"bm_anime_list_0000.bin", "no animations", bytes_of(BmAnimeList{0xFF, 0xFF, 0, 0, {-1, -1, -1, -1}})},
          {"bm_anime_list_0001.bin", "a door", bytes_of(BmAnimeList{1, 3, 0, 0, {14, 15, -1, -1}})},
          {"bm_anime_list_0002.bin", "a slope for bicycles", bytes_of(BmAnimeList{1, 2, 1, 0, {7, 8, 9, 10}})}};
}
std::vector<Sample> matshp_samples() { return {{"build_model_matshp.dat", "four models", bytes_of(draws())}}; }
std::vector<Sample> fldtanime_samples() { return {{"fldtanime_0000.bin", "three textures", bytes_of(water())}}; }
std::vector<Sample> zone_event_samples() {
  return {{"zone_event_0000.bin", "every kind of event", bytes_of(village())},
          {"zone_event_0001.bin", "no events", bytes_of(ZoneEvent{})}};
}

std::span<const SampleList> samples() {
  static constexpr SampleList all[] = {
      {"map-headers", map_headers_samples},
      {"map-headers-dp", map_headers_dp_samples},
      {"map-headers-hgss", map_headers_hgss_samples},
      {"arm9", arm9_samples},
      {"map-names", map_names_samples},
      {"map-matrix", map_matrix_samples},
      {"land-data", land_data_samples},
      {"land-data", land_data_with_each_model, true},
      {"bdhc", bdhc_samples},
      {"area-data", area_data_samples},
      {"area-data-hgss", area_data_hgss_samples},
      {"area-build", area_build_samples},
      {"area-light", area_light_samples},
      {"mm-list", mm_list_samples},
      {"bm-anime-list", bm_anime_list_samples},
      {"bm-anime-hgss", bm_anime_list_hgss_samples},
      {"matshp", matshp_samples},
      {"fldtanime", fldtanime_samples},
      {"zone-event", zone_event_samples},
      {"u8", decompilation_samples},
  };
  return all;
}

}  // namespace dio::platinum
