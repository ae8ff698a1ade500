// texels.hpp: converts DS texels from and to pictures, independent of file formats. Source: GBATEK, "DS 3D Texture
// Formats".
#pragma once
#include <optional>
#include <span>
#include <tl/expected.hpp>
#include <vector>

#include "console/ds/color.hpp"
#include "scene/image.hpp"

namespace dio::ds {

enum class TexelFormat : u8 {
  none = 0,
  a3i5 = 1,
  palette4 = 2,
  palette16 = 3,
  palette256 = 4,
  block4x4 = 5,
  a5i3 = 6,
  direct = 7
};

/// Bits per texel; 0 for `none`. The palette indices of 4x4 blocks, one more bit per texel, are not counted.
u32 bits_per_texel(TexelFormat);
/// The most colours a texel can choose from; 0 for `none` and `direct`. For 4x4 blocks: those of the whole palette.
u32 max_palette_colors(TexelFormat);

/// A view of a texture. `texels` has width * height * bits / 8 bytes, row by row from the top, the first texel in
/// the lowest bits; for 4x4 blocks, four bytes for each block and two bytes of `blocks`. Colours have 15 bits, red
/// lowest. Missing texels read as zeros.
struct TexelView {
  TexelFormat format;
  u32 width, height;  // texels; multiples of 4 for 4x4 blocks
  bool color0_clear;  // index 0 is transparent; only for palette4, palette16 and palette256
  ByteView texels;
  ByteView
      blocks;  // for each 4x4 block: mode in bits 14-15, offset into the palette in bits 0-13, in units of 2 colours
  std::span<const u16> palette;
};

/// The picture, without a name. palette4, palette16 and palette256 keep their indices and have a depth of 2, 4 and 8;
/// a3i5 and a5i3 have a depth of 8, the index is the byte of the texel, and the palette has all 256 combinations of
/// colour and alpha; the others have no palette. A colour past the end of the palette is black: the hardware would
/// show whatever follows the palette.
scene::Image decode_texels(const TexelView&);

/// The number of texels with a colour past the end of the palette.
u64 count_texels_past_palette(const TexelView&);

struct EncodeOptions {
  TexelFormat format;
  bool color0_clear = false;  // as in TexelView
  u32 most_colors = 0;        // of a new palette; 0: as many as texels can address
  /// The palette to use. Without it: that of the picture, if it fits, or else a new one.
  std::optional<std::span<const u16>> palette = {};
  /// The texture that the picture was made from. If it still shows the picture, its bytes are kept; otherwise its
  /// palette is kept if it has all colours, and so are 4x4 blocks that still show the picture.
  const TexelView* previous = nullptr;
};
struct EncodedTexels {
  Bytes texels, blocks;      // as in TexelView
  std::vector<u16> palette;  // the given one, or a new one without padding
  u64 changed_texels = 0;    // texels that differ from the picture in colour or alpha, of five bits each
};

/// Why a picture cannot become texels.
enum class Unencodable : u8 {
  size,        // a width or height that is not a power of two from 8 to 1024
  nothing,     // no pixels, or no format
  clear,       // transparent pixels that the format cannot store
  few_colors,  // a given palette of one colour, for 4x4 blocks
  no_color     // a given palette without a usable colour
};

/// Converts a picture to texels. Lossless if it has no more colours than texels can address: a decoded picture is
/// restored exactly. Otherwise uses the most similar colours, without dithering. A given palette for 4x4 blocks is
/// searched in full for each block: up to 16,384 positions.
tl::expected<EncodedTexels, Unencodable> encode_texels(const scene::Image&, const EncodeOptions&);

/// The number of texels that differ from the picture in five bits of colour and alpha; all of them if the size differs.
u64 count_changed_texels(const TexelView&, const scene::Image&);

}  // namespace dio::ds
