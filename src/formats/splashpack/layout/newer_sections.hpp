// newer_sections.hpp: the parts of a pack that were added in v21 to v24: agents, sprites, tile maps, lights and
// streams. The targets of an element are its members. Sources: README.md, Parts.
#pragma once
#include "formats/splashpack/layout/sections.hpp"

namespace dio::splashpack {

/// A character that walks by itself. Source: engine, splashpack.cpp; exporter, PSXAgent.
struct Agent {
  static constexpr u8 k_enabled = 1, k_sees = 2, k_hears = 4, k_patrols = 8;
  static constexpr u64 k_most_waypoints = 8;
  static constexpr u8 k_no_clip = 0xFF;
  u16 object = 0;
  u8 flags = k_enabled;
  ufx16 speed{}, stop_distance{}, sight_range{};
  fx16 view_cosine{};
  ufx16 hearing_range{};
  u16 alert_timeout = 0;
  std::array<u8, 8> clips{};
  u8 portal_hops = 0;
  std::array<u8, 3> unk_19{};
  std::vector<Vec32> waypoints;
  static constexpr u64 k_least_size = 28;
  static constexpr void make_new(auto& s) { s.clips.fill(k_no_clip), s.flags = k_enabled; }
  static constexpr void layout(auto& v, auto& s) {
    v(Key("object").doc("the walking object; each object has at most one agent").words(k_index_into<"objects">),
      s.object);
    v(Key("flags").doc("bit 0: enabled; bit 1: sees; bit 2: hears; bit 3: patrols"), s.flags);
    v.count(u8{}, Key("waypoint_count").doc("at most 8"), s.waypoints);
    v(Key("speed").unit("scaling per frame").doc("walking speed at 30 frames per second"), s.speed);
    v(Key("stop_distance").unit("scaling"), s.stop_distance);
    v(Key("sight_range").unit("scaling"), s.sight_range);
    v(Key("view_cosine").doc("cosine of half the viewing angle: 1 is 0 degrees, 0 is 90, -1 is 180"), s.view_cosine);
    v(Key("hearing_range").unit("scaling"), s.hearing_range);
    v(Key("alert_timeout").unit("frames"), s.alert_timeout);
    v(Key("clips").doc("clips of the object's skin for the states idle, patrol, seek, flee, attack, wander, "
                       "investigate and custom; 255: none"),
      s.clips);
    v(Key("portal_hops").doc("number of portals through which the agent sees, at most 8"), s.portal_hops);
    v(Key("unk_19").doc("0"), s.unk_19);
  }
};

/// A texture with cells of one size. Source: engine, sprite system.
struct SpriteSheet {
  u32 name_offset = 0;
  u8 page_x = 0, page_y = 0;
  Uv origin{};
  u16 clut_x = 0, clut_y = 0;
  u8 cell_width = 0, cell_height = 0, columns = 0, rows = 0, depth = 0, unk_11 = 0;
  u16 unk_12 = 0;
  std::optional<std::string> name;
  static constexpr u64 k_least_size = 20;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("name_offset").placement(), s.name_offset);
    v(Key("page_x").unit("64 words").doc("texture page"), s.page_x);
    v(Key("page_y").unit("256 rows"), s.page_y);
    v(Key("origin").unit("texels").doc("position of cell 0 in the texture page"), s.origin);
    v(Key("clut_x").unit("16 words").doc("x of the palette in VRAM"), s.clut_x);
    v("clut_y", s.clut_y);
    v(Key("cell_width").unit("texels"), s.cell_width);
    v(Key("cell_height").unit("texels"), s.cell_height);
    v("columns", s.columns);
    v("rows", s.rows);
    v(Key("depth").words(k_depths), s.depth);
    v(Key("unk_11").doc("0"), s.unk_11);
    v(Key("unk_12").doc("0"), s.unk_12);
  }
  constexpr u32 cell_count() const { return u32(columns) * rows; }
};

/// Cells of a sheet, one after another. Source: engine, sprite system.
struct SpriteAnimation {
  u32 name_offset = 0;
  u8 sheet = 0, first_cell = 0, cell_count = 1, duration = 6, loop = 1, unk_9 = 0;
  u16 unk_a = 0;
  std::optional<std::string> name;
  static constexpr u64 k_least_size = 12;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("name_offset").placement(), s.name_offset);
    v(Key("sheet").words(k_index_into<"sprite_sheets">), s.sheet);
    v(Key("first_cell").doc("first cell of the sheet, counted row by row"), s.first_cell);
    v("cell_count", s.cell_count);
    v(Key("duration").unit("60ths of a second").doc("duration of each cell"), s.duration);
    v(Key("loop").doc("0: plays once"), s.loop);
    v(Key("unk_9").doc("0"), s.unk_9);
    v(Key("unk_a").doc("0"), s.unk_a);
  }
};

struct Tile {
  static constexpr u8 k_none = 0xFF, k_walkable = 1;
  u8 cell, flags;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("cell").doc("cell of the sheet; 255: empty"), s.cell);
    v(Key("flags").doc("bit 0: walkable"), s.flags);
  }
};
static_assert(wire_size<Tile>() == 2);

/// An object that the game puts on a tile.
struct TileObject {
  u8 kind, id;
  u16 x, y;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("kind").doc("1 to 255, defined by the scripts of the game"), s.kind);
    v("id", s.id);
    v(Key("x").unit("tiles"), s.x);
    v(Key("y").unit("tiles"), s.y);
  }
};
static_assert(wire_size<TileObject>() == 6);

