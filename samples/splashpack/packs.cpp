// packs.cpp: small packs made from nothing.
#include "samples/splashpack/packs.hpp"

#include <algorithm>

#include "console/rgb555.hpp"
#include "core/sorting.hpp"
#include "formats/splashpack/pictures/video_memory.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"

namespace dio::splashpack {
namespace {

constexpr i16 k_cell = 400, k_half = 2 * k_cell, k_wall = 400;  // raw units: a room of 4 by 4 cells
constexpr i16 k_eyes = 136;

// Where things lie in video memory.
constexpr TexturePage k_page4{320, 0, 0, 0, true};   // floor and crate: 256 x 256 texels
constexpr TexturePage k_page8{384, 0, 1, 0, true};   // walls
constexpr TexturePage k_page16{320, 0, 2, 0, true};  // layout a1
constexpr TexturePage k_page_a2{320, 0, 1, 0, true};
constexpr u16 k_floor_clut = 240, k_crate_clut = 241, k_wall_clut = 242;
constexpr u8 k_crate_v = 192;  // the crate's picture lies below the floor's

/// What a surface is painted with: its texels are those of a rectangle in a page.
struct Paint {
  u16 page, clut_y;
  u8 u, v, width, height;
};

Vec16 vec(int x, int y, int z) { return {fx16{i16(x)}, fx16{i16(y)}, fx16{i16(z)}}; }
Vec32 vec32(int x, int y, int z) { return {fx32{x}, fx32{y}, fx32{z}}; }
Box box(int x0, int y0, int z0, int x1, int y1, int z1) { return {vec32(x0, y0, z0), vec32(x1, y1, z1)}; }
Color gray(u8 level) { return {level, level, level, 0}; }

/// The corners so that the front is where the normal points: cross(v1 - v0, v2 - v0) points away from it.
void add_triangle(Object& o, std::array<Vec16, 3> p, Vec16 normal, std::array<Uv, 3> uvs, Color color,
                  const Paint* paint) {
  const auto d = [&](size_t i) {
    return std::array{i64(p[i].x.raw) - p[0].x.raw, i64(p[i].y.raw) - p[0].y.raw, i64(p[i].z.raw) - p[0].z.raw};
  };
  const auto a = d(1), b = d(2);
  const i64 along = (a[1] * b[2] - a[2] * b[1]) * normal.x.raw + (a[2] * b[0] - a[0] * b[2]) * normal.y.raw +
                    (a[0] * b[1] - a[1] * b[0]) * normal.z.raw;
  if (along > 0) std::swap(p[1], p[2]), std::swap(uvs[1], uvs[2]);
  Triangle t{};
  t.positions = p;
  t.normal = normal;
  t.colors = {color, color, color};
  t.uvs = uvs;
  t.page = paint ? paint->page : k_untextured;
  t.clut_y = paint ? paint->clut_y : 0;
  o.triangles.push_back(t);
}
/// a, b, c, d go around; the picture's upper left is at a, its upper right at b.
void add_quad(Object& o, Vec16 a, Vec16 b, Vec16 c, Vec16 d, Vec16 normal, u8 level, const Paint& p) {
  const Uv ua{p.u, p.v}, ub{u8(p.u + p.width - 1), p.v}, uc{u8(p.u + p.width - 1), u8(p.v + p.height - 1)},
      ud{p.u, u8(p.v + p.height - 1)};
  add_triangle(o, {a, b, c}, normal, {ua, ub, uc}, gray(level), &p);
  add_triangle(o, {a, c, d}, normal, {ua, uc, ud}, gray(level), &p);
}

/// How the walls are painted: where a layout has no palettes or one depth only, with the floor's picture.
struct SamplePalettes {
  Paint floor, walls, crate;
  bool deep_walls;  // a picture of 8 bits for them
};
SamplePalettes look_of(Layout l) {
  SamplePalettes k;
  const bool deep = l == Layout::d || l == Layout::e || l == Layout::v21;
  const u16 page = l == Layout::a1 ? k_page16.word() : l == Layout::a2 ? k_page_a2.word() : k_page4.word();
  k.floor = {page, k_floor_clut, 0, 0, 64, 48};
  k.crate = {page, k_crate_clut, 0, k_crate_v, 64, 64};
  k.walls = deep ? Paint{k_page8.word(), k_wall_clut, 0, 0, 64, 64} : Paint{page, k_wall_clut, 0, 0, 64, 48};
  k.deep_walls = deep;
  return k;
}
Paint part(Paint p, int column, int row) {
  p.u = u8(p.u + column * p.width), p.v = u8(p.v + row * p.height);
  return p;
}

Object floor_of(const SamplePalettes& look) {
  Object o;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) {
      const int x = column * k_cell - k_half, z = k_half - row * k_cell;
      add_quad(o, vec(x, 0, z), vec(x + k_cell, 0, z), vec(x + k_cell, 0, z - k_cell), vec(x, 0, z - k_cell),
               vec(0, -4096, 0), k_neutral, part(look.floor, column, row));
    }
  o.name = "floor";
  return o;
}
Object walls_of(const SamplePalettes& look) {
  Object o;
  const std::array<u8, 4> light = {120, 104, 88, 104};
  for (int side = 0; side < 4; ++side)
    for (int i = 0; i < 4; ++i) {
      const int from = i * k_cell - k_half, to = from + k_cell;
      // Ahead, to the right, behind, to the left.
      const auto at = [&](int along, int y) {
        return side == 0   ? vec(along, y, k_half)
               : side == 1 ? vec(k_half, y, -along)
               : side == 2 ? vec(-along, y, -k_half)
                           : vec(-k_half, y, along);
      };
      const Vec16 inward = side == 0   ? vec(0, 0, -4096)
                           : side == 1 ? vec(-4096, 0, 0)
                           : side == 2 ? vec(0, 0, 4096)
                                       : vec(4096, 0, 0);
      add_quad(o, at(from, -k_wall), at(to, -k_wall), at(to, 0), at(from, 0), inward, light[size_t(side)],
               part(look.walls, i, side));
    }
  o.name = "walls";
  return o;
}
Object crate_of(const SamplePalettes& look) {
  constexpr int k_side = 80, k_top = -160;
  Object o;
  o.position = vec32(300, 0, 300);
  constexpr i32 k_cos = 3547, k_sin = 2048;  // 30 degrees
  o.rotation = {{{k_cos}, {0}, {k_sin}, {0}, {4096}, {0}, {-k_sin}, {0}, {k_cos}}};
  for (int side = 0; side < 4; ++side) {
    const int sx = side == 1 ? 1 : side == 3 ? -1 : 0, sz = side == 0 ? 1 : side == 2 ? -1 : 0;
    const auto at = [&](int along, int y) { return vec(sx * k_side + sz * along, y, sz * k_side - sx * along); };
    add_quad(o, at(-k_side, k_top), at(k_side, k_top), at(k_side, 0), at(-k_side, 0), vec(4096 * sx, 0, 4096 * sz),
             u8(96 + 8 * side), part(look.crate, side, 0));
  }
  add_quad(o, vec(-k_side, k_top, k_side), vec(k_side, k_top, k_side), vec(k_side, k_top, -k_side),
           vec(-k_side, k_top, -k_side), vec(0, -4096, 0), k_neutral, look.crate);
  o.name = "crate";
  return o;
}
/// Without a texture: from v20 on.
Object lamp_of() {
  Object o;
  o.position = vec32(-300, -320, 300);
  constexpr int k_size = 60, k_slope = 2896;
  for (int side = 0; side < 4; ++side) {
    const int sx = side == 1 ? 1 : side == 3 ? -1 : 0, sz = side == 0 ? 1 : side == 2 ? -1 : 0;
    add_triangle(o,
                 {vec(0, -k_size, 0), vec(k_size * (sx + sz), 0, k_size * (sz - sx)),
                  vec(k_size * (sx - sz), 0, k_size * (sz + sx))},
                 vec(sx * k_slope, -k_slope, sz * k_slope), {}, Color{255, 240, u8(120 + 30 * side), 0}, nullptr);
  }
  o.name = "lamp";
  return o;
}
/// A strip with bones: from v20 on.
Object strip_of(const SamplePalettes& look, int x, const char* name) {
  Object o;
  o.position = vec32(x, 0, -300);
  o.flags |= k_skinned;
  for (int i = 0; i < 2; ++i)
    add_quad(o, vec(-40, -100 * (i + 1), 0), vec(40, -100 * (i + 1), 0), vec(40, -100 * i, 0), vec(-40, -100 * i, 0),
             vec(0, 0, -4096), k_neutral, part(look.crate, i, 0));
  o.name = name;
  return o;
}

std::vector<NavTriangle> floor_triangles() {
  std::vector<NavTriangle> all;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) {
      const int x = column * k_cell - k_half, z = row * k_cell - k_half;
      all.push_back({{vec32(x, 0, z), vec32(x + k_cell, 0, z), vec32(x + k_cell, 0, z + k_cell)}});
      all.push_back({{vec32(x, 0, z), vec32(x + k_cell, 0, z + k_cell), vec32(x, 0, z + k_cell)}});
    }
  return all;
}

