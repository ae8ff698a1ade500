#include "formats/splashpack/pictures/texels_encode.hpp"

#include <algorithm>
#include <numeric>

#include "core/base64.hpp"
#include "core/printing.hpp"
#include "formats/splashpack/make/texture_packing.hpp"
#include "scene/quantize.hpp"
#include "scene/scaling.hpp"

namespace dio::splashpack {
namespace {

using scene::Rgb;

constexpr u16 k_clear = 0, k_opaque_black = 0x8000;
constexpr u8 k_least_alpha = 128;

constexpr std::array<u8, 32> k_levels = [] {
  std::array<u8, 32> levels{};
  for (u16 i = 0; i < 32; ++i) levels[i] = from_5_bits(i);
  return levels;
}();

u16 word_of(const Rgb& c) {
  const u16 word = u16(to_5_bits(c[0]) | to_5_bits(c[1]) << 5 | to_5_bits(c[2]) << 10);
  return word == k_clear ? k_opaque_black : word;
}
Rgb shown_as(u16 word) { return {from_5_bits(word & 31), from_5_bits(word >> 5 & 31), from_5_bits(word >> 10 & 31)}; }

/// A picture whose pixels are clear or have a colour.
struct Pixels {
  std::vector<Rgb> colors;
  std::vector<bool> opaque;
  size_t partial = 0;
};
Pixels pixels_of(const scene::Image& image) {
  Pixels all;
  const size_t count = size_t(image.width) * image.height;
  all.colors.reserve(count);
  all.opaque.reserve(count);
  for (u32 y = 0; y < image.height; ++y)
    for (u32 x = 0; x < image.width; ++x) {
      const scene::Rgba c = scene::color_of(image, x, y);
      all.partial += c[3] != 0 && c[3] != 255;
      all.opaque.push_back(c[3] >= k_least_alpha);
      all.colors.push_back({c[0], c[1], c[2]});
    }
  return all;
}

std::vector<u16> distinct(std::vector<u16> words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

/// Few colours for those of the pixels.
std::vector<Rgb> palette_for(const Pixels& pixels, u32 most) {
  std::vector<u32> values;
  for (size_t i = 0; i < pixels.colors.size(); ++i) {
    const auto [r, g, b] = pixels.colors[i];
    if (pixels.opaque[i]) values.push_back(u32(r) << 16 | u32(g) << 8 | b);
  }
  std::sort(values.begin(), values.end());
  std::vector<scene::WeightedColor> colors;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == 0 || values[i] != values[i - 1])
      colors.push_back({{u8(values[i] >> 16), u8(values[i] >> 8), u8(values[i])}, 0});
    ++colors.back().weight;
  }
  return scene::quantize(colors, {.most_colors = most, .levels = k_levels});
}

}  // namespace

