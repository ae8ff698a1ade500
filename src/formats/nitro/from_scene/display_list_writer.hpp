// display_list_writer.hpp: display lists from runs of vertices.
#pragma once
#include <compare>
#include <optional>
#include <span>

#include "formats/nitro/from_scene/polygons.hpp"
#include "formats/nitro/layout/display_list.hpp"

namespace dio::nitro {

/// A vertex as the geometry engine takes it.
struct Vertex {
  std::array<i16, 3> position;  // 1/4096, before the pos scale
  std::array<i16, 2> texcoord;  // 1/16 texel
  bool is_lit;                  // its colour comes from the lights, by its normal; else it has one
  bool has_normal;              // as lit ones do, and those whose texture coordinates the game computes from it
  std::array<i16, 3> normal;    // 1/512
  u16 color;                    // RGB555
  u16 matrix;                   // of the model that is made
  auto operator<=>(const Vertex&) const = default;
};

struct ListOptions {
  bool texcoords = false;
  /// That vertices have before the first command says another; nothing: unknown, as games set colours of materials.
  std::optional<u16> color = {};
  /// The slot of the matrix stack that holds a matrix; empty: all vertices follow the current one.
  std::function<u8(u16 matrix)> slot_of = {};
  fx32 pos_scale = {4096};  // after a matrix was restored
  bool scales = true;       // whether that is sent
  /// The matrix that is current when the list begins.
  std::optional<u16> first_matrix = {};
};

/// Whether four vertices are in one plane and their outline is convex: then the DS fills the same pixels as with two
/// triangles.
bool is_planar_convex_quad(std::span<const Vertex>, const std::array<u32, 4>&);

/// The list, packed as the games' own tools do it. Only what changes is sent; positions as the shortest command that
/// is exact.
Bytes write_display_list(std::span<const Run>, std::span<const Vertex>, const ListOptions&);

}  // namespace dio::nitro
