#include "console/psx/texels_encode.hpp"

#include <algorithm>

#include "console/psx/color.hpp"
#include "console/psx/gpu.hpp"
#include "scene/quantize.hpp"
#include "scene/scaling.hpp"

namespace dio::psx {
namespace {

using scene::Rgb;

static_assert(std::ranges::all_of(k_levels, [](u8 shown) {
  return k_levels[to_5_bits(shown)] == shown && k_levels[nearest_5_bits(shown)] == shown;
}));

/// The word nearest to a colour, never the transparent one.
u16 nearest_rgb555(const Rgb& c) {
  const u16 word = console::word_of({nearest_5_bits(c[0]), nearest_5_bits(c[1]), nearest_5_bits(c[2])});
  return word == k_clear ? k_opaque_black : word;
}

/// A picture whose pixels are transparent or have a colour.
struct Pixels {
  std::vector<Rgb> colors;
  std::vector<bool> opaque;
  size_t partial = 0;
};
Pixels extract_pixels(const scene::Image& image) {
  Pixels all;
  const size_t count = size_t(image.width) * image.height;
  all.colors.reserve(count);
  all.opaque.reserve(count);
  for (u32 y = 0; y < image.height; ++y)
    for (u32 x = 0; x < image.width; ++x) {
      const scene::Rgba c = scene::color_of(image, x, y);
      all.partial += c[3] != 0 && c[3] != 255;
      all.opaque.push_back(is_drawn(c));
      all.colors.push_back({c[0], c[1], c[2]});
    }
  return all;
}

std::vector<u16> sort_unique(std::vector<u16> words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

/// Reduces the colours of the pixels.
std::vector<Rgb> quantize_palette(const Pixels& pixels, u32 most) {
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

EncodedPicture encode_texels(const scene::Image& picture, u8 depth, u8 most_depth, bool dither) {
  Losses losses;
  const bool is_large = picture.width > k_most_side || picture.height > k_most_side;
  const scene::Image image = is_large ? scene::resize_image(picture, std::min(picture.width, k_most_side),
                                                            std::min(picture.height, k_most_side))
                                      : picture;
  if (is_large) {
    losses.scaled_from_width = picture.width;
    losses.scaled_from_height = picture.height;
  }
  const Pixels pixels = extract_pixels(image);
  losses.partial = pixels.partial;

  Texels texels{image.width, image.height, depth, {}, {}};
  bool is_rounded = false;
  texels.colors.reserve(pixels.colors.size());
  for (size_t i = 0; i < pixels.colors.size(); ++i) {
    texels.colors.push_back(pixels.opaque[i] ? nearest_rgb555(pixels.colors[i]) : k_clear);
    is_rounded |= pixels.opaque[i] && rgb555_to_rgb(texels.colors.back()) != pixels.colors[i];
  }
  texels.palette = sort_unique(texels.colors);
  const size_t count = texels.palette.size();
  if (depth == 0) texels.depth = count <= most_colors(4) ? 4 : count <= most_colors(8) ? 8 : most_depth;
  const u32 most = most_colors(texels.depth);

  const bool has_palette = texels.depth != 16, is_lossy = has_palette && count > most;
  if (is_lossy) losses.colors = count;
  if (is_lossy || (dither && is_rounded)) {
    std::vector<Rgb> palette;
    if (is_lossy) {
      const bool any_clear = texels.palette.front() == k_clear;
      palette = quantize_palette(pixels, most - u32(any_clear));
    } else if (has_palette) {
      for (const u16 word : texels.palette)
        if (word != k_clear) palette.push_back(rgb555_to_rgb(word));
    }
    const scene::NearestColor nearest(palette);
    const auto assign_shown_color = [&](size_t i, const Rgb& wanted) {
      texels.colors[i] = nearest_rgb555(has_palette ? palette[nearest.of(wanted)] : wanted);
      return rgb555_to_rgb(texels.colors[i]);
    };
    if (dither) {
      scene::dither_by_error_diffusion(image.width, image.height, pixels.opaque, pixels.colors, assign_shown_color);
    } else {
      for (size_t i = 0; i < pixels.colors.size(); ++i)
        if (pixels.opaque[i]) assign_shown_color(i, pixels.colors[i]);
    }
    texels.palette = sort_unique(texels.colors);
  }
  if (!has_palette) texels.palette.clear();
  return {std::move(texels), losses};
}

Texels make_texels(u32 width, u32 height, u8 depth, std::vector<u16> words) {
  Texels out{width, height, depth, std::move(words), {}};
  if (depth != 16) out.palette = sort_unique(out.colors);
  return out;
}

}  // namespace dio::psx