// ---- pictures ----

using console::rgb;

/// No color is 0x0000, which is not drawn.
std::vector<u16> floor_colors() {
  std::vector<u16> c;
  for (u32 i = 0; i < 16; ++i) c.push_back(rgb(6 + i, 5 + i, 4 + i / 2));
  return c;
}
std::vector<u16> crate_colors() {
  std::vector<u16> c;
  for (u32 i = 0; i < 16; ++i) c.push_back(rgb(10 + i, 4 + i, 2 + i / 4));
  return c;
}
std::vector<u16> wall_colors(u32 n) {
  std::vector<u16> c;
  for (u32 i = 0; i < n; ++i) c.push_back(rgb(4 + i * 24 / n, 8 + i * 20 / n, 12 + i % 16));
  return c;
}
/// 0 to 15: tiles above, planks of the crate below.
u32 shade16(u32 x, u32 y) {
  if (y >= k_crate_v) {
    const u32 px = x % 64, py = y % 64;
    if (px < 4 || py < 4 || px >= 60 || py >= 60) return 2 + (px + py) % 3;
    return 6 + (py / 8 * 3 + px / 16) % 9;
  }
  if (x % 32 == 0 || y % 24 == 0) return 1;
  return 4 + (x / 32 * 5 + y / 24 * 3 + (x * 7 + y * 13) % 4) % 12;
}
/// 0 to 255: bricks.
u32 shade256(u32 x, u32 y) {
  const u32 row = y / 16, bx = (x + row % 2 * 16) % 32;
  if (bx == 0 || y % 16 == 0) return 16 + (x * 3 + y) % 16;
  return (64 + row * 11 + (x + row % 2 * 16) / 32 * 17 + (x * 5 + y * 3) % 64) % 256;
}

