// courses.cpp: courses made from nothing, of every version and with every irregularity a reader must take.
#include "samples/kmp/courses.hpp"

#include <cmath>

#include "core/elementary.hpp"
#include "formats/kcl/geometry.hpp"

namespace dio::kmp {

namespace {

constexpr f32 k_turn = 6.2831853f;
constexpr int k_points = 24;  // of the main path around the oval
constexpr f32 k_long = 18000, k_wide = 9000, k_road = 1800;

/// A point of an oval, `t` from 0 to 1, `side` units to the right of the way.
Vec3 oval(f32 t, f32 side = 0, f32 y = 0) {
  const f32 a = t * k_turn;
  return {f32(std::round((k_long - side) * elementary::cos(a))), y,
          f32(std::round((k_wide - side) * elementary::sin(a)))};
}
Vec2 flat(Vec3 p) { return {p.x, p.z}; }

Group group(u8 first, u8 count, std::initializer_list<u8> previous, std::initializer_list<u8> next) {
  Group g{first, count, {}, {}, {}};
  g.previous.fill(k_no_link);
  g.next.fill(k_no_link);
  std::copy(previous.begin(), previous.end(), g.previous.begin());
  std::copy(next.begin(), next.end(), g.next.begin());
  return g;
}

Object object(u16 id, Vec3 position, u16 route = k_no_route, std::array<u16, 8> settings = {}) {
  return {id, 0, position, {0, 0, 0}, {1, 1, 1}, route, settings, 0x3F};
}

Camera camera(u8 type, u8 next, u8 route, Vec3 position, Vec3 begin, Vec3 end, f32 time) {
  return {type, next, 0, route, 0, 0, 0, 0, 0, position, {0, 0, 0}, 60, 45, begin, end, time};
}

}  // namespace

Kmp race() {
  Kmp k{};
  k.version = k_final;
  // the way leads along +x at the lap line, t = 0.75, and round with the clock seen from above
  k.ktpt.emplace().entries = {{oval(0.747f), {0, 90, 0}, -1, 0, {}}};

  auto& enemies = k.enpt.emplace().entries;
  auto& items = k.itpt.emplace().entries;
  auto& checks = k.ckpt.emplace().entries;
  for (int i = 0; i < k_points; ++i) {
    const f32 t = 0.75f + f32(i) / k_points;
    enemies.push_back({oval(t, 0, 40), 10, u16(i == 5 ? 2 : 0), u8(i == 9 ? 1 : 0), 0});
    items.push_back({oval(t, 0, 40), 25, 1, u16(i == 3 ? 1 : 0)});
    checks.push_back({flat(oval(t, -k_road)), flat(oval(t, k_road)), u8(i / 8),
                      i8(i == 0       ? 0
                         : i % 8 == 4 ? 1 + i / 8
                                      : -1),
                      u8(i - 1), u8(i + 1)});
  }
  // a short cut for those with a mushroom, from point 8 to point 12
  for (int i = 0; i < 3; ++i)
    enemies.push_back({oval(0.75f + (8.5f + f32(i)) / k_points, 900, 40), 5, u16(i == 0 ? 1 : 0), 0, 0});
  checks.front().previous = k_no_link;
  checks.back().next = k_no_link;
  k.enph.emplace().entries = {group(0, 9, {2}, {1, 3}), group(9, 3, {0}, {2}), group(12, 12, {1, 3}, {0}),
                              group(24, 3, {0}, {2})};
  k.itph.emplace().entries = {group(0, 12, {1}, {1}), group(12, 12, {0}, {0})};
  k.ckph.emplace().entries = {group(0, 24, {0}, {0})};

  auto& objects = k.gobj.emplace().entries;
  for (int i = 0; i < 4; ++i) objects.push_back(object(0x065, oval(0.1f, -600 + 400 * f32(i), 100)));  // item boxes
  objects.push_back(object(0x145, oval(0.3f, 3000)));                                                  // a palm tree
  objects.push_back(object(0x191, oval(0.5f, 0, 50), 1, {200, 1, 0, 0, 0, 0, 0, 0}));
  objects.push_back(object(0x191, oval(0.55f, 0, 50), 2, {200, 1, 0, 0, 0, 0, 0, 0}));

  auto& routes = k.poti.emplace().entries;
  routes.push_back({0, 0, {}});  // the opening camera's
  for (int i = 0; i < 4; ++i) routes.back().points.push_back({oval(0.05f + 0.06f * f32(i), -4000, 3000), u16(30), 0});
  routes.push_back({1, 1, {}});
  for (int i = 0; i < 5; ++i)
    routes.back().points.push_back({oval(0.5f, -800 + 400 * f32(i), 50), 12, u16(i == 2 ? 60 : 0)});
  routes.push_back({0, 0, {{oval(0.55f, -800, 50), 8, 0}, {oval(0.55f, 800, 50), 8, 0}}});
  routes.push_back({1, 0, {}});  // a moving road
  for (int i = 0; i < 4; ++i) routes.back().points.push_back({oval(0.25f + 0.02f * f32(i)), 10, 0});

  k.area.emplace().entries = {
      {0, 0, 3, 1, oval(0.76f), {0, 0, 0}, {0.8f, 0.5f, 0.8f}, 0, 0, k_no_link, k_no_link, 0},
      {0, 3, k_no_link, 0, oval(0.27f), {0, 30, 0}, {0.4f, 0.2f, 0.4f}, 10, 20, 3, k_no_link, 0},
      {1, 4, k_no_link, 0, oval(0.6f), {0, 0, 0}, {0.5f, 0.3f, 0.3f}, 0, 0, k_no_link, 14, 0},
      {1, 10, k_no_link, 0, {0, -3000, 0}, {0, 0, 0}, {4, 0.2f, 2}, 0, 0, k_no_link, k_no_link, 0},
  };
  auto& came = k.came.emplace();
  came.header = {1, 0};
  came.entries = {
      camera(0, k_no_link, k_no_link, oval(0.76f, 2500, 800), oval(0.76f), oval(0.76f), 0),
      camera(5, 2, 0, oval(0.05f, -4000, 3000), oval(0.0f), oval(0.2f), 180),
      camera(4, k_no_link, k_no_link, oval(0.5f, -5000, 2500), oval(0.4f), oval(0.6f), 180),
      camera(1, k_no_link, k_no_link, oval(0.8f, 3000, 900), {0, 0, 0}, {0, 0, 0}, 0),
  };
  came.entries[1].zoom_speed = 10;
  came.entries[1].view_speed = 1500;
  came.entries[2].view_speed = 2000;

  auto& respawns = k.jgpt.emplace().entries;
  for (u16 i = 0; i < 3; ++i) respawns.push_back({oval(0.75f + f32(i) / 3, 0, 100), {0, 90 + 120 * -f32(i), 0}, i, -1});
  k.cnpt.emplace().entries = {{oval(0.4f, 0, 500), {0, 180, 0}, 0, 1}};
  k.mspt.emplace().entries = {};
  k.stgi.emplace().entries = {{3, 0, 0, 1, 0x00FFFFFF, 75, 0, 0}};
  return k;
}

std::vector<kcl::FlaggedTriangle> ground_of_race() {
  constexpr int k_pieces = 48;
  constexpr f32 k_half_road = 1000, k_wall = 600;
  constexpr u16 k_off_road = 0x03, k_wall_flags = 0x0C, k_trickable = 0x2000;
  std::vector<kcl::FlaggedTriangle> out;
  const auto add = [&](Vec3 a, Vec3 b, Vec3 c, Vec3 d, u16 flags) {
    const auto at = [](Vec3 v) { return kcl::Vec3{v.x, v.y, v.z}; };
    out.push_back({{at(a), at(b), at(c)}, flags});
    out.push_back({{at(a), at(c), at(d)}, flags});
  };
  for (int i = 0; i < k_pieces; ++i) {
    const f32 t = f32(i) / k_pieces, u = f32(i + 1) / k_pieces;
    const auto strip = [&](f32 left, f32 right, u16 flags) {
      add(oval(t, left), oval(t, right), oval(u, right), oval(u, left), flags);
    };
    strip(-k_half_road, k_half_road, i % 12 == 5 ? u16(0x06) : i % 12 == 6 ? k_trickable : u16(0));
    strip(-k_road, -k_half_road, k_off_road);
    strip(k_half_road, k_road, k_off_road);
    add(oval(u, k_road), oval(t, k_road), oval(t, k_road, k_wall), oval(u, k_road, k_wall), k_wall_flags);
    constexpr int k_gap = 24;  // of the wall outside
    if (i == k_gap)
      add(oval(t, -k_road - 2500), oval(t, -k_road), oval(u, -k_road), oval(u, -k_road - 2500), k_off_road);
    else
      add(oval(t, -k_road), oval(u, -k_road), oval(u, -k_road, k_wall), oval(t, -k_road, k_wall), k_wall_flags);
  }
  constexpr f32 k_far = 26000, k_low = -3000;
  add({-k_far, k_low, -k_far}, {-k_far, k_low, k_far}, {k_far, k_low, k_far}, {k_far, k_low, -k_far},
      kcl::k_fall_boundary);
  const Vec3 left = oval(0.375f, -400), right = oval(0.375f, 400);
  add(left, right, {right.x, 400, right.z}, {left.x, 400, left.z}, kcl::k_cannon_trigger);
  return out;
}

Kmp arena() {
  Kmp k{};
  k.version = k_final;
  auto& starts = k.ktpt.emplace().entries;
  for (i16 i = 0; i < 12; ++i) starts.push_back({oval(f32(i) / 12, 4000), {0, 30 * f32(i), 0}, i, 0, {}});
  // two dispatch points in the middle, joined by ways that are used in both directions
  k.enpt.emplace().entries = {{{-3000, 40, 0}, 10, 0, 0, 0},    {{3000, 40, 0}, 10, 0, 0, 0},
                              {{-2000, 40, 2000}, 10, 5, 0, 0}, {{0, 40, 3000}, 10, 0, 10, 0},
                              {{2000, 40, 2000}, 10, 0, 0, 0},  {{-2000, 40, -2000}, 10, 0, 0, 0},
                              {{0, 40, -3000}, 10, 0, 20, 0},   {{2000, 40, -2000}, 10, 0, 0, 0}};
  k.enph.emplace().entries = {group(0, 1, {}, {2, 3}), group(1, 1, {}, {2, 3}), group(2, 3, {0}, {1}),
                              group(5, 3, {0}, {1})};
  k.enph->entries[0].dispatch = {1, 0x40};
  k.enph->entries[1].dispatch = {2, 0x80};
  k.itpt.emplace();
  k.itph.emplace();
  k.ckpt.emplace();
  k.ckph.emplace();
  auto& objects = k.gobj.emplace().entries;
  for (int i = 0; i < 6; ++i) objects.push_back(object(0x065, oval(f32(i) / 6, 6000, 100)));
  // coins: 20 places where they start, 20 where they come back
  for (u16 i = 0; i < 20; ++i)
    objects.push_back(object(0x073, oval(f32(i) / 20, 4500, 50), k_no_route, {0, i, 0, 0, 0, 0, 0, 0}));
  for (u16 i = 0; i < 20; ++i)
    objects.push_back(object(0x073, oval((f32(i) + 0.5f) / 20, 5000, 50), k_no_route, {0, 0xFFFF, 0, 0, 0, 0, 0, 0}));
  k.poti.emplace();
  k.area.emplace().entries = {{0, 0, 0, 0, {0, 0, 0}, {0, 0, 0}, {2, 1, 2}, 0, 0, k_no_link, k_no_link, 0}};
  k.came.emplace().entries = {camera(0, k_no_link, k_no_link, {0, 3000, 9000}, {0, 0, 0}, {0, 0, 0}, 0),
                              camera(4, k_no_link, k_no_link, {9000, 3000, 0}, {0, 0, 0}, {0, 0, 500}, 180)};
  k.came->header = {1, 1};
  k.jgpt.emplace().entries = {{{0, 100, 0}, {0, 0, 0}, 0, -1}};
  k.cnpt.emplace();
  auto& ends = k.mspt.emplace().entries;
  for (u16 i = 0; i < 4; ++i) ends.push_back({{-300 + 200 * f32(i), 0, 0}, {0, 0, 0}, i, 0xFFFF});
  k.stgi.emplace().entries = {{3, 0, 1, 1, 0x00E6E6E6, 75, 0, 0}};
  return k;
}

Kmp older(u32 version) {
  Kmp k = race();
  k.version = version;
  if (version < k_start_count) {
    k.cnpt.reset();
    k.mspt.reset();
    if (k.ktpt) k.ktpt->entries[0].player = 0;
  }
  if (!version) {
    k.version.reset();
    k.enph.reset();
  }
  return k;
}

namespace {

/// Moves the last section (STGI) in front of the first, in the table and in the file.
Bytes reordered() {
  Kmp k = race();
  k.settle();
  std::rotate(k.sections.begin(), k.sections.end() - 1, k.sections.end());
  return bytes_of(k);
}
Bytes with_raw(const char (&name)[5], Bytes content) {
  Kmp k = race();
  k.settle();
  Bytes raw(name, name + 4);
  raw.insert(raw.end(), content.begin(), content.end());
  k.sections.push_back({0, fourcc(name), {}, std::move(raw)});
  return bytes_of(k);
}
Bytes trailing(std::string_view text) {
  Bytes b = bytes_of(race());
  b.insert(b.end(), text.begin(), text.end());
  b[6] = u8(b.size() >> 8);  // counted in the length
  b[7] = u8(b.size());
  return b;
}
Bytes few_sections() {
  Kmp k{};
  k.version = k_final;
  const Kmp full = race();
  k.ktpt = full.ktpt;
  k.jgpt = full.jgpt;
  k.stgi = full.stgi;
  return bytes_of(k);
}
Bytes zero_length() {
  Bytes b = bytes_of(race());
  b[6] = b[7] = 0;
  return b;
}
/// Areas longer than the version says: a section's extent has the last word.
Bytes mixed_sizes() {
  Kmp k = older(1600);
  k.settle();
  for (Slot& slot : k.sections)
    if (slot.name == fourcc("AREA")) slot.entry_size = 0x30;
  return bytes_of(k);
}
/// A file whose last sections are cut off, as a broken download leaves it.
Bytes truncated() {
  Bytes b = bytes_of(race());
  b.resize(b.size() * 2 / 3);
  return b;
}
/// Two places of the table that point at one section, as a tool might share equal ones.
Bytes shared() {
  Bytes b = bytes_of(arena());
  for (int i = 0; i < 4; ++i)
    b[0x10 + 4 * 12 + size_t(i)] = b[0x10 + 4 * 11 + size_t(i)];  // CNPT's offset becomes that of JGPT
  return b;
}
/// Floats that text would lose: -0.0, a NaN with a payload, infinity.
Bytes strange_floats() {
  Kmp k = race();
  k.ktpt->entries[0].rotation = {-0.0f, std::bit_cast<f32>(0x7FC12345u), std::bit_cast<f32>(0xFF800000u)};
  return bytes_of(k);
}

}  // namespace

static std::vector<Sample> courses() {
  return {
      {"race.kmp", "a race course with every section filled", bytes_of(race())},
      {"arena.kmp", "a battle arena with dispatch points", bytes_of(arena())},
      {"version_2510.kmp", "the version of loser_demo", bytes_of(older(2510))},
      {"version_2320.kmp", "the version of draw_demo", bytes_of(older(2320))},
      {"version_1600.kmp", "the version of old_mario_gc_hayasi: old KTPT, AREA, CAME, STGI", bytes_of(older(1600))},
      {"mixed_sizes.kmp", "version 1600, but areas of the size of later versions", mixed_sizes()},
      {"version_none.kmp", "like old_mario_gc_narita: no version, offsets at 0x0C, enemy points with only a position",
       bytes_of(older(0))},
      {"trailing_zeros.kmp", "four zero bytes after the last section, included in the length",
       trailing(std::string_view("\0\0\0\0", 4))},
      {"trailing_text.kmp", "a text after the last section", trailing("made by hand 1.0")},
      {"length_zero.kmp", "the length field is 0", zero_length()},
      {"few_sections.kmp", "only three sections, so a shorter header", few_sections()},
      {"reordered.kmp", "STGI comes first in the table", reordered()},
      {"unknown_section.kmp", "a sixteenth section with an unknown name", with_raw("XPND", {0, 1, 0, 0, 1, 2, 3, 4})},
      {"double_section.kmp", "a second STGI section, which the game ignores",
       with_raw("STGI", {0, 1, 0, 0, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})},
      {"shared_section.kmp", "two entries of the table that point to the same section", shared()},
      {"truncated.kmp", "the last third is missing", truncated()},
      {"strange_floats.kmp", "-0.0, a NaN with a payload, infinity", strange_floats()},
  };
}

static std::vector<Sample> grounds() {
  auto built = kcl::build_collision(ground_of_race());
  return {{"race.kcl", "what the course race.kmp lies on: road, off-road, walls",
           built ? bytes_of(std::move(built->kcl)) : Bytes()}};
}

std::span<const SampleList> samples() {
  static constexpr SampleList all[] = {
      {"kmp", courses},
      {"kcl", grounds},
  };
  return all;
}

}  // namespace dio::kmp
