// baked_collision.hpp: the parts of packs of v20 and later that follow from objects and floor, for code that builds
// such packs.
#pragma once
#include <algorithm>
#include <map>
#include <numbers>
#include <span>

#include "formats/splashpack/layout/pack.hpp"

namespace dio::splashpack {

/// The raw value of a full turn of the player: SplashEdit writes radians, which no engine up to v21 reads; later ones
/// read 4096 as half a turn. Source: splashedit-ng M17.
inline constexpr i32 k_full_turn_in_radians = 25736, k_full_turn = 8192;
constexpr i32 full_turn_of(Layout l) { return u32(l) < k_agents ? k_full_turn_in_radians : k_full_turn; }
/// The angle of the player in radians. A value beyond a full turn of its version is in radians.
constexpr f64 player_angle(Layout l, fx16 n) {
  const i32 turn = full_turn_of(l);
  const bool in_radians = turn == k_full_turn_in_radians || n.raw > turn || n.raw < -turn;
  return in_radians ? n.raw / 4096.0 : n.raw * (std::numbers::pi / 4096);
}

/// Whether the engine of the pack's version used the position and rotation of an object. The first exporters
/// transformed the triangles themselves, and the position is then (-16384, -16384, -16384).
bool uses_object_transform(const Pack&, const Object&);
/// A vertex of an object in the scene, in raw units with 12 more fractional bits, without rounding.
std::array<i64, 3> transform_vertex_exact(const Object&, Vec16 corner);
/// A growing box, in the numbers of `transform_vertex_exact`.
struct Bounds {
  std::array<i64, 3> low{INT64_MAX, INT64_MAX, INT64_MAX}, high{INT64_MIN, INT64_MIN, INT64_MIN};
  void add(const std::array<i64, 3>& p) {
    for (size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  }
  void add(const Bounds& b) {
    add(b.low);
    add(b.high);
  }
  constexpr bool contains(const std::array<i64, 3>& p) const {
    for (size_t i = 0; i < 3; ++i)
      if (p[i] < low[i] || p[i] > high[i]) return false;
    return true;
  }
  void add(const Box& b) {
    for (const Vec32& p : {b.min, b.max}) add(std::array{i64(p.x.raw) << 12, i64(p.y.raw) << 12, i64(p.z.raw) << 12});
  }
  /// In raw units, rounded outwards.
  Box to_box() const;
};
/// The number of triangles of each streamed object in the .geo file, by object index.
std::map<u16, u16> streamed_triangle_counts(const Pack&);
/// The box around all triangles of the object, in the scene; without triangles, around its position.
Box compute_object_box(const Object&);
/// Same, wherever a skin moves them: around its bones in all frames.
Box compute_object_box(const Object&, const Skin&);

/// The BVH over all triangles of objects without bones: `bvh_nodes` and `bvh_refs`. The engine draws objects with bones
/// separately, and skips them in the BVH (renderer.cpp, RenderWithBVH). For streamed objects, the box stands for each
/// triangle. False if there are more triangles than its counts allow (65,535): then there is no BVH.
bool build_bvh(Pack&);

/// A floor as convex regions (floor_polygons.hpp), with portals where two edges touch.
struct BuiltNavmesh {
  std::optional<Nav> nav;  // none if no part of the floor can be walked on
  u32 degenerate = 0;      // omitted triangles: without an area seen from above
  u32 steep = 0;           // and upright ones
  u32 far = 0;             // triangles farther than 131,072 times the scaling
  bool too_many = false;   // more than a file or an engine can hold: then there is no floor
};
/// `start`: where the player starts. `rooms`: regions do not extend from one of these boxes into another, because the
/// engine assumes that the camera is in the room of the player's region.
BuiltNavmesh build_nav_regions(std::span<const NavTriangle>, Vec32 start, std::span<const Box> rooms = {});

/// Adds the parts that scenes of v20 and later have and version 1 lacks: boxes, the BVH, and the editor's default
/// movement at this scaling. `build_nav_regions` adds the floor. False if there are too many triangles for a BVH: see
/// `build_bvh`.
bool add_derived_sections(Pack&, f64 scaling);

}  // namespace dio::splashpack
