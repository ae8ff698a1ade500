// scene_builder.hpp: a pack becomes a scene: objects (scene_objects.cpp), the floor, the player and what else has a
// place (scene_places.cpp). Specification: README.md, "Scenes".
#pragma once
#include "formats/reporter.hpp"
#include "formats/splashpack/scene_surfaces.hpp"
#include "scene/maths.hpp"

namespace dio::splashpack {

inline constexpr f64 k_world_per_raw = k_default_scaling / 4096.0;

/// From the axes of a pack (Y down, Z ahead) to those of a scene (Y up, Z back): a proper rotation.
constexpr scene::Vec3 turned_over(f64 x, f64 y, f64 z) { return {f32(x), f32(-y), f32(-z)}; }
/// In world units.
template <class Vec>
constexpr scene::Vec3 place_of(const Vec& v) {
  return turned_over(v.x.raw * k_world_per_raw, v.y.raw * k_world_per_raw, v.z.raw * k_world_per_raw);
}

/// What a node has for nine numbers of 4.12, row by row: scaled, then turned.
struct Pose {
  scene::Vec4 rotation = scene::k_no_rotation;
  scene::Vec3 scale{1, 1, 1};
  f64 error = 0;          // how far the largest of the nine numbers is off
  bool is_exact = false;  // the nine numbers follow from the pose
};
Pose pose_of(const std::array<fx32, 9>& rotation);

class SceneBuilder {
 public:
  SceneBuilder(const Pack&, const Vram*);
  Staged build() &&;

 private:
  using Index = scene::Index;

  // scene_objects.cpp
  void add_object(size_t);
  // scene_places.cpp
  void add_floor(size_t);
  void add_player();

  void add_scripts();
  Index add_node(std::string name, const char* kind);
  Value& extras_of(Index node) { return s_.nodes[node].extras; }
  void add_script(Value& extras, i64 script, const std::string& path);
  void note(Severity, const char* id, std::string path, std::string expected, std::string found, std::string hint = {});

  const Pack& pack_;
  Staged out_;
  scene::Scene& s_ = out_.scene;
  Surfaces surfaces_;
  scene::Index floor_material_ = scene::k_none;
  size_t turned_ = 0;  // objects that are not as the engine turns them
};

}  // namespace dio::splashpack
