// surface.hpp: materials prepared for drawing: pictures to sample, colours to multiply.
#pragma once
#include <vector>

#include "bridge/raster/pose.hpp"
#include "bridge/raster/shading_style.hpp"
#include "scene/srgb_tables.hpp"

namespace dio::raster {

/// Clamps a number to 0..most. NaN, which colours at the edge of a perspective view can become, gives 0.
inline f32 cut(f32 x, f32 most) { return x > 0 ? x < most ? x : most : 0; }

/// The display value of an amount of light, 0 to 65535.
u8 to_display(u32 light);
/// Linear RGBA in 0..1 as display values; clamped.
scene::Rgba to_display(const scene::Vec4&);
/// The light of a display value, in 0..1.
inline f32 to_linear(u8 display) { return f32(scene::srgb_to_light(display)) * (1.0f / 65535.0f); }

/// A view of a picture in the scene, without a copy.
struct Picture {
  i32 width = 0, height = 0;
  const u8* pixels = nullptr;            // none: there is no picture
  const scene::Rgba* palette = nullptr;  // for indices; none: RGBA
  explicit operator bool() const { return pixels; }
  scene::Rgba at(i32 x, i32 y) const {
    const size_t i = size_t(y) * size_t(width) + size_t(x);
    if (palette) return palette[pixels[i]];
    return {pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2], pixels[4 * i + 3]};
  }
};

/// A material and the source of its texture.
struct Surface {
  const scene::Material* material = nullptr;
  const scene::Texture* texture = nullptr;
  Picture picture = {};
  f32 transform[6] = {1, 0, 0, 0, 1, 0};  // u' = a u + b v + c, v' = d u + e v + f
  bool is_white = true;                   // the colour of the material has no effect
  bool lit = false;
  ConsoleMaterial traits = {};
  f32 picture_times = 1;                     // Traits::texels_times, unless these colours are shown:
  std::vector<scene::Rgba> own_colors = {};  // of the console, instead of the picture's palette
};

/// All materials of a scene in a pose, and one for primitives without a material. Scene and pose must outlive it.
class Surfaces {
 public:
  Surfaces(const scene::Scene&, const Pose&, ShadingStyle);
  const Surface& of(scene::Index material) const {
    return material < surfaces_.size() - 1 ? surfaces_[material] : surfaces_.back();
  }

 private:
  scene::Material plain_;
  std::vector<Surface> surfaces_;
};

/// The linear RGBA texel at these texture coordinates, interpolated from four unless the texture is `nearest`.
scene::Rgba nearest_texel(const Surface&, f32 u, f32 v);
scene::Vec4 bilinear_texel(const Surface&, f32 u, f32 v);

}  // namespace dio::raster
