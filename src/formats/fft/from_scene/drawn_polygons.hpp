// drawn_polygons.hpp: polygons of an edited scene that are not in the file: new triangles and halves of quads, combined
// to polygons.
#pragma once
#include <map>
#include <span>
#include <vector>

#include "formats/fft/from_scene/compared_texels.hpp"
#include "formats/fft/scene/polygons.hpp"
#include "scene/affine.hpp"

namespace dio::fft {

/// A vertex of an edited scene in the axes and units of the file.
struct DrawnVertex {
  scene::Point position{};
  std::optional<scene::Point> normal;
  std::optional<ComparedTexel> texel;
  u8 corner = 0;  // of the polygon that it comes from
};
/// A triangle or quad, with its corners in file order. `origin`: the quad of the file that it is a part of.
struct DrawnPolygon {
  u8 mesh = 0;
  bool is_textured = false;
  std::vector<DrawnVertex> corners;
  std::optional<PolygonRef> origin;

  PolygonKind kind() const {
    if (is_textured) return corners.size() == 4 ? PolygonKind::textured_quad : PolygonKind::textured_triangle;
    return corners.size() == 4 ? PolygonKind::untextured_quad : PolygonKind::untextured_triangle;
  }
};

/// Corner orders that draw the same triangles; `turn` selects one of them.
inline constexpr size_t count_turns(size_t corners) { return corners == 4 ? 2 : 3; }
inline constexpr size_t turned_corner(size_t corners, size_t turn, size_t corner) {
  return corners == 4 ? (turn ? 3 - corner : corner) : (corner + turn) % 3;
}

constexpr f64 k_apart = 0.5;  // units or texels by which two vertices of one position may differ
bool is_same_place(const scene::Point& a, const scene::Point& b);
bool is_same_texel(const std::optional<ComparedTexel>& a, const std::optional<ComparedTexel>& b);

/// The triangles of the polygons of the original, which animated textures may have cut.
class OriginalPieces {
 public:
  explicit OriginalPieces(const Mesh& file, const scene::Scene& original);

  struct Piece {
    std::array<DrawnVertex, 3> vertices;  // `corner`: 4 for vertices of cuts
  };
  /// By polygon of a mesh, counted through all kinds.
  const std::vector<std::vector<Piece>>& of_mesh(size_t mesh) const { return pieces_[mesh]; }
  const PolygonRef& ref(size_t mesh, u32 polygon) const { return refs_[mesh][polygon]; }
  /// Whether the texels of the map are available.
  bool show_texels() const { return show_texels_; }
  /// For a triangle of a primitive of the original (1: untextured): its polygon and its number there.
  std::pair<u32, u32> find(size_t mesh, size_t primitive, u32 triangle) const {
    return of_triangle_[mesh][primitive][triangle];
  }

 private:
  void add_triangle(const Mesh& file, size_t mesh, const scene::Primitive&, size_t primitive, u32 triangle);
  std::array<std::vector<std::vector<Piece>>, k_meshes> pieces_;
  bool show_texels_ = false;
  std::array<std::vector<PolygonRef>, k_meshes> refs_;
  std::array<std::array<std::vector<std::pair<u32, u32>>, 2>, k_meshes> of_triangle_;
};

/// Combines triangles to polygons: first, copies of polygons of the file all of whose pieces exist; then, two triangles
/// with a common edge are a quad if it is flat and convex or looks like one of the file; the rest stay triangles. In
/// the order of the triangles. O(n log n).
std::vector<DrawnPolygon> put_together(const OriginalPieces&, std::vector<DrawnPolygon> triangles);

}  // namespace dio::fft