void put_word(Bytes& b, u32 word) {
  b.push_back(u8(word));
  b.push_back(u8(word >> 8));
}
Atlas atlas(const TexturePage& page, auto shade, auto word_of) {
  const u32 per_word = page.texels_per_word();
  Atlas a;
  a.width = u16(256 / per_word), a.height = 256, a.x = page.x, a.y = page.y;
  for (u32 y = 0; y < 256; ++y)
    for (u32 x = 0; x < 256; x += per_word) {
      u32 word = 0;
      for (u32 i = 0; i < per_word; ++i) word |= word_of(shade(x + i, y)) << i * 16 / per_word;
      put_word(a.texels, word);
    }
  return a;
}
Clut clut(u16 y, std::vector<u16> colors) {
  Clut c;
  c.y = y;
  c.length = u16(colors.size());
  c.colors = std::move(colors);
  return c;
}

void paint(Pack& p, const SamplePalettes& look) {
  const auto same = [](u32 n) { return n; };
  if (p.form == Layout::a1) {
    const auto floor = floor_colors();
    p.atlases.push_back(atlas(k_page16, shade16, [&](u32 n) { return u32(floor[n]); }));
    for (Object& o : p.objects) o.page = look.floor.page;
    return;
  }
  if (p.form == Layout::a2) {
    p.atlases.push_back(atlas(k_page_a2, shade16, same));
    const std::array palettes = {floor_colors(), wall_colors(16), crate_colors()};
    for (size_t i = 0; i < p.objects.size(); ++i) {
      Object& o = p.objects[i];
      o.page = look.floor.page, o.clut_y = u16(k_floor_clut + i);
      o.colors.fill(rgb(31, 0, 31));  // what no texel names
      std::copy(palettes[i].begin(), palettes[i].end(), o.colors.begin());
    }
    return;
  }
  p.atlases.push_back(atlas(k_page4, shade16, same));
  if (look.deep_walls) p.atlases.push_back(atlas(k_page8, shade256, same));
  p.cluts = {clut(k_floor_clut, floor_colors()), clut(k_crate_clut, crate_colors()),
             clut(k_wall_clut, wall_colors(look.deep_walls ? 256 : 16))};
  if (p.form != Layout::a3) return;
  for (Clut& c : p.cluts) c.colors.resize(256, rgb(31, 0, 31));
}

