// editions.cpp: the sample games as files of the other editions.
#include "formats/platinum/game/file_roles.hpp"
#include "samples/platinum/game_parts.hpp"

namespace dio::platinum {

using namespace make;

MemoryTree as_diamond(const GameSample& g) {
  GameSample with_triangles = g;
  for (LandData& land : with_triangles.lands) land.bdhc = convert_to_triangles(land.bdhc);
  MemoryTree out = with_triangles.files();
  for (const std::string_view id : {"land_data", "zone_event"}) {
    const std::string path(find_file_role_path(id)->platinum);
    auto archive = out.files.extract(path);
    archive.key() = path.substr(0, path.rfind('.')) + "_release.narc";
    out.files.insert(std::move(archive));
  }
  for (const std::string_view id : {"arealight", "fldtanime"})
    out.files.erase(std::string(find_file_role_path(id)->platinum));
  for (size_t i = 0; i < g.lights.size(); ++i)
    out.files["data/area0" + std::to_string(i) + "light.txt"] = nitro::make::bytes_of(g.lights[i]);
  std::vector<MapHeaderDp> headers;
  for (const MapHeader& h : g.headers) {
    MapHeaderDp x{};
    x.area_data_archive_id = h.area_data_archive_id, x.map_matrix_id = h.map_matrix_id;
    x.preloaded_map_objects_archive_id = h.preloaded_map_objects_archive_id;
    x.events_archive_id = h.events_archive_id, x.wild_encounters_archive_id = h.wild_encounters_archive_id;
    x.day_music_id = h.day_music_id, x.night_music_id = h.night_music_id;
    x.weather = h.weather, x.camera_type = h.camera_type, x.map_type = h.map_type;
    headers.push_back(x);
  }
  out.files["_system/arm9.bin"] = program_of(std::move(headers));
  return out;
}

MemoryTree as_heart_gold(const GameSample& g, const std::vector<nitro::Nsbmd>& rooms) {
  const MemoryTree platinum = g.files();
  MemoryTree out;
  for (const FileRolePath& place : file_role_paths()) {
    const auto found = platinum.files.find(std::string(place.platinum));
    if (found != platinum.files.end() && !place.hgss.empty()) out.files[std::string(place.hgss)] = found->second;
  }
  out.files["fielddata/maptable/mapname.bin"] = platinum.files.at("fielddata/maptable/mapname.bin");
  out.files["fielddata/build_model/bm_field_matshp.dat"] = nitro::make::bytes_of(g.draw_lists);
  std::vector<BmAnimeListHgss> lists;
  for (const BmAnimeList& l : g.anime_lists) {
    const bool is_door = l.flags == 3;
    const u8 count = u8(std::ranges::count_if(l.anime_ids, [](i32 id) { return id >= 0; })), actions = is_door ? 2 : 1;
    lists.push_back({l.has_animations, l.flags, l.bicycle_slope, u8(is_door), u8(is_door), 0, u8(count / actions),
                     u8(count ? actions : 0), l.anime_ids});
  }
  out.files["a/1/0/7"] = archive_of(all_bytes_of(lists));
  out.files["a/1/0/8"] = out.files["a/1/0/7"];
  out.files["fielddata/build_model/bm_room_matshp.dat"] = nitro::make::bytes_of(g.draw_lists);
  std::vector<LandData> lands = g.lands;
  for (LandData& land : lands) land.sounds = Sounds{k_sounds_mark, 0, {}, {}};
  out.files["a/0/6/5"] = archive_of(all_bytes_of(lands));
  std::vector<AreaDataHgss> areas;
  for (size_t i = 0; i < g.areas.size(); ++i) {
    const AreaData& a = g.areas[i];
    areas.push_back({a.map_prop_archives_id, a.map_texture_archive_id, 0xFFFF, u8(rooms.empty() || i != 2),
                     u8(a.area_light_archive_id)});
  }
  out.files["a/0/4/2"] = archive_of(all_bytes_of(areas));
  out.files["a/1/4/8"] = archive_of(all_bytes_of(rooms.empty() ? g.props : rooms));
  std::vector<MapHeaderHgss> headers;
  for (const MapHeader& h : g.headers) {
    MapHeaderHgss x{};
    x.area_data_archive_id = u8(h.area_data_archive_id), x.map_matrix_id = h.map_matrix_id;
    x.events_archive_id = h.events_archive_id, x.day_music_id = x.night_music_id = 1000;
    headers.push_back(x);
  }
  out.files["arm9.bin"] = program_of(std::move(headers));
  return out;
}

MemoryTree files_of(const GameSample& g, Edition edition) {
  if (edition == Edition::diamond_pearl) return as_diamond(g);
  if (edition == Edition::heart_gold_soul_silver) return as_heart_gold(g);
  return g.files();
}

}  // namespace dio::platinum
