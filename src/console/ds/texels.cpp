#include "console/ds/texels.hpp"

#include <algorithm>
#include <array>

#include "console/ds/texel_blocks.hpp"

namespace dio::ds {

static_assert(std::ranges::all_of(k_levels, [](u8 shown) { return k_levels[to_5_bits(shown)] == shown; }));

u32 bits_per_texel(TexelFormat format) {
  constexpr u8 bits[] = {0, 8, 2, 4, 8, 2, 8, 16};
  return bits[size_t(format)];
}
u32 max_palette_colors(TexelFormat format) {
  constexpr u32 colors[] = {0, 32, 4, 16, 256, k_most_block_colors, 8, 0};
  return colors[size_t(format)];
}

namespace {

u16 color_or_black(std::span<const u16> palette, size_t i) { return i < palette.size() ? palette[i] : u16(0); }
u8 byte_or_zero(ByteView bytes, size_t i) { return i < bytes.size() ? bytes[i] : u8(0); }
size_t count_of(const TexelView& t) { return size_t(t.width) * t.height; }

void decode_indices(const TexelView& t, scene::Image& image) {
  const u32 bits = bits_per_texel(t.format), mask = (1u << bits) - 1, per_byte = 8 / bits;
  image.depth = u8(bits);
  image.pixels.resize(count_of(t));
  // Loops over whole bytes without branches are vectorised.
  const size_t whole = std::min(t.texels.size(), image.pixels.size() / per_byte);
  const auto unpack = [&]<u32 each>() {
    u8* to = image.pixels.data();
    for (const u8 byte : t.texels.first(whole))
      for (u32 k = 0; k < 8 / each; ++k) *to++ = u8(byte >> (k * each) & ((1u << each) - 1));
  };
  if (bits == 2) unpack.template operator()<2>();
  if (bits == 4) unpack.template operator()<4>();
  if (bits == 8) unpack.template operator()<8>();
  for (size_t i = whole * per_byte; i < image.pixels.size(); ++i)
    image.pixels[i] = byte_or_zero(t.texels, i / per_byte) >> (i % per_byte * bits) & mask;
  u8 highest = 0;
  for (const u8 index : image.pixels) highest = std::max(highest, index);
  const size_t colors = std::max<size_t>(std::min<size_t>(t.palette.size(), mask + 1), highest + size_t(1));
  for (size_t i = 0; i < colors; ++i)
    image.palette.push_back(rgb555_to_rgba(color_or_black(t.palette, i), i == 0 && t.color0_clear ? 0 : 255));
}

void decode_translucent(const TexelView& t, scene::Image& image) {
  const u32 color_bits = t.format == TexelFormat::a3i5 ? 5 : 3;
  for (u32 i = 0; i < 256; ++i) {
    const u32 alpha = i >> color_bits;
    const u16 color = color_or_black(t.palette, i & ((1u << color_bits) - 1));
    image.palette.push_back(
        rgb555_to_rgba(color, to_8_bits(t.format == TexelFormat::a3i5 ? alpha * 4 + alpha / 2 : alpha)));
  }
  image.pixels.assign(t.texels.begin(), t.texels.begin() + std::ptrdiff_t(std::min(count_of(t), t.texels.size())));
  image.pixels.resize(count_of(t));
}

void put(scene::Image& image, size_t pixel, const scene::Rgba& color) {
  std::copy(color.begin(), color.end(), image.pixels.begin() + std::ptrdiff_t(4 * pixel));
}

void decode_direct(const TexelView& t, scene::Image& image) {
  image.pixels.resize(4 * count_of(t));
  for (size_t i = 0; i < count_of(t); ++i) {
    const u16 color = u16(byte_or_zero(t.texels, 2 * i) | byte_or_zero(t.texels, 2 * i + 1) << 8);
    put(image, i, rgb555_to_rgba(color, color & 0x8000 ? 255 : 0));
  }
}

u16 block_word(const TexelView& t, size_t block) {
  return u16(byte_or_zero(t.blocks, 2 * block) | byte_or_zero(t.blocks, 2 * block + 1) << 8);
}

void decode_blocks(const TexelView& t, scene::Image& image) {
  image.pixels.resize(4 * count_of(t));
  const u32 columns = t.width / 4;
  for (u32 y = 0; y < t.height / 4 * 4; ++y)
    for (u32 column = 0; column < columns; ++column) {
      const size_t block = size_t(y / 4) * columns + column;
      const BlockColors colors = decode_block_colors(block_word(t, block), t.palette);
      const u8 row = byte_or_zero(t.texels, 4 * block + y % 4);
      for (u32 x = 0; x < 4; ++x) {
        const u32 index = row >> (2 * x) & 3;
        if (colors.is_clear(index)) continue;  // zeros
        put(image, size_t(y) * t.width + column * 4 + x, rgb555_to_rgba(colors.color[index], 255));
      }
    }
}

}  // namespace

scene::Image decode_texels(const TexelView& t) {
  scene::Image image{{}, t.width, t.height, 8, {}, {}};
  switch (t.format) {
    case TexelFormat::none:
      image.pixels.resize(4 * count_of(t));
      break;
    case TexelFormat::palette4:
    case TexelFormat::palette16:
    case TexelFormat::palette256:
      decode_indices(t, image);
      break;
    case TexelFormat::a3i5:
    case TexelFormat::a5i3:
      decode_translucent(t, image);
      break;
    case TexelFormat::block4x4:
      decode_blocks(t, image);
      break;
    case TexelFormat::direct:
      decode_direct(t, image);
      break;
  }
  return image;
}

u64 count_texels_past_palette(const TexelView& t) {
  u64 found = 0;
  if (t.format == TexelFormat::none || t.format == TexelFormat::direct) return found;
  if (t.format == TexelFormat::block4x4) {
    for (size_t block = 0; block < count_of(t) / 16; ++block) {
      const BlockColors colors = decode_block_colors(block_word(t, block), t.palette);
      if (!colors.missing) continue;
      for (u32 i = 0; i < 16; ++i)
        found += colors.missing >> (byte_or_zero(t.texels, 4 * block + i / 4) >> (i % 4 * 2) & 3) & 1;
    }
    return found;
  }
  if (t.palette.size() >= max_palette_colors(t.format)) return found;
  const u32 bits = bits_per_texel(t.format), per_byte = 8 / bits, mask = max_palette_colors(t.format) - 1;
  const bool can_clear = t.color0_clear && t.format != TexelFormat::a3i5 && t.format != TexelFormat::a5i3;
  for (size_t i = 0; i < count_of(t); ++i) {
    const u32 index = byte_or_zero(t.texels, i / per_byte) >> (i % per_byte * bits) & mask;
    found += index >= t.palette.size() && !(index == 0 && can_clear);
  }
  return found;
}

}  // namespace dio::ds