/// Puts texels and palettes where v20 and later have them.
void move_pixels(SceneFiles& f) {
  for (Atlas& a : f.pack.atlases) f.vram.atlases.push_back({a.x, a.y, a.width, a.height, std::move(a.texels)});
  for (Clut& c : f.pack.cluts) f.vram.cluts.push_back({c.x, c.y, 0, std::move(c.colors)});
  for (Atlas& a : f.pack.atlases) a.texels.clear();
  for (Clut& c : f.pack.cluts) c.colors.clear();
}

Script script(std::string text) { return {0, std::move(text)}; }

/// What the tests and the docs call a scene: everything that its layout has room for, and no more.
Pack basic(Layout l) {
  const SamplePalettes look = look_of(l);
  Pack p;
  p.form = l;
  p.version = l >= Layout::v20 ? u16(l) : 1;
  p.objects = {floor_of(look), walls_of(look), crate_of(look)};
  if (l < Layout::v20)
    for (Object& o : p.objects) {
      o.name.clear();
      if (l < Layout::a3)
        for (Triangle& t : o.triangles) t.page = t.clut_y = 0;
    }
  paint(p, look);
  if (l >= Layout::b2 && l < Layout::v20) p.navmeshes.push_back({0, 0, floor_triangles()});
  if (l >= Layout::c) {
    p.start = vec(0, -k_eyes, -k_cell);
    p.height.raw = k_eyes;
  }
  if (l >= Layout::d) {
    p.scripts.push_back(script("function onCollision(self)\n  self.position.x = self.position.x + 1\nend\n"));
    p.objects[2].script = 0;
  }
  if (l == Layout::e) {
    p.scripts.push_back(script("-- the room\nfunction onSceneCreationEnd()\n  print(\"ready\")\nend\n"));
    p.script = 1;
  }
  return p;
}

