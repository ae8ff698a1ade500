// tables.hpp: the small files that define the position and parts of each map. Each structure is described once.
// Sources: README.md.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "formats/platinum/layout/area_light.hpp"
#include "formats/platinum/layout/enum_names.hpp"
#include "formats/platinum/layout/header_table.hpp"
#include "layout/reference.hpp"
#include "layout/sizer.hpp"

namespace dio::platinum {

inline constexpr u16 k_no_encounters = 0xFFFF;   // as wild_encounters_archive_id
inline constexpr u16 k_no_land = 0xFFFF;         // as a cell of a matrix
inline constexpr u16 k_no_draws = 0xFFFF;        // as the first draw of a model that has none
inline constexpr u16 k_end_of_objects = 0xFFFF;  // ends a list of objects
inline constexpr u8 k_end_of_frames = 0xFF;      // ends a texture animation
inline constexpr EnumName k_filler_header[] = {{0, "none"}}, k_by_program[] = {{4095, "chosen by the program"}};
inline constexpr u32 k_most_prop_models = 768;  // limit of the game
inline constexpr size_t k_most_cells = 900;     // the game's limit for a matrix
inline constexpr u64 k_events_room = 2047;      // bytes of an events file
inline constexpr i32 k_no_anime = -1;           // as an animation of a prop

// ---- map headers ----

/// A map header of Platinum.
struct MapHeader {
  u8 area_data_archive_id, preloaded_map_objects_archive_id;
  u16 map_matrix_id, scripts_archive_id, init_scripts_archive_id, msg_archive_id, day_music_id, night_music_id,
      wild_encounters_archive_id, events_archive_id;
  u8 map_label_text_id, map_label_window_id, weather, camera_type;
  u8 map_type, battle_bg, is_bike_allowed, is_running_allowed, is_escape_rope_allowed, is_fly_allowed;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("area_data_archive_id").doc("member of area_data").words(k_part<"area">), s.area_data_archive_id);
    v(Key("preloaded_map_objects_archive_id").doc("member of move_model_list").words(k_part<"objects">),
      s.preloaded_map_objects_archive_id);
    v(Key("map_matrix_id").doc("member of map_matrix").words(k_part<"matrix">), s.map_matrix_id);
    v("scripts_archive_id", s.scripts_archive_id);
    v("init_scripts_archive_id", s.init_scripts_archive_id);
    v("msg_archive_id", s.msg_archive_id);
    v("day_music_id", s.day_music_id);
    v("night_music_id", s.night_music_id);
    v(Key("wild_encounters_archive_id").doc("65535: no encounters"), s.wild_encounters_archive_id);
    v(Key("events_archive_id").doc("member of zone_event").words(k_part<"events">), s.events_archive_id);
    v("map_label_text_id", s.map_label_text_id);
    v(Key("map_label_window_id").doc("background of the map's name, 0 to 9"), s.map_label_window_id);
    v(Key("weather").words(k_weathers), s.weather);
    v(Key("camera_type").words(k_cameras), s.camera_type);
    v.bits(u16{}, bit<1>("is_fly_allowed", s.is_fly_allowed),
           bit<1>("is_escape_rope_allowed", s.is_escape_rope_allowed),
           bit<1>("is_running_allowed", s.is_running_allowed), bit<1>("is_bike_allowed", s.is_bike_allowed),
           bit<5>(Key("battle_bg").words(k_battle_bgs), s.battle_bg),
           bit<7>(Key("map_type").words(k_map_types), s.map_type));
  }
};
static_assert(wire_size<MapHeader>() == k_header_size && FixedSize<MapHeader>);

