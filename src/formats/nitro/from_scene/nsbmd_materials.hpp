// nsbmd_materials.hpp: builds DS materials and textures from a scene.
#pragma once
#include <map>
#include <optional>

#include "core/result.hpp"
#include "formats/contract/findings.hpp"
#include "formats/nitro/from_scene/names.hpp"
#include "formats/nitro/layout/files.hpp"
#include "scene/scene.hpp"

namespace dio::nitro {

/// The nearest DS colour to a linear colour.
u16 to_ds_color(const scene::Vec4& linear);

struct NsbmdMaterialOptions {
  std::optional<u8> format;  // format of all textures; nothing: chosen per texture
  u32 largest = 256;         // width and height
  u8 matrix_mode = 0;        // Model::texture_matrix_mode
};

/// A picture as a texture of the set.
struct BuiltTexture {
  std::string texture, palette;  // empty: none
  u32 width, height;
};

/// A material of the new model.
struct NsbmdMaterial {
  Material material;
  std::string texture, palette;  // empty: none
  u32 width = 0, height = 0;     // of the texture
  bool repeats_u = true, repeats_v = true;
  bool lit = false;                     // lights determine the colours of vertices with normals
  bool stated = false;                  // its colours come from the exported file
  bool color_moves = false;             // an animation changes the colour, so vertices use the material colour
  u16 full = 0x7FFF;                    // colour at full light, as in scenes
  scene::Vec4 color{1, 1, 1, 1};        // multiplied with the vertex colours
  scene::TextureTransform transform{};  // applied to texture coordinates
  // Whether the game computes texture coordinates from normals, or from positions.
  bool maps_normals() const { return material.texgen == 2; }
  bool maps() const { return material.texgen >= 2; }
};

/// Makes looks and the textures that they use.
class NsbmdMaterialBuilder {
 public:
  NsbmdMaterialBuilder(const scene::Scene&, const NsbmdMaterialOptions&, Diagnostics& notes);
  /// The look of a scene material, or of scene::k_none for meshes without one. Error ids: those of encode_texels.
  Result<NsbmdMaterial> find_or_build_material(scene::Index material);
  /// Encodes a picture for a material with an alpha mode. Materials that show the picture may state names and a format.
  Result<BuiltTexture> encode_texture(scene::Index image, scene::Material::Alpha);
  /// Encodes pictures of the set that no material shows. Warns about pictures that the scene has lost.
  std::optional<Diagnostic> encode_unshown_textures();
  /// All encoded textures and palettes.
  Textures textures() &&;
  u32 changed_names() const { return texture_names_.changed() + palette_names_.changed(); }

 private:
  /// Texture properties that material extras state for a picture.
  struct RequestedTexture {
    std::string texture, palette;
    std::optional<u8> format;
    bool color0_clear = false;  // even if no texel shows it
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
