#include "formats/fft/make/visibility.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "core/elementary.hpp"
#include "formats/fft/make/terrain_builder.hpp"
#include "formats/fft/scene/slopes.hpp"

namespace dio::fft {

namespace {

/// A direction from which the camera looks, with its bit: degrees from north, clockwise.
struct CameraDirection {
  u16 bit;
  f64 degrees;
};
constexpr CameraDirection k_directions[] = {
    {0x800, 225},  {0x400, 315},  {0x200, 45},  {0x100, 135}, {0x80, 202.5}, {0x40, 247.5},
    {0x20, 292.5}, {0x10, 337.5}, {0x08, 22.5}, {0x04, 67.5}, {0x02, 112.5}, {0x01, 157.5},
};
constexpr f64 k_pitch = 26.54;  // degrees; the lower of the game's two

/// Towards the camera, in the axes of faces.
Point towards_camera(const CameraDirection& d) {
  constexpr f64 k_radian = std::numbers::pi / 180;
  const f64 flat = elementary::cos(k_pitch * k_radian);
  return {flat * elementary::sin(d.degrees * k_radian), elementary::sin(k_pitch * k_radian),
          -flat * elementary::cos(d.degrees * k_radian)};
}

/// Whether a ray meets a convex polygon from its front side.
bool meets(const std::vector<FaceVertex>& corners, const Point& normal, const Point& from, const Point& along) {
  const f64 facing = scene::dot(normal, along);
  if (facing < 1e-6) return false;
  Point to_plane;
  for (size_t k = 0; k < 3; ++k) to_plane[k] = corners[0].position[k] - from[k];
  const f64 t = scene::dot(normal, to_plane) / facing;
  if (t < 1) return false;
  Point hit;
  for (size_t k = 0; k < 3; ++k) hit[k] = from[k] + t * along[k];
  for (size_t i = 0; i < corners.size(); ++i) {
    const Point &a = corners[i].position, &b = corners[(i + 1) % corners.size()].position;
    Point edge, inside;
    for (size_t k = 0; k < 3; ++k) edge[k] = b[k] - a[k], inside[k] = hit[k] - a[k];
    if (scene::dot(normal, scene::cross(edge, inside)) < 0) return false;
  }
  return true;
}

/// The surface of a tile at its middle.
f64 middle_height(const TerrainTile& t) { return k_step_units * (displayed_half_steps(t) / 2.0); }

/// A wall in front of a tile: just behind it lies a tile that is at least two steps lower than its top.
bool stands_before_tile(const Face& f, const Point& normal, const Terrain& t) {
  Point middle{};
  f64 top = -HUGE_VAL;
  for (const FaceVertex& c : f.corners) {
    top = std::max(top, c.position[1]);
    for (size_t k = 0; k < 3; ++k) middle[k] += c.position[k] / f64(f.corners.size());
  }
  constexpr f64 k_behind = k_tile_units / 2.0;
  const f64 x = std::floor((middle[0] - normal[0] * k_behind) / k_tile_units),
            z = std::floor(-(middle[2] - normal[2] * k_behind) / k_tile_units);
  if (x < 0 || z < 0 || x >= t.size_x || z >= t.size_z) return false;
  const TerrainTile* tile = Terrain::tile(t, 0, u32(x), u32(z));
  return tile && !tile->absent && middle_height(*tile) < top - 2 * k_step_units + 0.5;
}

}  // namespace

std::vector<u16> find_hiding_directions(const std::vector<Face>& faces, const std::vector<TileBinding>& tiles,
                                        const Terrain& terrain) {
  std::vector<u16> out(faces.size());
  struct Wall {
    size_t face;
    Point normal;
  };
  std::vector<Wall> walls;
  for (size_t i = 0; i < faces.size(); ++i) {
    const Point normal = face_normal(faces[i].corners);
    if (std::fabs(normal[1]) < k_floor_slope && tiles[i].is_none() && stands_before_tile(faces[i], normal, terrain))
      walls.push_back({i, normal});
  }
  std::vector<Point> samples;
  for (u32 z = 0; z < terrain.size_z; ++z)
    for (u32 x = 0; x < terrain.size_x; ++x)
      if (const TerrainTile* t = Terrain::tile(terrain, 0, x, z); t && !t->absent && !t->untargetable)
        samples.push_back({k_tile_units * (x + 0.5), middle_height(*t) + 1, -k_tile_units * (z + 0.5)});
  for (const CameraDirection& d : k_directions) {
    const Point along = towards_camera(d);
    for (const Wall& w : walls)
      for (const Point& from : samples)
        if (meets(faces[w.face].corners, w.normal, from, along)) {
          out[w.face] |= d.bit;
          break;
        }
  }
  // A wall that was cut is hidden as a whole.
  std::map<u32, u16> together;
  for (const Wall& w : walls) together[faces[w.face].source] |= out[w.face];
  for (size_t i = 0; i < faces.size(); ++i)
    if (const auto whole = together.find(faces[i].source); whole != together.end() && tiles[i].is_none())
      out[i] = whole->second;
  return out;
}

}  // namespace dio::fft
