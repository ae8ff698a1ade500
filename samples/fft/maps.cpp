// maps.cpp: a small map made from nothing.
#include "samples/fft/maps.hpp"

#include <cmath>

#include "containers/disc/cd_sector.hpp"
#include "core/elementary.hpp"

namespace dio::fft {
namespace {

constexpr u32 k_side = 8;     // tiles of the valley
constexpr i32 k_ground = 24;  // y of the lower edge of the cross section around the map
constexpr u8 k_flat = 0x00, k_up_north = 0x85, k_up_east = 0x52, k_up_west = 0x58, k_convex_ne = 0x41;
constexpr u8 k_grass = 0x03, k_river = 0x0F, k_road = 0x13, k_wood = 0x14, k_wall = 0x17, k_bridge = 0x23;

// Rows of palettes.
enum : u8 { meadow, stone, water, wood, lamp };

/// Where a pattern lies in the texture: 32 x 32 texels on a page.
struct Patch {
  u8 u, v, page, palette;
};
constexpr u8 k_patch = 32;
constexpr Patch k_meadow_patch{0, 0, 0, meadow}, k_path_patch{32, 0, 0, stone}, k_rock_patch{64, 0, 0, stone},
    k_water_patch{0, 32, 0, water}, k_plank_patch{96, 0, 0, wood}, k_roof_patch{128, 0, 0, wood},
    k_plaster_patch{160, 0, 0, stone}, k_window_patch{192, 0, 0, lamp}, k_door_patch{0, 64, 0, wood},
    k_sail_patch{32, 64, 0, stone};
constexpr i16 k_water_frames_x = k_vram_pages + 64 + 2, k_water_frames_y = 0;  // on page 1
constexpr u32 k_water_frames = 8;                                              // seven in a row, the last below
constexpr i16 k_door_frames_x = k_vram_pages + 64 + 2, k_door_frames_y = 128;
constexpr u32 k_door_frames = 3;

/// What stands on each tile of the lower level, a letter a tile, from the north.
constexpr const char* k_plan[k_side] = {"gggrhhhh",  //
                                        "ghhrghnh",  //
                                        "ghhrgeHH",  //
                                        "gdgrgeHH",  //
                                        "pppbpppp",  //
                                        "gggrgggp",  //
                                        "gmmrgggp",  //
                                        "gmmrwggp"};
char plan(u32 x, u32 z) { return k_plan[k_side - 1 - z][x]; }

/// Heights and slopes of the lower level.
TerrainTile ground(u32 x, u32 z) {
  TerrainTile t{};
  t.surface = k_grass;
  t.height = 2;
  t.slope = k_flat;
  switch (plan(x, z)) {
    case 'r':
    case 'b':
      t.surface = k_river, t.height = 0, t.depth = 1;
      break;
    case 'p':
    case 'd':
      t.surface = k_road;
      break;
    case 'h':
      if (x < 4)  // the house: nobody walks into it
        t.surface = k_wall, t.untargetable = true, t.height = 2;
      else
        t.height = 4;
      break;
    case 'm':
      t.surface = k_wall, t.untargetable = true;
      break;
    case 'H':
      t.height = 6;
      break;
    case 'e':
      t.slope = k_up_east, t.slope_height = 4;
      break;
    case 'n':
      t.height = 4, t.slope = k_up_north, t.slope_height = 2;
      break;
    case 'w':
      t.slope = k_up_west, t.slope_height = 1, t.height = 1;
      break;
    default:
      break;
  }
  if (x == 4 && z == 6) t.slope = k_convex_ne, t.slope_height = 2;
  t.cameras = x == k_side - 1 ? 0x21 : 0;
  t.shading = plan(x, z) == 'r' ? 1 : 0;
  return t;
}

/// Steps of a corner of a tile: 0 north-west, 1 north-east, 2 south-west, 3 south-east.
i32 corner(const TerrainTile& t, u32 which) {
  const auto side = [&](int shift) { return t.slope >> shift & 3; };
  const int across = which < 2 ? side(6) : side(4), along = which % 2 ? side(0) : side(2);
  // a corner is high where both of its sides say so
  const bool concave = side(6) + side(4) + side(2) + side(0) == 6 && t.slope != k_up_north && t.slope != k_up_east &&
                       t.slope != k_up_west && t.slope != 0x25;
  const bool high = concave ? across + along > 2 : (across == 2 || along == 2 || (across == 1 && along == 1));
  return t.height + (high ? t.slope_height : 0);
}

i16 from(f64 x) { return i16(std::lround(x)); }

struct Corner {
  f64 x, y, z;
};
Position position(Corner c) { return {from(c.x), from(c.y), from(c.z)}; }

/// The side from which A, B, C is clockwise.
Normal normal_of(const Position& a, const Position& b, const Position& c) {
  const f64 px = c.x - a.x, py = c.y - a.y, pz = c.z - a.z, qx = b.x - a.x, qy = b.y - a.y, qz = b.z - a.z;
  const f64 nx = py * qz - pz * qy, ny = pz * qx - px * qz, nz = px * qy - py * qx;
  const f64 length = std::sqrt(nx * nx + ny * ny + nz * nz);
  const auto fixed = [&](f64 n) { return fx16{i16(length > 0 ? std::lround(4096 * n / length) : 0)}; };
  return {fixed(nx), fixed(ny), fixed(nz)};
}

constexpr TileBinding k_no_tile{TileBinding::k_no_z, 1, TileBinding::k_no_x};

/// Polygons, put into a geometry one after another.
struct Builder {
  Geometry geometry{};
  RenderWord render = k_plain_render;

