// village.cpp: a village at a lake: a small game that is pleasant to look at. What stands where is drawn on plans of
// one letter a tile; ground, trees, fences, tiles and heights follow from them.
#include "samples/platinum/village.hpp"

#include <algorithm>

#include "core/sorting.hpp"
#include "samples/platinum/game_parts.hpp"

namespace dio::platinum {

using namespace nitro::make;
using namespace make;

namespace {

constexpr u32 k_side = k_tiles;
constexpr f64 k_land_scale = 64, k_prop_scale = 16;  // units in 1.0 of a vertex
constexpr f64 k_hill = 2;                            // height of the hill, in tiles
constexpr u8 k_grass = 0x02, k_sea = 0x15, k_warp_south = 0x65;

// ---- textures ----

/// Numbers that look random, the same everywhere.
u32 noise(u32 x, u32 y, u32 seed) {
  u32 h = x * 374761393u + y * 668265263u + seed * 2246822519u;
  h = (h ^ h >> 13) * 1274126177u;
  return h ^ h >> 16;
}
nitro::Texture painted(std::string name, u32 size, const std::function<u32(u32, u32)>& texel) {
  return texture(std::move(name), k_palette16, size, size, texel);
}
nitro::Texture grass(std::string name) {
  return painted(std::move(name), 32, [](u32 x, u32 y) {
    const u32 blade = noise(x, y / 3, 1) % 9;
    return blade < 2 ? 2 : blade < 4 ? 6 : 4u;
  });
}
nitro::Texture sand() {
  return painted("path", 32, [](u32 x, u32 y) { return 8 + noise(x / 2, y / 2, 2) % 5; });
}
nitro::Texture flowers() {
  return painted("flowers", 32, [](u32 x, u32 y) {
    const u32 at_x = x % 8, at_y = (y + x / 8 % 2 * 4) % 8, kind = noise(x / 8, y / 8, 3) % 3;
    if (at_x == 4 && at_y == 4) return 15u;
    if ((at_x == 4 || at_y == 4) && at_x > 2 && at_x < 6 && at_y > 2 && at_y < 6) return 12 + kind;
    return noise(x, y / 2, 4) % 4 ? 4u : 6u;
  });
}
nitro::Texture tall_grass() {
  return painted("tall_grass", 32, [](u32 x, u32 y) {
    const u32 up = y % 16, from_middle = x % 8 < 4 ? 4 - x % 8 : x % 8 - 3;
    return up / 3 >= from_middle ? 3u + up / 6 : 1u;
  });
}
nitro::Texture waves(std::string name, u32 shift) {
  return painted(std::move(name), 32, [=](u32 x, u32 y) {
    const u32 crest = (y + shift + (x + 4 * (y / 8)) / 4 % 4) % 8;
    return crest == 0 && noise(x / 6, y / 8, 5) % 3 ? 14u : crest < 4 ? 6u : 5u;
  });
}
nitro::Texture rock() {
  return painted("rock", 32, [](u32 x, u32 y) {
    const u32 stone_x = (x + y / 8 % 2 * 8) % 16, stone_y = y % 8;
    return stone_x == 0 || stone_y == 7 ? 3u : 7 + noise((x + y / 8 % 2 * 8) / 16, y / 8, 6) % 4 + (stone_y == 0);
  });
}
nitro::Texture boards(std::string name) {
  return painted(std::move(name), 32, [](u32 x, u32 y) {
    return y % 8 == 7 ? 2u : (x + y / 8 * 12) % 32 == 0 ? 3u : 8 + noise(x / 8, y, 7) % 4;
  });
}
nitro::Texture leaf(std::string name) {
  return painted(std::move(name), 32,
                 [](u32 x, u32 y) { return noise(x / 2, y / 2, 8) % 4 ? 3 + y / 8 : 5 + noise(x, y, 9) % 4; });
}
nitro::Texture wall() {  // a window in timber
  return painted("wall", 32, [](u32 x, u32 y) {
    if (y < 2 || y > 28 || x < 2) return 3u;
    if (x >= 10 && x < 24 && y >= 8 && y < 20) {
      if (x < 12 || x >= 22 || y < 10 || y >= 18) return 4u;
      return x == 16 || x == 17 || y == 13 ? 13u : 15u;
    }
    return 10 + noise(x, y, 10) % 2;
  });
}
nitro::Texture shingles(std::string name) {
  return painted(std::move(name), 32, [](u32 x, u32 y) {
    const u32 at = (x + y / 6 % 2 * 4) % 8;
    return y % 6 == 5 || at == 0 ? 3u : 7 + noise((x + y / 6 % 2 * 4) / 8, y / 6, 11) % 4;
  });
}
nitro::Texture door() {
  return painted("door_t", 32, [](u32 x, u32 y) {
    if (x < 4 || x > 27 || y < 3) return 3u;
    return x > 20 && x < 24 && y > 16 && y < 20 ? 14u : x % 8 == 0 ? 5u : 8u;
  });
}
nitro::Texture cloth(std::string name, u32 shift) {
  return painted(std::move(name), 32,
                 [=](u32 x, u32 y) { return (x + shift + (y + 2 * shift) / 8 % 2 * 4) / 8 % 2 ? 12u : 5u; });
}

u16 mixed(u16 a, u16 b, u32 part, u32 of) {
  u32 out = 0;
  for (const u32 shift : {0, 5, 10}) out |= ((a >> shift & 31) * (of - part) + (b >> shift & 31) * part) / of << shift;
  return u16(out);
}
/// From dark to light through a colour in the middle; the last ones may be others.
nitro::Palette tones(std::string name, u16 dark, u16 middle, u16 light, const std::vector<u16>& last = {}) {
  std::vector<u16> all;
  for (u32 i = 0; i < 16; ++i) all.push_back(i < 8 ? mixed(dark, middle, i, 7) : mixed(middle, light, i - 8, 7));
  std::copy(last.begin(), last.end(), all.end() - i32(last.size()));
  return palette(std::move(name), std::move(all));
}

constexpr u16 k_white = rgb(31, 31, 31), k_black = rgb(2, 2, 3);

/// Sorted by name, as tools write them.
nitro::Nsbtx sorted_textures(std::vector<nitro::Texture> textures, std::vector<nitro::Palette> palettes) {
  sort_stably(textures, {}, &nitro::Texture::name);
  sort_stably(palettes, {}, &nitro::Palette::name);
  return texture_file(std::move(textures), std::move(palettes));
}

// ---- models ----

/// A rectangle with its texture repeated: `s` and `t` texels along its two edges.
void face(Drawing& d, Point corner, Point right, Point up, f64 s, f64 t) {
  const auto sum = [](Point a, Point b) { return Point{a.x + b.x, a.y + b.y, a.z + b.z}; };
  d.begin(nitro::make::Primitive::quads);
  d.texcoord(0, t).vertex(corner).texcoord(s, t).vertex(sum(corner, right));
  d.texcoord(s, 0).vertex(sum(sum(corner, right), up)).texcoord(0, 0).vertex(sum(corner, up));
  d.end();
}
/// The sides and the top of a box, `texels` to a unit of length.
void block(Drawing& d, Point low, Point high, f64 texels) {
  const f64 x = high.x - low.x, y = high.y - low.y, z = high.z - low.z;
  face(d.normal({0, 0, 1}), {low.x, low.y, high.z}, {x, 0, 0}, {0, y, 0}, x * texels, y * texels);
  face(d.normal({0, 0, -1}), {high.x, low.y, low.z}, {-x, 0, 0}, {0, y, 0}, x * texels, y * texels);
  face(d.normal({1, 0, 0}), {high.x, low.y, high.z}, {0, 0, -z}, {0, y, 0}, z * texels, y * texels);
  face(d.normal({-1, 0, 0}), {low.x, low.y, low.z}, {0, 0, z}, {0, y, 0}, z * texels, y * texels);
  face(d.normal({0, 1, 0}), {low.x, high.y, high.z}, {x, 0, 0}, {0, 0, -z}, x * texels, z * texels);
}
/// A pyramid on a square around a place.
void cone(Drawing& d, Point at, f64 half, f64 height) {
  const Point top{at.x, at.y + height, at.z};
  const std::array<Point, 4> corners{{{at.x - half, at.y, at.z + half},
                                      {at.x + half, at.y, at.z + half},
                                      {at.x + half, at.y, at.z - half},
                                      {at.x - half, at.y, at.z - half}}};
  constexpr std::array<Point, 4> k_normals{
      {{0, 0.4375, 0.875}, {0.875, 0.4375, 0}, {0, 0.4375, -0.875}, {-0.875, 0.4375, 0}}};
  d.begin(nitro::make::Primitive::triangles);
  for (size_t i = 0; i < 4; ++i) {
    d.normal(k_normals[i]).texcoord(0, 32).vertex(corners[i]);
    d.texcoord(32, 32).vertex(corners[(i + 1) % 4]).texcoord(16, 0).vertex(top);
  }
  d.end();
}
/// A tree, as wide as two of `tile`; in a wood nobody sees its trunk.
void tree(Drawing& trunk, Drawing& crown, Point at, f64 tile, bool in_wood = false) {
  if (in_wood)
    at.y -= tile / 2;
  else
    block(trunk, {at.x - tile / 4, at.y, at.z - tile / 4}, {at.x + tile / 4, at.y + tile / 2, at.z + tile / 4},
          8 / tile);
  cone(crown, {at.x, at.y + tile / 2, at.z}, tile, 1.75 * tile);
  cone(crown, {at.x, at.y + 1.5 * tile, at.z}, 0.75 * tile, 1.75 * tile);
}

/// What is drawn with one texture.
struct Part {
  nitro::Texture texture;
  Drawing drawing;
};
/// A node of a model, with its parts.
struct Joint {
  std::string name;
  Placement placement;
  std::vector<Part> parts;
};
/// A model whose joints hang on the first one.
nitro::Nsbmd model(std::string name, f64 scale, std::vector<Joint> joints) {
  const auto by_name = [](const Part& a, const Part& b) { return a.texture.name < b.texture.name; };
  for (Joint& j : joints) sort_stably(j.parts, by_name);  // as tools write them
  SampleModelBuilder m(std::move(name), scale);
  for (const Joint& j : joints) m.add(nitro::make::node(j.name, j.placement));
  u8 drawn = 0;
  std::vector<std::vector<u8>> of_joint;
  for (const Joint& j : joints) {
    of_joint.emplace_back();
    for (const Part& p : j.parts) {
      if (p.drawing.drawn().empty()) continue;
      nitro::Material look = material(p.texture.name + "_m");
      look.diffuse = rgb(31, 31, 31), look.ambient = rgb(24, 24, 24), look.specular = rgb(0, 0, 0);
      look.repeat_s = look.repeat_t = 1;
      look.show_back = p.texture.name.starts_with("flag");
      m.add(look);
      m.dress(p.texture, p.texture.name.starts_with("flag") ? "flag_pl" : p.texture.name + "_pl");
      m.add(p.texture.name + "_s", p.drawing);
      of_joint.back().push_back(drawn++);
    }
  }
  for (u8 i = 0; i < joints.size(); ++i) {
    m.nodedesc(i, 0, i, i ? 0 : SampleModelBuilder::k_none).posscale();
    for (const u8 part : of_joint[i]) m.draw(part, part);
    m.posscale(true);
  }
  return file_of({m.finish()});
}

// ---- lands ----

/// A letter for each tile: . grass, # path, f flowers, g tall grass, w water, s sand, p pier, T trees, F fence,
/// x something solid, S stairs.
class Plan {
 public:
  explicit Plan(char everywhere) : rows_(k_side, std::string(k_side, everywhere)) {}
  Plan& fill(u32 x0, u32 z0, u32 x1, u32 z1, char what) {
    for (u32 z = z0; z <= z1; ++z)
      for (u32 x = x0; x <= x1; ++x) rows_[z][x] = what;
    return *this;
  }
  Plan& oval(i32 x, i32 z, i32 wide, i32 deep, char what) {
    for (i32 j = 0; j < i32(k_side); ++j)
      for (i32 i = 0; i < i32(k_side); ++i)
        if (4 * ((i - x) * (i - x) * deep * deep + (j - z) * (j - z) * wide * wide) <= 4 * wide * wide * deep * deep)
          rows_[size_t(j)][size_t(i)] = what;
    return *this;
  }
  char at(u32 x, u32 z) const { return rows_[z][x]; }

