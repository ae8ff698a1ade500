// polygon_editor.hpp: rebuilds the display list of a shape when triangles are added or removed. Materials, vertex
// formats and the values that a scene does not show are kept.
#pragma once
#include <map>

#include "formats/brres/layout/model.hpp"
#include "formats/brres/scene/vertices.hpp"
#include "scene/triangle_match.hpp"

namespace dio::brres {

/// A list of one model, by the first attribute that it can be of (all texture coordinates: k_texcoord_0) and its index.
using ListIndex = std::pair<Attribute, u32>;
/// Values that were appended to lists: their indices by their bytes.
using AppendedValues = std::map<ListIndex, std::map<Bytes, u32>>;

/// A shape before the edit, as it is drawn.
struct DrawnShape {
  const Model& model;
  u32 shape;
  const scene::Primitive& primitive;  // its triangles in the scene
  bool draws_back_faces = false;
  std::optional<Attribute> texcoords;  // those that the scene shows
  bool has_plain_colors = false;       // the scene shows color_0 as it is
};

/// The largest z that counts as 0 for lists with x and y only: other programs round.
inline constexpr f64 k_flat = 1e-3;

struct WrittenPolygons {
  std::string problem;                      // why the polygons stay as they are; empty if they are written
  u64 kept_colors = 0, kept_texcoords = 0;  // vertices whose values in the scene cannot be stored
};

/// Replaces the polygons of the same shape in `to`, a copy of the model. New values are appended to the lists of the
/// shape, in their types; if these are too coarse, the shape gets a copy of the list with 32-bit floats. What a scene
/// does not show is copied from the nearest old vertex.
WrittenPolygons write_polygons(Model& to, const DrawnShape&, const scene::EditedPrimitive&, AppendedValues&);

}  // namespace dio::brres