/// What came with v22 and later. The floor and the crate stay; the agent walks along a wall.
void add_newer_parts(Pack& p) {
  Agent& agent = p.agents.emplace_back();
  agent.object = u16(p.objects.size() - 1);
  agent.flags = Agent::k_enabled | Agent::k_sees | Agent::k_patrols;
  agent.speed.raw = 4, agent.stop_distance.raw = 8, agent.sight_range.raw = 328, agent.view_cosine.raw = 2896;
  agent.alert_timeout = 60, agent.portal_hops = 2;
  agent.clips.fill(Agent::k_no_clip);
  agent.waypoints = {vec32(k_half / 2, 0, k_half / 2), vec32(k_half / 2, 0, -k_half / 2)};
  p.scene_hash = 0x811C9DC5;
  SpriteSheet sheet;
  sheet.page_x = u8(k_page4.x / 64), sheet.clut_y = k_crate_clut;
  sheet.cell_width = sheet.cell_height = 16, sheet.columns = 4, sheet.rows = 4;
  sheet.name = "hero";
  p.sprite_sheets = {sheet};
  SpriteAnimation walk;
  walk.cell_count = 4, walk.name = "walk";
  SpriteAnimation idle = walk;
  idle.first_cell = 4, idle.loop = 0, idle.name = "idle";
  p.sprite_animations = {walk, idle};
  if (p.form >= Layout::v23) {
    Tilemap& map = p.tilemap.emplace();
    map.width = 4, map.height = 3, map.tile_width = map.tile_height = 16;
    for (u8 n = 0; n < 12; ++n) map.tiles.push_back({n == 5 ? Tile::k_none : n, u8(n && n != 5)});
    map.tile_objects = {{1, 1, 0, 0}, {2, 1, 3, 2}};
  }
  if (p.form >= Layout::v24) {
    LightTable& lights = p.lights.emplace();
    PackLight lamp;
    lamp.position = vec32(k_half / 2, -k_wall, 0), lamp.radius.raw = 256, lamp.intensity.raw = 4096;
    lamp.green = 192, lamp.blue = 96, lamp.name = "lamp_a";
    PackLight second = lamp;
    second.position.x.raw = -lamp.position.x.raw, second.red = 96, second.blue = 255, second.name = "lamp_b";
    lights.entries = {lamp, second};
    p.objects[2].flags |= 0x10000;
  }
  if (p.form >= Layout::v25) p.ordering_table_size = 8192, p.primitive_buffer_size = 129536;
}

/// Moves the triangles of an object to the .geo file.
void stream_object(SceneFiles& f, u16 number) {
  Object& object = f.pack.objects[number];
  WorldStream& stream = f.pack.stream.emplace();
  StreamRef ref{number, u16(object.triangles.size()), 0};
  GeoTriangles triangles;
  triangles.triangles = std::exchange(object.triangles, {});
  f.geo.sectors = bytes_of(triangles);
  f.geo.sectors.resize((f.geo.sectors.size() + WorldStream::k_sector - 1) / WorldStream::k_sector *
                       WorldStream::k_sector);
  const u32 size = u32(f.geo.sectors.size());
  stream.refs = {ref};
  stream.regions = {{object.box.min.x, object.box.min.z, object.box.max.x, object.box.max.z, 0, size, 0, 1, 0}};
  stream.slot_count = 2, stream.slot_size = size;
  stream.load_radius.raw = 10240, stream.unload_radius.raw = 15360;
}

// ---- everything ----

void add_rooms(Pack& p) {
  p.scene_type = 1;
  // The room ahead of the player is cut in two by a plane, and each half in two cells.
  std::array<std::array<std::vector<TriangleRef>, 2>, 2> refs;
  for (const TriangleRef& r : p.bvh_refs) {
    std::array<i64, 3> center{};
    for (const Vec16& v : p.objects[r.object].triangles[r.triangle].positions) {
      const auto at = transform_vertex_exact(p.objects[r.object], v);
      for (size_t i = 0; i < 3; ++i) center[i] += at[i];
    }
    refs[center[0] >= 0][center[2] >= 0].push_back(r);
  }
  for (size_t room = 0; room < 2; ++room) {
    const int x = room ? 0 : -k_half;
    Room r{box(x, -k_wall, -k_half, x + k_half, 0, k_half),
           u16(p.room_refs.size()),
           0,
           u16(p.room_cells.size()),
           2,
           1,
           u16(room),
           0};
    for (size_t cell = 0; cell < 2; ++cell) {
      const int z = cell ? 0 : -k_half;
      std::vector<TriangleRef>& mine = refs[room][cell];
      sort_stably(mine);
      p.room_cells.push_back(
          {box(x, -k_wall, z, x + k_half, 0, z + k_half), u16(p.room_refs.size()), u16(mine.size())});
      p.room_refs.insert(p.room_refs.end(), mine.begin(), mine.end());
    }
    r.ref_count = u16(p.room_refs.size() - r.first_ref);
    p.rooms.push_back(r);
    p.room_portal_refs.push_back({0, u16(1 - room)});
  }
  p.rooms.push_back({box(-k_half, -k_wall, -k_half, k_half, 0, k_half), u16(p.room_refs.size()), 0,
                     u16(p.room_cells.size()), 0, 0, 2, 0});
  p.room_portals.push_back({0, 1, vec32(0, -k_wall / 2, 0), fx16{k_half}, fx16{k_wall / 2}, vec(4096, 0, 0), 0,
                            vec(0, 0, 4096), vec(0, -4096, 0)});
  for (NavRegion& r : p.nav->regions) r.room = u8(i64(r.xs[0].raw) + r.xs[1].raw + r.xs[2].raw >= 0);
}

