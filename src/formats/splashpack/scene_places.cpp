// scene_places.cpp: the floor, the player, and what else has a place but is not drawn.
#include <numbers>

#include "formats/splashpack/scene_builder.hpp"

namespace dio::splashpack {

using scene::Vec3;
using scene::Vec4;

namespace {

std::string numbered(const char* name, size_t i) { return i ? text(name, "_", i) : name; }

/// Rotations about Y, X and Z of the pack, the last first, in radians.
Vec4 turned_by(f64 x, f64 y, f64 z) {
  constexpr f64 k_degrees = 180 / std::numbers::pi;
  const auto about = [](const Vec3& axis, f64 radians) {
    return scene::from_axis_degrees(axis, f32(radians * k_degrees));
  };
  return scene::multiply(about(scene::k_axis_y, -y),
                         scene::multiply(about(scene::k_axis_x, x), about(scene::k_axis_z, -z)));
}

}  // namespace

void SceneBuilder::add_floor(size_t number) {
  const Navmesh& n = pack_.navmeshes[number];
  const Index node = add_node(numbered("navmesh", number), "navmesh");
  s_.nodes[node].visible = false;  // it lies in the ground
  if (n.triangles.empty()) return;
  if (floor_material_ == scene::k_none) {
    floor_material_ = Index(s_.materials.size());
    scene::Material m;
    m.name = "navmesh";
    m.color = {0.1f, 0.6f, 0.2f, 0.5f};
    m.alpha = scene::Material::Alpha::blend;
    m.double_sided = true;
    s_.materials.push_back(std::move(m));
  }
  scene::Primitive part;
  part.material = floor_material_;
  for (size_t i = 0; i < n.triangles.size(); ++i)
    for (const size_t k : {0, 2, 1}) {
      part.positions.push_back(place_of(n.triangles[i].positions[k]));
      part.sources.push_back(u32(3 * i + k));
    }
  s_.nodes[node].mesh = Index(s_.meshes.size());
  s_.meshes.push_back({s_.nodes[node].name, {std::move(part)}});
}

void SceneBuilder::add_player() {
  const u16 height = u16(pack_.height.raw);
  const Index node = add_node("player_start", "player_start");
  scene::Node& feet = s_.nodes[node];
  // The pack has the place of the eyes.
  feet.translation = turned_over(pack_.start.x.raw * k_world_per_raw, (pack_.start.y.raw + height) * k_world_per_raw,
                                 pack_.start.z.raw * k_world_per_raw);
  // The exporter writes Unity's angles, whose X and Z turn the other way.
  feet.rotation = turned_by(-pack_.rotation.x.value(), pack_.rotation.y.value(), -pack_.rotation.z.value());
  feet.extras.add("height", height * k_world_per_raw);
  if (pack_.rotation != Vec16{}) {
    Value& list = feet.extras.add("rotation", Value::list());
    for (const fx16 n : {pack_.rotation.x, pack_.rotation.y, pack_.rotation.z}) list.push(n.raw);
  }
  const Index eyes = add_node("player_eyes", "ignore");
  s_.nodes[eyes].parent = node;
  s_.nodes[eyes].translation = {0, f32(height * k_world_per_raw), 0};
  s_.nodes[eyes].camera = Index(s_.cameras.size());
  // H is 120, half the lines of the screen. Triangles further away than the ordering table is long are not drawn.
  constexpr f64 k_old_depth = 6144, k_new_depth = 16384;
  const f64 depth = u32(pack_.form) >= k_sections ? k_new_depth : k_old_depth;
  scene::Camera camera;
  camera.name = "player";
  camera.vertical_fov = f32(std::numbers::pi / 2);
  camera.near = 1;
  camera.far = f32(depth * k_world_per_raw);
  s_.cameras.push_back(std::move(camera));
}

}  // namespace dio::splashpack