/// A map header of Diamond and Pearl. Not tested on data.
struct MapHeaderDp {
  u8 area_data_archive_id, preloaded_map_objects_archive_id;
  u16 map_matrix_id, scripts_archive_id, init_scripts_archive_id, msg_archive_id, day_music_id, night_music_id,
      wild_encounters_archive_id, events_archive_id, map_label_text_id;
  u8 weather, camera_type, map_type;
  u8 battle_bg, flags;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("area_data_archive_id").words(k_part<"area">), s.area_data_archive_id);
    v(Key("preloaded_map_objects_archive_id").words(k_part<"objects">), s.preloaded_map_objects_archive_id);
    v(Key("map_matrix_id").words(k_part<"matrix">), s.map_matrix_id);
    v("scripts_archive_id", s.scripts_archive_id);
    v("init_scripts_archive_id", s.init_scripts_archive_id);
    v("msg_archive_id", s.msg_archive_id);
    v("day_music_id", s.day_music_id);
    v("night_music_id", s.night_music_id);
    v(Key("wild_encounters_archive_id").doc("65535: no encounters"), s.wild_encounters_archive_id);
    v(Key("events_archive_id").words(k_part<"events">), s.events_archive_id);
    v("map_label_text_id", s.map_label_text_id);
    v("weather", s.weather);
    v("camera_type", s.camera_type);
    v(Key("map_type").words(k_map_types), s.map_type);
    v.bits(u8{}, bit<4>("flags", s.flags), bit<4>("battle_bg", s.battle_bg));
  }
};
static_assert(wire_size<MapHeaderDp>() == k_header_size && FixedSize<MapHeaderDp>);

/// A map header of HeartGold and SoulSilver. Not tested on data.
struct MapHeaderHgss {
  u8 wild_encounters_archive_id, area_data_archive_id;
  u8 unk_2, world_x, world_y;  // bits of a u16
  u16 map_matrix_id, scripts_archive_id, init_scripts_archive_id, msg_archive_id, day_music_id, night_music_id,
      events_archive_id;
  u8 map_label_text_id;
  u8 area_icon, mom_call;                                                      // bits of a byte
  u8 is_kanto, weather, map_type, camera_type, follow_mode, battle_bg, flags;  // bits of a u32
  static constexpr void layout(auto& v, auto& s) {
    v(Key("wild_encounters_archive_id").doc("255: no encounters"), s.wild_encounters_archive_id);
    v(Key("area_data_archive_id").words(k_part<"area">), s.area_data_archive_id);
    v.bits(u16{}, bit<6>("world_y", s.world_y), bit<6>("world_x", s.world_x), bit<4>("unk_2", s.unk_2));
    v(Key("map_matrix_id").words(k_part<"matrix">), s.map_matrix_id);
    v("scripts_archive_id", s.scripts_archive_id);
    v("init_scripts_archive_id", s.init_scripts_archive_id);
    v("msg_archive_id", s.msg_archive_id);
    v("day_music_id", s.day_music_id);
    v("night_music_id", s.night_music_id);
    v(Key("events_archive_id").words(k_part<"events">), s.events_archive_id);
    v("map_label_text_id", s.map_label_text_id);
    v.bits(u8{}, bit<4>("mom_call", s.mom_call), bit<4>("area_icon", s.area_icon));
    v.bits(u32{}, bit<7>("flags", s.flags), bit<5>("battle_bg", s.battle_bg), bit<2>("follow_mode", s.follow_mode),
           bit<6>("camera_type", s.camera_type), bit<4>("map_type", s.map_type), bit<7>("weather", s.weather),
           bit<1>("is_kanto", s.is_kanto));
  }
};
static_assert(wire_size<MapHeaderHgss>() == k_header_size && FixedSize<MapHeaderHgss>);

/// A header table in its own file.
template <class Header>
struct HeaderList {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<Header> headers;
  static constexpr void layout(auto& v, auto& s) {
    v.upto([&] { return v.total() / k_header_size; }, s.headers);
    v("headers", s.headers);
  }
};
using MapHeaders = HeaderList<MapHeader>;
using MapHeadersDp = HeaderList<MapHeaderDp>;
using MapHeadersHgss = HeaderList<MapHeaderHgss>;

/// The unpacked program of the game; only its header table is described. The table keeps its position and length,
/// because the program contains its address.
struct Arm9 {
  static constexpr std::endian k_order = std::endian::little;
  Bytes before;
  u64 header_count;
  std::vector<MapHeader> headers;
  Bytes after;
  static constexpr void layout(auto& v, auto& s) {
    HeaderTable table{};
    v.infer("header_count", s.header_count, [&] {
      if (const auto found = find_header_table(v.ahead())) table = *found;
      return u64(table.count);
    });
    v.require(s.header_count != 0, "a table of map headers");
    v.upto([&] { return table.offset; }, s.before);
    v(Key("before").doc("the program before the table"), s.before);
    v.implied(s.header_count, s.headers);
    v("headers", s.headers);
    v.upto([&] { return v.total() - v.here(); }, s.after);
    v(Key("after").doc("the program after the table"), s.after);
  }
};

