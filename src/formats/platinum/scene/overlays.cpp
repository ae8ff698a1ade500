// overlays.cpp: overlays of invisible data: tiles, collision, heights, events and warps.
#include <algorithm>
#include <cmath>

#include "formats/contract/reporter.hpp"
#include "formats/platinum/parts_land.hpp"
#include "formats/platinum/scene/land.hpp"
#include "formats/platinum/scene/world_builder.hpp"
#include "scene/math.hpp"
#include "scene/shapes.hpp"

namespace dio::platinum {

using scene::Index;

namespace {

constexpr f32 k_lift = 1;  // units above the ground, so that both are visible

struct GroupColor {
  TileGroup group;
  std::string_view name;
  std::array<u8, 3> color;  // sRGB
};
constexpr GroupColor k_group_colors[] = {
    {TileGroup::plain, "plain", {200, 200, 200}},   {TileGroup::grass, "grass", {60, 180, 60}},
    {TileGroup::floor, "floor", {170, 140, 100}},   {TileGroup::water, "water", {50, 110, 230}},
    {TileGroup::puddle, "puddle", {120, 190, 240}}, {TileGroup::sand, "sand", {235, 215, 130}},
    {TileGroup::slide, "slide", {150, 230, 230}},   {TileGroup::snow, "snow", {245, 245, 255}},
    {TileGroup::mud, "mud", {120, 80, 40}},         {TileGroup::edge, "edge", {255, 120, 60}},
    {TileGroup::ledge, "ledge", {255, 170, 0}},     {TileGroup::climb, "climb", {150, 100, 160}},
    {TileGroup::bridge, "bridge", {190, 120, 60}},  {TileGroup::bike, "bike", {255, 90, 170}},
    {TileGroup::warp, "warp", {170, 60, 230}},      {TileGroup::door, "door", {230, 40, 200}},
    {TileGroup::thing, "thing", {120, 120, 140}},   {TileGroup::dynamic, "dynamic", {0, 200, 160}},
};

scene::Vec4 translucent(const std::array<u8, 3>& c, f32 alpha) {
  return scene::srgb_to_linear(scene::Vec4{f32(c[0]) / 255, f32(c[1]) / 255, f32(c[2]) / 255, alpha});
}
const GroupColor& find_group_color(TileGroup group) {
  return *std::find_if(std::begin(k_group_colors), std::end(k_group_colors) - 1,
                       [&](const GroupColor& c) { return c.group == group; });
}

f32 raw_to_units(i32 raw) { return f32(raw / 4096.0); }

/// The plate under a position on the ground.
std::optional<PlateShape> find_ground_plate(const Bdhc& b, i32 x, i32 z) {
  const auto height = ground_height_at(b, x, z);
  if (!height) return {};
  for (const Ground& g : find_listed_grounds(b, x, z))
    if (g.height == *height) return find_plate_shape(b, g.plate);
  return {};
}

/// A rectangle on a plane, seen from above; raw coordinates.
void add_rectangle(scene::Primitive& to, i32 x0, i32 z0, i32 x1, i32 z1, const PlateShape* plate, f32 lift,
                   std::optional<scene::Vec4> color = {}) {
  const auto corner = [&](i32 x, i32 z) {
    return scene::Vec3{raw_to_units(x), (plate ? raw_to_units(plate->height(x, z)) : 0) + lift, raw_to_units(z)};
  };
  scene::add_quad(to, {corner(x0, z1), corner(x1, z1), corner(x1, z0), corner(x0, z0)}, {.color = color});
}

/// Blue for low heights, green at 0, red for high ones.
scene::Vec4 height_color(f32 height, f32 alpha) {
  const f32 t = std::clamp(height / 160, -1.0f, 1.0f);
  const auto at = [](f32 x) { return u8(255 * x); };
  return t < 0 ? translucent({0, at(1 + t), at(-t)}, alpha) : translucent({at(t), at(1 - t), 0}, alpha);
}

}  // namespace

Index WorldBuilder::find_or_add_overlay_material(const std::string& name, const scene::Vec4& color) {
  const auto [known, fresh] = overlay_materials_.try_emplace(name, Index(s_.materials.size()));
  if (fresh) {
    scene::Material m;
    m.name = name;
    m.color = color;
    m.double_sided = true;
    if (color[3] < 1) m.alpha = scene::Material::Alpha::blend;
    s_.materials.push_back(std::move(m));
  }
  return known->second;
}

void WorldBuilder::add_overlays(const LandInstance& p, const LandData& land, Index parent) {
  if (show_.tiles) add_tiles(land, false, p.land, parent);
  if (show_.collision) add_tiles(land, true, p.land, parent);
  if (show_.heights) add_heights(land, p.land, parent);
}

/// Adds tiles by behaviour, or the blocked tiles, on the ground: one primitive per colour, with lines between colours,
/// because green on grass is hard to see.
void WorldBuilder::add_tiles(const LandData& land, bool collision, u32 number, Index parent) {
  std::map<TileGroup, scene::Primitive> groups;
  scene::Primitive edges;
  edges.shape = scene::Primitive::Shape::lines;
  const u32 rows = u32(std::min<size_t>(land.attributes.size(), k_tiles));
  const auto tile_group_at = [&](u32 x, u32 z) -> std::optional<TileGroup> {
    const u16 tile = land.attributes[z][x];
    if (collision ? !is_blocked(tile) : behavior_in(tile) == 0) return {};
    const Behavior* behavior = find_behavior(behavior_in(tile));
    return collision || !behavior ? TileGroup::plain : behavior->group;
  };
  const auto edge = [](u32 n) { return (i32(n) * k_tile_units - k_half_map) * 4096; };
  const f32 lift = collision ? k_lift : 1.5f * k_lift;
  for (u32 z = 0; z < rows; ++z)
    for (u32 x = 0; x < k_tiles; ++x) {
      const auto group = tile_group_at(x, z);
      if (!group) continue;
      const auto plate = find_ground_plate(land.bdhc, tile_middle(x), tile_middle(z));
      scene::Primitive& to = groups[*group];
      add_rectangle(to, edge(x), edge(z), edge(x + 1), edge(z + 1), plate ? &*plate : nullptr, lift);
      if (options_.sources) set_vertex_sources(to, z * k_tiles + x);
      const auto add_edge = [&](u32 x0, u32 z0, u32 x1, u32 z1) {
        for (const auto& [cx, cz] : {std::pair(edge(x0), edge(z0)), std::pair(edge(x1), edge(z1))})
          edges.positions.push_back(
              {raw_to_units(cx), (plate ? raw_to_units(plate->height(cx, cz)) : 0) + 1.5f * lift, raw_to_units(cz)});
        if (options_.sources) set_vertex_sources(edges, z * k_tiles + x);
      };
      if (x > 0 && tile_group_at(x - 1, z) != group) add_edge(x, z, x, z + 1);
      if (z > 0 && tile_group_at(x, z - 1) != group) add_edge(x, z, x + 1, z);
      if (x + 1 < k_tiles && tile_group_at(x + 1, z) != group) add_edge(x + 1, z, x + 1, z + 1);
      if (z + 1 < rows && tile_group_at(x, z + 1) != group) add_edge(x, z + 1, x + 1, z + 1);
    }
  if (groups.empty()) return;
  const Index node = add_node(collision ? "collision" : "tiles", parent);
  set_node_extras(node, collision ? "platinum.collision" : "platinum.tiles", FileRole::lands, number, "attributes");
  scene::Mesh mesh;
  mesh.name = collision ? "collision" : "tiles";
  for (auto& [group, primitive] : groups) {
    const GroupColor& c = find_group_color(group);
    primitive.material = collision ? find_or_add_overlay_material("collision", translucent({230, 40, 40}, 0.5f))
                                   : find_or_add_overlay_material(text("tiles ", c.name), translucent(c.color, 0.7f));
    mesh.primitives.push_back(std::move(primitive));
  }
  if (!edges.positions.empty()) {
    edges.material = find_or_add_overlay_material("edges of tiles", {0, 0, 0, 1});
    mesh.primitives.push_back(std::move(edges));
  }
  s_.nodes[node].mesh = Index(s_.meshes.size());
  s_.meshes.push_back(std::move(mesh));
}

void WorldBuilder::add_heights(const LandData& land, u32 number, Index parent) {
  scene::Primitive faces, edges;
  edges.shape = scene::Primitive::Shape::lines;
  for (size_t i = 0; i < plate_count(land.bdhc); ++i) {
    const auto plate = find_plate_shape(land.bdhc, i);
    if (!plate) continue;
    const i32 x0 = plate->low.x.raw, z0 = plate->low.z.raw, x1 = plate->high.x.raw, z1 = plate->high.z.raw;
    const i32 middle = plate->height(i32((i64(x0) + x1) / 2), i32((i64(z0) + z1) / 2));
    std::vector<scene::Vec3> corners;
    for (const BdhcPoint& c : plate_outline(*plate))
      corners.push_back(
          {raw_to_units(c.x.raw), raw_to_units(plate->height(c.x.raw, c.z.raw)) + 2 * k_lift, raw_to_units(c.z.raw)});
    scene::add_face(faces, corners, {.color = height_color(raw_to_units(middle), 0.5f)});
    for (size_t k = 0; k < corners.size(); ++k)
      edges.positions.insert(edges.positions.end(), {corners[k], corners[(k + 1) % corners.size()]});
    if (options_.sources) set_vertex_sources(faces, i), set_vertex_sources(edges, i);
  }
  if (faces.positions.empty()) return;
  faces.material = find_or_add_overlay_material("heights", {1, 1, 1, 0.999f});
  edges.material = find_or_add_overlay_material("edges of heights", {0, 0, 0, 1});
  const Index node = add_node("heights", parent);
  set_node_extras(node, "platinum.heights", FileRole::lands, number, text("bdhc.", path_of_plates(land.bdhc)))
      .add("lift", 2 * k_lift);
  s_.nodes[node].mesh = Index(s_.meshes.size());
  scene::Mesh mesh;
  mesh.name = "heights";
  mesh.primitives = {std::move(faces), std::move(edges)};
  s_.meshes.push_back(std::move(mesh));
}

// ---- events ----

/// The height of the ground at the middle of a tile of the matrix; 0 if there is none.
f32 WorldBuilder::tile_ground_height(const MatrixInstance& m, i64 tile_x, i64 tile_z) {
  if (tile_x < 0 || tile_z < 0) return 0;
  for (const LandInstance& p : m.lands) {
    if (p.x != tile_x / k_tiles || p.z != tile_z / k_tiles) continue;
    const auto land = t_.land(p.land);
    const auto height =
        land ? ground_height_at(land->bdhc, tile_middle(u32(tile_x % k_tiles)), tile_middle(u32(tile_z % k_tiles)))
             : std::optional<i32>();
    return height ? raw_to_units(*height) : 0;
  }
  return 0;
}

/// A unit cube that nodes scale to a post on a tile.
Index WorldBuilder::find_or_add_marker_mesh(const char* name, const scene::Vec4& color) {
  const auto [known, fresh] = marker_meshes_.try_emplace(name, Index(s_.meshes.size()));
  if (fresh) {
    scene::Primitive box;
    box.material = find_or_add_overlay_material(name, color);
    scene::add_box(box, {0, 0, 0}, {1, 1, 1});
    scene::Mesh mesh;
    mesh.name = name;
    mesh.primitives.push_back(std::move(box));
    s_.meshes.push_back(std::move(mesh));
  }
  return known->second;
}

namespace {

/// Adds the properties of an event node: its kind as `event`, and all fields except the position. make-map reads the
/// same properties.
void add_event_properties(Value& extras, std::string_view kind, const Value& record, const GameTables& t) {
  extras.add("event", kind);
  for (const auto& [name, value] : record.members()) {
    if (name == "x" || name == "z") continue;
    // The size of a trigger comes from its mesh, which always exists.
    if ((name == "width" || name == "length") && value.number() > 0) continue;
    if (name == "dest_header_id")
      if (const u32 header = u32(value.number()); value.is(Value::Kind::integer) && header < t.headers.size()) {
        const std::string said = t.header_name(header);
        if (!said.empty() && find_header_by_name(t, said) == header)
          extras.add("to", said);
        else
          extras.add("to", header);
        continue;
      }
    extras.add(name == "dest_warp_id" ? "to_warp" : name, value);
  }
}

}  // namespace

void WorldBuilder::add_events(const MatrixInstance& m, Index parent) {
  const auto is_shown = [&](i64 x, i64 z) {
    return std::any_of(m.lands.begin(), m.lands.end(), [&](const LandInstance& p) {
      return x >= 0 && z >= 0 && x / k_tiles == p.x && z / k_tiles == p.z;
    });
  };
  for (const u32 h : m.headers) {
    if (h >= t_.headers.size()) continue;
    const u32 number = t_.headers[h].events;
    if (number >= t_.events.size() || !t_.events[number]) continue;
    const ZoneEvent& e = *t_.events[number];
    const Value records = to_value(e);
    Index group = k_none;
    const auto add_event_marker = [&](const char* kind, const char* list, size_t i, i64 x, i64 z, f32 width, f32 height,
                                      f32 depth, const std::array<u8, 3>& color) {
      if (!is_shown(x, z)) return;
      const bool is_warp = std::string_view(kind) == "warp";
      if (group == k_none) {
        group =
            add_node(text("events of ", t_.header_name(h).empty() ? text("header ", h) : t_.header_name(h)), parent);
        Value& extras = set_node_extras(group, "platinum.events", FileRole::events, number);
        extras.add("header", h);
        extras.add("has_events", show_.events);
        extras.add("has_warps", show_.warps);
      }
      const f32 margin = 2;
      const Index node =
          add_node(text(kind, " ", i), group,
                   {f32(x) * k_tile_units + margin, tile_ground_height(m, x, z), f32(z) * k_tile_units + margin});
      s_.nodes[node].scale = {width * k_tile_units - 2 * margin, height, depth * k_tile_units - 2 * margin};
      s_.nodes[node].mesh = find_or_add_marker_mesh(kind, translucent(color, 0.7f));
      Value& extras = set_node_extras(node, is_warp ? k_warp_node : k_event_node, FileRole::events, number,
                                      text(list, "[", i, "]"));
      add_event_properties(extras, kind, *records.find(list)->at(i), t_);
    };
    if (show_.events) {
      for (size_t i = 0; i < e.bg_events.size(); ++i)
        add_event_marker("sign", "bg_events", i, e.bg_events[i].x, e.bg_events[i].z, 1, 12, 1, {60, 120, 240});
      for (size_t i = 0; i < e.object_events.size(); ++i)
        add_event_marker("object", "object_events", i, e.object_events[i].x, e.object_events[i].z, 1, 24, 1,
                         {60, 200, 80});
      for (size_t i = 0; i < e.coord_events.size(); ++i) {
        const CoordEvent& c = e.coord_events[i];
        add_event_marker("trigger", "coord_events", i, c.x, c.z, f32(std::max<u16>(c.width, 1)), 4,
                         f32(std::max<u16>(c.length, 1)), {240, 200, 40});
      }
    }
    if (!show_.warps) continue;
    for (size_t i = 0; i < e.warp_events.size(); ++i)
      add_event_marker("warp", "warp_events", i, e.warp_events[i].x, e.warp_events[i].z, 1, 18, 1, {190, 60, 230});
  }
}

}  // namespace dio::platinum
