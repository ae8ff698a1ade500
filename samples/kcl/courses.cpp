// courses.cpp: collision files made from nothing, and what can be different in one.
#include "samples/kcl/courses.hpp"

#include <cmath>
#include <limits>

#include "formats/kcl/geometry.hpp"
#include "samples/samples.hpp"

namespace dio::kcl {

namespace {

constexpr u16 flags(u8 type, u8 variant = 0, u16 rest = 0) { return u16(type | variant << 5 | rest); }
constexpr u16 k_trickable = 0x2000, k_reject_road = 0x4000, k_soft_wall = 0x8000;

/// Two triangles; seen from where they can be hit, the corners are counterclockwise.
void add_quad(std::vector<FlaggedTriangle>& to, const std::array<Vec3, 4>& c, u16 f) {
  to.push_back({{c[0], c[1], c[2]}, f});
  to.push_back({{c[0], c[2], c[3]}, f});
}
/// A level square, `size` long, with its corner with the smallest numbers there.
void add_floor(std::vector<FlaggedTriangle>& to, Vec3 at, f32 size, u16 f) {
  add_quad(to, {at, Vec3{at.x, at.y, at.z + size}, Vec3{at.x + size, at.y, at.z + size}, Vec3{at.x + size, at.y, at.z}},
           f);
}

}  // namespace

std::vector<FlaggedTriangle> box() {
  constexpr f32 a = -2000, b = 2000, h = 1000;
  std::vector<FlaggedTriangle> t;
  add_floor(t, {a, 0, a}, b - a, flags(0));
  add_quad(t, {Vec3{a, 0, a}, Vec3{b, 0, a}, Vec3{b, h, a}, Vec3{a, h, a}}, flags(0x0C));
  add_quad(t, {Vec3{b, 0, b}, Vec3{a, 0, b}, Vec3{a, h, b}, Vec3{b, h, b}}, flags(0x0C, 1));
  add_quad(t, {Vec3{a, 0, b}, Vec3{a, 0, a}, Vec3{a, h, a}, Vec3{a, h, b}}, flags(0x0C, 3, k_soft_wall));
  add_quad(t, {Vec3{b, 0, a}, Vec3{b, 0, b}, Vec3{b, h, b}, Vec3{b, h, a}}, flags(0x0D));
  return t;
}

std::vector<FlaggedTriangle> hills() {
  constexpr int n = 16;
  constexpr f32 step = 700;
  // whole units, the same from every compiler
  const auto height = [](int x, int z) { return f32((x * 37 + z * 61 + x * z * 13) % 11 * 60); };
  const auto at = [&](int x, int z) {
    return Vec3{(f32(x) - n / 2) * step, x >= 7 && x <= 9 ? 300 : height(x, z), (f32(z) - n / 2) * step};
  };
  std::vector<FlaggedTriangle> t;
  for (int z = 0; z < n; ++z)
    for (int x = 0; x < n; ++x) {
      const bool road = x == 7 || x == 8;
      add_quad(t, {at(x, z), at(x, z + 1), at(x + 1, z + 1), at(x + 1, z)},
               road ? flags(0, u8(z % 3), z == 8 ? k_trickable : 0) : flags(u8(2 + (x + z) % 3), u8(z % 8)));
    }
  add_floor(t, {-9000, -1500, -9000}, 18000, flags(k_fall_boundary));
  return t;
}

std::vector<FlaggedTriangle> types() {
  std::vector<FlaggedTriangle> t;
  for (u8 type = 0; type < 32; ++type) {
    const f32 x = f32(type % 8) * 1200, z = f32(type / 8) * 1200;
    const u16 f = flags(type, u8(type % 8), u16((type % 4) << 11 | (type % 8) << 8));
    if (use_of(type) == SurfaceUse::wall)
      add_quad(t, {Vec3{x, 0, z}, Vec3{x + 1000, 0, z}, Vec3{x + 1000, 1000, z}, Vec3{x, 1000, z}}, f);
    else
      add_floor(t, {x, 0, z}, 1000, f);
  }
  add_floor(t, {-1200, 0, 0}, 1000, flags(0, 0, k_reject_road));
  return t;
}

Kcl built(const std::vector<FlaggedTriangle>& t, const OctreeOptions& o) {
  auto b = build_collision(t, o);
  return b ? std::move(b->kcl) : Kcl{};
}

namespace {

/// As of games without a radius in the header.
Kcl short_header() {
  Kcl k = built(box());
  k.sphere_radius.reset();
  k.thickness = 40;
  for (size_t i = 0; i < k.prisms.size(); ++i) set_flags(k.prisms[i], u16(i), false);
  return k;
}

/// Prisms that no place can hit, and numbers that nothing uses.
Kcl degenerate() {
  Kcl k = built(box());
  Prism p = k.prisms[0];
  p.height = 0;
  k.prisms.push_back(p);
  p.edge_b = p.edge_c;  // parallel edges
  k.prisms.push_back(p);
  p.height = std::numeric_limits<f32>::quiet_NaN();
  k.prisms.push_back(p);
  k.positions.push_back({1, 2, 3});
  return k;
}

/// Bytes after the octree, which tools leave there.
Bytes with_rest() {
  Bytes b = bytes_of(built(box()));
  for (const char c : std::string_view("made by hand")) b.push_back(u8(c));
  return b;
}

std::vector<Sample> files() {
  Kcl none{};
  none.thickness = k_usual_thickness;
  none.sphere_radius = k_usual_sphere_radius;
  (void)build_octree(none);
  return {
      {"box.kcl", "a road between four walls", bytes_of(built(box()))},
      {"hills.kcl", "off-road hills with a road, in an octree of several levels",
       bytes_of(built(hills(), {.most_prisms = 12, .smallest_cell = 512, .most_root_cells = 64}))},
      {"types.kcl", "a square of every type", bytes_of(built(types()))},
      {"short_header.kcl", "of another game: no sphere radius, attributes in place of flags", bytes_of(short_header())},
      {"degenerate.kcl", "prisms that are no triangles, and a position without a prism", bytes_of(degenerate())},
      {"rest.kcl", "with bytes after the octree", with_rest()},
      {"empty.kcl", "no prisms", bytes_of(none)},
  };
}

}  // namespace

DsKcl on_ds(const Kcl& k) {
  DsKcl ds{};
  const auto fixed32 = [](f32 x) { return fx32{i32(std::lround(x * 4096))}; };
  const auto fixed16 = [](f32 x) { return fx16{i16(std::lround(x * 4096))}; };
  ds.thickness = fixed32(30);
  ds.area_min = {fixed32(k.area_min.x), fixed32(k.area_min.y), fixed32(k.area_min.z)};
  ds.area_mask = k.area_mask;
  ds.block_shift = k.block_shift, ds.x_shift = k.x_shift, ds.xy_shift = k.xy_shift;
  ds.sphere_radius = fixed32(25);
  for (const Vec3& p : k.positions) ds.positions.push_back({fixed32(p.x), fixed32(p.y), fixed32(p.z)});
  for (const Vec3& n : k.normals) ds.normals.push_back({fixed16(n.x), fixed16(n.y), fixed16(n.z)});
  for (const Prism& p : k.prisms) {
    DsPrism d{};
    d.height = fixed32(p.height);
    d.position = p.position, d.face_normal = p.face_normal;
    d.edge_a = p.edge_a, d.edge_b = p.edge_b, d.edge_c = p.edge_c;
    d.type = p.type % 23, d.variant = p.variant, d.light = p.light & 3;
    const SurfaceUse use = use_of(type_of_ds(d.type));
    d.floor = use == SurfaceUse::road, d.wall = use == SurfaceUse::wall;
    d.ignored_by_drivers = d.type == 13 || d.type == 14, d.ignored_by_items = d.type == 9;
    d.map_shadow = p.trickable;
    ds.prisms.push_back(d);
  }
  ds.octree = k.octree;
  return ds;
}

namespace {

/// As of games without a radius in the header.
DsKcl ds_short_header() {
  DsKcl ds = on_ds(built(box()));
  ds.sphere_radius.reset();
  for (size_t i = 0; i < ds.prisms.size(); ++i) set_flags(ds.prisms[i], u16(7 * i), false);
  return ds;
}

std::vector<Sample> ds_files() {
  return {
      {"ds_box.kcl", "of the DS: a road with a wall around it", bytes_of(on_ds(built(box())))},
      {"ds_types.kcl", "of the DS: every type", bytes_of(on_ds(built(types())))},
      {"ds_short_header.kcl", "of another game of the DS", bytes_of(ds_short_header())},
  };
}

}  // namespace

std::span<const SampleList> samples() {
  static constexpr SampleList k_lists[] = {{"kcl", files}, {"kcl-ds", ds_files}};
  return k_lists;
}

}  // namespace dio::kcl
