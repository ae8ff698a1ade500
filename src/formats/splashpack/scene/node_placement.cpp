// node_placement.cpp: the floor, the player, and other undrawn parts with a position.
#include <numbers>

#include "formats/splashpack/scene/baked_collision.hpp"
#include "formats/splashpack/scene/builder.hpp"
#include "scene/shapes.hpp"

namespace dio::splashpack {

using scene::Index;
using scene::Vec3;
using scene::Vec4;

namespace {

std::string numbered(const char* name, size_t i) { return i ? text(name, "_", i) : name; }

/// Parts that the engine does not draw, in a colour for each kind.
constexpr Vec4 k_floor_color{0.1f, 0.6f, 0.2f, 0.5f}, k_collider_color{0.8f, 0.2f, 0.1f, 0.25f},
    k_trigger_color{0.9f, 0.7f, 0.1f, 0.25f}, k_room_color{0.2f, 0.4f, 0.9f, 0.15f},
    k_portal_color{0.3f, 0.8f, 0.9f, 0.4f};

template <class Number>
void add_raw(Value& list, const Number& n) {
  list.push(n.raw);
}
void add_raw(Value& extras, const char* name, const Vec16& v) {
  Value& list = extras.add(name, Value::list());
  add_raw(list, v.x), add_raw(list, v.y), add_raw(list, v.z);
}

}  // namespace

Vec4 rotation_from_angles(f64 x, f64 y, f64 z) {
  constexpr f64 k_degrees = 180 / std::numbers::pi;
  const auto about = [](const Vec3& axis, f64 radians) {
    return scene::from_axis_degrees(axis, f32(radians * k_degrees));
  };
  return scene::multiply(about(scene::k_axis_y, -y),
                         scene::multiply(about(scene::k_axis_x, x), about(scene::k_axis_z, -z)));
}

Index SceneBuilder::helper_material(const char* name, const Vec4& color) {
  const auto [known, fresh] = hint_materials_.try_emplace(name, Index(s_.materials.size()));
  if (!fresh) return known->second;
  scene::Material m;
  m.name = name;
  m.color = color;
  m.alpha = scene::Material::Alpha::blend;
  m.double_sided = true;
  s_.materials.push_back(std::move(m));
  return known->second;
}

void SceneBuilder::add_navmesh(size_t number) {
  const Navmesh& n = pack_.navmeshes[number];
  const Index node = add_node(numbered("navmesh", number), "navmesh", text("navmeshes[", number, "]"));
  s_.nodes[node].visible = false;  // it coincides with the ground
  if (n.triangles.empty()) return;
  scene::Primitive part;
  part.material = helper_material("navmesh", k_floor_color);
  for (size_t i = 0; i < n.triangles.size(); ++i)
    for (const size_t k : {0, 2, 1}) {
      part.positions.push_back(to_scene_position(n.triangles[i].positions[k]));
      part.sources.push_back(u32(3 * i + k));
    }
  s_.nodes[node].mesh = Index(s_.meshes.size());
  s_.meshes.push_back({s_.nodes[node].name, {std::move(part)}});
}

void SceneBuilder::add_player() {
  const u16 height = u16(pack_.height.raw);
  const Index node = add_node("player_start", "player_start", "start");
  scene::Node& feet = s_.nodes[node];
  // The pack stores the position of the eyes.
  feet.translation = to_scene_axes(pack_.start.x.raw * k_world_per_raw, (pack_.start.y.raw + height) * k_world_per_raw,
                                   pack_.start.z.raw * k_world_per_raw);
  // The exporter writes Unity's angles, whose X and Z have the opposite direction.
  const auto angle = [&](fx16 n) { return f32(player_angle(pack_.form, n)); };
  feet.rotation = rotation_from_angles(-angle(pack_.rotation.x), angle(pack_.rotation.y), -angle(pack_.rotation.z));
  feet.extras.add("height", height * k_world_per_raw);
  if (pack_.rotation != Vec16{}) {
    add_raw(feet.extras, "rotation", pack_.rotation);
  }
  const Index eyes = add_node("player_eyes", "ignore");
  s_.nodes[eyes].parent = node;
  s_.nodes[eyes].translation = {0, f32(height * k_world_per_raw), 0};
  s_.nodes[eyes].camera = Index(s_.cameras.size());
  // H is 120, half the lines of the screen. Triangles beyond the length of the ordering table are not drawn.
  constexpr f64 k_old_depth = 6144, k_new_depth = 16384;
  const f64 depth = u32(pack_.form) >= k_sections ? k_new_depth : k_old_depth;
  scene::Camera camera;
  camera.name = "player";
  camera.vertical_fov = f32(std::numbers::pi / 2);
  camera.near = 1;
  camera.far = f32(depth * k_world_per_raw);
  s_.cameras.push_back(std::move(camera));
}

/// A hidden box centred on the node.
Index SceneBuilder::add_box(std::string name, const char* kind, std::string path, const Box& box, const Vec4& color) {
  const Index node = add_node(std::move(name), kind, std::move(path));
  s_.nodes[node].visible = false;
  // Y and Z are inverted: the minimum corner of the pack is not that of the scene.
  Vec3 middle{}, half{};
  const Vec3 a = to_scene_position(box.min), b = to_scene_position(box.max);
  for (size_t i = 0; i < 3; ++i) {
    middle[i] = f32((f64(a[i]) + b[i]) / 2);
    half[i] = f32(std::fabs(f64(b[i]) - a[i]) / 2);
  }
  s_.nodes[node].translation = middle;
  scene::Primitive part;
  part.material = helper_material(kind, color);
  scene::add_box(part, scene::mul(half, -1), half);
  s_.nodes[node].mesh = Index(s_.meshes.size());
  s_.meshes.push_back({s_.nodes[node].name, {std::move(part)}});
  return node;
}

void SceneBuilder::add_colliders_and_triggers() {
  for (size_t i = 0; i < pack_.colliders.size(); ++i) {
    const Collider& c = pack_.colliders[i];
    Value& extras =
        extras_of(add_box(text("collider_", i), "collider", text("colliders[", i, "]"), c.box, k_collider_color));
    extras.add("type", c.type);
    extras.add("mask", c.mask);
    extras.add("object", c.object);
  }
  for (size_t i = 0; i < pack_.triggers.size(); ++i) {
    const Trigger& t = pack_.triggers[i];
    const Index node = add_box(text("trigger_", i), "trigger", text("triggers[", i, "]"), t.box, k_trigger_color);
    add_script_reference(extras_of(node), t.script, text("triggers[", i, "].script"));
  }
}

void SceneBuilder::add_nav_regions() {
  if (!pack_.nav) return;
  const Nav& nav = *pack_.nav;
  if (nav.start_region) s_.extras.add("start_region", nav.start_region);
  for (size_t i = 0; i < nav.regions.size(); ++i) {
    const NavRegion& r = nav.regions[i];
    const Index node = add_node(text("nav_region_", i), "nav_region", text("nav.regions[", i, "]"));
    s_.nodes[node].visible = false;
    Value& extras = extras_of(node);
    const size_t corners = std::min<size_t>(r.corner_count, r.xs.size());
    Value& outline = extras.add("corners", Value::list());
    for (size_t k = 0; k < corners; ++k) add_raw(outline, r.xs[k]), add_raw(outline, r.zs[k]);
    Value& plane = extras.add("plane", Value::list());
    add_raw(plane, r.plane_a), add_raw(plane, r.plane_b), add_raw(plane, r.plane_d);
    extras.add("surface", r.surface);
    extras.add("room", r.room);
    extras.add("flags", r.flags);
    extras.add("walk_off", r.walk_off);
    Value& portals = extras.add("portals", Value::list());
    for (size_t k = r.first_portal; k < r.first_portal + size_t(r.portal_count) && k < nav.portals.size(); ++k) {
      const NavPortal& p = nav.portals[k];
      Value& portal = portals.push(Value::list());
      for (const fx32 n : {p.ax, p.az, p.bx, p.bz}) add_raw(portal, n);
      portal.push(p.region);
      add_raw(portal, p.step);
    }
    if (corners < 3) continue;
    const auto corner = [&](size_t k) {
      const f64 x = r.xs[k].raw, z = r.zs[k].raw;
      const f64 y = r.plane_a.value() * x + r.plane_b.value() * z + r.plane_d.raw;
      return to_scene_axes(x * k_world_per_raw, y * k_world_per_raw, z * k_world_per_raw);
    };
    scene::Primitive part;
    part.material = helper_material("nav_region", k_floor_color);
    for (size_t k = 2; k < corners; ++k)
      for (const size_t c : {size_t(0), k - 1, k}) part.positions.push_back(corner(c));
    s_.nodes[node].mesh = Index(s_.meshes.size());
    s_.meshes.push_back({s_.nodes[node].name, {std::move(part)}});
  }
}

void SceneBuilder::add_rooms() {
  for (size_t i = 0; i < pack_.rooms.size(); ++i) {
    const Room& r = pack_.rooms[i];
    Value& extras = extras_of(add_box(text("room_", i), "room", text("rooms[", i, "]"), r.box, k_room_color));
    extras.add("index", u64(i));
    extras.add("triangles", r.ref_count);
    if (i + 1 == pack_.rooms.size()) extras.add("rest", true);  // for everything outside the rooms
  }
  for (size_t i = 0; i < pack_.room_portals.size(); ++i) {
    const RoomPortal& p = pack_.room_portals[i];
    const Index node = add_node(text("portal_", i), "portal", text("room_portals[", i, "]"));
    s_.nodes[node].visible = false;
    s_.nodes[node].translation = to_scene_position(p.center);
    Value& extras = extras_of(node);
    extras.add("room_a", p.room_a);
    extras.add("room_b", p.room_b);
    extras.add("half_width", p.half_width.raw);
    extras.add("half_height", p.half_height.raw);
    add_raw(extras, "normal", p.normal);
    add_raw(extras, "right", p.right);
    add_raw(extras, "up", p.up);
    const Vec3 right = to_scene_axes(p.right.x.value(), p.right.y.value(), p.right.z.value());
    const Vec3 up = to_scene_axes(p.up.x.value(), p.up.y.value(), p.up.z.value());
    const Vec3 across = scene::mul(right, f32(p.half_width.raw * k_world_per_raw));
    const Vec3 along = scene::mul(up, f32(p.half_height.raw * k_world_per_raw));
    const Vec3 back = scene::mul(across, -1), down = scene::mul(along, -1);
    scene::Primitive part;
    part.material = helper_material("portal", k_portal_color);
    const std::array<Vec3, 4> corners = {scene::add(back, down), scene::add(across, down), scene::add(across, along),
                                         scene::add(back, along)};
    for (const size_t k : {0, 1, 2, 0, 2, 3}) part.positions.push_back(corners[k]);
    s_.nodes[node].mesh = Index(s_.meshes.size());
    s_.meshes.push_back({s_.nodes[node].name, {std::move(part)}});
  }
}

}  // namespace dio::splashpack
