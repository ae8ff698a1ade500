#include "samples/platinum/games.hpp"

#include <cstring>

#include "formats/platinum/game/file_roles.hpp"
#include "formats/platinum/game/tables.hpp"
#include "formats/platinum/layout/behaviors.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "formats/platinum/parts.hpp"
#include "samples/nitro/parts.hpp"
#include "samples/platinum/game_parts.hpp"
#include "samples/platinum/land.hpp"
#include "samples/platinum/village.hpp"

namespace dio::platinum {

using namespace nitro::make;
using namespace make;

namespace {

constexpr u8 k_grass = 0x02, k_sea = 0x15, k_warp_south = 0x65;

// ---- textures ----

/// One of four colours.
nitro::Texture small_texture(std::string name, u32 size, u32 shift = 0) {
  return texture(std::move(name), k_palette4, 8, 8, [=](u32 x, u32 y) { return ((x + shift) / size + y / size) % 4; });
}
nitro::Texture large_texture(std::string name) {
  return texture(std::move(name), k_palette16, 16, 16, [](u32 x, u32 y) { return (x * 3 + y * 5) % 16; });
}

// ---- models ----

/// A model of one node; each part is drawn with a texture of its own.
struct Part {
  std::string texture;
  nitro::Texture like;  // size and format
  Drawing drawing;
};
nitro::Nsbmd model(std::string name, f64 scale, std::vector<Part> parts) {
  SampleModelBuilder m(std::move(name), scale);
  m.add(nitro::make::node("root"));
  m.nodedesc(0, 0, 0);
  for (Part& p : parts) {
    m.add(material(p.texture + "_m"));
    nitro::Texture texture = p.like;
    texture.name = p.texture;
    m.dress(texture, p.texture + "_pl");
    m.add(p.texture + "_s", p.drawing);
  }
  for (u8 i = 0; i < parts.size(); ++i) m.draw(i, i);
  return file_of({m.finish()});
}

/// A rectangle on the ground, in tiles from the north-western corner, at a height in units. `scale`: of the model.
Drawing floor(u32 x0, u32 z0, u32 x1, u32 z1, f64 height, f64 scale) {
  const f64 unit = 1 / scale;
  const auto at = [&](u32 tile) { return (f64(tile) * k_tile_units - k_half_map) * unit; };
  return Drawing().normal({0, 1, 0}).quad({at(x0), height * unit, at(z1)}, {at(x1) - at(x0), 0, 0},
                                          {0, 0, at(z0) - at(z1)}, f64(x1 - x0) * 16);
}
Drawing slope(u32 x0, u32 z0, u32 x1, u32 z1, f64 north, f64 south, f64 scale) {
  const f64 unit = 1 / scale;
  const auto at = [&](u32 tile) { return (f64(tile) * k_tile_units - k_half_map) * unit; };
  return Drawing().normal({0, 1, 0}).quad({at(x0), south * unit, at(z1)}, {at(x1) - at(x0), 0, 0},
                                          {0, (north - south) * unit, at(z0) - at(z1)}, f64(x1 - x0) * 16);
}

constexpr f64 k_land_scale = 64;  // as most lands have it

nitro::Nsbmd box_model(std::string name, const std::string& texture, Point low, Point high) {
  return model(std::move(name), 1, {{texture, small_texture(texture, 2), Drawing().box(low, high, 8)}});
}

/// Two nodes, one of which turns.
nitro::Nsbmd mill() {
  SampleModelBuilder m("mill");
  m.add(nitro::make::node("house"));
  m.add(nitro::make::node("wheel", {.position = {0, 6, 4.5}}));
  const nitro::Texture wood = small_texture("wood", 2), flag = small_texture("flag_0", 1);
  m.add(material("beam_m"));
  m.dress(wood, "wood_pl");
  m.add(material("flag_m"));
  m.dress(flag, "flag_pl");
  m.add("house", Drawing().box({-4, 0, -4}, {4, 7, 4}, 8));
  m.add("wheel", Drawing().box({-3, -0.5, -0.25}, {3, 0.5, 0.25}, 8));
  m.add("flag", Drawing().normal({0, 0, 1}).quad({0, 8, 0}, {3, 0, 0}, {0, 2, 0}, 8));
  m.nodedesc(0, 0, 0).draw(0, 0).draw(1, 2).nodedesc(1, 0, 1).draw(0, 1);
  return file_of({m.finish()});
}

Bytes wheel_turns() {
  return nitro::make::bytes_of(
      animation_file<nitro::Nsbca, nitro::JointAnimation>("wheel", 8, [](nitro::JointAnimation& a) {
        Rotations r;
        nitro::Track still{};
        still.identity = 1;
        nitro::Track wheel = track(1);
        wheel.rotation = turning(0, 8, [&](f64 f) { return r.pivot(2, 45 * f); });
        wheel.rotation_identity = wheel.rotation_model = 0;
        a.tracks = {still, wheel};
        a.pivots = r.pivots;
      }));
}
Bytes flag_changes() {
  return nitro::make::bytes_of(
      animation_file<nitro::Nsbtp, nitro::PatternAnimation>("flag", 8, [](nitro::PatternAnimation& a) {
        a.texture_names = {{"flag_0"}, {"flag_1"}};
        a.palette_names = {{"flag_pl"}};
        nitro::PatternTrack t{};
        t.name = "flag_m";
        t.keys = {{0, 0, 0}, {4, 1, 0}};
        t.ratio = fixed_16(0.25);
        a.materials = {t};
      }));
}
Bytes door_opens() {
  return nitro::make::bytes_of(
      animation_file<nitro::Nsbta, nitro::TextureAnimation>("door", 4, [](nitro::TextureAnimation& a) {
        nitro::TextureTrack t{};
        t.name = "door_t_m";
        t.scale_s = t.scale_t = texture_still(1);
        t.rotation = texture_still_angle(0);
        t.translation_s = texture_moving(0, true, 4, [](f64 f) { return f / 8; });
        t.translation_t = texture_still(0);
        for (nitro::TextureChannel* c : {&t.scale_s, &t.scale_t, &t.rotation, &t.translation_t}) c->last = a.frames;
        a.materials = {t};
      }));
}

// ---- lands ----

LandData town() {
  const nitro::Texture like = large_texture("");
  LandData l = land(model(
      "m_town", k_land_scale,
      {{"grass", like, floor(0, 0, 32, 32, 0, k_land_scale)}, {"path", like, floor(14, 14, 32, 18, 1, k_land_scale)}}));
  add_ground(l, 0, 0, 32, 32, 0, 0);
  set_tiles(l, 0, 0, 31, 0, k_collision);  // trees in the north and in the west
  set_tiles(l, 0, 0, 0, 31, k_collision);
  set_tiles(l, 0, 31, 31, 31, k_collision);  // towards the wood
  set_tiles(l, 6, 6, 9, 9, k_collision);     // the house
  l.attributes[9][7] = k_collision | k_door;
  set_tiles(l, 20, 20, 24, 24, k_grass);
  l.props = {prop(1, -200, 0, -200), prop(1, 200, 0, 200, 1.5), prop(2, 100, 0, -100), prop(3, -136, 0, -100)};
  return l;
}
LandData road() {
  const nitro::Texture like = large_texture(""), water = small_texture("", 2);
  LandData l = land(model("m_road", k_land_scale,
                          {{"grass", like, floor(0, 0, 16, 32, 0, k_land_scale)},
                           {"path", like, slope(16, 8, 20, 24, 32, 0, k_land_scale)},
                           {"sea", water, floor(20, 0, 32, 32, 0, k_land_scale)}}));
  add_ground(l, 0, 0, 20, 32, 0, 0);
  add_ground(l, 20, 8, 24, 24, 32, 0);
  add_ground(l, 24, 0, 32, 32, 0, 0);
  set_tiles(l, 0, 0, 31, 0, k_collision);
  set_tiles(l, 0, 31, 31, 31, k_collision);
  set_tiles(l, 20, 1, 23, 7, k_collision);
  set_tiles(l, 20, 24, 23, 30, k_collision);
  set_tiles(l, 24, 1, 31, 30, k_sea);
  set_tiles(l, 31, 1, 31, 30, k_collision | k_sea);
  l.props = {prop(1, -100, 0, 0)};
  return l;
}
LandData wood() {
  LandData l =
      land(model("m_wood", k_land_scale, {{"grass", large_texture(""), floor(0, 0, 32, 32, 0, k_land_scale)}}));
  add_ground(l, 0, 0, 32, 32, 0, 0);
  set_tiles(l, 0, 0, 31, 31, k_collision);
  return l;
}
LandData house() {
  LandData l = land(model("m_house", 32, {{"floor", large_texture(""), floor(0, 0, 8, 8, 0, 32)}}));
  add_ground(l, 0, 0, 8, 8, 0, 0);
  set_tiles(l, 0, 0, 31, 31, k_collision);
  set_tiles(l, 1, 1, 6, 6, 0);
  l.attributes[6][3] = k_warp_south;
  l.props = {prop(4, -200, 0, -200)};
  return l;
}

// ---- tables ----

MapMatrix world_matrix() {
  MapMatrix m{};
  m.width = 30, m.height = 2, m.has_map_header_ids = m.has_altitudes = 1;
  m.model_name_prefix = "map";
  m.map_header_ids = filled<u16>(30, 2, u16(k_everywhere));
  m.altitudes = filled<u16>(30, 2, 0);
  m.land_data_ids = filled<u16>(30, 2, k_no_land);
  m.map_header_ids[0][0] = 1, m.land_data_ids[0][0] = 0;
  m.map_header_ids[0][1] = 2, m.land_data_ids[0][1] = 1;
  m.land_data_ids[1][0] = m.land_data_ids[1][1] = 2;
  m.altitudes[1][1] = 2;
  return m;
}
MapMatrix room_matrix() {
  MapMatrix m{};
  m.width = m.height = 1;
  m.model_name_prefix = "house";
  m.land_data_ids = {{3}};
  return m;
}

}  // namespace

GameSample game_sample() {
  GameSample g;
  g.headers = {header(1, 0, 0, k_outdoors, k_camera_default), header(1, 0, 1, k_town, k_camera_default),
               header(1, 0, 2, k_outdoors, k_camera_default), header(2, 1, 3, k_indoors, k_camera_interior)};
  g.names = {"EVERYWHERE", "TOWN", "ROAD", "HOUSE"};
  g.matrices = {world_matrix(), room_matrix()};
  g.areas = {{0, 0, 0, 0}, {0, 0, 3, 0}, {1, 1, 0, 1}};
  g.prop_sets = {{{1, 2, 3}}, {{4}}};

  const u16 white = rgb(31, 31, 31), green = rgb(4, 20, 4), brown = rgb(12, 7, 3), blue = rgb(2, 6, 24);
  g.map_textures = {texture_file({large_texture("grass"), large_texture("path"), small_texture("sea", 2)},
                                 {colors("grass_pl", green, white, 16), colors("path_pl", brown, white, 16),
                                  colors("sea_pl", blue, white, 4)}),
                    texture_file({large_texture("floor")}, {colors("floor_pl", brown, white, 16)})};
  g.prop_textures = {texture_file({small_texture("leaves", 1), small_texture("wood", 2), small_texture("flag_0", 1),
                                   small_texture("flag_1", 1, 1), small_texture("door_t", 4)},
                                  {colors("leaves_pl", green, white, 4), colors("wood_pl", brown, white, 4),
                                   colors("flag_pl", blue, white, 4), colors("door_t_pl", brown, green, 4)}),
                     texture_file({small_texture("table_t", 4)}, {colors("table_t_pl", brown, white, 4)})};

  g.lands = {town(), road(), wood(), house()};
  nitro::Nsbmd box = box_model("box", "box_t", {-4, 0, -4}, {4, 8, 4});
  nitro::Textures own{};  // it is shown with textures of its own
  own.textures = {small_texture("box_t", 4)};
  own.palettes = {colors("box_t_pl", 0, white, 4)};
  box.textures = std::move(own);
  g.props = {std::move(box), box_model("tree", "leaves", {-6, 0, -6}, {6, 20, 6}), mill(),
             box_model("door", "door_t", {-8, 0, -1}, {8, 16, 1}),
             box_model("table", "table_t", {-8, 0, -8}, {8, 8, 8})};
  g.animations = {wheel_turns(), flag_changes(), door_opens()};
  g.anime_lists = {still(), still(), {1, 0, 0, 0, {0, 1, -1, -1}}, {1, 3, 0, 0, {2, -1, -1, -1}}, still()};
  g.draw_lists.models = {{1, 0}, {1, 1}, {0, k_no_draws}, {0, k_no_draws}, {1, 2}};
  g.draw_lists.draws = {{0, 0}, {0, 0}, {0, 0}};

  TextureAnime sea{};
  sea.name = "sea";
  sea.frames.fill({k_end_of_frames, 0});
  sea.frames[0] = {0, 7}, sea.frames[1] = {1, 7};
  g.texture_motions.textures = {sea};
  g.motion_pictures = {texture_file({small_texture("sea.1", 2), small_texture("sea.2", 2, 2)}, {})};

  g.lights = {light({light_block(14400, 8, 8, 16), light_block(36000, 31, 31, 28), light_block(43200, 8, 8, 16)}),
              light({light_block(43200, 24, 24, 24)})};
  g.objects = {{{1, 2, k_end_of_objects}}};
  g.events.resize(4);
  BgEvent sign{};
  sign.script = 1, sign.x = 12, sign.z = 12;
  g.events[1].bg_events = {sign};
  ObjectEvent girl{};
  girl.graphics_id = 5, girl.x = 16, girl.z = 16;
  g.events[1].object_events = {girl};
  g.events[1].warp_events = {warp(7, 9, 3, 0)};
  CoordEvent gate{};
  gate.script = 2, gate.x = 40, gate.z = 15, gate.width = 1, gate.length = 3;
  g.events[2].coord_events = {gate};
  g.events[3].warp_events = {warp(3, 6, 1, 0)};
  return g;
}

MemoryTree GameSample::files() const {
  MemoryTree tree;
  const auto put = [&](std::string_view role, Bytes bytes) {
    tree.files[std::string(find_file_role_path(role)->platinum)] = std::move(bytes);
  };
  MapNames all_names;
  for (const std::string& n : names) all_names.names.push_back({n});
  put("map_names", nitro::make::bytes_of(all_names));
  put("map_matrix", archive_of(all_bytes_of(matrices)));
  put("area_data", archive_of(all_bytes_of(areas)));
  put("area_build", archive_of(all_bytes_of(prop_sets)));
  put("areabm_texset", archive_of(all_bytes_of(prop_textures)));
  put("map_tex_set", archive_of(all_bytes_of(map_textures)));
  put("arealight", archive_of(all_bytes_of(lights)));
  put("land_data", archive_of(all_bytes_of(lands)));
  put("build_model", archive_of(all_bytes_of(props)));
  put("matshp", nitro::make::bytes_of(draw_lists));
  put("bm_anime", archive_of(animations));
  put("bm_anime_list", archive_of(all_bytes_of(anime_lists)));
  std::vector<Bytes> motions = all_bytes_of(motion_pictures);
  motions.insert(motions.begin(), nitro::make::bytes_of(texture_motions));
  put("fldtanime", archive_of(std::move(motions)));
  put("mm_list", archive_of(all_bytes_of(objects)));
  put("zone_event", archive_of(all_bytes_of(events)));
  tree.files["_system/arm9.bin"] = program_of(headers);
  return tree;
}

NdsRom GameSample::cartridge() const {
  NdsRom rom;
  std::memcpy(rom.header.title.data(), "DIORAMA", 7);
  std::memcpy(rom.header.game_code.data(), "ADIE", 4);
  std::memcpy(rom.header.maker_code.data(), "00", 2);
  rom.header.arm9.entry = rom.header.arm9.address = 0x02000000;
  rom.header.arm7.entry = rom.header.arm7.address = 0x02380000;
  rom.header.header_size = 0x200;
  rom.header.logo_checksum = 0xCF56;
  rom.header_rest.resize(size_t(NdsRom::header_rest_size(rom.header)));
  rom.arm7 = Bytes(16);
  rom.banner.resize(size_t(NdsRom::banner_size(1)));
  rom.banner[0] = 1;
  MemoryTree tree = files();
  rom.arm9 = std::move(tree.files["_system/arm9.bin"]);
  tree.files.erase("_system/arm9.bin");
  std::vector<u16> numbers;
  if (auto table = build_name_table(tree.list(), 0, numbers)) rom.names = std::move(*table);
  rom.files.resize(tree.files.size());
  size_t i = 0;
  for (auto& [path, bytes] : tree.files) rom.files[numbers[i++]].content = std::move(bytes);
  return rom;
}

std::vector<Sample> game_samples() {
  return {{"small_game.nds", "a whole small game: a town, a road and a house, with all that their maps need",
           nitro::make::bytes_of(game_sample().cartridge())},
          {"village.nds", "a village at a lake: houses, a mill whose sails turn, day and night",
           nitro::make::bytes_of(village_sample().cartridge())}};
}

}  // namespace dio::platinum
