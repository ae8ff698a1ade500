// PNG files: libpng and zlib verify the written files; decoded pixels are compared with libpng's.
#include "bridge/png/png.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <random>
#include <string>

#include "bridge/png/deflate.hpp"
#include "bridge/png/written.hpp"
#include "core/checksums.hpp"

namespace {

using namespace dio;
using namespace dio::png;
using scene::Image;
using scene::Rgba;

ByteView view(std::string_view text) { return {reinterpret_cast<const u8*>(text.data()), text.size()}; }

/// RGBA pixels as decoded by libpng; empty if it rejects the file.
Bytes read_by_libpng(const Bytes& file) {
  Bytes pixels;
  std::vector<png_bytep> rows;
  ByteView left = file;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) {
    pixels.clear();
  } else {
    png_set_read_fn(png, &left, [](png_structp reader, png_bytep to, size_t size) {
      auto& bytes = *static_cast<ByteView*>(png_get_io_ptr(reader));
      if (size > bytes.size()) png_error(reader, "the file ends");
      std::copy_n(bytes.begin(), size, to);
      bytes = bytes.subspan(size);
    });
    png_read_info(png, info);
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    const size_t row_size = png_get_rowbytes(png, info);
    pixels.resize(row_size * png_get_image_height(png, info));
    for (size_t at = 0; at < pixels.size(); at += row_size) rows.push_back(pixels.data() + at);
    png_read_image(png, rows.data());
    png_read_end(png, nullptr);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  return pixels;
}

/// Patches of a few colors with some noise, similar to game textures.
Image indexed_image(u32 width, u32 height, u8 depth, size_t colors) {
  std::mt19937 random(width * 31 + height * 7 + depth);
  Image image{{}, width, height, depth, {}, {}};
  for (size_t i = 0; i < colors; ++i)
    image.palette.push_back({u8(random()), u8(random()), u8(random()), u8(i % 3 == 1 ? random() : 255)});
  for (u32 i = 0; i < width * height; ++i) image.pixels.push_back(u8((i / 5 % 3 + (random() % 4 == 0)) % colors));
  return image;
}
Image color_image(u32 width, u32 height, bool opaque) {
  std::mt19937 random(width + height);
  Image image{{}, width, height, 8, {}, {}};
  for (u32 y = 0; y < height; ++y)
    for (u32 x = 0; x < width; ++x)
      for (const u32 channel : {x * 3 + y, y * 2, x ^ y, opaque ? 255u : x * y})
        image.pixels.push_back(u8(opaque && channel == 255 ? 255 : channel + random() % 3 * !opaque));
  if (opaque)
    for (size_t i = 3; i < image.pixels.size(); i += 4) image.pixels[i] = 255;
  return image;
}

// ------------------------------------------------------------------------------------------------------------
// checksums

TEST(Checksums, ChecksumsMatchPublishedValues) {
  EXPECT_EQ(crc32(view("123456789")), 0xcbf43926u);
  EXPECT_EQ(crc32({}), 0u);
  EXPECT_EQ(adler32(view("Wikipedia")), 0x11e60398u);
  const Bytes large(100'000, 255);
  EXPECT_EQ(adler32(large), ::adler32(1, large.data(), uInt(large.size())));
  EXPECT_EQ(dio::png::crc32(large), ::crc32(0, large.data(), uInt(large.size())));
}

// --------------------------------------------------------------------------------------------------------------
// deflate

std::vector<Bytes> texts() {
  std::mt19937 random(1);
  std::vector<Bytes> all{{}, {7}, {7, 7}, Bytes(100'000, 0)};
  Bytes noise(200'000), skewed(300'000), far, rare;
  for (u8& b : noise) b = u8(random());
  for (u8& b : skewed) b = u8(1u << (random() % 8)) & u8(random());
  for (const int distance : {32767, 32768, 32769}) {  // the last is beyond the window
    far.assign(noise.begin(), noise.begin() + distance);
    far.insert(far.end(), noise.begin(), noise.begin() + 300);
    all.push_back(far);
  }
  // Counts that grow like Fibonacci numbers would need codes longer than 15 bits.
  for (u32 symbol = 0, a = 1, b = 1; symbol < 22; ++symbol, std::swap(a, b), b += a)
    rare.insert(rare.end(), a, u8(symbol * 9));
  std::shuffle(rare.begin(), rare.end(), random);
  all.insert(all.end(), {noise, skewed, rare});
  return all;
}

TEST(Deflate, InflatesToTheSameBytes) {
  for (const Bytes& text : texts()) {
    const Bytes stream = deflate(text);
    Bytes judged(text.size() + 1);
    uLongf size = judged.size();
    ASSERT_EQ(uncompress(judged.data(), &size, stream.data(), stream.size()), Z_OK) << text.size();
    judged.resize(size);
    EXPECT_EQ(judged, text);
    EXPECT_EQ(inflate(stream, text.size()), text);
    EXPECT_LE(stream.size(), text.size() + text.size() / 1000 + 16);
  }
}

TEST(Deflate, CompressesAboutAsWellAsZlib) {
  for (const Bytes& text : texts()) {
    Bytes other(compressBound(text.size()));
    uLongf size = other.size();
    ASSERT_EQ(compress2(other.data(), &size, text.data(), text.size(), 6), Z_OK);
    EXPECT_LE(deflate(text).size(), size + size / 20 + 4) << text.size();
  }
}

TEST(Deflate, OutputIsTheSameOnEveryPlatform) {
  u32 sum = 0;
  for (const Bytes& text : texts()) sum = sum * 31 + dio::png::crc32(deflate(text));
  EXPECT_EQ(sum, 2342310757u);
}

TEST(Inflate, RejectsWrongSizesAndChecksums) {
  const Bytes text(1000, 3);
  Bytes stream = deflate(text);
  EXPECT_FALSE(inflate(stream, 999));
  EXPECT_FALSE(inflate(stream, 1001));
  EXPECT_FALSE(inflate(ByteView(), 0));
  stream.back() ^= 1;
  EXPECT_FALSE(inflate(stream, 1000));
}

// --------------------------------------------------------------------------------------------------------------
// writing

TEST(WritePng, KeepsPalettesAndBitDepths) {
  for (const u8 depth : {1, 2, 4, 8})
    for (const u32 width : {1, 3, 8, 64})
      for (const size_t colors : {size_t(1), size_t(1) << depth}) {
        const Image image = indexed_image(width, 5, depth, colors);
        const Bytes file = write_png(image);
        EXPECT_EQ(file[24], depth);
        EXPECT_EQ(file[25], 3);
        EXPECT_EQ(read_by_libpng(file), to_rgba(image).pixels) << int(depth) << " " << width;
        const auto back = read_png(file);
        ASSERT_TRUE(back) << format_one_line(back.error());
        EXPECT_EQ(*back, image);
      }
}

TEST(WritePng, OmitsAlphaFromOpaqueImages) {
  for (const bool opaque : {true, false})
    for (const u32 width : {1, 7, 130}) {
      const Image image = color_image(width, 33, opaque);
      const Bytes file = write_png(image);
      EXPECT_EQ(file[25], opaque ? 2 : 6);
      EXPECT_EQ(read_by_libpng(file), image.pixels);
      const auto back = read_png(file);
      ASSERT_TRUE(back) << format_one_line(back.error());
      EXPECT_EQ(*back, image);
    }
}

TEST(WritePng, FiltersGradientsForSmallerFiles) {
  // Without filtering, this image has almost no runs or repetitions.
  const Bytes file = write_png(color_image(128, 128, true));
  EXPECT_LT(file.size(), 128u * 128 * 3 / 8);
}

// --------------------------------------------------------------------------------------------------------------
// reading

void put_u32(Bytes& to, u32 n) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(u8(n >> shift));
}
void put_chunk(Bytes& to, std::string_view type, const Bytes& content) {
  put_u32(to, u32(content.size()));
  Bytes body(type.begin(), type.end());
  body.insert(body.end(), content.begin(), content.end());
  to.insert(to.end(), body.begin(), body.end());
  put_u32(to, dio::png::crc32(body));
}

struct Parts {
  u32 width = 5, height = 3;
  u8 depth = 8, type = 0, interlace = 0;
  Bytes palette{}, transparency{}, rows{};
};
Bytes file_of(const Parts& p) {
  Bytes file{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, header;
  put_u32(header, p.width);
  put_u32(header, p.height);
  header.insert(header.end(), {p.depth, p.type, 0, 0, p.interlace});
  put_chunk(file, "IHDR", header);
  if (!p.palette.empty()) put_chunk(file, "PLTE", p.palette);
  if (!p.transparency.empty()) put_chunk(file, "tRNS", p.transparency);
  const Bytes stream = deflate(p.rows);
  const auto middle = stream.begin() + std::ptrdiff_t(stream.size() / 2);
  put_chunk(file, "IDAT", Bytes(stream.begin(), middle));
  put_chunk(file, "IDAT", Bytes(middle, stream.end()));
  put_chunk(file, "tEXt", {'a', 0, 'b'});
  put_chunk(file, "IEND", {});
  return file;
}

/// Rows of random bytes with random filters, for every interlace pass.
Bytes random_rows(const Parts& p, u32 channels) {
  std::mt19937 random(p.depth * 8u + p.type);
  struct Pass {
    u32 x, y, x_step, y_step;
  };
  const Pass whole[] = {{0, 0, 1, 1}};
  const Pass passes[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                         {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
  Bytes rows;
  for (const Pass& pass : p.interlace ? std::span<const Pass>(passes) : whole)
    for (u32 y = pass.y; y < p.height && pass.x < p.width; y += pass.y_step) {
      const u32 columns = (p.width - pass.x + pass.x_step - 1) / pass.x_step;
      rows.push_back(u8(random() % 5));
      for (u32 i = 0; i < (columns * channels * p.depth + 7) / 8; ++i) rows.push_back(u8(random()));
    }
  return rows;
}

TEST(ReadPng, ReadsAllTypesAndDepthsLikeLibpng) {
  const std::pair<u8, u32> types[] = {{0, 1}, {2, 3}, {3, 1}, {4, 2}, {6, 4}};
  for (const auto& [type, channels] : types)
    for (const u8 depth : {1, 2, 4, 8, 16}) {
      if ((type == 3 && depth == 16) || (type != 3 && type != 0 && depth < 8)) continue;
      for (const u8 interlace : {0, 1})
        for (const u32 size : {1, 2, 5, 9, 19})
          for (const bool transparency : {false, true}) {
            if (transparency && type >= 4) continue;
            Parts p{.width = size, .height = size + 1, .depth = depth, .type = type, .interlace = interlace};
            p.rows = random_rows(p, channels);
            if (type == 3)
              for (u32 i = 0; i < 3u << depth; ++i) p.palette.push_back(u8(i * 37));
            // With 8 bits or fewer, choose a grey or color that is likely to occur.
            if (transparency)
              p.transparency = type == 3 ? Bytes{0, 99} : type == 0 ? Bytes{0, 1} : Bytes{0, 1, 0, 2, 0, 3};
            const Bytes file = file_of(p);
            const auto image = read_png(file);
            ASSERT_TRUE(image) << format_one_line(image.error());
            EXPECT_EQ(image->palette.empty(), type != 3);
            EXPECT_EQ(to_rgba(*image).pixels, read_by_libpng(file))
                << int(type) << " " << int(depth) << " " << int(interlace) << " " << size;
          }
    }
}

TEST(ReadPng, AppliesTheTransparentColor) {
  const auto image = read_png(file_of({.width = 2,
                                       .height = 1,
                                       .depth = 8,
                                       .type = 2,
                                       .transparency = {0, 1, 0, 2, 0, 3},
                                       .rows = {0, 1, 2, 3, 1, 2, 4}}));
  ASSERT_TRUE(image);
  EXPECT_EQ(color_of(*image, 0, 0), (Rgba{1, 2, 3, 0}));
  EXPECT_EQ(color_of(*image, 1, 0), (Rgba{1, 2, 4, 255}));
}

TEST(ReadPng, RoundsSixteenBitSamples) {
  const auto image = read_png(
      file_of({.width = 3, .height = 1, .depth = 16, .type = 0, .rows = {0, 0x80, 0x00, 0x00, 0x80, 0xff, 0x7f}}));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->pixels, (Bytes{128, 128, 128, 255, 0, 0, 0, 255, 255, 255, 255, 255}));
}

void expect_refused(const Bytes& file, std::string_view id = "png.syntax") {
  const auto image = read_png(file);
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().id, id);
  EXPECT_FALSE(image.error().message.empty() && image.error().expected.empty());
  EXPECT_LE(image.error().place.offset, file.size());
}

TEST(ReadPng, RejectsEveryTruncation) {
  for (const Bytes& file : {write_png(indexed_image(16, 16, 4, 16)), write_png(color_image(9, 9, false))})
    for (size_t size = 0; size < file.size(); ++size)
      expect_refused(Bytes(file.begin(), file.begin() + std::ptrdiff_t(size)));
}

TEST(ReadPng, ChangedBytesNeverAlterTheImage) {
  const Image image = indexed_image(16, 16, 4, 16);
  const Bytes file = write_png(image);
  for (size_t i = 0; i < file.size(); ++i)
    for (const u8 change : {1, 0x20, 0x80, 0xff}) {
      Bytes changed = file;
      changed[i] ^= change;
      const auto read = read_png(changed);
      // The checksums detect the change, except when tRNS becomes an optional unknown chunk.
      if (read) {
        EXPECT_EQ(read->pixels, image.pixels) << i;
      }
    }
}

TEST(ReadPng, SurvivesDamageWithValidChecksums) {
  std::mt19937 random(5);
  size_t readable = 0;
  for (int i = 0; i < 2000; ++i) {
    Parts p{.width = u32(1 + random() % 20),
            .height = u32(1 + random() % 20),
            .depth = u8(1u << random() % 5),
            .type = u8(random() % 7)};
    p.interlace = random() % 2;
    p.rows = random_rows(p, u32(1 + random() % 4));
    if (random() % 2) p.palette.resize(3 * (random() % 257), 9);
    if (random() % 4 == 0) p.transparency.resize(random() % 9);
    const auto image = read_png(file_of(p));
    if (!image) {
      EXPECT_THAT(image.error().id, testing::StartsWith("png."));
      continue;
    }
    ++readable;
    EXPECT_EQ(image->pixels.size(), size_t(p.width) * p.height * (image->palette.empty() ? 4 : 1));
  }
  EXPECT_GT(readable, 20u);
}

TEST(ReadPng, RejectsInvalidPngFiles) {
  expect_refused({});
  expect_refused(Bytes(100, 0));
  expect_refused(file_of({.width = 0, .rows = {0}}));
  expect_refused(file_of({.depth = 3, .rows = Bytes(18)}));
  expect_refused(file_of({.type = 5, .rows = Bytes(18)}));
  expect_refused(file_of({.interlace = 2, .rows = Bytes(18)}));
  expect_refused(file_of({.rows = Bytes(17)}));
  expect_refused(file_of({.rows = Bytes(19)}));
  expect_refused(file_of({.rows = Bytes(18, 5)}));  // filter 5 does not exist
  expect_refused(file_of({.type = 3, .rows = Bytes(18)}));
  expect_refused(file_of({.type = 3, .palette = {1, 2}, .rows = Bytes(18)}));
  expect_refused(file_of({.depth = 1, .type = 3, .palette = Bytes(9), .rows = Bytes(6)}));
  expect_refused(file_of({.type = 3, .palette = {1, 2, 3}, .transparency = {1, 1}, .rows = Bytes(18)}));
  expect_refused(
      file_of({.width = 1, .height = 1, .type = 3, .palette = {1, 2, 3}, .rows = {0, 1}}));  // index 1 of 1 color
}

TEST(ReadPng, RejectsHugeImagesInSmallFiles) {
  expect_refused(file_of({.width = 0x7fffffff, .height = 0x7fffffff, .rows = {0}}), "png.size");
  expect_refused(file_of({.width = 8192, .height = 8193, .rows = {0}}), "png.size");
  expect_refused(file_of({.width = 8192, .height = 8192, .depth = 16, .type = 6, .rows = {0}}));
}

TEST(WrittenPngs, ReturnsTheFileWrittenForEachImage) {
  std::vector<Image> pictures;
  for (const int depth : {1, 4, 8}) pictures.push_back(indexed_image(8, 8, u8(depth), 2));
  for (const bool opaque : {false, true}) pictures.push_back(color_image(8, 8, opaque));
  // Images that differ only in size, only in depth, or only in palette.
  pictures.push_back(pictures[2]);
  pictures.back().width = 16, pictures.back().height = 4;
  pictures.push_back(pictures[1]);
  pictures.back().depth = 8;
  pictures.push_back(pictures[1]);
  pictures.back().palette[0][1] ^= 1;
  Written written;
  for (const bool second : {false, true})
    for (Image picture : pictures) {
      picture.name = second ? "another" : "";  // not in the file
      const Bytes* known = written.find(picture);
      EXPECT_EQ(known != nullptr, second);
      if (known) {
        EXPECT_EQ(*known, write_png(picture));
      }
      written.keep(picture, write_png(picture));
    }
  const Image large = color_image(4096, 4096, true);  // larger than the whole cache
  written.keep(large, Bytes(1));
  EXPECT_FALSE(written.find(large));
}

}  // namespace
