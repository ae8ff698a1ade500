// polygons.hpp: access to the polygons of a mesh file: by name, by kind, or all.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "formats/fft/scene/sources.hpp"

namespace dio::fft {

inline constexpr size_t k_meshes = 1 + k_animated_meshes;  // the primary mesh, then the animated ones
/// The room for polygons of each kind in the arrays of the game, for all meshes together. Source: README.md,
/// "Geometry".
inline constexpr std::array<size_t, 4> k_most_polygons = {360, 710, 64, 256};
/// Slots for each kind of polygons of the primary mesh in the table of render properties.
inline constexpr std::array<size_t, 4> k_render_slots = {
    RenderProperties::k_textured_triangles, RenderProperties::k_textured_quads,
    RenderProperties::k_untextured_triangles, RenderProperties::k_untextured_quads};

/// "primary", "animated_1" ...
constexpr const char* mesh_name(size_t mesh) { return mesh ? Mesh::k_animated_names[mesh - 1] : "primary"; }
/// Null if the file has no such mesh.
constexpr auto geometry_of(auto& m, size_t mesh) -> decltype(&*m.primary) {
  auto& g = mesh ? m.animated[mesh - 1] : m.primary;
  return g ? &*g : nullptr;
}

/// A polygon of a file.
struct PolygonRef {
  u8 mesh = 0;
  PolygonKind kind{};
  u32 index = 0;
  constexpr auto operator<=>(const PolygonRef&) const = default;
};
/// `primary.textured_quads[3]`
std::string polygon_path(const PolygonRef&);
/// The polygons selected by a typed text: `textured_quads[3]`, `animated_1.textured_triangles[0..4]`,
/// `untextured_quads`, `animated_2`, or several separated by commas. Without a mesh, the primary one is used. In file
/// order, without duplicates. Returns an error with a message but no id for polygons that are not in the file.
Result<std::vector<PolygonRef>> parse_polygon_refs(const Mesh&, std::string_view typed);

/// Calls `f` with the list of one kind.
constexpr void visit_polygon_list(auto& geometry, PolygonKind kind, auto&& f) {
  switch (kind) {
    case PolygonKind::textured_triangle:
      return f(geometry.textured_triangles);
    case PolygonKind::textured_quad:
      return f(geometry.textured_quads);
    case PolygonKind::untextured_triangle:
      return f(geometry.untextured_triangles);
    case PolygonKind::untextured_quad:
      return f(geometry.untextured_quads);
  }
}
/// Calls `f` with a polygon, which must exist.
constexpr void visit_polygon(auto& mesh, const PolygonRef& r, auto&& f) {
  visit_polygon_list(*geometry_of(mesh, r.mesh), r.kind, [&](auto& list) { f(list[r.index]); });
}
/// Every polygon of the file, in its order: f(ref, polygon).
constexpr void for_each_polygon(auto& mesh, auto&& f) {
  for (size_t m = 0; m < k_meshes; ++m)
    if (auto* g = geometry_of(mesh, m))
      for (size_t k = 0; k < 4; ++k)
        visit_polygon_list(*g, PolygonKind(k), [&](auto& list) {
          for (u32 i = 0; i < list.size(); ++i) f(PolygonRef{u8(m), PolygonKind(k), i}, list[i]);
        });
}
template <class Polygon>
constexpr bool k_is_textured = requires(Polygon p) { p.uvs; };

/// The number of polygons of each kind, in all meshes.
std::array<size_t, 4> count_all_polygons(const Mesh&);

/// Removes polygons, which must be sorted; later ones are renumbered and keep their render words.
void erase_polygons(Mesh&, std::span<const PolygonRef>);

/// The rows of the texture animation that refer to polygons by number, "3, 7". Their effect is unknown, so they are not
/// updated when polygons are renumbered. Empty if there are none.
std::string list_polygon_number_rows(const Mesh&);

/// The normal of the front, of length 1; nothing if the polygon has no area. For a quad, the mean of both triangles,
/// weighted by area.
std::optional<Normal> face_normal(std::span<const Position> corners);

}  // namespace dio::fft
