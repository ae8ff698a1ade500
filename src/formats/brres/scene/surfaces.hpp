// surfaces.hpp: approximates a material with one texture and one colour.
#pragma once
#include <optional>

#include "formats/brres/layout/model.hpp"
#include "formats/brres/scene/combiner.hpp"
#include "scene/scene.hpp"

namespace dio::brres {

struct Surface {
  Combiner combiner;
  std::optional<size_t> sampler;   // of the texture that is drawn
  u32 coordinate = 0;              // the texture transform of that texture
  u32 texcoords = 0;               // which texture coordinates of the vertices it has
  bool has_vertex_colors = false;  // they are used
  bool color_of_vertices = false, alpha_of_vertices = false;
  scene::Vec4 material{1, 1, 1, 1};  // the displayed colour that replaces vertex colours
  scene::Material::Alpha alpha = scene::Material::Alpha::opaque;
  f32 alpha_cutoff = 0.5f;
  scene::TextureTransform transform = {};

  /// The displayed colour of a vertex with that colour, and of a vertex without a colour.
  scene::Vec4 color(const std::array<f32, 4>& vertex) const;
  scene::Vec4 color() const { return evaluate_color(material); }

 private:
  scene::Vec4 evaluate_color(const scene::Vec4& raster) const;
};
Surface analyze_material(const Material&, const Shader*);

/// Interprets a texture transform as the modelling program of that mode does.
scene::TextureTransform compute_texture_transform(const TextureSrt&, u32 mode);

}  // namespace dio::brres
