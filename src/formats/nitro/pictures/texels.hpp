// texels.hpp: the pixels of Nitro textures, as the DS reads them, from and to pictures; refuses what cannot be stored.
#pragma once
#include "console/ds/texels.hpp"
#include "core/result.hpp"

namespace dio::nitro {

using ds::decode_texels, ds::EncodedTexels, ds::EncodeOptions, ds::TexelFormat, ds::count_changed_texels,
    ds::count_texels_past_palette, ds::TexelView;

/// What a picture needs of a format.
struct PictureNeeds {
  size_t colors = 0;  // that differ in five bits
  bool clear = false, partial = false;
};
/// `as_mask`: a pixel is either clear or not.
PictureNeeds analyze_picture(const scene::Image&, bool as_mask);
/// The smallest format that shows a picture as it is; beyond 256 colours, one with a palette for each of its parts.
TexelFormat smallest_format(const PictureNeeds&);

/// As ds::texels_of. Refuses (nitro.texel-size) a width or height that is not a power of two from 8 to 1024,
/// (nitro.texel-clear) transparent pixels that the format cannot store, and (nitro.texel-palette) a given palette
/// without a colour to choose.
Result<EncodedTexels> encode_nitro_texels(const scene::Image&, const EncodeOptions&);

/// The rules for the ids above and in pictures.hpp.
std::span<const Rule> texel_rules();

}  // namespace dio::nitro
