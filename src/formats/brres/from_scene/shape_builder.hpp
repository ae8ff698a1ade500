// shape_builder.hpp: shapes from triangles: lists of values in the smallest exact types, and a display list of strips.
#pragma once
#include <functional>
#include <span>

#include "formats/brres/layout/model.hpp"

namespace dio::brres {

struct ShapeVertex {
  std::array<f32, 3> position;  // in units, of its matrix; of a mix: of the model
  std::array<u8, 4> color{255, 255, 255, 255};
  std::array<f32, 2> uv{};
  u16 matrix = 0;
  bool operator==(const ShapeVertex&) const = default;
};

/// The triangles of one shape.
struct ShapeGeometry {
  std::string name;
  std::vector<ShapeVertex> vertices;  // three for each triangle, counterclockwise
  bool has_colors = false, has_uvs = false;
  i32 matrix = 0;        // of all vertices; -1: each has its own
  u32 texture_size = 0;  // the longer side in texels, for the error of texture coordinates; 0: no texture
  bool is_hidden = false;
};

/// The most values of a list, so that indices fit into 16 bits.
inline constexpr size_t k_most_list_values = 65535;

/// Calls `write(is_strip, vertices)` for strips and lists of triangles that have these corners, three each, clockwise.
void for_each_polygon_run(std::span<const u32> corners, const std::function<void(bool, std::span<const u32>)>& write);

/// Adds a shape with its lists to a model. At most 65,535 distinct vertices. Returns the largest error of texture
/// coordinates in texels.
f64 add_shape(Model&, const ShapeGeometry&);

}  // namespace dio::brres
