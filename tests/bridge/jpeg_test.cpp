// jpeg_test.cpp: hand-made files with pixels computed from the definition, and encoded files compared with another
// decoder.
#include "bridge/jpeg/jpeg.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBIDEF [[maybe_unused]] static
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#define STBIWDEF [[maybe_unused]] static
#include <stb/stb_image_write.h>

namespace {

using namespace dio;

/// A file with one block of 8 x 8 grey pixels. Every code has eight bits and equals the index of its symbol.
class OneBlock {
 public:
  explicit OneBlock(bool progressive) {
    file = {0xFF, 0xD8};
    Bytes steps(65, 0);
    for (size_t i = 0; i < 64; ++i) steps[1 + i] = u8(2 + i % 5);
    segment(0xDB, steps);
    segment(progressive ? 0xC2 : 0xC0, {8, 0, 8, 0, 8, 1, 7, 0x11, 0});
    for (const u8 kind : {u8(0x00), u8(0x10)}) {
      Bytes table{kind, 0, 0, 0, 0, 0, 0, 0, u8(k_symbols.size()), 0, 0, 0, 0, 0, 0, 0, 0};
      table.insert(table.end(), k_symbols.begin(), k_symbols.end());
      segment(0xC4, table);
    }
  }
  void segment(u8 marker, const Bytes& content) {
    file.insert(file.end(), {0xFF, marker, u8((content.size() + 2) >> 8), u8(content.size() + 2)});
    file.insert(file.end(), content.begin(), content.end());
  }
  void begin_scan(u8 first, u8 last, u8 high, u8 low) { segment(0xDA, {1, 7, 0x00, first, last, u8(high << 4 | low)}); }
  void put(u32 bits, int count) {
    while (count-- > 0) {
      byte = u8(byte << 1 | (bits >> count & 1));
      if (++filled == 8) flush();
    }
  }
  void code(u8 symbol) {
    for (u32 i = 0; i < k_symbols.size(); ++i)
      if (k_symbols[i] == symbol) return put(i, 8);
    FAIL() << "no code for " << int(symbol);
  }
  void end_scan() {
    while (filled) put(1, 1);
  }
  Bytes end() {
    file.insert(file.end(), {0xFF, 0xD9});
    return file;
  }

  static constexpr std::array<u8, 12> k_symbols{0x00, 0x01, 0x02, 0x03, 0x04, 0x11, 0x21, 0x12, 0x13, 0xF0, 0x10, 0x05};
  Bytes file;

 private:
  void flush() {
    file.push_back(byte);
    if (byte == 0xFF) file.push_back(0);
    byte = 0;
    filled = 0;
  }
  u8 byte = 0;
  int filled = 0;
};

// In zigzag order: 13, 5, 0, -3, 0, 1, then zeros.
Bytes sequential() {
  OneBlock b(false);
  b.begin_scan(0, 63, 0, 0);
  b.code(4), b.put(0b1101, 4);
  b.code(0x03), b.put(0b101, 3);
  b.code(0x12), b.put(0b00, 2);  // a zero, then -3
  b.code(0x11), b.put(1, 1);     // a zero, then 1
  b.code(0x00);
  b.end_scan();
  return b.end();
}
Bytes progressive() {
  OneBlock b(true);
  b.begin_scan(0, 0, 0, 1);
  b.code(3), b.put(0b110, 3);  // 13 / 2
  b.end_scan();
  b.begin_scan(1, 63, 0, 1);
  b.code(0x02), b.put(0b10, 2);  // 5 / 2
  b.code(0x11), b.put(0, 1);     // -3 / 2
  b.code(0x00);
  b.end_scan();
  b.begin_scan(0, 0, 1, 0);
  b.put(1, 1);
  b.end_scan();
  b.begin_scan(1, 63, 1, 0);
  b.code(0x21), b.put(1, 1);  // after two that stay 0, a new 1
  b.put(0b11, 2);             // the last bits of 5 and -3, refined in between
  b.code(0x00);
  b.end_scan();
  return b.end();
}

TEST(Jpeg, PixelsMatchTheCosineFormula) {
  const auto image = jpeg::read_jpeg(sequential());
  ASSERT_TRUE(image) << format_one_line(image.error());
  ASSERT_EQ(image->pixels.size(), 256u);
  const f64 pi = std::numbers::pi;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) {
      const auto wave = [&](int u, int v) {
        const f64 of_zero = std::sqrt(0.5);
        return (u ? 1 : of_zero) * (v ? 1 : of_zero) / 4 * std::cos((2 * x + 1) * u * pi / 16) *
               std::cos((2 * y + 1) * v * pi / 16);
      };
      // Zigzag positions 0, 1, 3 and 5 are (0, 0), (1, 0), (0, 2) and (2, 0), with quantization steps 2, 3, 5 and 2.
      const f64 wanted = 128 + 13 * 2 * wave(0, 0) + 5 * 3 * wave(1, 0) - 3 * 5 * wave(0, 2) + 1 * 2 * wave(2, 0);
      EXPECT_EQ(image->pixels[size_t(y * 8 + x) * 4], u8(std::floor(wanted + 0.5))) << x << ", " << y;
      EXPECT_EQ(image->pixels[size_t(y * 8 + x) * 4 + 3], 255);
    }
}