Track track(u8 type, std::optional<std::string> target, std::vector<Keyframe> keys) {
  Track t;
  t.type = type;
  t.target = std::move(target);
  t.keys = std::move(keys);
  return t;
}

void add_cutscene(Pack& p) {
  Cutscene c;
  c.name = "intro";
  c.frame_count = 90;
  c.tracks = {
      track(0, {}, {{0, 0, {0, -k_eyes, -600}}, {4, 60, {0, -k_eyes, -400}}}),
      track(1, {}, {{0, 0, {0, 0, 0}}, {0, 60, {0, 128, 0}}}),
      track(2, "crate", {{0, 0, {300, 0, 300}}, {2, 30, {300, 0, 200}}, {3, 60, {300, 0, 300}}}),
      track(4, "lamp", {{1, 0, {1, 0, 0}}, {1, 45, {0, 0, 0}}, {1, 50, {1, 0, 0}}}),
      track(5, "hud", {{1, 0, {0, 0, 0}}, {1, 80, {1, 0, 0}}}),
      track(8, "hud/title", {{0, 0, {16, 16, 0}}, {0, 60, {32, 16, 0}}}),
  };
  c.audio_events = {{10, 0, 100, 64, {}}, {60, 0, 80, 32, {}}};
  c.skin_events = {{5, 0, 1, 1, {}}};
  p.cutscenes.push_back(std::move(c));
  Animation a;
  a.name = "turn";
  a.frame_count = 60;
  a.tracks = {track(3, "crate", {{0, 0, {0, 0, 0}}, {0, 59, {0, 1024, 0}}}),
              track(13, "walls", {{0, 0, {0, 0, 0}}, {0, 59, {63, 0, 0}}})};
  a.skin_events = {{0, 1, 0, 0, {}}};
  p.animations.push_back(std::move(a));
}

void add_skins(Pack& p, u16 first) {
  for (u16 i = 0; i < 2; ++i) {
    Skin s;
    s.object = u16(first + i);
    s.name = p.objects[s.object].name;
    s.bone_count = 2;
    for (const Triangle& t : p.objects[s.object].triangles) {
      std::array<u8, 3> bones{};  // corners above the middle hang on the second bone
      for (size_t c = 0; c < 3; ++c) bones[c] = t.positions[c].y.raw < -100;
      s.corner_bones.push_back(bones);
    }
    const auto bone = [](int dx) {
      return BoneMatrix{{{{4096}, {0}, {0}, {0}, {4096}, {0}, {0}, {0}, {4096}}}, vec(dx, 0, 0)};
    };
    s.clips = {{"still", 0, 0, 15, 0, {bone(0), bone(0)}},
               {"sway", 0, 1, 15, 0, {bone(0), bone(-20), bone(0), bone(0), bone(0), bone(20)}}};
    p.skins.push_back(std::move(s));
  }
}

