// texels_encode.cpp: converts edited pictures to texels.
#include <algorithm>
#include <map>

#include "console/wii/cmpr.hpp"
#include "console/wii/texels.hpp"
#include "scene/scaling.hpp"

namespace dio::wii {

namespace {

using scene::Rgba;

u8 luminance(const Rgba& c) { return u8((77 * c[0] + 150 * c[1] + 29 * c[2]) >> 8); }
/// Rounds to the nearest of 2^bits levels.
u32 quantize_to_bits(u8 x, u32 bits) {
  const u32 most = (1u << bits) - 1;
  return (x * most + 127) / 255;
}
u16 to_rgb565(const Rgba& c) {
  return u16(quantize_to_bits(c[0], 5) << 11 | quantize_to_bits(c[1], 6) << 5 | quantize_to_bits(c[2], 5));
}
u16 to_rgb5a3(const Rgba& c) {
  const u32 alpha = quantize_to_bits(c[3], 3);
  if (alpha == 7)
    return u16(0x8000 | quantize_to_bits(c[0], 5) << 10 | quantize_to_bits(c[1], 5) << 5 | quantize_to_bits(c[2], 5));
  return u16(alpha << 12 | quantize_to_bits(c[0], 4) << 8 | quantize_to_bits(c[1], 4) << 4 | quantize_to_bits(c[2], 4));
}
u32 squared_distance(const Rgba& a, const Rgba& b) {
  u32 sum = 0;
  for (size_t i = 0; i < 4; ++i) sum += u32((i32(a[i]) - b[i]) * (i32(a[i]) - b[i]));
  return sum;
}
void put_half(u8* p, u16 x) { p[0] = u8(x >> 8), p[1] = u8(x); }

class Encoder {
 public:
  Encoder(TexelFormat f, std::span<const Rgba> palette, u64& unlike) : format_(f), palette_(palette), unlike_(unlike) {}

  /// `pixel(x, y)` returns a pixel of the block.
  void encode_block(u8* to, auto pixel) {
    const Block b = block_layout(format_);
    if (format_ == TexelFormat::cmpr) {
      for (u32 part = 0; part < 4; ++part) {
        std::array<Rgba, 16> pixels;
        for (u32 i = 0; i < 16; ++i) pixels[i] = pixel(part % 2 * 4 + i % 4, part / 2 * 4 + i / 4);
        encode_cmpr_block(pixels, to + 8 * size_t(part));
      }
      return;
    }
    std::fill_n(to, b.bytes, u8(0));
    for (u32 i = 0; i < b.width * b.height; ++i) write_texel(to, i, pixel(i % b.width, i / b.width));
  }

