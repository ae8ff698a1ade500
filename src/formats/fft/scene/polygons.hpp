// polygons.hpp: the polygons of a mesh file, by name and by what they have in common.
#pragma once
#include <string>
#include <vector>

#include "core/result.hpp"
#include "formats/fft/scene/sources.hpp"

namespace dio::fft {

inline constexpr size_t k_meshes = 1 + k_animated_meshes;  // the primary one, then those that are animated
/// Polygons that the arrays of the game hold, of all meshes together. Source: README.md, "Geometry".
inline constexpr std::array<size_t, 4> k_most_polygons = {360, 710, 64, 256};
/// Slots for polygons of the primary mesh in the table of render properties.
inline constexpr std::array<size_t, 4> k_render_slots = {
    RenderProperties::k_textured_triangles, RenderProperties::k_textured_quads,
    RenderProperties::k_untextured_triangles, RenderProperties::k_untextured_quads};

/// "primary", "animated_1" ...
constexpr const char* mesh_name(size_t mesh) { return mesh ? Mesh::k_animated_names[mesh - 1] : "primary"; }
/// Null where the file has none.
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
std::string path_of(const PolygonRef&);
/// What is typed for polygons: `textured_quads[3]`, `animated_1.textured_triangles[0..4]`, `untextured_quads`,
/// `animated_2`, several with commas between. Without a mesh it is the primary one. In the order of the file, each
/// once. Refuses (with expected and found, but no id) what is not in the file.
Result<std::vector<PolygonRef>> polygons_of(const Mesh&, std::string_view typed);

/// The list of one kind, to `f`.
constexpr void with_list(auto& geometry, PolygonKind kind, auto&& f) {
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
/// One polygon that is there, to `f`.
constexpr void with_polygon(auto& mesh, const PolygonRef& r, auto&& f) {
  with_list(*geometry_of(mesh, r.mesh), r.kind, [&](auto& list) { f(list[r.index]); });
}
/// Every polygon of the file, in its order: f(ref, polygon).
constexpr void each_polygon(auto& mesh, auto&& f) {
  for (size_t m = 0; m < k_meshes; ++m)
    if (auto* g = geometry_of(mesh, m))
      for (size_t k = 0; k < 4; ++k)
        with_list(*g, PolygonKind(k), [&](auto& list) {
          for (u32 i = 0; i < list.size(); ++i) f(PolygonRef{u8(m), PolygonKind(k), i}, list[i]);
        });
}
template <class Polygon>
constexpr bool k_is_textured = requires(Polygon p) { p.uvs; };

/// Polygons of each kind, of all meshes.
std::array<size_t, 4> polygon_counts(const Mesh&);

/// Of length 1, out of the front side, as Normal has it; nothing where the polygon has no area. Of a quad: of both
/// triangles, by their areas.
std::optional<Normal> face_normal(std::span<const Position> corners);

}  // namespace dio::fft
