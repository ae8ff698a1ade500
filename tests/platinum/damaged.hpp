// damaged.hpp: for each rule a file that breaks it, by as little as possible. For tests only.
#pragma once
#include "engine/broken_file.hpp"
#include "samples/platinum/table_parts.hpp"

namespace dio::platinum {

inline std::vector<test::BrokenFile> broken_tables() {
  using namespace make;
  std::vector<test::BrokenFile> all;
  /// `file` after a change, written as it then is.
  const auto edit = [&](std::string_view id, std::string_view path, std::string_view format, auto file, auto change) {
    change(file);
    all.push_back({id, path, format, bytes_of(file)});
  };

  Bytes more = bytes_of(house());
  more.push_back(0x61);
  all.push_back({"platinum.trailing-bytes", "", "map-matrix", more});

  // ---- map headers ----
  const auto header = [&](std::string_view id, std::string_view path, u8 MapHeader::* field, u8 value) {
    edit(id, path, "map-headers", headers(), [&](MapHeaders& f) { f.headers[1].*field = value; });
  };
  header("platinum.camera", "headers[1].camera_type", &MapHeader::camera_type, 17);
  header("platinum.label-window", "headers[1].map_label_window_id", &MapHeader::map_label_window_id, 10);
  header("platinum.map-type", "headers[1].map_type", &MapHeader::map_type, 7);
  header("platinum.battle-background", "headers[1].battle_bg", &MapHeader::battle_bg, 23);
  header("platinum.weather", "headers[1].weather", &MapHeader::weather, 37);
  edit("platinum.map-name", "names[1].name", "map-names", MapNames{{{"TOWN"}, {"TOWN"}}}, [](auto&) {});

  // ---- matrix ----
  const auto cells = [](size_t width, size_t height) { return Rows<u16>(height, std::vector<u16>(width, 44)); };
  edit("platinum.matrix-empty", "width", "map-matrix", house(), [](MapMatrix& f) { f.land_data_ids = {}; });
  edit("platinum.matrix-large", "width", "map-matrix", house(), [&](MapMatrix& f) { f.land_data_ids = cells(31, 30); });
  edit("platinum.matrix-prefix", "model_name_prefix", "map-matrix", house(),
       [](MapMatrix& f) { f.model_name_prefix = "seventeen_letters"; });
  edit("platinum.matrix-flags", "has_altitudes", "map-matrix", island(), [](MapMatrix& f) { f.has_altitudes = 2; });

  // ---- areas ----
  edit("platinum.area-light", "area_light_archive_id", "area-data", AreaData{6, 7, 3, 4}, [](auto&) {});
  edit("platinum.set-model", "map_prop_model_ids[1]", "area-build", AreaBuild{{26, 768}}, [](auto&) {});
  edit("platinum.set-twice", "map_prop_model_ids[2]", "area-build", AreaBuild{{26, 70, 26}}, [](auto&) {});
  edit("platinum.objects-many", "sprite_ids[24]", "mm-list", MmList{std::vector<u16>(25, 2)},
       [](MmList& f) { f.sprite_ids.push_back(k_end_of_objects); });

  // ---- props ----
  edit("platinum.anime-gap", "anime_ids[2]", "bm-anime-list", BmAnimeList{1, 0, 0, 0, {14, -1, 15, -1}}, [](auto&) {});
  edit("platinum.anime-flags", "has_animations", "bm-anime-list", BmAnimeList{1, 0xFF, 0, 0, {-1, -1, -1, -1}},
       [](auto&) {});
  edit("platinum.draw-range", "models[3].first", "matshp", draws(), [](Matshp& f) { f.models[3].count = 4; });
  edit("platinum.draw-order", "models[2].first", "matshp", draws(), [](Matshp& f) { f.models[2].first = 1; });

  // ---- animated textures, events ----
  edit("platinum.texture-frames", "textures[0].frames[0].frame", "fldtanime", water(),
       [](Fldtanime& f) { f.textures[0].frames[0].frame = k_end_of_frames; });
  edit("platinum.texture-twice", "textures[1].name", "fldtanime", water(),
       [](Fldtanime& f) { f.textures[1].name = f.textures[0].name; });
  edit("platinum.events-size", "", "zone-event", village(),
       [](ZoneEvent& f) { f.object_events.resize(62, f.object_events[0]); });
  edit("platinum.warp-unused", "warp_events[1].unused_8", "zone-event", village(),
       [](ZoneEvent& f) { f.warp_events[1].unused_8 = 1; });

  // ---- light ----
  const auto light = [&](std::string_view id, std::string_view path, auto change) {
    edit(id, path, "area-light", daylight(), [&](AreaLight& f) { change(*f.light); });
  };
  Bytes text = bytes_of(daylight());
  text.insert(text.begin(), '0');
  all.push_back({"platinum.light-grammar", "raw", "area-light", text});
  light("platinum.light-ending", "light.ending", [](LightBlocks& f) { f.ending = "\n"; });
  light("platinum.light-times", "light.blocks[1].end_time", [](LightBlocks& f) { f.blocks[1].end_time = 0; });
  light("platinum.light-color", "light.blocks[0].ambient.green",
        [](LightBlocks& f) { f.blocks[0].ambient.green = 32; });
  light("platinum.light-vector", "light.blocks[2].lights[0].z",
        [](LightBlocks& f) { f.blocks[2].lights[0].z = -4097; });
  light("platinum.light-switch", "light.blocks[0].lights[3].enabled",
        [](LightBlocks& f) { f.blocks[0].lights[3].enabled = 2; });
  return all;
}

}  // namespace dio::platinum
