// nsbmd_materials.hpp: materials and textures of the DS from those of a scene.
#pragma once
#include <map>
#include <optional>

#include "core/result.hpp"
#include "formats/contract/findings.hpp"
#include "formats/nitro/from_scene/names.hpp"
#include "formats/nitro/layout/files.hpp"
#include "scene/scene.hpp"

namespace dio::nitro {

/// The nearest colour that the DS has to a linear one.
u16 to_ds_color(const scene::Vec4& linear);

struct NsbmdMaterialOptions {
  std::optional<u8> format;  // of all textures; nothing: what suits each
  u32 largest = 256;         // width and height
  u8 matrix_mode = 0;        // Model::texture_matrix_mode
};

/// A picture as a texture of the set.
struct BuiltTexture {
  std::string texture, palette;  // empty: none
  u32 width, height;
};

/// A material of the model that is made.
struct NsbmdMaterial {
  Material material;
  std::string texture, palette;  // empty: none
  u32 width = 0, height = 0;     // of the texture
  bool repeats_u = true, repeats_v = true;
  bool lit = false;                     // its colours come from the lights where there are normals
  bool stated = false;                  // its colours are those of the file that the scene was made from
  bool color_moves = false;             // an animation changes it: vertices take that of the material
  u16 full = 0x7FFF;                    // what lights make of it at most, as scenes have it
  scene::Vec4 color{1, 1, 1, 1};        // multiplied with those of the vertices
  scene::TextureTransform transform{};  // applied to texture coordinates
  // Texture coordinates that the game computes, from normals or from positions.
  bool maps_normals() const { return material.texgen == 2; }
  bool maps() const { return material.texgen >= 2; }
};

/// Makes looks and the textures that they use.
class NsbmdMaterialBuilder {
 public:
  NsbmdMaterialBuilder(const scene::Scene&, const NsbmdMaterialOptions&, Diagnostics& notes);
  /// Of a material of the scene, or scene::k_none for meshes without one. Ids: those of encode_texels.
  Result<NsbmdMaterial> find_or_build_material(scene::Index material);
  /// A picture as a material of that alpha mode shows it. Materials that show it may state names and a format.
  Result<BuiltTexture> encode_texture(scene::Index image, scene::Material::Alpha);
  /// Pictures of the set that no material shows. Warns of those that the scene has lost.
  std::optional<Diagnostic> encode_unshown_textures();
  /// All that was encoded.
  Textures textures() &&;
  u32 changed_names() const { return texture_names_.changed() + palette_names_.changed(); }

 private:
  /// What extras of materials say of the texture that a picture becomes.
  struct RequestedTexture {
    std::string texture, palette;
    std::optional<u8> format;
    bool color0_clear = false;  // though no texel may show it
  };
  std::string describe_image_user(scene::Index image) const;
  std::string find_or_add_palette(const std::vector<u16>& colors, bool four, const std::string& wanted, bool is_stated);

  const scene::Scene& s_;
  const NsbmdMaterialOptions options_;
  Diagnostics& notes_;
  Textures made_{};
  Names texture_names_, palette_names_;
  std::map<scene::Index, RequestedTexture> stated_;                                  // by picture
  std::map<std::pair<scene::Index, scene::Material::Alpha>, BuiltTexture> encoded_;  // by picture and use
};

}  // namespace dio::nitro