TEST(Jpeg, DecodesProgressiveFilesToTheSamePixels) {
  const auto straight = jpeg::read_jpeg(sequential()), in_parts = jpeg::read_jpeg(progressive());
  ASSERT_TRUE(in_parts) << format_one_line(in_parts.error());
  EXPECT_EQ(in_parts->pixels, straight->pixels);
}

Bytes encoded(int width, int height, int quality) {
  std::vector<u8> pixels;
  u32 noise = 1;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int k = 0; k < 3; ++k) {
        noise = noise * 1664525 + 1013904223;
        pixels.push_back(u8(128 + 100 * std::sin(x * 0.11 * (k + 1) + y * 0.07) + int(noise >> 28)));
      }
  Bytes file;
  const auto write = [](void* to, void* data, int size) {
    const u8* bytes = static_cast<const u8*>(data);
    static_cast<Bytes*>(to)->insert(static_cast<Bytes*>(to)->end(), bytes, bytes + size);
  };
  stbi_write_jpg_to_func(write, &file, width, height, 3, pixels.data(), quality);
  return file;
}

TEST(Jpeg, DecodesLikeStbImage) {
  for (const int quality : {30, 90, 95, 100})  // up to 90, colors are subsampled
    for (const auto& [width, height] : {std::pair(64, 48), std::pair(37, 23), std::pair(1, 1), std::pair(17, 90)}) {
      const Bytes file = encoded(width, height, quality);
      int w = 0, h = 0, channels = 0;
      stbi_uc* other = stbi_load_from_memory(file.data(), int(file.size()), &w, &h, &channels, 4);
      ASSERT_TRUE(other);
      const auto image = jpeg::read_jpeg(file);
      ASSERT_TRUE(image) << format_one_line(image.error());
      ASSERT_EQ(image->width, u32(width));
      ASSERT_EQ(image->height, u32(height));
      f64 sum = 0;
      int most = 0;
      for (size_t i = 0; i < image->pixels.size(); ++i) {
        const int difference = std::abs(int(image->pixels[i]) - int(other[i]));
        sum += difference;
        most = std::max(most, difference);
      }
      stbi_image_free(other);
      // The other decoder interpolates subsampled colors.
      EXPECT_LE(most, quality > 90 ? 3 : 60) << width << " by " << height << ", quality " << quality;
      EXPECT_LE(sum / f64(image->pixels.size()), quality > 90 ? 0.3 : 5) << width << " by " << height;
    }
}

TEST(Jpeg, RejectsDamagedFiles) {
  const auto id = [](ByteView file, u64 most = 1 << 20) {
    const auto image = jpeg::read_jpeg(file, most);
    return image ? std::string("read") : image.error().id;
  };
  const Bytes good = encoded(64, 48, 90), parts = progressive();
  EXPECT_EQ(id(good), "read");
  EXPECT_EQ(id(good, 64 * 48 - 1), "jpeg.size");
  EXPECT_EQ(id({}), "jpeg.syntax");
  for (const Bytes& file : {good, parts})
    for (size_t size = 0; size < file.size() - 2; ++size)
      EXPECT_EQ(id(ByteView(file).first(size)), "jpeg.syntax") << size;
  // With any byte changed, the file gives either pixels or a reason.
  for (const Bytes& file : {good, parts})
    for (size_t i = 0; i < file.size(); ++i)
      for (const u8 bit : {1, 16, 128}) {
        Bytes changed = file;
        changed[i] ^= bit;
        const auto image = jpeg::read_jpeg(changed, 1 << 16);
        if (image)
          EXPECT_EQ(image->pixels.size(), size_t(image->width) * image->height * 4);
        else
          EXPECT_TRUE(image.error().id.starts_with("jpeg.")) << image.error().id;
      }
  // More pixels than the file has bits.
  Bytes large = good;
  for (size_t i = 0; i + 9 < large.size(); ++i)
    if (large[i] == 0xFF && large[i + 1] == 0xC0) large[i + 5] = large[i + 7] = 0x40;
  EXPECT_EQ(id(large, u64(1) << 30), "jpeg.syntax");
}

}  // namespace