 private:
  void write_texel(u8* p, u32 i, const Rgba& c) {
    const auto nibble = [&](u32 x) { p[i / 2] = u8(p[i / 2] | x << (i % 2 ? 0 : 4)); };
    switch (format_) {
      case TexelFormat::i4:
        return nibble(quantize_to_bits(luminance(c), 4));
      case TexelFormat::i8:
        p[i] = luminance(c);
        return;
      case TexelFormat::ia4:
        p[i] = u8(quantize_to_bits(c[3], 4) << 4 | quantize_to_bits(luminance(c), 4));
        return;
      case TexelFormat::ia8:
        return put_half(p + 2 * i, u16(c[3] << 8 | luminance(c)));
      case TexelFormat::rgb565:
        return put_half(p + 2 * i, to_rgb565(c));
      case TexelFormat::rgb5a3:
        return put_half(p + 2 * i, to_rgb5a3(c));
      case TexelFormat::rgba32:
        put_half(p + 2 * i, u16(c[3] << 8 | c[0]));
        return put_half(p + 32 + 2 * i, u16(c[1] << 8 | c[2]));
      case TexelFormat::c4:
        return nibble(find_palette_index(c));
      case TexelFormat::c8:
        p[i] = u8(find_palette_index(c));
        return;
      case TexelFormat::c14x2:
        return put_half(p + 2 * i, u16(find_palette_index(c)));
      default:
        return;
    }
  }
  u32 find_palette_index(const Rgba& c) {
    const auto [known, fresh] = indices_.try_emplace(c, 0);
    if (fresh) {
      u32 least = ~0u;
      for (u32 i = 0; i < std::min<size_t>(palette_.size(), most_colors(format_)); ++i)
        if (const u32 d = squared_distance(palette_[i], c); d < least) least = d, known->second = i;
      if (least) unlike_colors_[c] = true;
    }
    unlike_ += unlike_colors_.contains(c);
    return known->second;
  }
  TexelFormat format_;
  std::span<const Rgba> palette_;
  u64& unlike_;
  std::map<Rgba, u32> indices_;
  std::map<Rgba, bool> unlike_colors_;
};

/// The average of a square of pixels inside the picture; transparent pixels have no colour.
Rgba average_square(const scene::Image& image, u32 left, u32 top, u32 side) {
  std::array<u64, 3> sum{};
  u64 alpha = 0, count = 0;
  for (u32 y = top; y < std::min(top + side, image.height); ++y)
    for (u32 x = left; x < std::min(left + side, image.width); ++x, ++count) {
      const Rgba c = scene::color_of(image, x, y);
      for (size_t i = 0; i < 3; ++i) sum[i] += u64(c[i]) * c[3];
      alpha += c[3];
    }
  if (!alpha || !count) return {};
  const auto part = [&](size_t i) { return u8((sum[i] + alpha / 2) / alpha); };
  return {part(0), part(1), part(2), u8((alpha + count / 2) / count)};
}

}  // namespace

Bytes encode(TexelFormat f, const scene::Image& image, u32 levels) {
  Bytes out(size_t(texture_size_bytes(f, image.width, image.height, levels)));
  u64 unlike = 0;
  Encoder encoder(f, {}, unlike);
  const Block block = block_layout(f);
  u8* to = out.data();
  for (u32 level = 0; level < levels; ++level) {
    const u32 width = std::max(1u, image.width >> level), height = std::max(1u, image.height >> level);
    const scene::Image small = level ? scene::resize_image(image, width, height) : image;
    for (u32 top = 0; top < height; top += block.height)
      for (u32 left = 0; left < width; left += block.width, to += block.bytes)
        encoder.encode_block(to, [&](u32 x, u32 y) {
          return scene::color_of(small, std::min(left + x, width - 1), std::min(top + y, height - 1));
        });
  }
  return out;
}

Encoded encode(TexelFormat f, const scene::Image& image, u32 levels, ByteView before, std::span<const Rgba> palette) {
  Encoded out{.texels = Bytes(before.begin(), before.end())};
  const scene::Image was = decode(f, image.width, image.height, before, palette);
  const bool is_gray = f == TexelFormat::i4 || f == TexelFormat::i8;
  std::vector<bool> changed(size_t(image.width) * image.height);
  for (u32 y = 0; y < image.height; ++y)
    for (u32 x = 0; x < image.width; ++x) {
      Rgba a = scene::color_of(was, x, y), b = scene::color_of(image, x, y);
      if (is_gray) a[3] = b[3] = 255;
      const bool both_clear = !a[3] && !b[3];
      out.changed += changed[size_t(y) * image.width + x] = a != b && !both_clear;
    }
  if (!out.changed) return out;
  u64 of_mipmaps = 0;
  Encoder first(f, palette, out.unlike), others(f, palette, of_mipmaps);
  const Block block = block_layout(f);
  u8* to = out.texels.data();
  for (u32 level = 0; level < levels; ++level) {
    const u32 width = std::max(1u, image.width >> level), height = std::max(1u, image.height >> level);
    const u32 side = 1u << level;
    for (u32 top = 0; top < height; top += block.height)
      for (u32 left = 0; left < width; left += block.width, to += block.bytes) {
        bool any = false;
        for (u32 y = top * side; y < std::min((top + block.height) * side, image.height) && !any; ++y)
          for (u32 x = left * side; x < std::min((left + block.width) * side, image.width) && !any; ++x)
            any = changed[size_t(y) * image.width + x];
        if (!any) continue;
        (level ? others : first).encode_block(to, [&](u32 x, u32 y) {
          x = std::min(left + x, width - 1), y = std::min(top + y, height - 1);
          if (level) return average_square(image, x * side, y * side, side);
          return scene::color_of(image, x, y);
        });
      }
  }
  return out;
}

}  // namespace dio::wii
