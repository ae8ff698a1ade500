// DS texels: bytes and colours computed by hand for each format, and pictures encoded and decoded.
#include "formats/nitro/pictures/texels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "scene/palette_rivals.hpp"

namespace {

using namespace dio;
using namespace dio::ds;
using namespace dio::nitro;
using scene::Image;
using scene::Rgba;
using testing::ElementsAre;

using console::rgb;
constexpr u16 k_black = 0, k_white = 0x7fff, k_red = rgb(31, 0, 0), k_green = rgb(0, 31, 0), k_blue = rgb(0, 0, 31);
constexpr Rgba k_shown_black{0, 0, 0, 255}, k_shown_white{255, 255, 255, 255}, k_shown_red{255, 0, 0, 255},
    k_shown_green{0, 255, 0, 255}, k_shown_blue{0, 0, 255, 255};

std::vector<Rgba> colors(const Image& image) {
  std::vector<Rgba> all;
  for (u32 y = 0; y < image.height; ++y)
    for (u32 x = 0; x < image.width; ++x) all.push_back(color_of(image, x, y));
  return all;
}

// -------------------------------------------------------------------------------------------------------------
// channels

TEST(NitroChannels, ExpandsFiveBitColorsLikeTheScreen) {
  EXPECT_EQ(to_8_bits(0), 0);
  EXPECT_EQ(to_8_bits(1), 0b00001100);   // six bits: 3
  EXPECT_EQ(to_8_bits(8), 0b01000101);   // 17
  EXPECT_EQ(to_8_bits(16), 0b10000110);  // 33
  EXPECT_EQ(to_8_bits(31), 255);
  for (u32 five = 0; five < 32; ++five) {
    EXPECT_EQ(to_5_bits(to_8_bits(five)), five);
    EXPECT_EQ(to_5_bits(u8(five << 3)), five);
    EXPECT_EQ(to_5_bits(u8(five << 3 | five >> 2)), five);
    EXPECT_EQ(to_5_bits(u8((five * 255 + 15) / 31)), five);
  }
}

// -------------------------------------------------------------------------------------------------------------
// decoding

TEST(NitroDecode, DecodesFourColorTextures) {
  // Indices 0, 1, 2, 3 from the low bits: 0b11'10'01'00; the second row is reversed.
  const u8 texels[] = {0xe4, 0x1b};
  const u16 palette[] = {k_black, k_red, k_green, k_blue, k_white};  // the fifth is out of reach
  const Image image = decode_texels({TexelFormat::palette4, 4, 2, false, texels, {}, palette});
  EXPECT_EQ(image.depth, 2);
  EXPECT_THAT(image.palette, ElementsAre(k_shown_black, k_shown_red, k_shown_green, k_shown_blue));
  EXPECT_THAT(image.pixels, ElementsAre(0, 1, 2, 3, 3, 2, 1, 0));
  const Image clear = decode_texels({TexelFormat::palette4, 4, 2, true, texels, {}, palette});
  EXPECT_EQ(clear.palette[0], (Rgba{0, 0, 0, 0}));
  EXPECT_EQ(clear.palette[1], k_shown_red);
}

TEST(NitroDecode, DecodesSixteenColorTextures) {
  const u8 texels[] = {0x10, 0xf2};
  std::vector<u16> palette(16, k_green);
  palette[15] = k_white;
  palette[0] = k_blue;
  const Image image = decode_texels({TexelFormat::palette16, 2, 2, true, texels, {}, palette});
  EXPECT_EQ(image.depth, 4);
  EXPECT_EQ(image.palette.size(), 16u);
  EXPECT_THAT(image.pixels, ElementsAre(0, 1, 2, 15));
  EXPECT_THAT(colors(image), ElementsAre(Rgba{0, 0, 255, 0}, k_shown_green, k_shown_green, k_shown_white));
}

TEST(NitroDecode, Decodes256ColorTextures) {
  const u8 texels[] = {0, 200, 3, 3};
  std::vector<u16> palette(256, k_green);
  palette[200] = rgb(1, 16, 31);
  const Image image = decode_texels({TexelFormat::palette256, 2, 2, false, texels, {}, palette});
  EXPECT_EQ(image.depth, 8);
  EXPECT_THAT(image.pixels, ElementsAre(0, 200, 3, 3));
  EXPECT_EQ(color_of(image, 1, 0), (Rgba{12, 134, 255, 255}));
}

TEST(NitroDecode, DecodesA3i5Textures) {
  // Alpha 0 to 7 becomes 0, 4, 9, 13, 18, 22, 27, 31 of 31, then doubled plus 1, then 8 bits.
  const u8 texels[] = {0 << 5 | 31, 1 << 5 | 31, 2 << 5 | 31, 3 << 5 | 31, 4 << 5, 5 << 5, 6 << 5, 7 << 5};
  std::vector<u16> palette(32, k_blue);
  palette[0] = k_red;
  const Image image = decode_texels({TexelFormat::a3i5, 8, 1, true, texels, {}, palette});
  EXPECT_EQ(image.depth, 8);
  EXPECT_EQ(image.palette.size(), 256u);
  EXPECT_THAT(image.pixels, testing::ElementsAreArray(texels));  // an index is the byte itself
  EXPECT_THAT(colors(image),
              ElementsAre(Rgba{0, 0, 255, 0}, Rgba{0, 0, 255, 36}, Rgba{0, 0, 255, 77}, Rgba{0, 0, 255, 109},
                          Rgba{255, 0, 0, 150}, Rgba{255, 0, 0, 182}, Rgba{255, 0, 0, 223}, k_shown_red));
}

TEST(NitroDecode, DecodesA5i3Textures) {
  const u8 texels[] = {31 << 3 | 7, 0 << 3 | 7, 1 << 3 | 0, 16 << 3 | 1};
  const u16 palette[] = {k_red, k_green, 0, 0, 0, 0, 0, k_white};
  const Image image = decode_texels({TexelFormat::a5i3, 4, 1, false, texels, {}, palette});
  EXPECT_THAT(image.pixels, testing::ElementsAreArray(texels));
  EXPECT_THAT(colors(image),
              ElementsAre(k_shown_white, Rgba{255, 255, 255, 0}, Rgba{255, 0, 0, 12}, Rgba{0, 255, 0, 134}));
}

TEST(NitroDecode, DecodesDirectColorTextures) {
  const u8 texels[] = {0x1f, 0x80, 0xe0, 0x83, 0x00, 0x7c, 0x00, 0xfc};
  const Image image = decode_texels({TexelFormat::direct, 2, 2, false, texels, {}, {}});
  EXPECT_TRUE(image.palette.empty());
  EXPECT_THAT(colors(image), ElementsAre(k_shown_red, k_shown_green, Rgba{0, 0, 255, 0}, k_shown_blue));
}

/// The first row shows colours 0, 1, 2, 3; the others colour 0.
Image block(u32 mode, u32 offset, std::span<const u16> palette) {
  const u8 texels[] = {0xe4, 0, 0, 0};
  const u8 blocks[] = {u8(offset), u8(mode << 6 | offset >> 8)};
  return decode_texels({TexelFormat::block4x4, 4, 4, false, texels, blocks, palette});
}

TEST(NitroDecode, DecodesAllFourBlockModes) {
  const u16 palette[] = {k_white, k_white, rgb(31, 1, 0), rgb(0, 2, 31), k_green, k_blue};
  const Rgba first = {255, 12, 0, 255}, second = {0, 20, 255, 255}, clear = {0, 0, 0, 0};
  const auto row = [&](u32 mode) {
    const auto all = colors(block(mode, 1, palette));
    EXPECT_EQ(all[4], first);
    return std::vector<Rgba>(all.begin(), all.begin() + 4);
  };
  EXPECT_THAT(row(0), ElementsAre(first, second, k_shown_green, clear));
  // (31 + 0) / 2 = 15, (1 + 2) / 2 = 1: as six bits 31 and 3, as eight 125 and 12.
  EXPECT_THAT(row(1), ElementsAre(first, second, Rgba{125, 12, 125, 255}, clear));
  EXPECT_THAT(row(2), ElementsAre(first, second, k_shown_green, k_shown_blue));
  // (5 * 31) / 8 = 19, (5 + 6) / 8 = 1, (3 * 31) / 8 = 11; (3 + 10) / 8 = 1.
  EXPECT_THAT(row(3), ElementsAre(first, second, Rgba{158, 12, 93, 255}, Rgba{93, 12, 158, 255}));
}

TEST(NitroDecode, ReadsBlocksRowByRow) {
  Bytes texels;
  for (const u8 index : {0x00, 0x55, 0xaa, 0xff}) texels.insert(texels.end(), 4, index);
  const Bytes blocks = {0, 0x80, 0, 0x80, 0, 0x80, 0, 0x80};
  const u16 palette[] = {k_red, k_green, k_blue, k_white};
  const Image image = decode_texels({TexelFormat::block4x4, 8, 8, false, texels, blocks, palette});
  EXPECT_EQ(color_of(image, 3, 3), k_shown_red);
  EXPECT_EQ(color_of(image, 4, 3), k_shown_green);
  EXPECT_EQ(color_of(image, 3, 4), k_shown_blue);
  EXPECT_EQ(color_of(image, 4, 4), k_shown_white);
}

TEST(NitroDecode, CountsTexelsBeyondThePalette) {
  const u8 texels[] = {0x10, 0xf2};
  const u16 two[] = {k_red, k_green};
  const TexelView view{TexelFormat::palette16, 2, 2, false, texels, {}, two};
  EXPECT_THAT(colors(decode_texels(view)), ElementsAre(k_shown_red, k_shown_green, k_shown_black, k_shown_black));
  EXPECT_EQ(count_texels_past_palette(view), 2u);
  EXPECT_EQ(count_texels_past_palette({TexelFormat::palette16, 2, 2, true, texels, {}, {}}), 3u);  // 0 needs no colour
  EXPECT_EQ(count_texels_past_palette({TexelFormat::palette16, 2, 2, false, texels, {}, {}}), 4u);
  EXPECT_EQ(count_texels_past_palette({TexelFormat::palette256, 2, 1, true, Bytes{0, 2}, {}, two}), 1u);
  EXPECT_EQ(count_texels_past_palette({TexelFormat::a3i5, 2, 1, true, Bytes{0, 2}, {}, {}}), 2u);
  EXPECT_EQ(count_texels_past_palette({TexelFormat::a5i3, 2, 1, true, Bytes{0xf9, 2}, {}, two}), 1u);
  EXPECT_EQ(count_texels_past_palette({TexelFormat::direct, 1, 1, true, Bytes{0, 2}, {}, {}}), 0u);
  const u8 blocks[] = {0, 0xc0}, mixed[] = {0xe4, 0, 0, 0};
  EXPECT_EQ(count_texels_past_palette({TexelFormat::block4x4, 4, 4, true, mixed, blocks, two}), 0u);
  EXPECT_EQ(count_texels_past_palette({TexelFormat::block4x4, 4, 4, true, mixed, blocks, std::span(two).first(1)}), 3u);
  EXPECT_EQ(block(3, 0x3fff, {}).pixels.size(), 64u);
}

TEST(NitroDecode, TreatsMissingTexelsAsZero) {
  const u16 palette[] = {k_red, k_green};
  for (const TexelFormat format :
       {TexelFormat::a3i5, TexelFormat::palette4, TexelFormat::palette16, TexelFormat::palette256,
        TexelFormat::block4x4, TexelFormat::a5i3, TexelFormat::direct, TexelFormat::none}) {
    const Image image = decode_texels({format, 8, 8, false, Bytes{1}, {}, palette});
    EXPECT_EQ(to_rgba(image).pixels.size(), 256u);
    if (format != TexelFormat::none && format != TexelFormat::direct) {
      EXPECT_EQ(color_of(image, 7, 7)[0], 255);
    }
  }
}

// -------------------------------------------------------------------------------------------------------------
// encoding

constexpr TexelFormat k_formats[] = {TexelFormat::a3i5,       TexelFormat::palette4, TexelFormat::palette16,
                                     TexelFormat::palette256, TexelFormat::block4x4, TexelFormat::a5i3,
                                     TexelFormat::direct};

/// A texture of random bytes and its palette.
struct Texture {
  TexelFormat format;
  u32 width, height;
  bool color0_clear;
  Bytes texels, blocks;
  std::vector<u16> palette;
  operator TexelView() const { return {format, width, height, color0_clear, texels, blocks, palette}; }
};
Texture random_texture(TexelFormat format, u32 width, u32 height, bool color0_clear, u32 seed) {
  std::mt19937 random(seed);
  Texture t{format, width, height, color0_clear, Bytes(size_t(width) * height * bits_per_texel(format) / 8), {}, {}};
  for (u8& byte : t.texels) byte = u8(random());
  t.palette.resize(format == TexelFormat::block4x4 ? 40 : max_palette_colors(format));
  for (u16& color : t.palette) color = u16(random() & 0x7fff);
  if (format == TexelFormat::block4x4)
    for (u32 i = 0; i < width * height / 16; ++i) {
      const u32 word = random() % 4 << 14 | random() % 19;
      t.blocks.insert(t.blocks.end(), {u8(word), u8(word >> 8)});
    }
  return t;
}
TexelView texel_view(const EncodedTexels& e, const TexelView& like) {
  return {like.format, like.width, like.height, like.color0_clear, e.texels, e.blocks, e.palette};
}
/// Colours, with all transparent pixels made equal.
std::vector<Rgba> seen(const Image& image) {
  auto all = colors(image);
  for (Rgba& c : all)
    if (c[3] == 0) c = {};
  return all;
}

TEST(NitroEncode, EncodingRestoresDecodedPictures) {
  u32 seed = 1;
  for (const TexelFormat format : k_formats)
    for (const bool color0_clear : {false, true})
      for (const auto& [width, height] : {std::pair<u32, u32>{8, 8}, {32, 16}, {8, 64}}) {
        const Texture t = random_texture(format, width, height, color0_clear, seed++);
        const Image image = decode_texels(t);
        const auto encoded = encode_nitro_texels(image, {.format = format, .color0_clear = color0_clear});
        ASSERT_TRUE(encoded) << format_one_line(encoded.error());
        EXPECT_EQ(encoded->changed_texels, 0u) << int(format);
        EXPECT_EQ(seen(decode_texels(texel_view(*encoded, t))), seen(image)) << int(format);
        if (format != TexelFormat::block4x4) {
          EXPECT_EQ(encoded->texels, t.texels) << int(format);
          EXPECT_EQ(encoded->palette, t.palette) << int(format);
        }
      }
}

TEST(NitroEncode, EncodesPicturesWithoutAPalette) {
  // An editor may have dropped the palette: the image must look the same, even if it is stored differently.
  u32 seed = 100;
  for (const TexelFormat format : k_formats) {
    const Texture t = random_texture(format, 16, 16, true, seed++);
    const Image image = to_rgba(decode_texels(t));
    const auto encoded = encode_nitro_texels(image, {.format = format, .color0_clear = true});
    ASSERT_TRUE(encoded);
    EXPECT_EQ(encoded->changed_texels, 0u) << int(format);
    EXPECT_EQ(seen(decode_texels(texel_view(*encoded, t))), seen(image)) << int(format);
  }
}

TEST(NitroEncode, UnchangedPicturesKeepTheirBytes) {
  u32 seed = 200;
  for (const TexelFormat format : k_formats) {
    Texture t = random_texture(format, 16, 16, true, seed++);
    if (!t.palette.empty())
      t.palette[3] = t.palette[1] | 0x8000;  // colours that occur twice, and a bit without meaning
    const TexelView previous = t;
    for (const Image& image : {decode_texels(t), to_rgba(decode_texels(t))}) {
      const auto encoded = encode_nitro_texels(image, {.format = format, .color0_clear = true, .previous = &previous});
      ASSERT_TRUE(encoded);
      EXPECT_EQ(encoded->texels, t.texels);
      EXPECT_EQ(encoded->blocks, t.blocks);
      EXPECT_EQ(encoded->palette, t.palette);
    }
    if (format == TexelFormat::block4x4) continue;
    const auto encoded =
        encode_nitro_texels(decode_texels(t), {.format = format, .color0_clear = true, .palette = t.palette});
    ASSERT_TRUE(encoded);
    EXPECT_EQ(encoded->texels, t.texels);
    EXPECT_EQ(encoded->palette, t.palette);
  }
}

TEST(NitroEncode, ChangedPixelChangesItsTexel) {
  u32 seed = 300;
  for (const TexelFormat format : k_formats) {
    const Texture t = random_texture(format, 16, 16, false, seed++);
    const TexelView previous = t;
    Image image = to_rgba(decode_texels(t));
    // The colour of another pixel, which is in the palette.
    size_t other = 1;
    while (image.pixels[4 * other + 3] != 255 ||
           std::equal(&image.pixels[4 * other], &image.pixels[4 * other + 4], &image.pixels[0]))
      ++other;
    std::copy_n(&image.pixels[4 * other], 4, &image.pixels[0]);
    const auto encoded = encode_nitro_texels(image, {.format = format, .previous = &previous});
    ASSERT_TRUE(encoded);
    EXPECT_EQ(seen(decode_texels(texel_view(*encoded, t))).front(), seen(image).front());
    ASSERT_GE(encoded->palette.size(), t.palette.size());
    EXPECT_TRUE(std::equal(t.palette.begin(), t.palette.end(), encoded->palette.begin()));
    if (format == TexelFormat::block4x4) {  // all blocks but the first
      EXPECT_TRUE(std::equal(t.texels.begin() + 4, t.texels.end(), encoded->texels.begin() + 4));
      EXPECT_TRUE(std::equal(t.blocks.begin() + 2, t.blocks.end(), encoded->blocks.begin() + 2));
    }
  }
}

Image smooth(u32 size, bool translucent) {
  Image image{{}, size, size, 8, {}, {}};
  for (u32 y = 0; y < size; ++y)
    for (u32 x = 0; x < size; ++x)
      for (const u32 channel : {x * 255 / size, y * 255 / size, (x + y) * 127 / size, translucent ? x * y % 256 : 255u})
        image.pixels.push_back(u8(channel));
  return image;
}
/// The root mean square difference in perceived colour on black; 100 is the difference between black and white.
f64 rms(const Image& a, const Image& b) {
  const auto left = colors(a), right = colors(b);
  const auto on_black = [](const Rgba& c) {
    const auto part = [&](size_t i) { return u8((c[i] * c[3] + 127) / 255); };
    return dio::test::oklab_of({part(0), part(1), part(2)});
  };
  f64 sum = 0;
  for (size_t i = 0; i < left.size(); ++i) {
    const auto one = on_black(left[i]), other = on_black(right[i]);
    for (size_t c = 0; c < 3; ++c) sum += std::pow(one[c] - other[c], 2);
  }
  return 100 * std::sqrt(sum / f64(left.size()));
}

TEST(NitroEncode, ReducesColorsWithinErrorLimits) {
  const std::pair<TexelFormat, f64> limits[] = {{TexelFormat::palette4, 11},    {TexelFormat::palette16, 5.4},
                                                {TexelFormat::palette256, 1.8}, {TexelFormat::block4x4, 1.2},
                                                {TexelFormat::direct, 1},       {TexelFormat::a3i5, 4.2},
                                                {TexelFormat::a5i3, 4.5}};
  for (const auto& [format, limit] : limits) {
    const Image image = smooth(64, format == TexelFormat::a3i5 || format == TexelFormat::a5i3);
    const auto encoded = encode_nitro_texels(image, {.format = format});
    ASSERT_TRUE(encoded);
    EXPECT_LE(encoded->palette.size(), max_palette_colors(format));
    EXPECT_EQ(encoded->changed_texels > 0, format != TexelFormat::direct);
    const Image back = decode_texels(texel_view(*encoded, {format, 64, 64, false, {}, {}, {}}));
    EXPECT_LT(rms(image, back), limit) << int(format);
    EXPECT_GT(rms(image, back), 0.9) << int(format);
  }
}

TEST(NitroEncode, PalettesStayWithinTheColorLimit) {
  const Image image = smooth(64, false);
  for (const u32 most : {2, 7, 16}) {
    const auto encoded =
        encode_nitro_texels(image, {.format = TexelFormat::palette16, .color0_clear = true, .most_colors = most});
    ASSERT_TRUE(encoded);
    EXPECT_LE(encoded->palette.size(), most);
    EXPECT_EQ(encoded->texels.size(), 64u * 64 / 2);
    for (const u8 two : encoded->texels) EXPECT_TRUE((two & 15) && (two >> 4)) << "index 0 would be clear";
  }
  f64 last = 1e9;
  for (const u32 most : {4, 16, 64, 256}) {
    const auto encoded = encode_nitro_texels(image, {.format = TexelFormat::block4x4, .most_colors = most});
    ASSERT_TRUE(encoded);
    EXPECT_LE(encoded->palette.size(), most);
    const f64 now = rms(image, decode_texels(texel_view(*encoded, {TexelFormat::block4x4, 64, 64, false, {}, {}, {}})));
    EXPECT_LT(now, last);
    last = now;
  }
}

TEST(NitroEncode, KeepsAGivenPalette) {
  const Image image = smooth(32, false);
  const std::vector<u16> palette = {k_black, k_red, k_green, k_blue, k_white, k_white, rgb(16, 16, 16)};
  for (const TexelFormat format : {TexelFormat::palette16, TexelFormat::block4x4, TexelFormat::a3i5}) {
    const auto encoded = encode_nitro_texels(image, {.format = format, .palette = palette});
    ASSERT_TRUE(encoded);
    EXPECT_EQ(encoded->palette, palette);
    EXPECT_EQ(count_texels_past_palette(texel_view(*encoded, {format, 32, 32, false, {}, {}, {}})), 0u);
  }
}

TEST(NitroEncode, BlocksSharePaletteColors) {
  // Four colours in every block: all blocks can share one pair of colour pairs.
  Image image{{}, 32, 32, 8, {}, {}};
  const Rgba four[] = {k_shown_black, k_shown_red, k_shown_green, k_shown_white};
  for (u32 i = 0; i < 32 * 32; ++i)
    image.pixels.insert(image.pixels.end(), four[(i + i / 32) % 4].begin(), four[(i + i / 32) % 4].end());
  const auto encoded = encode_nitro_texels(image, {.format = TexelFormat::block4x4});
  ASSERT_TRUE(encoded);
  EXPECT_EQ(encoded->changed_texels, 0u);
  EXPECT_EQ(encoded->palette.size(), 4u);
}

TEST(NitroEncode, InterpolatedBlocksStoreTwoColors) {
  // Red, blue and the colours interpolated by modes 1 and 3.
  for (const bool clear : {false, true}) {
    Image image{{}, 8, 8, 8, {}, {}};
    for (u32 i = 0; i < 64; ++i) {
      const u32 k = (i + i / 8) % 4;
      Rgba c = k == 0 ? k_shown_red : k == 1 ? k_shown_blue : Rgba{to_8_bits(19), 0, to_8_bits(11), 255};
      if (clear && k == 2) c = {to_8_bits(15), 0, to_8_bits(15), 255};
      if (k == 3) c = clear ? Rgba{0, 0, 0, 0} : Rgba{to_8_bits(11), 0, to_8_bits(19), 255};
      image.pixels.insert(image.pixels.end(), c.begin(), c.end());
    }
    const auto encoded = encode_nitro_texels(image, {.format = TexelFormat::block4x4});
    ASSERT_TRUE(encoded);
    EXPECT_EQ(encoded->changed_texels, 0u);
    EXPECT_EQ(encoded->palette.size(), 2u);
    EXPECT_EQ(encoded->blocks[1] >> 6, clear ? 1 : 3);
  }
}

TEST(NitroEncode, EncodesNoisyTexturesInReasonableTime) {
  // Noise needs two pairs for each of 1,024 blocks; the palette has room for an eighth of that.
  std::mt19937 random(4);
  Image image{{}, 128, 128, 8, {}, Bytes(128 * 128 * 4, 255)};
  for (size_t i = 0; i < image.pixels.size(); ++i)
    if (i % 4 != 3) image.pixels[i] = u8(random());
  const auto encoded = encode_nitro_texels(image, {.format = TexelFormat::block4x4, .most_colors = 256});
  ASSERT_TRUE(encoded);
  EXPECT_LE(encoded->palette.size(), 256u);
}

TEST(NitroEncode, EncodesIdenticallyOnEveryPlatform) {
  u32 sum = 0;
  for (const TexelFormat format : k_formats) {
    const auto encoded = encode_nitro_texels(smooth(32, true), {.format = format, .color0_clear = true});
    ASSERT_TRUE(encoded);
    for (const Bytes& bytes : {encoded->texels, encoded->blocks})
      for (const u8 byte : bytes) sum = sum * 31 + byte;
    for (const u16 color : encoded->palette) sum = sum * 31 + color;
  }
  EXPECT_EQ(sum, 4005335841u);
}

TEST(NitroEncode, RejectsPicturesTheFormatCannotStore) {
  const auto refused = [](const Image& image, const EncodeOptions& options) {
    const auto encoded = encode_nitro_texels(image, options);
    return encoded ? std::string() : encoded.error().id;
  };
  Image image = smooth(8, false);
  EXPECT_EQ(refused(image, {.format = TexelFormat::palette4}), "");
  EXPECT_EQ(refused(image, {.format = TexelFormat::none}), "nitro.texel-size");
  EXPECT_EQ(refused(image, {.format = TexelFormat::palette4, .palette = std::span<const u16>()}),
            "nitro.texel-palette");
  EXPECT_EQ(refused(image, {.format = TexelFormat::block4x4, .palette = std::span<const u16>()}),
            "nitro.texel-palette");
  image.pixels[3] = 0;
  EXPECT_EQ(refused(image, {.format = TexelFormat::palette4}), "nitro.texel-clear");
  EXPECT_EQ(refused(image, {.format = TexelFormat::palette4, .color0_clear = true}), "");
  const std::vector<u16> one = {k_red};
  EXPECT_EQ(refused(image, {.format = TexelFormat::palette4, .color0_clear = true, .palette = one}),
            "nitro.texel-palette");
  for (const u32 size : {4, 12, 2048})
    EXPECT_EQ(refused(smooth(size, false), {.format = TexelFormat::direct}), "nitro.texel-size");
}

}  // namespace