 private:
  std::vector<std::string> rows_;
};

constexpr f64 along(u32 tile) { return (f64(tile) * k_tile_units - k_half_map) / k_land_scale; }
constexpr f64 k_tile = k_tile_units / k_land_scale;

/// Rows below `hill` lie higher; stairs lead up there.
LandData land_of(std::string name, const Plan& plan, u32 hill = 0) {
  const f64 high = k_hill * k_tile;
  const auto floor_at = [&](u32 z) { return z < hill ? high : 0.0; };
  std::map<char, Part> ground;
  ground.emplace('.', Part{grass("grass"), {}});
  ground.emplace('#', Part{sand(), {}});
  ground.emplace('f', Part{flowers(), {}});
  ground.emplace('g', Part{tall_grass(), {}});
  ground.emplace('w', Part{waves("sea", 0), {}});
  ground.emplace('p', Part{boards("boards"), {}});
  ground.emplace('r', Part{rock(), {}});
  Drawing trunks, crowns;
  const auto kind_of = [](char c) { return c == 'T' || c == 'F' || c == 'x' ? '.' : c == 's' || c == 'S' ? '#' : c; };
  for (u32 z = 0; z < k_side; ++z)
    for (u32 x = 0; x < k_side;) {
      const char kind = kind_of(plan.at(x, z));
      u32 end = x + 1;  // runs of one kind are one rectangle
      while (end < k_side && kind_of(plan.at(end, z)) == kind && (plan.at(end, z) == 'S') == (plan.at(x, z) == 'S'))
        ++end;
      const bool climbs = plan.at(x, z) == 'S';
      const f64 south = climbs ? high * f64(hill + 1 - z) / 2 : floor_at(z), north = climbs ? south + high / 2 : south;
      if (climbs)
        for (const auto& [edge, normal] : {std::pair(x, -1.0), std::pair(end, 1.0)}) {  // the sides of the stairs
          const f64 first = normal < 0 ? along(z) : along(z + 1), step = normal < 0 ? k_tile : -k_tile;
          const f64 here = normal < 0 ? north : south, there = normal < 0 ? south : north;
          Drawing& d = ground.at('r').drawing;
          d.begin(nitro::make::Primitive::quads).normal({normal, 0, 0});
          d.texcoord(0, 16).vertex({along(edge), 0, first}).texcoord(16, 16).vertex({along(edge), 0, first + step});
          d.texcoord(16, 0)
              .vertex({along(edge), there, first + step})
              .texcoord(0, 0)
              .vertex({along(edge), here, first})
              .end();
        }
      const f64 sunk = kind == 'w' ? -k_tile / 4 : 0;
      face(ground.at(kind).drawing.normal({0, 1, 0}), {along(x), south + sunk, along(z + 1)},
           {along(end) - along(x), 0, 0}, {0, north - south, -k_tile}, f64(end - x) * 16, 16);
      if (z == hill && hill && !climbs)
        face(ground.at('r').drawing.normal({0, 0, 1}), {along(x), 0, along(z)}, {along(end) - along(x), 0, 0},
             {0, high, 0}, f64(end - x) * 16, 32);
      x = end;
    }
  LandData l{};
  for (u32 z = 0; z < k_side; ++z)
    for (u32 x = 0; x < k_side; ++x) {
      const f64 y = floor_at(z);
      if (plan.at(x, z) == 'T' && x % 2 == 0 && z % 2 == 0 && noise(x, z, 13) % 8) {
        const f64 size = k_tile * (0.75 + f64(noise(x, z, 12) % 5) / 16);
        tree(trunks, crowns, {along(x + 1), y, along(z + 1)}, std::round(size * 64) / 64, true);
      }
      if (plan.at(x, z) == 'F') {
        const f64 from = along(x), middle = along(z) + k_tile / 2;
        block(ground.at('p').drawing, {from + 0.0625, y, middle - 0.015625},
              {from + 0.125, y + k_tile / 2, middle + 0.015625}, 64);
        block(ground.at('p').drawing, {from, y + 0.0625, middle}, {from + k_tile, y + 0.09375, middle + 0.015625}, 64);
      }
      if (plan.at(x, z) == 'w')  // the bank
        for (const auto& [dx, dz] : {std::pair(0, -1), std::pair(-1, 0), std::pair(1, 0)}) {
          const i32 i = i32(x) + dx, j = i32(z) + dz;
          if (i < 0 || j < 0 || i >= i32(k_side) || plan.at(u32(i), u32(j)) == 'w') continue;
          Drawing& d = ground.at('r').drawing;
          const f64 low = -k_tile / 4;
          if (dz) face(d.normal({0, 0, 1}), {along(x), low, along(z)}, {k_tile, 0, 0}, {0, -low, 0}, 16, 4);
          if (dx < 0) face(d.normal({1, 0, 0}), {along(x), low, along(z + 1)}, {0, 0, -k_tile}, {0, -low, 0}, 16, 4);
          if (dx > 0) face(d.normal({-1, 0, 0}), {along(x + 1), low, along(z)}, {0, 0, k_tile}, {0, -low, 0}, 16, 4);
        }
    }
  std::vector<Part> parts;
  for (auto& [kind, part] : ground) parts.push_back(std::move(part));
  parts.push_back({boards("bark"), trunks});
  parts.push_back({leaf("leaf"), crowns});
  l = land(model(std::move(name), k_land_scale, {{"ground", {}, parts}}));
  if (hill) {
    add_ground(l, 0, 0, k_side, hill, 2 * k_tile_units, 2 * k_tile_units);
    for (u32 x = 0; x < k_side; ++x)
      if (plan.at(x, hill) == 'S' && plan.at(x - 1, hill) != 'S') {
        u32 end = x;
        while (plan.at(end, hill) == 'S') ++end;
        add_ground(l, x, hill, end, hill + 2, 2 * k_tile_units, 0);
        add_ground(l, 0, hill, x, hill + 2, 0, 0);
        add_ground(l, end, hill, k_side, hill + 2, 0, 0);
      }
    add_ground(l, 0, hill + 2, k_side, k_side, 0, 0);
  } else {
    add_ground(l, 0, 0, k_side, k_side, 0, 0);
  }
  for (u32 z = 0; z < k_side; ++z)
    for (u32 x = 0; x < k_side; ++x) {
      const char c = plan.at(x, z);
      const bool cliff = hill && z == hill && c != 'S';
      l.attributes[z][x] = u16((c == 'T' || c == 'F' || c == 'x' || cliff ? k_collision : 0) | (c == 'g'   ? k_grass
                                                                                                : c == 'w' ? k_sea
                                                                                                           : 0));
    }
  return l;
}

enum PropModel : u32 { box, pine, mill, way_in, table, cottage, hall, boat, sign, lamp };

/// On the middle of the northern edge of a tile.
Prop placed(PropModel model, f64 x, f64 z, f64 height = 0) {
  return prop(model, x * k_tile_units - k_half_map, height * k_tile_units, z * k_tile_units - k_half_map);
}

LandData village_land() {
  Plan p('.');
  p.fill(0, 0, 31, 1, 'T')
      .fill(0, 0, 1, 31, 'T')
      .fill(0, 30, 31, 31, 'T')
      .fill(30, 0, 31, 13, 'T')
      .fill(30, 18, 31, 31, 'T');
  p.fill(2, 2, 5, 5, 'T').fill(26, 2, 29, 3, 'T');
  p.fill(15, 3, 16, 7, '#').fill(15, 8, 16, 9, 'S').fill(15, 10, 16, 27, '#');  // up to the mill
  p.fill(17, 5, 20, 5, '#').fill(19, 3, 24, 5, 'x');
  p.fill(6, 15, 31, 16, '#').fill(12, 13, 19, 18, '#');  // the street and the market
  p.fill(5, 10, 9, 13, 'x').fill(22, 10, 27, 13, 'x').fill(5, 21, 9, 24, 'x').fill(21, 20, 27, 24, 'x');
  p.fill(7, 14, 7, 14, '#').fill(24, 14, 24, 14, '#').fill(7, 25, 14, 25, '#').fill(17, 25, 24, 25, '#');
  p.fill(11, 11, 13, 12, 'f').fill(18, 11, 20, 12, 'f').fill(11, 19, 12, 20, 'f').fill(19, 19, 20, 20, 'f');
  p.fill(3, 26, 6, 29, 'g').fill(26, 26, 29, 29, 'g').fill(3, 6, 6, 7, 'g');
  p.fill(4, 18, 10, 18, 'F').fill(20, 18, 28, 18, 'F');
  p.oval(10, 28, 3, 2, 'w');
  LandData l = land_of("village", p, 8);
  l.attributes[13][7] = l.attributes[13][24] = l.attributes[24][7] = l.attributes[24][24] = k_collision | k_door;
  l.props = {placed(cottage, 7.5, 12),    placed(cottage, 7.5, 23),      placed(hall, 24.5, 12),
             placed(hall, 24.5, 22.5),    placed(mill, 22, 4.5, k_hill), placed(way_in, 7.5, 13.875),
             placed(way_in, 7.5, 24.875), placed(way_in, 24.5, 13.875),  placed(way_in, 24.5, 24.375),
             placed(sign, 13.5, 12.5),    placed(lamp, 12.5, 14),        placed(lamp, 19.5, 14),
             placed(lamp, 12.5, 18.5),    placed(lamp, 19.5, 18.5),      placed(pine, 4, 16.5),
             placed(pine, 28, 7, k_hill), placed(pine, 10, 5, k_hill),   placed(pine, 12, 7, k_hill)};
  return l;
}
LandData lake_land() {
  Plan p('.');
  p.fill(0, 0, 31, 1, 'T')
      .fill(0, 30, 31, 31, 'T')
      .fill(0, 0, 1, 13, 'T')
      .fill(0, 18, 1, 31, 'T')
      .fill(30, 0, 31, 31, 'T');
  p.fill(2, 2, 7, 5, 'T').fill(24, 2, 29, 3, 'T').fill(26, 26, 29, 29, 'T');
  p.fill(3, 7, 7, 11, 'g').fill(4, 21, 8, 27, 'g').fill(9, 3, 12, 5, 'f').fill(10, 26, 13, 28, 'f');
  p.oval(20, 16, 10, 12, 's').oval(20, 16, 8, 10, 'w').fill(0, 15, 11, 16, '#').fill(11, 15, 18, 16, 'p');
  LandData l = land_of("lake", p);
  l.props = {placed(boat, 20, 16.5, -0.25), placed(sign, 9.5, 14.5), placed(lamp, 10.5, 17.5), placed(pine, 8, 13),
             placed(pine, 6, 19),           placed(pine, 28, 8),     placed(pine, 10, 8)};
  return l;
}
LandData forest_land() {
  Plan p('T');
  p.oval(16, 16, 11, 10, '.').oval(16, 16, 4, 3, 'w').fill(8, 12, 10, 14, 'f').fill(21, 18, 23, 20, 'g');
  return land_of("forest", p);
}
LandData room_land() {
  Plan p('x');
  LandData l =
      land(model("room", k_land_scale, {{"floor", {}, [] {
                                           Part boards_part{boards("boards"), {}}, walls{rock(), {}};
                                           face(boards_part.drawing.normal({0, 1, 0}), {along(0), 0, along(8)},
                                                {along(8) - along(0), 0, 0}, {0, 0, along(0) - along(8)}, 128, 128);
                                           face(walls.drawing.normal({0, 0, 1}), {along(0), 0, along(0)},
                                                {along(8) - along(0), 0, 0}, {0, 3 * k_tile, 0}, 128, 48);
                                           return std::vector<Part>{boards_part, walls};
                                         }()}}));
  add_ground(l, 0, 0, 8, 8, 0, 0);
  set_tiles(l, 0, 0, 31, 31, k_collision);
  set_tiles(l, 1, 1, 6, 6, 0);
  l.attributes[6][3] = k_warp_south;
  l.props = {placed(table, 4, 4)};
  return l;
}

// ---- props: lengths in tiles ----

Part walls_of(f64 wide, f64 deep, f64 high) {
  Part p{wall(), {}};
  const f64 x = wide / 2, z = deep / 2;
  face(p.drawing.normal({0, 0, 1}), {-x, 0, z}, {wide, 0, 0}, {0, high, 0}, wide * 16, 32);
  face(p.drawing.normal({0, 0, -1}), {x, 0, -z}, {-wide, 0, 0}, {0, high, 0}, wide * 16, 32);
  face(p.drawing.normal({1, 0, 0}), {x, 0, z}, {0, 0, -deep}, {0, high, 0}, deep * 16, 32);
  face(p.drawing.normal({-1, 0, 0}), {-x, 0, -z}, {0, 0, deep}, {0, high, 0}, deep * 16, 32);
  return p;
}
/// A roof with its ridge from west to east.
Part roof_of(const std::string& texture, f64 wide, f64 deep, f64 from, f64 rise) {
  Part p{shingles(texture), {}};
  const f64 x = wide / 2 + 0.375, z = deep / 2 + 0.375;
  face(p.drawing.normal({0, 0.6875, 0.6875}), {-x, from, z}, {2 * x, 0, 0}, {0, rise, -z}, wide * 16, 32);
  face(p.drawing.normal({0, 0.6875, -0.6875}), {x, from, -z}, {-2 * x, 0, 0}, {0, rise, z}, wide * 16, 32);
  p.drawing.begin(nitro::make::Primitive::triangles);
  for (const f64 side : {1.0, -1.0}) {
    p.drawing.normal({side, 0, 0}).texcoord(0, 32).vertex({side * x, from, side * z});
    p.drawing.texcoord(32, 32).vertex({side * x, from, -side * z}).texcoord(16, 0).vertex({side * x, from + rise, 0});
  }
  p.drawing.end();
  return p;
}
nitro::Nsbmd house(std::string name, const std::string& roof, f64 wide, f64 deep, f64 high) {
  Part chimney{rock(), {}};
  block(chimney.drawing, {wide / 4, high, -0.5}, {wide / 4 + 0.75, high + 2.25, 0.25}, 16);
  return model(std::move(name), k_prop_scale,
               {{"house", {}, {walls_of(wide, deep, high), roof_of(roof, wide, deep, high, 1.75), chimney}}});
}
/// The sails turn; the flag changes.
nitro::Nsbmd mill_model() {
  Part tower{rock(), {}}, wood{boards("wood"), {}}, sail{cloth("sail", 0), {}}, flag{cloth("flag_0", 0), {}};
  const f64 low = 1.75, high = 1.125, top = 4.5;
  for (int side = 0; side < 4; ++side) {
    const Frame f = turned(1, 90.0 * side);
    const auto at = [&](f64 x, f64 y, f64 z) {
      const Point p = f({x, y, z});
      return Point{std::round(p.x * 64) / 64, std::round(p.y * 64) / 64, std::round(p.z * 64) / 64};
    };
    tower.drawing.begin(nitro::make::Primitive::quads).normal(at(0, 0.25, 0.9375));
    tower.drawing.texcoord(0, 64).vertex(at(-low, 0, low)).texcoord(48, 64).vertex(at(low, 0, low));
    tower.drawing.texcoord(40, 0).vertex(at(high, top, high)).texcoord(8, 0).vertex(at(-high, top, high)).end();
  }
  for (int i = 0; i < 4; ++i) {
    const Frame f = turned(2, 90.0 * i);
    const auto at = [&](f64 x, f64 y) {
      const Point p = f({x, y, 0});
      return Point{std::round(p.x * 64) / 64, std::round(p.y * 64) / 64, 0.0625};
    };
    const auto edge = [](Point a, Point b) { return Point{b.x - a.x, b.y - a.y, 0}; };
    const Point spar = at(-0.125, 0), corner = at(0.125, 0.75);
    face(wood.drawing.normal({0, 0, 1}), spar, edge(spar, at(0.125, 0)), edge(spar, at(-0.125, 3.5)), 8, 64);
    face(sail.drawing.normal({0, 0, 1}), corner, edge(corner, at(1, 0.75)), edge(corner, at(0.125, 3.25)), 32, 64);
  }
  face(flag.drawing.normal({0, 0, 1}), {0, 7, 0}, {1.5, 0, 0}, {0, 0.75, 0}, 32, 16);
  Part pole{boards("bark"), {}};
  block(pole.drawing, {-0.0625, 6, -0.0625}, {0.0625, 7.75, 0.0625}, 8);
  return model("mill", k_prop_scale,
               {{"house", {}, {tower, roof_of("roof_a", 2.25, 2.25, top, 1.75), pole, flag}},
                {"wheel", {.position = {0, top * k_prop_scale, 1.75 * k_prop_scale}}, {wood, sail}}});
}

nitro::Nsbmd pine_model() {
  Part trunk{boards("bark"), {}}, crown{leaf("leaf"), {}};
  tree(trunk.drawing, crown.drawing, {0, 0, 0}, 1);
  return model("pine", k_prop_scale, {{"pine", {}, {trunk, crown}}});
}
nitro::Nsbmd blocks(std::string name, nitro::Texture texture, const std::vector<std::pair<Point, Point>>& all) {
  Part p{std::move(texture), {}};
  for (const auto& [low, high] : all) block(p.drawing, low, high, 16);
  const std::string node = name;
  return model(std::move(name), k_prop_scale, {{node, {}, {p}}});
}
nitro::Nsbmd door_model() {
  Part p{door(), {}};
  face(p.drawing.normal({0, 0, 1}), {-0.5, 0, 0.1875}, {1, 0, 0}, {0, 1.5, 0}, 32, 32);
  return model("door", k_prop_scale, {{"door", {}, {p}}});
}

Bytes sails_turn() {
  return nitro::make::bytes_of(
      animation_file<nitro::Nsbca, nitro::JointAnimation>("wheel", 64, [](nitro::JointAnimation& a) {
        Rotations r;
        nitro::Track still_one{};
        still_one.identity = 1;
        nitro::Track wheel = track(1);
        wheel.rotation = turning(0, 64, [&](f64 f) { return r.pivot(2, f * 90 / 64); });
        wheel.rotation_identity = wheel.rotation_model = 0;
        a.tracks = {still_one, wheel};
        a.pivots = r.pivots;
      }));
}
Bytes flag_waves() {
  return nitro::make::bytes_of(
      animation_file<nitro::Nsbtp, nitro::PatternAnimation>("flag", 32, [](nitro::PatternAnimation& a) {
        a.texture_names = {{"flag_0"}, {"flag_1"}};
        a.palette_names = {{"flag_pl"}};
        nitro::PatternTrack t{};
        t.name = "flag_0_m";
        t.keys = {{0, 0, 0}, {16, 1, 0}};
        t.ratio = fixed_16(2.0 / 32);
        a.materials = {t};
      }));
}

}  // namespace

GameSample village_sample() {
  GameSample g = game_sample();
  g.names = {"EVERYWHERE", "VILLAGE", "LAKE", "ROOM"};
  g.matrices[0].altitudes = filled<u16>(30, 2, 0);
  const u16 green = rgb(9, 21, 7), brown = rgb(16, 11, 6), blue = rgb(8, 17, 28);
  const nitro::Palette leaf_colors = tones("leaf_pl", rgb(2, 8, 4), rgb(6, 17, 7), rgb(14, 25, 9)),
                       bark_colors = tones("bark_pl", rgb(5, 3, 2), brown, rgb(22, 16, 10)),
                       rock_colors = tones("rock_pl", rgb(6, 6, 7), rgb(15, 14, 14), rgb(24, 23, 21)),
                       board_colors = tones("boards_pl", rgb(7, 4, 2), rgb(18, 12, 7), rgb(27, 21, 13));
  g.map_textures = {sorted_textures({grass("grass"), sand(), flowers(), tall_grass(), waves("sea", 0), boards("boards"),
                                     rock(), boards("bark"), leaf("leaf")},
                                    {tones("grass_pl", rgb(4, 12, 4), green, rgb(20, 28, 12)),
                                     tones("path_pl", brown, rgb(24, 19, 12), rgb(29, 26, 19)),
                                     tones("flowers_pl", rgb(4, 12, 4), green, k_white,
                                           {rgb(30, 8, 8), rgb(30, 26, 6), rgb(22, 12, 30), k_white}),
                                     tones("tall_grass_pl", rgb(3, 9, 3), rgb(8, 24, 8), rgb(16, 30, 12)),
                                     tones("sea_pl", rgb(3, 8, 20), blue, k_white), board_colors, rock_colors,
                                     bark_colors, leaf_colors}),
                    sorted_textures({boards("boards"), rock()}, {board_colors, rock_colors})};
  const nitro::Palette wood_colors = tones("wood_pl", rgb(7, 4, 2), rgb(18, 12, 7), rgb(27, 21, 13));
  g.prop_textures = {
      sorted_textures(
          {rock(), boards("wood"), boards("bark"), leaf("leaf"), cloth("sail", 0), cloth("flag_0", 0),
           cloth("flag_1", 4), door(), wall(), shingles("roof_a"), shingles("roof_b"),
           painted("glow", 32, [](u32 x, u32 y) { return (x / 4 + y / 4) % 2 ? 14u : 12u; })},
          {rock_colors, wood_colors, bark_colors, leaf_colors, tones("sail_pl", brown, rgb(28, 26, 20), k_white),
           tones("flag_pl", rgb(20, 3, 3), rgb(28, 5, 5), k_white),
           tones("door_t_pl", k_black, rgb(14, 7, 3), rgb(30, 24, 8)),
           tones("wall_pl", rgb(8, 5, 3), rgb(26, 23, 17), rgb(31, 30, 26),
                 {rgb(30, 30, 28), rgb(12, 22, 30), rgb(14, 24, 31)}),
           tones("roof_a_pl", rgb(10, 2, 2), rgb(24, 7, 5), rgb(31, 14, 10)),
           tones("roof_b_pl", rgb(3, 4, 12), rgb(8, 12, 24), rgb(15, 20, 31)),
           tones("glow_pl", brown, rgb(28, 20, 6), rgb(31, 31, 20))}),
      sorted_textures({boards("wood")}, {wood_colors})};
  g.lands = {village_land(), lake_land(), forest_land(), room_land()};

  nitro::Nsbmd stand_in = blocks("box", boards("wood"), {{{-0.5, 0, -0.5}, {0.5, 1, 0.5}}});
  nitro::Textures own{};
  own.textures = {boards("wood")};
  own.palettes = {wood_colors};
  stand_in.textures = std::move(own);
  g.props = {std::move(stand_in),
             pine_model(),
             mill_model(),
             door_model(),
             blocks("table", boards("wood"),
                    {{{-1, 0.5, -0.5}, {1, 0.625, 0.5}},
                     {{-0.875, 0, -0.375}, {-0.75, 0.5, 0.375}},
                     {{0.75, 0, -0.375}, {0.875, 0.5, 0.375}}}),
             house("cottage", "roof_a", 5, 4, 2),
             house("hall", "roof_b", 6, 4, 2.5),
             blocks("boat", boards("wood"),
                    {{{-1.5, 0, -0.75}, {1.5, 0.25, 0.75}},
                     {{-1.5, 0.25, -0.75}, {1.5, 0.5, -0.625}},
                     {{-1.5, 0.25, 0.625}, {1.5, 0.5, 0.75}},
                     {{-0.0625, 0.25, -0.0625}, {0.0625, 3, 0.0625}}}),
             blocks("sign", boards("wood"),
                    {{{-0.0625, 0, -0.0625}, {0.0625, 0.5, 0.0625}}, {{-0.5, 0.5, -0.0625}, {0.5, 1, 0.0625}}}),
             model("lamp", k_prop_scale, {{"lamp", {}, [] {
                                             Part post{rock(), {}},
                                                 light{painted("glow", 32, [](u32, u32) { return 14u; }), {}};
                                             block(post.drawing, {-0.125, 0, -0.125}, {0.125, 1.5, 0.125}, 16);
                                             block(light.drawing, {-0.25, 1.5, -0.25}, {0.25, 2, 0.25}, 16);
                                             return std::vector<Part>{post, light};
                                           }()}})};
  g.prop_sets = {{{pine, mill, way_in, cottage, hall, boat, sign, lamp}}, {{table}}};
  g.animations = {sails_turn(), flag_waves(), std::move(g.animations[2])};
  g.anime_lists.resize(g.props.size(), still());
  g.draw_lists = {};  // of the props that do not move: all their materials, each with its shape
  for (size_t i = 0; i < g.props.size(); ++i) {
    const bool moves = i == mill || i == way_in;
    const u16 parts = u16(moves ? 0 : g.props[i].models[0].shapes.size());
    g.draw_lists.models.push_back({parts, moves ? u16(k_no_draws) : u16(g.draw_lists.draws.size())});
    for (u16 k = 0; k < parts; ++k) g.draw_lists.draws.push_back({k, k});
  }
  g.motion_pictures = {sorted_textures({waves("sea.1", 0), waves("sea.2", 4)}, {})};
  const auto day = [](i32 end, i32 red, i32 green_part, i32 blue_part) {
    LightBlock b = light_block(end, red, green_part, blue_part);
    b.ambient = {red * 6 / 8, green_part * 6 / 8, blue_part * 6 / 8};
    return b;
  };
  g.lights = {light({day(10800, 17, 19, 29), day(14400, 26, 20, 18), day(32400, 31, 31, 29), day(36000, 31, 20, 12),
                     day(43200, 17, 19, 29)}),
              light({day(43200, 28, 27, 24)})};
  g.events[1] = {};
  BgEvent board{};
  board.script = 1, board.x = 13, board.z = 12;
  ObjectEvent child{};
  child.graphics_id = 5, child.x = 17, child.z = 17;
  g.events[1].bg_events = {board};
  g.events[1].object_events = {child};
  g.events[1].warp_events = {warp(7, 13, 3, 0), warp(24, 13, 3, 0)};
  return g;
}

}  // namespace dio::platinum