Shown texels_of(const scene::Image& picture, u8 depth, u8 most_depth, bool dither) {
  Losses losses;
  const bool is_large = picture.width > k_most_side || picture.height > k_most_side;
  const scene::Image image =
      is_large ? scene::scaled(picture, std::min(picture.width, k_most_side), std::min(picture.height, k_most_side))
               : picture;
  if (is_large) {
    losses.scaled_from_width = picture.width;
    losses.scaled_from_height = picture.height;
  }
  const Pixels pixels = pixels_of(image);
  losses.partial = pixels.partial;

  Texels texels{image.width, image.height, depth, {}, {}};
  bool is_rounded = false;
  texels.colors.reserve(pixels.colors.size());
  for (size_t i = 0; i < pixels.colors.size(); ++i) {
    texels.colors.push_back(pixels.opaque[i] ? word_of(pixels.colors[i]) : k_clear);
    is_rounded |= pixels.opaque[i] && shown_as(texels.colors.back()) != pixels.colors[i];
  }
  texels.palette = distinct(texels.colors);
  const size_t count = texels.palette.size();
  if (depth == 0) texels.depth = count <= most_colors(4) ? 4 : count <= most_colors(8) ? 8 : most_depth;
  const u32 most = most_colors(texels.depth);

  const bool has_palette = texels.depth != 16, is_lossy = has_palette && count > most;
  if (is_lossy) losses.colors = count;
  if (is_lossy || (dither && is_rounded)) {
    std::vector<Rgb> palette;
    if (is_lossy) {
      const bool any_clear = texels.palette.front() == k_clear;
      palette = palette_for(pixels, most - u32(any_clear));
    } else if (has_palette) {
      for (const u16 word : texels.palette)
        if (word != k_clear) palette.push_back(shown_as(word));
    }
    const scene::NearestColor nearest(palette);
    const auto show = [&](size_t i, const Rgb& wanted) {
      texels.colors[i] = word_of(has_palette ? palette[nearest.of(wanted)] : wanted);
      return shown_as(texels.colors[i]);
    };
    if (dither) {
      scene::diffuse(image.width, image.height, pixels.opaque, pixels.colors, show);
    } else {
      for (size_t i = 0; i < pixels.colors.size(); ++i)
        if (pixels.opaque[i]) show(i, pixels.colors[i]);
    }
    texels.palette = distinct(texels.colors);
  }
  if (!has_palette) texels.palette.clear();
  return {std::move(texels), losses};
}

Texels texels_of_words(u32 width, u32 height, u8 depth, std::vector<u16> words) {
  Texels out{width, height, depth, std::move(words), {}};
  if (depth != 16) out.palette = distinct(out.colors);
  return out;
}

Value value_of(const Texels& texels) {
  const auto word = [](Bytes& to, u16 w, bool low_first) {
    to.push_back(u8(low_first ? w : w >> 8));
    to.push_back(u8(low_first ? w >> 8 : w));
  };
  Bytes colors, indices;
  for (const u16 w : texels.palette) word(colors, w, false);
  for (const u16 w : texels.colors) {
    if (texels.depth == 16)
      word(indices, w, true);
    else
      indices.push_back(u8(std::ranges::lower_bound(texels.palette, w) - texels.palette.begin()));
  }
  Value out = Value::object();
  out.add("width", texels.width);
  out.add("height", texels.height);
  out.add("depth", texels.depth);
  if (texels.depth != 16) out.add("colors", hex_digits(colors));
  out.add("texels", base64_digits(indices));
  return out;
}

std::optional<Texels> texels_from(const Value& value) {
  const auto whole = [&](const char* name) {
    const Value* v = value.find(name);
    const bool is_number = v && (v->is(Value::Kind::integer) || v->is(Value::Kind::real));
    return is_number && v->number() >= 1 && v->number() <= k_most_side ? u32(v->number()) : 0;
  };
  const auto text = [&](const char* name) {
    const Value* v = value.find(name);
    return v && v->is(Value::Kind::text) ? std::string_view(v->text()) : std::string_view();
  };
  const u32 width = whole("width"), height = whole("height"), depth = whole("depth");
  const u64 count = u64(width) * height;
  if (!count || (depth != 4 && depth != 8 && depth != 16)) return {};
  const auto indices = from_base64_digits(text("texels"));
  const auto colors = from_hex_digits(text("colors"));
  if (!indices || !colors || indices->size() != count * (depth == 16 ? 2 : 1)) return {};
  const auto word = [](const Bytes& b, size_t i) { return u16(b[2 * i] << 8 | b[2 * i + 1]); };
  if (depth != 16 && colors->size() / 2 > most_colors(u8(depth))) return {};
  std::vector<u16> words;
  words.reserve(size_t(count));
  for (size_t i = 0; i < count; ++i) {
    if (depth == 16) {
      words.push_back(u16((*indices)[2 * i] | (*indices)[2 * i + 1] << 8));
      continue;
    }
    if ((*indices)[i] >= colors->size() / 2) return {};
    words.push_back(word(*colors, (*indices)[i]));
  }
  return texels_of_words(width, height, u8(depth), std::move(words));
}

}  // namespace dio::splashpack