  /// A, B, C, D from the upper left, as one looks at it: A B above C D.
  void quad(Corner a, Corner b, Corner c, Corner d, Patch patch, TileBinding tile = k_no_tile) {
    TexturedQuad q{};
    q.positions = {position(a), position(b), position(c), position(d)};
    q.normals.fill(normal_of(q.positions[0], q.positions[1], q.positions[2]));
    const u8 right = u8(patch.u + k_patch - 1), low = u8(patch.v + k_patch - 1);
    q.uvs = {{{patch.u, patch.v}, {right, patch.v}, {patch.u, low}, {right, low}}};
    word(q, patch, tile);
    geometry.textured_quads.push_back(q);
  }
  void triangle(Corner a, Corner b, Corner c, Patch patch, TileBinding tile = k_no_tile) {
    TexturedTriangle t{};
    t.positions = {position(a), position(b), position(c)};
    t.normals.fill(normal_of(t.positions[0], t.positions[1], t.positions[2]));
    const u8 right = u8(patch.u + k_patch - 1), low = u8(patch.v + k_patch - 1);
    t.uvs = {{{patch.u, low}, {u8(patch.u + k_patch / 2), patch.v}, {right, low}}};
    word(t, patch, tile);
    geometry.textured_triangles.push_back(t);
  }
  void black_quad(Corner a, Corner b, Corner c, Corner d) {
    geometry.untextured_quads.push_back(
        {{position(a), position(b), position(c), position(d)}, {1, 0, 0, 0}, k_plain_render});
  }
  void black_triangle(Corner a, Corner b, Corner c) {
    geometry.untextured_triangles.push_back({{position(a), position(b), position(c)}, {1, 0, 0, 0}, k_plain_render});
  }
  /// A box that stands on `floor`: four walls, and a lid if there is a patch for it.
  void box(f64 x0, f64 x1, f64 z0, f64 z1, f64 floor, f64 top, Patch wall, Patch front, const Patch* lid) {
    quad({x0, top, z0}, {x1, top, z0}, {x0, floor, z0}, {x1, floor, z0}, front);  // to the south
    quad({x1, top, z1}, {x0, top, z1}, {x1, floor, z1}, {x0, floor, z1}, wall);   // to the north
    quad({x1, top, z0}, {x1, top, z1}, {x1, floor, z0}, {x1, floor, z1}, wall);   // to the east
    quad({x0, top, z1}, {x0, top, z0}, {x0, floor, z1}, {x0, floor, z0}, wall);   // to the west
    if (lid) quad({x0, top, z1}, {x1, top, z1}, {x0, top, z0}, {x1, top, z0}, *lid);
  }

