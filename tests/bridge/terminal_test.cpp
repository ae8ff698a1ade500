#include "bridge/terminal/terminal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "bridge/gif/gif.hpp"
#include "bridge/png/png.hpp"
#include "core/base64.hpp"
#include "scene/indexed.hpp"

namespace {

using namespace dio;
using namespace dio::scene;

/// Smooth colors with noise, more of them than a palette can hold; some pixels are transparent.
Image picture(u32 width, u32 height, u32 seed, bool clear = true) {
  std::minstd_rand random(seed);
  Image out;
  out.width = width, out.height = height;
  for (u32 y = 0; y < height; ++y)
    for (u32 x = 0; x < width; ++x) {
      const bool is_clear = clear && (x + y + seed) % 11 < 3;
      for (const u32 c : {x * 255 / width, y * 255 / height, (x + y) * 255 / (width + height)})
        out.pixels.push_back(u8(std::min<u32>(c + random() % 9, 255)));
      out.pixels.push_back(is_clear ? 90 : u8(128 + random() % 128));
    }
  return out;
}
Image few_colors(u32 width, u32 height, u32 seed, u32 colors) {
  std::minstd_rand random(seed);
  Image out;
  out.width = width, out.height = height;
  for (u32 i = 0; i < width * height; ++i) {
    const u32 c = u32(random()) % colors;
    out.pixels.insert(out.pixels.end(), {u8(c * 37), u8(c * 91), u8(c * 13), u8(c ? 255 : 0)});
  }
  return out;
}

/// The largest channel difference of two images; both must be transparent in the same places.
i32 difference(const Image& wanted, const Image& got) {
  i32 worst = 0;
  EXPECT_EQ(wanted.width, got.width);
  EXPECT_EQ(wanted.height, got.height);
  for (u32 y = 0; y < wanted.height; ++y)
    for (u32 x = 0; x < wanted.width; ++x) {
      const Rgba a = color_of(wanted, x, y), b = color_of(got, x, y);
      if ((a[3] < 128) != (b[3] < 128)) return 1000;
      if (a[3] < 128) continue;
      for (size_t c = 0; c < 3; ++c) worst = std::max(worst, std::abs(i32(a[c]) - i32(b[c])));
    }
  return worst;
}

TEST(ConvertToIndexed, KeepsUpTo256Colors) {
  for (const u32 colors : {1u, 2u, 7u, 200u, 256u}) {
    const Image image = few_colors(40, 30, colors, colors);
    const Image out = convert_to_indexed({&image, 1}, {}).front();
    EXPECT_LE(out.palette.size(), 256u);
    EXPECT_EQ(difference(image, out), 0) << colors;
  }
}

TEST(ConvertToIndexed, ReducesImagesTo256Colors) {
  const Image image = picture(120, 90, 3);
  for (const bool dither : {false, true}) {
    const Image out = convert_to_indexed({&image, 1}, {.dither = dither}).front();
    EXPECT_EQ(out.palette.size(), 256u);
    EXPECT_EQ(out.palette[0], (Rgba{0, 0, 0, 0}));
    EXPECT_LT(difference(image, out), 60);
  }
  // On average, dithering brings a surface closer to its color.
  Image ramp;
  ramp.width = 256, ramp.height = 64;
  for (u32 i = 0; i < ramp.width * ramp.height; ++i) {
    const u8 c = u8(i % 256);
    ramp.pixels.insert(ramp.pixels.end(), {c, c, c, 255});
  }
  f64 errors[2] = {};
  for (const bool dither : {false, true}) {
    const Image out = convert_to_indexed({&ramp, 1}, {.most_colors = 8, .dither = dither}).front();
    EXPECT_LE(out.palette.size(), 8u);
    for (u32 x = 32; x < 224; x += 8) {  // both ends are beyond the palette
      f64 sum = 0;
      for (u32 y = 0; y < 8; ++y)
        for (u32 i = 0; i < 8; ++i) sum += color_of(out, x + i, y)[0] - f64(x + i);
      errors[dither] += std::abs(sum / 64);
    }
  }
  EXPECT_LT(errors[1], errors[0] / 2);
  // Several images share a palette, with a transparent color if requested.
  const std::vector<Image> both = {few_colors(5, 5, 1, 3), few_colors(5, 5, 2, 4)};
  const auto out = convert_to_indexed(both, {.has_clear = true});
  EXPECT_EQ(out[0].palette, out[1].palette);
  EXPECT_EQ(difference(both[1], out[1]), 0);
}

/// Decodes sixels as a terminal does, written only from the VT340 manual (chapter 14).
Image decoded_sixels(std::string_view text) {
  Image out;
  EXPECT_TRUE(text.starts_with("\x1bP"));
  EXPECT_TRUE(text.ends_with("\x1b\\"));
  size_t i = text.find('q') + 1;
  const auto numbers = [&] {
    std::vector<u32> n(1);
    for (; i < text.size(); ++i) {
      if (text[i] == ';')
        n.push_back(0);
      else if (text[i] >= '0' && text[i] <= '9')
        n.back() = n.back() * 10 + u32(text[i] - '0');
      else
        break;
    }
    return n;
  };
  std::map<u32, Rgba> colors;
  u32 color = 0, x = 0, y = 0, times = 1;
  while (i < text.size() && text[i] != '\x1b') {
    const char c = text[i++];
    if (c == '"') {
      const auto n = numbers();
      EXPECT_EQ(n.size(), 4u);
      out.width = n[2], out.height = n[3];
      out.pixels.resize(size_t(out.width) * out.height * 4);
    } else if (c == '#') {
      const auto n = numbers();
      color = n[0];
      EXPECT_LT(color, 256u);
      if (n.size() == 5) {
        EXPECT_EQ(n[1], 2u);
        for (size_t k = 2; k < 5; ++k) EXPECT_LE(n[k], 100u);
        colors[color] = {u8(n[2] * 255 / 100), u8(n[3] * 255 / 100), u8(n[4] * 255 / 100), 255};
      }
    } else if (c == '!') {
      times = numbers()[0];
    } else if (c == '$') {
      x = 0;
    } else if (c == '-') {
      x = 0, y += 6;
    } else {
      EXPECT_TRUE(c >= '?' && c <= '~');
      EXPECT_TRUE(colors.contains(color));
      for (; times; --times, ++x)
        for (u32 bit = 0; bit < 6; ++bit)
          if ((c - '?') >> bit & 1) {
            EXPECT_LT(x, out.width);
            EXPECT_LT(y + bit, out.height);
            if (x < out.width && y + bit < out.height)
              std::copy(colors[color].begin(), colors[color].end(),
                        out.pixels.begin() + i64((size_t(y + bit) * out.width + x) * 4));
          }
      times = 1;
    }
  }
  return out;
}

TEST(Terminal, SixelsShowTheSameImage) {
  for (const u32 height : {1u, 5u, 6u, 7u, 33u}) {
    const Image few = few_colors(37, height, height, 200);
    EXPECT_LE(difference(few, decoded_sixels(terminal::encode_sixels(few))), 3) << height;  // percent
    const Image many = picture(90, height, height);
    EXPECT_LE(difference(convert_to_indexed({&many, 1}, {}).front(), decoded_sixels(terminal::encode_sixels(many))), 3);
    const Image sixteen = decoded_sixels(terminal::encode_sixels(many, 16));
    std::set<Rgba> seen;
    for (u32 y = 0; y < height; ++y)
      for (u32 x = 0; x < 90; ++x) seen.insert(color_of(sixteen, x, y));
    EXPECT_LE(seen.size(), 16u);
  }
  const Image nothing = few_colors(8, 8, 1, 1);
  EXPECT_EQ(difference(nothing, decoded_sixels(terminal::encode_sixels(nothing))), 0);
}

TEST(Terminal, KittyOutputContainsThePng) {
  for (const u32 size : {1u, 60u, 200u}) {
    const Image image = picture(size, size, size);
    const std::string all = terminal::encode_kitty(image);
    std::string_view text = all;
    std::string data;
    for (bool first = true, more = true; more; first = false) {
      ASSERT_TRUE(text.starts_with("\x1b_G"));
      const size_t keys = text.find(';'), end = text.find("\x1b\\");
      ASSERT_NE(end, text.npos);
      const std::string_view said = text.substr(3, keys - 3);
      EXPECT_EQ(said.starts_with("a=T,f=100,q=2,"), first);
      more = said.ends_with("m=1");
      EXPECT_EQ(said.ends_with("m=0"), !more);
      const std::string_view chunk = text.substr(keys + 1, end - keys - 1);
      EXPECT_LE(chunk.size(), 4096u);
      if (more) {
        EXPECT_EQ(chunk.size() % 4, 0u);
      }
      data += chunk;
      text.remove_prefix(end + 2);
    }
    EXPECT_TRUE(text.empty());
    const auto bytes = decode_base64(data);
    ASSERT_TRUE(bytes);
    const auto read = png::read_png(*bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->pixels, image.pixels);
  }
}

TEST(Terminal, HalfBlocksShowTwoRowsPerLine) {
  Image image;
  image.width = 3, image.height = 3;
  const Rgba red{255, 0, 0, 255}, blue{0, 0, 255, 255}, clear{0, 0, 0, 0};
  for (const Rgba& c : {red, clear, clear, blue, blue, clear, red, red, clear})
    image.pixels.insert(image.pixels.end(), c.begin(), c.end());
  using terminal::Colors;
  EXPECT_EQ(terminal::encode_half_blocks(image, Colors::millions),
            "\x1b[38;2;255;0;0;48;2;0;0;255m\u2580\x1b[38;2;0;0;255;49m\u2584\x1b[0m\n"
            "\x1b[38;2;255;0;0m\u2580\u2580\x1b[0m\n");
  EXPECT_EQ(terminal::encode_half_blocks(image, Colors::palette),
            "\x1b[38;5;196;48;5;21m\u2580\x1b[38;5;21;49m\u2584\x1b[0m\n\x1b[38;5;196m\u2580\u2580\x1b[0m\n");
  EXPECT_EQ(terminal::ascii_art(image), "=-\n==\n");
}

// ---- GIF
// -------------------------------------------------------------------------------------------------------------

struct Played {
  Image canvas;
  u32 delay = 0;
};
/// Plays a GIF as a viewer does, written only from the specification (GIF89a).
std::vector<Played> played(ByteView file) {
  std::vector<Played> out;
  size_t at = 0;
  const auto byte = [&] { return at < file.size() ? u32(file[at++]) : (ADD_FAILURE() << "too short", 0u); };
  const auto word = [&] {
    const u32 low = byte();
    return low | byte() << 8;
  };
  const auto blocks = [&] {
    Bytes all;
    while (const u32 n = byte())
      for (u32 i = 0; i < n; ++i) all.push_back(u8(byte()));
    return all;
  };
  EXPECT_EQ(std::string(file.begin(), file.begin() + 6), "GIF89a");
  at = 6;
  Image canvas;
  canvas.width = word(), canvas.height = word();
  canvas.pixels.resize(size_t(canvas.width) * canvas.height * 4);
  const u32 flags = byte();
  EXPECT_TRUE(flags & 0x80);
  byte(), byte();
  std::vector<Rgba> palette(size_t(2) << (flags & 7));
  for (Rgba& c : palette) c = {u8(byte()), u8(byte()), u8(byte()), 255};
  u32 delay = 0, dispose = 0, clear_index = 256;
  for (;;) {
    const u32 kind = byte();
    if (kind == 0x3b) break;
    if (kind == 0x21) {
      const u32 label = byte();
      const Bytes data = blocks();
      if (label != 0xf9) continue;
      EXPECT_EQ(data.size(), 4u);
      dispose = data[0] >> 2 & 7;
      delay = data[1] | u32(data[2]) << 8;
      clear_index = data[0] & 1 ? data[3] : 256;
      continue;
    }
    if (kind != 0x2c) {
      ADD_FAILURE() << kind;
      return out;
    }
    const u32 left = word(), top = word(), width = word(), height = word();
    EXPECT_EQ(byte(), 0u);
    EXPECT_LE(left + width, canvas.width);
    EXPECT_LE(top + height, canvas.height);
    const u32 least = byte();
    const Bytes data = blocks();
    // LZW with a table of whole strings: slow but simple.
    std::vector<std::string> table;
    std::string pixels, before;
    u32 width_now = least + 1;
    const u32 clear = 1u << least;
    const auto reset = [&] {
      table.clear();
      for (u32 i = 0; i < clear + 2; ++i) table.emplace_back(1, char(i));
      width_now = least + 1, before.clear();
    };
    reset();
    size_t bit = 0;
    for (bool ended = false; !ended;) {
      u32 code = 0;
      for (u32 i = 0; i < width_now; ++i, ++bit) {
        if (bit / 8 >= data.size()) {
          ADD_FAILURE() << "no end";
          return out;
        }
        code |= u32(data[bit / 8] >> bit % 8 & 1) << i;
      }
      if (code == clear) {
        reset();
      } else if (code == clear + 1) {
        ended = true;
      } else {
        if (code > table.size() || (code == table.size() && before.empty())) {
          ADD_FAILURE() << "a code that is not known";
          return out;
        }
        const std::string text = code < table.size() ? table[code] : before + before[0];
        if (!before.empty() && table.size() < 4096) table.push_back(before + text[0]);
        if (table.size() == size_t(1) << width_now && width_now < 12) ++width_now;
        pixels += text;
        before = text;
      }
    }
    EXPECT_LE(data.size() * 8 - bit, 7u);
    EXPECT_EQ(pixels.size(), size_t(width) * height);
    for (size_t i = 0; i < pixels.size(); ++i) {
      const u8 index = u8(pixels[i]);
      if (index == clear_index) continue;
      std::copy(palette[index].begin(), palette[index].end(),
                canvas.pixels.begin() + i64((size_t(top + i / width) * canvas.width + left + i % width) * 4));
    }
    out.push_back({canvas, delay});
    if (dispose == 2)
      for (u32 y = top; y < top + height; ++y)
        std::fill_n(canvas.pixels.begin() + i64((size_t(y) * canvas.width + left) * 4), size_t(width) * 4, u8(0));
  }
  EXPECT_EQ(at, file.size());
  return out;
}

TEST(Gif, WritesStillImages) {
  for (const u32 colors : {1u, 2u, 3u, 4u, 5u, 17u, 256u}) {
    const Image image = few_colors(61, 43, colors, colors);
    const auto frames = played(gif::write_gif({&image, 1}));
    ASSERT_EQ(frames.size(), 1u);
    EXPECT_EQ(difference(image, frames[0].canvas), 0) << colors;
  }
  // So many different pixels that the code table fills up several times.
  const Image large = picture(300, 200, 7);
  const auto frames = played(gif::write_gif({&large, 1}));
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(difference(convert_to_indexed({&large, 1}, {}).front(), frames[0].canvas), 0);
  // Streams that end at every code width.
  for (u32 size = 1; size < 700; ++size) {
    const Image line = few_colors(size, 1, size, 256);
    ASSERT_EQ(difference(line, played(gif::write_gif({&line, 1}))[0].canvas), 0) << size;
  }
}

TEST(Gif, WritesAnimatedImages) {
  for (const bool clear : {false, true}) {
    // A square moves over an opaque or transparent background.
    std::vector<Image> frames;
    for (u32 f = 0; f < 7; ++f) {
      Image image;
      image.width = 30, image.height = 20;
      for (u32 y = 0; y < 20; ++y)
        for (u32 x = 0; x < 30; ++x) {
          const bool inside = x >= f * 3 && x < f * 3 + 6 && y >= 5 && y < 12;
          const Rgba c = inside ? Rgba{200, u8(x), u8(y), 255} : clear ? Rgba{0, 0, 0, 0} : Rgba{30, 60, 90, 255};
          image.pixels.insert(image.pixels.end(), c.begin(), c.end());
        }
      frames.push_back(std::move(image));
    }
    const Bytes file = gif::write_gif(frames, 42);
    const auto shown = played(file);
    ASSERT_EQ(shown.size(), frames.size());
    u32 all = 0;
    for (size_t f = 0; f < frames.size(); ++f) {
      EXPECT_EQ(difference(frames[f], shown[f].canvas), 0) << f << clear;
      all += shown[f].delay;
    }
    EXPECT_EQ(all, 29u);  // 7 * 42 ms
    EXPECT_NE(std::string(file.begin(), file.end()).find("NETSCAPE2.0"), std::string::npos);
    // Equal frames are merged into one.
    frames.insert(frames.begin() + 2, 3, frames[2]);
    const auto longer = played(gif::write_gif(frames, 42));
    ASSERT_EQ(longer.size(), 7u);
    EXPECT_NEAR(longer[2].delay, 17, 1);
    EXPECT_EQ(difference(frames.back(), longer.back().canvas), 0);
  }
}

TEST(Gif, SplitsLongDelaysIntoSeveralFrames) {
  // 65,535 hundredths of a second is the longest delay.
  const std::vector<Image> first(30, few_colors(4, 4, 1, 4)), last(1, few_colors(4, 4, 2, 4));
  std::vector<Image> frames = first;
  frames.insert(frames.end(), last.begin(), last.end());
  const auto shown = played(gif::write_gif(frames, 60'000));
  ASSERT_EQ(shown.size(), 4u);
  EXPECT_EQ(shown[0].delay, 60'000u);
  EXPECT_EQ(shown[1].delay, 60'000u);
  EXPECT_EQ(shown[2].delay, 60'000u);
  EXPECT_EQ(shown[3].delay, 6'000u);
  for (size_t f = 0; f < 3; ++f) EXPECT_EQ(difference(convert_to_indexed(frames, {}).front(), shown[f].canvas), 0);
  EXPECT_EQ(difference(convert_to_indexed(frames, {}).back(), shown[3].canvas), 0);
}

}  // namespace
