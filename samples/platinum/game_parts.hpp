// game_parts.hpp: what sample games of Platinum are made of: rows of tables, tiles and heights of lands, lights.
#pragma once
#include "containers/nitro_fs/narc.hpp"
#include "formats/platinum/layout/behaviors.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "formats/platinum/parts.hpp"
#include "samples/nitro/parts.hpp"
#include "samples/platinum/games.hpp"

namespace dio::platinum::make {

using nitro::make::fixed;
using nitro::make::palette;
using nitro::make::ramp;

inline constexpr u8 k_palette4 = 2, k_palette16 = 3;
inline constexpr u8 k_camera_default = 0, k_camera_interior = 4;
inline constexpr u8 k_town = 1, k_outdoors = 2, k_indoors = 4;

inline nitro::Palette colors(std::string name, u16 from, u16 to, u32 count) {
  return palette(std::move(name), ramp(from, to, count));
}

inline nitro::Nsbtx texture_file(std::vector<nitro::Texture> textures, std::vector<nitro::Palette> palettes) {
  nitro::Nsbtx f{};
  f.header.version = 1;
  f.textures.textures = std::move(textures);
  f.textures.palettes = std::move(palettes);
  return f;
}

template <class File, class Animation>
File animation_file(std::string name, u16 frames, const auto& fill) {
  File f{};
  f.header.version = 1;
  Animation a{};
  a.name = std::move(name);
  a.frames = frames;
  fill(a);
  f.animations = {std::move(a)};
  return f;
}

inline Prop prop(u32 model_id, f64 x, f64 y, f64 z, f64 scale = 1) {
  return {model_id, {fixed(x), fixed(y), fixed(z)}, {}, {fixed(scale), fixed(scale), fixed(scale)}, {}};
}

/// Tiles of one kind in a rectangle, the last ones included.
inline void set_tiles(LandData& land, u32 x0, u32 z0, u32 x1, u32 z1, u16 tile) {
  for (u32 z = z0; z <= z1; ++z)
    for (u32 x = x0; x <= x1; ++x) land.attributes[z][x] = tile;
}

inline void add_ground(LandData& land, u32 x0, u32 z0, u32 x1, u32 z1, f64 north, f64 south) {
  const auto at = [](u32 tile) { return fx32{(i32(tile) * k_tile_units - k_half_map) * 4096}; };
  if (const auto plate = make_plate_through({at(x0), at(z0)}, {at(x1), at(z1)}, north, north, south))
    (void)add_plate(land.bdhc, *plate);
}

inline LandData land(nitro::Nsbmd model) {
  LandData l{};
  l.attributes.resize(k_tiles);
  l.model = std::move(model);
  l.bdhc.magic = fourcc("BDHC");
  return l;
}

inline MapHeader header(u8 area, u16 matrix, u16 events, u8 type, u8 camera) {
  MapHeader h{};
  h.area_data_archive_id = area;
  h.map_matrix_id = matrix;
  h.day_music_id = h.night_music_id = 1000;
  h.wild_encounters_archive_id = k_no_encounters;
  h.events_archive_id = events;
  h.map_type = type;
  h.camera_type = camera;
  h.is_running_allowed = 1;
  return h;
}

template <class Cell>
Rows<Cell> filled(u32 width, u32 height, Cell with) {
  return Rows<Cell>(height, std::vector<Cell>(width, with));
}

inline LightBlock light_block(i32 end, i32 red, i32 green, i32 blue) {
  LightBlock b{};
  b.end_time = end;
  b.lights[0] = {1, red, green, blue, -2048, -2896, -2048};
  b.diffuse = {red, green, blue};
  b.ambient = {red / 2, green / 2, blue / 2};
  return b;
}

inline AreaLight light(std::vector<LightBlock> blocks) {
  AreaLight l;
  l.light = LightBlocks{std::move(blocks), "\r\n"};
  return l;
}

template <class T>
std::vector<Bytes> all_bytes_of(const std::vector<T>& files) {
  std::vector<Bytes> out;
  for (const T& f : files) out.push_back(nitro::make::bytes_of(f));
  return out;
}
inline Bytes archive_of(std::vector<Bytes> files) { return nitro::make::bytes_of(make_narc(std::move(files))); }

/// A program: words that are no headers, with the table in the middle.
template <class Header>
Bytes program_of(std::vector<Header> headers) {
  Bytes out(0x400, 0xFF);
  HeaderList<Header> table;
  table.headers = std::move(headers);
  const Bytes bytes = nitro::make::bytes_of(table);
  out.insert(out.end(), bytes.begin(), bytes.end());
  out.insert(out.end(), 0x100, 0xFF);
  return out;
}

inline BmAnimeList still() { return {0xFF, 0xFF, 0, 0, {-1, -1, -1, -1}}; }

inline WarpEvent warp(u16 x, u16 z, u16 header, u16 to) { return {x, z, header, to, 0}; }

}  // namespace dio::platinum::make