/// An entry of the name table.
struct MapName {
  static constexpr u64 k_least_size = 16;
  std::string name;
  static constexpr void layout(auto& v, auto& s) { v.text(16, "name", s.name); }
};
/// mapname.bin: the developers' names of the headers.
struct MapNames {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<MapName> names;
  static constexpr void layout(auto& v, auto& s) {
    v.upto([&] { return v.total() / MapName::k_least_size; }, s.names);
    v("names", s.names);
  }
};

// ---- map matrix ----

/// Rows of a matrix, the northernmost first; cells from west to east.
template <class Cell>
using Rows = std::vector<std::vector<Cell>>;

/// Positions of lands. Absent lists are empty: all cells then have the entered header, or altitude 0.
struct MapMatrix {
  static constexpr std::endian k_order = std::endian::little;
  u8 width, height, has_map_header_ids, has_altitudes;
  std::string model_name_prefix;
  Rows<u16> map_header_ids;
  Rows<u16> altitudes;  // bytes in the file
  Rows<u16> land_data_ids;
  static constexpr void layout(auto& v, auto& s) {
    v.derive(s.height, s.land_data_ids.size());
    v.derive(s.width, s.land_data_ids.empty() ? 0 : s.land_data_ids[0].size());
    v.derive(s.has_map_header_ids, s.map_header_ids.empty() ? 0 : std::max<u8>(s.has_map_header_ids, 1));
    v.derive(s.has_altitudes, s.altitudes.empty() ? 0 : std::max<u8>(s.has_altitudes, 1));
    v(Key("width").unit("cells").doc("from west to east"), s.width);
    v(Key("height").unit("cells").doc("from north to south"), s.height);
    v("has_map_header_ids", s.has_map_header_ids);
    v("has_altitudes", s.has_altitudes);
    v.count(u8{}, "model_name_prefix", s.model_name_prefix);
    v("model_name_prefix", s.model_name_prefix);
    // Writing reports the list or row with the wrong length; reading has no path for it yet.
    const auto at = [&](auto place, auto body) {
      if (v.reading())
        body();
      else
        v.inside(place, body);
    };
    const auto shape = [&](const char* list, auto& rows, bool present) {
      at(Key(list), [&] { v.implied(present && s.width ? s.height : 0, rows); });
      for (size_t i = 0; i < rows.size(); ++i) at(Element{list, i}, [&] { v.implied(s.width, rows[i]); });
    };
    shape("map_header_ids", s.map_header_ids, s.has_map_header_ids != 0);
    v(Key("map_header_ids")
          .doc("the header of each cell; 0: filler without a header of its own")
          .words(k_part_or<"header", k_filler_header>),
      s.map_header_ids);
    shape("altitudes", s.altitudes, s.has_altitudes != 0);
    v.as(u8{}, Key("altitudes").doc("altitude of the model of each cell, in steps of 8 units"), s.altitudes);
    shape("land_data_ids", s.land_data_ids, true);
    v(Key("land_data_ids").doc("member of land_data").words(k_part_or<"land", k_no_u16>), s.land_data_ids);
  }
};

// ---- areas ----

