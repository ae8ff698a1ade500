#include "bridge/terminal/terminal.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "bridge/png/png.hpp"
#include "core/base64.hpp"
#include "scene/indexed.hpp"
#include "scene/quantize.hpp"
#include "scene/srgb_tables.hpp"

namespace dio::terminal {

using namespace scene;

namespace {

/// One colour in a band of six rows: a letter for each column, repeated ones as !N and the letter.
void append_sixel_row(std::string& out, const std::string& row) {
  for (size_t i = 0; i < row.size();) {
    size_t end = i;
    while (end < row.size() && row[end] == row[i]) ++end;
    if (end - i > 3)
      out += '!' + std::to_string(end - i) + row[i];
    else
      out.append(end - i, row[i]);
    i = end;
  }
}

}  // namespace

std::string encode_sixels(const Image& given, u32 most_colors) {
  const Image image = std::move(convert_to_indexed({&given, 1}, {.most_colors = most_colors}).front());
  const bool has_clear = image.palette[0][3] == 0;
  // 1: uncovered pixels stay unchanged. Then the pixel aspect ratio and the size.
  std::string out = "\x1bP0;1;0q\"1;1;" + std::to_string(image.width) + ';' + std::to_string(image.height);
  const auto percent = [](u8 x) { return ';' + std::to_string((x * 100 + 127) / 255); };
  for (size_t i = has_clear; i < image.palette.size(); ++i) {
    const Rgba& c = image.palette[i];
    out += '#' + std::to_string(i - has_clear) + ";2" + percent(c[0]) + percent(c[1]) + percent(c[2]);
  }
  std::vector<std::string> rows(image.palette.size());
  for (u32 top = 0; top < image.height; top += 6) {
    std::array<bool, 256> used{};
    for (u32 y = top; y < std::min(top + 6, image.height); ++y)
      for (u32 x = 0; x < image.width; ++x) {
        const u8 color = image.pixels[size_t(y) * image.width + x];
        if (color < has_clear) continue;
        std::string& row = rows[color];
        if (!used[color]) used[color] = true, row.assign(image.width, '?');
        row[x] = char(((row[x] - '?') | 1 << (y - top)) + '?');
      }
    bool is_first = true;
    for (size_t color = has_clear; color < rows.size(); ++color) {
      if (!used[color]) continue;
      if (!is_first) out += '$';  // back to the left
      is_first = false;
      out += '#' + std::to_string(color - has_clear);
      rows[color].resize(rows[color].find_last_not_of('?') + 1);
      append_sixel_row(out, rows[color]);
    }
    if (top + 6 < image.height) out += '-';
  }
  return out + "\x1b\\";
}

std::string encode_kitty(const Image& image, u32 id) {
  const std::string data = encode_base64(png::write_png(image));
  constexpr size_t k_chunk = 4096;
  // a=T: show at once; f=100: PNG; q=2: no answer; C=1: keep the cursor; m: whether more data follows.
  const std::string about = "a=T,f=100,q=2," + (id ? "i=" + std::to_string(id) + ",p=1,C=1," : "");
  std::string out;
  for (size_t i = 0; i < data.size(); i += k_chunk) {
    out += "\x1b_G" + (i ? "" : about) + (i + k_chunk < data.size() ? "m=1;" : "m=0;") + data.substr(i, k_chunk) +
           "\x1b\\";
  }
  return out;
}

namespace {

/// The colours 16 to 255 of xterm: a cube of 6 x 6 x 6, then 24 greys. Users can change the first 16.
const std::vector<Rgb>& xterm_palette() {
  static const std::vector<Rgb> palette = [] {
    std::vector<Rgb> out;
    constexpr u8 k_steps[6] = {0, 95, 135, 175, 215, 255};
    for (const u8 r : k_steps)
      for (const u8 g : k_steps)
        for (const u8 b : k_steps) out.push_back({r, g, b});
    for (u32 i = 0; i < 24; ++i) {
      const u8 grey = u8(8 + 10 * i);
      out.push_back({grey, grey, grey});
    }
    return out;
  }();
  return palette;
}

std::optional<Rgba> opaque_color_at(const Image& image, u32 x, u32 y) {
  if (y >= image.height) return {};
  const Rgba c = color_of(image, x, y);
  if (c[3] < 128) return {};
  return c;
}

}  // namespace

std::string encode_half_blocks(const Image& image, Colors colors) {
  static const NearestColor nearest(xterm_palette());
  const auto color_code = [&](const Rgba& c) {
    if (colors == Colors::palette) return "5;" + std::to_string(16 + nearest.of({c[0], c[1], c[2]}));
    return "2;" + std::to_string(c[0]) + ';' + std::to_string(c[1]) + ';' + std::to_string(c[2]);
  };
  std::string out;
  for (u32 y = 0; y < image.height; y += 2) {
    std::string front = "39", back = "49", line;  // the terminal's own
    for (u32 x = 0; x < image.width; ++x) {
      const auto upper = opaque_color_at(image, x, y), lower = opaque_color_at(image, x, y + 1);
      const bool is_below = !upper && lower;
      const std::string new_back = upper && lower ? "48;" + color_code(*lower) : "49";
      const std::string new_front = upper ? "38;" + color_code(*upper) : is_below ? "38;" + color_code(*lower) : front;
      std::string change = new_front != front ? new_front : "";
      if (new_back != back) change += (change.empty() ? "" : ";") + new_back;
      front = new_front, back = new_back;
      if (!change.empty()) line += "\x1b[" + change + 'm';
      line += !upper && !lower ? " " : is_below ? "\u2584" : "\u2580";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\x1b[0m\n";
  }
  return out;
}

std::string ascii_art(const Image& image) {
  constexpr std::string_view k_dense = " .:-=+*#%@";
  std::string out;
  for (u32 y = 0; y < image.height; y += 2) {
    std::string line;
    for (u32 x = 0; x < image.width; ++x) {
      u32 light = 0, n = 0;
      for (const auto& c : {opaque_color_at(image, x, y), opaque_color_at(image, x, y + 1)})
        if (c) {
          light +=
              (srgb_to_light((*c)[0]) * 2126u + srgb_to_light((*c)[1]) * 7152u + srgb_to_light((*c)[2]) * 722u) / 10000;
          ++n;
        }
      // A drawn pixel is never a space, so that a dark shape is visible.
      line += n ? k_dense[1 + light_to_srgb(light / n) * (k_dense.size() - 2) / 255] : ' ';
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace dio::terminal