/// A floor of tiles, from the origin of the scene along X and Z. Source: engine, tile system.
struct Tilemap {
  u16 width = 0, height = 0, unk_a = 0;
  u8 tile_width = 0, tile_height = 0, sheet = 0, unk_7 = 0;
  u32 tiles_offset = 0, objects_offset = 0;
  std::vector<Tile> tiles;
  std::vector<TileObject> tile_objects;
  static constexpr u64 k_least_size = 20;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("width").unit("tiles").doc("at most 256"), s.width);
    v(Key("height").unit("tiles").doc("at most 256"), s.height);
    v(Key("tile_width").unit("texels").doc("width of a cell of the sheet"), s.tile_width);
    v(Key("tile_height").unit("texels"), s.tile_height);
    v(Key("sheet").words(k_index_into<"sprite_sheets">), s.sheet);
    v(Key("unk_7").doc("0"), s.unk_7);
    v.count(u16{}, Key("tile_object_count").doc("the engine reads at most 128"), s.tile_objects);
    v(Key("unk_a").doc("0"), s.unk_a);
    v(Key("tiles_offset").placement(), s.tiles_offset);
    v(Key("objects_offset").placement(), s.objects_offset);
    v.implied(u64(s.width) * s.height, s.tiles);
  }
  static constexpr void layout_content(auto& v, auto& s) {
    list_at(v, s.tiles_offset, Key("tiles").doc("row by row"), s.tiles);
    if (!v.reading() && s.tile_objects.empty())
      return v.derive(s.objects_offset, 0u), v("tile_objects", s.tile_objects);
    if (v.growing() && s.tile_objects.empty()) return void(v("tile_objects", s.tile_objects));
    v.at(0, to(s.objects_offset).align(2), Key("tile_objects").doc("row by row"), s.tile_objects);
  }
};

/// A runtime light, which scripts can move. Source: engine, light math.
struct PackLight {
  static constexpr u8 k_on = 1;
  Vec32 position{};
  fx32 radius{};
  ufx16 intensity{};
  u8 red = 255, green = 255, blue = 255, flags = k_on;
  u16 unk_16 = 0;
  u32 name_offset = 0;
  std::optional<std::string> name;
  static constexpr u64 k_least_size = 28;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("position").unit("scaling"), s.position);
    v(Key("radius").unit("scaling").doc("distance at which the light ends"), s.radius);
    v(Key("intensity").doc("1: as bright as the colour of the light"), s.intensity);
    v("red", s.red);
    v("green", s.green);
    v("blue", s.blue);
    v(Key("flags").doc("bit 0: initially on"), s.flags);
    v(Key("unk_16").doc("0"), s.unk_16);
    v(Key("name_offset").placement(), s.name_offset);
  }
};

struct LightTable {
  u16 unk_2 = 0;
  std::vector<PackLight> entries;
  static constexpr u64 k_least_size = 4;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u16{}, Key("light_count").doc("the engine reads at most 16; the first 4 lights that reach a mesh light it"),
            s.entries);
    v(Key("unk_2").doc("0"), s.unk_2);
    v("entries", s.entries);
  }
};

/// A part of the .geo file that is loaded when the player is near. Source: engine, stream planner.
struct StreamRegion {
  fx32 min_x, min_z, max_x, max_z;
  u32 sector, size;
  u16 first_ref, ref_count;
  u32 unk_1c;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("min_x").unit("scaling"), s.min_x);
    v(Key("min_z").unit("scaling"), s.min_z);
    v(Key("max_x").unit("scaling"), s.max_x);
    v(Key("max_z").unit("scaling"), s.max_z);
    v(Key("sector").unit("2048 bytes").doc("first sector of the region in the .geo file"), s.sector);
    v(Key("size").unit("bytes").doc("a multiple of 2048"), s.size);
    v(Key("first_ref").doc("index into refs").words(k_run_of<"refs", "ref_count">), s.first_ref);
    v("ref_count", s.ref_count);
    v(Key("unk_1c").doc("0"), s.unk_1c);
  }
};
static_assert(wire_size<StreamRegion>() == 32);

/// An object whose triangles are in a region of the .geo file.
struct StreamRef {
  u16 object, triangle_count;
  u32 offset;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("object").doc("the streamed object, which has no triangles in the pack").words(k_index_into<"objects">),
      s.object);
    v("triangle_count", s.triangle_count);
    v(Key("offset").unit("bytes").doc("offset of the triangles in the region, 52 bytes each"), s.offset);
  }
};
static_assert(wire_size<StreamRef>() == 8);

/// The parts of the scene that are loaded during play. Source: engine, world streamer.
struct WorldStream {
  u16 slot_count = 0, unk_6 = 0;
  u32 slot_size = 0;
  fx32 load_radius{}, unload_radius{};
  std::vector<StreamRegion> regions;
  std::vector<StreamRef> refs;
  static constexpr u64 k_sector = 2048, k_triangle = 52;
  static constexpr u64 k_least_size = 20;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u16{}, "region_count", s.regions);
    v.count(u16{}, "stream_ref_count", s.refs);
    v(Key("slot_count").doc("number of regions in memory, at most 32"), s.slot_count);
    v(Key("unk_6").doc("0"), s.unk_6);
    v(Key("slot_size").unit("bytes").doc("size of the largest region"), s.slot_size);
    v(Key("load_radius").unit("scaling"), s.load_radius);
    v(Key("unload_radius").unit("scaling").doc("larger than load_radius"), s.unload_radius);
    v("regions", s.regions);
    v("refs", s.refs);
  }
};

}  // namespace dio::splashpack