/// The props, textures and light of an area.
struct AreaData {
  static constexpr std::endian k_order = std::endian::little;
  u16 map_prop_archives_id, map_texture_archive_id, dummy, area_light_archive_id;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("map_prop_archives_id").doc("member of area_build and of areabm_texset").words(k_part<"prop-set">),
      s.map_prop_archives_id);
    v(Key("map_texture_archive_id").doc("member of map_tex_set").words(k_part<"texture-set">),
      s.map_texture_archive_id);
    v(Key("dummy").doc("the game does not use it"), s.dummy);
    v(Key("area_light_archive_id").doc("member of arealight").words(k_part<"light">), s.area_light_archive_id);
  }
};
/// An area of HeartGold and SoulSilver. Not tested on data.
struct AreaDataHgss {
  static constexpr std::endian k_order = std::endian::little;
  u16 map_prop_archives_id, map_texture_archive_id, dynamic_texture_archive_id;
  u8 area_type, area_light_archive_id;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("map_prop_archives_id").words(k_part<"prop-set">), s.map_prop_archives_id);
    v(Key("map_texture_archive_id").words(k_part<"texture-set">), s.map_texture_archive_id);
    v(Key("dynamic_texture_archive_id").doc("65535: none"), s.dynamic_texture_archive_id);
    v(Key("area_type").words(k_area_types).doc("whether the props are for rooms or for the field"), s.area_type);
    v("area_light_archive_id", s.area_light_archive_id);
  }
};

/// The props of an area.
struct AreaBuild {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<u16> map_prop_model_ids;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u16{}, "map_prop_model_ids", s.map_prop_model_ids);
    v(Key("map_prop_model_ids").doc("members of build_model").words(k_part<"prop">), s.map_prop_model_ids);
  }
};

/// The objects whose sprites a map preloads; the last number ends the list.
struct MmList {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<u16> sprite_ids;
  static constexpr void layout(auto& v, auto& s) {
    v.until(Key("sprite_ids").doc("65535 ends the list"), s.sprite_ids, [](u16 id) { return id == k_end_of_objects; });
    v.align(4);
  }
};

// ---- props ----

/// The animations of a prop.
struct BmAnimeList {
  static constexpr std::endian k_order = std::endian::little;
  u8 has_animations, flags, bicycle_slope, pad_3;
  std::array<i32, 4> anime_ids;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("has_animations").words(k_has_animations), s.has_animations);
    v(Key("flags").words(k_anime_flags), s.flags);
    v("bicycle_slope", s.bicycle_slope);
    v("pad_3", s.pad_3);
    v(Key("anime_ids")
          .doc("members of bm_anime; the first -1 ends the list")
          .words(k_part_or<"animation", k_minus_one>),
      s.anime_ids);
  }
};

/// The animations of a prop of HeartGold and SoulSilver.
struct BmAnimeListHgss {
  static constexpr std::endian k_order = std::endian::little;
  static constexpr u8 k_by_time = 8;  // flag: one animation each for morning, day, evening and night
  u8 has_animations, flags, bicycle_slope, unk_3, door_sound, unk_5, together, actions;
  std::array<i32, 4> anime_ids;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("has_animations").words(k_has_animations), s.has_animations);
    v(Key("flags").words(k_anime_flags_hgss), s.flags);
    v("bicycle_slope", s.bicycle_slope);
    v(Key("unk_3").doc("1 at doors"), s.unk_3);
    v(Key("door_sound").words(k_door_sounds), s.door_sound);
    v("unk_5", s.unk_5);
    v(Key("together").doc("animations that play at the same time"), s.together);
    v(Key("actions").doc("1: the animations keep playing; 2: they open and close"), s.actions);
    v(Key("anime_ids")
          .doc("members of bm_anime; the first -1 ends the list")
          .words(k_part_or<"animation", k_minus_one>),
      s.anime_ids);
  }
};

/// The draws of a model: `count` draws from `first`.
struct DrawRange {
  u16 count, first;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("count").doc("0: the model's own render commands (SBC) draw it"), s.count);
    v(Key("first").words(k_run_or<"draws", "count", k_no_u16>), s.first);
  }
};
/// A shape with a material.
struct Draw {
  u16 material_id, shape_id;
  bool operator==(const Draw&) const = default;
  static constexpr void layout(auto& v, auto& s) {
    v("material_id", s.material_id);
    v("shape_id", s.shape_id);
  }
};
/// build_model_matshp.dat: the order in which the shapes of each prop are drawn, and their materials.
struct Matshp {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<DrawRange> models;
  std::vector<Draw> draws;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u16{}, "models", s.models);
    v.count(u16{}, "draws", s.draws);
    v("models", s.models);
    v("draws", s.draws);
  }
};

// ---- animated map textures ----

