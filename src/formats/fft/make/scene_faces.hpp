// scene_faces.hpp: the faces of a scene that becomes a map, with the properties that their materials and objects state.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "scene/affine.hpp"
#include "scene/scene.hpp"

namespace dio::fft {

using scene::Point;

constexpr Point difference(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

/// The properties that faces share. Equal ones are stored once.
struct FaceKind {
  scene::Index material = scene::k_none;
  std::optional<u8> surface;        // of tiles: k_surfaces
  std::optional<u8> depth;          // of a liquid, in steps
  std::optional<bool> is_walkable;  // false: tiles that units cannot enter
  std::optional<u16> hidden_from;   // k_hidden
  bool is_floor = true;             // false: never part of the terrain
  bool has_both_sides = false;      // drawn from behind as well
  bool is_drawn = true;             // false: it only defines the terrain
  bool operator==(const FaceKind&) const = default;
};

struct FaceVertex {
  Point position{};         // units; x to the east, y up, z to the south
  Point normal{};           // unit length
  std::array<f64, 2> uv{};  // after the texture transform of the material
  Point color{1, 1, 1};     // linear
};
/// A convex polygon, counterclockwise as seen from its front.
struct Face {
  std::vector<FaceVertex> corners;
  u32 kind = 0;
  scene::Index node = 0;  // for messages
  u32 source = 0;         // the same for all parts of a face that was cut
};

struct SceneFaces {
  std::vector<FaceKind> kinds;
  std::vector<Face> faces;                      // triangles
  std::vector<std::string> invalid_properties;  // `surface` is "gras"
  u64 not_triangles = 0;                        // primitives of points or lines
  u64 one_sided = 0;             // triangles of double-sided materials that are drawn from the front only
  bool has_own_terrain = false;  // objects define the terrain, and nothing else counts
  bool has_colors = false;       // some drawn vertex is not white
};

/// The triangles of all visible objects at rest, in map units. `units`: map units per scene unit.
SceneFaces collect_faces(const scene::Scene&, f64 units);

/// A surface by its name in the game ("grassland"), or by a common word of a material's name ("Grass.001", "old wood").
std::optional<u8> find_surface_by_name(std::string_view);
bool is_liquid(u8 surface);

/// The normal of a convex polygon, of length 1; zero without an area.
Point face_normal(const std::vector<FaceVertex>& corners);

/// The name of an object for a message, in quotes.
std::string object_label(const scene::Scene&, scene::Index node);

}  // namespace dio::fft
