// texture_packing.hpp: pictures become texels and palettes, and get positions in VRAM.
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
  u8 depth = 0;  // bits a texel: 4, 8 or 16; 0: the least that keeps all colours, else `PackingOptions::most_depth`
  const Texels* exact = nullptr;  // these, instead of a picture: at most 256 x 256
};

/// Where a texture is.
struct PlacedTexture {
  TextureSource source;
  u8 u = 0, v = 0;            // of its first texel, in the page
  u32 width = 0, height = 0;  // in texels; not those of the picture if that had to become smaller
};

struct PlacedTextures {
  std::vector<PlacedTexture> textures;  // one for each wish, in their order; equal ones are in the same place
  std::vector<Atlas> atlases;           // offsets are 0, here and below: the placer's
  std::vector<Clut> cluts;
  Diagnostics notes;  // how textures differ from the pictures; the path is the name of the picture, or its number
};

struct PackingOptions {
  std::vector<Rect> reserved;  // must stay free: see reserved_areas
  bool dither = false;         // pictures with colours that the texels cannot show
  u8 most_depth = 8;           // for textures without a depth of their own: 4, 8 or 16
};

/// The areas of VRAM that the engine of a layout reserves.
std::vector<Rect> reserved_areas(Layout);

/// Texels of all textures, in as few pages as were found. A pixel is transparent if its alpha is below 128, else
/// opaque; colours become the nearest ones of 15 bits, and if those are more than the depth has, as few as it has. The
/// result does not depend on the order of the wishes, but for `textures` and `notes`, which follow it. Ids:
/// packing_rules.
Result<PlacedTextures> place_textures(std::span<const TextureRequest>, const PackingOptions&);

/// splashpack.texture-*, splashpack.vram-full.
std::span<const Rule> packing_rules();

}  // namespace dio::splashpack
