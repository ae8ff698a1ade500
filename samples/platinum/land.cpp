// land.cpp: small maps made from nothing: flat ones, one with slopes and a bridge, and the forms that other
// games and patched ones have.
#include "samples/platinum/land.hpp"

#include "formats/platinum/layout/heights.hpp"
#include "samples/nitro/models.hpp"
#include "samples/nitro/parts.hpp"

namespace dio::platinum {

namespace {

namespace make = nitro::make;
using make::fixed;

constexpr fx32 units(f64 x) { return {i32(x * 4096)}; }

/// A model of the ground: squares of one colour each, corners in units.
struct Patch {
  f64 west, north, east, south, north_height, south_height;
  u16 color;
};
nitro::Nsbmd ground(const std::string& name, const std::vector<Patch>& patches) {
  constexpr f64 k_scale = 64;  // as most maps have it
  make::SampleModelBuilder m(name, k_scale);
  m.add(make::node(name));
  m.add(make::material("ground"));
  make::Drawing d;
  d.begin(make::Primitive::quads);
  for (const Patch& p : patches) {
    d.color(p.color);
    d.vertex({p.west / k_scale, p.south_height / k_scale, p.south / k_scale});
    d.vertex({p.east / k_scale, p.south_height / k_scale, p.south / k_scale});
    d.vertex({p.east / k_scale, p.north_height / k_scale, p.north / k_scale});
    d.vertex({p.west / k_scale, p.north_height / k_scale, p.north / k_scale});
  }
  d.end();
  m.add("ground", d);
  m.nodedesc(0, 0).posscale().draw(0, 0).posscale(true);
  return make::file_of({m.finish()});
}

constexpr u16 k_green = make::rgb(8, 22, 6), k_brown = make::rgb(18, 13, 8), k_blue = make::rgb(6, 12, 26);

/// The plate over tiles from the north-west corner of one to the south-east corner of another, inclusive.
PlateShape plate(u32 x0, u32 z0, u32 x1, u32 z1, f64 north_west, f64 north_east, f64 south_west) {
  const auto edge = [](u32 tile) { return units(f64(tile) * k_tile_units - k_half_map); };
  const auto made =
      make_plate_through({edge(x0), edge(z0)}, {edge(x1 + 1), edge(z1 + 1)}, north_west, north_east, south_west);
  return made ? *made : PlateShape{};
}
PlateShape plate(u32 x0, u32 z0, u32 x1, u32 z1, f64 height) { return plate(x0, z0, x1, z1, height, height, height); }
Bdhc heights(const std::vector<PlateShape>& plates) {
  Bdhc b{};
  b.magic = fourcc("BDHC");
  for (const PlateShape& p : plates) add_plate(b, p);
  return b;
}

void tiles(LandData& land, u32 x0, u32 z0, u32 x1, u32 z1, u8 behavior, bool blocked = false) {
  for (u32 z = z0; z <= z1; ++z)
    for (u32 x = x0; x <= x1; ++x) land.attributes[z][x] = u16(behavior | (blocked ? k_collision : 0));
}
Prop prop(u32 model, f64 x, f64 y, f64 z) {
  return {model, {units(x), units(y), units(z)}, {}, {units(1), units(1), units(1)}, {}};
}

LandData empty_land(nitro::Nsbmd model) {
  LandData land{};
  land.attributes.resize(k_tiles);
  land.model = std::move(model);
  return land;
}

Cameras cameras() {
  Cameras c;
  c.plates.push_back({4, 4, 11, 7, 0x80, 0, 0, {{0, {1 << 16}, {4 << 16}}, {1, {-(1 << 15)}, {1 << 15}}}});
  c.plates.push_back({20, 20, 21, 21, 1, 1, 0, {{2, {30 << 16}, {2 << 16}}}});
  return c;
}

}  // namespace

LandData meadow_land() {
  LandData land = empty_land(ground("map00_00", {{-256, -256, 256, 256, 0, 0, k_green}}));
  land.bdhc = heights({plate(0, 0, 31, 31, 0)});
  tiles(land, 3, 20, 9, 25, 0x02);
  tiles(land, 0, 0, 31, 0, 0, true);
  land.props = {prop(32, -100, 0, 60)};
  return land;
}

LandData town_land() {
  LandData land = empty_land(ground("map01_00c", {{-256, -256, 256, 0, 48, 48, k_green},
                                                  {-32, 0, 0, 48, 48, 0, k_brown},
                                                  {-256, 0, -32, 256, 0, 0, k_green},
                                                  {0, 0, 256, 256, 0, 0, k_green},
                                                  {-32, 48, 0, 256, 0, 0, k_green},
                                                  {128, 64, 256, 128, 8, 8, k_blue}}));
  // A terrace in the north, stairs down from it, the low ground, and a bridge from the terrace over the low ground.
  land.bdhc = heights({plate(0, 0, 31, 15, 48), plate(14, 16, 15, 18, 48, 48, 0), plate(0, 16, 13, 31, 0),
                       plate(16, 16, 31, 31, 0), plate(14, 19, 15, 31, 0), plate(26, 16, 27, 27, 48)});
  tiles(land, 0, 15, 31, 15, 0x3B, true);
  tiles(land, 14, 15, 15, 15, 0x00);
  tiles(land, 26, 16, 27, 27, 0x71);
  tiles(land, 26, 15, 27, 15, 0x70);
  tiles(land, 0, 28, 31, 31, 0x15);
  tiles(land, 4, 20, 8, 23, 0x00, true);
  tiles(land, 6, 24, 6, 24, k_door, true);
  land.props = {prop(12, -152, 0, 96), prop(70, -152, 0, 136), prop(258, 40, 48, -120)};
  land.props[1].dummy = {1, 0};
  return land;
}

LandData stray_land() {
  LandData land = meadow_land();
  land.props_rest = {0x0D, 0x0A};
  return land;
}
LandData sounds_land() {
  LandData land = meadow_land();
  land.sounds = Sounds{k_sounds_mark, 0, {{3, 100, 0, 0, 2, 2, 9, 9}}, {}};
  return land;
}
LandData cameras_land() {
  LandData land = meadow_land();
  land.bdhc.sizes = CameraSizes{};
  land.bdhc.cameras = cameras();
  return land;
}
LandData diamond_land() {
  LandData land = town_land();
  land.bdhc = convert_to_triangles(land.bdhc);
  return land;
}

std::vector<Sample> land_data_samples() {
  return {
      {"meadow.bin", "a flat map with grass and one prop", bytes_of(meadow_land())},
      {"town.bin", "a terrace, stairs, a bridge over the low ground, a door", bytes_of(town_land())},
      {"stray.bin", "two bytes that are not a prop", bytes_of(stray_land())},
      {"sounds.bin", "with positions of sounds, as in HeartGold and SoulSilver", bytes_of(sounds_land())},
      {"cameras.bin", "with cameras after the heights, for a patched game (BDHCAM)", bytes_of(cameras_land())},
      {"diamond.bin", "heights as triangles, as in Diamond and Pearl", bytes_of(diamond_land())},
  };
}
std::vector<Sample> land_data_with_each_model() {
  std::vector<Sample> out;
  for (const Sample& model : nitro::nsbmd_samples())
    if (const auto loaded = load<nitro::Nsbmd>(model.bytes))
      out.push_back({model.name, model.about, bytes_of(empty_land(loaded->document.value()))});
  return out;
}
std::vector<Sample> bdhc_samples() {
  return {
      {"meadow.bdhc", "one plate", bytes_of(meadow_land().bdhc)},
      {"town.bdhc", "plates of two heights, a slope, and a bridge over another plate", bytes_of(town_land().bdhc)},
      {"cameras.bdhc", "with cameras, for a patched game (BDHCAM)", bytes_of(cameras_land().bdhc)},
      {"diamond.bdhc", "heights as triangles, as in Diamond and Pearl", bytes_of(diamond_land().bdhc)},
  };
}

}  // namespace dio::platinum