UiElement element(UiType type, const char* name, int x, int y, int width, int height) {
  UiElement e;
  e.type = type;
  e.name = name;
  e.x = i16(x), e.y = i16(y), e.width = i16(width), e.height = i16(height);
  e.red = e.green = e.blue = k_neutral;
  return e;
}
void add_ui(SceneFiles& f) {
  // 96 letters of 8 x 8: 32 in a row, each a box of its own width.
  VramFont font;
  font.glyph_width = font.glyph_height = 8;
  font.x = Reserved::k_new_column.x, font.y = 0, font.height = 24;
  for (u32 y = 0; y < 24; ++y)
    for (u32 x = 0; x < 256; x += 2) {
      const auto ink = [&](u32 at) { return at % 8 && at % 8 < 4 + at / 8 % 4 && y % 8 ? 1u : 0u; };
      font.texels.push_back(u8(ink(x) | ink(x + 1) << 4));
    }
  UiFont described{font.glyph_width, font.glyph_height, font.x, font.y, font.height, 0, u32(font.texels.size()), {}};
  for (size_t i = 0; i < described.advances.size(); ++i) described.advances[i] = u8(5 + i % 4);
  f.pack.fonts.push_back(described);
  f.vram.fonts.push_back(std::move(font));

  UiCanvas hud;
  hud.name = "hud";
  UiElement image = element(UiType::image, "icon", 8, 8, 32, 32);
  image.page_x = u8(k_page4.x / k_page_width), image.clut_y = k_crate_clut;
  image.from = {0, k_crate_v}, image.to_uv = {63, 255};
  UiElement title = element(UiType::text, "title", 16, 16, 120, 8);
  title.font = 1, title.text = "A room";
  UiElement health = element(UiType::progress, "health", 8, 220, 100, 8);
  health.back_red = 40, health.value = 75;
  UiElement line = element(UiType::line, "line", 8, 216, 108, 216);
  line.x1 = 8, line.y1 = line.y2 = 216, line.x2 = 108;
  hud.elements = {element(UiType::box, "back", 4, 4, 160, 40), image, title, health, line};
  UiCanvas prompt;
  prompt.name = "prompt";
  prompt.sort_order = 1, prompt.flags = 0;
  UiElement press = element(UiType::text, "press", 100, 200, 120, 8);
  press.text = "Press X";
  prompt.elements = {press};
  f.pack.canvases = {hud, prompt};
}

MemoryCard memory_card() {
  MemoryCard m;
  m.region = "BA", m.product = "SLUS-00000", m.title = "A room";
  const auto colors = crate_colors();
  std::copy(colors.begin(), colors.end(), m.colors.begin());
  for (u32 y = 0; y < 16; ++y)
    for (u32 x = 0; x < 16; x += 2) {
      const auto texel = [&](u32 at) { return shade16(at * 4, k_crate_v + y * 4); };
      m.icons[0][y * 8 + x / 2] = u8(texel(x) | texel(x + 1) << 4);
    }
  return m;
}

void add_sound(SceneFiles& f) {
  // A square wave of 28 samples a block; the last block says that it ends.
  SpuClip clip;
  clip.rate = 22050;
  for (u8 block = 0; block < 4; ++block) {
    clip.samples.push_back(0x04);
    clip.samples.push_back(block == 3 ? 1 : 0);
    for (u8 i = 0; i < 14; ++i) clip.samples.push_back(i < 7 ? 0x44 : 0xCC);
  }
  AudioClip described;
  described.size = u32(clip.samples.size()), described.rate = clip.rate, described.name = "beep";
  f.pack.audio_clips.push_back(described);
  f.spu.clips.push_back(std::move(clip));
}

void add_n(SceneFiles& f) {
  Pack& p = f.pack;
  p.objects.push_back(lamp_of());
  (void)add_derived_sections(p, k_default_scaling);
  // As the two rooms of the interior divide it.
  const std::array rooms = {box(-k_half, -k_wall, -k_half, 0, 0, k_half), box(0, -k_wall, -k_half, k_half, 0, k_half)};
  p.nav = build_nav_regions(floor_triangles(), vec32(p.start.x.raw, 0, p.start.z.raw), rooms).nav;
  p.colliders.push_back({p.objects[2].box, 1, 0xFF, 2, 0});
  move_pixels(f);
}

}  // namespace

