// sources.hpp: the vertex of a mesh file that a scene vertex comes from (scene::Primitive::sources). The extras of its
// node name the mesh: {"kind": k_mesh_node, "path": "primary" or "animated_1"..., "file": the name of the file, if
// several are shown}.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "formats/fft/layout/mesh.hpp"

namespace dio::fft {

inline constexpr std::string_view k_mesh_node = "fft.mesh";
/// The kind of a node that moves an animated mesh and its children.
inline constexpr std::string_view k_animated_node = "fft.animated";

/// The kinds of polygons in the order of the file.
enum class PolygonKind : u8 { textured_triangle, textured_quad, untextured_triangle, untextured_quad };
inline constexpr std::array<const char*, 4> k_polygon_kinds = {"textured_triangles", "textured_quads",
                                                               "untextured_triangles", "untextured_quads"};
/// A kind as in a sentence: "textured quads".
inline std::string polygon_kind_words(std::string_view kind) {
  std::string out(kind);
  std::ranges::replace(out, '_', ' ');
  return out;
}
constexpr size_t vertex_count(PolygonKind k) {
  return k == PolygonKind::textured_triangle || k == PolygonKind::untextured_triangle ? 3 : 4;
}
/// The number of polygons of each kind.
constexpr std::array<size_t, 4> count_polygons_by_kind(const Geometry& g) {
  return {g.textured_triangles.size(), g.textured_quads.size(), g.untextured_triangles.size(),
          g.untextured_quads.size()};
}

/// A corner of a polygon: `index` in the list of its kind.
struct PolygonVertexRef {
  PolygonKind kind;
  u32 index;
  u32 corner;
  constexpr bool operator==(const PolygonVertexRef&) const = default;
};

/// Polygons are numbered through all kinds, four numbers each: polygon * 4 + corner. At most 4 * 65535 polygons: below
/// 2^24.
constexpr u32 source_number(const Geometry& g, const PolygonVertexRef& c) {
  u32 polygon = c.index;
  const auto counts = count_polygons_by_kind(g);
  for (size_t k = 0; k < size_t(c.kind); ++k) polygon += u32(counts[k]);
  return polygon * 4 + c.corner;
}
/// The source of a vertex that is not in the file: a polygon was cut there because only a part of its texture moves.
inline constexpr u32 k_no_source = (u32(1) << 24) - 1;
/// Nothing if the mesh has no such polygon (k_no_source), or the polygon no such corner.
constexpr std::optional<PolygonVertexRef> find_corner(const Geometry& g, u32 source) {
  const auto counts = count_polygons_by_kind(g);
  u32 polygon = source / 4;
  for (size_t k = 0; k < counts.size(); ++k) {
    if (polygon < counts[k]) {
      const PolygonVertexRef out{PolygonKind(k), polygon, source % 4};
      if (out.corner >= vertex_count(out.kind)) return {};
      return out;
    }
    polygon -= u32(counts[k]);
  }
  return {};
}
static_assert(u64(4) * 65535 * 4 <= u64(1) << 24);

}  // namespace dio::fft
