// land_map_builder.hpp: builds one or several adjacent maps of 32 x 32 tiles from a scene.
#pragma once
#include <functional>

#include "formats/contract/building.hpp"
#include "formats/platinum/from_scene/surfaces.hpp"

namespace dio {
class Arguments;
}

namespace dio::platinum {

/// A node that stands for a prop.
struct SceneProp {
  scene::Index node = scene::k_none;
  std::optional<u32> number;  // number of its model in the game
  std::string name;           // name of its model, if there is no number
  std::optional<u32> source;  // index of the prop in its exported map
  Prop record{};              // its record in the map
};

/// A node that stands for an event of the game.
struct SceneEvent {
  scene::Index node = scene::k_none;
  enum class Kind : u8 { sign, object, warp, trigger } kind = Kind::sign;
  i64 x = 0, z = 0;          // tiles from the north-west corner of the first map
  f64 height = 0;            // units
  u32 across = 1, down = 1;  // tiles, by the mesh or the scale of the node
};

/// A fingerprint of drawn triangles, independent of vertex and triangle order and of the split into objects. Ignores
/// normals, because other programs recompute them.
class TriangleFingerprints {
 public:
  TriangleFingerprints() = default;
  TriangleFingerprints(const scene::Scene&, f64 units);
  /// Whether two scenes look the same; vertex colours may differ by 3 of 255, because some programs round them.
  bool operator==(const TriangleFingerprints&) const;
  /// Whether triangles that match except for colours have the same colours.
  bool has_same_colors(const TriangleFingerprints&) const;

 private:
  struct Triangle {
    u64 digest;                // hash of its corners, texture coordinates and material
    std::array<u8, 9> colors;  // sRGB
    auto operator<=>(const Triangle&) const = default;
    bool has_same_colors(const Triangle&) const;
  };
  std::vector<Triangle> triangles_;  // sorted
};

/// A built map and its position in the grid.
struct BuiltLandMap {
  u32 column = 0, row = 0;
  LandData land;   // without props and heights
  Bytes textures;  // textures of its model (NSBTX), or empty
  std::vector<SceneProp> props;
  std::vector<SurfaceTriangle> floors = {}, ceilings = {};  // relative to its middle
  bool all_open = false;                                    // floors are explicit, so none hides another
  TriangleFingerprints appearance = {};                     // fingerprint of its triangles
};
struct BuiltLandMaps {
  u32 across = 1, down = 1;              // size of the grid in maps; not all of them need to exist
  f64 west = -k_half_map, north = west;  // units: the north-west corner of the first map
  std::vector<BuiltLandMap> maps;
  std::vector<SceneEvent> events;
  Diagnostics notes;
};

struct MapOptions {
  f64 units = 1;                   // map units per scene unit
  std::vector<Argument> of_model;  // for nitro::make_model
  bool is_one = false;             // the whole scene is one map
  bool is_in_metres = false;       // a metre is a unit by default
  std::optional<f64> of_export;    // map units per scene unit at which an exported scene has its original size
  /// The middle of the north-west map, in units. If empty, the origin is the middle or a corner of a map, whichever
  /// needs fewer maps.
  std::optional<std::array<f64, 2>> middle;
  bool notes_outside = false;  // whether to note floors outside all maps
  /// The middles of the only maps to build, in units. If empty, builds all maps that contain something.
  std::vector<std::array<f64, 2>> only = {};
  /// Whether a map needs its model, by its position and triangles. Null: all maps do.
  std::function<bool(const BuiltLandMap&)> wants_model = {};
};
/// Parses units-per-metre and the model options. By default, an exported scene has its original size.
MapOptions parse_map_options(const scene::Scene&, std::span<const Argument>, Arguments&);

/// The prop that a node stands for, without its record; nothing if it is not a prop.
std::optional<SceneProp> read_scene_prop(const scene::Scene&, scene::Index node);
/// Nodes outside the map model: props, events and markers, with everything below them.
std::vector<bool> find_nodes_outside_map(const scene::Scene&);

enum class HeightForm : u8 { plates, triangles };  // triangles: Diamond and Pearl
/// Builds the heights of a map from its floors; may add a note. Plates always fit in the game's buffer; triangles may
/// exceed it.
Bdhc build_heights(const BuiltLandMap&, Diagnostics& notes, HeightForm = HeightForm::plates);

/// Error ids: those of make_land_rules and of nitro::make_model.
Result<BuiltLandMaps> build_land_maps(const scene::Scene&, const MapOptions&);

}  // namespace dio::platinum
