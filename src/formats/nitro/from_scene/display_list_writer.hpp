// display_list_writer.hpp: display lists from runs of vertices.
#pragma once
#include <compare>
#include <optional>
#include <span>

#include "formats/nitro/layout/display_list.hpp"
#include "scene/primitive_runs.hpp"

namespace dio::nitro {

/// A vertex in the number formats of the geometry engine.
struct Vertex {
  std::array<i16, 3> position;  // 1/4096, before the pos scale
  std::array<i16, 2> texcoord;  // 1/16 texel
  bool is_lit;                  // lights determine its colour from its normal; otherwise `color` is used
  bool has_normal;              // true for lit vertices, and if the game computes texture coordinates from the normal
  std::array<i16, 3> normal;    // 1/512
  u16 color;                    // RGB555
  u16 matrix;                   // matrix of the new model
  auto operator<=>(const Vertex&) const = default;
};

struct ListOptions {
  bool texcoords = false;
  /// The vertex colour before the first colour command; nothing if unknown because games set material colours.
  std::optional<u16> color = {};
  /// The slot of the matrix stack that holds a matrix; empty: all vertices follow the current one.
  std::function<u8(u16 matrix)> slot_of = {};
  fx32 pos_scale = {4096};  // after a matrix was restored
  bool scales = true;       // whether MTX_SCALE is sent
  /// The matrix that is current when the list begins.
  std::optional<u16> first_matrix = {};
};

/// Whether four vertices are coplanar with a convex outline, so that the DS fills the same pixels as with two
/// triangles.
bool is_planar_convex_quad(std::span<const Vertex>, const std::array<u32, 4>&);

/// Writes a list, packed like the game developers' tools pack it. Sends only changed attributes, and each position with
/// the shortest exact command.
Bytes write_display_list(std::span<const scene::PrimitiveRun>, std::span<const Vertex>, const ListOptions&);

}  // namespace dio::nitro
