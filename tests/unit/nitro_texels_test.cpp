// Texels of the DS: bytes and colours worked out by hand for each format, and pictures there and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "formats/nitro/texels.hpp"

namespace {

using namespace dio;
using namespace dio::nitro;
using scene::Image;
using scene::Rgba;
using testing::ElementsAre;

constexpr u16 rgb(u32 red, u32 green, u32 blue) { return u16(red | green << 5 | blue << 10); }
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

TEST(NitroChannels, FiveBitsAsTheScreenShowsThem) {
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

TEST(NitroDecode, Palette4) {
  // 0, 1, 2, 3 from the low bits: 0b11'10'01'00; the second row backwards.
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

TEST(NitroDecode, Palette16) {
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

TEST(NitroDecode, Palette256) {
  const u8 texels[] = {0, 200, 3, 3};
  std::vector<u16> palette(256, k_green);
  palette[200] = rgb(1, 16, 31);
  const Image image = decode_texels({TexelFormat::palette256, 2, 2, false, texels, {}, palette});
  EXPECT_EQ(image.depth, 8);
  EXPECT_THAT(image.pixels, ElementsAre(0, 200, 3, 3));
  EXPECT_EQ(color_of(image, 1, 0), (Rgba{12, 134, 255, 255}));
}

TEST(NitroDecode, A3i5) {
  // Alpha 0 to 7 becomes 0, 4, 9, 13, 18, 22, 27, 31 of 31: doubled and 1 added, then eight bits.
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

TEST(NitroDecode, A5i3) {
  const u8 texels[] = {31 << 3 | 7, 0 << 3 | 7, 1 << 3 | 0, 16 << 3 | 1};
  const u16 palette[] = {k_red, k_green, 0, 0, 0, 0, 0, k_white};
  const Image image = decode_texels({TexelFormat::a5i3, 4, 1, false, texels, {}, palette});
  EXPECT_THAT(image.pixels, testing::ElementsAreArray(texels));
  EXPECT_THAT(colors(image),
              ElementsAre(k_shown_white, Rgba{255, 255, 255, 0}, Rgba{255, 0, 0, 12}, Rgba{0, 255, 0, 134}));
}

TEST(NitroDecode, Direct) {
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

TEST(NitroDecode, FourModesOfBlocks) {
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

TEST(NitroDecode, BlocksStandInRows) {
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

TEST(NitroDecode, ShortPalettesAreCounted) {
  const u8 texels[] = {0x10, 0xf2};
  const u16 two[] = {k_red, k_green};
  const TexelView view{TexelFormat::palette16, 2, 2, false, texels, {}, two};
  EXPECT_THAT(colors(decode_texels(view)), ElementsAre(k_shown_red, k_shown_green, k_shown_black, k_shown_black));
  EXPECT_EQ(texels_without_color(view), 2u);
  EXPECT_EQ(texels_without_color({TexelFormat::palette16, 2, 2, true, texels, {}, {}}), 3u);  // 0 needs no colour
  EXPECT_EQ(texels_without_color({TexelFormat::palette16, 2, 2, false, texels, {}, {}}), 4u);
  EXPECT_EQ(texels_without_color({TexelFormat::palette256, 2, 1, true, Bytes{0, 2}, {}, two}), 1u);
  EXPECT_EQ(texels_without_color({TexelFormat::a3i5, 2, 1, true, Bytes{0, 2}, {}, {}}), 2u);
  EXPECT_EQ(texels_without_color({TexelFormat::a5i3, 2, 1, true, Bytes{0xf9, 2}, {}, two}), 1u);
  EXPECT_EQ(texels_without_color({TexelFormat::direct, 1, 1, true, Bytes{0, 2}, {}, {}}), 0u);
  const u8 blocks[] = {0, 0xc0}, mixed[] = {0xe4, 0, 0, 0};
  EXPECT_EQ(texels_without_color({TexelFormat::block4x4, 4, 4, true, mixed, blocks, two}), 0u);
  EXPECT_EQ(texels_without_color({TexelFormat::block4x4, 4, 4, true, mixed, blocks, std::span(two).first(1)}), 3u);
  EXPECT_EQ(block(3, 0x3fff, {}).pixels.size(), 64u);
}

TEST(NitroDecode, MissingTexelsAreZeros) {
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

}  // namespace
