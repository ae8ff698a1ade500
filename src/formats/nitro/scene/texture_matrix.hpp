// texture_matrix.hpp: the texture matrix of a material, at rest or at a frame. Specification: README.md, "Texture
// matrices".
#pragma once
#include "formats/nitro/layout/material_animations.hpp"
#include "formats/nitro/layout/model.hpp"
#include "scene/scene.hpp"

namespace dio::nitro {

/// Scale, rotation and translation of texture coordinates; the translation in widths and heights of the texture.
struct TextureSrt {
  f64 scale_s = 1, scale_t = 1, sin = 0, cos = 1, translation_s = 0, translation_t = 0;
};
TextureSrt texture_srt(const Material&);
/// The values of a track at a whole frame, clamped to the animation.
TextureSrt texture_srt(const TextureTrack&, u32 frames, u32 frame);

/// u' = uu * u + uv * v + u0 and v' = vu * u + vv * v + v0, where 1 is the texture's width or height.
struct TextureMatrix {
  f64 uu = 1, uv = 0, u0 = 0, vu = 0, vv = 1, v0 = 0;
};
/// By the rule of the modelling program (Model::texture_matrix_mode); `aspect` is width / height.
TextureMatrix texture_matrix(u8 mode, const TextureSrt&, f64 aspect);

/// The SRT whose matrix equals a glTF transform. Returns false and the nearest SRT if none is exact: for a rotation
/// with two different scales, a rotation in SI3D mode, or a scale of 0.
bool to_texture_srt(u8 mode, const scene::TextureTransform&, f64 aspect, TextureSrt& to);

/// Colours (RGB555) and alpha (0 to 31) of a material at a whole frame.
struct MaterialColors {
  u16 diffuse, ambient, specular, emission, alpha;
};
MaterialColors sample_colors(const ColorTrack&, u32 frames, u32 frame);

}  // namespace dio::nitro
