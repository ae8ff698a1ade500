// material_builder.hpp: materials and shaders from the materials of a scene.
#pragma once
#include "formats/brres/layout/model.hpp"
#include "scene/scene.hpp"

namespace dio::brres {

/// How shapes use a material.
struct MaterialUse {
  std::string name;
  std::string texture;  // in the file; empty: none
  bool has_mipmaps = false;
  bool has_vertex_colors = false;
};

/// A material with its shader. One stage multiplies the texture with the colour of the vertices, or of the material.
struct BuiltMaterial {
  Material material;
  Shader shader;
};
/// From linear RGBA.
std::array<u8, 4> to_display_color(const scene::Vec4&);

/// The colour of a material without lighting, linear RGBA: the brighter of its colour and the light that it emits.
scene::Vec4 unlit_color(const scene::Material&);

BuiltMaterial build_material(const scene::Material&, const scene::Texture* texture, const MaterialUse&);

/// The inverse of the mapping from file to scene: the transform that Maya would state.
TextureSrt to_texture_srt(const scene::TextureTransform&);

}  // namespace dio::brres
