#include "console/wii/texels.hpp"

#include <algorithm>

namespace dio::wii {

namespace {

using scene::Rgba;

// The highest bits fill the lowest.
constexpr u8 from_3(u32 x) { return u8(x << 5 | x << 2 | x >> 1); }
constexpr u8 from_4(u32 x) { return u8(x << 4 | x); }
constexpr u8 from_5(u32 x) { return u8(x << 3 | x >> 2); }
constexpr u8 from_6(u32 x) { return u8(x << 2 | x >> 4); }

u16 half(const u8* p) { return u16(p[0] << 8 | p[1]); }

/// Calls put(x, y, p, i) for each texel inside the picture: the start of its block, and its index in the block.
void for_each_texel(TexelFormat f, u32 width, u32 height, const u8* p, auto put) {
  const Block block = block_layout(f);
  for (u32 top = 0; top < height; top += block.height)
    for (u32 left = 0; left < width; left += block.width, p += block.bytes)
      for (u32 i = 0; i < block.width * block.height; ++i) {
        const u32 x = left + i % block.width, y = top + i / block.width;
        if (x < width && y < height) put(x, y, p, i);
      }
}

Rgba decode_texel(TexelFormat f, const u8* p, u32 i) {
  switch (f) {
    case TexelFormat::i4: {
      const u8 v = from_4(p[i / 2] >> (i % 2 ? 0 : 4) & 15);
      return {v, v, v, v};
    }
    case TexelFormat::i8:
      return {p[i], p[i], p[i], p[i]};
    case TexelFormat::ia4: {
      const u8 v = from_4(p[i] & 15);
      return {v, v, v, from_4(p[i] >> 4)};
    }
    case TexelFormat::ia8:
      return expand_color(ColorFormat::ia8, half(p + 2 * i));
    case TexelFormat::rgb565:
      return expand_color(ColorFormat::rgb565, half(p + 2 * i));
    case TexelFormat::rgb5a3:
      return expand_color(ColorFormat::rgb5a3, half(p + 2 * i));
    case TexelFormat::rgba32:
      return {p[2 * i + 1], p[2 * i + 32], p[2 * i + 33], p[2 * i]};
    default:
      return {};
  }
}

void decode_cmpr(scene::Image& image, const u8* p) {
  for (u32 top = 0; top < image.height; top += 8)
    for (u32 left = 0; left < image.width; left += 8)
      for (u32 part = 0; part < 4; ++part, p += 8) {
        const auto colors = decode_cmpr_colors(p);
        for (u32 i = 0; i < 16; ++i) {
          const u32 x = left + part % 2 * 4 + i % 4, y = top + part / 2 * 4 + i / 4;
          if (x >= image.width || y >= image.height) continue;
          const Rgba& c = colors[p[4 + i / 4] >> (6 - i % 4 * 2) & 3];
          std::copy(c.begin(), c.end(), image.pixels.begin() + std::ptrdiff_t(4 * (size_t(y) * image.width + x)));
        }
      }
}

}  // namespace

bool is_texel_format(u32 n) { return n <= 6 || (n >= 8 && n <= 10) || n == 14; }

Block block_layout(TexelFormat f) {
  switch (f) {
    case TexelFormat::i4:
    case TexelFormat::c4:
    case TexelFormat::cmpr:
      return {8, 8, 32};
    case TexelFormat::i8:
    case TexelFormat::ia4:
    case TexelFormat::c8:
      return {8, 4, 32};
    case TexelFormat::rgba32:
      return {4, 4, 64};
    default:
      return {4, 4, 32};
  }
}

u64 texture_size_bytes(TexelFormat f, u32 width, u32 height, u32 levels) {
  const Block b = block_layout(f);
  u64 sum = 0;
  for (; levels; --levels, width = std::max(1u, width / 2), height = std::max(1u, height / 2))
    sum += (u64(width) + b.width - 1) / b.width * ((u64(height) + b.height - 1) / b.height) * b.bytes;
  return sum;
}

Rgba expand_color(ColorFormat f, u16 v) {
  if (f == ColorFormat::ia8) return {u8(v), u8(v), u8(v), u8(v >> 8)};
  if (f == ColorFormat::rgb565) return {from_5(v >> 11), from_6(v >> 5 & 63), from_5(v & 31), 255};
  if (v & 0x8000) return {from_5(v >> 10 & 31), from_5(v >> 5 & 31), from_5(v & 31), 255};
  return {from_4(v >> 8 & 15), from_4(v >> 4 & 15), from_4(v & 15), from_3(v >> 12 & 7)};
}

std::array<Rgba, 4> decode_cmpr_colors(const u8* p) {
  const u16 a = half(p), b = half(p + 2);
  std::array<Rgba, 4> c{expand_color(ColorFormat::rgb565, a), expand_color(ColorFormat::rgb565, b)};
  for (size_t i = 0; i < 3; ++i) {
    const u32 x = c[0][i], y = c[1][i];
    c[2][i] = a > b ? u8((5 * x + 3 * y) >> 3) : u8((x + y) / 2);
    c[3][i] = a > b ? u8((3 * x + 5 * y) >> 3) : c[2][i];
  }
  c[2][3] = 255;
  c[3][3] = a > b ? 255 : 0;
  return c;
}

scene::Image decode(TexelFormat f, u32 width, u32 height, ByteView texels, std::span<const Rgba> palette) {
  scene::Image image;
  image.width = width, image.height = height;
  const size_t count = size_t(width) * height;
  const bool indexed = f == TexelFormat::c4 || f == TexelFormat::c8;
  image.pixels.resize(indexed ? count : 4 * count);
  if (f == TexelFormat::cmpr) {
    decode_cmpr(image, texels.data());
  } else if (indexed) {
    image.depth = f == TexelFormat::c4 ? 4 : 8;
    image.palette.assign(palette.begin(), palette.end());
    image.palette.resize(most_colors(f));
    for_each_texel(f, width, height, texels.data(), [&](u32 x, u32 y, const u8* p, u32 i) {
      image.pixels[size_t(y) * width + x] = f == TexelFormat::c8 ? p[i] : p[i / 2] >> (i % 2 ? 0 : 4) & 15;
    });
  } else {
    for_each_texel(f, width, height, texels.data(), [&](u32 x, u32 y, const u8* p, u32 i) {
      Rgba c{};
      if (f != TexelFormat::c14x2)
        c = decode_texel(f, p, i);
      else if (const size_t index = half(p + 2 * i) & 0x3FFF; index < palette.size())
        c = palette[index];
      std::copy(c.begin(), c.end(), image.pixels.begin() + std::ptrdiff_t(4 * (size_t(y) * width + x)));
    });
  }
  return image;
}

}  // namespace dio::wii
