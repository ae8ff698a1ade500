#include "formats/brres/pictures/texture_builder.hpp"

#include <algorithm>
#include <bit>

#include "scene/scaling.hpp"

namespace dio::brres {

namespace {

constexpr u32 k_least_side = 8;  // of a mipmap: a block of CMPR

/// The power of two that is nearest by ratio.
u32 nearest_power_of_two(u32 n, u32 most) {
  const u32 below = std::bit_floor(std::max(n, 1u));
  const u32 nearest = u64(n) * n > u64(below) * below * 2 ? below * 2 : below;
  return std::clamp(nearest, 4u, most);
}

bool is_gray(const scene::Image& image) {
  for (u32 y = 0; y < image.height; ++y)
    for (u32 x = 0; x < image.width; ++x) {
      const scene::Rgba c = scene::color_of(image, x, y);
      if (c[3] && (c[0] != c[1] || c[1] != c[2])) return false;
    }
  return true;
}

void measure_error(BuiltTexture& out, const scene::Image& image, wii::TexelFormat format, const Bytes& texels) {
  const scene::Image shown = scene::to_rgba(wii::decode(format, image.width, image.height, texels));
  for (size_t i = 0; i < shown.pixels.size(); i += 4) {
    if (image.pixels[i + 3] < 128) continue;
    ++out.visible_pixels;
    for (size_t c = 0; c < 3; ++c) {
      const f64 off = f64(shown.pixels[i + c]) - image.pixels[i + c];
      out.squared_error += off * off;
    }
  }
}

/// Four bits a pixel where that is enough: CMPR has no alpha between 0 and 255, and two colours and their mixtures in
/// 4 x 4 pixels.
wii::TexelFormat choose_format(const scene::Image& image) {
  const scene::Transparency alpha = scene::detect_transparency(image);
  if (alpha.any_partial) return is_gray(image) ? wii::TexelFormat::ia8 : wii::TexelFormat::rgb5a3;
  constexpr f64 k_most_error = 10;  // root mean square, of 255
  BuiltTexture tried;
  measure_error(tried, image, wii::TexelFormat::cmpr, wii::encode(wii::TexelFormat::cmpr, image, 1));
  const bool is_close = tried.squared_error <= k_most_error * k_most_error * 3 * f64(tried.visible_pixels);
  return is_close ? wii::TexelFormat::cmpr : alpha.any_clear ? wii::TexelFormat::rgb5a3 : wii::TexelFormat::rgb565;
}

}  // namespace

bool can_store(wii::TexelFormat format, const scene::Image& image) {
  using enum wii::TexelFormat;
  const scene::Transparency alpha = scene::detect_transparency(image);
  const bool has_colors = format == rgb565 || format == rgb5a3 || format == rgba32 || format == cmpr;
  const bool has_alpha = format == ia4 || format == ia8 || format == rgb5a3 || format == rgba32;
  if (!has_colors && !is_gray(image)) return false;
  return has_alpha || (!alpha.any_partial && (!alpha.any_clear || format == cmpr));
}

BuiltTexture build_texture(std::string name, const scene::Image& picture, const TextureOptions& options) {
  BuiltTexture out;
  scene::Image image = scene::to_rgba(picture);
  const u32 most = std::bit_floor(options.largest);
  const u32 width = nearest_power_of_two(image.width, most), height = nearest_power_of_two(image.height, most);
  out.is_resized = width != image.width || height != image.height;
  if (out.is_resized) image = scene::resize_image(image, width, height);
  const wii::TexelFormat format = options.format.value_or(choose_format(image));
  u32 levels = 1;
  // A given number is that of a file, whose smallest mipmaps may be a single texel.
  const u32 least_side = options.most_mipmaps ? 1 : k_least_side;
  const u32 most_levels = options.most_mipmaps ? 1 + std::min(*options.most_mipmaps, 10u) : 11;
  while (options.mipmaps && levels < most_levels && std::max(width, height) >> levels >= 1 &&
         std::min(width, height) >> levels >= least_side)
    ++levels;

  Texture& t = out.texture;
  t.name = std::move(name);
  t.header.version = 3;
  t.width = u16(width), t.height = u16(height);
  t.format = u32(format), t.level_count = levels, t.max_lod = f32(levels - 1);
  t.texels = wii::encode(format, image, levels);
  measure_error(out, image, format, t.texels);
  return out;
}

}  // namespace dio::brres