 private:
  void word(auto& p, Patch patch, TileBinding tile) const {
    p.clut_y = k_vram_palettes;
    p.palette = patch.palette;
    p.image = 3;
    p.page = patch.page;
    p.tile = tile;
    p.render = render;
  }
};

constexpr f64 units(f64 tiles) { return tiles * k_tile_units; }
f64 steps(f64 n) { return -n * k_step_units; }

Patch ground_patch(u32 x, u32 z) {
  switch (plan(x, z)) {
    case 'r':
    case 'b':
      return k_water_patch;
    case 'p':
    case 'd':
      return k_path_patch;
    default:
      return k_meadow_patch;
  }
}

/// The y of a corner of a tile as one sees it: on the liquid, where there is some.
f64 surface(u32 x, u32 z, u32 which) {
  const TerrainTile t = ground(x, z);
  return steps(corner(t, which) + t.depth);
}

void add_ground(Builder& b) {
  for (u32 z = 0; z < k_side; ++z)
    for (u32 x = 0; x < k_side; ++x) {
      const f64 west = units(x), east = units(x + 1), south = units(z), north = units(z + 1);
      const TileBinding tile{u8(z), 0, u8(x)};
      const auto y = [&](u32 which) { return surface(x, z, which); };
      const Corner nw{west, y(0), north}, ne{east, y(1), north}, sw{west, y(2), south}, se{east, y(3), south};
      b.quad(nw, ne, sw, se, ground_patch(x, z), tile);
      // cliffs: down to the next tile in each direction, or to the edge of the map
      const auto cliff = [&](bool inside, Corner left, Corner right, f64 left_floor, f64 right_floor) {
        if (inside && left_floor <= left.y && right_floor <= right.y) return;
        const Corner low_left{left.x, inside ? std::max(left.y, left_floor) : k_ground, left.z},
            low_right{right.x, inside ? std::max(right.y, right_floor) : k_ground, right.z};
        if (!inside)
          b.black_quad(left, right, low_left, low_right);
        else if (low_left.y == left.y)
          b.triangle(left, right, low_right, k_rock_patch, tile);
        else if (low_right.y == right.y)
          b.triangle(left, right, low_left, k_rock_patch, tile);
        else
          b.quad(left, right, low_left, low_right, k_rock_patch, tile);
      };
      const bool s = z > 0, n = z + 1 < k_side, w = x > 0, e = x + 1 < k_side;
      cliff(s, sw, se, s ? surface(x, z - 1, 0) : 0, s ? surface(x, z - 1, 1) : 0);
      cliff(n, ne, nw, n ? surface(x, z + 1, 3) : 0, n ? surface(x, z + 1, 2) : 0);
      cliff(e, se, ne, e ? surface(x + 1, z, 2) : 0, e ? surface(x + 1, z, 0) : 0);
      cliff(w, nw, sw, w ? surface(x - 1, z, 1) : 0, w ? surface(x - 1, z, 3) : 0);
    }
}

void add_house(Builder& b) {
  const f64 x0 = units(1), x1 = units(3), z0 = units(5), z1 = units(7), floor = steps(2), eave = steps(6),
            ridge = steps(9), middle = units(6);
  b.render.hidden_from = 0x008 | 0x004;  // behind the ridge, to show that it can be hidden
  b.quad({x1, eave, z1}, {x0, eave, z1}, {x1, floor, z1}, {x0, floor, z1}, k_plaster_patch);
  b.render = k_plain_render;
  b.quad({x0, eave, z0}, {x1, eave, z0}, {x0, floor, z0}, {x1, floor, z0}, k_window_patch);
  b.quad({x1, eave, z0}, {x1, eave, z1}, {x1, floor, z0}, {x1, floor, z1}, k_plaster_patch);
  b.quad({x0, eave, z1}, {x0, eave, z0}, {x0, floor, z1}, {x0, floor, z0}, k_plaster_patch);
  b.triangle({x1, eave, z0}, {x1, ridge, middle}, {x1, eave, z1}, k_plaster_patch);
  b.triangle({x0, eave, z1}, {x0, ridge, middle}, {x0, eave, z0}, k_plaster_patch);
  b.quad({x0, ridge, middle}, {x1, ridge, middle}, {x0, eave, z0}, {x1, eave, z0}, k_roof_patch);
  b.quad({x1, ridge, middle}, {x0, ridge, middle}, {x1, eave, z1}, {x0, eave, z1}, k_roof_patch);
  const f64 wall = z0 - 0.6;  // the door stands out a little
  b.quad({x0 + 4, steps(4.5), wall}, {x0 + 18, steps(4.5), wall}, {x0 + 4, floor, wall}, {x0 + 18, floor, wall},
         k_door_patch);
}

void add_mill(Builder& b) {
  b.box(units(1) + 6, units(3) - 6, units(0) + 6, units(2) - 6, steps(2), steps(9), k_plaster_patch, k_window_patch,
        nullptr);
  const f64 x0 = units(1) + 4, x1 = units(3) - 4, z0 = 4, z1 = units(2) - 4, eave = steps(9), top = steps(12);
  const Corner tip{units(2), top, units(1)};
  b.triangle({x0, eave, z0}, tip, {x1, eave, z0}, k_roof_patch);
  b.triangle({x1, eave, z0}, tip, {x1, eave, z1}, k_roof_patch);
  b.triangle({x1, eave, z1}, tip, {x0, eave, z1}, k_roof_patch);
  b.triangle({x0, eave, z1}, tip, {x0, eave, z0}, k_roof_patch);
}

void add_bridge(Builder& b) {
  const f64 y = steps(2), x0 = units(3), x1 = units(4), z0 = units(3), z1 = units(4);
  const TileBinding tile{3, 1, 3};
  b.quad({x0, y, z1}, {x1, y, z1}, {x0, y, z0}, {x1, y, z0}, k_plank_patch, tile);
  b.quad({x0, y, z0}, {x1, y, z0}, {x0, y + 4, z0}, {x1, y + 4, z0}, k_plank_patch, tile);
  b.quad({x1, y, z1}, {x0, y, z1}, {x1, y + 4, z1}, {x0, y + 4, z1}, k_plank_patch, tile);
  b.render.lit = 0;  // a lamp post shines by itself
  b.box(x0 - 4, x0 - 1, z0 + 1, z0 + 4, steps(2), steps(4), k_window_patch, k_window_patch, &k_window_patch);
  b.render = k_plain_render;
}

Geometry valley_geometry(bool with_bridge) {
  Builder b;
  add_ground(b);
  add_house(b);
  add_mill(b);
  if (with_bridge) add_bridge(b);
  const f64 edge = units(k_side);  // a stone that stands over the edge of the map
  b.black_triangle({edge, steps(6), units(6)}, {edge, steps(8), units(6.5)}, {edge, steps(6), units(7)});
  return std::move(b.geometry);
}

/// Four sails around the origin, as one sees them from the south.
Geometry sails() {
  Builder b;
  for (int i = 0; i < 4; ++i) {
    const f64 turn = i * 1.5707963267948966, along_x = elementary::cos(turn), along_y = elementary::sin(turn);
    const auto at = [&](f64 out, f64 aside) {
      return Corner{out * along_x - aside * along_y, out * along_y + aside * along_x, 0};
    };
    b.quad(at(6, -5), at(30, -5), at(6, 3), at(30, 3), k_sail_patch);
    b.quad(at(30, -5), at(6, -5), at(30, 3), at(6, 3), k_sail_patch);  // its back
  }
  return std::move(b.geometry);
}
Geometry shaft() {
  Builder b;
  b.box(-3, 3, -8, 8, 3, -3, k_plank_patch, k_plank_patch, &k_plank_patch);
  return std::move(b.geometry);
}
Geometry lantern() {
  Builder b;
  b.render.lit = 0;
  b.box(-4, 4, -4, 4, 4, -4, k_window_patch, k_window_patch, &k_window_patch);
  return std::move(b.geometry);
}

Color color(f64 red, f64 green, f64 blue, bool stp = false) {
  const auto five = [](f64 x) { return u8(std::lround(std::min(31.0, std::max(0.0, x)))); };
  return {stp, five(blue), five(green), five(red)};
}
/// From dark to bright; the first is nothing, the second nearly black, so that it can be seen.
Palette ramp(f64 red, f64 green, f64 blue, bool stp = false) {
  Palette p{};
  for (size_t i = 1; i < p.size(); ++i) {
    const f64 t = f64(i + 2) / f64(p.size() + 1);
    p[i] = color(red * t, green * t, blue * t, stp);
  }
  return p;
}
Palettes palettes(f64 day) {
  Palettes p{};
  p.rows[meadow] = ramp(18 * day, 26 * day, 9 * day);
  p.rows[stone] = ramp(28 * day, 26 * day, 22 * day);
  p.rows[water] = ramp(10 * day, 19 * day, 30 * day, true);
  p.rows[wood] = ramp(27 * day, 15 * day, 8 * day);
  p.rows[lamp] = ramp(31, 27, 12);
  for (size_t i = 1; i < 8; ++i) p.rows[lamp][i] = p.rows[stone][i];  // the wall around a window
  for (size_t row = lamp + 1; row < p.rows.size(); ++row) p.rows[row] = ramp(f64(row), 31 - f64(row), 16);
  return p;
}
Palettes gray(const Palettes& from) {
  Palettes out{};
  for (size_t row = 0; row < from.rows.size(); ++row)
    for (size_t i = 0; i < from.rows[row].size(); ++i) {
      const Color& c = from.rows[row][i];
      const u8 mean = u8((c.red + c.green + c.blue) / 3);
      out.rows[row][i] = {c.stp, mean, mean, mean};
    }
  return out;
}

/// The same numbers on every machine.
struct Noise {
  u32 state;
  u32 next() {
    state = state * 1664525 + 1013904223;
    return state >> 24;
  }
};

struct Painter {
  Texture texture{};
  Painter() {
    texture.pages.resize(k_pages);
    for (TexturePage& p : texture.pages) p.texels.resize(k_page_size);
  }
  void set(u32 page, u32 x, u32 y, u32 index) {
    u8& two = texture.pages[page].texels[y * (k_page_texels / 2) + x / 2];
    two = x % 2 ? u8((two & 0x0F) | index << 4) : u8((two & 0xF0) | index);
  }
  /// `index` of each texel from its place in a square of k_patch.
  void patch(u32 page, u32 u, u32 v, auto index) {
    for (u32 y = 0; y < k_patch; ++y)
      for (u32 x = 0; x < k_patch; ++x) set(page, u + x, v + y, std::min<u32>(15, std::max<u32>(1, index(x, y))));
  }
  void patch(Patch p, auto index) { patch(p.page, p.u, p.v, index); }
};

Texture paint(bool lit_windows) {
  Painter p;
  Noise noise{7};
  const auto rough = [&](u32 from, u32 range) { return from + noise.next() % range; };
  p.patch(k_meadow_patch, [&](u32, u32) { return rough(8, 5); });
  p.patch(k_path_patch, [&](u32 x, u32 y) { return (x * 5 + y * 3) % 16 < 2 ? rough(5, 3) : rough(10, 4); });
  p.patch(k_rock_patch, [&](u32 x, u32 y) { return (y + x / 8 * 3) % 8 == 0 ? rough(3, 2) : rough(7, 4); });
  const auto waves = [](u32 frame) {
    return [frame](u32 x, u32 y) {
      return 8 + ((x + y * 2 + frame * k_patch / k_water_frames) % k_patch < 6 ? 5 : y % 4);
    };
  };
  p.patch(k_water_patch, waves(0));
  for (u32 i = 0; i < k_water_frames; ++i) {
    const bool below = i == k_water_frames - 1;  // it would reach beyond the page
    p.patch(1, 8 + (below ? 0 : i * k_patch), below ? k_patch : 0, waves(i));
  }
  p.patch(k_plank_patch, [&](u32 x, u32) { return x % 8 == 0 ? 4u : rough(9, 4); });
  p.patch(k_roof_patch, [&](u32 x, u32 y) { return (y % 8 == 7 || (x + y / 8 * 4) % 8 == 0) ? 4u : rough(8, 4); });
  p.patch(k_plaster_patch, [&](u32, u32) { return rough(12, 3); });
  p.patch(k_window_patch, [&](u32 x, u32 y) {
    const bool window = x >= 10 && x < 22 && y >= 8 && y < 20, bar = x == 15 || x == 16 || y == 13;
    return window && !bar ? (lit_windows ? 15u : 9u) : rough(5, 2);
  });
  const auto door = [&](u32 frame) {
    return [frame](u32 x, u32 y) {
      return x < 2 || y < 2 || x > 29 ? 3u : x < 2 + frame * 9 ? 1u : x % 7 == 0 ? 6u : 10u;
    };
  };
  p.patch(k_door_patch, door(0));
  for (u32 i = 0; i < k_door_frames; ++i) p.patch(1, 8 + i * k_patch, k_door_frames_y, door(i));
  p.patch(k_sail_patch, [&](u32 x, u32 y) { return x % 8 == 0 || y % 10 == 0 ? 6u : rough(12, 3); });
  for (u32 y = 12; y < 20; ++y)
    for (u32 x = 12; x < 20; ++x) p.set(k_sail_patch.page, k_sail_patch.u + x, k_sail_patch.v + y, 0);  // a hole
  return std::move(p.texture);
}

fx16 fixed(f64 x) { return {i16(std::lround(x * 4096))}; }
Lights lights(f64 sun, f64 sky, Rgb8 top, Rgb8 bottom) {
  Lights l{};
  l.red = {fixed(0.49 * sun), fixed(0.1 * sky), fixed(0.05)};
  l.green = {fixed(0.46 * sun), fixed(0.12 * sky), fixed(0.05)};
  l.blue = {fixed(0.38 * sun), fixed(0.2 * sky), fixed(0.08)};
  l.directions = {Normal{fixed(0.55), fixed(-0.65), fixed(-0.52)}, Normal{fixed(-0.7), fixed(-0.6), fixed(0.4)},
                  Normal{fixed(0), fixed(-1), fixed(0)}};
  const auto byte = [&](f64 x) { return u8(std::lround(x)); };
  l.ambient = {byte(52 * sky), byte(54 * sky), byte(64 * sky)};
  l.top = top;
  l.bottom = bottom;
  return l;
}

Terrain valley_terrain(bool with_bridge) {
  Terrain t{};
  t.size_x = t.size_z = k_side;
  for (auto& level : t.levels)
    for (TerrainTile& tile : level) tile.absent = tile.untargetable = true;
  for (u32 z = 0; z < k_side; ++z)
    for (u32 x = 0; x < k_side; ++x) *Terrain::tile(t, 0, x, z) = ground(x, z);
  if (with_bridge) {
    TerrainTile& over = *Terrain::tile(t, 1, 3, 3);
    over = {};
    over.surface = k_bridge, over.height = 2, over.thickness = 1;
    Terrain::tile(t, 0, 3, 3)->pass_only = true;
  }
  Terrain::tile(t, 0, 1, 4)->surface = k_wood;
  return t;
}

TextureAnimations texture_animations() {
  TextureAnimations t{};
  const auto vram_x = [](Patch p) { return i16(k_vram_pages + 64 * p.page + p.u / 4); };
  t.rows[0] = {vram_x(k_water_patch),
               k_water_patch.v,
               k_patch / 4,
               k_patch,
               k_water_frames_x,
               k_water_frames_y,
               0,
               0,
               1,
               u8(k_water_frames),
               0,
               8,
               0,
               0};
  TextureAnimation door{vram_x(k_door_patch),
                        k_door_patch.v,
                        k_patch / 4,
                        k_patch,
                        k_door_frames_x,
                        k_door_frames_y,
                        0,
                        0,
                        5,
                        u8(k_door_frames),
                        0,
                        12,
                        0,
                        0};
  t.rows[1] = door;
  door.mode = 0x15;  // and shut again
  t.rows[2] = door;
  const auto palette = [](u8 row, i16 first, u8 mode, u8 frames) {
    return TextureAnimation{i16(16 * row), i16(k_vram_palettes), 0, 0, first, 0, 0, 0, mode, frames, 0, 10, 0, 0};
  };
  t.rows[3] = palette(lamp, 0, 4, 4);
  t.rows[4] = palette(water, 4, 0x0D, 3);
  return t;
}
Palettes palette_frames() {
  Palettes p = palettes(1);
  const Palette window = p.rows[lamp];
  for (size_t frame = 0; frame < 4; ++frame) {
    p.rows[frame] = window;
    for (size_t i = 8; i < 16; ++i) p.rows[frame][i] = color(31, 27 - 2.0 * f64(frame), 12 - 3.0 * f64(frame));
  }
  for (size_t frame = 0; frame < 3; ++frame) p.rows[4 + frame] = ramp(10 + 7.0 * f64(frame), 19, 30 - 6.0 * f64(frame));
  return p;
}

/// What a keyframe does with its nine channels: the same mode for all.
Keyframe keyframe(u16 mode, Vec3i16 rotation, Vec3i16 position, Vec3i16 scale = {4096, 4096, 4096, 0}) {
  Keyframe k{};
  k.rotation = rotation, k.position = position, k.scale = scale;
  k.modes.fill(mode);
  return k;
}
constexpr u16 k_to = 0x05, k_by = 0x06, k_by_sine = 0x0A;

MeshAnimations mesh_animations() {
  MeshAnimations m{};
  MeshAnimationRecord keys{}, states{}, links{};
  keys.type = MeshAnimationRecord::keyframe;
  keys.keyframes.resize(128);
  states.type = MeshAnimationRecord::state;
  states.count = 16 | 64u << 16;
  states.states.resize(MeshAnimationRecord::k_states);
  links.type = MeshAnimationRecord::link;
  links.links.resize(64);
  const Vec3i16 none{0, 0, 0, 0}, whole{4096, 4096, 4096, 0};
  const Vec3i16 mill{i16(units(2)), from(steps(8)), -2, 0};
  // 1: the shaft stays where it is; 2: the sails turn on it; 3: a lantern floats over the stream, and can be put out.
  keys.keyframes[0] = keyframe(k_to, none, mill);
  keys.keyframes[1] = keyframe(k_to, none, {0, 0, -9, 0});
  keys.keyframes[2] = keyframe(k_by, {0, 0, 1024, 0}, none, none);
  keys.keyframes[3] = keyframe(k_to, none, {i16(units(3.5)), from(steps(5)), i16(units(1.5)), 0});
  keys.keyframes[4] = keyframe(k_by_sine, none, {0, 8, 0, 0}, none);
  keys.keyframes[4].end_angles.fill(4096);
  keys.keyframes[5] = keyframe(k_to, none, {i16(units(3.5)), from(steps(5)), i16(units(1.5)), 0}, none);
  keys.keyframes[6] = keyframe(k_to, {0, 512, 0, 0}, mill, whole);
  MeshState& first = states.states[0];
  first.meshes[0] = {{{1, 1, 60}}};
  first.meshes[1] = {{{2, 2, 1}, {3, 2, 60}}};
  first.meshes[2] = {{{4, 2, 1}, {5, 2, 120}}};
  MeshState& second = states.states[1];
  second.meshes[0] = {{{7, 2, 90}, {1, 1, 90}}};
  second.meshes[2] = {{{6, 2, 40}, {6, 0, 0}}};
  links.links[1].parent = 1;
  m.records = {keys, states, links, MeshAnimationRecord{}};
  return m;
}

RenderProperties render_properties() {
  RenderProperties r{};
  r.head.assign(k_render_head.begin(), k_render_head.end());
  return r;
}

}  // namespace

Mesh valley_mesh() {
  Mesh m{};
  m.primary = valley_geometry(true);
  m.palettes = palettes(1);
  m.lights = lights(1, 1, {86, 130, 190}, {190, 206, 220});
  m.terrain = valley_terrain(true);
  m.texture_animations = texture_animations();
  m.palette_frames = palette_frames();
  m.gray_palettes = gray(*m.palettes);
  m.mesh_animations = mesh_animations();
  m.animated[0] = shaft();
  m.animated[1] = sails();
  m.animated[2] = lantern();
  m.render_properties = render_properties();
  m.settle();
  return m;
}
Texture valley_texture() { return paint(false); }

Mesh night_mesh() {
  Mesh m{};
  m.palettes = palettes(0.6);
  m.lights = lights(0.35, 0.7, {6, 8, 30}, {30, 34, 70});
  return m;
}
Texture night_texture() { return paint(true); }

Mesh rain_mesh() {
  Mesh m{};
  m.lights = lights(0.5, 0.9, {70, 76, 84}, {110, 116, 120});
  return m;
}

Mesh broken_bridge_mesh() {
  Mesh m{};
  m.primary = valley_geometry(false);
  m.terrain = valley_terrain(false);
  m.animated[0] = shaft();
  m.animated[1] = sails();
  return m;
}

Mesh odd_mesh() {
  Mesh m{};
  Builder b;
  b.quad({0, 0, units(16)}, {units(17), 0, units(16)}, {0, 0, 0}, {units(17), 0, 0}, k_meadow_patch, {0, 0, 0});
  b.quad({0, -24, 28}, {28, -24, 28}, {0, 0, 28}, {28, 0, 28}, k_rock_patch);
  TexturedQuad& strange = b.geometry.textured_quads.back();  // a picture of the interface, and bits above the palette
  strange.image = 2, strange.page_y = 1, strange.palette = 0x13, strange.clut_y = 481;
  b.black_quad({0, 0, 0}, {28, 0, 0}, {0, 24, 0}, {28, 24, 0});
  b.geometry.untextured_quads.back().unread = {0x3F, 0xC0, 0x01, 0x80};
  m.primary = std::move(b.geometry);
  m.palettes = palettes(1);
  m.pages[0] = paint(false).pages[0];
  m.lights = lights(1.5, 1, {0, 0, 0}, {0, 0, 0});
  m.terrain.emplace();
  m.terrain->size_x = 17, m.terrain->size_z = 16;
  for (u32 z = 0; z < 16; ++z)
    for (u32 x = 0; x < 17; ++x) Terrain::tile(*m.terrain, 0, x, z)->surface = u8((x + z) % 0x2F);
  m.terrain->levels[1][255].unk_1 = 0x5A;  // behind the last tile
  return m;
}

Mesh terrain_mesh() {
  Mesh m{};
  m.lights = lights(1, 1, {86, 130, 190}, {190, 206, 220});
  m.terrain = valley_terrain(true);
  return m;
}

namespace {

constexpr u16 k_weather_variable = 0x22, k_arrangement_variable = 0x30;
constexpr u8 k_texture_row = 0x17, k_primary_row = 0x2E, k_alternate_row = 0x30;

GnsRow row(u16 variable, StateWord state, u8 type, u32 lba, u64 size) {
  const u64 whole = sectors_for(size) * k_sector_data;
  return {variable, state, 1, type, k_row_mark, lba, u32(whole), k_row_end};
}
GnsCommand command(u8 type, Bytes payload) {
  return {k_weather_variable, {}, 1, type, k_row_mark, u8(GnsCommand::k_head_size + payload.size()), {}, payload};
}

/// The files behind the list: what each is for, and its bytes.
struct Part {
  u16 variable;
  StateWord state;
  u8 type;
  Bytes bytes;
};
std::vector<Part> valley_parts() {
  const StateWord day{}, night{true, 0, 0}, rain{false, 3, 0}, broken{false, 0, 1};
  std::vector<Part> parts;
  parts.push_back({k_weather_variable, day, k_texture_row, bytes_of(valley_texture())});
  parts.push_back({k_weather_variable, day, k_primary_row, bytes_of(valley_mesh())});
  parts.push_back({k_weather_variable, night, k_alternate_row, bytes_of(night_mesh())});
  parts.push_back({k_weather_variable, night, k_texture_row, bytes_of(night_texture())});
  parts.push_back({k_weather_variable, rain, k_alternate_row, bytes_of(rain_mesh())});
  parts.push_back({k_arrangement_variable, broken, k_alternate_row, bytes_of(broken_bridge_mesh())});
  return parts;
}

Gns list_of(const std::vector<Part>& parts, u32 first_lba) {
  Gns g{};
  u32 lba = first_lba;
  for (const Part& p : parts) {
    g.rows.push_back(row(p.variable, p.state, p.type, lba, p.bytes.size()));
    lba += g.rows.back().length / u32(k_sector_data);
  }
  GnsRow filler = g.rows.back();
  filler.type = k_filler, filler.variable = k_arrangement_variable, filler.state = {false, 0, 1};
  for (int i = 0; i < 3; ++i) g.rows.push_back(filler);
  g.rows.push_back({k_weather_variable, {}, 1, k_first_command, k_row_mark, 0, 0, k_row_end});
  g.commands.push_back(command(0x86, Bytes(8)));
  g.commands.push_back(command(0x88, Bytes(8)));
  g.commands.push_back(command(0x83, {0x90, 0xFF, 0xE0, 0xFF, 0x90, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  g.commands.push_back({});
  return g;
}

}  // namespace

Gns valley_gns(u32 first_lba) { return list_of(valley_parts(), first_lba); }

std::vector<SampleFile> valley_files(u32 first_lba) {
  const std::vector<Part> parts = valley_parts();
  std::vector<SampleFile> files = {{"MAP001.GNS", bytes_of(list_of(parts, first_lba))}};
  u32 number = 8;
  for (const Part& p : parts) files.push_back({"MAP001." + std::to_string(number++), p.bytes});
  return files;
}

std::vector<Sample> gns_samples() {
  Gns bare{};  // one mesh, no commands
  bare.rows = {row(k_weather_variable, {}, k_primary_row, k_valley_lba, k_sector_data),
               {k_weather_variable, {}, 1, k_first_command, k_row_mark, 0, 0, k_row_end}};
  bare.commands = {{}};
  return {{"valley.GNS", "six files of a map, filler, commands of both lengths", bytes_of(valley_gns(k_valley_lba))},
          {"bare.GNS", "one file and no command", bytes_of(bare)}};
}
std::vector<Sample> mesh_samples() {
  return {{"valley.fft-mesh", "a map with every part", bytes_of(valley_mesh())},
          {"night.fft-mesh", "palettes and lights", bytes_of(night_mesh())},
          {"rain.fft-mesh", "only lights", bytes_of(rain_mesh())},
          {"broken_bridge.fft-mesh", "another arrangement: polygons, terrain, an animated mesh",
           bytes_of(broken_bridge_mesh())},
          {"odd.fft-mesh", "a texture page of its own, 17 x 16 tiles, unusual values", bytes_of(odd_mesh())},
          {"terrain.fft-mesh", "terrain without polygons", bytes_of(terrain_mesh())}};
}
std::vector<Sample> texture_samples() {
  return {{"valley.fft-texture", "four pages, with frames of water and of a door", bytes_of(valley_texture())}};
}

std::span<const SampleList> samples() {
  static constexpr SampleList all[] = {
      {"fft-gns", gns_samples},
      {"fft-mesh", mesh_samples},
      {"fft-texture", texture_samples},
  };
  return all;
}

}  // namespace dio::fft
