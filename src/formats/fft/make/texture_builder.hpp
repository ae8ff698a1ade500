// texture_builder.hpp: the pictures of a scene as the texture and the palettes of a map.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "formats/fft/layout/mesh.hpp"
#include "formats/fft/make/scene_faces.hpp"

namespace dio::fft {

/// What a face shows: a part of a picture in a colour, or only a colour.
struct FaceLook {
  scene::Index image = scene::k_none;     // k_none: one colour
  scene::Rgba color{255, 255, 255, 255};  // display colour that multiplies the picture, as light
  bool is_half_transparent = false;
  auto operator<=>(const FaceLook&) const = default;
};
/// The look of a face's material.
FaceLook look_of(const scene::Scene&, const FaceKind&);

/// A face with texture coordinates from 0, above 1 where a picture repeats.
struct TexturedFace {
  FaceLook look;
  std::vector<std::array<f64, 2>> uvs;
  std::array<scene::Texture::Wrap, 2> wraps{};
};
/// Its texels and palette.
struct FaceTexels {
  std::vector<psx::Uv> uvs;
  u8 page = 0, palette = 0;
};

struct BuiltTexture {
  Texture texture;
  Palettes palettes{}, gray_palettes{};
  std::vector<FaceTexels> faces;
  Diagnostics notes;
};

/// Packs the parts of the pictures that faces show into four pages, each part with a border of one texel on its right
/// and lower sides, and its colours into 16 palettes, whose first entry is transparent. Pictures that are too large for
/// a page, or for all four together, become smaller, which notes say. Notes: fft.make-scaled,
/// fft.make-colors.
BuiltTexture build_texture(const scene::Scene&, const std::vector<TexturedFace>&, u32 largest);

}  // namespace dio::fft
