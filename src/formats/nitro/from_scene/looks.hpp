// looks.hpp: materials and textures of the DS from those of a scene.
#pragma once
#include <map>
#include <optional>

#include "core/result.hpp"
#include "formats/contract/findings.hpp"
#include "formats/nitro/layout/files.hpp"
#include "scene/scene.hpp"

namespace dio::nitro {

/// The nearest colour that the DS has to a linear one.
u16 color_of(const scene::Vec4& linear);

struct LookOptions {
  std::optional<u8> format;  // of all textures; nothing: what suits each
  u32 largest = 256;         // width and height
};

/// A material of the model that is made.
struct Look {
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
};

/// Makes looks and the textures that they use.
class Looks {
 public:
  Looks(const scene::Scene&, const LookOptions&, Diagnostics& notes);
  /// Of a material of the scene, or scene::k_none for meshes without one. Ids: those of encode_texels.
  Result<Look> look_of(scene::Index material);
  /// All that the looks use.
  Textures textures() &&;

 private:
  struct Encoded {
    std::string texture, palette;
    u32 width, height;
  };
  Result<Encoded> encode(scene::Index image, scene::Material::Alpha);
  const scene::Scene& s_;
  const LookOptions options_;
  Diagnostics& notes_;
  Textures made_{};
  std::map<std::pair<scene::Index, scene::Material::Alpha>, Encoded> encoded_;  // by picture and use
};

}  // namespace dio::nitro
