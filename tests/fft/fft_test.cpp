// fft_test.cpp: tests specific to map files, with hand-computed bytes. every_format_test.cpp covers the properties that
// all formats share.
#include <gtest/gtest.h>

#include "formats/contract/format.hpp"
#include "formats/fft/game/map_names.hpp"
#include "formats/registry.hpp"
#include "invented/expect_laws.hpp"
#include "samples/fft/maps.hpp"

namespace dio::fft {
namespace {

using test::as_hex;
using test::hex;

template <class T>
T loaded(const Bytes& bytes) {
  auto d = load<T>(bytes);
  EXPECT_TRUE(d) << format_one_line(d.error());
  return d ? d->document.value() : T{};
}
template <class T>
T record(const Bytes& bytes) {
  Reader r(bytes, std::endian::little);
  T x{};
  r("", x);
  EXPECT_FALSE(r.failure);
  return x;
}

TEST(FftNames, ParsesMapFileNames) {
  for (const char* path : {"MAP/MAP001.9", "map001.9", "MAP001.9;1", "Map/Map001.9;1"}) {
    const auto name = parse_map_name(path);
    ASSERT_TRUE(name) << path;
    EXPECT_EQ(name->map, "MAP001") << path;
    EXPECT_EQ(name->number, 1u) << path;
    EXPECT_EQ(name->file, 9u) << path;
  }
  const auto list = parse_map_name("map125.gns");
  ASSERT_TRUE(list);
  EXPECT_EQ(list->number, 125u);
  EXPECT_FALSE(list->file);
  for (const char* path : {"MAP001", "MAP001.", "MAP1.9", "MAP0001.9", "MAP001.9X", "MAP001.-9", "MAP+01.9",
                           "XMAP001.9", "MAP001.9/x", "MAP001.99999999999", ""})
    EXPECT_FALSE(parse_map_name(path)) << path;
}

/// The first row of the game's MAP001.GNS [wiki], followed by the shortest valid end.
TEST(FftGns, ReadsTheFirstRowOfAMap) {
  const Gns g =
      loaded<Gns>(hex("22 00 00 00 01 17 33 33  2b 27 00 00 00 00 02 00  55 66 77 88"
                      "22 00 00 00 01 80 33 33  00 00 00 00 00 00 00 00  55 66 77 88"
                      "00 00 00 00 00 00 00 00"));
  ASSERT_EQ(g.rows.size(), 2u);
  EXPECT_EQ(g.rows[0].variable, 0x22);
  EXPECT_EQ(g.rows[0].type, 0x17);
  EXPECT_EQ(g.rows[0].lba, 10027u);
  EXPECT_EQ(g.rows[0].length, 131072u);
  EXPECT_TRUE(g.rows[0].is_file());
  ASSERT_EQ(g.commands.size(), 1u);
}

/// Bit 15 night, 14-12 weather, 11-0 arrangement: 0xC002 = 1 100 000000000010.
TEST(FftGns, DecodesTheStateWord) {
  const StateWord s = record<StateWord>(hex("02 c0"));
  EXPECT_TRUE(s.night);
  EXPECT_EQ(s.weather, 4);
  EXPECT_EQ(s.arrangement, 2);
  EXPECT_EQ(s.word(), 0xC002);
}

/// A command row of 0x1C bytes has a payload of 16 bytes.
TEST(FftGns, ReadsLongCommands) {
  const Gns g =
      loaded<Gns>(hex("22 00 00 00 01 80 33 33  00 00 00 00 00 00 00 00  55 66 77 88"
                      "22 00 00 00 01 83 33 33  1c 00 00 00 90 ff e0 ff 90 ff 00 00 00 00 00 00 00 00 00 00"
                      "22 00 00 00 01 86 33 33  14 00 00 00 00 00 00 00 00 00 00 00"
                      "00 00 00 00 00 00 00 00"));
  ASSERT_EQ(g.commands.size(), 3u);
  EXPECT_EQ(g.commands[0].type, 0x83);
  EXPECT_EQ(g.commands[0].payload.size(), 16u);
  EXPECT_EQ(g.commands[1].payload.size(), 8u);
}
TEST(FftGns, RejectsCommandsOfLengthZero) {
  const Bytes bytes =
      hex("22 00 00 00 01 80 33 33  00 00 00 00 00 00 00 00  55 66 77 88"
          "22 00 00 00 01 83 33 33  00 00 00 00 00 00 00 00");
  const auto d = load<Gns>(bytes);
  ASSERT_FALSE(d);  // the game would never continue
  EXPECT_EQ(d.error().place.path, "commands[0]");
}

/// One textured triangle, computed by hand: CLUT word 0x7805 = 0 111100000 000101: row 480, palette 5. Texture page
/// word 0x00BE = 0000000 01 01 1 11 10: depth 1, blend 1, lower half, image 3, page 2. Tile FE FF: none. Tile 0B 04: z
/// 5, level 1, x 4.
TEST(FftMesh, DecodesTheFieldsOfAPolygon) {
  const Bytes chunk =
      hex("01 00 00 00 00 00 00 00"
          "01 00 02 00 03 00  04 00 05 00 06 00  ff ff fe ff fd ff"
          "00 10 00 00 00 f0  00 00 00 08 00 00  00 00 00 00 00 10"
          "10 20 05 78  11 21 be 00  12 22"
          "0b 04");
  Bytes file(k_mesh_header);
  file[4 * Mesh::k_primary_slot] = u8(k_mesh_header);
  file.insert(file.end(), chunk.begin(), chunk.end());
  const Mesh m = loaded<Mesh>(file);
  ASSERT_TRUE(m.primary);
  ASSERT_EQ(m.primary->textured_triangles.size(), 1u);
  const TexturedTriangle& t = m.primary->textured_triangles[0];
  EXPECT_EQ(t.positions[2], (Position{-1, -2, -3}));
  EXPECT_EQ(t.normals[0], (Normal{{4096}, {0}, {-4096}}));
  EXPECT_EQ(t.normals[1].y.value(), 0.5);
  EXPECT_EQ(t.uvs[0], (Uv{0x10, 0x20}));
  EXPECT_EQ(t.uvs[2], (Uv{0x12, 0x22}));
  EXPECT_EQ(t.palette, 5);
  EXPECT_EQ(t.clut_y, 480);
  EXPECT_EQ(t.clut_unk_15, 0);
  EXPECT_EQ(t.color_depth, 1);
  EXPECT_EQ(t.blend, 1);
  EXPECT_EQ(t.page_y, 1);
  EXPECT_EQ(t.image, 3);
  EXPECT_EQ(t.page, 2);
  EXPECT_EQ(t.page_unk_9, 0);
  EXPECT_EQ(t.tile, (TileBinding{5, 1, 4}));
  EXPECT_TRUE((TileBinding{127, 0, 255}.is_none()));
  EXPECT_TRUE(record<TileBinding>(hex("fe ff")).is_none());
}

/// 0x8000: only the lit bit. 0x2002: bit 13, south-west, is the highest of the twelve; bit 1 is unknown.
TEST(FftMesh, DecodesTheRenderWord) {
  EXPECT_EQ(record<RenderWord>(hex("00 80")), k_plain_render);
  const RenderWord w = record<RenderWord>(hex("02 20"));
  EXPECT_EQ(w.lit, 0);
  EXPECT_EQ(w.hidden_from, 0x800);
  EXPECT_EQ(k_hidden.of(w.hidden_from), "SW");
  EXPECT_EQ(w.unk_1, 1);
}

/// 0x8B B1 in the wiki: 0xB18B = 1 01100 01100 01011: STP, blue 12, green 12, red 11.
TEST(FftMesh, DecodesAPaletteColor) { EXPECT_EQ(record<Color>(hex("8b b1")), (Color{1, 12, 12, 11})); }

/// Byte 3 = 0x65: depth 3, slope height 5. Byte 5 = 0x47: marks 2, thickness 7. Byte 6 = 0x8E = 1 000 11 1 0.
TEST(FftMesh, DecodesATerrainTile) {
  const TerrainTile t = record<TerrainTile>(hex("83 11 07 65 85 47 8e 21"));
  EXPECT_EQ(t.unk_0, 2);
  EXPECT_EQ(k_surfaces.of(t.surface), "grassland");
  EXPECT_EQ(t.unk_1, 0x11);
  EXPECT_EQ(t.height, 7);
  EXPECT_EQ(t.depth, 3);
  EXPECT_EQ(t.slope_height, 5);
  EXPECT_EQ(k_slopes.of(t.slope), "incline N");
  EXPECT_EQ(t.marks, 2);
  EXPECT_EQ(t.thickness, 7);
  EXPECT_TRUE(t.pass_only);
  EXPECT_EQ(t.shading, 3);
  EXPECT_TRUE(t.untargetable);
  EXPECT_FALSE(t.absent);
  EXPECT_EQ(t.cameras, 0x21);
}

/// MAP125 has 17 x 16 tiles: level 0 continues into level 1, and level 1 ends before its last tiles.
TEST(FftMesh, FindsTilesAcrossLevels) {
  Terrain t{};
  t.size_x = 17, t.size_z = 16;
  EXPECT_EQ(Terrain::tile(t, 0, 16, 14), &t.levels[0][14 * 17 + 16]);
  EXPECT_EQ(Terrain::tile(t, 0, 1, 15), &t.levels[1][0]);
  EXPECT_EQ(Terrain::tile(t, 1, 0, 15), &t.levels[1][255]);
  EXPECT_EQ(Terrain::tile(t, 1, 1, 15), nullptr);
  EXPECT_EQ(Terrain::tile(t, 0, 17, 0), nullptr);
}

/// Slot 1 of MAP062.8 [exr]: canvas at (68, 58) of page 1, 28 x 70 texels, frames from (36, 178) of page 0, 3 of 15.
TEST(FftMesh, DecodesATextureAnimation) {
  const TextureAnimation a =
      record<TextureAnimation>(hex("51 03 3a 00 07 00 46 00 09 03 b2 00 00 00 01 03 00 0f 00 00"));
  EXPECT_EQ(a.canvas_x, 0x300 + 64 * 1 + 68 / 4);
  EXPECT_EQ(a.canvas_y, 58);
  EXPECT_EQ(4 * a.width, 28);
  EXPECT_EQ(a.height, 70);
  EXPECT_EQ(a.frame_x, 0x300 + 64 * 0 + 36 / 4);
  EXPECT_EQ(a.frame_y, 178);
  EXPECT_EQ(a.mode, 1);
  EXPECT_EQ(a.frame_count, 3);
  EXPECT_EQ(a.duration, 15);
}

/// 8 + 48 N + 62 P + 22 Q + 28 R bytes; with 1, 2, 3 and 4 of them: 8 + 48 + 124 + 66 + 112 = 358.
TEST(FftMesh, GeometrySizeDependsOnPolygonCounts) {
  Mesh m{};
  m.primary.emplace();
  m.primary->textured_triangles.resize(1);
  m.primary->textured_quads.resize(2);
  m.primary->untextured_triangles.resize(3);
  m.primary->untextured_quads.resize(4);
  EXPECT_EQ(bytes_of(m).size(), k_mesh_header + 358);
}

/// Sizes of many game files: lights 241; palettes and lights 753; lights and terrain 4342; palettes, lights and mesh
/// animation 15376. Parts are padded with zeros to a multiple of 4, except at the end.
TEST(FftMesh, WrittenSizesMatchGameFiles) {
  EXPECT_EQ(bytes_of(rain_mesh()).size(), 241u);
  EXPECT_EQ(bytes_of(night_mesh()).size(), 753u);
  EXPECT_EQ(bytes_of(terrain_mesh()).size(), 4342u);
  Mesh m = night_mesh();
  m.mesh_animations = valley_mesh().mesh_animations;
  EXPECT_EQ(bytes_of(m).size(), 15376u);
  m.mesh_animations.reset();
  m.terrain = valley_mesh().terrain;
  EXPECT_EQ(bytes_of(m).size(), 4854u);
  m.render_properties = valley_mesh().render_properties;
  m.terrain.reset();
  m.settle();
  EXPECT_EQ(bytes_of(m).size(), 4852u);
}

TEST(FftDetection, DetectsFilesByStructure) {
  const auto id = [](ByteView bytes, std::string_view name) -> std::string_view {
    auto d = detect(bytes, name);
    return d ? d->format->id : "none";
  };
  EXPECT_EQ(id(bytes_of(valley_mesh()), "MAP001.9"), "fft-mesh");
  EXPECT_EQ(id(bytes_of(rain_mesh()), "anything"), "fft-mesh");
  EXPECT_EQ(id(bytes_of(valley_gns(k_valley_lba)), "anything"), "fft-gns");
  EXPECT_EQ(id(Bytes(k_texture_size), "MAP/MAP001.8"), "fft-texture");
  EXPECT_EQ(id(Bytes(k_texture_size), "map001.8"), "fft-texture");
  EXPECT_EQ(id(Bytes(k_texture_size), "something.8"), "none");
  EXPECT_EQ(id(Bytes(k_texture_size - 1), "MAP001.8"), "fft-mesh");  // by name only
}

}  // namespace
}  // namespace dio::fft
