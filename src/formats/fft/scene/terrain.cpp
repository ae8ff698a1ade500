// terrain.cpp: the terrain as a mesh, hidden at first because it coincides with the floor.
#include <algorithm>

#include "formats/fft/scene/builder.hpp"
#include "formats/fft/scene/slopes.hpp"
#include "scene/math.hpp"

namespace dio::fft {

using scene::Index;
using scene::k_none;

namespace {

/// Whether a tile exists: level 1 of most maps is empty except for a bridge or a roof, and empty records are all 0.
bool is_tile_present(const TerrainTile& t, u32 level) { return !t.absent && (level == 0 || t != TerrainTile{}); }

/// One colour for each surface, so that neighbours differ; darker where units cannot walk.
scene::Vec4 surface_color(const TerrainTile& t) {
  constexpr u32 k_hues = 6, k_steps = 8;
  const u32 hue = (t.surface * 7 + 1) % (k_hues * k_steps);  // neighbouring numbers get distant colours
  const f32 part = f32(hue % k_steps) / k_steps;
  constexpr f32 k_low = 0.35f, k_high = 0.85f;
  const f32 up = k_low + (k_high - k_low) * part, down = k_low + (k_high - k_low) * (1 - part);
  const std::array<scene::Vec3, k_hues> wheel{
      scene::Vec3{k_high, up, k_low}, {down, k_high, k_low}, {k_low, k_high, up},
      {k_low, down, k_high},          {up, k_low, k_high},   {k_high, k_low, down}};
  const f32 light = t.untargetable ? 0.4f : 1 - 0.12f * f32(t.shading);
  const scene::Vec3& c = wheel[hue / k_steps];
  return scene::srgb_to_linear(scene::Vec4{c[0] * light, c[1] * light, c[2] * light, 1});
}

/// Two triangles, split so that a single high or low corner has its own triangle.
void add_tile_triangles(scene::Primitive& out, const TerrainTile& t, u32 x, u32 z, i32 above,
                        const scene::Vec4& color) {
  const auto corners = corner_positions(t, x, z, above);
  std::array<scene::Vec3, 4> at;
  for (size_t i = 0; i < 4; ++i) at[i] = to_scene_axes(corners[i][0], corners[i][1], corners[i][2]);
  const u8 raised = raised_corners(t.slope).value_or(0);
  const auto alone = [&](u8 corner) { return raised == corner || raised == (k_all_corners ^ corner); };
  // In the order of k_corners, counterclockwise from above.
  constexpr std::array<std::array<size_t, 3>, 2> k_northwest_southeast{{{0, 1, 3}, {1, 2, 3}}},
      k_southwest_northeast{{{0, 1, 2}, {0, 2, 3}}};
  const bool cut = alone(k_southwest) || alone(k_northeast);
  for (const auto& triangle : cut ? k_northwest_southeast : k_southwest_northeast) {
    const scene::Vec3 &a = at[triangle[0]], &b = at[triangle[1]], &c = at[triangle[2]];
    const scene::Vec3 normal = scene::unit(scene::cross(scene::sub(b, a), scene::sub(c, a)), scene::k_axis_y);
    for (const scene::Vec3& p : {a, b, c}) {
      out.positions.push_back(p);
      out.normals.push_back(normal);
      out.colors.push_back(color);
    }
  }
}

/// The number of rows of tiles that fit in the file.
u32 count_stored_rows(const Terrain& t, u32 level) {
  u32 z = 0;
  while (Terrain::tile(t, level, 0, z)) ++z;
  return z;
}

/// A list for each field, with the tiles of a level in file order.
Value make_level_extras(const Terrain& t, u32 level) {
  Value v = Value::object();
  const u32 rows = count_stored_rows(t, level);
  const auto add_column = [&](const char* name, auto value) {
    Value& list = v.add(name, Value::list());
    for (u32 z = 0; z < rows; ++z)
      for (u32 x = 0; x < t.size_x; ++x) {
        const TerrainTile* tile = Terrain::tile(t, level, x, z);
        list.push(tile ? Value(u32(value(*tile))) : Value());
      }
  };
  using T = TerrainTile;
  add_column("surface", [](const T& a) { return a.surface; });
  add_column("height", [](const T& a) { return a.height; });
  add_column("depth", [](const T& a) { return a.depth; });
  add_column("slope", [](const T& a) { return a.slope; });
  add_column("slope_height", [](const T& a) { return a.slope_height; });
  add_column("displayed_half_steps", [](const T& a) { return displayed_half_steps(a); });
  add_column("thickness", [](const T& a) { return a.thickness; });
  add_column("shading", [](const T& a) { return a.shading; });
  add_column("cameras", [](const T& a) { return a.cameras; });
  // absent 1, untargetable 2, pass_only 128, as in byte 6
  add_column("flags", [](const T& a) { return u32(a.absent) | u32(a.untargetable) << 1 | u32(a.pass_only) << 7; });
  return v;
}

}  // namespace

void FftSceneBuilder::add_terrain(Index parent) {
  if (!map().terrain) return;
  const Terrain& t = *map().terrain;
  const bool alone = !any_;  // nothing else is shown
  const Index top = add_node("terrain", parent);
  s_.nodes[top].visible = alone;
  Value& extras = s_.nodes[top].extras = Value::object();
  extras.add("kind", "fft.terrain");
  extras.add("path", "terrain");
  if (const MapFile* file = map().supplier(Mesh::k_terrain_slot); file && !file->path.empty())
    extras.add("file", file->path);
  Value& size = extras.add("size", Value::list());
  size.push(t.size_x);
  size.push(t.size_z);
  std::set<u8> surfaces;
  for (u32 level = 0; level < Terrain::k_levels; ++level)
    for (u32 z = 0; z < count_stored_rows(t, level); ++z)
      for (u32 x = 0; x < t.size_x; ++x)
        if (const TerrainTile* tile = Terrain::tile(t, level, x, z)) surfaces.insert(tile->surface);
  Value& names = extras.add("surfaces", Value::object());
  for (const u8 surface : surfaces)
    if (const auto name = k_surfaces.of(surface); !name.empty()) names.add(std::to_string(surface), name);

  const auto material = [&](const char* name, bool clear) {
    for (Index i = 0; i < s_.materials.size(); ++i)
      if (s_.materials[i].name == name) return i;
    scene::Material& m = s_.materials.emplace_back();
    m.name = name;
    if (clear) m.alpha = scene::Material::Alpha::blend, m.color = {1, 1, 1, 0.6f}, m.double_sided = true;
    return Index(s_.materials.size() - 1);
  };
  const auto add_child_node = [&](std::string name, scene::Primitive p, Value about) {
    const Index node = add_node(name, top);
    s_.nodes[node].extras = std::move(about);
    if (p.positions.empty()) return;
    s_.nodes[node].mesh = Index(s_.meshes.size());
    scene::Mesh& mesh = s_.meshes.emplace_back();
    mesh.name = std::move(name);
    mesh.primitives.push_back(std::move(p));
  };
  for (u32 level = 0; level < Terrain::k_levels; ++level) {
    scene::Primitive ground, liquid;
    for (u32 z = 0; z < count_stored_rows(t, level); ++z)
      for (u32 x = 0; x < t.size_x; ++x) {
        const TerrainTile* tile = Terrain::tile(t, level, x, z);
        if (!tile || !is_tile_present(*tile, level)) continue;
        add_tile_triangles(ground, *tile, x, z, 0, surface_color(*tile));
        if (tile->depth) add_tile_triangles(liquid, *tile, x, z, tile->depth, scene::Vec4{0.1f, 0.35f, 1, 1});
        const u32 number = level * u32(Terrain::k_tiles) + z * t.size_x + x;  // in both levels
        for (scene::Primitive* p : {&ground, &liquid})
          if (options_.sources) p->sources.resize(p->positions.size(), number);
      }
    for (const scene::Vec3& p : ground.positions) extend_bounds({p[0], -p[1], -p[2]});
    ground.material = material("terrain", false);
    add_child_node("level " + std::to_string(level), std::move(ground), make_level_extras(t, level));
    if (liquid.positions.empty()) continue;
    liquid.material = material("depth", true);
    Value about = Value::object();
    about.add("kind", "fft.depth");
    add_child_node("depth " + std::to_string(level), std::move(liquid), std::move(about));
  }
}

}  // namespace dio::fft