/// A picture of an animated texture, and the number of additional game frames it stays.
struct TextureFrame {
  u8 frame, wait;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("frame").doc("index of a texture in the file of this record; 255: restart the animation"), s.frame);
    v(Key("wait").unit("frames"), s.wait);
  }
};
struct TextureAnime {
  static constexpr u64 k_least_size = 52;
  std::string name;
  std::array<TextureFrame, 18> frames;
  static constexpr void layout(auto& v, auto& s) {
    v.text(16, Key("name").doc("name of the animated texture"), s.name);
    v("frames", s.frames);
  }
};
/// Member 0 of fldtanime: the animated textures. The pictures of record i are in member i + 1.
struct Fldtanime {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<TextureAnime> textures;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u32{}, "textures", s.textures);
    v("textures", s.textures);
  }
};

// ---- events ----

/// A sign or another object to look at. x and z are matrix tiles.
struct BgEvent {
  u16 script, type;
  i32 x, z, y;
  u16 player_facing_dir, pad_12;
  static constexpr void layout(auto& v, auto& s) {
    v("script", s.script);
    v(Key("type").words(k_bg_event_types), s.type);
    v(Key("x").unit("tiles"), s.x);
    v(Key("z").unit("tiles"), s.z);
    v("y", s.y);
    v(Key("player_facing_dir").words(k_facings), s.player_facing_dir);
    v("pad_12", s.pad_12);
  }
};
static_assert(wire_size<BgEvent>() == 20);
/// A character, or an object shown as one.
struct ObjectEvent {
  u16 local_id, graphics_id, movement_type, trainer_type, hidden_flag, script;
  i16 dir;
  std::array<u16, 3> data;
  i16 movement_range_x, movement_range_z;
  u16 x, z;
  FixedPoint<i32, 16> y;
  static constexpr void layout(auto& v, auto& s) {
    v("local_id", s.local_id);
    v("graphics_id", s.graphics_id);
    v("movement_type", s.movement_type);
    v(Key("trainer_type").words(k_trainer_types), s.trainer_type);
    v("hidden_flag", s.hidden_flag);
    v("script", s.script);
    v(Key("dir").words(k_directions), s.dir);
    v("data", s.data);
    v(Key("movement_range_x").unit("tiles"), s.movement_range_x);
    v(Key("movement_range_z").unit("tiles"), s.movement_range_z);
    v(Key("x").unit("tiles"), s.x);
    v(Key("z").unit("tiles"), s.z);
    v(Key("y").unit("tiles"), s.y);
  }
};
static_assert(wire_size<ObjectEvent>() == 32);
/// A warp to another map.
struct WarpEvent {
  u16 x, z, dest_header_id, dest_warp_id;
  u32 unused_8;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("x").unit("tiles"), s.x);
    v(Key("z").unit("tiles"), s.z);
    v(Key("dest_header_id").words(k_part_or<"header", k_by_program>), s.dest_header_id);
    v(Key("dest_warp_id").doc("256: special"), s.dest_warp_id);
    v("unused_8", s.unused_8);
  }
};
static_assert(wire_size<WarpEvent>() == 12);
/// A rectangle that runs a script.
struct CoordEvent {
  u16 script, x, z, width, length, y, value, var;
  static constexpr void layout(auto& v, auto& s) {
    v("script", s.script);
    v(Key("x").unit("tiles"), s.x);
    v(Key("z").unit("tiles"), s.z);
    v(Key("width").unit("tiles"), s.width);
    v(Key("length").unit("tiles"), s.length);
    v("y", s.y);
    v("value", s.value);
    v("var", s.var);
  }
};
static_assert(wire_size<CoordEvent>() == 16);
struct ZoneEvent {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<BgEvent> bg_events;
  std::vector<ObjectEvent> object_events;
  std::vector<WarpEvent> warp_events;
  std::vector<CoordEvent> coord_events;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u32{}, "bg_events", s.bg_events);
    v("bg_events", s.bg_events);
    v.count(u32{}, "object_events", s.object_events);
    v("object_events", s.object_events);
    v.count(u32{}, "warp_events", s.warp_events);
    v("warp_events", s.warp_events);
    v.count(u32{}, "coord_events", s.coord_events);
    v("coord_events", s.coord_events);
  }
};

}  // namespace dio::platinum
