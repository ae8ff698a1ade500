// texels.hpp: converts pictures to and from the texels of Nitro textures; refuses pictures that cannot be stored.
#pragma once
#include "console/ds/texels.hpp"
#include "core/result.hpp"

namespace dio::nitro {

using ds::decode_texels, ds::EncodedTexels, ds::EncodeOptions, ds::TexelFormat, ds::count_changed_texels,
    ds::count_texels_past_palette, ds::TexelView;

/// The requirements of a picture on a texture format.
struct PictureNeeds {
  size_t colors = 0;  // that differ in five bits
  bool clear = false, partial = false;
};
/// `as_mask`: a pixel is either clear or not.
PictureNeeds analyze_picture(const scene::Image&, bool as_mask);
/// The smallest format that shows a picture exactly; beyond 256 colours, a format with a palette per block.
TexelFormat smallest_format(const PictureNeeds&);

/// Like ds::texels_of. Refuses a width or height that is not a power of two from 8 to 1024 (nitro.texel-size),
/// transparent pixels that the format cannot store (nitro.texel-clear), and a given palette without a usable colour
/// (nitro.texel-palette).
Result<EncodedTexels> encode_nitro_texels(const scene::Image&, const EncodeOptions&);

/// The rules for the ids above and in pictures.hpp.
std::span<const Rule> texel_rules();

}  // namespace dio::nitro
