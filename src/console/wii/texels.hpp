// texels.hpp: the texel formats of the GameCube and the Wii. Sources: ../README.md.
#pragma once
#include <span>

#include "scene/image.hpp"

namespace dio::wii {

/// By their numbers in files.
enum class TexelFormat : u8 { i4, i8, ia4, ia8, rgb565, rgb5a3, rgba32, c4 = 8, c8, c14x2, cmpr = 14 };
enum class ColorFormat : u8 { ia8, rgb565, rgb5a3 };

bool is_texel_format(u32 number);
constexpr bool has_palette(TexelFormat f) { return f >= TexelFormat::c4 && f <= TexelFormat::c14x2; }
/// The number of colours that the indices of a format can select.
constexpr u32 most_colors(TexelFormat f) { return f == TexelFormat::c4 ? 16 : f == TexelFormat::c8 ? 256 : 16384; }

/// Textures are stored in blocks of 32 or 64 bytes. Blocks in the last column and row may be partly unused.
struct Block {
  u32 width, height, bytes;
};
Block block_layout(TexelFormat);
/// The size in bytes of a picture; `levels`: with its mipmaps.
u64 texture_size_bytes(TexelFormat, u32 width, u32 height, u32 levels = 1);

/// Expands a 16-bit colour to 8 bits per channel like the hardware.
scene::Rgba expand_color(ColorFormat, u16);

/// The four colours of a CMPR block. Mixed ones are not exact thirds.
std::array<scene::Rgba, 4> decode_cmpr_colors(const u8*);

/// The picture at the start of the texels, which must be long enough (texture_size_bytes). For C4 and C8, it has a
/// palette.
scene::Image decode(TexelFormat, u32 width, u32 height, ByteView texels, std::span<const scene::Rgba> palette = {});

/// The texels of a picture and its mipmaps, which are means in linear light. Not for formats with a palette.
Bytes encode(TexelFormat, const scene::Image& image, u32 levels);

/// The texels of an edited picture: `image` has the size of the first level. Unchanged blocks keep their bytes, and so
/// do blocks of mipmaps below unchanged areas; other mipmap blocks are averages. For I4 and I8, the alpha of pixels is
/// ignored.
struct Encoded {
  Bytes texels;
  u64 changed = 0;  // changed pixels of the first level
  u64 unlike = 0;   // changed pixels whose colour is not in the palette: they got the nearest one
};
Encoded encode(TexelFormat, const scene::Image& image, u32 levels, ByteView before,
               std::span<const scene::Rgba> palette = {});

}  // namespace dio::wii
