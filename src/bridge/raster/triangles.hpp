// triangles.hpp: the triangles of a view in pixels, and the drawing of one of them into a tile.
#pragma once
#include <span>
#include <vector>

#include "bridge/raster/render.hpp"
#include "bridge/raster/surface.hpp"

namespace dio::raster {

/// The drawing target, in samples instead of pixels.
struct Target {
  i32 width = 0, height = 0;
  ShadingStyle look = ShadingStyle::plain;
  f32 line_width = 1, point_size = 1;  // in samples
};

/// Fraction bits of a position: as many as in SwiftShader, the software GL of browsers, with which these pictures are
/// compared (tests/web/beside_three.mjs). With the default 3 x 3 samples this is 1/48 pixel.
inline constexpr int k_subpixel_bits = 4;

struct Vertex {
  i32 x = 0, y = 0;   // from the upper left corner of the target, in parts of a sample
  f32 depth = 0;      // 1 at the near end, 0 at the far end of the view; linear on the screen
  f32 inverse_w = 1;  // 1 / distance; 1 in a parallel view
  scene::Vec2 uv{0, 0};
  scene::Vec4 color{1, 1, 1, 1};  // linear RGBA, without the colour of the material
  scene::Vec3 normal{0, 0, 0};    // in eye space; 0: none
  scene::Vec3 position{0, 0, 0};  // in the eye's space
};

struct Triangle {
  std::array<u32, 3> vertices{};  // clockwise on the screen
  u32 material : 29 = 0;          // all ones: none
  u32 colored : 1 = 0;            // vertex colours are not all 1
  u32 from_behind : 1 = 0;        // normals point away from the eye
  u32 shaded : 1 = 0;             // not a line or a point, which light does not affect
};
inline constexpr u32 k_no_material = (1u << 29) - 1;

/// A lamp in eye space.
struct ViewLight {
  scene::Light::Kind kind = scene::Light::Kind::directional;
  scene::Vec3 color{1, 1, 1};  // times its intensity
  scene::Vec3 position{0, 0, 0}, to_light{0, 0, 1};
  f32 range = 0;  // metres
  f32 cos_inner = 1, cos_outer = 0;
};

/// The samples that a triangle may touch, both ends included.
struct Box {
  i32 left, top, right, bottom;
};

struct Triangles {
  std::vector<Vertex> vertices;
  std::vector<Triangle> all;
  std::vector<u32> order;    // the drawing order
  std::vector<u32> volumes;  // DS: for each triangle, the last shadow volume before it, from 1; empty: there are none
  std::vector<ViewLight> lamps;
  f32 metres_per_unit = 1;
  bool parallel = false;
  Box pixel_bounds(u32 triangle) const;
};

/// Clipped to the depth range of the view; single-sided triangles seen from behind are left out.
Triangles triangles_of(const scene::Scene&, const Pose&, const View&, const Surfaces&, const Target&);

/// A rectangle of the target, in samples.
struct Area {
  i32 left = 0, top = 0, width = 0, height = 0;
};

struct Tile : Area {
  std::vector<scene::Rgba> color;
  std::vector<f32> depth;
};
void draw(const Triangles&, u32 triangle, const Surfaces&, const ScreenEffects&, Tile&);

/// A tile of a picture as a console draws it.
struct ConsoleTile {
  Area area;
  Area picture;                // all of it
  std::span<const u32> drawn;  // triangles that touch it or neighbouring pixels, in drawing order
  scene::Rgba background;
  ScreenEffects effects;
  bool smooths_edges = false;
};
/// RGBA of its pixels, row after row.
std::vector<scene::Rgba> draw_ds(const Triangles&, const Surfaces&, const ConsoleTile&);
std::vector<scene::Rgba> draw_psx(const Triangles&, const Surfaces&, const ConsoleTile&);

}  // namespace dio::raster
