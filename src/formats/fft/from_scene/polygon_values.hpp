// polygon_values.hpp: converts positions, normals and texture coordinates of an edited scene to the whole numbers of a
// file.
#pragma once
#include "core/result.hpp"
#include "formats/fft/from_scene/drawn_polygons.hpp"

namespace dio::fft {

/// Sets the values of polygons, and counts differences from the scene.
class PolygonValues {
 public:
  /// Ids: fft.scene-range. Missing normals and texels of corners stay; so do normals whose direction is unchanged.
  template <class Polygon>
  std::optional<Diagnostic> set(Polygon& polygon, std::span<const DrawnVertex> corners, const PolygonRef& r,
                                bool keeps_normals) {
    const std::optional<Normal> face = face_normal(polygon.positions);
    for (size_t i = 0; i < corners.size(); ++i)
      if (auto problem = set_position(polygon.positions[i], corners[i], r, i)) return problem;
    if constexpr (k_is_textured<Polygon>) {
      for (size_t i = 0; i < corners.size() && !keeps_normals; ++i)
        if (corners[i].normal)
          set_normal(polygon.normals[i], *corners[i].normal, face.value_or(Normal{{0}, {-4096}, {0}}));
      return set_look(polygon, corners, r);
    }
    return {};
  }

  u64 between() const { return between_; }  // coordinates that were rounded
  u64 edges() const { return edges_; }      // vertices at the far edge of a page
  u64 other_materials() const { return other_materials_; }
  const std::string& first_other_material() const { return first_other_material_; }

 private:
  std::optional<Diagnostic> set_position(Position&, const DrawnVertex&, const PolygonRef&, size_t corner);
  static void set_normal(Normal&, const scene::Point& to, const Normal& without);
  std::optional<Diagnostic> set_texels(std::span<Uv>, u8& page, std::span<const DrawnVertex>, const PolygonRef&);
  /// Sets texels and palette; the file stores no other property of a material.
  template <class Polygon>
  std::optional<Diagnostic> set_look(Polygon& polygon, std::span<const DrawnVertex> corners, const PolygonRef& r) {
    const auto with = std::ranges::find_if(corners, [](const DrawnVertex& v) { return v.texel.has_value(); });
    if (with == corners.end() || with->texel->palette == ComparedTexel::k_foreign) return {};
    const bool is_of_map =
        polygon.image == k_map_image && polygon.page_y == 0 && polygon.color_depth == 0 && polygon.palette < 16;
    if (!with->texel->has_palette() || !is_of_map) {
      if (!other_materials_++) first_other_material_ = polygon_path(r);
      return {};
    }
    polygon.palette = with->texel->palette;
    return set_texels(polygon.uvs, polygon.page, corners, r);
  }

  u64 between_ = 0, edges_ = 0, other_materials_ = 0;
  std::string first_other_material_;
};

}  // namespace dio::fft
