// world_builder.hpp: builds a scene of lands: models of lands and props (models.cpp), overlays (overlays.cpp), and the
// world (world.cpp).
#pragma once
#include <set>

#include "formats/contract/scenes.hpp"
#include "formats/nitro/scene/builder.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "formats/platinum/scene/land_instances.hpp"
#include "formats/platinum/scene/light.hpp"
#include "scene/node_cloner.hpp"

namespace dio::platinum {

inline constexpr u32 k_land_size = 512;        // units: size of a matrix cell
inline constexpr u32 k_altitude_step = 8;      // units
inline constexpr f64 k_ticks_per_second = 30;  // animation frame rate of the overworld
inline constexpr u32 k_no_set = ~u32(0);

/// The requested overlays.
struct Overlays {
  bool tiles = false, collision = false, heights = false, events = false, warps = false;
};
class WorldBuilder {
 public:
  WorldBuilder(const GameTables&, const WorldOptions&, SceneResult&);
  void build(const MatrixGroup&);

 private:
  using Index = scene::Index;
  static constexpr Index k_none = scene::k_none;

  /// Textures that models are bound to, with their materials.
  struct TextureSet {
    std::shared_ptr<const nitro::Nsbtx> file;  // one of these two is set
    std::shared_ptr<const nitro::Nsbmd> model;
    nitro::Textures moved;                       // pictures of animated textures
    std::vector<nitro::PatternAnimation> moves;  // without materials
    std::unique_ptr<nitro::Surfaces> surfaces;
  };
  /// A model in the scene.
  struct Built {
    Index root = k_none;  // k_none: the model is not shown
    std::unique_ptr<scene::NodeCloner> copies;
  };
  /// A model looks different with other textures and in other light.
  struct WorldMaterialKey {
    u32 number, textures, light;
    FileRole role;  // lands, props, room_props
    auto operator<=>(const WorldMaterialKey&) const = default;
  };

  // world.cpp
  void add_matrix(const MatrixInstance&, Index parent, const scene::Vec3& at);
  void add_land(const LandInstance&, Index parent);
  void add_edge_colors(const MatrixGroup&);
  void add_fog(const MatrixGroup&);
  void merge_repeated_notes();
  void add_tile_grid(const MatrixGroup&, const std::vector<scene::Vec3>& starts);
  void add_cameras(const MatrixInstance&, Index parent);
  void add_note_once(Severity, const char* id, dio::Location, DiagnosticText);
  Index add_node(std::string name, Index parent, const scene::Vec3& at = {0, 0, 0});
  Value& set_node_extras(Index node, const char* kind, FileRole, u32 number, std::string path = {});
  const Area* area_of(const LandInstance&) const;
  std::string path_of(FileRole role, u32 number) const { return t_.files().of(role).path(number); }

  // models.cpp
  void add_land_model(const LandInstance&, const LandData&, Index parent);
  void add_props(const LandInstance&, const LandData&, Index parent);
  Index add_prop(u32 model, const Area*, bool in_set, Index parent);
  /// Adds a copy of a model, which `build` builds the first time.
  Index add_model_copy(std::map<WorldMaterialKey, Built>&, const WorldMaterialKey&, Index parent, auto build);
  Index build_model(const nitro::Model&, TextureSet&, const nitro::ModelAnimations&, const MapLight*, nitro::Program,
                    Index, const std::string& file, std::string path);
  TextureSet& map_textures(u32 number);
  TextureSet& prop_textures(u32 number);
  TextureSet& own_textures(FileRole, u32 prop);
  void find_texture_animations(TextureSet&, u32 number);
  std::vector<nitro::PatternAnimation> select_model_animations(const nitro::Model&, const TextureSet&) const;
  const MapLight* map_light_of(const Area*);
  void merge_animations(size_t first, bool waits);

  // overlays.cpp
  void add_overlays(const LandInstance&, const LandData&, Index parent);
  void add_tiles(const LandData&, bool collision, u32 land, Index parent);
  void add_heights(const LandData&, u32 land, Index parent);
  void add_events(const MatrixInstance&, Index parent);
  f32 tile_ground_height(const MatrixInstance&, i64 tile_x, i64 tile_z);
  Index find_or_add_overlay_material(const std::string& name, const scene::Vec4& color);
  Index find_or_add_marker_mesh(const char* name, const scene::Vec4& color);

  const GameTables& t_;
  const WorldOptions& options_;
  Overlays show_;
  scene::Scene& s_;
  Diagnostics& notes_;
  Diagnostics model_notes_;  // notes of the current model
  std::map<u32, TextureSet> map_sets_, prop_sets_;
  std::map<std::pair<FileRole, u32>, TextureSet> own_sets_;
  std::map<u32, std::optional<MapLight>> lights_;
  std::map<WorldMaterialKey, Built> lands_, props_;
  std::map<std::string, Index> animations_;  // by kind, file and name
  std::map<std::string, Index> overlay_materials_, marker_meshes_;
  std::map<u32, Index> cameras_;  // by type
  std::set<std::string> noted_;   // notes already added
};

}  // namespace dio::platinum
