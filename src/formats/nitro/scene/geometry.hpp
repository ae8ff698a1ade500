// geometry.hpp: the output of a display list: vertices with colours, normals and texture coordinates, and triangles.
// Specification: README.md, "Display lists".
#pragma once
#include "formats/nitro/scene/sbc_run.hpp"

namespace dio::nitro {

inline constexpr u32 k_no_normal = ~u32(0);

/// One vertex command, with the state at that command.
struct GxVertex {
  std::array<f32, 3> position;  // as in the list: 1/4096 of a unit of the matrix
  std::array<f32, 3> normal;    // unit length; of the last NORMAL command
  u32 normal_word;              // word of that command; k_no_normal: there was none
  std::array<i16, 2> texcoord;  // 1/16 texel
  u16 color;                    // RGB555
  bool lit;                     // lights determine its colour, because NORMAL came after COLOR
  u32 matrix;                   // matrix of the program
  f32 scale;                    // product of the MTX_SCALE commands since
  u32 command;                  // index of the command in the list
};

struct Geometry {
  std::vector<GxVertex> corners;
  std::vector<u32> indices;  // three for a triangle; fronts are counterclockwise
  std::vector<u32> edges;    // vertex pairs of the edges of triangles and quads; only on request
  bool has_normals = false, has_colors = false, has_texcoords = false;
  bool one_matrix = true;  // all vertices follow the same matrix
  bool whole = true;       // the list could be read to its end
};

/// Runs the list of a draw; `diffuse` is the vertex colour it starts with. Overwrites `to`, reusing its memory.
void run_display_list(const Draw&, const Program&, u16 diffuse, Geometry& to, bool wants_edges = false);

}  // namespace dio::nitro
