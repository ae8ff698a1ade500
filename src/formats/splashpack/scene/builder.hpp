// builder.hpp: builds a scene from a pack: objects (objects.cpp), the floor, the player and other parts with a position
// (node_placement.cpp), skins (skins.cpp), cutscenes and animations (motion.cpp), sounds and the overlay (media.cpp).
// Specification: README.md, "Scenes".
#pragma once
#include "formats/contract/reporter.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/splashpack/scene/surfaces.hpp"
#include "scene/math.hpp"

namespace dio::splashpack {

struct Spu;  // a .spu file

inline constexpr f64 k_world_per_raw = k_default_scaling / 4096.0;

/// From the axes of a pack (Y down, Z ahead) to those of a scene (Y up, Z back): a proper rotation.
constexpr scene::Vec3 to_scene_axes(f64 x, f64 y, f64 z) { return {f32(x), f32(-y), f32(-z)}; }
/// In world units.
template <class Vec>
constexpr scene::Vec3 to_scene_position(const Vec& v) {
  return to_scene_axes(v.x.raw * k_world_per_raw, v.y.raw * k_world_per_raw, v.z.raw * k_world_per_raw);
}

/// The node pose for nine numbers of 4.12, row by row: scaled, then rotated.
struct Pose {
  scene::Vec4 rotation = scene::k_no_rotation;
  scene::Vec3 scale{1, 1, 1};
  f64 error = 0;          // the largest deviation of the nine numbers
  bool is_exact = false;  // the nine numbers follow exactly from the pose
};
Pose decompose_rotation_scale(const std::array<fx32, 9>& rotation);

/// The name of a clip in a scene: it starts with the name of its object.
std::string clip_name(const SkinClip&, size_t number);

/// Rotations about Y, X and Z of the pack, applied in reverse order, in radians.
scene::Vec4 rotation_from_angles(f64 x, f64 y, f64 z);

class SceneBuilder {
 public:
  /// The files next to the pack: null if missing. `sources`: as in SceneOptions. `is_streamed`: the pack contains the
  /// triangles of its streamed objects.
  SceneBuilder(const Pack&, const Vram*, const Spu*, bool sources, bool is_streamed);
  SceneResult build() &&;

 private:
  using Index = scene::Index;

  // objects.cpp
  void add_object(size_t);
  // node_placement.cpp
  void add_navmesh(size_t);
  void add_player();
  void add_colliders_and_triggers();
  void add_nav_regions();
  void add_rooms();
  Index add_box(std::string name, const char* kind, std::string path, const Box&, const scene::Vec4& color);
  Index helper_material(const char* name, const scene::Vec4& color);
  // skins.cpp
  void add_skin(size_t);
  void add_clips(size_t);
  // motion.cpp
  void add_animations();
  template <class Motion>
  void add_animation_tracks(const Motion&, const char* kind, size_t number);
  Index find_or_add_cutscene_camera();

  // media.cpp
  void add_sound_samples(const Spu&);
  void add_font_glyphs(const Vram&);
  void add_canvas_pictures(const VideoMemory&);
  // newer_parts.cpp
  void add_agents();
  void add_runtime_lights();
  void add_sheet_pictures(const VideoMemory&);

  void add_scripts();
  void add_sections();
  Index add_node(std::string name, const char* kind, std::string path = {});
  Value& extras_of(Index node) { return s_.nodes[node].extras; }
  void add_script_reference(Value& extras, i64 script, const std::string& path);
  void note(Severity, const char* id, std::string path, DiagnosticText said);

  const Pack& pack_;
  const Vram* vram_;
  const Spu* spu_;
  const bool sources_, is_streamed_;
  SceneResult out_;
  scene::Scene& s_ = out_.scene;
  SceneMaterialBuilder surfaces_;
  Value sections_;                               // parts without a position in a scene, as in JSON
  std::map<std::string, Index> hint_materials_;  // for parts that are not drawn, by name
  std::vector<Index> object_nodes_;
  std::map<size_t, size_t> skins_;          // for an object: its first skin
  std::vector<std::vector<Index>> joints_;  // for each skin; none if it is not shown
  Index cutscene_camera_ = scene::k_none;
  size_t turned_ = 0;       // objects whose transform differs from the engine
  size_t bent_ = 0;         // frames of bones whose transform differs from the engine
  size_t keys_ = 0;         // of all animations
  size_t lost_tracks_ = 0;  // tracks whose target is missing
  size_t unordered_ = 0;    // keys that are not later than the previous key
  size_t unshown_tracks_ = 0, too_many_keys_ = 0;
};

}  // namespace dio::splashpack
