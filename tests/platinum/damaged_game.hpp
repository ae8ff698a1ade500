// damaged_game.hpp: a small game, with one fault after another put into it. For tests only.
#pragma once
#include <map>
#include <ostream>

#include "formats/platinum/game/file_roles.hpp"
#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "samples/nitro/parts.hpp"
#include "samples/platinum/games.hpp"

namespace dio::platinum {

/// What breaks a rule that is about several files of a game.
struct Fault {
  std::string_view id;
  Severity severity;
  std::string_view file, path, found;       // parts of them
  void (*plant)(GameSample&);               // null: with_misplaced_palette()
  std::vector<std::string_view> also = {};  // rules that the same fault breaks
};

/// What tests call it.
inline void PrintTo(const Fault& f, std::ostream* out) { *out << f.id; }

inline nitro::Texture& texture(nitro::Nsbtx& file, std::string_view name) {
  for (auto& t : file.textures.textures)
    if (t.name == name) return t;
  return file.textures.textures.front();
}
/// A texture of that many bytes.
inline nitro::Texture huge(u8 format, u8 width_code, u8 height_code) {
  nitro::Texture t{};
  t.name = "huge";
  t.format = format, t.width_code = width_code, t.height_code = height_code;
  t.texels.resize(size_t(t.texel_size()));
  if (format == nitro::k_block4x4) t.blocks.resize(size_t(t.texel_size() / 2));
  return t;
}

inline const Fault k_faults[] = {
    {"platinum.counts", Severity::error, "bm_anime_list.narc", "", "4 entries; it must have 5",
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
       auto plate = find_plate_shape(g.lands[3].bdhc, 0);
       plate->high.z = {(6 * k_tile_units - k_half_map) * 4096};  // the last row of the room is not on it
       plate->high.z.raw -= 4096 * k_tile_units;
       if (!replace_plate(g.lands[3].bdhc, 0, *plate)) return;
       g.events[3].warp_events[0].z = 3;
     },
     {"platinum.warp-tile"}},
    {"platinum.land-seam", Severity::warning, "map_matrix.narc/0", "land_data_ids[0][0]", "up to 40 units high",
     [](GameSample& g) {
       Bdhc& b = g.lands[0].bdhc;
       auto plate = find_plate_shape(b, 0);
       const auto higher = raise_plane_constant(*plate, 40);
       if (!higher) return;
       plate->constant = *higher;
       if (!replace_plate(b, 0, *plate)) return;
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
     "has 2 joints, but prop 3 (door) has 1", [](GameSample& g) { g.anime_lists[3].anime_ids[0] = 0; }},
    {"platinum.animation-fits", Severity::warning, "bm_anime_list.narc/3", "anime_ids[0]",
     "animates materials that prop 3 (door) does not have: flag_m",
     [](GameSample& g) { g.anime_lists[3].anime_ids[0] = 1; }},
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
    {"platinum.draw-model-range", Severity::error, "matshp.dat", "models[4]", "1 draw starting at draw 3",
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
    {"platinum.event-place", Severity::warning, "zone_event.narc/1", "object_events[0]", "tile 60, 16",
     [](GameSample& g) { g.events[1].object_events[0].x = 60; }},
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

/// Placing an edited file aligns palettes: this fault is in bytes, of textures that lie in a folder. Without files: it
/// could not be made.
inline MemoryTree with_misplaced_palette() {
  MemoryTree files = game_sample().files();
  const std::string path = "fielddata/areadata/area_map_tex/map_tex_set/";
  const auto tables = GameTables::load(files);
  if (!tables) return {};
  std::map<std::string, Bytes> sets;
  for (u32 i = 0; i < 2; ++i) {
    const auto bytes = tables->files().of(FileRole::map_textures).read(i);
    if (!bytes) return {};
    sets[path + std::to_string(i) + ".bin"] = *bytes;
  }
  Bytes& first = sets[path + "0.bin"];
  const auto spans = trace<nitro::Nsbtx>(first).spans;
  const auto spot = spans.find("textures.palettes[1].offset");
  if (!spot) return {};
  first[size_t(spot->offset)] ^= 1;
  files.files.erase("fielddata/areadata/area_map_tex/map_tex_set.narc");
  for (auto& [name, bytes] : sets) files.files[name] = std::move(bytes);
  return files;
}

}  // namespace dio::platinum
