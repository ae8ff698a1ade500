// geometry.hpp: the meaning of a collision file: triangles, the positions from which they can be hit, octree cells.
// Sources: README.md.
#pragma once
#include <functional>
#include <span>

#include "formats/kcl/layout.hpp"
#include "scene/affine.hpp"

namespace dio::kcl {

using scene::cross, scene::dot, scene::length, scene::Point, scene::unit;

inline constexpr f64 k_metres = 0.01;   // of a unit, as in courses
inline constexpr f64 k_farthest = 1e6;  // units from the origin; Nintendo stays below a tenth
/// Values in Mario Kart Wii's own files.
inline constexpr f32 k_usual_thickness = 300, k_usual_sphere_radius = 250;

enum TypeId : u8 {
  k_boost_panel = 0x06,
  k_item_road = 0x09,
  k_solid_fall = 0x0A,
  k_item_wall = 0x0E,
  k_fall_boundary = 0x10,
  k_cannon_trigger = 0x11,
  k_recalculation = 0x12,
  k_sound_trigger = 0x18,
  k_weak_wall = 0x19,
  k_effect_trigger = 0x1A,
  k_item_state = 0x1B
};
/// The Wii type that is most similar to each DS type.
constexpr u8 type_of_ds(u8 type) {
  constexpr u8 k_types_of_ds[] = {0x00, 0x01, 0x02, 0x03, 0x18, 0x04, 0x05, 0x06, 0x0C, 0x0D, 0x0A, 0x10,
                                  0x08, 0x09, 0x0E, 0x11, 0x0F, 0x0B, 0x07, 0x13, 0x17, 0x14, 0x12};
  return type < std::size(k_types_of_ds) ? k_types_of_ds[type] : u8(k_item_state);
}
/// The role of a type for karts: they drive on it, it stops them, or it only detects them.
enum class SurfaceUse : u8 { road, wall, trigger };
constexpr SurfaceUse use_of(u8 type) {
  constexpr u32 k_roads = 0x20E80FFF, k_walls = 0xD210F000;
  return k_roads >> (type & 31) & 1   ? SurfaceUse::road
         : k_walls >> (type & 31) & 1 ? SurfaceUse::wall
                                      : SurfaceUse::trigger;
}
std::string_view name_of(SurfaceUse);
/// Whether karts fall off the course there: 0x0A and 0x10.
constexpr bool is_fall(u8 type) { return type == k_solid_fall || type == k_fall_boundary; }
/// Whether karts drive on it: excludes falls and item roads.
constexpr bool is_drivable(u8 type) {
  return use_of(type) == SurfaceUse::road && !is_fall(type) && type != k_item_road;
}
/// Whether it slows karts down: 0x02, 0x03, 0x04.
constexpr bool is_off_road(u8 type) { return type >= 2 && type <= 4; }

/// The 16 bits of a prism's flags, as tools write them: 0x00C4.
u16 flags_of(const Prism&, bool mario_kart_wii);
void set_flags(Prism&, u16 flags, bool mario_kart_wii);
/// A surface by name: `wall: rock`; `attribute 12` for other games.
std::string surface_of(const Prism&, bool mario_kart_wii);

constexpr Point point_of(const Vec3& v) { return {v.x, v.y, v.z}; }
constexpr Point operator-(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
constexpr Point along(const Point& from, const Point& direction, f64 length) {
  return {from[0] + direction[0] * length, from[1] + direction[1] * length, from[2] + direction[2] * length};
}

/// Converts a DS file to Wii units and structures. Its flags become the `attribute` of prisms.
Kcl to_wii_units(const DsKcl&);
/// The 16 bits of the flags.
u16 flags_of(const DsPrism&, bool mario_kart_ds);
void set_flags(DsPrism&, u16 flags, bool mario_kart_ds);
/// The surface name of these bits: `wall: rock`.
std::string surface_of_ds(u16 flags);
constexpr u8 ds_type_of(u16 flags) { return flags >> 8 & 31; }
constexpr u8 ds_variant_of(u16 flags) { return flags >> 5 & 7; }
constexpr SurfaceUse use_of_ds(u16 flags) {
  return flags & 0x8000 ? SurfaceUse::road : flags & 0x4000 ? SurfaceUse::wall : SurfaceUse::trigger;
}

/// A prism with its positions and normals looked up.
struct Shape {
  Point corner, face, a, b, c;  // the first corner; out of the face, and of its edges
  f64 height;                   // from the first corner to the edge opposite to it
};
/// Nothing if a position or normal does not exist.
std::optional<Shape> resolve_prism_shape(const Kcl&, const Prism&);

using Triangle = std::array<Point, 3>;
/// The corners as the game computes them, counterclockwise as seen from the side that can be hit. Nothing if a position
/// or normal does not exist, if edges are parallel, or if numbers are not finite.
std::optional<Triangle> compute_prism_triangle(const Kcl&, const Prism&);
/// The point of the triangle that is nearest to `p`.
Point nearest_point_on_triangle(const Triangle&, const Point& p);

/// Whether a sphere around `p` hits the prism by one of the game's tests: from the front of the face, over its edges,
/// or from up to `thickness` behind it.
bool is_hit(const Shape&, f64 thickness, const Point& p, f64 radius);

/// The distance from a triangle, and behind it, at which a file's prisms are hit. Invalid numbers are replaced by the
/// usual ones.
struct Depths {
  f64 distance, thickness;
  bool operator==(const Depths&) const = default;
};
Depths hit_depths(const Kcl&);

/// The least area and height of triangles that can be hit, in square units and units. Source: Wiimm's wkclt.
inline constexpr f64 k_least_height = 1;
/// The height above the longest side; 0 for a point.
f64 least_height(const Triangle&);
/// Whether a triangle is too small or too thin to be hit.
bool is_thin(const Triangle&);

/// The positions from which a prism can be hit: within a distance of its triangle, or in the space behind it.
class PrismHitVolume {
 public:
  PrismHitVolume(const Triangle&, const Point& face, Depths);
  /// Whether a cube may contain such a position. Never wrongly false; may be wrongly true close to a corner of the
  /// cube, except if the distance is 0.
  bool may_touch_cube(const Point& middle, f64 half) const;
  /// Whether a cube contains a position within the distance of the triangle. Never wrongly true.
  bool is_within_hit_distance(const Point& middle, f64 half) const;
  Point min, max;  // of a box around all of them

 private:
  Triangle triangle_;
  Point back_;  // offset from the triangle to its copy at the greatest depth at which it can be hit
  f64 distance_;
  std::array<Point, 4> sides_;  // unit: out of the face and of the edges
};

/// An octree cell that has a list.
struct Cell {
  Point min;        // the corner with the smallest numbers
  f64 size;         // of its edges
  u32 node;         // index of the node
  unsigned splits;  // how often a first-level cell was split to get this cell
};

/// A view for octree lookups. The file must outlive it and must not be edited meanwhile.
class OctreeView {
 public:
  explicit OctreeView(const Kcl&);

  struct Found {
    u32 node;
    std::span<const u16> prisms;  // numbers that count from 1
  };
  /// The cell of a position, as the game looks it up; nothing outside the area or at a broken node.
  std::optional<Found> at(const Point&) const&;
  std::optional<Found> at(const Point&) && = delete;  // the result would dangle

  /// A node that leads to a missing block or list.
  struct Broken {
    u32 node;
    bool is_list;  // else a block of nodes
  };
  struct Box {
    Point min, max;
  };
  using OnCell = std::function<void(const Cell&, std::span<const u16>)>;
  using OnBroken = std::function<void(const Broken&)>;
  /// Visits all cells with lists, or those that touch a box, and all broken nodes. Visits at most `visits` nodes, and
  /// subtracts them; false if there are more.
  bool for_each_cell(const OnCell&, const OnBroken&, const Box* within, u64& visits) const;
  bool for_each_cell(const OnCell& cell, const OnBroken& broken = {}) const {
    u64 visits = most_visits();
    return for_each_cell(cell, broken, nullptr, visits);
  }
  /// A limit far above the nodes of any real tree: shared blocks can make the number of cells explode.
  u64 most_visits() const { return 4096 + 16 * (kcl_.octree.nodes.size() + numbers_.size() / 8); }

  /// The numbers of the list at an offset; nothing if there is no list, or if it does not end.
  std::optional<std::span<const u16>> list_at(u64 offset) const;
  u64 bytes_of_nodes() const { return 4 * u64(kcl_.octree.nodes.size()); }

 private:
  const Kcl& kcl_;
  std::vector<u16> numbers_;  // of all lists, each with the 0 that ends it
};

/// First-level cells along each axis; 0 if shifts and masks contradict each other.
std::array<u64, 3> root_cell_counts(const Kcl&);

}  // namespace dio::kcl
