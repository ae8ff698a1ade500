// builder.hpp: builds scenes from maps: meshes (meshes.cpp), terrain (terrain.cpp), lights, cameras and the background
// (background.cpp), and combined states (states.cpp). Specification: README.md, "Scenes".
#pragma once
#include <set>

#include "formats/contract/any_document.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/game/merged.hpp"
#include "formats/fft/scene/sources.hpp"
#include "formats/fft/scene/surfaces.hpp"

namespace dio::fft {

struct FftSceneOptions {
  bool lamps = false;               // export lights instead of vertex colours
  f32 tick_rate = 60;               // of animations, per second
  bool sources = false;             // as in SceneOptions
  bool brightest_textures = false;  // for all light above 128, so that vertex colours can express it
};
/// A map in one state, or in several, the first of which is visible. Ids: scene.none.
Result<SceneResult> build_map_scene(std::span<const MergedMap> states, const FftSceneOptions&);

/// States of a map that differ only in textures and palettes: the same polygons in the same light.
struct FftMapStates {
  std::vector<const MergedMap*> states;  // the first is shown without a variant
  std::vector<scene::Index> variants;    // of the scene, for each; k_none for the first
  std::string suffix;                    // for names: the state, if there are several stages
  size_t motion = 0;                     // of the surfaces
};

/// Converts the axes of the files to those of a scene: Y up, and so north is -Z.
constexpr scene::Vec3 to_scene_axes(f64 x, f64 y, f64 z) { return {f32(x), f32(-y), f32(-z)}; }
inline constexpr f32 k_metres_per_unit = 1.0f / k_tile_units;  // a tile is a metre wide

/// Nodes of a stage.
class FftSceneBuilder {
 public:
  FftSceneBuilder(const FftMapStates&, const FftSceneOptions&, Surfaces&, scene::Scene&, Diagnostics& notes);
  /// Builds everything as children of `parent`.
  void build(scene::Index parent);
  /// Adds cameras that show everything built so far. Not below a stage, because exporters do not scale the parents of a
  /// camera.
  void add_cameras(scene::Index parent);

 private:
  using Index = scene::Index;

  /// The attributes of a vertex that are interpolated where a polygon is cut.
  struct Corner {
    scene::Point position{}, normal{};
    std::array<f64, 2> uv{};
    std::array<f64, 3> intensity{};
    u32 source = k_no_source;
  };

  // meshes.cpp
  void add_meshes(Index parent);
  void add_mesh(const Geometry&, size_t mesh, Index node, const LightRig*);
  template <size_t N>
  void add_textured_polygon(const Textured<N>&, std::span<Corner, N>, const LightRig*);
  void add_polygon_part(const FftMaterialKey&, std::span<const Corner>, bool is_quad);
  u8 choose_headroom(std::span<const Uv> uvs, u8 page, u8 palette, std::span<const Corner>);
  void set_materials(scene::Primitive&, const FftMaterialKey&);
  Value make_mesh_extras(const Geometry&, size_t mesh) const;
  void collect_mesh_file_parts(size_t mesh);
  void find_palette_pages();

  // terrain.cpp
  void add_terrain(Index parent);

  // background.cpp
  void add_directional_lights(Index parent);

  Index add_node(std::string name, Index parent);
  void add_note(Severity, const char* id, std::string path, DiagnosticText said);
  void extend_bounds(const scene::Point&);
  const MergedMap& map() const { return *stage_.states.front(); }

  const FftMapStates& stage_;
  const FftSceneOptions& options_;
  Surfaces& surfaces_;
  scene::Scene& s_;
  Diagnostics& notes_;

  std::map<FftMaterialKey, scene::Primitive> parts_;  // of the current mesh
  std::array<u8, 16> pages_of_palettes_{};            // a bit for each page used with a palette
  std::array<std::optional<TexelCounts>, k_pages> counts_;
  size_t dulled_ = 0;    // polygons whose light exceeded the limit
  f64 most_dulled_ = 0;  // of 255, on average over a polygon
  size_t foreign_ = 0, pageless_ = 0;
  scene::Point low_{}, high_{};  // of all that is shown
  bool any_ = false;
  /// The source files of a mesh, in order, if there are several and sources are wanted.
  struct Part {
    const std::string* file;
    const Geometry* own;
    std::array<u32, 4> before;  // polygons of the earlier files, by kind
    u32 first;                  // the source of the first polygon
  };
  std::vector<Part> files_of_mesh_;
  u32 source_number_in_file(const Geometry&, PolygonKind, u32 index, u32 corner) const;
  bool is_primary_ = false;  // the current mesh; only the primary mesh has render words
};

/// Lights and background, as members of extras.
void add_light_extras(Value& extras, const Lights&);
/// The average of the top and bottom of the background.
scene::Vec4 mean_background_color(const Lights&);

}  // namespace dio::fft