SceneFiles sample_scene(Layout l) {
  SceneFiles f;
  f.pack = basic(l);
  if (l < Layout::v20) return f;
  add_n(f);
  if (l >= Layout::v22) add_newer_parts(f.pack);
  if (l >= Layout::v25) stream_object(f, 1);
  return f;
}

SceneFiles sample_scene_with_everything() {
  SceneFiles f;
  Pack& p = f.pack;
  p = basic(Layout::v21);
  const SamplePalettes look = look_of(Layout::v21);
  p.objects.push_back(strip_of(look, -150, "flag"));
  p.objects.push_back(strip_of(look, 150, "arm"));
  add_n(f);
  add_skins(p, 3);
  add_rooms(p);
  add_cutscene(p);
  add_ui(f);
  add_sound(f);
  p.memory_card = memory_card();
  p.scripts.push_back(script("-- the room\nfunction onSceneCreationEnd()\n  Cutscene.Play(\"intro\")\nend\n"));
  p.scripts.push_back(script("function onTriggerEnter(index)\n  Audio.Play(\"beep\")\nend\n"));
  p.script = 1;
  p.triggers.push_back({box(-k_half, -k_wall, 0, 0, 0, k_half), 2, 0, 0});
  Interactable i;
  i.radius_squared.raw = 10;  // 0.05 of a unit away
  i.button = 14, i.flags = 3, i.cooldown = 30, i.object = 2, i.prompt_canvas = "prompt";
  p.interactables.push_back(i);
  p.objects[2].interactable = 0;
  for (Triangle& t : p.objects[1].triangles) t.flags = 1;  // the walls' picture moves
  p.fog = 1, p.fog_red = 64, p.fog_green = 72, p.fog_blue = 96, p.fog_density = 3;
  return f;
}

namespace {

std::string name_of(Layout l) { return "scene_" + std::string(k_layouts.of(i64(l))); }
SceneFiles files_of(Layout l) { return l == Layout::v21 ? sample_scene_with_everything() : sample_scene(l); }

/// A file of each layout from v20 on.
std::vector<Sample> beside_packs(const char* extension, const char* about, auto bytes) {
  std::vector<Sample> all;
  for (const EnumName& w : k_layouts.words) {
    const Layout l = Layout(w.value);
    if (l >= Layout::v20)
      all.push_back({name_of(l) + extension, std::string(about) + " of " + name_of(l), bytes(files_of(l))});
  }
  return all;
}

}  // namespace

std::vector<Sample> pack_samples() {
  std::vector<Sample> all;
  for (const EnumName& w : k_layouts.words) {
    const Layout l = Layout(w.value);
    all.push_back(
        {name_of(l) + (l < Layout::v20 ? ".bin" : ".splashpack"),
         "a room in layout " + std::string(w.word) + (l == Layout::v21 ? ", with something in every part" : ""),
         bytes_of(files_of(l).pack)});
  }
  return all;
}
std::vector<Sample> vram_samples() {
  return beside_packs(".vram", "textures", [](const SceneFiles& f) { return bytes_of(f.vram); });
}
std::vector<Sample> spu_samples() {
  return beside_packs(".spu", "sounds", [](const SceneFiles& f) { return bytes_of(f.spu); });
}

std::vector<Sample> geo_samples() {
  return {{name_of(Layout::v25) + ".geo", "the walls of " + name_of(Layout::v25), bytes_of(files_of(Layout::v25).geo)}};
}

std::span<const SampleList> samples() {
  static constexpr SampleList all[] = {
      {"splashpack", pack_samples},
      {"splashpack-vram", vram_samples},
      {"splashpack-spu", spu_samples},
      {"splashpack-geo", geo_samples},
  };
  return all;
}

}  // namespace dio::splashpack
