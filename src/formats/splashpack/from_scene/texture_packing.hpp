// texture_packing.hpp: converts pictures to texels and palettes, and assigns positions in VRAM.
#pragma once
#include <span>

#include "console/psx/texels_encode.hpp"
#include "core/result.hpp"
#include "formats/splashpack/pictures/video_memory.hpp"
#include "scene/image.hpp"

namespace dio::splashpack {

using psx::k_most_side, psx::Texels;

/// A texture that a scene needs.
struct TextureRequest {
  const scene::Image* image;
  u8 depth =
      0;  // bits per texel: 4, 8 or 16; 0: the fewest that keep all colours, otherwise `PackingOptions::most_depth`
  const Texels* exact = nullptr;  // texels instead of a picture: at most 256 x 256
};

/// The position of a texture.
struct PlacedTexture {
  TextureSource source;
  u8 u = 0, v = 0;            // of its first texel, in the page
  u32 width = 0, height = 0;  // in texels; smaller than the picture if that was scaled down
};

struct PlacedTextures {
  std::vector<PlacedTexture> textures;  // one for each wish, in their order; equal ones share a position
  std::vector<Atlas> atlases;           // offsets are 0, here and below: placement sets them
  std::vector<Clut> cluts;
  Diagnostics notes;  // differences of textures from pictures; the path is the name of the picture, or its number
};

struct PackingOptions {
  std::vector<Rect> reserved;  // areas to keep free: see reserved_areas
  bool dither = false;         // dither pictures with colours that the texels cannot show
  u8 most_depth = 8;           // for textures without a depth of their own: 4, 8 or 16
};

/// The areas of VRAM that the engine of a layout reserves.
std::vector<Rect> reserved_areas(Layout);

/// Packs the texels of all textures into as few pages as possible. A pixel is transparent if its alpha is below 128,
/// otherwise opaque; colours become the nearest 15-bit colours, reduced to the number that the depth allows. The result
/// does not depend on the order of the wishes, except for `textures` and `notes`, which follow it. Ids: packing_rules.
Result<PlacedTextures> place_textures(std::span<const TextureRequest>, const PackingOptions&);

/// splashpack.texture-*, splashpack.vram-full.
std::span<const Rule> packing_rules();

}  // namespace dio::splashpack
