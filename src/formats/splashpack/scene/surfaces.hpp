// surfaces.hpp: the pictures and materials of a pack's scene, without duplicates. Specification: README.md, "Scenes".
#pragma once
#include <map>
#include <optional>

#include "formats/contract/any_document.hpp"
#include "formats/splashpack/pictures/texels.hpp"
#include "scene/scene.hpp"

namespace dio::splashpack {

/// Vertex colours of a pack make texels up to 255/128 as bright; those of a scene cannot brighten anything. If needed,
/// a picture is brightened and its vertex colours are darkened. The maximum vertex colours of a picture: in six equal
/// steps of a doubling.
inline constexpr std::array<u8, 7> k_overbright_scales = {k_neutral, 144, 161, 181, 203, 228, 255};

/// The common properties of triangles with the same material.
struct PackMaterialKey {
  size_t island = k_untextured_island;
  u16 flags = 0;  // of the triangles, if they have a texture
  static constexpr size_t k_untextured_island = ~size_t(0);
  bool is_textured() const { return island != k_untextured_island; }
  constexpr auto operator<=>(const PackMaterialKey&) const = default;
};

class SceneMaterialBuilder {
 public:
  SceneMaterialBuilder(const Pack&, VideoMemory, scene::Scene&);

  PackMaterialKey material_key(const Object&, const Triangle&) const;
  /// The material of a triangle with these properties; created on first use.
  scene::Index find_or_add_material(const PackMaterialKey&, const Triangle&);
  scene::Vec2 to_scene_uv(const PackMaterialKey&, const Uv&) const;
  /// The value of COLOR_0.
  scene::Vec4 vertex_color(const PackMaterialKey&, const Color&) const;
  /// Whether COLOR_0 has to be clamped.
  bool is_clamped(const PackMaterialKey&, const Color&) const;

  const VideoMemory& memory() const { return memory_; }
  size_t unfilled() const { return unfilled_; }      // triangles whose texels are not loaded into VRAM
  size_t unpictured() const { return unpictured_; }  // materials that would have exceeded the limit of pictures

 private:
  void find_overbright_scales();
  u8 overbright_scale(const PackMaterialKey& look) const { return k_overbright_scales[headrooms_[look.island]]; }
  bool has_picture(size_t island) const { return filled_[island]; }
  /// The clamped texels of a brightened picture, row by row: their original brightness, which the picture does not
  /// show.
  std::vector<u16> clamp_texels(const PackMaterialKey&);
  scene::Index find_or_add_texture(const PackMaterialKey&);

  const Pack& pack_;
  const VideoMemory memory_;
  scene::Scene& s_;
  TexelRegions islands_;
  std::vector<bool> filled_;     // of each island
  std::vector<u8> headrooms_;    // for each island: index into k_overbright_scales
  std::vector<bool> any_clear_;  // for each island: its picture has transparent pixels
  std::map<PackMaterialKey, scene::Index> materials_;
  std::map<size_t, scene::Index> textures_;  // by island
  u64 texels_ = 0, looked_at_ = 0, kept_ = 0;
  size_t unfilled_ = 0, unpictured_ = 0;
};

}  // namespace dio::splashpack
