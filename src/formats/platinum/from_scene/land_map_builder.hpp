// land_map_builder.hpp: maps of 32 x 32 tiles from a scene, one or several side by side.
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
  std::optional<u32> number;  // of its model in the game
  std::string name;           // of its model, if there is no number
  std::optional<u32> source;  // of a map that was exported: which of its props
  Prop record{};              // on its map, with that number
};

/// A node that stands for an event of the game.
struct SceneEvent {
  scene::Index node = scene::k_none;
  enum class Kind : u8 { sign, object, warp, trigger } kind = Kind::sign;
  i64 x = 0, z = 0;          // tiles from the north-west corner of the first map
  f64 height = 0;            // units
  u32 across = 1, down = 1;  // tiles, by the mesh or the scale of the node
};

/// What is drawn, whatever the order of vertices and triangles, and however it is split into objects. Normals do not
/// count: other programs compute them again.
class TriangleFingerprints {
 public:
  TriangleFingerprints() = default;
  TriangleFingerprints(const scene::Scene&, f64 units);
  /// Whether two scenes look the same; colours of vertices may be 3 of 255 apart, as some programs round them.
  bool operator==(const TriangleFingerprints&) const;
  /// Whether those triangles that are the same in both but for their colours have the same colours.
  bool has_same_colors(const TriangleFingerprints&) const;

 private:
  struct Triangle {
    u64 digest;                // of its corners, texture coordinates and material
    std::array<u8, 9> colors;  // sRGB
    auto operator<=>(const Triangle&) const = default;
    bool has_same_colors(const Triangle&) const;
  };
  std::vector<Triangle> triangles_;  // sorted
};

/// A map that was made, and where it lies among the others.
struct BuiltLandMap {
  u32 column = 0, row = 0;
  LandData land;   // without props and heights
  Bytes textures;  // of its model: NSBTX; empty: it has none
  std::vector<SceneProp> props;
  std::vector<SurfaceTriangle> floors = {}, ceilings = {};  // from its middle
  bool all_open = false;                                    // floors were stated: none hides another
  TriangleFingerprints appearance = {};                     // of what is drawn
};
struct BuiltLandMaps {
  u32 across = 1, down = 1;              // maps; not all of them have to be there
  f64 west = -k_half_map, north = west;  // units: the north-west corner of the first
  std::vector<BuiltLandMap> maps;
  std::vector<SceneEvent> events;
  Diagnostics notes;
};

struct MapOptions {
  f64 units = 1;                   // of the map in a unit of the scene
  std::vector<Argument> of_model;  // for nitro::make_model
  bool is_one = false;             // all of the scene is one map
  bool is_in_metres = false;       // a metre is a unit because nothing else was said
  /// The middle of the north-west map, in units. Nothing: the middle or a corner of a map is the origin, whichever
  /// makes fewer maps.
  std::optional<std::array<f64, 2>> middle;
  bool notes_outside = false;  // whether floors outside of all maps are told of
  /// The middles of the maps that are made, in units; these alone. Empty: all on which something is.
  std::vector<std::array<f64, 2>> only = {};
  /// Whether a map needs its model, by its place and what is drawn on it. Null: all do.
  std::function<bool(const BuiltLandMap&)> wants_model = {};
};
/// units-per-metre, and what is for the model.
MapOptions parse_map_options(const scene::Scene&, std::span<const Argument>, Arguments&);

/// The prop that a node stands for, without its record; nothing if it stands for none.
std::optional<SceneProp> read_scene_prop(const scene::Scene&, scene::Index node);
/// Nodes that are drawn by themselves or stand for something else: props, events and marks, with all below them.
std::vector<bool> find_nodes_outside_map(const scene::Scene&);

enum class HeightForm : u8 { plates, triangles };  // the latter: Diamond and Pearl
/// The heights of the floors of a map. A note may be added. Plates are in the room that the game has for them;
/// triangles may take more.
Bdhc build_heights(const BuiltLandMap&, Diagnostics& notes, HeightForm = HeightForm::plates);

/// Ids: those of make_land_rules and of nitro::make_model.
Result<BuiltLandMaps> build_land_maps(const scene::Scene&, const MapOptions&);

}  // namespace dio::platinum
